"""ByteFallback decoder: a run of byte tokens is text as a whole, or one replacement a byte."""

from __future__ import annotations

import pytest

from tokcore.decoders import build
from tokcore.decoders.byte_fallback import ByteFallback, byte_of


@pytest.mark.parametrize(
    ("tokens", "decoded"),
    [
        pytest.param(["<0x61>"], ["a"], id="one byte"),
        pytest.param(["<0xE5>", "<0x8f>", "<0xab>", "a"], ["叫", "a"], id="a character, either case of letters"),
        pytest.param(["<0x41>", "<0xFF>", "b"], ["\ufffd", "\ufffd", "b"], id="one bad byte spoils its run"),
        pytest.param(["<0xF0>", "<0x9F>", "<0x91>", "<0x8D>"], ["👍"], id="four bytes"),
        pytest.param(["<0xF0>", "<0x9F>", "<0x91>", "<0x8D>", "<0xE2>", "b"], ["\ufffd"] * 5 + ["b"], id="too long"),
        pytest.param(["<0xC3>", "", "<0xA9>"], ["\ufffd", "", "\ufffd"], id="an empty token ends a run"),
        pytest.param(["<0x00>", "<0x7F>"], ["\x00\x7f"], id="controls"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_tokens_become_text(tokens: list[str], decoded: list[str]) -> None:
    assert ByteFallback().decode(tokens) == decoded


@pytest.mark.parametrize(
    "spelled", ["<0x 5>", "<0x-5>", "<0x5>", "<0x0_5>", "<0X41>", "<0x4G>", "<0xé>", "<0x٣٣>", "<0x41> "]
)
def test_other_spellings_are_text(spelled: str) -> None:
    assert byte_of(spelled) is None


def test_a_plus_sign_is_a_digit_of_the_reference() -> None:
    assert byte_of("<0x+A>") == 10


def test_growing_prefixes_are_not_stable() -> None:
    tokens = ["<0xF0>", "<0x9F>", "<0x91>", "<0x8D>", "<0xE2>", "b"]
    texts = ["".join(ByteFallback().decode(tokens[:end])) for end in range(1, 7)]
    assert texts == ["\ufffd", "\ufffd" * 2, "\ufffd" * 3, "👍", "\ufffd" * 5, "\ufffd" * 5 + "b"]


def test_it_has_no_options() -> None:
    (step,) = build({"type": "ByteFallback", "anything": 1})
    assert step.component == ByteFallback()
