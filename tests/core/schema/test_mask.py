"""Masks: exactly the tokens that can be completed, with the reason for every other; forced outputs always fit."""

import json
from collections import Counter

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.core.schema.schemas import read, schemas, validator
from tokcore.errors import UnknownId
from tokcore.schema import (
    NotAllowed,
    SchemaError,
    TokenMask,
    Vocabulary,
    compile_schema,
    compile_tool_call,
    forced,
    json_schema_to_regex,
)
from tokcore.schema.vocabulary import ByteTree, bits_of, ids_of, plain_length

BYTES = [bytes([byte]) for byte in range(256)]
WORDS = [
    *(
        '{"',
        '"a',
        '": ',
        '", "',
        '"}',
        "}",
        "[",
        "], ",
        "true",
        "null",
        "12",
        "-",
        "0.",
        "e5",
        "é",
        "São",
        "😀",
        '\\"',
        "\\u00",
    ),
    *(
        " ",
        "  ",
        "\n",
        "hello",
        " world",
        "ab",
        "abc",
        "abcd",
        "a" * 20,
        "éé",
        "2024-",
        'x"',
        '"x"',
        "日本語",
        "a\\",
        "kind",
        "ü",
    ),
]
TOKENS = [
    *BYTES,
    *(word.encode() for word in WORDS),
    "é".encode()[:1] + b"",
    "😀".encode()[:2],
    "😀".encode()[2:],
    b"",
    b"",
    b"a",
]
EMPTY, END = len(TOKENS) - 3, len(TOKENS) - 2
VOCABULARY = Vocabulary(TOKENS)
slow = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))


def mask_of(schema):
    return TokenMask(compile_schema(schema), VOCABULARY, [END])


def by_hand(mask, state):
    """Every token walked by itself."""
    automaton = mask.automaton
    fitting = {id for id, token in enumerate(TOKENS) if token and automaton.walk(state, token)[1] == len(token)}
    return sorted(fitting | ({END} if state.nullable else set()))


@slow
@given(schemas, st.integers(0, 999))
def test_a_mask_is_what_walking_each_token_gives_at_every_step(schema, seed):
    try:
        mask = mask_of(schema)
    except SchemaError:
        return
    state = mask.start
    for id in forced(mask, seed, free_steps=8).ids[:25]:
        allowed = mask.allowed(state)
        assert allowed.ids == by_hand(mask, state)
        assert len(allowed) == len(allowed.ids)
        assert id in allowed
        state = mask.advance(state, id)


@slow
@given(schemas, st.integers(0, 999))
def test_a_forced_output_parses_and_is_valid(schema, seed):
    try:
        mask = mask_of(schema)
    except SchemaError:
        return
    output = forced(mask, seed, free_steps=30)
    validator(schema).validate(read(output.text))
    assert output.ids[-1] == END
    assert b"".join(TOKENS[id] for id in output.ids).decode() == output.text


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "string", "minLength": 3, "maxLength": 6},
        {"type": "string", "pattern": "^[^b]*$", "maxLength": 9},
        {"type": "string", "pattern": "a"},
        {"type": "string", "pattern": "^[a-zé]+$"},
        {"type": "string", "pattern": "^[ -~]*$"},
    ],
)
def test_the_short_way_inside_strings_gives_the_same_mask(schema):
    mask = mask_of(schema)
    state = mask.advance(mask.start, ord('"'))
    for character in "aaéx"[:2] * 3:
        assert mask.allowed(state).ids == by_hand(mask, state)
        state = mask.advance(state, ord(character))


def test_the_end_is_allowed_where_the_text_is_complete_and_only_there():
    mask = mask_of({"type": "integer", "minimum": 1, "maximum": 99})
    assert END not in mask.allowed(mask.start)
    one = mask.advance(mask.start, ord("5"))
    assert END in mask.allowed(one)
    assert ord("0") in mask.allowed(one)
    two = mask.advance(one, ord("0"))
    assert mask.allowed(two).ids == [END]
    assert mask.advance(two, END) is two


def test_ids_without_text_are_never_allowed():
    mask = mask_of(True)
    state = mask.start
    for id in b'["a", 1]':
        assert EMPTY not in mask.allowed(state)
        state = mask.advance(state, id)
    assert mask.why_not(state, EMPTY).text == "it stands for no text"


def id_of(text):
    return TOKENS.index(text.encode())


