"""The list of rules in the documentation is the code's, and what it says of OpenAI's client is so."""

from __future__ import annotations

import copy
import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from openai._streaming import SSEDecoder
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

from tests.core.deltas.logs import CALLED, ROLE, chunk
from tests.core.deltas.test_lint import CASES, Case
from tokcore.deltas import lint, write_sse
from tokcore.deltas.findings import RULES

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "lint.md"


def test_the_document_lists_the_rules_of_the_code() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$", DOCUMENT.read_text("utf-8"), re.M)
    capital = {rule.id: rule.remedy[:1].upper() + rule.remedy[1:] + "." for rule in RULES.values()}
    assert rows == [
        (rule.id, rule.severity.value, rule.meaning, rule.hurts, capital[rule.id]) for rule in RULES.values()
    ]


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_rule_is_said_in_sentences(rule: Any) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.id)
    assert rule.meaning.endswith(".") and rule.hurts.endswith(".") and not rule.remedy.endswith(".")


def events_of_the_client(log: str) -> list[str]:
    """The data of each event as the official client's own reader has it, up to [DONE]."""
    events = [event.data for event in SSEDecoder().iter_bytes(iter([log.encode()]))]
    end = next((number for number, data in enumerate(events) if data.startswith("[DONE]")), len(events))
    return events[:end]


def whole_of_the_client(log: str) -> dict[str, Any]:
    """What the official client puts together of a log; it raises where the client does."""
    state: Any = ChatCompletionStreamState()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for data in events_of_the_client(log):
            state.handle_chunk(ChatCompletionChunk.construct(**copy.deepcopy(json.loads(data))))
        whole: dict[str, Any] = json.loads(state.current_completion_snapshot.to_json(indent=None))
    return whole


def first(rule: str) -> Case:
    return next(case for case in CASES if case.rule == rule)


RAISES = ("broken-json", "joined-events", "choices-missing", "choice-index", "delta-missing", "call-index-missing")


@pytest.mark.parametrize("rule", RAISES)
def test_the_official_client_raises_where_the_rule_says_so(rule: str) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError, RuntimeError, KeyError)):
        whole_of_the_client(first(rule).log)


def test_the_official_client_reads_an_index_in_a_string() -> None:
    entry = {"index": "0", "id": "c", "type": "function", "function": {"name": "f", "arguments": "{"}}
    more = {"index": "0", "function": {"arguments": "}"}}
    log = write_sse([ROLE, *(chunk({"tool_calls": [part]}) for part in (entry, more)), CALLED])
    for whole in (whole_of_the_client(log), lint(log).answers[0].completion):
        (call,) = whole["choices"][0]["message"]["tool_calls"]
        assert call["function"]["arguments"] == "{}"


def test_the_official_client_appends_what_is_sent_again() -> None:
    message = whole_of_the_client(first("role-repeated").log)["choices"][0]["message"]
    assert message["role"] == "assistantassistant"
    (call,) = whole_of_the_client(first("call-id-repeated").log)["choices"][0]["message"]["tool_calls"]
    assert call["id"] == "call_acall_a"
    (call,) = whole_of_the_client(first("call-name-repeated").log)["choices"][0]["message"]["tool_calls"]
    assert call["function"]["name"] == "get_weatherget_weather"


def test_the_official_client_mixes_calls_under_one_index() -> None:
    (call,) = whole_of_the_client(first("call-index-repeated").log)["choices"][0]["message"]["tool_calls"]
    assert (call["id"], call["function"]["arguments"]) == ("call_acall_b", "{}{}")


def test_the_official_client_has_no_call_at_an_index_that_jumps() -> None:
    with pytest.raises(IndexError):
        whole_of_the_client(first("call-index-jump").log)


def test_the_official_client_loses_usage_that_comes_early_and_text_after_done() -> None:
    assert whole_of_the_client(first("usage-early").log)["usage"] is None
    assert whole_of_the_client(first("after-done").log)["choices"][0]["message"]["content"] == "Porto"


def test_the_official_client_takes_a_written_stream() -> None:
    log = write_sse([{"id": "a", "choices": [{"index": 0, "delta": {"content": "Olá 🚀"}}]}])
    assert whole_of_the_client(log)["choices"][0]["message"]["content"] == "Olá 🚀"
