"""The bundled tokenizers and the published files give what the reference library gives."""

from __future__ import annotations

import hashlib
import json
from functools import cache

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import (
    BUNDLED,
    SHARED,
    SHARED_FILES,
    assert_same,
    bundled,
    bundled_reference,
    shared_tokenizer_json,
)
from tests.strategies import AWKWARD, texts_with
from tokcore import Tokenizer
from tokcore.export import to_json

CORPUS = sorted((SHARED / "corpora" / "udhr").glob("*.txt"))
CONTROL = (
    *("<|im_start|>", "<|im_end|>", "<think>", "<tool_call>", "<|endoftext|>"),
    *("<｜User｜>", "<｜begin▁of▁sentence｜>"),
)

needs_corpus = pytest.mark.skipif(not CORPUS, reason="the UDHR corpus is not beside this checkout")


@pytest.mark.parametrize("name", BUNDLED)
@given(text=texts_with(*CONTROL))
@settings(max_examples=200, deadline=None)
def test_generated_text_is_encoded_as_by_the_reference(name: str, text: str) -> None:
    assert_same(bundled(name), bundled_reference(name), text)


@pytest.mark.parametrize("name", BUNDLED)
@given(text=texts_with(*CONTROL), pair=texts_with("a", " b"))
@settings(max_examples=40, deadline=None)
def test_a_text_and_its_pair_are_encoded_as_by_the_reference(name: str, text: str, pair: str) -> None:
    assert_same(bundled(name), bundled_reference(name), text, pair)


@pytest.mark.parametrize("name", BUNDLED)
@given(text=texts_with(*CONTROL))
@settings(max_examples=60, deadline=None)
def test_split_special_tokens_is_the_reference_s_encode_special_tokens(name: str, text: str) -> None:
    reference = bundled_reference(name)
    reference.encode_special_tokens = True
    try:
        theirs = reference.encode(text).ids
    finally:
        reference.encode_special_tokens = False
    assert bundled(name).encode(text, split_special_tokens=True).ids == theirs
    assert bundled(name).encode_ids(text, split_special_tokens=True) == theirs
    assert bundled(name).trace(text, split_special_tokens=True).encoding.ids == theirs


@pytest.mark.parametrize("name", BUNDLED)
@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_any_ids_are_decoded_as_by_the_reference(name: str, data: st.DataObject) -> None:
    tokenizer = bundled(name)
    ids = data.draw(st.lists(st.integers(0, tokenizer.id_limit + 5), max_size=12))
    for skip in (True, False):
        assert tokenizer.decode(ids, skip) == bundled_reference(name).decode(ids, skip)


@pytest.mark.parametrize("name", BUNDLED)
def test_awkward_fragments_in_a_row_are_encoded_as_by_the_reference(name: str) -> None:
    for text in (*AWKWARD, "".join(AWKWARD), " ".join(AWKWARD), "\n".join(AWKWARD)):
        assert_same(bundled(name), bundled_reference(name), text)


@needs_corpus
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_thirty_languages_are_encoded_as_by_the_reference(path: pytest.TempPathFactory) -> None:
    text = path.read_text(encoding="utf-8")
    for name in BUNDLED:
        assert_same(bundled(name), bundled_reference(name), text)


@cache
def published(name: str) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    text = shared_tokenizer_json(name)
    if text is None:
        pytest.skip(f"the published {name} file is not beside this checkout")
    return Tokenizer.from_str(text), tokenizers.Tokenizer.from_str(text.decode())


@needs_corpus
@pytest.mark.parametrize("name", SHARED_FILES)
def test_published_files_encode_thirty_languages_as_the_reference(name: str) -> None:
    for path in CORPUS:
        assert_same(*published(name), path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SHARED_FILES)
@given(text=texts_with(*CONTROL, "<|begin_of_text|>", "<|eot_id|>"))
@settings(max_examples=60, deadline=None)
def test_published_files_encode_generated_text_as_the_reference(name: str, text: str) -> None:
    assert_same(*published(name), text)


def test_qwen3_rank_file_gives_the_published_vocabulary_and_merges() -> None:
    file = to_json(bundled("qwen3"))
    digest = hashlib.sha256(json.dumps([sorted(file["model"]["vocab"].items()), file["model"]["merges"]]).encode())
    # Of the published tokenizer.json, its merges in order.
    assert digest.hexdigest() == "81eff3a57994cd44f95a6bf115c18a9503ac74aa217eb18d20f9f3b0839e21e3"


def test_qwen3_is_the_published_file_in_every_component() -> None:
    text = shared_tokenizer_json("qwen3")
    if text is None:
        pytest.skip("the published qwen3 file is not beside this checkout")
    theirs = json.loads(text)
    ours = to_json(bundled("qwen3"))
    for key in ("normalizer", "pre_tokenizer", "post_processor", "decoder", "added_tokens"):
        assert ours[key] == theirs[key]


def megabyte() -> str:
    """Every language of the corpus, the awkward fragments among them, in pieces of a thousand characters."""
    texts = [path.read_text(encoding="utf-8") for path in CORPUS]
    parts = [text[at : at + 1000] for at in range(0, 40_000, 1000) for text in texts]
    return " ".join(part + AWKWARD[number % len(AWKWARD)] for number, part in enumerate(parts) if part)


@needs_corpus
@pytest.mark.parametrize("name", [*BUNDLED, *SHARED_FILES])
def test_a_megabyte_of_mixed_text_is_encoded_as_by_the_reference(name: str) -> None:
    ours, reference = (bundled(name), bundled_reference(name)) if name in BUNDLED else published(name)
    once = megabyte()
    text = once + once[: max(0, 1_000_000 - len(once))]
    theirs, encoding = reference.encode(text), ours.encode(text)
    different = sum(a != b for a, b in zip(encoding.ids, theirs.ids, strict=True))
    assert different == 0
    assert encoding.offsets == theirs.offsets
    assert encoding.tokens == theirs.tokens
    assert ours.encode_ids(text) == theirs.ids
    assert ours.decode(theirs.ids, skip_special_tokens=False) == reference.decode(theirs.ids, skip_special_tokens=False)
