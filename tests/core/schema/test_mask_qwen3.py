"""Masks over a real vocabulary of 151,669 entries: the same as walking every token, and soon there."""

import time

import pytest

from tests.reference import bundled
from tokcore.schema import TokenMask, Vocabulary, compile_tool_call

TOOL = {
    "name": "get_weather",
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "note": {"type": "string", "maxLength": 12},
            "word": {"type": "string", "pattern": "cat|dog"},
            "days": {"type": "integer", "minimum": 1, "maximum": 14},
        },
        "required": ["city", "note", "word", "days"],
    },
}
CALL = (
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "São \\"Paulo\\"", "note": "take 🌂", '
    '"word": "hot dog", "days": 12}}\n</tool_call>'
)


@pytest.fixture(scope="module")
def tokenizer():
    return bundled("qwen3")


@pytest.fixture(scope="module")
def vocabulary(tokenizer):
    return Vocabulary(tokenizer.vocab_bytes())


def test_every_mask_on_the_way_is_what_walking_each_token_gives(tokenizer, vocabulary):
    end = tokenizer.token_to_id("<|im_end|>")
    mask = TokenMask(compile_tool_call([{"function": TOOL}]), vocabulary, [end])
    state = mask.start
    for count, id in enumerate(tokenizer.encode(CALL).ids):
        allowed = mask.allowed(state)
        assert id in allowed
        if count % 5 == 0:
            walk = mask.automaton.walk
            by_hand = [n for n, token in enumerate(vocabulary.tokens) if token and walk(state, token)[1] == len(token)]
            assert allowed.ids == by_hand
        state = mask.advance(state, id)
    assert mask.allowed(state).ids == [end]


def test_the_vocabulary_and_the_first_mask_take_seconds_at_most_and_a_known_state_no_time(tokenizer):
    # Far above what is measured (0.65 s and 0.1 ms of processor time): a guard against walking every token by itself.
    tokens = tokenizer.vocab_bytes()
    start = time.process_time()
    mask = TokenMask(compile_tool_call([{"function": TOOL}]), tokens)
    first = mask.allowed(mask.start)
    assert time.process_time() - start < 4
    start = time.process_time()
    for _ in range(100):
        assert mask.allowed(mask.start) is first
    assert time.process_time() - start < 0.1
