"""BPE: lowest rank first, leftmost on a tie; what the vocabulary lacks; the quick ways equal the plain replay."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import assert_same, both, bundled
from tests.reference_process import ReferenceProcess
from tokcore import Tokenizer
from tokcore.errors import TokcoreError
from tokcore.fields import Fields
from tokcore.models import build
from tokcore.models.bpe import End
from tokcore.models.load_bpe import build_bpe
from tokcore.models.merges import NO_RULE, MergeRules, Symbol, merge_steps, pair_key
from tokcore.models.merging import LONG_PIECE, merge, merge_long, merge_word


def file(vocab: str, merges: list[str], **model: object) -> dict[str, Any]:
    """A character-level BPE file: no normalizer, no pre-tokenizer; `vocab` lists the tokens between spaces."""
    ids = {token: id for id, token in enumerate(vocab.split())}
    return {"model": {"type": "BPE", "vocab": ids, "merges": merges, **model}}


@pytest.mark.parametrize(
    ("vocab", "merges", "model", "text", "tokens", "offsets"),
    [
        pytest.param("a b c bc ab", ["b c", "a b"], {}, "abc", ["a", "bc"], [(0, 1), (1, 3)], id="rank before place"),
        pytest.param("a aa", ["a a"], {}, "aaa", ["aa", "a"], [(0, 2), (2, 3)], id="leftmost on a tie"),
        pytest.param("a b ab", ["a b"], {}, "abcab", ["ab", "ab"], [(0, 2), (2, 4)], id="unknown character vanishes"),
        pytest.param(
            *("<unk> a", [], {"unk_token": "<unk>"}, "xya", ["<unk>", "<unk>", "a"], [(0, 1), (1, 2), (2, 3)]),
            id="unk each",
        ),
        pytest.param(
            *("<unk> a", [], {"unk_token": "<unk>", "fuse_unk": True}, "xya", ["<unk>", "a"], [(0, 2), (2, 3)]),
            id="unk fused",
        ),
        pytest.param(
            *("a b are", [], {"ignore_merges": True}, "are", ["are"], [(0, 3)]), id="whole piece without a rule"
        ),
        pytest.param("a r e are", [], {}, "are", ["a", "r", "e"], [(0, 1), (1, 2), (2, 3)], id="no rule, no token"),
        pytest.param(
            *("a ##b a##b ab", ["a ##b"], {"continuing_subword_prefix": "##"}, "ab", ["ab"], [(0, 2)]),
            id="continuing prefix is left out of the joined token",
        ),
        pytest.param(
            *("a b</w> ab</w>", ["a b</w>"], {"end_of_word_suffix": "</w>"}, "ab", ["ab</w>"], [(0, 2)]), id="suffix"
        ),
        pytest.param("<0xC3> <0xA9>", [], {"byte_fallback": True}, "é", ["<0xC3>", "<0xA9>"], None, id="byte fallback"),
        pytest.param(
            *("<unk> <0xC3>", [], {"byte_fallback": True, "unk_token": "<unk>"}, "é", ["<unk>"], [(0, 1)]),
            id="byte fallback is all or nothing",
        ),
        pytest.param("<0xC3> a", [], {"byte_fallback": True}, "éa", ["a"], None, id="byte missing and no unk"),
    ],
)
def test_one_piece(
    vocab: str, merges: list[str], model: dict[str, object], text: str, tokens: list[str], offsets: list[object] | None
) -> None:
    ours, reference = both(file(vocab, merges, **model))
    assert ours.encode(text).tokens == tokens
    if offsets is not None:
        assert ours.encode(text).offsets == offsets
    theirs = reference.encode(text)
    assert (ours.encode(text).tokens, ours.encode(text).offsets) == (theirs.tokens, theirs.offsets)


def test_the_prefix_is_cut_off_by_bytes_as_in_the_reference() -> None:
    assert_same(*both(file("a xyz az", ["a xyz"], continuing_subword_prefix="é")), "a")


def test_a_later_rule_for_the_same_pair_holds() -> None:
    assert_same(*both(file("a b c ab bc", ["a b", "b c", "a b"])), "abc")


def test_a_needed_unk_token_outside_the_vocabulary_is_an_error() -> None:
    ours, _ = both(file("a", [], unk_token="<unk>"))
    with pytest.raises(TokcoreError, match="/model/unk_token: the unknown token '<unk>' is needed"):
        ours.encode("b")


MODELS = [
    {},
    {"unk_token": "<unk>"},
    {"unk_token": "<unk>", "fuse_unk": True},
    {"byte_fallback": True, "unk_token": "<unk>", "fuse_unk": True},
    {"byte_fallback": True},
    {"ignore_merges": True},
    {"end_of_word_suffix": "</w>"},
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_texts_of_known_and_unknown_characters_are_the_reference_s(model: dict[str, object]) -> None:
    vocab = "<unk> a b c é ab bc abc aé <0xC3> <0xA9> <0xC3><0xA9> <0xE2> a</w> b</w> ab</w>"
    both_ways = both(file(vocab, ["a b", "b c", "a bc", "a é", "<0xC3> <0xA9>", "a b</w>"], **model))
    generator = random.Random(11)
    for _ in range(400):
        text = "".join(generator.choices("abcéè🚀x", k=generator.randint(0, 9)))
        ours, theirs = both_ways[0].encode(text), both_ways[1].encode(text)
        assert (ours.ids, ours.tokens, ours.offsets) == (theirs.ids, theirs.tokens, theirs.offsets), text


def random_rules(generator: random.Random) -> MergeRules:
    """Rules over three letters whose joined tokens take part in later rules."""
    ids = {"a": 0, "b": 1, "c": 2}
    rules: list[tuple[int, int, int]] = []
    for _ in range(generator.randint(1, 25)):
        left, right = generator.choices(list(ids), k=2)
        rules.append((ids[left], ids[right], ids.setdefault(left + right, len(ids))))
    return MergeRules(rules)


@given(seed=st.integers(0, 10**9), length=st.integers(0, 3 * LONG_PIECE))
@settings(max_examples=300, deadline=None)
def test_scanning_and_heap_give_the_plain_replay(seed: int, length: int) -> None:
    generator = random.Random(seed)
    rules = random_rules(generator)
    ids = [generator.randrange(3) for _ in range(length)]
    symbols = tuple(Symbol(id, at, at + 1) for at, id in enumerate(ids))
    for step in merge_steps(symbols, rules):
        symbols = step.symbols
    expected = ([symbol.id for symbol in symbols], [symbol.end - symbol.start for symbol in symbols])
    for way in (merge, merge_word, merge_long):
        assert way(ids[:], [1] * length, rules) == expected


def test_a_long_piece_of_one_letter_gets_the_ids_of_the_reference() -> None:
    ours, reference = both(file("a aa aaaa aaaaaaaa", ["a a", "aa aa", "aaaa aaaa"]))
    text = "a" * 5_001
    assert ours.encode_ids(text) == ours.encode(text).ids == reference.encode(text).ids


def test_the_trace_of_a_piece_ends_in_its_tokens() -> None:
    model = bundled("qwen3").model.component
    for piece in ("Ġcastanha", "ĠðŁļĢ", "the", "Ġ" * 40, "zzzzqqqq"):
        assert [symbol.id for symbol in model.trace(piece).symbols] == [token.id for token in model.tokenize(piece)]


def test_steps_name_the_losing_candidates() -> None:
    model = build_bpe(Fields(file("a b c ab bc", ["b c", "a b"])["model"], "/model"))
    (step,) = model.trace("abc").steps
    assert (step.candidates, step.left, step.rank) == (((0, 1), (1, 0)), 1, 0)


def test_a_whole_piece_is_traced_as_such() -> None:
    model = build_bpe(Fields(file("a re are", [], ignore_merges=True)["model"], "/model"))
    assert (model.trace("are").whole_piece, model.trace("are").steps) == (2, ())


@pytest.mark.parametrize(
    ("piece", "model", "end", "unjoined"),
    [
        pytest.param("abcc", {}, End.NO_RULE, [("a", "bc"), ("bc", "c")], id="no rule joins any neighbours"),
        pytest.param("bc", {}, End.ONE_SYMBOL, [], id="joined to one"),
        pytest.param("a", {}, End.ONE_SYMBOL, [], id="one from the start"),
        pytest.param("bc", {"ignore_merges": True}, End.WHOLE_PIECE, [], id="found whole, though a rule would do"),
        pytest.param("xyz", {}, End.NOTHING, [], id="no character known"),
    ],
)
def test_a_trace_says_why_it_ends_and_which_pairs_no_rule_joins(
    piece: str, model: dict[str, object], end: End, unjoined: list[tuple[str, str]]
) -> None:
    bpe = build_bpe(Fields(file("a b c bc", ["b c"], **model)["model"], "/model"))
    trace = bpe.trace(piece)
    assert trace.end is end
    assert [(bpe.id_to_token(left.id), bpe.id_to_token(right.id)) for left, right in trace.unjoined] == unjoined


def test_every_pair_that_is_left_has_no_rule() -> None:
    model = bundled("qwen3").model.component
    for piece in ("Ġcastanha", "ĠðŁļĢ", "the", "zzzzqqqq", "Ġ" * 300):
        unjoined = model.trace(piece).unjoined
        assert len(unjoined) == len(model.tokenize(piece)) - 1
        assert all(model.rules[pair_key(left.id, right.id)] == NO_RULE for left, right in unjoined)


@pytest.mark.parametrize(
    ("merge", "says"),
    [
        pytest.param("a x", "a prefix of 2 bytes is longer than 'x'", id="too short"),
        pytest.param("a 漢", "a prefix of 2 bytes ends inside a character of '漢'", id="inside a character"),
        pytest.param("zz x", "token 'zz' is not in the vocabulary", id="absent before the prefix matters"),
        pytest.param("a ##x", "token 'ax' is not in the vocabulary", id="what it makes is absent"),
    ],
)
def test_a_rule_whose_prefix_cannot_be_taken_off_is_refused(merge: str, says: str) -> None:
    model = file("a x 漢 ##x <unk>", [merge], continuing_subword_prefix="##", unk_token="<unk>")["model"]
    with pytest.raises(TokcoreError, match=re.escape(f"/model/merges/0: {says}")):
        build(model)
    # Without its type such a file is a WordLevel, but for the one over which the reference crashes.
    untyped = {key: value for key, value in model.items() if key != "type"}
    json_text = json.dumps({"version": "1.0", "model": untyped})
    with ReferenceProcess() as reference:
        answer = reference.ask(json_text.encode(), "a")
    if "longer" in says:
        assert answer.panic
        with pytest.raises(TokcoreError, match="/model/merges/0"):
            build(untyped)
    else:
        assert build(untyped).name == "WordLevel"
        assert answer.result is not None
        assert Tokenizer.from_str(json_text).encode("a").ids == answer.result[0]
