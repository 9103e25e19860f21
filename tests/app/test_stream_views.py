"""A stream as drawn: sentences, columns, the message, waits, cells; and what boxes of text are read as."""

import json
from dataclasses import replace

import pytest
from flask import Flask

from app.board import board
from app.settings import Settings
from app.stream_input import CUTS, StreamForm
from app.stream_request import Reader, delta_sizes, read, stop_strings, tool_definitions, typed_ids
from app.stream_runs import BLOCK_STEPS, RUN_SECONDS, RUNS_LIMIT, Run, Runs, run, steps_of
from app.stream_runs import clipped as clipped_held
from app.stream_samples import FIRST, SAMPLES
from app.views.stream_choices import CUT_TITLES, FORMAT_TITLES, NUMBER_TITLES, STRATEGY_TITLES, STRATEGY_WORDS
from app.views.stream_compare import compare_view, compared, differing, texts_of
from app.views.stream_fuzz import form_of
from app.views.stream_lanes import byte_runs, columns, names_of, visible_json
from app.views.stream_message import clipped, is_json, message_parts
from app.views.stream_page import WINDOW_STEPS, step_number, window_view
from app.views.stream_words import quote, sentence
from tokcore.cut_fuzzer import cuts_of
from tokcore.deltas import join_deltas
from tokcore.generation import STRATEGIES, Held, Stream, StreamSettings, StreamStep, replay
from tokcore.parsing import FORMATS, Kind, ParseEvent
from tokcore.pipeline import Tokenizer
from tokcore.spans import Span


@pytest.fixture(scope="module")
def qwen3(app: Flask) -> Tokenizer:
    return board(app).catalogue.tokenizer("qwen3")


def step(events: tuple[ParseEvent, ...] = (), held: tuple[Held, ...] = (), ids: tuple[int, ...] = (1,), **more: str):
    return StreamStep(0, 0, ids, "", events, (), held, **more)


def content(text: str, at: int = 0) -> ParseEvent:
    return ParseEvent(Kind.CONTENT, text, None, Span(at, at + len(text)))


def dropped(text: str, note: str, at: int = 0) -> ParseEvent:
    return ParseEvent(Kind.DROPPED, text, None, Span(at, at + len(text)), note)


@pytest.mark.parametrize(
    ("made", "tokens", "said"),
    [
        pytest.param(step((content("Hi"),)), ["Hi"], "“Hi” came: “Hi” goes out as content.", id="out"),
        pytest.param(
            step(held=(Held("bytes", "", b"\xf0\x9f", "2 of 4 bytes of a character"),)),
            ["<F0><9F>"],
            "“<F0><9F>” came: nothing goes out; held: 2 of 4 bytes of a character.",
            id="bytes held",
        ),
        pytest.param(
            step(held=(Held("markup", "{", b"", "it may become a call"),)),
            ["{"],
            "“{” came: nothing goes out; held: “{” (it may become a call).",
            id="the reason does not name the text",
        ),
        pytest.param(
            step((ParseEvent(Kind.CALL, "f", 0, Span(0, 9)), ParseEvent(Kind.ARGUMENTS, "{", 0, Span(9, 10)))),
            ["a", "b"],
            "2 tokens came, “ab”: call 0 begins, its name “f” goes out; “{” goes out as arguments of call 0.",
            id="call",
        ),
        pytest.param(
            step((dropped("<a>", "marker"), dropped("\n", "formatting", 3), dropped("<b>", "marker", 4))),
            [""],
            "A token without text came: nothing goes out; “<a>…<b>” is dropped, markup; “⏎” is dropped, formatting.",
            id="dropped, by reason",
        ),
        pytest.param(
            step((content("a"), dropped("END", "stop", 1), dropped("x", "after the stop", 4)), stopped="END"),
            ["aENDx"],
            "“aENDx” came: “a” goes out as content; “END” is dropped, the stop string; “x” is dropped, after the stop; "
            "the stop “END” is complete, so the answer ends here.",
            id="stop",
        ),
        pytest.param(step(ids=()), [], "The model has ended: nothing more goes out.", id="end"),
        pytest.param(
            step((ParseEvent(Kind.CALL_END, "", 1, Span(3, 3), "cut off"),), ids=()),
            [],
            "The model has ended: call 1 ends (cut off).",
            id="cut off",
        ),
    ],
)
def test_a_step_says_in_one_sentence_what_came_what_went_out_and_what_is_held(
    made: StreamStep, tokens: list[str], said: str
) -> None:
    assert sentence(made, tokens) == said


def test_a_long_quotation_is_cut_and_says_so() -> None:
    assert quote("x" * 500) == f"“{'x' * 48}…”"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.title)
