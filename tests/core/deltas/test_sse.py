"""Logs as people have them, read to records with their lines."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokcore.deltas import read_log, write_sse
from tokcore.deltas.sse import Record, RecordKind
from tokcore.deltas.strict_json import read_json

A, B, C = '{"id":"a"}', '{"id":"b"}', '{"id":"c"}'


def values(text: str) -> list[Any]:
    return [record.value for record in read_log(text).records if record.kind is RecordKind.VALUE]


def summary(text: str) -> list[tuple[str, int, int]]:
    return [(record.kind.value, record.first, record.last) for record in read_log(text).records]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("begin", ["", "\ufeff"])
def test_every_line_end_gives_the_same_records(end: str, begin: str) -> None:
    text = begin + end.join([": hi", "event: message", f"data: {A}", "id: 7", "", f"data:{B}", "", "data: [DONE]", ""])
    assert summary(text) == [("value", 3, 3), ("value", 6, 6), ("done", 8, 8)]
    assert values(text) == [{"id": "a"}, {"id": "b"}]


def test_other_line_separators_are_text() -> None:
    text = 'data: {"a": "x\u2028y\x85z\x0b"}'.replace("\x0b", "\\u000b") + "\n\n"
    assert values(text) == [{"a": "x\u2028y\x85z\x0b"}]


def test_one_space_after_the_colon_is_not_data() -> None:
    (record,) = read_log("data:  [DONE]\n\n").records
    assert (record.kind, record.text) == (RecordKind.DONE, " [DONE]")


def test_data_over_several_lines_is_one_event() -> None:
    text = 'data: {"id":\ndata: "a"\ndata: }\n\ndata: {"id":"b"}\n\n'
    assert summary(text) == [("value", 1, 3), ("value", 5, 5)]
    assert values(text) == [{"id": "a"}, {"id": "b"}]


def test_events_without_an_empty_line_between_are_read_and_marked() -> None:
    log = read_log(f"data: {A}\n\ndata: {B}\ndata: [DONE]\n\n")
    assert [(record.first, record.run_on) for record in log.records] == [(1, False), (3, False), (4, True)]


def test_a_copy_that_lost_all_its_empty_lines_is_read_line_by_line() -> None:
    log = read_log(f"data: {A}\nevent: x\ndata: {B}\ndata: [DONE]")
    assert [(record.first, record.run_on) for record in log.records] == [(1, False), (3, False), (4, False)]


@pytest.mark.parametrize(
    "text",
    [
        f"{A}\n{B}\n{C}",
        f"[\n{A},\n{B},\n{C}\n]",
        f"message\t{A}\t12:04:31.123\nmessage\t{B}\t12:04:31.130\nmessage\t{C}\t12:04:32.000",
        f"{A}\t10:00:00 AM\n{B}\t10:00:00 AM\n{C}\t10:00:01 AM",
        "\n".join(json.dumps(json.loads(value), indent=2) for value in (A, B, C)),
        f"  data: {A}\n\n  data: {B}\n\n  data: {C}",
    ],
    ids=["JSON lines", "a JSON list", "a browser's table", "data and time", "indented JSON", "indented lines"],
)
def test_copies_without_field_names_give_the_same_values(text: str) -> None:
    assert values(text) == [{"id": "a"}, {"id": "b"}, {"id": "c"}]
    assert all(record.kind is RecordKind.VALUE for record in read_log(text).records)


def test_what_curl_prints_around_the_events_is_passed_over() -> None:
    text = (
        "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n"
        "                                 Dload  Upload   Total   Spent    Left  Speed\n"
        "100   120    0   120    0     0    300      0 --:--:-- --:--:-- --:--:--   299\n"
        "* Connected to localhost\n> POST /v1/chat/completions HTTP/1.1\n< HTTP/1.1 200 OK\n"
        "{ [5 bytes data]\nHTTP/1.1 200 OK\ncontent-type: text/event-stream\n\n"
        f"retry: 3\ndata: {A}\n\ndata: [DONE]\n\n"
    )
    assert summary(text) == [("value", 12, 12), ("done", 14, 14)]


def test_a_line_that_no_client_reads_is_a_record() -> None:
    text = f"data: {A}\n\nTraceback of the proxy\n\ncurl: (18) transfer closed\n"
    assert summary(text) == [("value", 1, 1), ("stray", 3, 3), ("stray", 5, 5)]


def test_an_error_field_keeps_its_name() -> None:
    (record,) = read_log('error: {"code":500}\n\n').records
    assert (record.name, record.value) == ("error", {"code": 500})


def test_a_broken_event_leaves_the_others() -> None:
    log = read_log('data: {"id":"a",}\n\ndata: {"id":"b"}\n\ndata: {"id":"c')
    assert [record.kind.value for record in log.records] == ["broken", "value", "broken"]
    assert [record.cut for record in log.records] == [False, False, True]
    assert log.records[0].problem.endswith('at character 10: "}"') or "character" in log.records[0].problem


WHOLE = '{"a": [true, null, -1.5e+3, "x\\u00e9\\n"], "b": {}}'


@pytest.mark.parametrize("end", range(1, len(WHOLE)))
def test_every_beginning_of_json_is_known_to_be_cut(end: int) -> None:
    parsed = read_json(WHOLE[:end])
    assert (parsed.value, parsed.cut, parsed.at) == (None, True, end), parsed.problem


@pytest.mark.parametrize("text", ['{"a": nuxl}', "{'a': 1}", '{"a": 1,}', '{"a": Infinity}', '{"a": 1} {"b": 2}', "]"])
def test_what_no_ending_could_mend_is_not_called_cut(text: str) -> None:
    parsed = read_json(text)
    assert parsed.value is None and parsed.problem and not parsed.cut


@pytest.mark.parametrize("text", ["[" * 101 + "]" * 101, "[" * 100_000, '{"a":' * 5_000 + "1" + "}" * 5_000])
def test_deep_nesting_is_a_problem_and_no_error(text: str) -> None:
    assert read_json(text).problem
    assert read_json("[" * 100 + "]" * 100).problem == ""


def test_a_number_with_too_many_digits_is_a_problem_and_no_error() -> None:
    assert read_json("9" * 10_000).problem == "it holds a number with too many digits"


def test_bytes_that_are_not_utf8_become_replacement_characters() -> None:
    (record,) = read_log(b'data: {"a":"\xff"}\n\n').records
    assert record.value == {"a": "\ufffd"}


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "\r\n\r\n", ": comment", "data:", "data", "event: x"])
def test_logs_without_data_have_no_value(text: str) -> None:
    assert values(text) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.text(st.characters(categories=["Cs"]), max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.text(max_size=4), JSON, max_size=4), max_size=5))
def test_what_is_written_reads_back(chunks: list[dict[str, Any]]) -> None:
    text = write_sse(chunks)
    log = read_log(text.encode())
    records: list[Record] = list(log.records)
    assert [record.value for record in records[:-1]] == json.loads(json.dumps(chunks))
    assert records[-1].kind is RecordKind.DONE
    assert [record.first for record in records] == [1 + 2 * number for number in range(len(records))]


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    log = read_log(text)
    assert all(1 <= record.first <= record.last <= len(log.lines) for record in log.records)


@given(
    st.lists(st.sampled_from(["data: ", "{", "}", A, "[DONE]", "\n", "\r", "\n\n", "event: x", "\t", ": ", "[", ","]))
)
def test_any_order_of_its_parts_is_read(parts: list[str]) -> None:
    log = read_log("".join(parts))
    assert all(1 <= record.first <= record.last <= len(log.lines) for record in log.records)


@pytest.mark.parametrize(
    "text",
    [
        "data: " + json.dumps({"id": "x" * 10_000_000}) + "\n\n",
        ("data: " + json.dumps({"id": "x" * 100}) + "\n\n") * 60_000,
        "{\n" * 300_000,
        "data: {\n" * 300_000,
        " " * 5_000_000 + "\n" + "\t" * 5_000_000,
        "a:" * 2_000_000,
        "1 " * 2_000_000,
    ],
    ids=["one line of 10 MB", "60,000 events", "open lines", "open data", "blank", "colons", "digits"],
)
def test_a_large_log_is_read_in_seconds(text: str) -> None:
    start = time.perf_counter()
    read_log(text)
    assert time.perf_counter() - start < 8
