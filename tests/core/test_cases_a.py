"""Faults reported in public against other tokenizers, as small inputs: the right answer, and the reference's."""

from __future__ import annotations

import string
from dataclasses import replace
from typing import Any

import pytest
import tokenizers

from tests.reference import added, assert_same, both, byte_level_file
from tokcore import TokcoreError, Tokenizer
from tokcore.models.merges import MergeRules
from tokcore.parity import compare

Pair = tuple[Tokenizer, tokenizers.Tokenizer]
METASPACE = {"type": "Metaspace", "replacement": "▁", "split": True}


def bpe(
    vocab: list[str] | str,
    merges: list[str] | None = None,
    *,
    added_tokens: list[dict[str, Any]] | None = None,
    components: dict[str, Any] | None = None,
    **model: Any,
) -> Pair:
    """A BPE whose ids are the places in `vocab`."""
    ids = {token: id for id, token in enumerate(vocab)}
    file = {"version": "1.0", "added_tokens": added_tokens or [], **(components or {})}
    return both({**file, "model": {"type": "BPE", "vocab": ids, "merges": merges or [], **model}})


def check(pair: Pair, text: str, tokens: list[str], offsets: list[tuple[int, int]] | None = None) -> None:
    """The stated answer is tokcore's, and tokcore's is the reference's in every respect."""
    ours, theirs = pair
    encoding = ours.encode(text, add_special_tokens=False)
    assert encoding.tokens == tokens
    assert offsets is None or encoding.offsets == offsets
    assert_same(ours, theirs, text)
    assert compare(ours, theirs, [text]).equal


def test_a01_white_space_between_two_stripping_tokens_goes_to_the_first() -> None:
    tokens = [added(name, id, lstrip=True, rstrip=True, special=True) for id, name in enumerate(("<|a|>", "<|b|>"), 1)]
    check(bpe("x", added_tokens=tokens), "  <|a|> <|b|> ", ["  <|a|> ", "<|b|> "], [(0, 8), (8, 14)])


def test_a02_single_word_is_blocked_by_word_characters_only() -> None:
    text = "cat concat cat's cats _cat cat"
    ours, theirs = bpe(string.ascii_lowercase + " '_", added_tokens=[added("cat", 29, single_word=True)])
    encoding = ours.encode(text)
    found = [offset for id, offset in zip(encoding.ids, encoding.offsets, strict=True) if id == 29]
    assert found == [(0, 3), (11, 14), (27, 30)]
    assert_same(ours, theirs, text)


def test_a02_the_search_goes_on_behind_a_refused_match() -> None:
    tokens = [added("ab", 3, single_word=True), added("a", 0)]
    check(bpe("abc", added_tokens=tokens), "abc", ["a", "b", "c"])
    ours, _ = bpe("xbc", added_tokens=[added("ab", 3, single_word=True), added("a", 4)])
    assert ours.encode("abc").ids == [1, 2]


def test_a04_a_token_that_is_neither_special_nor_normalized_is_still_one_token() -> None:
    pair = bpe("<thinkhi>", added_tokens=[added("<think>", 9)])
    check(pair, "<think>hi", ["<think>", "h", "i"], [(0, 7), (7, 8), (8, 9)])
    assert pair[0].encode("<think>hi", split_special_tokens=True).tokens == ["<think>", "h", "i"]


@pytest.mark.parametrize(("normalized", "found"), [(True, [(0, 3), (4, 7)]), (False, [])])
def test_a05_a_normalized_token_is_sought_in_normalized_text(normalized: bool, found: list[tuple[int, int]]) -> None:
    vocab = string.ascii_letters + " "
    ours, theirs = bpe(
        vocab, added_tokens=[added("Yes", 53, normalized=normalized)], components={"normalizer": {"type": "Lowercase"}}
    )
    encoding = ours.encode("YES yes")
    assert [offset for id, offset in zip(encoding.ids, encoding.offsets, strict=True) if id == 53] == found
    assert_same(ours, theirs, "YES yes")
    assert_same(ours, theirs, "Yes YES")


def test_a05_text_that_the_normalizer_makes_is_no_special_token() -> None:
    newline = {"type": "Replace", "pattern": {"String": "\n"}, "content": "<nl>"}
    pair = bpe("ab<nl>", added_tokens=[added("<nl>", 6, special=True)], components={"normalizer": newline})
    check(pair, "a\nb", ["a", "<", "n", "l", ">", "b"], [(0, 1), *[(1, 2)] * 4, (2, 3)])
    check(pair, "a<nl>b", ["a", "<nl>", "b"])


