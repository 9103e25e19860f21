"""The lesson's figures that the tokens page shows, on the real Qwen3 vocabulary."""

from __future__ import annotations

import pytest

from tests.reference import bundled
from tokcore import AddedMatch, Tokenizer
from tokcore.bytemap import bytes_to_unicode, display_bytes
from tokcore.models.merges import NO_RULE, pair_key

ENGLISH = "The quick brown fox jumps over the lazy dog near the river bank."


@pytest.fixture(scope="module")
def qwen3() -> Tokenizer:
    return bundled("qwen3")


def pieces(tokenizer: Tokenizer, text: str) -> list[str]:
    segments = tokenizer.trace(text).text_stages[-1].segments
    return [segment.text for segment in segments if not isinstance(segment, AddedMatch)]


def test_vocabulary_has_256_bytes_151387_merges_and_26_added_tokens(qwen3: Tokenizer) -> None:
    rules = qwen3.model.component.rules
    assert (len(qwen3.model.component.vocab), rules.count, len(qwen3.added_tokens), qwen3.vocab_size) == (
        *(151_643, 151_387, 26),
        151_669,
    )


def test_english_sentence_is_14_byte_level_tokens_13_words_and_64_characters(qwen3: Tokenizer) -> None:
    assert (len(qwen3.encode(ENGLISH)), len(ENGLISH.split()), len(ENGLISH)) == (14, 13, 64)


@pytest.mark.parametrize(
    ("text", "shown"),
    [(" ", "Ġ"), ("\n", "Ċ"), ("\t", "ĉ"), ("a", "a"), ("á", "Ã¡"), ("ç", "Ã§"), ("🚀", "ðŁļĢ")],
)
def test_byte_alphabet_shows(text: str, shown: str) -> None:
    assert display_bytes(text.encode()) == shown


def test_188_bytes_show_as_themselves_and_68_are_shifted_in_byte_order() -> None:
    alphabet = bytes_to_unicode()
    shifted = [character for value, character in alphabet.items() if ord(character) != value]
    assert (len(alphabet) - len(shifted), len(shifted)) == (188, 68)
    assert shifted == [chr(0x100 + order) for order in range(68)]


@pytest.mark.parametrize(
    ("text", "cut", "ids"),
    [
        ("the", ["the"], [1782]),
        (" the", ["Ġthe"], [279]),
        ("1969", ["1", "9", "6", "9"], [16, 24, 21, 24]),
        ("I'm", ["I", "'m"], [40, 2776]),
        ("):", ["):"], [1648]),
        ("    ", ["ĠĠĠĠ"], [257]),
    ],
)
def test_pre_tokenizer_decides_the_pieces(qwen3: Tokenizer, text: str, cut: list[str], ids: list[int]) -> None:
    assert (pieces(qwen3, text), qwen3.encode(text).ids) == (cut, ids)


def test_a_date_is_ten_single_characters(qwen3: Tokenizer) -> None:
    assert pieces(qwen3, "2026-09-12") == list("2026-09-12")


def test_four_spaces_take_rule_0_twice_and_then_rule_1(qwen3: Tokenizer) -> None:
    assert replay(qwen3, "ĠĠĠĠ") == [("Ġ", "Ġ", 0), ("Ġ", "Ġ", 0), ("ĠĠ", "ĠĠ", 1)]


def replay(tokenizer: Tokenizer, piece: str) -> list[tuple[str, str, int]]:
    """(left, right, number of the rule) of each merge, as a tokenizer.json numbers the rules."""
    model = tokenizer.model.component
    steps = model.trace(piece).steps
    rules = model.rules
    return [(*(model.strings[part] for part in rules.pair(step.rank)), rules.number(step.rank)) for step in steps]


def test_replay_of_castanha_goes_by_rank(qwen3: Tokenizer) -> None:
    assert replay(qwen3, "Ġcastanha") == [
        ("s", "t", 11),
        ("Ġ", "c", 16),
        ("a", "n", 20),
        ("a", "st", 303),
        ("h", "a", 3967),
        ("Ġc", "ast", 6055),
    ]
    assert qwen3.encode(" castanha").tokens == ["Ġcast", "an", "ha"]
    assert qwen3.encode(" castanha").ids == [6311, 276, 4223]


def test_replay_of_the_takes_three_steps(qwen3: Tokenizer) -> None:
    assert [number for _, _, number in replay(qwen3, "Ġthe")] == [3, 14, 23]
    assert qwen3.encode(" the").ids == [279]


