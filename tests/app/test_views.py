"""Encoding → what is drawn: visible text, clusters, figures, stages."""

import json
from itertools import pairwise
from typing import Any

import pytest
from flask import Flask

from app.board import board
from app.counts import Counts
from app.examples import BY_NAME, EXAMPLES
from app.views.chips import COLOURS, Chunk, chunk, cluster_ends, token_facts
from app.views.figures import figures, meaning
from app.views.pipeline import pipeline_view
from app.views.stage_words import COMPONENT_WORDS, KIND_WORDS, stage_words
from app.views.visible import is_right_to_left, spoken, visible_runs
from tests.browser.pages import TINY_BERT
from tokcore import decoders, models, normalizers, postprocessors, pretokenizers
from tokcore.pipeline import Tokenizer
from tokcore.spans import Span
from tokcore.tokens import Encoding, Origin, Token
from tokcore.truncation import Strategy


@pytest.fixture(scope="module")
def qwen3(app: Flask) -> Tokenizer:
    return board(app).catalogue.tokenizer("qwen3")


def drawn(text: str) -> list[tuple[str, str]]:
    return [(run.kind.value, run.sign) for run in visible_runs(text)]


def token(value: str, span: Span | None, origin: Origin = Origin.MODEL, raw: bytes | None = None) -> Token:
    return Token(7, value, value.encode() if raw is None else raw, span, origin, piece=0)


def shown(found: Chunk) -> list[str]:
    """Each cluster as text, parts of a shared character behind a bar."""
    result = []
    for cluster in found.clusters:
        signs = ["".join(run.sign for run in runs) for runs in (cluster.glyphs, *(chip.runs for chip in cluster.chips))]
        result.append("|".join(signs) if cluster.is_shared else signs[1])
    return result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("the", [("text", "the")], id="plain"),
        pytest.param(" a", [("sp", "·"), ("text", "a")], id="space"),
        pytest.param("a\n\tb", [("text", "a"), ("nl", "⏎"), ("tab", "⇥"), ("text", "b")], id="newline and tab"),
        pytest.param("\x00\r", [("nm", "NUL"), ("nm", "CR")], id="control"),
        pytest.param("\u00a0\u200d\ufeff\u200f", [("nm", n) for n in ("NBSP", "ZWJ", "BOM", "RLM")], id="invisible"),
        pytest.param("\u2067\u202e\u2069", [("nm", n) for n in ("RLI", "RLO", "PDI")], id="bidirectional"),
        pytest.param("❤\ufe0f", [("text", "❤"), ("nm", "VS16")], id="variation selector"),
        pytest.param("\u0301", [("mk", "◌\u0301")], id="lone mark"),
        pytest.param("e\u0301", [("text", "e\u0301")], id="mark on its letter"),
        pytest.param(" \u0301x", [("sp", "·"), ("mk", "◌\u0301"), ("text", "x")], id="mark after a space"),
        pytest.param("\ue000\U000e0067", [("nm", "U+E000"), ("nm", "U+E0067")], id="private use and tag"),
        pytest.param("\ufffd", [("text", "\ufffd")], id="a replacement character is a character"),
        pytest.param("", [], id="empty"),
    ],
)
def test_every_hidden_character_gets_a_sign_or_a_name(text: str, expected: list[tuple[str, str]]) -> None:
    assert drawn(text) == expected


@pytest.mark.parametrize("text", ["a b\n", "\x00\u200d e\u0301", "\u0301\u0301", "שלום \u200f!", "👨\u200d👩"])
def test_the_texts_of_the_runs_joined_are_the_text(text: str) -> None:
    assert "".join(run.text for run in visible_runs(text)) == text


def test_a_screen_reader_hears_names_of_what_cannot_be_seen() -> None:
    assert spoken(visible_runs(" a\u200d")) == "space a zero width joiner U+200D"


def test_direction_is_that_of_the_first_character_that_has_one() -> None:
    assert [is_right_to_left(text) for text in (" ש", "a ש", "12 ع", "…")] == [True, False, True, False]


def test_clusters_are_the_tokens_whose_spans_overlap() -> None:
    spans = [Span(0, 1), Span(1, 3), Span(2, 3), None, Span(3, 4)]
    assert list(cluster_ends([token("x", span) for span in spans], 0)) == [1, 3, 4, 5]


def test_a_token_that_sticks_out_on_both_sides_joins_all_it_touches() -> None:
    spans = [Span(0, 2), Span(1, 3), Span(2, 4), Span(4, 5)]
    assert list(cluster_ends([token("x", span) for span in spans], 0)) == [3, 4]


