"""Schemas as a whole: references, merging, alternatives, what is refused and where, budgets, the parts of a pattern."""

import json

import pytest
import regex

from tests.core.schema.schemas import obj
from tokcore.schema import SchemaError, compile_schema, json_schema_to_regex

STRING, INTEGER, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}


def check(schema, yes=(), no=(), **options):
    found = compile_schema(schema, **options)
    automaton, engine = found.automaton(), regex.compile(found.text)
    assert [text for text in yes if not automaton.matches(text)] == []
    assert [text for text in no if automaton.matches(text)] == []
    assert all(map(engine.fullmatch, yes))
    assert not any(map(engine.fullmatch, no))


@pytest.mark.parametrize(
    ("schema", "yes", "no"),
    [
        pytest.param({"type": ["string", "null"]}, ['"a"', "null"], ["1"], id="several types"),
        pytest.param({"type": "string", "nullable": True}, ['"a"', "null"], ["1"], id="nullable"),
        pytest.param(
            {"$ref": "#/$defs/a", "nullable": True, "$defs": {"a": INTEGER}}, ["1", "null"], ['"a"'], id="nullable ref"
        ),
        pytest.param(
            {"type": "string", "nullable": True, "enum": ["a"]}, ['"a"'], ["null"], id="an enum decides on null"
        ),
        pytest.param(True, ["1", '{"a":[1]}', "[{}]", "null"], ['{"a":[[]]}', "x"], id="true"),
        pytest.param({"type": "object"}, ["{}", '{"a":1,"b":{}}'], ["[]"], id="an object without properties is open"),
        pytest.param(obj({}), ["{}"], ['{"a":1}'], id="listed properties close an object"),
        pytest.param(
            obj({"a": NULL}, additionalProperties=True),
            ['{"a":null,"b":1}', '{"c":1}'],
            ['{"b":1,"a":null}', '{"a":1}', '{"a":null,"a":1}'],
            id="additional ones come last and have other names",
        ),
        pytest.param(
            obj({"a": NULL}, additionalProperties=INTEGER),
            ['{"b":1}', '{"":1}', '{"aa":1}'],
            ['{"b":null}', '{"a":1}'],
            id="additional ones have their schema",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": INTEGER, "minProperties": 1, "maxProperties": 2},
            ['{"a":1}', '{"a":1,"b":2}'],
            ["{}", '{"a":1,"b":2,"c":3}'],
            id="counts of a map",
        ),
        pytest.param(
            obj({"a": False, "b": NULL}), ["{}", '{"b":null}'], ['{"a":1}'], id="a property that may not be there"
        ),
        pytest.param(obj({'q"/': NULL}), ['{"q\\"/":null}'], ['{"q"/":null}'], id="names are escaped"),
        pytest.param(
            {"properties": {"a": NULL}}, ['{"a":null}', "{}"], ["1", '"a"'], id="keywords without type mean their type"
        ),
        pytest.param(
            {"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 3},
            ["[1,2]", "[1, 2, 3]"],
            ["[1]", "[1,2,3,4]", "[1,2,]", "[1 ,2]"],
            id="bounds of a list",
        ),
        pytest.param({"type": "array", "maxItems": 0}, ["[]"], ["[1]"], id="an empty list"),
        pytest.param(
            {"type": "array", "prefixItems": [INTEGER, STRING], "items": NULL},
            ["[]", "[1]", '[1,"a"]', '[1,"a",null]'],
            ['["a"]', "[1,null]"],
            id="a prefix may be cut short",
        ),
        pytest.param(
            {"type": "array", "prefixItems": [INTEGER, STRING], "items": False, "minItems": 1},
            ["[1]", '[1,"a"]'],
            ["[]", '[1,"a",1]'],
            id="a closed prefix",
        ),
        pytest.param(
            {"type": "array", "prefixItems": [INTEGER, False]},
            ["[]", "[1]"],
            ["[1,2]"],
            id="nothing may stand at the second place",
        ),
        pytest.param(
            {"type": "array", "items": INTEGER, "uniqueItems": True, "maxItems": 1},
            ["[]", "[1]"],
            ["[1,1]"],
            id="one element is unique",
        ),
        pytest.param({"anyOf": [INTEGER, STRING]}, ["1", '"a"'], ["null"], id="anyOf"),
        pytest.param({"oneOf": [INTEGER, STRING]}, ["1", '"a"'], ["null"], id="oneOf of two types"),
        pytest.param(
            {"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 3}]},
            ['"ab"', '"abc"'],
            ['"a"', '"abcd"'],
            id="allOf",
        ),
        pytest.param(
            {"type": "string", "anyOf": [{"maxLength": 1}, {"minLength": 3}]},
            ['"a"', '"abc"'],
            ['"ab"', "1"],
            id="anyOf beside type",
        ),
        pytest.param(
            obj({"a": STRING, "b": STRING}, anyOf=[{"required": ["a"]}, {"required": ["b"]}]),
            ['{"a":""}', '{"b":""}', '{"a":"","b":""}'],
            ["{}"],
            id="one of two is required",
        ),
        pytest.param(
            {"allOf": [obj({"a": INTEGER}, required=["a"]), obj({"b": STRING}, required=["b"])]},
            ['{"a":1,"b":""}'],
            ['{"a":1}', '{"b":"","a":1}'],
            id="objects are merged",
        ),
        pytest.param(
            {"allOf": [obj({"a": INTEGER}), obj({"b": STRING}, additionalProperties=False)]},
            ["{}", '{"b":""}'],
            ['{"a":1}'],
            id="the closed one decides",
        ),
        pytest.param({"enum": [1, "a", None], "type": ["string", "null"]}, ['"a"', "null"], ["1"], id="enum and type"),
        pytest.param({"enum": [1, 2, 3], "minimum": 2}, ["2", "3"], ["1"], id="enum and bound"),
        pytest.param({"type": "integer", "enum": [1.0, 2.5]}, ["1"], ["1.0", "2.5"], id="a float that is an integer"),
        pytest.param({"enum": [1, True]}, ["1", "true"], ["1.0"], id="1 and true differ"),
        pytest.param(
            {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$", "maxLength": 5},
            ['"ab-cd"', '"a"'],
            ['"abc-de"', '"a-"', '""'],
            id="pattern and length",
        ),
        pytest.param(
            {"allOf": [{"type": "string", "pattern": "a"}, {"pattern": "b"}]},
            ['"ab"', '"xbya"'],
            ['"a"', '"b"'],
            id="two patterns",
        ),
        pytest.param(
            {"type": "string", "pattern": '^["\\\\\n]$'},
            [r'"\""', r'"\\"', r'"\n"'],
            ['"a"', '"""', r'"\u000a"'],
            id="pattern of what must be escaped",
        ),
    ],
)
def test_schema(schema, yes, no):
    check(schema, yes, no)


# ---- references


def test_a_reference_is_found_by_its_pointer_with_all_escapes():
    defs = {"a/b": INTEGER, "c~d": STRING, "é %": NULL}
    schema = obj({"x": {"$ref": "#/$defs/a~1b"}, "y": {"$ref": "#/$defs/c~0d"}, "z": {"$ref": "#/$defs/%C3%A9%20%25"}})
    check({**schema, "$defs": defs}, ['{"x":1,"y":"","z":null}'], ['{"x":""}'])


def test_a_reference_and_its_siblings_hold_together():
    check({"$ref": "#/definitions/a", "maximum": 5, "definitions": {"a": INTEGER}}, ["5"], ["6", "1.5"])


TREE = {
    "$ref": "#/$defs/node",
    "$defs": {"node": obj({"v": INTEGER, "next": {"$ref": "#/$defs/node"}}, required=["v"])},
}


@pytest.mark.parametrize("recursion", [0, 1, 3])
def test_a_recursion_is_followed_as_deep_as_asked(recursion):
    def nested(depth):
        return '{"v":1}' if depth == 0 else f'{{"v":1,"next":{nested(depth - 1)}}}'

    deep = [nested(depth) for depth in range(recursion + 1)]
    check(TREE, deep, [nested(recursion + 1)], recursion=recursion)


def test_the_root_may_refer_to_itself():
    check({"type": "array", "items": {"$ref": "#"}}, ["[]", "[[],[[]]]"], ["[1]", "[[[[]]]]"], recursion=2)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        {"anyOf": [{"$ref": "#"}]},
    ],
)
def test_a_reference_that_only_leads_to_itself_has_no_value(schema):
    with pytest.raises(SchemaError, match="no value is valid"):
        compile_schema(schema)


@pytest.mark.parametrize("target", ["https://x.org/a", "other.json", "#anchor", "#/$defs/none", "#/$defs/0/x", 5])
def test_a_reference_that_leads_nowhere_here_is_refused(target):
    with pytest.raises(SchemaError) as error:
        compile_schema({"items": {"$ref": target}, "$defs": {}})
    assert error.value.where == "/items/$ref"


# ---- alternatives of which exactly one may hold


def kind(name, **more):
    return obj({"kind": {"const": name}, **more}, required=["kind"])


@pytest.mark.parametrize(
    "branches",
    [
        [kind("a", x=INTEGER), kind("b", y=STRING)],
        [{"const": 1}, {"enum": [2, "1"]}],
        [{"type": "integer", "maximum": 5}, {"type": "integer", "minimum": 6}],
        [{"type": "number", "exclusiveMaximum": 5}, {"type": "number", "minimum": 5}],
        [{"type": "string", "maxLength": 2}, {"type": "string", "minLength": 3}],
        [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b"}],
        [{"type": "array", "maxItems": 1}, {"type": "array", "minItems": 2}],
        [obj({"a": INTEGER}, required=["a"]), obj({"b": INTEGER}, additionalProperties=False)],
        [NULL, {"anyOf": [STRING, INTEGER]}],
    ],
)
def test_one_of_is_enforced_where_no_value_fits_two_branches(branches):
    assert compile_schema({"oneOf": branches}).weakened == ()


@pytest.mark.parametrize(
    "branches",
    [
        [INTEGER, {"type": "number"}],
        [STRING, STRING],
        [obj({"a": INTEGER}, required=["a"]), obj({"b": INTEGER})],
        [{"minLength": 2}, {"minimum": 2}],
        [{"const": 1}, {"const": 1.0}],
        [{"type": "string", "pattern": "a"}, {"type": "string", "pattern": "b"}],
        [True, NULL],
        [{"type": "array", "items": INTEGER}, {"type": "array", "items": STRING}],
    ],
)
def test_one_of_is_refused_where_a_value_may_fit_two_branches(branches):
    with pytest.raises(SchemaError, match="both 0 and 1") as error:
        compile_schema({"oneOf": branches})
    assert error.value.where == "/oneOf"


# ---- the parts of a pattern


def flat(part):
    yield part
    for child in part.children:
        yield from flat(child)


def test_parts_are_stretches_of_the_pattern_with_their_place_in_the_schema():
    schema = obj({"a": INTEGER, "b": {"anyOf": [STRING, NULL]}, "c": {"$ref": "#/$defs/x"}}, required=["a"])
    found = compile_schema({**schema, "$defs": {"x": {"type": "boolean"}}})
    parts = list(flat(found.part))
    assert all(part.span.cut(found.text) == part.pattern for part in parts)
    assert {"", "/properties/a", "/properties/b", "/properties/b/anyOf/0", "/$defs/x"} <= {
        part.pointer for part in parts
    }
    by_pointer = {part.pointer: part.pattern for part in parts}
    assert by_pointer["/properties/a"] == '"a": ?-?(?:0|[1-9][0-9]*)'
    assert by_pointer["/properties/c"] == '"c": ?(?:true|false)'
    assert by_pointer["/$defs/x"] == "(?:true|false)"
    for part in parts:
        ends = [part.span.start, *(edge for child in part.children for edge in child.span), part.span.end]
        assert ends == sorted(ends)


def test_every_keyword_of_a_schema_is_in_its_record():
    schema = {"title": "t", "type": "object", "properties": {"a": {"type": "string", "x-mine": 1}}, "required": ["a"]}
    found = {use.pointer: use.verdict.value for use in compile_schema(schema).uses}
    assert found == {
        "/title": "annotation",
        "/type": "enforced",
        "/properties": "enforced with limits",
        "/properties/a/type": "enforced",
        "/required": "enforced",
    }


def test_the_pattern_is_one_that_other_engines_read_too():
    import re

    schema = obj({"a": {"type": "string", "pattern": "[^é-ü&&~~||-]"}, "b": {"enum": ["#x ", "<y>"]}})
    text = json_schema_to_regex(schema)
    assert re.fullmatch(text, json.dumps({"a": "x", "b": "#x "}))
    assert not re.fullmatch(text, json.dumps({"a": "&", "b": "<y>"}))
