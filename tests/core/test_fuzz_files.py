"""Broken files, thousands of them: a tokenizer that does what the reference's does, or one error that names its place.

Each file is a good one, from the zoo or a real one cut down, with one or two mutations (tests/mutations.py). And files
put together of many ones' components (tests/mixtures.py) on texts of every kind. By hand:
`python -m tests.core.test_fuzz_files FIRST COUNT [TEXTS]`, with TEXTS the latter kind, so many texts to a file.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from random import Random
from time import process_time
from typing import Any

import pytest

from tests.mixtures import mixed
from tests.mutations import mutated
from tests.reference import BUNDLED, added, assert_same, both, bundled
from tests.reference_process import Answer, ReferenceProcess
from tests.zoo import trained_file
from tests.zoo_recipes import RECIPES
from tokcore import TokcoreError, Tokenizer
from tokcore.export import to_json
from tokcore.parity_texts import generated_texts

TEXT = "Hello, don't ferry  12½ é\u0301 漢字 <s>[SEP]\n 👩\u200d🚀 cat ABC"
BATCHES, BATCH = 6, 500
SLOWEST_SECONDS = 5.0

AS_LIST = "a list in the place of an object, which the reference reads as its values in order"
# What tokcore refuses although the reference loads the file: where, what, why. Nothing else may come up.
REFUSALS = (
    (r"/model/vocab/.*", r"id \d+ belongs to .* already", "which string such an id stands for changes from run to run"),
    (r"/model/vocab", r"id \d+ in a vocabulary of \d+ entries", "a vocabulary of holes takes all memory"),
    (r"/model/dropout", r"found .*", "a text then has no one encoding"),
    (r"/post_processor.*/special_tokens/.*", r"\d+ ids for \d+ tokens", "one of the two then has no other half"),
    (r"/post_processor.*/(single|pair)/\d+/SpecialToken/id", r"special token .* is missing", "it crashes when needed"),
    (r"/post_processor.*/single/\d+/Sequence/id", r"the template for one text uses B", "it crashes on every text"),
    (r"/padding/.*", r"padding to \d+ tokens", "more tokens than memory holds"),
    (r"/.*", r"found a list", AS_LIST),
    (r"/pre_tokenizer.*/length", r"found 0", "the reference then refuses every text"),
    (r"/.*/Regex", r"pattern: .*", "what has no exact translation into the dialect of `regex`"),
)
# What the reference refuses, and tokcore does not: nothing of a file's meaning hangs on it.
LENIENCE = (
    (r"recursion limit exceeded", "nesting where nothing reads it"),
    (r"number out of range", "a number beyond 64 bits where nothing reads it"),
    (r"the process died", "the reference's own crash"),
)


@cache
def sources() -> tuple[str, ...]:
    """The files before mutation."""
    return (*map(cut_down, BUNDLED), *map(trained_file, RECIPES))


def cut_down(name: str, size: int = 300) -> str:
    """A real file with the first entries of its vocabulary only."""
    file = to_json(bundled(name))
    model = file["model"]
    model["vocab"] = vocab = {token: id for token, id in model["vocab"].items() if id < size}
    known = [pair for pair in model["merges"][:size] if vocab.keys() >= {*pair, "".join(pair)}]
    tokens = file["added_tokens"][:8]
    return json.dumps(
        {
            **file,
            "model": {**model, "merges": known},
            "added_tokens": [{**token, "id": size + number} for number, token in enumerate(tokens)],
        }
    )


def outcome(data: bytes, answer: Answer, text: str = TEXT) -> str:
    """What became of a file and a text, in one line; one that begins with "wrong" is a finding."""
    start = process_time()
    try:
        tokenizer = Tokenizer.from_str(data)
        refusal = None
    except TokcoreError as error:
        if not (error.where and error.what and error.remedy):
            return f"wrong: an error without a place or remedy: {error}"
        refusal = error
    except Exception as error:
        return f"wrong: {type(error).__name__} on loading: {error}"
    if process_time() - start > SLOWEST_SECONDS:
        return "wrong: loading takes long"
    if refusal is not None:
        return "both refuse the file" if answer.refusal is not None else refused(refusal)
    if answer.refusal is not None:
        known = answer.panic or any(re.match(what, answer.refusal) for what, _ in LENIENCE)
        return "only the reference refuses" if known else f"wrong: loaded, but the reference says {answer.refusal}"
    return of_the_text(tokenizer, answer, text)


def refused(error: TokcoreError) -> str:
    for where, what, _ in REFUSALS:
        if re.fullmatch(where, error.where, re.DOTALL) and re.fullmatch(what, error.what, re.DOTALL):
            return "refused for a written reason"
    return f"wrong: refused, though the reference loads it: {error}"


def of_the_text(tokenizer: Tokenizer, answer: Answer, text: str) -> str:
    try:
        encoding = tokenizer.encode(text)
        traced = tokenizer.trace(text).encoding
        ids = tokenizer.encode_ids(text)
        decoded = [tokenizer.decode(ids, skip) for skip in (True, False)]
    except TokcoreError as error:
        return "both refuse the text" if answer.result is None else f"wrong: the text is refused: {error}"
    except Exception as error:
        return f"wrong: {type(error).__name__} on encoding: {error}"
    if answer.result is None:
        return "the reference crashes" if answer.panic else f"wrong: only the reference refuses: {answer.no_result}"
    ours: list[Any] = [encoding.ids, encoding.tokens, list(map(list, encoding.offsets)), encoding.word_ids, decoded]
    if not traced.ids == ids == encoding.ids:
        return f"wrong: the ways differ: {traced.ids} {ids} {encoding.ids}"
    if ours == answer.result:
        return "same"
    normalized = [tokenizer.id_to_token(id) for id, token in tokenizer.added_tokens.items() if token.normalized]
    if len(set(normalized)) < len(normalized):
        return "of added tokens that become one string the reference takes any"
    return f"wrong: differs: {ours} {answer.result}"


def outcomes(first: int, count: int) -> dict[int, str]:
    """Seed → outcome."""
    found: dict[int, str] = {}
    with ReferenceProcess() as reference:
        for seed in range(first, first + count):
            data = mutated(sources(), seed)
            found[seed] = outcome(data, reference.ask(data, TEXT))
    return found


def mixed_outcomes(first: int, count: int, texts: int) -> dict[tuple[int, str], str]:
    """(seed, text) → outcome, of files put together at random and texts of every kind."""
    found: dict[tuple[int, str], str] = {}
    with ReferenceProcess() as reference:
        for seed in range(first, first + count):
            data = mixed(sources(), seed)
            names = [token["content"] for token in json.loads(data)["added_tokens"]]
            every = list(generated_texts(seed, 60, names))
            for text in Random(seed).sample(every, texts):
                found[seed, text] = outcome(data, reference.ask(data, text), text)
    return found


@pytest.mark.parametrize("batch", range(3))
def test_components_put_together_at_random_do_what_they_do_in_the_reference(batch: int) -> None:
    found = mixed_outcomes(batch * 60, 60, texts=4)
    assert {place: line for place, line in found.items() if line.startswith("wrong")} == {}
    assert Counter(found.values())["same"] > 120


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_broken_file_is_a_tokenizer_or_one_error_and_never_another_result_than_the_reference_s(batch: int) -> None:
    found = outcomes(batch * BATCH, BATCH)
    assert {seed: line for seed, line in found.items() if line.startswith("wrong")} == {}
    counts = Counter(found.values())
    assert min(counts["same"], counts["both refuse the file"]) > BATCH // 10, counts


def test_good_files_are_the_same_before_mutation() -> None:
    with ReferenceProcess() as reference:
        found = {outcome(text.encode(), reference.ask(text.encode(), TEXT)) for text in sources()}
    # A template that truncation leaves no room for is refused by both.
    assert found <= {"same", "both refuse the text"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"model": %s}' % ("1" * 5000), "/: a number of thousands of digits"),
        ('{"model": NaN}', "/: not JSON: NaN"),
        ('{"model": {"vocab": {}, "merges": []}, "version": "2.0"}', "/version: version '2.0' is not known"),
        ('{"model": {"vocab": {}, "merges": []}, "version": null}', "/version: found null"),
        ('{"model": {"vocab": {}, "merges": []}, "added_tokens": null}', "/added_tokens: found null"),
    ],
)
def test_found_by_such_files(text: str, says: str) -> None:
    with pytest.raises(TokcoreError) as raised:
        Tokenizer.from_str(text)
    assert str(raised.value).startswith(says)


@pytest.mark.parametrize("names", ["<s> <x> <y> <z>", "<x> <y> <z> <s>", "<x> b <s> <y> b", "<x> <x> <s> <y> <x>"])
@pytest.mark.parametrize(
    "vocab", [{"a": 0, "b": 1, "<s>": 10}, {"a": 0, "<s>": 4}, {"b": 5, "<s>": 3, "a": 4}, {"a": 1}]
)
def test_added_tokens_have_the_reference_s_ids_where_the_vocabulary_has_gaps(vocab: dict[str, int], names: str) -> None:
    tokens = [added(name, 99, special=True) for name in names.split()]
    model = {"type": "BPE", "vocab": vocab, "merges": []}
    ours, theirs = both({"version": "1.0", "added_tokens": tokens, "model": model})
    assert {name: ours.token_to_id(name) for name in names.split()} == {
        name: theirs.token_to_id(name) for name in names.split()
    }
    assert {id: token.content for id, token in ours.added_tokens.items()} == {
        id: token.content for id, token in theirs.get_added_tokens_decoder().items()
    }
    assert (ours.vocab_size, ours.get_vocab()) == (theirs.get_vocab_size(), theirs.get_vocab())
    assert_same(ours, theirs, names + " a<s>b")


@pytest.mark.parametrize("text", ["é", "a", "漢字 é", "éa 漢, é"])
@pytest.mark.parametrize("affix", ["end_of_word_suffix", "continuing_subword_prefix"])
def test_bytes_of_a_prefix_or_suffix_have_the_reference_s_spans(text: str, affix: str) -> None:
    vocab = {f"<0x{value:02X}>": value for value in range(256)}
    model = {"type": "BPE", "vocab": vocab, "merges": [], "byte_fallback": True, affix: "<x>"}
    assert_same(*both({"version": "1.0", "pre_tokenizer": {"type": "Whitespace"}, "model": model}), text)


if __name__ == "__main__":
    first, count, *texts = map(int, sys.argv[1:])
    results: Mapping[Any, str] = mixed_outcomes(first, count, texts[0]) if texts else outcomes(first, count)
    for place, line in results.items():
        if line.startswith("wrong"):
            print(place, line[:300])
    print(Counter(line if not line.startswith("wrong") else "wrong" for line in results.values()))