def test_a_refusal_says_at_which_byte_and_what_was_possible_there():
    mask = mask_of({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})
    state = mask.start
    for text in ('{"', "a"):
        state = mask.advance(state, id_of(text))
    refusal = mask.why_not(state, id_of('", "'))
    assert (refusal.at, refusal.expected, refusal.may_end) == (1, b":", False)
    assert refusal.text == """after '"' comes ',', and only : may"""
    state = mask.advance(state, id_of('": '))
    assert mask.why_not(state, id_of("true")).text == "it begins with 't', and only '-' or 0-9 may"
    assert mask.why_not(state, END).text == "the output is not complete: '-' or 0-9 must come"
    assert mask.why_not(state, id_of("12")) is None
    with pytest.raises(NotAllowed, match="it begins with 't'"):
        mask.advance(state, id_of("true"))


def test_a_token_that_cuts_a_character_is_allowed_where_the_character_is():
    mask = mask_of({"const": "😀"})
    state = mask.advance(mask.start, ord('"'))
    half, rest = TOKENS.index("😀".encode()[:2]), TOKENS.index("😀".encode()[2:])
    assert half in mask.allowed(state)
    state = mask.advance(state, half)
    assert mask.allowed(state).ids == [0x98, rest] or set(mask.allowed(state).ids) == {"😀".encode()[2], rest}
    assert mask.why_not(state, id_of("é")).text.endswith("only the rest of a character may")


@pytest.mark.parametrize("id", [-1, len(TOKENS), 10**9])
def test_an_id_outside_the_vocabulary_is_an_error(id):
    mask = mask_of(True)
    with pytest.raises(UnknownId):
        mask.why_not(mask.start, id)
    with pytest.raises(UnknownId):
        TokenMask("a", [b"a"], end_ids=[id])


def test_a_mask_takes_a_pattern_an_automaton_or_a_text():
    schema = {"type": "array", "items": {"type": "boolean"}}
    found = compile_schema(schema)
    masks = [
        TokenMask(each, VOCABULARY)
        for each in (found, found.automaton(), found.expression, json_schema_to_regex(schema))
    ]
    assert len({tuple(mask.allowed(mask.start).ids) for mask in masks}) == 1


def test_a_pattern_that_matches_nothing_is_an_error():
    with pytest.raises(SchemaError, match="matches nothing"):
        TokenMask("[]", VOCABULARY)


def test_a_vocabulary_that_cannot_spell_the_pattern_is_an_error():
    with pytest.raises(SchemaError, match="no token") as error:
        forced(TokenMask("ab", [b"a", b"x"]), 1)
    assert error.value.where == "token 1"


def test_the_same_seed_gives_the_same_output_and_another_one_another():
    mask = mask_of({"type": "string", "maxLength": 20})
    outputs = Counter(forced(mask, seed).text for seed in [*range(20), *range(20)])
    assert len(outputs) > 15
    assert set(outputs.values()) == {2} or min(outputs.values()) >= 2


def test_a_model_that_would_rather_chat_still_makes_the_call():
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
        "required": ["city", "days"],
    }
    tools = [{"type": "function", "function": {"name": "weather", "parameters": schema}}]
    mask = TokenMask(compile_tool_call(tools), VOCABULARY, [END])
    chat = [id_of("hello"), id_of(" world"), END]
    for seed in range(30):
        text = forced(mask, seed, free_steps=120, wish=chat).text
        call = json.loads(text.removeprefix("<tool_call>\n").removesuffix("\n</tool_call>"))
        assert call["name"] == "weather"
        jsonschema.validate(call["arguments"], schema)


# ---- the vocabulary


@given(st.lists(st.binary(max_size=4), max_size=12))
def test_a_byte_tree_holds_every_token_once(tokens):
    tree = ByteTree.of(tokens)
    found, path = [], []
    for node, byte in enumerate(tree.letters):
        del path[tree.depths[node] :]
        path.append(byte)
        found += [(id, bytes(path)) for id in tree.ids[node] or ()]
    assert sorted(found) == [(id, token) for id, token in enumerate(tokens) if token]


@given(st.sets(st.integers(0, 3000)))
def test_sets_of_ids_survive_as_numbers(ids):
    assert ids_of(bits_of(ids)) == sorted(ids)


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (b"a", 1),
        ("日本".encode(), 2),
        (b"", None),
        (b"\n", None),
        (b'"', None),
        (b"\\", None),
        (b"\x7f", 1),
        (b"\xff", None),
    ],
)
def test_plain_tokens_are_whole_characters_that_need_no_escape(token, expected):
    assert plain_length(token) == expected
