"""Known failures of public schema-to-pattern converters, with the answers the specifications give."""

import json

import pytest
import regex

from tokcore.schema import compile_schema, json_schema_to_regex
from tokcore.schema.errors import SchemaError


def verdicts(schema, texts):
    """Text → whether it comes through, by the pattern and by the automaton, which agree."""
    found = compile_schema(schema)
    engine, automaton = regex.compile(found.text), found.automaton()
    by_pattern = {text: engine.fullmatch(text) is not None for text in texts}
    assert by_pattern == {text: automaton.matches(text) for text in texts}
    return by_pattern


def check(schema, yes=(), no=()):
    assert verdicts(schema, [*yes, *no]) == {**dict.fromkeys(yes, True), **dict.fromkeys(no, False)}


# dottxt-ai/outlines-core#267, ggml-org/llama.cpp#9903
def test_alternatives_of_a_pattern_stay_inside_the_quotes():
    check({"type": "string", "pattern": "^(cat|dog)$"}, ['"cat"', '"dog"'], ['"cat', 'dog"', '"cats"', "cat"])
    check({"type": "string", "pattern": "cat|dog"}, ['"cat"', '"dog"', '"a dog!"'], ['"cat', 'dog"', '"ca"'])


def test_anchors_belong_to_their_alternative():
    check(
        {"type": "string", "pattern": "^cat|dog$"},
        ['"cat"', '"dog"', '"catalogue"', '"hotdog"'],
        ['"a cat"', '"dogs"', '"cat', 'dog"'],
    )


# dottxt-ai/outlines#971, noamgat/lm-format-enforcer#183
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (False, "false"),
        (None, "null"),
        ('"', r'"\""'),
        (r"a\b", r'"a\\b"'),
        (1.5, "1.5"),
        ("a.b", '"a.b"'),
    ],
)
def test_constants_are_spelled_as_json(value, text):
    wrong = [repr(value), f"x{text}", "True", "None", '"axb"', r'"a\b"', "1x5"]
    check({"const": value}, [text], [each for each in wrong if each != text])


def test_an_enumeration_may_mix_types():
    values = [True, None, '"', "a\\b", 1.5, [1, {"k": "v"}]]
    texts = [json.dumps(value) for value in values]
    check({"enum": values}, texts, ["True", "None", '"""', '"a\\b"', "1", "false"])


# dottxt-ai/outlines#991, outlines-core#231 and #189
def test_a_string_may_hold_every_escape_of_json_and_no_other():
    escapes = [rf'"{each}"' for each in (r"\"", r"\\", r"\/", r"\b", r"\f", r"\n", r"\r", r"\t", r"\u00e9", r"\uFFFD")]
    raw = [f'"{each}"' for each in ("é", "\x7f", "\x85", "\u2028", "😀", "")]
    wrong = [*(f'"{chr(code)}"' for code in range(0x20)), '"\\"', r'"\x"', r'"\u12"', r'"\U0001f600"', '"""']
    check({"type": "string"}, [*escapes, *raw], wrong)
    assert all(isinstance(json.loads(text), str) for text in (*escapes, *raw))


# mlc-ai/xgrammar#800, guidance-ai/llguidance#88
def test_lengths_count_decoded_code_points():
    one = [r'"\n"', '"😀"', r'"\ud83d\ude00"', r'"\uD83D\uDE00"', '"é"', r'"\u00e9"', '"a"']
    check({"type": "string", "maxLength": 1}, ['""', *one], ['"ab"', r'"\n\n"', '"e\u0301"'])
    check({"type": "string", "minLength": 2}, ['"ab"', r'"\n\n"', '"💩💩"'], ['"💩"', r'"\ud83d\ude00"', *one])


def test_lone_surrogate_escapes_are_refused():
    wrong = [r'"\ud83d"', r'"\ude00"', r'"\ude00\ud83d"', r'"\ud83da"', r'"\ud83d\u0061"', r'"\ud83d\ud83d"']
    check({"type": "string"}, [r'"\ud83d\ude00"', r'"\ud7ff\ue000"'], wrong)


# noamgat/lm-format-enforcer#181
def test_numbers_follow_the_grammar_of_json():
    yes = ["-0", "1e5", "1E+05", "0e1", "0", "-12.50", "1.5E-3", "10", "1e299", "1e-299"]
    no = ["1.e2", "01", "1.", ".5", "+1", "-", "1e", "0x1", "Infinity", "NaN", "1 ", "1e400"]
    check({"type": "number"}, yes, no)
    assert all(isinstance(json.loads(text), int | float) for text in yes)


def test_integers_are_written_with_digits_alone():
    check({"type": "integer"}, ["0", "-0", "7", "-120"], ["1.0", "1e2", "01", "+1", "1.5"])


# dottxt-ai/outlines#495, outlines-core#130
def test_optional_properties_leave_no_stray_comma():
    both = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
    yes = ["{}", '{"a":1}', '{"b":2}', '{"a":1,"b":2}', '{"a": 1, "b": 2}']
    no = ['{,"b":2}', '{"a":1,}', '{"a":1"b":2}', '{"b":2,"a":1}', '{"a":1,"a":1}', "{,}"]
    check(both, yes, no)


def test_a_required_property_between_optional_ones_leaves_no_stray_comma():
    properties = {name: {"type": "integer"} for name in "abc"}
    check(
        {"type": "object", "properties": properties, "required": ["b"]},
        ['{"b":2}', '{"a":1,"b":2}', '{"b":2,"c":3}', '{"a":1,"b":2,"c":3}'],
        ["{}", '{"a":1}', '{"c":3}', '{"a":1,"c":3}', '{,"b":2}', '{"b":2,}', '{"a":1,,"c":3}', '{"a":1"b":2}'],
    )


# dottxt-ai/outlines-core#100
@pytest.mark.parametrize("keyword", ["const", "enum"])
def test_constant_objects_and_arrays_are_exact_json(keyword):
    value = {'k"': [1, {"é.": None}], "b": "x"}
    schema = {"const": value} if keyword == "const" else {"enum": [value]}
    check(
        schema,
        [json.dumps(value, ensure_ascii=False), json.dumps(value, ensure_ascii=False, separators=(",", ":"))],
        [repr(value), '{"k"":[1,{"é.":null}],"b":"x"}', '{"k\\"":[1,{"éx":null}],"b":"x"}', "{}"],
    )


# dottxt-ai/outlines-core#152
def test_a_required_property_without_a_schema_must_appear_with_any_value():
    schema = {"type": "object", "properties": {"a": {"type": "null"}}, "required": ["b"]}
    yes = ['{"b":1}', '{"b":[{}]}', '{"a":null,"b":"x"}']
    check(schema, yes, ["{}", '{"a":null}', '{"b":}'])


def test_a_required_property_that_may_not_be_there_is_an_error():
    schema = {"type": "object", "properties": {}, "required": ["b"], "additionalProperties": False}
    with pytest.raises(SchemaError, match="no value is valid"):
        json_schema_to_regex(schema)


# dottxt-ai/outlines-core#149
def test_pattern_properties_are_refused_not_ignored():
    schema = {"type": "object", "patternProperties": {"^x": {"type": "null"}}, "additionalProperties": False}
    with pytest.raises(SchemaError) as error:
        json_schema_to_regex(schema)
    assert error.value.where == "/patternProperties"
