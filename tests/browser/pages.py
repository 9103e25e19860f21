"""What the browser tests ask of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

OpenPage = Callable[..., Page]

# A tokenizer of BERT's kind, small: tokens around the text, filled up to eight.
TINY_BERT: dict[str, Any] = {
    "version": "1.0",
    "added_tokens": [
        {"id": id, "content": name, "special": True, "normalized": False, "lstrip": False, "rstrip": False}
        | {"single_word": False}
        for id, name in enumerate(("[PAD]", "[UNK]", "[CLS]", "[SEP]"))
    ],
    "normalizer": {
        "type": "BertNormalizer",
        **{"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
    },
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
    "model": {
        **{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##"},
        "max_input_chars_per_word": 100,
        "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "un": 4, "##belie": 5, "##vable": 6, "so": 7},
    },
    "padding": {
        **{"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": None},
        **{"pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
    },
}


def chips(page: Page) -> Locator:
    return page.locator("#chips").get_by_role("option")


def tokens_are(page: Page, count: int) -> None:
    """Waits until the page says that there are so many tokens."""
    expect(page.locator(".count.first dd")).to_have_text(f"{count:,}")
