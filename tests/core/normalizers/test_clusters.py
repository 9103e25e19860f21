"""Which characters form a short grapheme cluster, told by Precompiled beside the reference."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.normalizers.normalizer_reference import (
    charsmap,
    differing,
    precompiled,
    reference_text,
    rewritten,
    scalar_values,
)
from tokcore.unicode_data import graphemes

ACUTE = "\u0301"
EVERY_BYTE = precompiled(charsmap({bytes([byte]): "X" for byte in range(1, 256)}))
JOINING = f"a é\r\n{ACUTE}\u0903\u200d\u200c\u0600\u06dd\U000110bd©®🚀\U0001f1e6\x01\u200b\xad" + (
    "가각\u1100\u1161\u11a8\u0915\u094d\u09bc"
)
# A text below six bytes is one X only if it is one cluster, a longer one as many as it has characters.
CONTEXTS = (
    *("a{}", "{}a", f"{{}}{ACUTE}", "\r{}", "{}\n", "\u0600{}", "\u0600\u0600{}", f"©\u200d{{}}{ACUTE}", "\u0600가{}"),
    *(f"©{{}}\u200d®{ACUTE}", f"\u0915\u094d{{}}{ACUTE}", f"{{}}\u094d\u0915{ACUTE}", f"\u0915{{}}\u0915{ACUTE}"),
    *("\u0600\u1100{}", "\u0600각{}", f"\u1161{{}}{ACUTE}", f"\u11a8{{}}{ACUTE}"),
)


@cache
def borders() -> tuple[str, ...]:
    """The first and last characters of the table's ranges, and those beside them."""
    tables = "".join(text for text in vars(graphemes).values() if isinstance(text, str) and text[:1] != "W")
    codes = {ord(border) + by for border in set(tables) for by in (-1, 0, 1)}
    return tuple(chr(code) for code in sorted(codes) if 0 <= code < 0xD800 or 0xE000 <= code < 0x110000)


@pytest.mark.parametrize("context", CONTEXTS, ids=ascii)
def test_the_characters_at_the_borders_of_the_table_join_as_in_the_reference(context: str) -> None:
    assert differing([context.format(character) for character in borders()], EVERY_BYTE) == ""


def test_every_character_joins_the_next_as_in_the_reference() -> None:
    text = "".join(map("a{}".format, scalar_values()))
    assert rewritten(text, EVERY_BYTE) == reference_text(text, EVERY_BYTE)


@settings(deadline=None)
@given(text=st.text(st.sampled_from(JOINING), max_size=12))
def test_clusters_of_any_text(text: str) -> None:
    assert differing([text], EVERY_BYTE) == ""


def test_clusters_of_many_short_texts() -> None:
    choice = random.Random(5)
    assert differing(["".join(choice.choices(JOINING, k=choice.randrange(9))) for _ in range(4000)], EVERY_BYTE) == ""


def test_long_runs_take_no_quadratic_time() -> None:
    for run in ("\u094d", "\u0600", "\u1100", "©\u200d", ACUTE, "\u0915\u094d"):
        text = "\u0915" + run * 40_000 + f" a{ACUTE}"
        assert rewritten(text, precompiled(charsmap({f"a{ACUTE}".encode(): "á"}))) == text[:-2] + "á"