def test_every_character_of_a_sample_is_in_some_lane(qwen3: Tokenizer, sample) -> None:
    asked = read(sample.with_tokenizer("qwen3"), qwen3, Settings())
    done = replay(qwen3, asked.ids, asked.settings, asked.sizes)
    lanes = columns(done.steps, qwen3, asked.settings)
    for made, column in zip(done.steps, lanes, strict=True):
        texts = ["".join(run.text for run in part.runs) for part in (*column.out, *column.dropped)]
        assert sorted(texts) == sorted(event.text for event in made.events if event.text)
        assert len(column.tokens) == len(made.ids)
        assert [json.loads(delta) for delta in column.deltas] == list(made.deltas)
        assert len(column.held) == len(made.held)
    assert [column.number for column in lanes] == list(range(1, len(lanes) + 1))


def test_the_bytes_of_a_column_are_those_of_its_tokens_the_last_ones_held(qwen3: Tokenizer) -> None:
    done = replay(qwen3, qwen3.encode_ids("a 🧑"), StreamSettings(tools=None))
    marks = [
        [(byte.hex, byte.held) for byte in column.bytes] for column in columns(done.steps, qwen3, StreamSettings())
    ]
    assert marks == [
        [("61", False)],
        [("20", False), ("F0", True), ("9F", True)],
        [("A7", True)],
        [("91", False)],
        [],
    ]


def test_a_special_token_that_is_skipped_has_no_bytes_and_one_that_is_kept_has(qwen3: Tokenizer) -> None:
    ids = qwen3.encode_ids("a<|im_end|>")
    for skip, expected in ((True, 0), (False, len("<|im_end|>"))):
        settings = StreamSettings(tools=None, skip_special_tokens=skip)
        column = columns(replay(qwen3, ids, settings).steps, qwen3, settings)[1]
        assert len(column.bytes) == expected and column.tokens[0].css == "t add"


def test_a_step_of_thousands_of_tokens_stays_a_column(qwen3: Tokenizer) -> None:
    ids = qwen3.encode_ids("word " * 3_000)
    (whole, _end) = columns(replay(qwen3, ids, StreamSettings(), [len(ids)]).steps, qwen3, StreamSettings())
    assert len(whole.tokens) + whole.more_tokens == len(ids) and len(whole.tokens) < 60
    assert whole.out[0].more == 15_000 - 600


def test_bytes_that_are_no_character_are_drawn_as_digits() -> None:
    drawn = [(run.kind.value, run.sign) for run in byte_runs("é".encode() + b"\xff\n")]
    assert drawn == [("text", "é"), ("nm", "FF"), ("nl", "⏎")]


@pytest.mark.parametrize("text", ["a\u200db", "\x7f", "\u2028", "\U000e0101", "\ufeff", 'q"\\', "\u00a0", "🧑"])
def test_json_of_a_delta_shows_hidden_characters_and_is_still_that_delta(text: str) -> None:
    written = visible_json({"content": text})
    assert json.loads(written) == {"content": text}
    assert text == "🧑" or text in ('q"\\',) or text not in written


def test_hidden_characters_are_named_for_the_browser() -> None:
    assert names_of("a\u200d\n b") == {"\u200d": ("ZWJ", "zero width joiner U+200D")}


def test_the_message_has_its_parts_in_order_and_says_whether_arguments_are_json() -> None:
    calls = [{"index": 0, "id": "call_0", "function": {"name": "f", "arguments": "{}"}}]
    parts = message_parts({"tool_calls": calls, "content": "c", "reasoning_content": "r"})
    assert [part.title for part in parts] == ["reasoning", "content", "call 0: f"]
    assert parts[2].note == "id call_0, arguments are JSON"
    assert not is_json('{"a') and not is_json("[" * 100_000)


def test_a_long_message_is_clipped_at_its_beginning_and_the_rest_counted() -> None:
    calls = [{"index": 3, "id": "x", "function": {"name": "f", "arguments": "y" * 2_000}}]
    kept = clipped({"content": "x" * 9_999 + "z", "tool_calls": calls})
    assert kept["omitted"] == {"content": 8_500, "call 3": 500}
    assert kept["message"]["content"].endswith("xz") and len(kept["message"]["content"]) == 1_500
    assert calls[0]["function"]["arguments"] == "y" * 2_000


def stored(qwen3: Tokenizer, text: str, **settings: str) -> tuple[Run, list[StreamStep]]:
    asked = read(StreamForm("qwen3", text=text, **settings), qwen3, Settings())
    return run(qwen3, "qwen3", asked), list(steps_of(Stream(qwen3, asked.settings), asked.ids, asked.sizes))


