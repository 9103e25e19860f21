"""Public bug reports about streaming detokenizers, as small inputs with a right answer."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest

from tests.core.decoders.test_chains import OURS, VOCAB
from tests.core.streaming.cutting import byte_tokens, cuts_of, emitted, is_early
from tests.reference import both, byte_level_file
from tokcore.streaming.contrast import WindowDetokenizer
from tokcore.streaming.cuts import even
from tokcore.streaming.detokenizer import IncrementalDetokenizer


def ids_of(*tokens: str) -> list[int]:
    return [VOCAB.index(token) for token in tokens]


# ---- B01, vllm-project/vllm#17448: byte-fallback output is not prefix-stable

RUNS = {
    "one bad byte": (("<0x41>", "<0xFF>", "b"), ["A", "�", "b", ""], "A�b", "��b", True),
    "a character too much begun": (
        ("<0xF0>", "<0x9F>", "<0x91>", "<0x8D>", "<0xE2>", "b"),
        *(["", "", "", "👍", "", "�b", ""], "👍�b", "�����b", True),
    ),
    "bad from the start": (("<0xFF>", "<0x41>", "b"), ["�", "�", "b", ""], "��b", "��b", False),
    "begun and dropped": (("<0xE2>", "<0x82>", "b"), ["", "", "��b", ""], "��b", "��b", False),
    "cut off": (("a", "<0xE2>", "<0x82>"), ["a", "", "", "��"], "a��", "a��", False),
    "bad in the middle": (
        ("<0x41>", "<0xE2>", "<0x43>", "<0x44>", "b", "<0x45>"),
        *(["A", "", "��", "�", "b", "E", ""], "A���bE", "����bE", True),
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_broken_run_of_bytes_never_takes_anything_back(name: str) -> None:
    tokens, steps, text, whole, early = RUNS[name]
    tokenizer, ids = OURS["gemma"], ids_of(*tokens)
    assert emitted(tokenizer, ids, even(len(ids), 1)) == steps
    assert {"".join(emitted(tokenizer, ids, sizes)) for sizes in cuts_of(len(ids))} == {text}
    assert (tokenizer.decode(ids), is_early(tokenizer, ids)) == (whole, early)


def test_the_reference_s_growing_prefixes_are_not_stable_and_ours_are() -> None:
    tokenizer = OURS["gemma"]
    ids = ids_of("<0xF0>", "<0x9F>", "<0x91>", "<0x8D>", "<0xE2>", "b")
    assert [tokenizer.decode(ids[:end]) for end in range(1, 7)] == ["�", "��", "���", "👍", "�����", "�����b"]
    ours = list(accumulate(emitted(tokenizer, ids, even(6, 1))))
    assert all(later.startswith(earlier) for earlier, later in pairwise(ours))


def test_a_run_of_whole_characters_is_not_early() -> None:
    ids = ids_of(*(f"<0x{byte:02X}>" for byte in "naïve 🚀".encode()), "b")
    assert "".join(emitted(OURS["gemma"], ids, even(len(ids), 1))) == "naïve 🚀b" == OURS["gemma"].decode(ids)
    assert not is_early(OURS["gemma"], ids)


# ---- B03, sgl-project/sglang#31598: what was sent moves backwards


def test_an_undecided_character_never_moves_the_sent_text_backwards() -> None:
    # 世 whole, then the first byte of another that an "a" replaces, then "b".
    tokenizer, ids = byte_tokens(b"A ", "世".encode(), b"\xe4", b"a", b"b")
    assert emitted(tokenizer, ids, even(5, 1)) == ["A ", "世", "", "�a", "b", ""]
    for sizes in cuts_of(5):
        grown = list(accumulate(emitted(tokenizer, ids, sizes)))
        assert grown[-1] == tokenizer.decode(ids) == "A 世�ab"
        assert all(later.startswith(earlier) for earlier, later in pairwise(grown))


def test_a_character_in_two_tokens_is_not_sent_twice() -> None:
    tokenizer, ids = byte_tokens(b"A ", "世".encode(), b"\xe7\x95", b"\x8c", b"b")
    for sizes in cuts_of(5):
        assert "".join(emitted(tokenizer, ids, sizes)) == "A 世界b"


# ---- B04, sgl-project/sglang#34852: U+FFFD that is text


def test_a_thousand_real_replacement_characters_arrive_at_once_each() -> None:
    tokenizer, (id,) = byte_tokens(b"\xef\xbf\xbd")
    detokenizer = IncrementalDetokenizer(tokenizer)
    for _ in range(1000):
        assert (detokenizer.add([id]), detokenizer.held) == ("�", b"")
    assert (detokenizer.flush(), detokenizer.text) == ("", "�" * 1000)
    window = WindowDetokenizer(tokenizer)
    assert {window.add([id]) for _ in range(50)} == {""}


def test_a_replacement_character_in_a_text_is_text() -> None:
    tokenizer, ids = byte_tokens(b"bad", b":", b"\xef\xbf", b"\xbd", b".")
    assert emitted(tokenizer, ids, even(5, 1)) == ["bad", ":", "", "�", ".", ""]


def test_replacement_characters_of_byte_fallback_arrive_too() -> None:
    ids = ids_of("a", "<0xEF>", "<0xBF>", "<0xBD>", "<0xEF>", "<0xBF>", "<0xBD>", "�", "b")
    assert emitted(OURS["gemma"], ids, even(9, 1)) == ["a", "", "", "�", "", "", "�", "�", "b", ""]
    assert not is_early(OURS["gemma"], ids)


# ---- B06, ml-explore/mlx-lm#1754; B07, huggingface/tokenizers#1141: spaces


@pytest.mark.parametrize(
    ("name", "tokens", "steps"),
    [
        pytest.param("gpt-2", ["Ġ", "the"], [" ", "the", ""], id="a byte-level space is real"),
        pytest.param("llama 2", ["▁", "▁the", "▁é"], ["", " the", " é", ""], id="one space stripped, once"),
        pytest.param("llama 2", ["▁the", "▁é", "!"], ["the", " é", "!", ""], id="words keep their spaces"),
        pytest.param("llama 2", ["a", "▁▁", "▁▁", "b"], ["a", "  ", "  ", "b", ""], id="a run of spaces"),
        pytest.param("llama 2", ["<0x20>", "<0x20>", "a"], ["", " ", "a", ""], id="a space spelled by its byte"),
        pytest.param("t5", ["▁the", "▁é"], ["the", " é", ""], id="metaspace"),
    ],
)
def test_spaces_are_stripped_once_a_stream(name: str, tokens: list[str], steps: list[str]) -> None:
    tokenizer, ids = OURS[name], ids_of(*tokens)
    assert emitted(tokenizer, ids, even(len(ids), 1)) == steps
    for sizes in cuts_of(len(ids)):
        assert "".join(emitted(tokenizer, ids, sizes)) == tokenizer.decode(ids)


def test_a_leading_space_of_a_byte_level_word_is_kept() -> None:
    tokenizer, reference = both(byte_level_file(["h i", "Ġ hi"]))
    id = tokenizer.token_to_id("Ġhi")
    assert id is not None
    assert emitted(tokenizer, [id], (1,)) == [" hi", ""]
    assert reference.decode([id]) == " hi"
