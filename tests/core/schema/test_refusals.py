"""What is refused and where: keywords, malformed values, schemas without a value, budgets."""

import pytest

from tests.core.schema.schemas import obj
from tokcore.errors import TokcoreError
from tokcore.schema import KEYWORDS, SchemaError, SchemaTooLarge, Verdict, compile_schema, json_schema_to_regex

STRING, INTEGER, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}


SAMPLES = {
    **{
        "not": {},
        "if": {},
        "then": {},
        "else": {},
        "dependentRequired": {},
        "dependentSchemas": {},
        "dependencies": {},
    },
    **{"patternProperties": {}, "propertyNames": {}, "unevaluatedProperties": False, "unevaluatedItems": False},
    **{"additionalItems": {}, "contains": {}, "minContains": 1, "maxContains": 1, "$dynamicRef": "#a", "$anchor": "a"},
    **{"$dynamicAnchor": "a", "$recursiveRef": "#", "$recursiveAnchor": True},
}


def test_there_is_a_sample_of_every_refused_keyword():
    assert SAMPLES.keys() == {name for name, (verdict, _) in KEYWORDS.items() if verdict is Verdict.REFUSED}


@pytest.mark.parametrize("keyword", SAMPLES)
def test_a_refused_keyword_is_named_with_its_place_and_a_way_out(keyword):
    schema = obj({"a/b": {keyword: SAMPLES[keyword]}})
    with pytest.raises(SchemaError) as error:
        compile_schema(schema)
    assert error.value.where == f"/properties/a~1b/{keyword}"
    assert error.value.remedy
    assert [use.keyword for use in compile_schema(schema, weaken=True).weakened] == [keyword]


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"tipe": "string"}, "/tipe"),
        ({"type": "strin"}, "/type"),
        ({"type": []}, "/type"),
        ({"type": [["string"]]}, "/type"),
        ({"enum": []}, "/enum"),
        ({"enum": "a"}, "/enum"),
        ({"const": float("nan")}, "/const"),
        ({"anyOf": []}, "/anyOf"),
        ({"allOf": {}}, "/allOf"),
        ({"items": [STRING]}, "/items"),
        ({"items": 5}, "/items"),
        ({"properties": []}, "/properties"),
        ({"required": "a"}, "/required"),
        ({"required": [1]}, "/required"),
        ({"minLength": -1}, "/minLength"),
        ({"minLength": 1.5}, "/minLength"),
        ({"maxLength": True}, "/maxLength"),
        ({"maxItems": 10**9}, "/maxItems"),
        ({"pattern": 5}, "/pattern"),
        ({"type": "array", "uniqueItems": True}, "/uniqueItems"),
        ({"type": "array", "uniqueItems": 1}, "/uniqueItems"),
        (obj({"a": NULL, "b": NULL}, minProperties=1), "/minProperties"),
        (obj({"a": NULL, "b": NULL}, maxProperties=1), "/maxProperties"),
        ({"items": {"$id": "x"}}, "/items/$id"),
        ({"nullable": 1}, "/nullable"),
        ({"minimum": 10**5000}, "/minimum"),
        ({"enum": [1, 10**5000]}, "/enum/1"),
        ({5: 6}, ""),
        ({"const": {5: 6}}, "/const"),
        ([], ""),
        ("x", ""),
    ],
)
def test_a_malformed_or_unusable_keyword_is_named_with_its_place(schema, pointer):
    with pytest.raises(SchemaError) as error:
        compile_schema(schema)
    assert error.value.where == pointer
    assert error.value.remedy


def test_a_name_that_is_no_utf8_is_refused():
    with pytest.raises(TokcoreError, match="lone surrogate"):
        compile_schema(obj({"\ud800": NULL}))


def test_a_refused_keyword_of_another_type_does_not_matter():
    automaton = compile_schema({"type": "string", "contains": {}, "uniqueItems": True}).automaton()
    assert automaton.matches('"a"')
    assert not automaton.matches("[]")


@pytest.mark.parametrize(
    "schema",
    [
        False,
        {"type": "string", "minLength": 3, "maxLength": 2},
        {"type": "integer", "minimum": 3, "maximum": 2},
        {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
        {"allOf": [STRING, INTEGER]},
        {"const": 1, "type": "string"},
        {"type": "string", "pattern": "^a{5}$", "maxLength": 4},
        {"allOf": [{"type": "string", "pattern": "^a+$"}, {"pattern": "b"}]},
        {"type": "array", "items": False, "minItems": 1},
        obj({"a": False}, required=["a"]),
        {"type": "string", "pattern": "a^b"},
    ],
)
def test_a_schema_that_no_value_fulfils_is_an_error(schema):
    with pytest.raises(SchemaError, match="no value is valid"):
        compile_schema(schema)


# ---- budgets


def nest(schema, depth):
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return schema


LAUGHS = {"$ref": "#/$defs/n20", "$defs": {"n0": STRING}}
for _n in range(1, 21):
    _half = {"$ref": f"#/$defs/n{_n - 1}"}
    LAUGHS["$defs"][f"n{_n}"] = obj({"a": _half, "b": _half})


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(nest(STRING, 60), id="too deep"),
        pytest.param(nest(STRING, 5000), id="far too deep"),
        pytest.param(nest(STRING, 30), id="a pattern that doubles with each level"),
        pytest.param(LAUGHS, id="references that double with each level"),
        pytest.param(obj({f"p{n}": STRING for n in range(501)}), id="too many properties"),
        pytest.param(obj({f"p{n}": True for n in range(200)}), id="a long pattern"),
        pytest.param(
            {"allOf": [{"anyOf": [STRING, INTEGER, NULL]}] * 30, "anyOf": [{"minLength": n} for n in range(900)]},
            id="alternatives multiplied",
        ),
        pytest.param(
            {"allOf": [{"type": "string", "pattern": "(a|b)*a(a|b){18}"}, {"pattern": "^(b|a)*b(a|b){17}$"}]},
            id="patterns that need too many states",
        ),
        pytest.param({"type": "string", "pattern": "a" * 50_000}, id="a long source"),
        pytest.param({"oneOf": [{"const": n} for n in range(201)]}, id="too many branches to compare"),
    ],
)
def test_a_hostile_schema_is_past_a_budget_and_says_so(schema):
    with pytest.raises(SchemaTooLarge) as error:
        compile_schema(schema)
    assert error.value.remedy


def test_fifty_optional_properties_have_a_pattern_of_moderate_length():
    schema = obj({f"p{n}": STRING for n in range(50)})
    assert len(json_schema_to_regex(schema)) < 120_000


def test_counts_do_not_cost_states():
    automaton = compile_schema({"type": "string", "maxLength": 1_000_000}).automaton()
    assert automaton.matches('"' + "a" * 5000 + '"')
    assert not compile_schema({"type": "string", "minLength": 1_000_000}).automaton().matches('"a"')
