"""Streaming forms of decoders: what comes out stretch by stretch is what `decode` makes of the whole list."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from os.path import commonprefix
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.core.decoders.test_chains import (
    BPE_DECODER,
    BYTE_FALLBACK,
    BYTE_LEVEL,
    CHAINS,
    CTC,
    FUSE,
    SPACED,
    WORDPIECE,
    metaspace,
    replace,
    sequence,
    strip,
)
from tokcore.decoders import build
from tokcore.decoders.bounds import longest_match
from tokcore.decoders.chain import Decoding
from tokcore.decoders.rewriters import Literal
from tokcore.decoders.utf8 import Utf8Reader
from tokcore.patterns.parse import parse

STEPS = (
    *(BYTE_LEVEL, BYTE_FALLBACK, FUSE, FUSE, SPACED, metaspace(), metaspace("never")),
    *(WORDPIECE, {**WORDPIECE, "cleanup": False}, {**WORDPIECE, "prefix": ""}, {**WORDPIECE, "prefix": "aba"}),
    *(BPE_DECODER, {"type": "BPEDecoder", "suffix": ""}, {"type": "BPEDecoder", "suffix": "aba"}),
    *(CTC, {**CTC, "word_delimiter_token": "", "pad_token": ""}, {**CTC, "cleanup": False}),
    *(strip(" ", 1, 0), strip("a", 0, 2), strip("a", 1, 1), strip("a", 2, 2**63)),
    *(replace("ab", String="aab"), replace("", String="b"), replace("-", String=""), replace("x", Regex="a|b")),
    *(replace("yy", Regex="a[ab]{1,2}|ba"), replace("~", Regex="a*"), replace("_", Regex=r"\s+|b(?=a)")),
)
TOKENS = (
    *("a", "b", "aa", "ab", "ba", "aba", "▁a", "a▁", "▁", " ", "a b", "", "##a", "##", "#", "a</w>", "</w>b", "</w>"),
    *("<pad>", "|", "a|", "<0x41>", "<0xC3>", "<0xA9>", "<0xE2>", "<0x61>", "<0x", "<", "Ġ", "Ã", "©", "é", "�"),
    *(" do not", " do", " not", "do", "n't", ".", " .", " '"),
)


def decoded(steps: Sequence[Any], tokens: Sequence[str]) -> str:
    for step in steps:
        tokens = step.component.decode(tokens)
    return "".join(tokens)


def stream_of(steps: Sequence[Any], tokens: Sequence[str]) -> Decoding:
    return Decoding([step.component for step in steps], "", lambda index: tokens[index])


@given(chain=st.lists(st.sampled_from(STEPS), max_size=5), tokens=st.lists(st.sampled_from(TOKENS), max_size=9))
@settings(max_examples=3000, deadline=None)
def test_any_chain_streams_to_what_it_decodes(chain: list[Any], tokens: list[str]) -> None:
    steps = build(sequence(*chain))
    stream = stream_of(steps, tokens)
    text = ""
    for index in range(len(tokens)):
        text += stream.feed([index])
        assert (stream.reason is None) == (not stream.held)
    text += stream.finish()
    assert stream.early or text == decoded(steps, tokens)


# Where more is held than a search of all continuations would: both texts that may come begin alike (a replacement like
# what it replaces, a space either way), patterns without a bound, twice displayed bytes.
HOLD_MORE = (
    *("bpe, metaspace, wordpiece", "fuse, ctc", "fuse, wordpiece", "fuse, regex replace", "empty suffix"),
    "byte level, byte level",
)
NEXT = ("a", "b", "ab", "▁a", " ", "##a", "#", "a</w>", "</w>b", "<pad>", "|", "<0x41>", "<0xA9>", "Ġ", "©", "é", ".")


@pytest.mark.parametrize("name", [name for name, value in CHAINS.items() if value and name not in HOLD_MORE])
@given(tokens=st.lists(st.sampled_from(("▁", "<0xC3>", "<0xE2>", "Ã", "H", *NEXT)), max_size=6))
@settings(max_examples=15, deadline=None)
def test_nothing_is_held_that_is_the_same_under_every_continuation(name: str, tokens: list[str]) -> None:
    steps = build(CHAINS[name])
    stream = stream_of(steps, tokens)
    text = stream.feed(range(len(tokens)))
    # Between others, a run of bytes may still break and take back what has left: there `early` says so.
    goes_on = itertools.chain([()], itertools.product(NEXT, repeat=1), itertools.product(NEXT, repeat=2))
    everywhere = commonprefix([decoded(steps, [*tokens, *more]) for more in goes_on])  # noqa: RUF071
    assert len(text) >= len(everywhere)


@pytest.mark.parametrize(
    ("decoder", "tokens", "texts", "reason"),
    [
        pytest.param(
            *(BPE_DECODER, ["lo", "w</w>", "er</w>"], ["lo", "w", " er", ""]),
            "`</w>` is a space if another token follows",
            id="a suffix waits for the next token",
        ),
        pytest.param(BPE_DECODER, ["a</w>b</w>"], ["a", "b"], "`</w>` is a space if another token follows", id="two"),
        pytest.param(
            sequence(FUSE, BPE_DECODER), ["w</w>", "a</", "w"], ["w", "a", "", "</w"], "`</w` may become `</w>`",
            id="after Fuse only what may become a suffix",
        ),
        pytest.param(
            sequence(FUSE, strip(" ", 1, 1)), ["  a ", " ", "b "], [" a", " ", " b", ""],
            "up to 1 of ' ' are taken off the end", id="the end of the text",
        ),
        pytest.param(
            sequence(FUSE, replace("-", String="aab")), ["aa", "a", "b", "aa"], ["", "a", "-", "", "aa"],
            "`aa` may become `aab`", id="the longest tail that begins a match",
        ),
        pytest.param(
            sequence(FUSE, replace("-", Regex="[ab]")), ["xa", "b"], ["x-", "-", ""], None,
            id="a class of characters holds nothing",
        ),
        pytest.param(
            sequence(FUSE, replace("-", Regex="ab?c")), ["xa", "bc", "a"], ["", "x-", "", "a"],
            "`a` may begin a match of `ab?c`", id="a match of three characters at most",
        ),
        pytest.param(
            sequence(FUSE, replace("-", Regex="b+")), ["xb", "b", "a"], ["", "", "", "x-a"],
            "a match of the pattern to replace may reach to the end", id="a match without a bound",
        ),
        pytest.param(
            sequence(FUSE, WORDPIECE), ["I do", " not", " ."], ["I", " don't", ".", ""], None,
            id="clean-up across tokens after Fuse",
        ),
        pytest.param(WORDPIECE, ["I", "do", "##n't", "."], ["I", " do", "n't", ".", ""], None, id="per token"),
        pytest.param(CTC, ["h", "h", "<pad>", "h", "|", "|"], ["h", "", "", "h", " ", "", ""], None, id="repetitions"),
        pytest.param(
            sequence(BYTE_FALLBACK, CTC), ["<0x61>", "<0x62>", "x", "<0x61>", "<0x62>"], ["a", "b", "x", "a", "b", ""],
            None, id="a token in stretches that repeats none",
        ),
        pytest.param(
            sequence(BYTE_LEVEL, CTC), ["ab|", "|<pa", "d>"], ["ab ", " ", "", ""], None, id="CTC over joined bytes"
        ),
        pytest.param(
            sequence(FUSE, BYTE_FALLBACK), ["<0x", "41", ">"], ["", "", "", "A"], "`<0x41>` may spell a byte",
            id="a byte spelled by the whole text",
        ),
        pytest.param(
            sequence(FUSE, BYTE_LEVEL), ["aÃ", "©", "▁", "Ġ"], ["a", "", "Ã©▁", "Ġ", ""], None,
            id="display characters wait for one that is none",
        ),
        pytest.param(
            sequence(BYTE_FALLBACK, WORDPIECE), ["a", "<0x23>", "<0x23>", "<0x61>", "b"], ["a", "", "", "a", " b", ""],
            None, id="a prefix in a run of bytes",
        ),
        pytest.param(
            sequence(BYTE_FALLBACK, strip("a", 0, 1)), ["<0x61>", "<0x61>", "b"], ["", "a", "b", ""], None,
            id="the end of a run of bytes",
        ),
    ],
)  # fmt: skip
def test_text_leaves_with_the_token_that_settles_it(
    decoder: Any, tokens: list[str], texts: list[str], reason: str | None
) -> None:
    stream = stream_of(build(decoder), tokens)
    found = [stream.feed([index]) for index in range(len(tokens))]
    assert stream.reason == reason
    assert [*found, stream.finish()] == texts
    assert "".join(texts) == decoded(build(decoder), tokens)


@given(old=st.text("ab", min_size=1, max_size=8), text=st.text("ab", max_size=40), size=st.integers(1, 5))
@settings(max_examples=1500, deadline=None)
@example(old="aabaaa", text="aabaabaaab", size=1)
def test_a_text_is_replaced_in_stretches_as_in_the_whole(old: str, text: str, size: int) -> None:
    literal = Literal(old, "-")
    done = ""
    for at in range(0, len(text), size):
        done += literal.feed(text[at : at + size])
        rest = text[: at + size].replace(old, "-").rpartition("-")[2]
        tails = [rest[len(rest) - length :] for length in range(min(len(rest), len(old) - 1) + 1)]
        assert literal.held == max((tail for tail in tails if old.startswith(tail)), key=len)
    assert done + literal.finish() == text.replace(old, "-")


def test_a_token_in_stretches_that_repeats_the_one_before_is_dropped() -> None:
    steps = build(sequence(BYTE_FALLBACK, CTC))
    tokens = ["ab", "<0x61>", "<0x62>", "abc", "<0x61>", "<0x62>", "x"]
    stream = stream_of(steps, tokens)
    found = []
    for index in range(len(tokens)):
        found.append(stream.feed([index]))
        if index == 1:
            assert (stream.held, stream.reason) == (b"a", "`a` may repeat the token before")
    assert found == ["ab", "", "", "abc", "", "", "abx"]
    assert decoded(steps, tokens) == "ababcabx"


LEADS = (0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE2, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5)


def begins_a_character(data: bytes) -> bool:
    """By trying: some continuation bytes make it one."""
    endings = itertools.chain(*(itertools.product((0x80, 0xBF), repeat=count) for count in (1, 2, 3)))
    for more in map(bytes, endings):
        try:
            if len((data + more).decode()) == 1:
                return True
        except UnicodeDecodeError:
            continue
    return False


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_utf8_in_stretches_is_the_whole_decoded_and_holds_just_what_begins_a_character(length: int) -> None:
    values = LEADS if length < 5 else (0x41, 0x80, 0xA0, 0xBF, 0xC2, 0xE2, 0xED, 0xF0)
    for data in map(bytes, itertools.product(values, repeat=length)):
        reader = Utf8Reader()
        text = "".join(reader.feed(data[at : at + 1]) for at in range(length))
        assert reader.held == begun_tail(data)
        together = Utf8Reader()
        assert (together.feed(data), together.held) == (text, reader.held)
        assert text + reader.finish() == data.decode("utf-8", "replace")


def begun_tail(data: bytes) -> bytes:
    return max((data[-n:] for n in (1, 2, 3) if n <= len(data) and begins_a_character(data[-n:])), key=len, default=b"")


@pytest.mark.parametrize(
    ("pattern", "length"),
    [
        pytest.param("abc", 3, id="letters"),
        pytest.param("[ab]", 1, id="a class"),
        pytest.param("a|bcd|", 3, id="the longest branch"),
        pytest.param("(?:ab?){3}", 6, id="repeated"),
        pytest.param("(?>ab)++", None, id="without end"),
        pytest.param("a{2,}", None, id="no upper limit"),
        pytest.param("a(?=b)", None, id="look-ahead"),
        pytest.param("(?<!a)b", None, id="look-behind"),
        pytest.param("^a", None, id="anchor"),
        pytest.param(r"a\b", None, id="word edge"),
        pytest.param(r"(a)\1", None, id="reference"),
        pytest.param("(?i)ss", None, id="case ignored"),
        pytest.param("a{101}", None, id="too long"),
    ],
)
def test_the_longest_match_of_a_pattern(pattern: str, length: int | None) -> None:
    assert longest_match(parse(pattern, "")) == length
