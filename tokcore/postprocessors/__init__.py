"""Post-processors by their name in the file."""

from __future__ import annotations

from collections.abc import Callable

from tokcore.fields import Fields
from tokcore.postprocessors.bert import build_bert
from tokcore.postprocessors.byte_level import build_byte_level
from tokcore.postprocessors.roberta import build_roberta
from tokcore.postprocessors.template import build_template
from tokcore.protocols import PostProcessor, Step
from tokcore.steps import Guesses, build_steps

TABLE: dict[str, Callable[[Fields], PostProcessor]] = {
    "BertProcessing": build_bert,
    "ByteLevel": build_byte_level,
    "RobertaProcessing": build_roberta,
    "TemplateProcessing": build_template,
}

# The reference does not go by the name: it takes the first of these that the keys fit.
GUESSES = Guesses(
    order=("RobertaProcessing", "BertProcessing", "ByteLevel", "TemplateProcessing", "Sequence"),
    undecided=(*TABLE, "Sequence"),
    only_named=("ByteLevel", "Sequence"),
)


def build(value: object, pointer: str = "/post_processor") -> tuple[Step[PostProcessor], ...]:
    """The post-processing steps of a file, in order.

    >>> config = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    >>> [step.name for step in build(config)]
    ['ByteLevel']
    >>> build({"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0]})[0].name
    'BertProcessing'
    """
    return build_steps("post-processor", "processors", TABLE, value, pointer, GUESSES)