def test_a_run_gives_every_step_back_as_the_engine_made_it(qwen3: Tokenizer) -> None:
    kept, steps = stored(qwen3, "word and word, " * 150, format="none")
    assert len(steps) > 3 * BLOCK_STEPS
    assert kept.steps(0, len(steps)) == steps
    for start, stop in ((0, 1), (127, 129), (200, 300), (len(steps) - 1, len(steps) + 50)):
        assert kept.steps(start, stop) == steps[start:stop]
    for at in (0, 1, 127, 128, 129, 400):
        expected = join_deltas(delta for made in steps[:at] for delta in made.deltas)
        assert kept.message_before(at) == expected


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.title)
def test_a_run_is_the_engine_s_replay(qwen3: Tokenizer, sample) -> None:
    asked = read(sample.with_tokenizer("qwen3"), qwen3, Settings())
    kept, done = run(qwen3, "qwen3", asked), replay(qwen3, asked.ids, asked.settings, asked.sizes)
    clipped_steps = [replace(made, held=tuple(map(clipped_held, made.held))) for made in done.steps]
    assert kept.steps(0, kept.totals.steps) == clipped_steps
    assert (kept.message, kept.finish_reason, kept.used) == (done.message, done.finish_reason, done.used)
    events = [event for made in done.steps for event in made.events]
    out = sum(len(event.text) for event in events if event.kind is not Kind.DROPPED)
    assert (kept.totals.out_characters, kept.totals.deltas) == (out, sum(bool(made.ids) for made in done.steps))


def test_a_stream_that_takes_too_long_is_cut_off_where_it_is(qwen3: Tokenizer) -> None:
    asked = read(StreamForm("qwen3", text="word " * 1_000, format="none"), qwen3, Settings())
    ticks = iter([0.0, RUN_SECONDS - 1, RUN_SECONDS + 1])
    kept = run(qwen3, "qwen3", asked, clock=lambda: next(ticks))
    assert kept.cut_at == kept.totals.steps == kept.totals.ids == 2 * BLOCK_STEPS
    assert kept.message["content"] == ("word " * 256).rstrip() and kept.finish_reason == "length"


def test_what_is_held_long_is_kept_by_its_beginning(qwen3: Tokenizer) -> None:
    kept, steps = stored(qwen3, '<tool_call>{"x": "' + "abc " * 300)
    (held,) = steps[-2].held
    assert held.text == ('<tool_call>{"x": "' + "abc " * 300)[:240]
    assert "the first 240 of 1,21" in held.reason and kept.message["content"].endswith("abc ")


def test_runs_are_kept_within_bounds_and_for_a_while(qwen3: Tokenizer) -> None:
    now = [0.0]
    runs = Runs(clock=lambda: now[0])
    kept, _ = stored(qwen3, "a")
    for number in range(RUNS_LIMIT + 5):
        runs.put(str(number), kept)
    assert [runs.get(str(number)) is None for number in (0, 4, 5, RUNS_LIMIT + 4)] == [True, True, False, False]
    now[0] = 601.0
    assert runs.get("50") is None


def test_a_window_holds_the_step_asked_for_wherever_it_is(qwen3: Tokenizer) -> None:
    kept, steps = stored(qwen3, "word " * 400, format="none")
    for at in (1, 2, 41, 42, 200, len(steps) - 1, len(steps)):
        view = window_view("", at, kept, qwen3)
        assert view.start <= at <= view.stop and view.current.number == at
        assert len(view.columns) == WINDOW_STEPS
        base = json.loads(view.base)
        deltas = [json.loads(delta) for column in view.columns for delta in column.deltas]
        start = steps[view.start - 1].start
        assert join_deltas([kept.message_before(view.start - 1), *deltas])["content"].startswith("word word")
        assert len(base["message"].get("content", "")) + base["omitted"].get("content", 0) == len("word ") * start - (
            1 if start else 0
        )


def test_the_step_number_is_read_leniently() -> None:
    assert [step_number(typed, 5) for typed in ("", " 3 ", "0", "6", "٣", "3.5")] == [5, 3, 1, 5, 5, 5]


@pytest.mark.parametrize(
    ("box", "stops"),
    [
        ("", ()),
        ("END", ("END",)),
        ("a\n\nb\n", ("a", "b")),
        ("\\n\\nUser:", ("\n\nUser:",)),
        ('say "hi"', ('say "hi"',)),
        ('" "', (" ",)),
        (" x ", (" x ",)),
        ("tab\there", ("tab\there",)),
        ('["a", "\\n", "]"]', ("a", "\n", "]")),
        ("[TOOL]", ("[TOOL]",)),
        ('\\"', ('"',)),
        ("\\\\", ("\\",)),
        ("\\u00e9", ("é",)),
        ("✿END✿", ("✿END✿",)),
    ],
)
def test_stops_are_read_one_a_line_with_escapes_or_as_a_list(box: str, stops: tuple[str, ...]) -> None:
    reader = Reader()
    assert stop_strings(box, reader) == stops
    assert reader.problems == {}


