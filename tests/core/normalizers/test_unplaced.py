"""Characters put in at the very start that stand for nothing: what stays of them, beside the reference."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.core.normalizers.normalizer_reference import Config, normalized
from tests.core.normalizers.test_components import BYTE_LEVEL, LOWERCASE, NMT, PREPEND, STRIP_ACCENTS, replace, strip
from tests.reference import assert_same, both
from tests.reference_process import ReferenceProcess
from tests.zoo_parts import PRECOMPILED, byte_level, metaspace, pretokenizers, split
from tokcore import Tokenizer
from tokcore.bytemap import bytes_to_unicode

ACUTE, DOT = "\u0301", "\u0323"
NOTHING = {"type": "Prepend", "prepend": ""}
START = replace("-", Regex="^")
NFC, NFKC, NFD = ({"type": name} for name in ("NFC", "NFKC", "NFD"))

# The result, and for each of its characters the part of the source that its span cuts out.
HAND_DERIVED: dict[str, tuple[list[Config], str, str, list[str]]] = {
    "one stays, all are aligned behind it": ([NOTHING, STRIP_ACCENTS], f"xa{ACUTE}", "xxa", ["", "a", ACUTE]),
    "what is put in stays too": ([START, STRIP_ACCENTS], f"a{ACUTE}", "--a", ["", "a", ACUTE]),
    "two stay": ([START, START, STRIP_ACCENTS], f"a{ACUTE}{DOT}", "----a", ["", "", "a", ACUTE, DOT]),
    "of a text all taken off they stay": ([START, STRIP_ACCENTS], ACUTE + DOT, "--", ["", ACUTE]),
    "Strip takes the left end off the placed ones": ([NOTHING, strip()], "  xa  ", " xa", ["", "a", " "]),
    "a mark at the end takes the last place": ([NOTHING, NFC], f"aé{DOT}", f"aaẹ{ACUTE}", ["", "é", DOT, DOT]),
    "a ligature's second letter": ([NOTHING, PRECOMPILED], "aﬁ\u00ad\u200b", "aafi", ["", "ﬁ", "\u00ad", "\u200b"]),
    "Strip of nothing to strip leaves the text": ([NOTHING, strip()], "ab", "ab", ["", "b"]),
    "a prefix goes before them": ([NOTHING, PREPEND], "ab", "▁ab", ["", "", "b"]),
    "places run out: as any other text": ([NOTHING, NFC], "ab", "ab", ["", "b"]),
    "never fewer characters: as any other text": ([START, BYTE_LEVEL], "é", "-Ã©", ["", "é", "é"]),
}  # fmt: skip


@pytest.mark.parametrize(("configs", "text", "expected", "cuts"), HAND_DERIVED.values(), ids=HAND_DERIVED.keys())
def test_each_character_of_the_result_stands_for(
    configs: list[Config], text: str, expected: str, cuts: list[str]
) -> None:
    result = normalized(text, *configs)
    assert (result.text, [span.cut(text) for span in result.origins]) == (expected, cuts)


ALPHABET = f"aAbé  .{ACUTE}{ACUTE}{DOT}eﬁ½\u00ad\u200b\u3000…가\u1100\u1161か\u3099"
VOCAB = {character: id for id, character in enumerate(dict.fromkeys("?" + ALPHABET + "-xy_▁.fi12/⁄e"))}
VOCAB |= {character: 1000 + id for id, character in enumerate(bytes_to_unicode().values()) if character not in VOCAB}
OPENERS = [NOTHING, START, replace("xy", Regex="a*"), replace("é", String=""), replace("-", Regex="(?=[a-z])")]
BEHIND = [*[NFC, NFKC, STRIP_ACCENTS, strip(), strip(right=False), PRECOMPILED] * 3, *OPENERS, NFD, LOWERCASE, NMT]
PRE_TOKENIZERS = [
    *(None, None, byte_level(regex=False), byte_level(prefix=True), metaspace("first")),
    *(pretokenizers(split("-"), byte_level()), pretokenizers(split(".", "MergedWithNext"), byte_level(prefix=True))),
]


def file(normalizers: list[Config], pre_tokenizer: Any) -> str:
    model = {"type": "BPE", "vocab": VOCAB, "merges": [], "unk_token": "?"}
    chain = {"type": "Sequence", "normalizers": normalizers}
    return json.dumps({"version": "1.0", "normalizer": chain, "pre_tokenizer": pre_tokenizer, "model": model})


@pytest.mark.parametrize("seed", range(4))
def test_chains_give_what_the_reference_gives_where_it_does_not_crash(seed: int) -> None:
    choice = random.Random(seed)
    compared = 0
    with ReferenceProcess() as reference:
        for _ in range(200):
            chain = [
                *choice.choices(BEHIND, k=choice.randrange(2)),
                choice.choice(OPENERS),
                *choice.choices(BEHIND, k=2),
            ]
            json_text = file(chain, choice.choice(PRE_TOKENIZERS))
            tokenizer = Tokenizer.from_str(json_text)
            for text in ("".join(choice.choices(ALPHABET, k=choice.randrange(1, 8))) for _ in range(4)):
                encoding = tokenizer.encode(text)
                assert tokenizer.encode_ids(text) == encoding.ids == tokenizer.trace(text).encoding.ids
                answer = reference.ask(json_text.encode(), text)
                if answer.result is not None:
                    compared += 1
                    ours = [encoding.ids, list(map(list, encoding.offsets))]
                    assert ours == [answer.result[0], answer.result[2]], (json_text, text)
    assert compared > 100


@pytest.mark.parametrize(
    ("opener", "text", "tokens"),
    [
        pytest.param(NOTHING, "éa", ["Ã", "©", "é", "a"], id="its bytes, then itself"),
        pytest.param(START, "a", ["-", "-", "a"], id="what was put in"),
        pytest.param(START, "é", ["-", "-", "Ã", "©"], id="the pieces behind it are as ever"),
    ],
)
def test_a_piece_that_stands_for_nothing_is_written_in_bytes_before_what_it_was(
    opener: Config, text: str, tokens: list[str]
) -> None:
    ours, theirs = both(json.loads(file([opener], pretokenizers(split("."), byte_level(regex=False)))))
    assert ours.encode(text).tokens == tokens
    assert_same(ours, theirs, text)
