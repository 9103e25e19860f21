"""The incremental detokenizer: whole characters at once, what is held and why, its errors, its cost."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import decoders, models, pre_tokenizers, trainers

from tests.core.decoders.test_chains import OURS, VOCAB, any_ids
from tests.core.streaming.cutting import cuts_of, emitted, is_early, parts_of
from tests.reference import added, both, bundled, byte_level_file
from tokcore import Tokenizer
from tokcore.bytemap import display_bytes
from tokcore.streaming.cuts import even, seeded
from tokcore.streaming.detokenizer import IncrementalDetokenizer, NotAnId, StreamEnded

ASTRONAUT = "a 🧑\u200d🚀 on 𝔐𝔞𝔯𝔰"
# Typographic quotes and dashes, other pictures: the first bytes of the astronaut's characters, never their last.
STORY = (
    "“On the river,” she said, “a boat waits — a boat on a river.” The moon 🌙 rose on the sea 🌊 and on a hill. "
    "“Come on,” said a voice on deck 🎏, “a man on a boat needs a friend.” A wave 🌊 on a rock, a bird 🐦 on a mast. "
) * 4
QWEN = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


@pytest.fixture(scope="module")
def trained() -> Tokenizer:
    assert not set(ASTRONAUT) & set(STORY) - set("a on")
    tokenizer = tokenizers.Tokenizer(models.BPE())
    split = pre_tokenizers.Split(tokenizers.Regex(QWEN), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=330, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([STORY], trainer)
    return Tokenizer.from_str(tokenizer.to_str())


def id_of(tokenizer: Tokenizer, data: bytes) -> int:
    id = tokenizer.token_to_id(display_bytes(data))
    assert id is not None
    return id


# ---- the astronaut

MARS = ["", "", "", "𝔐", "", "", "", "𝔞", "", "", "", "𝔯", "", "", "", "𝔰"]


def test_the_astronaut_comes_character_by_character(trained: Tokenizer) -> None:
    ids = trained.encode_ids(ASTRONAUT)
    steps = emitted(trained, ids, even(len(ids), 1))
    # The joiner between the two has no width: on paper its step looks empty.
    assert steps[:10] == ["a", " ", "", "🧑", "", "\u200d", "", "", "🚀", " on"]
    assert [step.replace("\u200d", "") for step in steps[:10]] == ["a", " ", "", "🧑", "", "", "", "", "🚀", " on"]
    assert [step for step in steps[10:] if step] == [" ", *"𝔐𝔞𝔯𝔰"]
    assert "".join(steps) == ASTRONAUT


def test_token_by_token_the_astronaut_is_replacement_characters(trained: Tokenizer) -> None:
    texts = [trained.decode([id]) for id in trained.encode_ids(ASTRONAUT)]
    assert texts[:10] == ["a", " �", "�", "�", "�", "�", "�", "�", "�", " on"]
    assert not set("🧑🚀𝔐𝔞𝔯𝔰") & set("".join(texts))


def test_every_cut_of_the_astronaut_gives_the_astronaut(trained: Tokenizer) -> None:
    for tokenizer in (trained, bundled("qwen3")):
        ids = tokenizer.encode_ids(ASTRONAUT)
        for sizes in cuts_of(len(ids), random_cuts=200):
            assert "".join(emitted(tokenizer, ids, sizes)) == ASTRONAUT


def test_qwen3_gives_the_astronaut_without_half_a_character() -> None:
    tokenizer = bundled("qwen3")
    ids = tokenizer.encode_ids(ASTRONAUT)
    steps = emitted(tokenizer, ids, even(len(ids), 1))
    assert [step for step in steps if step] == ["a", " ", "🧑", "\u200d", "🚀", " on", " ", *"𝔐𝔞𝔯𝔰"]
    assert "�" in "".join(tokenizer.decode([id]) for id in ids)


# ---- what is held, and why


@pytest.mark.parametrize("character", ["é", "€", "🚀"])
def test_held_are_the_bytes_of_the_begun_character(character: str) -> None:
    tokenizer, _ = both(byte_level_file())
    data = character.encode()
    detokenizer = IncrementalDetokenizer(tokenizer)
    for count in range(1, len(data)):
        assert detokenizer.add([id_of(tokenizer, data[count - 1 : count])]) == ""
        assert detokenizer.held == data[:count]
        assert detokenizer.reason == f"{count} of {len(data)} bytes of a character"
    assert detokenizer.add([id_of(tokenizer, data[-1:])]) == character
    assert (detokenizer.held, detokenizer.reason) == (b"", None)


def test_bytes_that_begin_no_character_are_not_held() -> None:
    tokenizer, reference = both(byte_level_file())
    for data in (b"\x80", b"\xc0", b"\xff", b"\xed\xa0", b"\xe0\x80", b"\xf4\x90", b"\xf5"):
        ids = [id_of(tokenizer, bytes([byte])) for byte in data]
        detokenizer = IncrementalDetokenizer(tokenizer)
        assert "".join(detokenizer.add([id]) for id in ids) == "�" * len(data) == reference.decode(ids)
        assert detokenizer.held == b""


def test_a_character_cut_off_by_the_end_is_one_replacement() -> None:
    tokenizer, reference = both(byte_level_file())
    ids = [id_of(tokenizer, bytes([byte])) for byte in "x🚀".encode()[:-1]]
    assert emitted(tokenizer, ids, even(4, 1)) == ["x", "", "", "", "�"]
    assert reference.decode(ids) == "x�"


def test_a_special_token_in_the_middle_of_a_character_is_passed_over_when_skipped() -> None:
    file = byte_level_file(added_tokens=[added("<s>", special=True), added("<t>", 257)])
    tokenizer, reference = both(file)
    first, second = id_of(tokenizer, b"\xc3"), id_of(tokenizer, b"\xa9")
    for ids, text, kept in (
        ([first, 256, second], "é", "�<s>�"),
        ([first, 257, second], "�<t>�", "�<t>�"),
        ([first, 999, second], "é", "é"),
    ):
        assert reference.decode(ids) == text and reference.decode(ids, skip_special_tokens=False) == kept
        for sizes in cuts_of(3):
            assert "".join(emitted(tokenizer, ids, sizes)) == text
            assert "".join(emitted(tokenizer, ids, sizes, skip=False)) == kept


def test_without_a_decoder_spaces_join_the_tokens_under_every_cut() -> None:
    ids = [VOCAB.index(token) for token in ("a", "Ġ", "b")]
    assert emitted(OURS["none"], ids, even(3, 1)) == ["a", " Ġ", " b", ""]
    assert emitted(OURS["empty sequence"], ids, even(3, 1)) == ["a", "Ġ", "b", ""]


@pytest.mark.parametrize("name", OURS)
@given(ids=any_ids, seed=st.integers(0, 999), skip=st.booleans())
@settings(max_examples=40, deadline=None)
def test_any_ids_under_any_cut_are_what_decode_gives(name: str, ids: list[int], seed: int, skip: bool) -> None:
    tokenizer = OURS[name]
    texts = {"".join(emitted(tokenizer, ids, sizes, skip)) for sizes in (even(len(ids), 1), seeded(len(ids), seed))}
    assert len(texts) == 1
    assert is_early(tokenizer, ids, skip) or texts == {tokenizer.decode(ids, skip)}


@given(ids=any_ids, skip=st.booleans())
@settings(max_examples=300, deadline=None)
def test_early_is_said_exactly_where_the_text_differs(ids: list[int], skip: bool) -> None:
    for name in ("gemma", "byte fallback alone"):
        text = "".join(emitted(OURS[name], ids, even(len(ids), 1), skip))
        whole = OURS[name].decode(ids, skip)
        assert is_early(OURS[name], ids, skip) == (text != whole)
        # Only bytes of broken runs differ; text of other tokens is all there.
        assert text.replace("�", "") != whole or "�" not in text


# ---- ids that are none


@pytest.mark.parametrize("id", [-1, -(2**70), 256, 2**31, 2**64, 2**200])
def test_an_id_outside_the_vocabulary_is_passed_over(id: int) -> None:
    tokenizer, _ = both(byte_level_file())
    detokenizer = IncrementalDetokenizer(tokenizer)
    assert detokenizer.add([id_of(tokenizer, b"a"), id, id_of(tokenizer, b"b")]) == "ab"


@pytest.mark.parametrize(
    ("ids", "where", "what"),
    [
        pytest.param([1, "2"], "ids/1", "found '2'", id="a string"),
        pytest.param("12", "ids/0", "found '1'", id="a string for a list"),
        pytest.param([0, 1, 2.0], "ids/2", "found 2.0", id="a float"),
        pytest.param([None], "ids/0", "found None", id="none"),
        pytest.param([True], "ids/0", "found True", id="true"),
        pytest.param([[1]], "ids/0", "found [1]", id="a list"),
        pytest.param(7, "ids", "found 7", id="a bare id"),
        pytest.param(["x" * 500], "ids/0", "found '" + "x" * 38 + "…", id="long"),
    ],
)
def test_what_is_no_id_is_refused_and_nothing_of_it_taken(ids: Any, where: str, what: str) -> None:
    tokenizer, _ = both(byte_level_file())
    detokenizer = IncrementalDetokenizer(tokenizer)
    with pytest.raises(NotAnId) as raised:
        detokenizer.add(ids)
    assert (raised.value.where, raised.value.what) == (where, what)
    assert (detokenizer.text, detokenizer.held, detokenizer.flush()) == ("", b"", "")


def test_numbers_that_are_not_python_s_are_ids() -> None:
    class Number:
        def __index__(self) -> int:
            return 65

    tokenizer, _ = both(byte_level_file())
    wanted = tokenizer.id_to_token(65)
    assert IncrementalDetokenizer(tokenizer).add([Number()]) == wanted  # type: ignore[list-item]


def test_after_the_flush_there_is_no_more_to_add_and_nothing_more_to_flush() -> None:
    tokenizer, _ = both(byte_level_file())
    detokenizer = IncrementalDetokenizer(tokenizer)
    detokenizer.add([id_of(tokenizer, b"\xf0")])
    assert (detokenizer.flush(), detokenizer.flush(), detokenizer.text, detokenizer.held) == ("�", "", "�", b"")
    with pytest.raises(StreamEnded, match="flushed"):
        detokenizer.add([1])


def test_looking_changes_nothing() -> None:
    tokenizer, _ = both(byte_level_file())
    ids = [id_of(tokenizer, bytes([byte])) for byte in "é🚀".encode()]
    detokenizer = IncrementalDetokenizer(tokenizer)
    for part in parts_of(ids, even(len(ids), 1)):
        detokenizer.add(part)
        looks = [(detokenizer.text, detokenizer.held, detokenizer.reason, detokenizer.early) for _ in range(3)]
        assert looks[0] == looks[1] == looks[2]
    assert detokenizer.text == "é🚀"


# ---- cost

COUNT = 100_000


def calls_of(work: Callable[[], object]) -> int:
    """How many calls, of Python's functions and of built-in ones, some work takes."""
    count = 0

    def seen(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def size_of_state(value: Any, seen: set[int]) -> int:
    """Characters, bytes and entries of everything a stream keeps, but for the text that it has emitted."""
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, list | tuple):
        return len(value) + sum(size_of_state(item, seen) for item in value)
    if type(value).__module__.startswith("tokcore.decoders.") and not hasattr(value, "decode"):
        return 1 + sum(size_of_state(item, seen) for item in vars(value).values())
    return 1


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        pytest.param("gpt-2", ["Ġthe", "ðŁ", "ļĢ", "�", "Ã"], id="bytes"),
        pytest.param("llama 2", ["▁the", "<0xC3>", "<0xA9>", "<0xE2>", "a"], id="byte fallback"),
        pytest.param("llama 2", ["<0xF0>", "<0x9F>", "<0x9A>", "<0x80>"], id="one run of bytes"),
        pytest.param("llama 2", ["<0xFF>", "<0x41>"], id="one broken run of bytes"),
        pytest.param("clip", ["the</w>", "a", "a</w>b"], id="suffixes"),
        pytest.param("fuse, strip both ends", [" ", "▁▁"], id="spaces that the end may take"),
        pytest.param("fuse, wordpiece", [" do not", " .", "'s", " 're"], id="clean-up over the whole text"),
        pytest.param("wav2vec", ["l", "l", "<pad>", "|"], id="frames"),
        pytest.param("byte fallback, metaspace", ["<0x41>", "<0xC3>", "<0xA9>"], id="a token of many stretches"),
        pytest.param("none", ["a", "the"], id="no decoder"),
    ],
)
def test_a_token_costs_the_same_at_the_hundred_thousandth_place(name: str, tokens: Sequence[str]) -> None:
    tokenizer = OURS[name]
    ids = [VOCAB.index(token) for token in tokens]
    detokenizer, endless = IncrementalDetokenizer(tokenizer), cycle(ids)

    def half() -> None:
        for id in islice(endless, COUNT // 2):
            detokenizer.add([id])

    warm_up = [detokenizer.add([id]) for id in ids * 5]
    assert "".join(warm_up) == detokenizer.text
    first, state = calls_of(half), size_of_state(detokenizer._decoding, set())
    second, later = calls_of(half), size_of_state(detokenizer._decoding, set())
    assert abs(first - second) <= 100
    # What a call works on is its token and this state: neither has grown.
    assert later <= state + 10 and state < 400
    assert len(detokenizer.text) > 1000


def test_the_file_of_the_astronaut_s_tokenizer_has_none_of_its_characters(trained: Tokenizer) -> None:
    vocab = [data.decode("utf-8", "ignore") for data in trained.vocab_bytes()]
    assert not any(set("🧑🚀𝔐𝔞𝔯𝔰\u200d") & set(text) for text in vocab)
