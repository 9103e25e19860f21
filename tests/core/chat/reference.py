"""The reference for chat templates: apply_chat_template of transformers, with its clock stopped."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any
from unittest.mock import patch

import pytest
import tokenizers

NOW = datetime(2031, 2, 3, 4, 5, 6)
REFUSED = "refused"


class StoppedClock(datetime):
    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        return NOW


@cache
def reference_tokenizer() -> Any:
    transformers = pytest.importorskip("transformers")
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizers.Tokenizer(tokenizers.models.BPE()))


def reference_render(template: Any, messages: Any, tools: Any = None, **options: Any) -> str:
    """What transformers renders, REFUSED where it raises whatever error."""
    tokenizer = reference_tokenizer()
    with patch("transformers.utils.chat_template_utils.datetime", StoppedClock):
        try:
            text = tokenizer.apply_chat_template(
                messages, chat_template=template, tools=tools, tokenize=False, **options
            )
        except Exception:
            return REFUSED
    assert isinstance(text, str)
    return text