@pytest.mark.parametrize("whole", [True, False])
def test_a07_ignore_merges_takes_a_word_of_the_vocabulary_whole(whole: bool) -> None:
    file = byte_level_file(pre_tokenizer={"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True})
    vocab = file["model"]["vocab"]
    file["model"] |= {"vocab": {**vocab, "are": 256, "Ġyou": 257}, "ignore_merges": whole}
    words, characters = (["are", "Ġyou"], [(0, 3), (3, 7)]), (list("areĠyou"), [(at, at + 1) for at in range(7)])
    check(both(file), "are you", *(words if whole else characters))


def test_a09_the_lowest_rank_goes_first_and_the_leftmost_of_equals() -> None:
    check(bpe(["a", "b", "c", "ab", "bc"], ["b c", "a b"]), "abc", ["a", "bc"])
    check(bpe(["a", "aa"], ["a a"]), "aaa", ["aa", "a"])


class CountingRules(MergeRules):
    """Rules that count how often they are asked: the work of merging, whatever the machine is doing."""

    asked = 0

    def __getitem__(self, key: int) -> int:
        self.asked += 1
        return super().__getitem__(key)


def doubling(pair: Pair, text: str) -> float:
    """How many times more look-ups a text takes than its first half."""

    def asked(length: int) -> int:
        model = pair[0].model.component
        rules = CountingRules(model.rules.all_rules())
        replace(model, rules=rules).merged(text[:length])
        return rules.asked

    return asked(len(text)) / asked(len(text) // 2)


def doubled(letter: str, most: int = 12) -> tuple[list[str], list[str]]:
    """Merges that double a letter again and again, and what they make."""
    runs = [letter * 2**power for power in range(most)]
    return runs, [f"{run} {run}" for run in runs[:-1]]


@pytest.mark.parametrize(("letter", "count"), [("a", 200_000), ("_", 50_000), ("漢", 50_000)])
def test_a10_a_long_run_of_one_character_takes_time_in_proportion(letter: str, count: int) -> None:
    vocab, merges = doubled(letter)
    pair = bpe(vocab, merges)
    check(pair, letter * 2047, vocab[-2::-1])
    assert pair[0].encode_ids(letter * 4096) == [11, 11]
    assert doubling(pair, letter * count) < 2.5


def test_a10_a_schema_without_spaces_is_one_piece_and_takes_time_in_proportion() -> None:
    schema = ",".join(f'{{"name":"get_item_{number}","type":"string","minLength":{number}}}' for number in range(220))
    merges = ["n a", "na m", "nam e", "t y", "ty p", "typ e", "s t", "st r", '" :', '": "', "m i", "mi n", "_ i"]
    vocab = sorted(set(schema) | {"▁"}) + [merge.replace(" ", "") for merge in merges]
    spaces = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    pair = bpe(vocab, merges, components={"normalizer": spaces})
    assert len(schema) > 11_000
    assert_same(*pair, schema[:2000])
    assert_same(*pair, schema)
    assert doubling(pair, schema * 4) < 2.5


@pytest.mark.parametrize(
    ("fuse", "tokens", "offsets"),
    [
        (False, ["<unk>", "<unk>", "a"], [(0, 1), (1, 2), (2, 3)]),
        (True, ["<unk>", "a"], [(0, 2), (2, 3)]),
    ],
)
def test_a12_fuse_unk_joins_unknown_characters(fuse: bool, tokens: list[str], offsets: list[tuple[int, int]]) -> None:
    check(bpe(["<unk>", "a"], unk_token="<unk>", fuse_unk=fuse), "xya", tokens, offsets)


BYTE_TOKENS = [f"<0x{value:02X}>" for value in range(256)]


def test_a13_byte_fallback_spells_the_bytes_of_an_unknown_character() -> None:
    pair = bpe(["<unk>", *BYTE_TOKENS], unk_token="<unk>", byte_fallback=True)
    check(pair, "é", ["<0xC3>", "<0xA9>"], [(0, 1), (0, 1)])


@pytest.mark.parametrize(("unknown", "tokens"), [("<unk>", ["<unk>"]), (None, [])])
def test_a13_with_one_byte_missing_none_is_used(unknown: str | None, tokens: list[str]) -> None:
    vocab = ["<unk>", *(token for token in BYTE_TOKENS if token != "<0xA9>")]
    check(bpe(vocab, unk_token=unknown, byte_fallback=True), "é", tokens)


def test_a13_without_the_flag_there_is_no_byte_fallback() -> None:
    check(bpe(["<unk>", *BYTE_TOKENS], unk_token="<unk>"), "é", ["<unk>"])


@pytest.mark.parametrize(
    ("scheme", "tokens"),
    [
        ("always", ["▁Hey", "▁", "<s>", "▁you", "▁me"]),
        ("first", ["▁Hey", "▁", "<s>", "you", "▁me"]),
        ("never", ["Hey", "▁", "<s>", "you", "▁me"]),
    ],
)
def test_a16_the_prepend_scheme_says_where_a_space_is_put(scheme: str, tokens: list[str]) -> None:
    words = {token: id for id, token in enumerate(["?", "▁Hey", "Hey", "▁", "▁you", "you", "▁me", "<s>"])}
    pair = both(
        {
            "version": "1.0",
            "added_tokens": [added("<s>", 7, special=True)],
            "pre_tokenizer": {**METASPACE, "prepend_scheme": scheme},
            "decoder": {**METASPACE, "prepend_scheme": scheme},
            "model": {"type": "WordLevel", "vocab": words, "unk_token": "?"},
        }
    )
    check(pair, "Hey <s>you me", tokens)
    assert pair[0].encode("<s>you").tokens == ["<s>", "▁you" if scheme == "always" else "you"]
    check(pair, "<s>you", pair[0].encode("<s>you").tokens)


def test_a16_a_decoder_without_the_old_flag_goes_by_the_scheme() -> None:
    decoder = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}
    ours, theirs = bpe(["▁How", "▁are"], components={"decoder": decoder})
    assert ours.decode([0, 1]) == theirs.decode([0, 1]) == "How are"


def test_a19_the_bytes_of_one_character_share_its_span() -> None:
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    file = byte_level_file(pre_tokenizer=byte_level, post_processor=byte_level)
    spans = [(0, 1), (2, 2), *[(2, 3)] * 3, (4, 4), (4, 5)]
    check(both(file), "i ⭢ j", ["i", "Ġ", "â", "Ń", "¢", "Ġ", "j"], spans)


def split(pattern: str, behavior: str = "Isolated", kind: str = "Regex") -> dict[str, Any]:
    return {"type": "Split", "pattern": {kind: pattern}, "behavior": behavior, "invert": False}


def echo(pre_tokenizer: dict[str, Any]) -> Pair:
    """Every piece is one token, its value the piece."""
    model = {"type": "Unigram", "vocab": [["\U0010ffff", 0.0]], "unk_id": 0, "byte_fallback": False}
    return both({"version": "1.0", "pre_tokenizer": pre_tokenizer, "model": model})


def test_a21_every_split_of_a_sequence_counts() -> None:
    steps = [split(r"\p{N}{1,3}"), split("[一-龥]+")]
    pair = echo({"type": "Sequence", "pretokenizers": steps})
    check(pair, "no123456x漢字", ["no", "123", "456", "x", "漢字"])


@pytest.mark.parametrize(
    ("behavior", "tokens"),
    [
        ("Removed", ["a", "b"]),
        ("Isolated", ["a", "-", "-", "b"]),
        ("MergedWithPrevious", ["a-", "-", "b"]),
        ("MergedWithNext", ["a", "-", "-b"]),
        ("Contiguous", ["a", "--", "b"]),
    ],
)
@pytest.mark.parametrize("kind", ["Regex", "String"])
def test_a21_what_becomes_of_the_matches(behavior: str, tokens: list[str], kind: str) -> None:
    check(echo(split("-", behavior, kind)), "a--b", tokens)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a²b", ["a", "²", "b"]),
        ("a\u0330b", ["a\u0330b"]),
        ("a\u200db", ["a\u200db"]),
        ("שָׁלוֹם", ["שָׁלוֹם"]),
        ("שלום", ["שלום"]),
        ("a\x1cb", ["a", "\x1c", "b"]),
        ("\x1c", ["\x1c"]),
    ],
)
def test_a22_word_and_white_space_are_the_reference_s(text: str, tokens: list[str]) -> None:
    check(echo({"type": "Whitespace"}), text, tokens)


@pytest.mark.parametrize("text", ["\ud83d\udc4d", "\ud83d", "a\udc4d b"], ids=ascii)
def test_a25_surrogates_are_refused_in_one_line_as_the_reference_refuses_them(text: str) -> None:
    ours, theirs = bpe("ab")
    for use in (ours.encode, ours.encode_ids, ours.trace):
        with pytest.raises(TokcoreError, match=r"lone surrogate U\+D[0-9A-F]{3} at character \d"):
            use(text)
    with pytest.raises(TypeError):
        theirs.encode(text)
    assert compare(ours, theirs, [text]).equal