def test_an_endless_cluster_is_cut() -> None:
    ends = list(cluster_ends([token("x", Span(0, 1))] * 200, 0))
    assert ends == [64, 128, 192, 200]


def test_text_that_no_token_covers_is_shown_as_dropped() -> None:
    encoding = Encoding("a  b ", (token("a", Span(0, 1)), token("b", Span(3, 4))))
    found = chunk(encoding, 0, 10, ())
    dropped = ["".join(run.text for run in runs) for runs in (*(c.dropped for c in found.clusters), found.dropped)]
    assert dropped == ["", "  ", " "]


def test_what_a_normalizer_composed_is_not_called_dropped() -> None:
    encoding = Encoding("e\u0301!", (token("Ã©", Span(0, 1), raw="é".encode()), token("!", Span(2, 3))))
    found = chunk(encoding, 0, 10, ())
    assert shown(found) == ["e\u0301", "!"]
    assert [cluster.dropped for cluster in found.clusters] == [(), ()]


def test_a_token_of_the_template_shows_its_stored_form_in_its_own_style() -> None:
    encoding = Encoding("a", (token("<s>", None, Origin.TEMPLATE), token("a", Span(0, 1))))
    chips = [cluster.chips[0] for cluster in chunk(encoding, 0, 10, ()).clusters]
    assert [(chip.runs[0].sign, chip.css, chip.at) for chip in chips] == [
        ("<s>", "t add tpl", "0 0    3c733e"),
        ("a", "t k1", "1 0 0-1 0-1 0-1 61"),
    ]


def test_neighbours_never_have_the_same_colour() -> None:
    entries = tuple(token("x", Span(index, index + 1)) for index in range(20))
    css = [cluster.chips[0].css for cluster in chunk(Encoding("x" * 20, entries), 0, 99, ()).clusters]
    assert COLOURS >= 5
    assert all(left != right for left, right in pairwise(css))


def test_chunks_follow_one_another_without_gap_and_never_cut_a_cluster(qwen3: Tokenizer) -> None:
    encoding = qwen3.encode("🚀 🚀 a 🚀 नमस्ते " * 30)
    start, joined, stops = 0, [], []
    while start < len(encoding):
        found = chunk(encoding, start, 7, ())
        joined += shown(found)
        start = found.stop
        stops.append(start)
    assert joined == shown(chunk(encoding, 0, 10_000, ()))
    assert set(stops) <= set(cluster_ends(encoding.entries, 0))


def test_three_tokens_inside_one_character_are_one_glyph_with_three_parts(qwen3: Tokenizer) -> None:
    found = chunk(qwen3.encode("A raposa preguiçosa: 1969 🚀"), 0, 99, ())
    assert shown(found)[-1] == "·🚀|20 F0 9F|9A|80"
    assert found.clusters[-1].label == "space 🚀: one stretch in 3 tokens"


def test_facts_are_the_lesson_offsets_in_three_units(qwen3: Tokenizer) -> None:
    encoding = qwen3.encode("A raposa preguiçosa: 1969 🚀")
    facts = token_facts(encoding, 0, len(encoding), ())
    assert [(fact.id, *(fact.characters or ())) for fact in facts] == [
        *((32, 0, 1), (7327, 1, 5), (11983, 5, 8), (855, 8, 12), (19109, 12, 15), (3131, 15, 16), (11983, 16, 19)),
        *((25, 19, 20), (220, 20, 21), (16, 21, 22), (24, 22, 23), (21, 23, 24), (24, 24, 25)),
        *((11162, 25, 27), (248, 26, 27), (222, 26, 27)),
    ]
    assert [(fact.utf8, fact.utf16, fact.text) for fact in facts[-3:]] == [
        ((26, 31), (25, 28), None),
        ((27, 31), (26, 28), None),
        ((27, 31), (26, 28), None),
    ]


def test_right_to_left_chips_say_so(qwen3: Tokenizer) -> None:
    chips = [c for cluster in chunk(qwen3.encode("a שלום"), 0, 99, ()).clusters for c in cluster.chips]
    assert [chip.right_to_left for chip in chips] == [False, *[True] * (len(chips) - 1)]


