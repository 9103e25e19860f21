"""Components whose "type" is missing, is no name or is another's: taken for what the reference takes them for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
import tokenizers

from tests import zoo_parts as parts
from tests.core.postprocessors.compare import TEMPLATE
from tokcore import TokcoreError, Tokenizer
from tokcore.protocols import Step

kind = parts.kind
COMPONENTS: Mapping[str, list[dict[str, Any]]] = {
    "normalizer": [
        *map(kind, ("StripAccents", "NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Nmt", "ByteLevel")),
        *(parts.bert_normalizer(), parts.strip(), parts.PRECOMPILED, parts.replace("a", "b")),
        *(kind("Prepend", prepend="_"), kind("Sequence", normalizers=[{"prepend": "_"}, kind("NFC")])),
    ],
    "pre_tokenizer": [
        *map(kind, ("BertPreTokenizer", "UnicodeScripts", "Whitespace", "WhitespaceSplit")),
        *(parts.byte_level(), parts.metaspace(), parts.split("a")),
        kind("Sequence", pretokenizers=[kind("Whitespace")]),
        *(kind("CharDelimiterSplit", delimiter="-"), kind("Digits", individual_digits=True)),
        *(kind("FixedLength", length=2), kind("Punctuation", behavior="Isolated")),
    ],
    "post_processor": [
        *(parts.bert_processing(), parts.roberta_processing(), parts.byte_level(), TEMPLATE),
        kind("Sequence", processors=[{"sep": ["</s>", 3], "cls": ["<s>", 2]}, parts.byte_level()]),
    ],
    "model": [
        kind("BPE", vocab={"<unk>": 0, "a": 1, "b": 2, "ab": 3}, merges=["a b"], unk_token="<unk>"),
        kind("Unigram", vocab=[["<unk>", 0.0], ["a", -1.0]], unk_id=0),
        {**kind("WordPiece", vocab={"<unk>": 0, "a": 1}, unk_token="<unk>"), "max_input_chars_per_word": 9,
         "continuing_subword_prefix": "##"},
        kind("WordLevel", vocab={"<unk>": 0, "a": 1}, unk_token="<unk>"),
    ],
}  # fmt: skip
CHILDREN = {"normalizer": "normalizers", "pre_tokenizer": "pretokenizers", "post_processor": "processors"}
MODEL = {"type": "BPE", "vocab": {c: id for id, c in enumerate(["?", *"ab xy▁é_-1"])}, "merges": [], "unk_token": "?"}
TEXT = "ab xé  É-1x A"


def with_types(component: Mapping[str, Any], names: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The component without a type, with what is none, with each of its kind's, the latter in both spellings."""
    rest = {key: value for key, value in component.items() if key != "type"}
    yield rest
    named = [spelled for name in names for spelled in (name, {name: None})]
    for value in (
        None,
        1,
        "",
        "Foo",
        True,
        [],
        {},
        ["NFC"],
        {"NFC": 1},
        {"Foo": None},
        {"NFC": None, "NFD": None},
        *named,
    ):
        yield {"type": value, **rest}


def broken(component: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The component with each of its values missing or of another type."""
    # Without its special tokens a template crashes the reference, but only when it is used.
    for key in [name for name in component if name != "special_tokens"]:
        yield {name: value for name, value in component.items() if name != key}
        yield from ({**component, key: value} for value in (None, 1, "a", {}, True))


def taken(component: Any, children: str) -> list[str]:
    """The names of the components that the reference wrote down, Sequences laid out flat."""
    if component["type"] == "Sequence":
        return [name for child in component[children] for name in taken(child, children)]
    return [component["type"]]


def reference(text: str) -> tokenizers.Tokenizer | None:
    try:
        return tokenizers.Tokenizer.from_str(text)
    except KeyboardInterrupt:
        raise
    except BaseException:  # a crash of the reference is no Exception
        return None


@pytest.mark.parametrize("place", COMPONENTS)
def test_each_is_taken_for_what_the_reference_takes_it_for(place: str) -> None:
    names = [component["type"] for component in COMPONENTS[place]]
    variants = [variant for component in COMPONENTS[place] for variant in with_types(component, names)]
    if place != "model":
        variants += [variant for component in COMPONENTS[place] for variant in broken(component)]
        variants += [{**one, **other} for one in COMPONENTS[place] for other in COMPONENTS[place]]
    loaded = 0
    for variant in variants:
        text = json.dumps({"version": "1.0", "added_tokens": [], "model": MODEL, place: variant})
        theirs = reference(text)
        if theirs is None:
            with pytest.raises(TokcoreError):
                Tokenizer.from_str(text)
            continue
        loaded += 1
        ours = Tokenizer.from_str(text)
        steps: tuple[Step[Any], ...] = (ours.model,) if place == "model" else getattr(ours, f"{place}s")
        assert [step.name for step in steps] == taken(json.loads(theirs.to_str())[place], CHILDREN.get(place, ""))
        encoding, expected = ours.encode(TEXT), theirs.encode(TEXT)
        assert (encoding.ids, encoding.offsets) == (expected.ids, expected.offsets), text
    assert 0 < loaded < len(variants)


@pytest.mark.parametrize(
    ("component", "says"),
    [
        pytest.param({}, "/normalizer: key 'type' is missing", id="no key"),
        pytest.param({"type": 1}, "/normalizer/type: found a number", id="no name"),
        pytest.param({"type": "Foo"}, "/normalizer/type: normalizer 'Foo' is not supported", id="unknown"),
        pytest.param({"strip_left": True, "strip_right": 1}, "/normalizer/strip_right: found a number", id="nearly"),
        pytest.param(
            {"type": "Strip", "prepend": "_"}, "/normalizer: key 'strip_left' is missing", id="a name decides"
        ),
        pytest.param({"normalizers": [{"foo": 1}]}, "/normalizer/normalizers/0: key 'type' is missing", id="a part"),
    ],
)
def test_what_is_nothing_is_refused_with_the_place_that_says_most(component: Any, says: str) -> None:
    with pytest.raises(TokcoreError) as raised:
        Tokenizer.from_str(json.dumps({"model": MODEL, "normalizer": component}))
    assert str(raised.value).startswith(says)