def test_a_rocket_alone_is_one_token_and_after_a_space_three(qwen3: Tokenizer) -> None:
    assert qwen3.encode("🚀").ids == [145836]
    assert qwen3.encode(" 🚀").tokens == ["ĠðŁ", "ļ", "Ģ"]
    assert replay(qwen3, "ĠðŁļĢ")[-1] == ("Ġ", "ðŁ", 10906)
    assert rule_number(qwen3, "ðŁ", "ļ") == 123590
    assert rule_number(qwen3, "ĠðŁ", "ļ") is None
    assert qwen3.encode(" 🚀").ids == [11162, 248, 222]


def rule_number(tokenizer: Tokenizer, left: str, right: str) -> int | None:
    model = tokenizer.model.component
    rank = model.rules[pair_key(model.vocab[left], model.vocab[right])]
    return None if rank == NO_RULE else model.rules.number(rank)


def test_rule_1697_makes_a_acute(qwen3: Tokenizer) -> None:
    assert replay(qwen3, "Ã¡") == [("Ã", "¡", 1697)]


@pytest.mark.parametrize(
    ("text", "characters", "count_bytes", "words", "tokens"),
    [
        pytest.param(ENGLISH, 64, 64, 13, 14, id="English"),
        pytest.param(
            *("A rápida raposa castanha salta sobre o cão preguiçoso perto da margem do rio.", 77, 80, 14, 25),
            id="Portuguese",
        ),
        pytest.param(
            *("El rápido zorro marrón salta sobre el perro perezoso cerca de la orilla del río.", 80, 83, 15, 25),
            id="Spanish",
        ),
        pytest.param(
            "Быстрая коричневая лиса прыгает через ленивую собаку у берега реки.", 67, 124, 10, 29, id="Russian"
        ),
        pytest.param("तेज़ भूरी लोमड़ी नदी के किनारे आलसी कुत्ते के ऊपर कूदती है।", 59, 155, 12, 58, id="Hindi"),
        pytest.param("素早い茶色の狐が川岸の近くで怠け者の犬を飛び越える。", 26, 78, 1, 21, id="Japanese"),
        pytest.param("1969 2026-09-12 3.14159 1,000,000", 33, 33, 4, 33, id="numbers"),
    ],
)
def test_one_sentence_in_many_forms(
    qwen3: Tokenizer, text: str, characters: int, count_bytes: int, words: int, tokens: int
) -> None:
    assert (len(text), len(text.encode()), len(text.split()), len(qwen3.encode(text))) == (
        *(characters, count_bytes),
        *(words, tokens),
    )


def test_offsets_of_the_fox_sentence(qwen3: Tokenizer) -> None:
    text = "A raposa preguiçosa: 1969 🚀"
    encoding = qwen3.encode(text, add_special_tokens=False)
    assert pieces(qwen3, text) == ["A", "Ġraposa", "ĠpreguiÃ§osa", ":", "Ġ", "1", "9", "6", "9", "ĠðŁļĢ"]
    assert list(zip(encoding.ids, encoding.offsets, strict=True)) == [
        (32, (0, 1)),
        (7327, (1, 5)),
        (11983, (5, 8)),
        (855, (8, 12)),
        (19109, (12, 15)),
        (3131, (15, 16)),
        (11983, (16, 19)),
        (25, (19, 20)),
        (220, (20, 21)),
        (16, (21, 22)),
        (24, (22, 23)),
        (21, (23, 24)),
        (24, (24, 25)),
        (11162, (25, 27)),
        (248, (26, 27)),
        (222, (26, 27)),
    ]


def test_stages_of_qwen3_in_order(qwen3: Tokenizer) -> None:
    trace = qwen3.trace("a")
    components = [stage.component for stage in (*trace.text_stages, *trace.token_stages)]
    assert components == ["", "raw", "NFC", "Split", "ByteLevel", "BPE", "ByteLevel"]


def test_typed_control_tokens_match_unless_split(qwen3: Tokenizer) -> None:
    assert qwen3.encode("<|im_start|>user").ids == [151644, 872]
    split = qwen3.encode("<|im_start|>user", split_special_tokens=True)
    assert len(split.ids) == 7
    assert max(split.ids) < 151_643


def test_think_and_tool_call_are_added_but_not_special(qwen3: Tokenizer) -> None:
    specials = {token.content: token.special for token in qwen3.added_tokens.values()}
    assert sorted(qwen3.added_tokens) == list(range(151_643, 151_669))
    assert (specials["<think>"], specials["<tool_call>"], specials["<|im_start|>"]) == (False, False, True)
