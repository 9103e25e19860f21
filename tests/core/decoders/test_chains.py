"""Whole decoder chains: the reference's text for any ids, every stage in the trace, the bytes of each token."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import added
from tests.strategies import texts
from tokcore import Tokenizer

BYTES = [f"<0x{value:02X}>" for value in range(256)]
LOWER = [f"<0x{value:02x}>" for value in range(160, 256)]
ODD = (
    *(
        "<0x+5>",
        "<0x 5>",
        "<0x-5>",
        "<0x5>",
        "<0xé>",
        "<0x٣>",
        "<0X41>",
        "▁",
        "▁▁",
        "▁the",
        "▁the▁",
        "the▁",
        "▁é",
        "a▁b",
    ),
    *("##", "##ing", "##.", "####", "</w>", "the</w>", "</w></w>", "a</w>b", "<pad>", "a<pad>", "|", "l|", "||", "Ġ"),
    *(
        "Ġthe",
        "Ċ",
        "ĠĠ",
        "Ã",
        "©",
        "âĸ",
        "ģ",
        "ðŁ",
        "ļĢ",
        "�",
        "é",
        "🚀",
        "e\u0301",
        " ",
        "  ",
        " the",
        "the ",
        "\n",
        "the",
    ),
    *(
        ".",
        " .",
        "?",
        " ?",
        "!",
        ",",
        "'",
        " ' ",
        "n't",
        " n't",
        "'m",
        "'s",
        " do not",
        "do not",
        "'ve",
        " 're",
        "H",
        "HH",
    ),
)
VOCAB = list(dict.fromkeys([*"abcdefghijklmnopqrstuvwxyz0123456789", *BYTES, *LOWER, *ODD, "<unk>"]))
ADDED = [
    added("<s>", len(VOCAB), special=True),
    added("</s>", len(VOCAB) + 1, special=True),
    added("<think>", len(VOCAB) + 2),
    added("▁X", len(VOCAB) + 3),
    added("<0x42>", VOCAB.index("<0x42>"), special=True),
    added("[ü]", len(VOCAB) + 4),
]

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
BYTE_FALLBACK = {"type": "ByteFallback"}
FUSE = {"type": "Fuse"}
WORDPIECE = {"type": "WordPiece", "prefix": "##", "cleanup": True}
BPE_DECODER = {"type": "BPEDecoder", "suffix": "</w>"}
CTC = {"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True}


def sequence(*decoders: Any) -> dict[str, Any]:
    return {"type": "Sequence", "decoders": list(decoders)}


def metaspace(scheme: str = "always") -> dict[str, Any]:
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": True}


def replace(content: str, **pattern: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": content}


def strip(content: str, start: int, stop: int) -> dict[str, Any]:
    return {"type": "Strip", "content": content, "start": start, "stop": stop}


SPACED = replace(" ", String="▁")

# Those whose steps behind a joining one do not look across the borders of the tokens it joined.
LOCAL = {
    "gpt-2": BYTE_LEVEL,
    "llama 2": sequence(SPACED, BYTE_FALLBACK, FUSE, strip(" ", 1, 0)),
    "gemma": sequence(SPACED, BYTE_FALLBACK, FUSE),
    "t5": metaspace(),
    "xlnet, metaspace first": metaspace("first"),
    "metaspace never": metaspace("never"),
    "old metaspace": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True},
    "bert": WORDPIECE,
    "bert without cleanup": {**WORDPIECE, "cleanup": False},
    "clip": BPE_DECODER,
    "wav2vec": CTC,
    "wav2vec without cleanup": {**CTC, "cleanup": False},
    "byte fallback alone": BYTE_FALLBACK,
    "fuse alone": FUSE,
    "strip before fuse": sequence(SPACED, strip(" ", 2, 0), FUSE),
    "byte fallback, metaspace": sequence(BYTE_FALLBACK, metaspace()),
    "replace, byte level": sequence(replace("Ġ", String="▁"), BYTE_LEVEL),
    "wordpiece, bpe": sequence(WORDPIECE, BPE_DECODER),
    "bpe, metaspace, wordpiece": sequence(BPE_DECODER, metaspace("never"), {**WORDPIECE, "cleanup": False}),
    "fuse, metaspace": sequence(FUSE, metaspace()),
    "byte level, metaspace": sequence(BYTE_LEVEL, metaspace("never")),
    "nested": sequence(sequence(SPACED, sequence(BYTE_FALLBACK)), sequence(), FUSE),
    "one suffix of one letter": {"type": "BPEDecoder", "suffix": "e"},
    "regex replace": sequence(replace("_", Regex=r"[aeiou▁]"), BYTE_FALLBACK),
}
OTHERS = {
    "none": None,
    "empty sequence": sequence(),
    "ctc, bpe": sequence(CTC, BPE_DECODER),
    "fuse, ctc": sequence(FUSE, CTC),
    "fuse, wordpiece": sequence(FUSE, WORDPIECE),
    "fuse, byte fallback": sequence(FUSE, BYTE_FALLBACK),
    "fuse, regex replace": sequence(BYTE_FALLBACK, FUSE, replace("~", Regex=r"\s+(?=\S)|e")),
    "fuse, strip both ends": sequence(SPACED, FUSE, strip(" ", 2, 1)),
    "strip every token at both ends": strip("H", 1, 1),
    "byte level, byte level": sequence(BYTE_LEVEL, BYTE_LEVEL),
    "byte level, replace bytes": sequence(BYTE_LEVEL, replace("?", String="�")),
    "empty matches": replace("-", Regex="a*"),
    "empty pattern": replace("-", String=""),
    "empty suffix": {"type": "BPEDecoder", "suffix": ""},
    "empty prefix": {**WORDPIECE, "prefix": ""},
    "empty delimiter": {**CTC, "word_delimiter_token": "", "pad_token": ""},
    "byte fallback, replace": sequence(BYTE_FALLBACK, SPACED, FUSE),
}
CHAINS = {**LOCAL, **OTHERS}
assert len(CHAINS) > 20


def file_with(decoder: Any) -> str:
    vocab = {token: id for id, token in enumerate(VOCAB)}
    model = {"type": "BPE", "vocab": vocab, "merges": [], "byte_fallback": True, "unk_token": "<unk>"}
    return json.dumps({"model": model, "added_tokens": ADDED, "decoder": decoder})


OURS = {name: Tokenizer.from_str(file_with(decoder)) for name, decoder in CHAINS.items()}
REFERENCE = {name: tokenizers.Tokenizer.from_str(file_with(decoder)) for name, decoder in CHAINS.items()}

any_ids = st.lists(
    st.one_of(
        st.sampled_from(range(len(VOCAB) + len(ADDED) + 3)),
        st.sampled_from([VOCAB.index(token) for token in ODD]),
        st.sampled_from([VOCAB.index(token) for token in ("<0xE2>", "<0x96>", "<0x81>", "<0x20>", "▁the", " ")]),
    ),
    max_size=12,
)


def reference_decode(name: str, ids: list[int], skip: bool) -> str | None:
    """What the reference decodes, None where it panics."""
    try:
        return REFERENCE[name].decode(ids, skip)
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return None


@pytest.mark.parametrize("name", CHAINS)
@given(ids=any_ids, skip=st.booleans())
@settings(max_examples=40, deadline=None)
def test_any_ids_are_decoded_as_by_the_reference(name: str, ids: list[int], skip: bool) -> None:
    theirs = reference_decode(name, ids, skip)
    ours = OURS[name].decode(ids, skip)
    assert theirs is None or ours == theirs


@pytest.mark.parametrize("name", CHAINS)
@given(text=texts)
@settings(max_examples=20, deadline=None)
def test_the_ids_of_a_text_are_decoded_as_by_the_reference(name: str, text: str) -> None:
    ids = REFERENCE[name].encode(text).ids
    for skip in (True, False):
        theirs = reference_decode(name, ids, skip)
        assert theirs is None or OURS[name].decode(ids, skip) == theirs


@pytest.mark.parametrize("name", CHAINS)
@given(ids=any_ids)
@settings(max_examples=10, deadline=None)
def test_the_trace_holds_every_step_and_ends_in_the_text(name: str, ids: list[int]) -> None:
    tokenizer = OURS[name]
    trace = tokenizer.trace_decode(ids, skip_special_tokens=False)
    assert trace.ids == tuple(ids)
    assert trace.text == tokenizer.decode(ids, skip_special_tokens=False)
    first, *steps = trace.stages
    assert (first.name, first.tokens) == ("tokens", tuple(filter(None, map(tokenizer.id_to_token, ids))))
    assert [(step.name, step.component, step.pointer) for step in steps] == [
        ("decoder", step.name, step.pointer) for step in tokenizer.decoders
    ]
    for before, after, step in zip(trace.stages, steps, tokenizer.decoders, strict=False):
        assert after.tokens == tuple(step.component.decode(before.tokens))


def test_a_trace_shows_the_llama_chain_step_by_step() -> None:
    ids = [VOCAB.index(token) for token in ("▁the", "<0xC3>", "<0xA9>", "▁")]
    assert [(stage.component, stage.tokens) for stage in OURS["llama 2"].trace_decode(ids).stages] == [
        ("", ("▁the", "<0xC3>", "<0xA9>", "▁")),
        ("Replace", (" the", "<0xC3>", "<0xA9>", " ")),
        ("ByteFallback", (" the", "é", " ")),
        ("Fuse", (" theé ",)),
        ("Strip", ("theé ",)),
    ]


@pytest.mark.parametrize(
    ("name", "tokens", "text"),
    [
        pytest.param("gpt-2", ["Ġhi"], " hi", id="a byte-level space is real"),
        pytest.param("llama 2", ["▁", "▁lead", "▁x"], " lead x", id="one space stripped, once"),
        pytest.param("llama 2", ["▁Good", "▁day", "!"], "Good day!", id="a sentence"),
        pytest.param("llama 2", ["▁a", "▁▁▁▁b"], "a    b", id="a run of spaces"),
        pytest.param("t5", ["▁How", "▁are"], "How are", id="metaspace"),
    ],
)
def test_spaces_are_kept_in_a_sequence_of_tokens(name: str, tokens: list[str], text: str) -> None:
    decoded: Sequence[str] = tokens
    for step in OURS[name].decoders:
        decoded = step.component.decode(decoded)
    assert "".join(decoded) == text


GUARDS = [VOCAB.index("y"), VOCAB.index("z")]


@pytest.mark.parametrize("name", LOCAL)
@given(ids=any_ids.map(lambda ids: [id for id in ids if id not in GUARDS]))
@settings(max_examples=40, deadline=None)
def test_between_others_tokens_add_their_bytes(name: str, ids: list[int]) -> None:
    tokenizer = OURS[name]
    kept = [id for id in ids if tokenizer.id_to_token(id) is not None]
    # A token that repeats its neighbour is what the law leaves to CTC.
    kept = [id for index, id in enumerate(kept) if kept[index - 1 : index] != [id]]
    first, last = GUARDS
    data = b"".join(map(tokenizer.token_bytes, [*kept, last]))
    decoded = tokenizer.decode([first, *kept, last], skip_special_tokens=False)
    try:
        assert decoded == "y" + data.decode()
    except UnicodeDecodeError:
        # Not UTF-8: how many U+FFFD it becomes is the decoder's rule.
        assert "\ufffd" in decoded


@pytest.mark.parametrize(
    ("name", "token", "data"),
    [
        pytest.param("gpt-2", "ðŁ", b"\xf0\x9f", id="half a character"),
        pytest.param("gpt-2", "[ü]", b"[\xfc]", id="an added token in the display alphabet is bytes too"),
        pytest.param("gpt-2", "▁the", "▁the".encode(), id="outside the display alphabet"),
        pytest.param("llama 2", "<0xE2>", b"\xe2", id="a byte"),
        pytest.param("llama 2", "<0x+5>", b"\x05", id="a byte spelled with a sign"),
        pytest.param("llama 2", "<0x 5>", b"<0x 5>", id="no byte"),
        pytest.param("llama 2", "▁the", b" the", id="stripping the text is left out"),
        pytest.param("t5", "▁the▁", b" the ", id="the first token's rule is left out"),
        pytest.param("fuse, metaspace", "▁the▁", b"the", id="all is the first token"),
        pytest.param("bert", "##ing", b"ing", id="continuing piece"),
        pytest.param("bert", "the", b" the", id="new word"),
        pytest.param("bert", ".", b".", id="punctuation cleaned up"),
        pytest.param("clip", "the</w>", b"the ", id="end of a word"),
        pytest.param("wav2vec", "<pad>", b"", id="padding"),
        pytest.param("wav2vec", "|", b" ", id="word delimiter"),
        pytest.param("strip before fuse", " the", b"the", id="every token is stripped"),
        pytest.param("none", "▁the", "▁the".encode(), id="no decoder"),
        pytest.param("t5", "<s>", b"<s>", id="special"),
    ],
)
def test_bytes_of_a_token(name: str, token: str, data: bytes) -> None:
    id = OURS[name].token_to_id(token)
    assert id is not None
    assert OURS[name].token_bytes(id) == data


@pytest.mark.parametrize("name", CHAINS)
def test_the_bytes_of_the_vocabulary_are_those_of_its_tokens(name: str) -> None:
    tokenizer = OURS[name]
    vocab_bytes = tokenizer.vocab_bytes()
    special = {token["content"] for token in ADDED if token["special"]}
    for id, data in enumerate(vocab_bytes):
        token = tokenizer.id_to_token(id)
        assert data == (b"" if token is None or token in special else tokenizer.token_bytes(id))


def test_without_a_decoder_spaces_join_the_tokens() -> None:
    ids = [VOCAB.index("a"), VOCAB.index("b")]
    assert OURS["none"].decode(ids) == "a b"
    assert OURS["empty sequence"].decode(ids) == "ab"


def test_a_string_that_is_special_once_is_skipped_whatever_a_later_entry_says() -> None:
    entries = [added("<s>", 1, special=True), added("<s>", 1)]
    text = json.dumps({"model": {"vocab": {"a": 0}, "merges": []}, "added_tokens": entries})
    ours, theirs = Tokenizer.from_str(text), tokenizers.Tokenizer.from_str(text)
    assert ours.decode([1, 0]) == theirs.decode([1, 0]) == "a"
