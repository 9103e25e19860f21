"""Each format as its model writes it: whole, and the deltas of a stream spelled out."""

import json

import pytest

from tests.core.parsing.streams import DEFINITIONS, assert_all_accounted_for, assert_same_at_every_cut, stream
from tokcore.parsing import Kind, OutputParser, parse_tool_calls

# format, output, reasoning, content, calls
WHOLE = [
    pytest.param(
        "hermes",
        '<think>\nTwo cities.\n</think>\n\nI ask.\n<tool_call>\n{"name": "f", "arguments": {"city": "São Paulo"}}\n'
        '</tool_call>\n<tool_call>\n{"name": "g", "arguments": {}}\n</tool_call>',
        ("Two cities.", "I ask.\n", [("f", '{"city": "São Paulo"}'), ("g", "{}")]),
        id="hermes",
    ),
    pytest.param(
        "hermes",
        '<tool_call>{"name": "f", "arguments": {}}\n{"name": "g", "arguments": {"x": 1}}</tool_call>',
        ("", "", [("f", "{}"), ("g", '{"x": 1}')]),
        id="hermes: two objects in one block",
    ),
    pytest.param(
        "llama3_json",
        '{"name": "f", "parameters": {"city": "Oslo"}}; {"name": "g", "parameters": {}}',
        ("", "", [("f", '{"city": "Oslo"}'), ("g", "{}")]),
        id="llama3_json",
    ),
    pytest.param(
        "llama3_json",
        'I look it up. <|python_tag|>{"name": "f", "parameters": {"city": "Oslo"}}',
        ("", "I look it up. ", [("f", '{"city": "Oslo"}')]),
        id="llama3_json: tag",
    ),
    pytest.param("llama3_json", '{"a": 1} is JSON.', ("", '{"a": 1} is JSON.', []), id="llama3_json: content"),
    pytest.param("llama3_json", "{name} is a field.", ("", "{name} is a field.", []), id="llama3_json: a brace"),
    pytest.param(
        "llama3_json", '{"name": "Bo", "age": 3}', ("", '{"name": "Bo", "age": 3}', []), id="llama3_json: a record"
    ),
    pytest.param("llama3_json", "<|python_tag|>print(1)", ("", "<|python_tag|>print(1)", []), id="llama3_json: code"),
    pytest.param(
        "mistral",
        '[THINK]Hm[/THINK]Yes.[TOOL_CALLS] [{"name": "f", "arguments": {"x": "]"}, "id": "abcdefghi"}, '
        '{"name": "g", "arguments": {}}]',
        ("Hm", "Yes.", [("f", '{"x": "]"}'), ("g", "{}")]),
        id="mistral: array",
    ),
    pytest.param(
        "mistral",
        '[TOOL_CALLS]f[CALL_ID]abcdefghi[ARGS]{"x": 1}[TOOL_CALLS]g[ARGS]{}',
        ("", "", [("f", '{"x": 1}'), ("g", "{}")]),
        id="mistral: names",
    ),
    pytest.param("mistral", '[TOOL_CALLS]f{"x": 1}', ("", "", [("f", '{"x": 1}')]), id="mistral: no [ARGS]"),
    pytest.param("mistral", "[TOOL_CALLS] is a marker", ("", "[TOOL_CALLS] is a marker", []), id="mistral: prose"),
    pytest.param(
        "mistral", "[TOOL_CALLS][TOOL_CALLS]f{}", ("", "[TOOL_CALLS]", [("f", "{}")]), id="mistral: twice the marker"
    ),
    pytest.param(
        "deepseek_v3",
        "Sure.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n"
        '{"code": "```"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>g\n```json\n{}\n```'
        "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ("", "Sure.", [("f", '{"code": "```"}'), ("g", "{}")]),
        id="deepseek_v3",
    ),
    pytest.param(
        "deepseek_v31",
        '<think>Hm</think><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"x": 1}<｜tool▁call▁end｜>'
        "<｜tool▁call▁begin｜>g<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ("Hm", "", [("f", '{"x": 1}'), ("g", "{}")]),
        id="deepseek_v31",
    ),
    pytest.param(
        "qwen3_coder",
        'I run it.\n\n<tool_call>\n<function=f>\n<parameter=s>\nls -l\necho "hi"\n</parameter>\n<parameter=n>\n3\n'
        "</parameter>\n</function>\n</tool_call>",
        ("", "I run it.\n\n", [("f", r'{"s": "ls -l\necho \"hi\"", "n": 3}')]),
        id="qwen3_coder",
    ),
    pytest.param(
        "qwen3_coder",
        "<function=f>\n<parameter=s>\na\n</parameter>\n</function>\n<function=g>\n</function>",
        ("", "", [("f", '{"s": "a"}'), ("g", "{}")]),
        id="qwen3_coder: no outer tag",
    ),
    pytest.param(
        "qwen3_coder", "Write <function=f> first.", ("", "Write <function=f> first.", []), id="qwen3_coder: prose"
    ),
    pytest.param(
        "gpt_oss",
        "<|channel|>analysis<|message|>Need the weather.<|end|><|start|>assistant<|channel|>commentary<|message|>"
        "I look.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>"
        '{"city":"Oslo"}<|call|>',
        ("Need the weather.", "I look.", [("f", '{"city":"Oslo"}')]),
        id="gpt_oss",
    ),
    pytest.param(
        "gpt_oss",
        " to=functions.f<|channel|>commentary json<|message|>{}<|call|>",
        ("", "", [("f", "{}")]),
        id="gpt_oss: recipient before the channel, at the start",
    ),
    pytest.param(
        "gpt_oss",
        "<|channel|>analysis<|message|>2+2=4<|end|><|start|>assistant<|channel|>final<|message|>4.\n<|return|>",
        ("2+2=4", "4.\n", []),
        id="gpt_oss: answer",
    ),
    pytest.param(
        "gpt_oss",
        "<|channel|>analysis to=browser.search code<|message|>{}<|call|>",
        ("{}", "", []),
        id="gpt_oss: a built-in tool stays reasoning",
    ),
    pytest.param("gpt_oss", "Just text.", ("", "Just text.", []), id="gpt_oss: no header"),
    pytest.param(
        "pythonic",
        """[f(x=1, s="it's", ok=True, d={"k": None}), g()]""",
        ("", "", [("f", '{"x": 1, "s": "it\'s", "ok": true, "d": {"k": null}}'), ("g", "{}")]),
        id="pythonic",
    ),
    pytest.param(
        "pythonic",
        "<|python_start|>[f(x=[1, 2,])]<|python_end|>",
        ("", "", [("f", '{"x": [1, 2]}')]),
        id="pythonic: Llama 4",
    ),
    pytest.param("pythonic", "[a](http://b)", ("", "[a](http://b)", []), id="pythonic: a link"),
    pytest.param("pythonic", "[1, 2]", ("", "[1, 2]", []), id="pythonic: a list"),
    pytest.param("pythonic", "See [f(x=1)]", ("", "See [f(x=1)]", []), id="pythonic: not at the start"),
]


@pytest.mark.parametrize(("name", "text", "expected"), WHOLE)
def test_an_output_as_its_model_writes_it(name, text, expected):
    options = {"tools": name, "reasoning": True, "definitions": DEFINITIONS}
    told = assert_same_at_every_cut(text, seeds=50, **options)
    assert_all_accounted_for(text, told.events)
    calls = [(call["function"]["name"], call["function"]["arguments"]) for call in told.message["tool_calls"]]
    assert (told.message["reasoning_content"], told.message["content"], calls) == expected


def call_delta(index, name):
    return {
        "tool_calls": [
            {"index": index, "id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": ""}}
        ]
    }


def arguments_delta(index, text):
    return {"tool_calls": [{"index": index, "function": {"arguments": text}}]}


STREAMS = [
    pytest.param(
        "hermes",
        [
            "<think>\nHm",
            "\n</thi",
            "nk>\n\nOk",
            ' <tool_call>\n{"name": "f", "argu',
            'ments": {"c',
            '": "x',
            '"}}\n</tool_call>',
        ],
        [
            [{"reasoning_content": "Hm"}],
            [],
            [{"content": "Ok"}],
            [{"content": " "}, call_delta(0, "f")],
            [arguments_delta(0, '{"c')],
            [arguments_delta(0, '": "x')],
            [arguments_delta(0, '"}')],
        ],
        id="hermes",
    ),
    pytest.param(
        "llama3_json",
        ['{"name": "f"', ', "parameters": ', '{"city"', ": 1}};", ' {"name": "g", "parameters": {}}'],
        [
            [],
            [],
            [call_delta(0, "f"), arguments_delta(0, '{"city"')],
            [arguments_delta(0, ": 1}")],
            [call_delta(1, "g"), arguments_delta(1, "{}")],
        ],
        id="llama3_json",
    ),
    pytest.param(
        "mistral",
        ["Hi[TOOL_", "CALLS]f", "[AR", 'GS]{"x"', ": 1}", "[TOOL_CALLS]g{}"],
        [
            [{"content": "Hi"}],
            [],
            [],
            [call_delta(0, "f"), arguments_delta(0, '{"x"')],
            [arguments_delta(0, ": 1}")],
            [call_delta(1, "g"), arguments_delta(1, "{}")],
        ],
        id="mistral",
    ),
    pytest.param(
        "deepseek_v3",
        [
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>",
            "f\n",
            "```json\n{",
            "}\n```",
            "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ],
        [[], [call_delta(0, "f")], [arguments_delta(0, "{")], [arguments_delta(0, "}")], []],
        id="deepseek_v3",
    ),
    pytest.param(
        "deepseek_v31",
        [
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁",
            'sep｜>{"x',
            '": 1}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        ],
        [[], [call_delta(0, "f"), arguments_delta(0, '{"x')], [arguments_delta(0, '": 1}')]],
        id="deepseek_v31",
    ),
    pytest.param(
        "qwen3_coder",
        [
            "<tool_call>\n<function=f>\n",
            "<parameter=s>\nls",
            " <x\n",
            "</para",
            "meter>\n<parameter=n>\n",
            "1",
            "2\n</parameter>\n</function>",
            "\n</tool_call>",
        ],
        [
            [call_delta(0, "f")],
            [arguments_delta(0, '{"s": "ls')],
            [arguments_delta(0, " <x")],
            [],
            [arguments_delta(0, '", "n": ')],
            [],
            [],
            [arguments_delta(0, "12}")],
        ],
        id="qwen3_coder: strings stream, numbers when complete",
    ),
    pytest.param(
        "gpt_oss",
        [
            "<|channel|>analysis<|mess",
            "age|>Hm",
            "<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json",
            "<|message|>",
            '{"x"',
            ":1}<|call|>",
        ],
        [
            [],
            [{"reasoning_content": "Hm"}],
            [],
            [call_delta(0, "f")],
            [arguments_delta(0, '{"x"')],
            [arguments_delta(0, ":1}")],
        ],
        id="gpt_oss",
    ),
    pytest.param(
        "pythonic",
        ["[f(", "s='a", '"b', "', n=1", "2, ok=Tr", "ue)", "]"],
        [
            [],
            [call_delta(0, "f"), arguments_delta(0, '{"s": "a')],
            [arguments_delta(0, '\\"b')],
            [arguments_delta(0, '", "n": ')],
            [arguments_delta(0, '12, "ok": ')],
            [arguments_delta(0, "true}")],
            [],
        ],
        id="pythonic",
    ),
]


@pytest.mark.parametrize(("name", "pieces", "expected"), STREAMS)
def test_the_deltas_of_a_stream(name, pieces, expected):
    parser = OutputParser(reasoning=True, tools=name, definitions=DEFINITIONS)
    assert [parser.feed(piece) for piece in pieces] == expected
    assert parser.feed("", final=True) == []


def test_a_call_that_breaks_after_its_name_stays_and_its_text_comes_raw():
    text = 'A <tool_call>{"name": "f", "arguments": {"x": 1,}}</tool_call> B'
    told = assert_same_at_every_cut(text)
    assert told.message["content"] == text
    assert told.message["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"x": 1,'}
    (end,) = [event for event in told.events if event.kind is Kind.CALL_END]
    (raw,) = [event for event in told.events if event.note == "broken call"]
    assert (end.note, raw.text, raw.span.cut(text)) == (
        "broken",
        *(['<tool_call>{"name": "f", "arguments": {"x": 1,'] * 2),
    )
    assert parse_tool_calls(text) == (text, [])


@pytest.mark.parametrize(
    "inner",
    [
        "x", "{]", '{"name": 1', '{"name": ""', '{"name" "f"', "[]", '{"arguments": [', '{"a": tru ', '{"a": 01',
        '{"a": "\\q', '{"name": "\\ud800"', "{,", '{"a": 1,}', '{"arguments": "x', "nul ",
    ],
)  # fmt: skip
def test_what_cannot_be_a_call_comes_back_raw_at_once(inner):
    parser = OutputParser()
    assert parser.feed(f"<tool_call>{inner}") == [{"content": f"<tool_call>{inner}"}]
    assert parser.held == ""


def test_control_characters_inside_strings_become_their_escapes():
    told = assert_same_at_every_cut('<tool_call>{"name": "f", "arguments": {"s": "a\n\tb\x00"}}</tool_call>')
    assert told.text(Kind.ARGUMENTS, 0) == r'{"s": "a\n\tb\u0000"}'


def test_values_nest_200_deep_and_no_deeper():
    def text(depth):
        return '<tool_call>{"name": "f", "arguments": ' + '{"a": ' * depth + "1" + "}" * depth + "}</tool_call>"

    assert [note(text(depth)) for depth in (200, 201)] == ["", "broken"]


def test_numbers_are_no_longer_than_their_reader_takes():
    def text(size):
        return '<tool_call>{"name": "f", "arguments": {"a": ' + "1" * size + "}}</tool_call>"

    assert [note(text(size)) for size in (4300, 4301)] == ["", "broken"]
    assert parse_tool_calls(text(4300))[1][0]["arguments"] == {"a": int("1" * 4300)}


def note(text):
    (end,) = [event.note for event in stream([text]).events if event.kind is Kind.CALL_END]
    return end


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hermes", '<tool_call>{"name": "f", "arguments": {"x": 1}}\n</tool_c'),
        ("qwen3_coder", "<tool_call>\n<function=f>\n<parameter=n>\n1\n</parameter>\n</function>\n</tool_c"),
        ("deepseek_v31", '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"x": 1}<｜tool▁call▁e'),
        ("gpt_oss", '<|channel|>commentary to=functions.f<|message|>{"x": 1}<|ca'),
    ],
)
def test_half_a_close_tag_behind_a_complete_call_is_no_content(name, text):
    told = assert_same_at_every_cut(text, tools=name, definitions=DEFINITIONS)
    assert_all_accounted_for(text, told.events)
    assert told.message["content"] == ""
    assert told.events[-1].note == "cut off" and text.endswith(told.events[-1].text)
    assert len(parse_tool_calls(text, name)[1]) == 1


def test_half_a_tag_at_the_end_of_other_content_is_text():
    assert assert_same_at_every_cut("a </tool_c").message["content"] == "a </tool_c"
    assert assert_same_at_every_cut("a <tool_c").message["content"] == "a <tool_c"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('"""a"b""c"""', 'a"b""c'),
        ("'''it''s'''", "it''s"),
        ('"""\n"""', "\n"),
        ("''", ""),
        ('"\\x41\\u00e9\\101\\q\\\n!"', "AéA\\q!"),
        ('"a\nb"', "a\nb"),
    ],
)
def test_python_strings_are_taken_over_at_every_cut(written, expected):
    told = assert_same_at_every_cut(f"[f(s={written})]", tools="pythonic")
    assert json.loads(told.text(Kind.ARGUMENTS, 0)) == {"s": expected}


def test_a_header_that_goes_on_too_long_is_content_as_soon_as_that_is_known():
    parser, text = OutputParser(tools="gpt_oss"), "<|channel|>" + "x" * 256
    assert parser.feed(text) == [] and parser.held == text
    assert parser.feed("x") == [{"content": text + "x"}]
