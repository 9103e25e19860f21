"""What is refused, with its place and a way on."""

import json
import re

import pytest

from tokcore.errors import InvalidText
from tokcore.parsing import (
    FORMATS,
    FinishedStream,
    FormatSpec,
    Kind,
    MalformedFormat,
    OutputParser,
    ReasoningSpec,
    TagStreamer,
    UnknownFormat,
    Unwritable,
    openai_tool_call,
    parse_tool_calls,
    starts_in_reasoning,
)
from tokcore.parsing.spec import Move, Text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tools": "hermse"}, "tools: found 'hermse' (use one of hermes, llama3_json, mistral, deepseek_v3, "),
        ({"tools": 3}, "tools: found 3 (use one of hermes"),
        ({"reasoning": []}, "reasoning: found [] (use one of think, mistral)"),
        ({"reasoning": "thinking"}, "reasoning: found 'thinking' (use one of think, mistral)"),
    ],
)
def test_an_unknown_name_is_refused_with_the_known_ones(options, message):
    with pytest.raises(UnknownFormat) as error:
        OutputParser(**options)
    assert str(error.value).startswith(message)


def test_a_tool_without_a_name_is_refused_with_its_place():
    with pytest.raises(MalformedFormat, match="definitions/1: found a tool without a name"):
        OutputParser(tools=[{"type": "function", "function": {"name": "f"}}, {"type": "function"}])


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ({"content": Text(Kind.CONTENT, {"": Move("content")})}, "a marker of 0 characters"),
        ({"content": Text(Kind.CONTENT, {"x" * 201: Move("content")})}, "a marker of 201 characters"),
        ({"content": Text(Kind.CONTENT, {"<a>": Move("nowhere")})}, "a way to 'nowhere'"),
        ({"other": Text(Kind.CONTENT)}, "a way to 'content'"),
    ],
)
def test_a_table_that_cannot_be_run_is_refused(states, message):
    with pytest.raises(MalformedFormat, match=message):
        FormatSpec("mine", states)


@pytest.mark.parametrize("tags", [("", "</a>"), ("<a>", "")])
def test_an_empty_tag_is_refused(tags):
    with pytest.raises(MalformedFormat, match="a tag of 0 characters"):
        TagStreamer(*tags)
    with pytest.raises(MalformedFormat, match="a marker of 0 characters"):
        OutputParser(reasoning=ReasoningSpec(*tags))


@pytest.mark.parametrize("parser", [OutputParser(), TagStreamer("<a>", "</a>")])
def test_text_after_the_end_is_refused(parser):
    parser.feed("x", final=True)
    with pytest.raises(FinishedStream, match="the output was finished"):
        parser.feed("y")


@pytest.mark.parametrize("parser", [OutputParser(), TagStreamer("<a>", "</a>")])
def test_text_without_a_utf8_form_is_refused_and_changes_nothing(parser):
    with pytest.raises(InvalidText, match="U\\+D83D"):
        parser.feed("a\ud83d")
    assert parser.feed("b") in ([{"content": "b"}], [(False, "b")])


@pytest.mark.parametrize("text", [None, 5, b"a", ["a"]])
def test_what_is_no_text_is_refused_with_its_place(text):
    for feed, where in (
        (OutputParser().feed, "delta"),
        (TagStreamer("<a>", "</a>").feed, "delta"),
        (parse_tool_calls, "text"),
        (starts_in_reasoning, "prompt"),
    ):
        with pytest.raises(InvalidText, match=f"^{where}: found"):
            feed(text)


def test_a_tag_that_is_no_text_is_refused_with_its_place():
    with pytest.raises(MalformedFormat, match=r"^close: found None"):
        TagStreamer("<a>", None)


@pytest.mark.parametrize("definitions", [{"name": "f"}, "f", 5])
def test_definitions_that_are_no_list_are_refused(definitions):
    with pytest.raises(MalformedFormat, match=r"^definitions: found .*give a list of tools"):
        OutputParser(definitions=definitions)


@pytest.mark.parametrize("arguments", ['{"city": "São Tomé"}', "{}"])
def test_arguments_that_are_json_text_already_are_not_encoded_twice(arguments):
    assert openai_tool_call({"name": "f", "arguments": arguments})["function"]["arguments"] == arguments


@pytest.mark.parametrize("arguments", [None, [1], 5, "[1]", "5", "{", "", '{"x": NaN}'])
def test_arguments_that_are_no_object_are_refused(arguments):
    with pytest.raises(Unwritable, match=r"^arguments of f: "):
        openai_tool_call({"name": "f", "arguments": arguments})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}])
def test_arguments_without_a_json_form_are_refused(value):
    with pytest.raises(Unwritable, match="arguments of f: no JSON form"):
        openai_tool_call({"name": "f", "arguments": {"x": value}})


def test_a_lone_surrogate_of_an_escape_never_reaches_the_wire_as_a_character():
    _, (call,) = parse_tool_calls('<tool_call>{"name": "f", "arguments": {"x": "\\ud83d"}}</tool_call>')
    written = openai_tool_call(call)["function"]["arguments"]
    assert written.encode() and json.loads(written) == call["arguments"]


def test_a_call_is_written_as_openai_does():
    assert openai_tool_call({"name": "f", "arguments": {"city": "São Paulo 🚀"}}, "call_7") == {
        "id": "call_7",
        "type": "function",
        "function": {"name": "f", "arguments": '{"city": "São Paulo 🚀"}'},
    }


@pytest.mark.parametrize("off", [None, False])
def test_nothing_is_parsed_where_nothing_is_asked_for(off):
    text = '<think>a</think> \n<tool_call>{"name": "f"}</tool_call>'
    parser = OutputParser(reasoning=off, tools=off)
    assert [parser.feed(character) for character in text] == [[{"content": character}] for character in text]


def test_a_list_of_tools_means_hermes_and_an_empty_one_no_tools():
    text = '<tool_call>{"name": "f"}</tool_call>'
    assert "tool_calls" in OutputParser(tools=[{"name": "f"}]).feed(text, True)[0]
    assert OutputParser(tools=[]).feed(text, True) == [{"content": text}]


def test_a_format_of_ones_own_is_a_table():
    spec = FormatSpec(
        "mine", {**FORMATS["hermes"].states, "content": Text(Kind.CONTENT, {"<call>": Move("call", opens=True)})}
    )
    assert OutputParser(tools=spec).feed('<call>{"name": "f"}', True)[0]["tool_calls"][0]["function"]["name"] == "f"


def test_ids_are_made_by_the_caller():
    parser = OutputParser(call_id=lambda index: f"id-{index}")
    assert parser.feed('<tool_call>{"name": "f"')[0]["tool_calls"][0]["id"] == "id-0"


def test_other_calls_have_other_ids_and_equal_ones_the_same():
    calls = [{"name": "f", "arguments": {"x": x}} for x in (1, 2, 1)]
    ids = [openai_tool_call(call)["id"] for call in calls]
    assert ids[0] == ids[2] != ids[1] and all(re.fullmatch("call_[0-9a-f]{24}", id) for id in ids)


@pytest.mark.parametrize("call", [{}, {"name": 1, "arguments": {}}, {"name": "f"}, None, "f"])
def test_what_is_no_call_is_refused_with_what_a_call_has(call):
    with pytest.raises(Unwritable, match='has a "name"'):
        openai_tool_call(call)