def test_added_tokens_are_special_only_where_the_file_says_so(qwen3: Tokenizer) -> None:
    encoding = qwen3.encode("<|im_start|>user<think>")
    special = {id for id, added in qwen3.added_tokens.items() if added.special}
    assert [(fact.id, fact.kind) for fact in token_facts(encoding, 0, len(encoding), special)] == [
        (151644, "special"),
        (872, "model"),
        (151667, "added"),
    ]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("english", ["14", "64", "64", "13", "4.57", "1.08"]),
        ("portuguese", ["25", "77", "80", "14", "3.20", "1.79"]),
        ("numbers", ["33", "33", "33", "4", "1.00", "8.25"]),
    ],
)
def test_examples_give_the_lesson_figures(name: str, values: list[str], qwen3: Tokenizer) -> None:
    text = BY_NAME[name].text
    assert [figure.value for figure in figures(Counts.of(text, len(qwen3.encode(text))))] == values


def test_a_script_without_spaces_has_no_tokens_per_word(qwen3: Tokenizer) -> None:
    text = "素早い茶色の狐が川岸の近くで怠け者の犬を飛び越える。"
    found = figures(Counts.of(text, len(qwen3.encode(text))))
    assert [(figure.value, bool(figure.note)) for figure in found][-2:] == [("3.71", False), ("–", True)]


def test_the_first_example_is_true(qwen3: Tokenizer) -> None:
    pieces = shown(chunk(qwen3.encode(BY_NAME["first-look"].text), 0, 99, ()))
    start = pieces.index("1")
    assert pieces[:2] == ["Common", "·words"]
    assert pieces[start : start + 4] == ["1", "9", "6", "9"]
    assert "·🚀|20 F0 9F|9A|80" in pieces


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        (Counts.of("", 0), "No tokens yet: type or paste a text, or choose an example."),
        (Counts.of("a", 1), "All of it is one token."),
        (Counts.of("1969", 4), "X is costly here: every character is a token of its own."),
        (Counts.of("a" * 64, 14), "X is costly here: words are cut into about 14 tokens each."),
        (Counts.of("नमस्", 8), "X is costly here: every character takes about two tokens."),
        (Counts.of("the the the", 3), "X is cheap here: most words are one token."),
        (
            Counts.of("some " * 6, 11),
            "Neither cheap nor costly here: some words are whole, others are cut in two or three.",
        ),
    ],
)
def test_the_figures_are_said_in_one_sentence(counts: Counts, sentence: str) -> None:
    assert meaning(counts, "X") == sentence


@pytest.mark.parametrize("name", [example.name for example in EXAMPLES])
def test_the_sentence_repeats_no_figure(name: str, qwen3: Tokenizer) -> None:
    counts = Counts.of(BY_NAME[name].text, len(qwen3.encode(BY_NAME[name].text)))
    sentence = meaning(counts, BY_NAME[name].subject)
    assert [figure.value for figure in figures(counts) if figure.value in sentence.split()] == []
    assert "dear" not in sentence


TABLES = {
    "normalizer": normalizers.TABLE,
    "pre-tokenizer": pretokenizers.TABLE,
    "model": models.TABLE,
    "post-processor": postprocessors.TABLE,
    "decoder": decoders.TABLE,
    "truncation": [strategy.value for strategy in Strategy],
    "padding": ["BatchLongest", "Fixed"],
}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, table in TABLES.items() for name in table])
def test_every_component_has_words(kind: str, name: str) -> None:
    words = stage_words(name, kind)
    assert words.endswith(".")
    assert words != KIND_WORDS[kind]


def test_no_words_stand_for_a_component_that_is_not_there() -> None:
    assert [(kind, name) for kind, words in COMPONENT_WORDS.items() for name in words if name not in TABLES[kind]] == []


def built(**parts: Any) -> Tokenizer:
    return Tokenizer.from_str(json.dumps({"version": "1.0", "added_tokens": [], **parts}))


def test_word_piece_with_tokens_around_and_padding() -> None:
    encoding = built(**TINY_BERT).encode("Unbelievable so ")
    found = chunk(encoding, 0, 99, ())
    assert shown(found) == ["[CLS]", "Un", "belie", "vable", "so", "[SEP]", "[PAD]", "[PAD]"]
    chips = [cluster.chips[0] for cluster in found.clusters]
    assert [chip.facts.token for chip in chips[1:4]] == ["un", "##belie", "##vable"]
    assert [chip.css.removeprefix("t ") for chip in chips] == [
        *("add tpl", "k1", "k2", "k3", "k4", "add tpl", "add tpl pad", "add tpl pad")
    ]
    assert [chip.facts.kind for chip in chips] == ["template", *["model"] * 4, "template", "padding", "padding"]
    assert [chip.facts.characters for chip in chips[5:]] == [None] * 3
    # What was dropped behind the last word stands before the tokens that are not in the text.
    assert [bool(cluster.dropped) for cluster in found.clusters] == [*[False] * 4, True, True, False, False]
    assert found.dropped == ()


