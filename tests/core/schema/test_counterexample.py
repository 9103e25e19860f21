"""Where a pattern is weaker than its schema, a document shows it; where it is not, there is none."""

import json

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.core.schema.schemas import schemas, values
from tokcore.schema import SchemaError, compile_schema, counterexample
from tokcore.schema.validity import broken_keyword

INTEGER, STRING = {"type": "integer"}, {"type": "string"}
AB = {"type": "object", "properties": {"a": STRING, "b": STRING}}

WEAK = [
    ({"type": "array", "items": INTEGER, "uniqueItems": True}, "/uniqueItems"),
    ({"type": "string", "not": {"const": "no"}}, "/not"),
    ({"type": "array", "items": {"not": {"type": "null"}}, "minItems": 1}, "/items/not"),
    ({"oneOf": [INTEGER, {"type": "number", "minimum": 3}]}, "/oneOf"),
    ({**AB, "dependentRequired": {"a": ["b"]}}, "/dependentRequired"),
    ({**AB, "minProperties": 1}, "/minProperties"),
    ({**AB, "maxProperties": 1}, "/maxProperties"),
    ({**AB, "if": {"required": ["a"]}, "then": {"required": ["b"]}}, "/then"),
    ({**AB, "dependentSchemas": {"a": {"required": ["b"]}}}, "/dependentSchemas"),
    ({"type": "array", "contains": INTEGER}, "/contains"),
    ({"type": "object", "patternProperties": {"^x": INTEGER}}, "/patternProperties"),
    ({"type": "object", "propertyNames": {"minLength": 3}, "minProperties": 1}, "/propertyNames"),
    ({"type": "integer", "multipleOf": 7}, "/multipleOf"),
]


@pytest.mark.parametrize(("schema", "broken"), WEAK, ids=[broken for _, broken in WEAK])
def test_a_left_out_keyword_is_shown_by_a_document_that_breaks_it(schema, broken):
    found = counterexample(schema)
    assert found.broken == broken
    assert not jsonschema.Draft202012Validator(schema).is_valid(json.loads(found.text))
    assert compile_schema(schema, weaken=True).automaton().matches(found.text)
    with pytest.raises(SchemaError):
        compile_schema(schema)


@pytest.mark.parametrize("schema", [{"type": "string", "pattern": "(?=a)b"}, {"type": "string", "format": "colour"}])
def test_what_cannot_be_judged_is_said_without_a_document(schema):
    found = counterexample(schema)
    assert (found.text, found.broken, len(found.weakened)) == (None, None, 1)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(schemas)
def test_where_nothing_is_left_out_there_is_no_counterexample(schema):
    try:
        compile_schema(schema)
    except SchemaError:
        return
    assert counterexample(schema) is None


more = st.one_of(
    schemas,
    st.tuples(schemas, schemas).map(lambda two: {"if": two[0], "then": two[1]}),
    schemas.map(lambda one: {"not": one}),
    st.tuples(schemas, schemas).map(lambda two: {"oneOf": list(two)}),
    schemas.map(lambda one: {"contains": one, "maxContains": 2}),
    schemas.map(lambda one: {"patternProperties": {"^a": one}, "propertyNames": {"maxLength": 2}}),
    st.sampled_from([{"uniqueItems": True}, {"minProperties": 1, "maxProperties": 1}, {"multipleOf": 0.5}]),
)


def has_no_format(schema):
    return '"format"' not in json.dumps(schema) and '"multipleOf"' not in json.dumps(schema)


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(more.filter(has_no_format), values)
def test_validity_is_judged_as_jsonschema_judges_it(schema, value):
    assert (broken_keyword(schema, value) is None) == jsonschema.Draft202012Validator(schema).is_valid(value)
