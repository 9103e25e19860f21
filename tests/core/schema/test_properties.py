"""Laws over random schemas: what comes through is valid, what is valid and spelled our way comes through."""

import json

import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.core.schema.schemas import pairs, read, schemas, validator
from tokcore.schema import Automaton, compile_schema, sample
from tokcore.schema.errors import SchemaError
from tokcore.schema.expr import both, chars, choice, literal, repeat, seq, spelled, spelled_length

slow = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@slow
@given(schemas, st.integers(0, 10_000))
def test_whatever_comes_through_parses_and_is_valid(schema, seed):
    try:
        automaton = compile_schema(schema).automaton()
    except SchemaError as error:
        assert error.remedy
        return
    check = validator(schema)
    for each in range(seed, seed + 4):
        check.validate(read(sample(automaton, each, free_bytes=60)))


@slow
@given(schemas, st.integers(0, 10_000), st.data())
def test_automaton_and_pattern_agree_on_texts_and_on_damaged_texts(schema, seed, data):
    try:
        found = compile_schema(schema)
    except SchemaError:
        return
    automaton, engine = found.automaton(), regex.compile(found.text)
    text = sample(automaton, seed, free_bytes=60)
    assert engine.fullmatch(text)
    at = data.draw(st.integers(0, len(text)))
    for damaged in (text[:at] + text[at + 1 :], text[:at] + data.draw(st.sampled_from('a0,"\\ }]é😀')) + text[at:]):
        assert (engine.fullmatch(damaged) is not None) == automaton.matches(damaged)


@slow
@given(pairs, st.booleans())
def test_a_valid_document_in_the_one_spelling_comes_through(pair, compact):
    schema, document = pair
    validator(schema).validate(read(json.dumps(document)))
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":") if compact else None)
    assert compile_schema(schema).automaton().matches(text), text


# ---- expressions

_letters = st.sampled_from(["ab", "a-c", "é", "a-z😀", "ßx", "\x00-\x7f"]).map(lambda each: each.replace("\x7f", "y"))
_leaves = st.one_of(_letters.map(chars), st.text("abcé😀.*[\\", max_size=3).map(literal))


def _grown(inner):
    count = st.integers(0, 3)
    return st.one_of(
        st.lists(inner, max_size=3).map(lambda parts: seq(*parts)),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: choice(*parts)),
        st.tuples(inner, count, count).map(lambda each: repeat(each[0], each[1], each[1] + each[2])),
        st.tuples(inner, count).map(lambda each: repeat(*each)),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: seq(both(parts, '"'), literal('"'))),
    )


expressions = st.recursive(_leaves, _grown, max_leaves=8)


@slow
@given(expressions, st.lists(st.text('abcz"é😀ß.*[\\', max_size=6), max_size=8), st.integers(0, 99))
def test_any_expression_means_what_its_spelling_means(expression, texts, seed):
    automaton, engine = Automaton(expression), regex.compile(spelled(expression))
    if not automaton.matches_nothing:
        texts = [*texts, sample(automaton, seed, free_bytes=20), sample(automaton, seed, free_bytes=0)]
    for text in texts:
        # A look-ahead finds its end by the quote; an inner quote can only come from an inner look-ahead's own end.
        if text.count('"') <= 1:
            assert automaton.matches(text) == (engine.fullmatch(text) is not None), text


@slow
@given(expressions)
def test_the_length_of_a_pattern_is_known_beforehand_within_a_factor(expression):
    assert len(spelled(expression)) <= spelled_length(expression) * 4 + 8


@slow
@given(expressions)
def test_the_shortest_way_is_as_long_as_promised_at_every_step(expression):
    automaton = Automaton(expression)
    state = automaton.start
    if automaton.matches_nothing:
        return
    data = automaton.shortest(state)
    for count, byte in enumerate(data):
        assert state.least == len(data) - count
        state = automaton.step(state, byte)
    assert state.nullable