def test_truncation_and_padding_are_stages_with_an_outcome() -> None:
    limits = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
    tokenizer = built(**TINY_BERT, truncation=limits)
    rows = {stage.name: stage.outcome for stage in pipeline_view(tokenizer.trace("unbelievable so"), {}).stages}
    assert (rows["truncation"], rows["post-processor"], rows["padding"]) == (
        *("Cut off 2.", "Placed 2.", "Filled up with 4."),
    )
    # The text that was cut off is still seen, struck through, before what closes the tokens.
    found = chunk(tokenizer.encode("unbelievable so"), 0, 99, ())
    dropped = ["".join(run.text for run in cluster.dropped) for cluster in found.clusters]
    assert dropped == ["", "", "", "vable so", "", "", "", ""]


def test_a_unigram_model_shows_the_text_and_keeps_its_own_form_for_the_card() -> None:
    tokenizer = built(
        pre_tokenizer={"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        model={
            **{"type": "Unigram", "unk_id": 0, "byte_fallback": False},
            "vocab": [["<unk>", 0.0], ["▁the", -1.0], ["▁", -3.0], ["fo", -2.0], ["x", -2.0]],
        },
    )
    facts = token_facts(tokenizer.encode("the fox"), 0, 4, ())
    assert [(fact.token, fact.text, fact.raw) for fact in facts][:1] == [("▁the", "the", facts[0].raw)]
    assert [fact.token for fact in facts] == ["▁the", "▁", "fo", "x"]
    assert shown(chunk(tokenizer.encode("the fox"), 0, 99, ())) == ["the", "·", "fo", "x"]


def test_stages_are_named_in_order_and_end_in_the_ids(qwen3: Tokenizer) -> None:
    text = "cafe\u0301 <|im_end|>"
    stages = pipeline_view(qwen3.trace(text), qwen3.components).stages
    assert [(stage.component or stage.name, stage.pointer) for stage in stages] == [
        ("text", ""),
        ("added tokens", "/added_tokens"),
        ("NFC", "/normalizer"),
        ("Split", "/pre_tokenizer/pretokenizers/0"),
        ("ByteLevel", "/pre_tokenizer/pretokenizers/1"),
        ("BPE", "/model"),
        ("ByteLevel", "/post_processor"),
        ("ids", ""),
    ]
    assert [piece.parts[0].runs[0].sign for piece in stages[-1].pieces] == list(map(str, qwen3.encode(text).ids))


def test_the_stages_are_compared_with_the_chips(qwen3: Tokenizer) -> None:
    trace, other = qwen3.trace("some text"), qwen3.encode("other text")
    assert pipeline_view(trace, qwen3.components, expected=qwen3.encode("some text")).agrees is True
    assert pipeline_view(trace, qwen3.components, expected=other).agrees is False
    assert pipeline_view(trace, qwen3.components, cut_at=9).agrees is None


def test_the_normalizer_row_marks_what_it_changed(qwen3: Tokenizer) -> None:
    stages = pipeline_view(qwen3.trace("cafe\u0301 x"), qwen3.components).stages
    row = next(stage for stage in stages if stage.component == "NFC")
    assert row.outcome == "Changed in 1 place: U+0065 U+0301 → U+00E9."
    parts = [("".join(run.text for run in part.runs), part.state) for part in row.pieces[0].parts]
    assert parts == [("caf", ""), ("é", "changed"), (" x", "")]


def test_a_stage_that_changes_nothing_says_so_and_repeats_nothing(qwen3: Tokenizer) -> None:
    stages = pipeline_view(qwen3.trace("plain"), qwen3.components).stages
    rows = {stage.component or stage.name: (stage.outcome, stage.pieces) for stage in stages}
    assert rows["NFC"] == ("Nothing changed.", ())
    assert rows["added tokens"] == ("None found.", ())
    # The last ByteLevel is the post-processor.
    assert rows["ByteLevel"] == ("No tokens placed.", ())


def test_the_pieces_are_those_of_the_lesson(qwen3: Tokenizer) -> None:
    stages = pipeline_view(qwen3.trace("A raposa preguiçosa: 1969 🚀"), qwen3.components).stages
    row = next(stage for stage in stages if stage.pointer.endswith("/1"))
    pieces = ["".join(run.sign for part in piece.parts for run in part.runs) for piece in row.pieces]
    assert pieces == ["A", "Ġraposa", "ĠpreguiÃ§osa", ":", "Ġ", "1", "9", "6", "9", "ĠðŁļĢ"]
