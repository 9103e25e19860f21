"""Post-processors by their name in the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tokcore.fields import Fields
from tokcore.postprocessors.bert import build_bert
from tokcore.postprocessors.byte_level import build_byte_level
from tokcore.postprocessors.roberta import build_roberta
from tokcore.postprocessors.template import build_template
from tokcore.protocols import PostProcessor, Step
from tokcore.steps import DEPTH_LIMIT, build_steps

TABLE: dict[str, Callable[[Fields], PostProcessor]] = {
    "BertProcessing": build_bert,
    "ByteLevel": build_byte_level,
    "RobertaProcessing": build_roberta,
    "TemplateProcessing": build_template,
}

# The reference knows these three by their keys alone, in this order, and does not read their "type".
SHAPES = {
    "RobertaProcessing": {"sep", "cls", "trim_offsets", "add_prefix_space"},
    "BertProcessing": {"sep", "cls"},
    "TemplateProcessing": {"single", "pair", "special_tokens"},
}


def build(value: object, pointer: str = "/post_processor") -> tuple[Step[PostProcessor], ...]:
    """The post-processing steps of a file, in order.

    >>> config = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    >>> [step.name for step in build(config)]
    ['ByteLevel']
    """
    return build_steps("post-processor", "processors", TABLE, named(value), pointer)


def named(value: Any, depth: int = 0) -> Any:
    """The component with its "type" set to what the reference takes it for.

    >>> named({"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0]})["type"]
    'BertProcessing'
    """
    if not isinstance(value, Mapping) or depth > DEPTH_LIMIT:
        return value
    if value.get("type") == "Sequence" and isinstance(value.get("processors"), list):
        return {**value, "processors": [named(child, depth + 1) for child in value["processors"]]}
    if "type" in value and value["type"] not in [*SHAPES]:
        return value
    name = next((name for name, keys in SHAPES.items() if keys <= value.keys()), None)
    return value if name is None else {**value, "type": name}