def test_a_bad_stop_leaves_the_others() -> None:
    reader = Reader()
    assert stop_strings('""\n\\q\nok', reader) == ("ok",)
    assert list(reader.problems) == ["stops"]


def test_tool_definitions_are_a_list_or_one(qwen3: Tokenizer) -> None:
    one = {"type": "function", "function": {"name": "f", "parameters": {}}}
    assert tool_definitions(json.dumps(one), Reader()) == tool_definitions(json.dumps([one]), Reader()) == (one,)
    reader = Reader()
    assert tool_definitions("[" + ",".join([json.dumps(one)] * 201) + "]", reader) == ()
    assert "201 tools; the limit is 200" in reader.problems["definitions"].what


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("1 2 3", (1, 2, 3)),
        ("[1,2,\n3]", (1, 2, 3)),
        ("ids=1;2|3", (1, 2, 3)),
        ("1-3", (1, 3)),
        ("", ()),
    ],
)
def test_ids_stand_apart_by_anything(qwen3: Tokenizer, text: str, ids: tuple[int, ...]) -> None:
    reader = Reader()
    assert typed_ids(text, qwen3, Settings(), reader) == ids
    assert reader.problems == {}


def test_a_text_without_a_number_is_no_list_of_ids(qwen3: Tokenizer) -> None:
    reader = Reader()
    assert typed_ids("hello", qwen3, Settings(), reader) == ()
    assert "no number" in reader.problems["text"].what


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("count", [0, 1, 2, 17])
def test_the_sizes_of_every_cut_sum_to_the_ids(cut: str, count: int) -> None:
    reader = Reader()
    sizes = delta_sizes(StreamForm("", cut=cut), count, reader)
    assert sum(sizes) == count and 0 not in sizes and reader.problems == {}


def test_each_cell_of_the_fuzzer_names_the_form_that_makes_its_cut() -> None:
    for cut in cuts_of(23, random_cuts=20)[0]:
        kind, number = form_of(cut)
        assert delta_sizes(StreamForm("", cut=kind, n=number), 23, Reader()) == cut.sizes


def test_every_format_strategy_and_cut_has_its_words() -> None:
    assert set(FORMATS) <= set(FORMAT_TITLES)
    assert set(STRATEGIES) == set(STRATEGY_TITLES) == set(STRATEGY_WORDS)
    assert set(CUTS) == set(CUT_TITLES) == set(NUMBER_TITLES)


@pytest.mark.parametrize(
    ("ours", "theirs", "marked"),
    [
        ("abc", "abc", []),
        ("abc", "aXc", ["X"]),
        ("abc", "ab", ["b"]),
        ("", "x", ["x"]),
        ("a" * 2_000, "a" * 1_999 + "b", []),
    ],
)
def test_what_differs_is_marked(ours: str, theirs: str, marked: list[str]) -> None:
    parts, _ = differing(ours, theirs)
    assert ["".join(run.text for run in part.runs) for part in parts if part.differs] == marked


def test_a_field_that_is_missing_or_new_is_shown() -> None:
    fields = compared({"content": "a", "call 0": "f({})"}, {"content": "a", "reasoning": "r"})
    assert [(field.title, field.missing) for field in fields] == [
        ("content", False),
        ("call 0", True),
        ("reasoning", False),
    ]


def test_waits_are_counted_from_the_token_that_completes_a_character(qwen3: Tokenizer) -> None:
    settings = StreamSettings(stops=("</answer>",), tools=None)
    ids = qwen3.encode_ids("Use </ansible>")
    replays = {name: replay(qwen3, ids, settings, strategy=STRATEGIES[name]) for name in ("bytes", "fixed-hold")}
    ours, fixed = compare_view(replays, None).rows
    # Of 14 characters, "</" waits for one token.
    assert (ours.wait.characters, ours.wait.longest, round(ours.wait.mean * 14)) == (14, 1, 2)
    assert fixed.wait.mean > ours.wait.mean and fixed.same
    assert texts_of(replays["bytes"].message) == {"content": "Use </ansible>"}


def test_a_stop_string_across_tokens_is_never_seen_by_the_client(qwen3: Tokenizer) -> None:
    form = SAMPLES[5].with_tokenizer("qwen3")
    asked = read(form, qwen3, Settings())
    done = replay(qwen3, asked.ids, asked.settings, asked.sizes)
    assert done.message == {"content": "Use </ansible> tags? The answer is 42."}
    assert FIRST.form.state("")["text"].startswith("<think>")
