"""The pattern of a call: the text around it, one tool or several, the tool's own schema."""

import json

import pytest
import regex

from tokcore.schema import SchemaError, compile_tool_call, counterexample, sample, tool_call_pattern

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "…",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "unit": {"enum": ["C", "F"]}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}
NOW = {"type": "function", "function": {"name": "now"}}


def call(name, arguments):
    return f'<tool_call>\n{{"name": "{name}", "arguments": {json.dumps(arguments)}}}\n</tool_call>'


def test_one_tool_or_another_is_called_with_its_own_arguments():
    engine = regex.compile(tool_call_pattern([WEATHER, NOW]))
    yes = [
        call("now", {}),
        call("get_weather", {"city": "Ro</tool_call>me"}),
        call("get_weather", {"city": "", "unit": "C"}),
    ]
    no = [
        *(call("now", {"city": "x"}), call("get_weather", {}), call("get_weather", {"unit": "C"}), call("other", {})),
        *(call("get_weather", {"city": 1}), call("get_weather", []), "", "Sure! " + yes[0], yes[0] + "\n", yes[0] * 2),
    ]
    assert all(map(engine.fullmatch, yes))
    assert not any(map(engine.fullmatch, no))


def test_a_named_tool_is_the_only_one():
    engine = regex.compile(tool_call_pattern([WEATHER, NOW], "now"))
    assert engine.fullmatch(call("now", {}))
    assert not engine.fullmatch(call("get_weather", {"city": ""}))


def test_a_tool_may_come_without_the_wrapper_of_the_api():
    assert tool_call_pattern([NOW]) == tool_call_pattern([{"name": "now"}])
    assert tool_call_pattern([NOW]) == tool_call_pattern(
        [{"name": "now", "parameters": {"type": "object", "properties": {}}}]
    )


def test_a_name_is_escaped_for_json_and_for_the_pattern():
    assert regex.fullmatch(tool_call_pattern([{"name": 'a."b'}]), call('a.\\"b', {}))


def test_references_are_looked_up_in_the_tools_own_parameters():
    parameters = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/x"}},
        "required": ["x"],
        "$defs": {"x": {"type": "null"}},
    }
    found = compile_tool_call([{"function": {"name": "f", "parameters": parameters}}])
    assert found.automaton().matches(call("f", {"x": None}))
    assert "/0/function/parameters/$defs/x/type" in {use.pointer for use in found.uses}
    assert found.part.pointer == "/0/function"


def test_several_tools_are_told_apart_in_the_parts():
    found = compile_tool_call([WEATHER, NOW])
    assert [part.pointer for part in found.part.children] == ["/0/function", "/1/function"]
    assert all(part.span.cut(found.text) == part.pattern for part in found.part.children)


def test_samples_of_a_call_parse_with_every_required_argument():
    automaton = compile_tool_call([WEATHER]).automaton()
    for seed in range(50):
        text = sample(automaton, seed, free_bytes=120)
        found = json.loads(text.removeprefix("<tool_call>\n").removesuffix("\n</tool_call>"))
        assert isinstance(found["arguments"]["city"], str)


@pytest.mark.parametrize(
    ("tools", "name", "where"),
    [
        ([WEATHER], "nope", "name"),
        ([], None, "tools"),
        ({}, None, "tools"),
        ([5], None, "/0"),
        ([{"type": "retrieval", "function": {"name": "f"}}], None, "/0/type"),
        ([{"function": "f"}], None, "/0/function"),
        ([{"function": {}}], None, "/0/function/name"),
        ([{"function": {"name": ""}}], None, "/0/function/name"),
        ([NOW, NOW], None, "/1/function/name"),
        ([{"function": {"name": "f", "parameters": {"type": "string"}}}], None, "/0/function/parameters"),
        (
            [{"function": {"name": "f", "parameters": {"properties": {"a": {"not": {}}}}}}],
            None,
            "/0/function/parameters/properties/a/not",
        ),
    ],
)
def test_what_is_wrong_with_tools_is_named_with_its_place(tools, name, where):
    with pytest.raises(SchemaError) as error:
        tool_call_pattern(tools, name)
    assert error.value.where == where
    assert error.value.remedy


def test_a_weakened_schema_is_not_a_silent_one():
    tools = [{"name": "f", "parameters": {"type": "object", "properties": {"a": {"not": {}}}}}]
    assert [use.pointer for use in compile_tool_call(tools, weaken=True).weakened] == ["/0/parameters/properties/a/not"]
    assert counterexample(tools[0]["parameters"]) is not None
