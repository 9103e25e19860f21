"""Ids to an answer: detokenizer, parser and stops joined, the same under every cut."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import bundled
from tests.strategies import texts_with
from tokcore import Tokenizer
from tokcore.bytemap import bytes_to_unicode
from tokcore.cut_fuzzer import answer, fuzz
from tokcore.generation import STRATEGIES, Replay, Strategy, Stream, StreamSettings, may_skip_special_tokens, replay
from tokcore.parsing import FORMATS, Kind, ParseEvent
from tokcore.parsing.events import merged
from tokcore.streaming.cuts import seeded, two_way
from tokcore.streaming.detokenizer import NotAnId
from tokcore.streaming.settings import MalformedSetting

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Brasília", "unit": "°C"}}\n</tool_call>'
ANSWER = f"<think>\nThe user asks for 🌦.\n</think>\n\nOne moment 🧑‍🚀.\n{CALL}"


@cache
def by_bytes() -> Tokenizer:
    """A tokenizer of single bytes: every character is cut as far as it can be."""
    vocab = {character: byte for byte, character in bytes_to_unicode().items()}
    decoder = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
    return Tokenizer.from_str(
        json.dumps(
            {"model": {"type": "BPE", "vocab": vocab, "merges": []}, "pre_tokenizer": decoder, "decoder": decoder}
        )
    )


def ids_of(text: str, tokenizer: Tokenizer | None = None) -> list[int]:
    return (tokenizer or bundled("qwen3")).encode_ids(text)


def run(text: str, settings: StreamSettings, sizes: Sequence[int] | None = None) -> Replay:
    return replay(by_bytes(), ids_of(text, by_bytes()), settings, sizes)


def deltas_of_text(parts: Sequence[str], settings: StreamSettings) -> Replay:
    """A replay whose deltas are these texts."""
    sizes = [len(part.encode()) for part in parts]
    return run("".join(parts), settings, sizes)


def outcome(done: Replay) -> tuple[object, ...]:
    return dict(done.message), done.finish_reason, done.used


def content(done: Replay) -> str:
    return str(done.message.get("content") or "")


def test_reasoning_content_and_call_arrive_in_openai_s_form() -> None:
    done = replay(bundled("qwen3"), ids_of(ANSWER), StreamSettings())
    assert done.message["reasoning_content"] == "The user asks for 🌦."
    assert done.message["content"] == "One moment 🧑‍🚀.\n"
    (call,) = done.message["tool_calls"]
    assert call["function"]["name"] == "get_weather"
    assert json.loads(call["function"]["arguments"]) == {"city": "Brasília", "unit": "°C"}
    assert done.finish_reason == "tool_calls"
    assert done.used == len(ids_of(ANSWER))


def test_a_step_s_text_events_and_deltas_are_of_that_delta() -> None:
    done = replay(bundled("qwen3"), ids_of(ANSWER), StreamSettings())
    assert "".join(step.text for step in done.steps) == ANSWER == done.text
    assert [step.start for step in done.steps] == list(range(len(done.steps)))
    assert done.steps[-1].ids == () and done.steps[-1].held == ()
    events = [event for step in done.steps for event in step.events]
    assert [event.text for event in events if event.kind is Kind.CALL] == ["get_weather"]


def test_every_character_of_the_output_is_in_one_event() -> None:
    done = replay(bundled("qwen3"), ids_of(ANSWER), StreamSettings(stops=("moment",)))
    spans = [event.span for step in done.steps for event in step.events if len(event.span)]
    assert "".join(span.cut(done.text) for span in spans) == done.text


@pytest.mark.parametrize(
    ("parts", "stops", "text"),
    [
        (("ABC", "DEF", "G", "HI", "J"), ("DEFGHIJ",), "ABC"),
        (("xabcd",), ("abcd", "bc"), "xa"),
        (tuple("xabcd"), ("abcd", "bc"), "xa"),
        (("Answer\n\n",), ("\n",), "Answer"),
        (("UNO ", "DUE ", "TRE"), ("TRE\nZZ",), "UNO DUE TRE"),
        (("one two ", "three", " four"), ("three",), "one two "),
        (("2.", "</ans", "wer>"), ("</answer>",), "2."),
        (("2.", "</ans", "ia"), ("</answer>",), "2.</ansia"),
    ],
)
def test_stops_end_the_content_where_they_are_complete(parts: Sequence[str], stops: tuple[str, ...], text: str) -> None:
    assert content(deltas_of_text(parts, StreamSettings(stops=stops))) == text


def test_text_that_begins_no_stop_goes_out_at_once() -> None:
    done = deltas_of_text(["I", " am"], StreamSettings(stops=("###end######",)))
    assert [step.deltas for step in done.steps] == [({"content": "I"},), ({"content": " am"},), ()]


def test_the_reasoning_splitter_sees_the_same_text_whatever_the_stops_hold() -> None:
    done = deltas_of_text(["I see", "</think>", "Yes"], StreamSettings(stops=("✿END✿",), starts_in_reasoning=True))
    assert (done.message["reasoning_content"], done.message["content"]) == ("I see", "Yes")


def test_stops_act_in_reasoning_only_when_asked() -> None:
    text = "<think>a STOP b</think>c"
    assert run(text, StreamSettings(stops=("STOP",))).message == {"reasoning_content": "a STOP b", "content": "c"}
    stopped = run(text, StreamSettings(stops=("STOP",), stops_in_reasoning=True))
    assert (stopped.message, stopped.finish_reason) == ({"reasoning_content": "a "}, "stop")


def test_a_stop_does_not_reach_across_a_call_nor_across_the_end_of_reasoning() -> None:
    call = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
    assert content(run(f"aST{call}OPb", StreamSettings(stops=("STOP",)))) == "aSTOPb"
    both = run("ST</think>OP", StreamSettings(stops=("STOP",), stops_in_reasoning=True, starts_in_reasoning=True))
    assert both.message == {"reasoning_content": "ST", "content": "OP"}


def test_a_stop_is_given_with_the_text_when_included() -> None:
    done = run("a END b", StreamSettings(stops=("END",), include_stop=True))
    assert (content(done), done.used) == ("a END", 5)


def test_what_comes_with_or_behind_a_stop_is_dropped_and_named() -> None:
    done = run("a END b", StreamSettings(stops=("END",)), sizes=[7])
    events = [(event.kind, event.text, event.note) for step in done.steps for event in step.events]
    assert events == [
        (Kind.CONTENT, "a ", ""),
        (Kind.DROPPED, "END", "stop"),
        (Kind.DROPPED, " b", "after the stop"),
    ]


def test_used_counts_the_ids_up_to_the_one_that_completes_the_stop() -> None:
    for sizes in ([7], [1] * 7, [3, 4]):
        assert run("a END b", StreamSettings(stops=("END",)), sizes).used == 5


@pytest.mark.parametrize("sizes", [None, [3, 6], [9], [2, 2, 5]])
def test_text_of_the_first_min_tokens_completes_no_stop(sizes: Sequence[int] | None) -> None:
    text = "aXX bXX c"
    assert content(run(text, StreamSettings(stops=("XX",), min_tokens=2), sizes)) == "a"
    assert content(run(text, StreamSettings(stops=("XX",), min_tokens=3), sizes)) == "aXX b"
    assert content(run(text, StreamSettings(stops=("XX",), min_tokens=7), sizes)) == text


def test_max_tokens_cuts_a_call_and_keeps_what_was_sent() -> None:
    ids = ids_of(ANSWER)
    done = replay(bundled("qwen3"), ids, StreamSettings(max_tokens=len(ids) - 12))
    (call,) = done.message["tool_calls"]
    assert done.finish_reason == "length" and done.used == len(ids) - 12
    whole = replay(bundled("qwen3"), ids, StreamSettings()).message["tool_calls"][0]["function"]["arguments"]
    assert call["function"]["name"] == "get_weather" and whole.startswith(call["function"]["arguments"])


@pytest.mark.parametrize("wrong", [{"max_tokens": -1}, {"max_tokens": "3"}, {"min_tokens": None}, {"min_tokens": True}])
def test_numbers_of_tokens_that_are_none_are_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(MalformedSetting) as raised:
        StreamSettings(**wrong)
    assert raised.value.where == next(iter(wrong))


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
@pytest.mark.parametrize("ids", [5, None, ["a"]])
def test_what_are_no_ids_is_refused_and_counts_for_nothing(strategy: Strategy, ids: Any) -> None:
    stream = Stream(by_bytes(), StreamSettings(min_tokens=2), strategy)
    with pytest.raises(NotAnId):
        stream.add(ids)
    with pytest.raises(NotAnId):
        replay(by_bytes(), ids, StreamSettings(), strategy=strategy)
    assert stream.count == 0


def test_what_is_held_is_named_with_its_stage_and_reason() -> None:
    done = run("x</ans🚀", StreamSettings(stops=("</answer>",)))
    held = [step.held for step in done.steps]
    assert held[2][0] == ("stop", "</"[:1] + "/", b"", "'</' may become '</answer>'")
    assert [part.stage for part in held[7]] == ["stop", "bytes"] and held[7][1].raw == "🚀".encode()[:2]


def test_special_tokens_that_are_no_marker_do_not_come_out() -> None:
    done = replay(bundled("qwen3"), ids_of("Hi<|im_end|>"), StreamSettings())
    assert done.message == {"content": "Hi"}
    assert replay(bundled("qwen3"), ids_of("Hi<|im_end|>"), StreamSettings(skip_special_tokens=False)).message == {
        "content": "Hi<|im_end|>"
    }


OUTPUTS = texts_with(
    *("<think>", "</think>", "<tool_call>", "</tool_call>", '{"name": "f", "arguments": {"a": "b"}}', '{"name": "g"'),
    *("STOP", "ST", "OPS", "<|im_end|>", "\n", CALL, '"arguments": {', "}", '"\\ud83d\\ude00"'),
)


@given(
    text=OUTPUTS,
    stops=st.lists(st.sampled_from(["STOP", "OP", "P\n", "<", "</think>", "🚀", "a"]), max_size=3),
    include=st.booleans(),
    minimum=st.integers(0, 6),
    inside=st.booleans(),
    seed=st.integers(0, 10**6),
)
@settings(max_examples=150, deadline=None)
def test_the_answer_is_the_same_under_every_cut(
    text: str, stops: list[str], include: bool, minimum: int, inside: bool, seed: int
) -> None:
    asked = StreamSettings(
        stops=tuple(stops),
        include_stop=include,
        min_tokens=minimum,
        starts_in_reasoning=inside,
        stops_in_reasoning=inside,
    )
    ids = ids_of(text)
    whole = outcome(replay(bundled("qwen3"), ids, asked, [len(ids)]))
    for sizes in (None, seeded(len(ids), seed), *two_way(len(ids))[:40]):
        assert outcome(replay(bundled("qwen3"), ids, asked, sizes)) == whole
    assert dict(answer(bundled("qwen3"), ids, asked, [len(ids)], STRATEGIES["bytes"])[0]) == whole[0]


@given(text=OUTPUTS, stops=st.lists(st.sampled_from(["STOP", "OP", "<", "🚀"]), max_size=2), seed=st.integers(0, 10**6))
@settings(max_examples=100, deadline=None)
def test_nothing_is_lost_and_no_stop_is_seen(text: str, stops: list[str], seed: int) -> None:
    ids = ids_of(text)
    asked = StreamSettings(stops=tuple(stops), stops_in_reasoning=True)
    done = replay(bundled("qwen3"), ids, asked, seeded(len(ids), seed))
    events = [event for step in done.steps for event in step.events]
    once = [event for event in events if event.note != "broken call"]
    assert "".join(event.span.cut(done.text) for event in once if event.span) == done.text
    for stop in stops:
        for event in merged([event for event in events if event.kind in (Kind.CONTENT, Kind.REASONING)]):
            assert stop not in event.text


def test_all_cuts_are_equal_for_ours_and_not_for_the_contrasts() -> None:
    ids = ids_of("<think>x</think>" + "a 🧑‍🚀 on 𝔐𝔞𝔯𝔰. STOP", by_bytes())
    asked = StreamSettings(stops=("STOP",))
    reports = {
        name: fuzz(by_bytes(), ids, asked, strategy, random_cuts=30, two_way_limit=60)
        for name, strategy in STRATEGIES.items()
    }
    ours = reports.pop("bytes")
    assert ours.equal_count == len(ours.cells) and ours.expected["content"] == "a 🧑‍🚀 on 𝔐𝔞𝔯𝔰. "
    assert {name for name, report in reports.items() if report.equal_count < len(report.cells)} >= {
        "per-delta",
        "per-delta-markers",
    }


def test_cost_per_id_is_flat() -> None:
    """Work is counted as calls of Python functions: a stream of twice as many ids takes twice as many."""
    import sys

    def calls(count: int) -> int:
        stream = Stream(by_bytes(), StreamSettings(stops=("STOP",)))
        total = 0

        def tally(_frame: object, event: str, _argument: object) -> None:
            nonlocal total
            total += event in ("call", "c_call")

        ids = ids_of("<think>" + "word <to ST " * (count // 12), by_bytes())
        sys.setprofile(tally)
        try:
            for id in ids:
                stream.add([id])
        finally:
            sys.setprofile(None)
        return total

    assert calls(24_000) < 2.1 * calls(12_000)


def test_events_of_a_stream_are_named_tuples_of_the_parser() -> None:
    assert all(isinstance(event, ParseEvent) for event in Stream(by_bytes()).add([65]))


def test_special_tokens_stay_where_the_format_is_written_in_them() -> None:
    markers = sorted(FORMATS["mistral"].markers)
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    for special in (True, False):
        added = [{"id": 0, "content": "[TOOL_CALLS]", "special": special, **plain}]
        file = {"added_tokens": added, "model": {"type": "BPE", "vocab": {"[TOOL_CALLS]": 0}, "merges": []}}
        tokenizer = Tokenizer.from_str(json.dumps(file))
        assert "[TOOL_CALLS]" in markers and may_skip_special_tokens(tokenizer, "mistral") is not special
        assert may_skip_special_tokens(tokenizer, "hermes") and may_skip_special_tokens(tokenizer, None)
