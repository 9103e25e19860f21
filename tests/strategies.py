"""Texts for property tests: what people paste, and what breaks tokenizers."""

from __future__ import annotations

from hypothesis import strategies as st

AWKWARD = (
    *("e\u0301", "a\u0323\u0301", "\u1100\u1161\u11a8", "각", "한국어", "Å", "ﬁ", "ǆ", "ẞß", "İi\u0307", "\u0345"),
    *("👨\u200d👩\u200d👧", "🇧🇷", "🚀", " 🚀", "❤️", "👍🏽", "\U0001f9d1\u200d🚀", "𝔐𝔞𝔯𝔰", "\U0010ffff"),
    *("\r\n", "\n\n", "\r", "\t", "\x00", "\x1c", "\x85", "\xa0", "\u2028", "\u3000", "\ufeff", "\u200b", "\u00ad"),
    *("   ", "  \n  ", "\n \n", "a  b", "…", "--", "==", "'s", "'S", "'ll", "'ſ", "can't", "I'M", "’s"),
    *("1969", "2026-09-12", "3.14159", "١٢٣", "४५६", "²", "½", "Ⅷ", "１２３", "1e10", "0x1F"),
    *(
        "def f(x):\n\treturn x",
        '{"a": [1, 2]}',
        "<b>",
        "</think>",
        "<|im_start|>",
        "<｜User｜>",
        "▁",
        "Ġ",
        "Ċ",
        "##ing",
    ),
    *("שלום", "مرحبا", "नमस्ते", "ภาษาไทย", "中文", "ひらがな", "カタカナ", "ελληνικά", "Москва", "አማርኛ", "தமிழ்"),
    *("\u0378", "\U00031350", "\U0001faea", "\ue000", "\U0010eeee", "\u0c3c", "\u1acf", "\u180f"),
)

characters = st.characters(codec="utf-8")
fragments = st.one_of(st.sampled_from(AWKWARD), st.text(characters, max_size=6), st.text("ab cde1.\n'", max_size=8))
texts = st.lists(fragments, max_size=12).map("".join)


def texts_with(*words: str) -> st.SearchStrategy[str]:
    """Texts in which these words are likely, next to anything."""
    return st.lists(st.one_of(st.sampled_from(words), fragments), max_size=12).map("".join)
