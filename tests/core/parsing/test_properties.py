"""What holds for every output, whatever the model wrote and wherever it is cut."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.parsing.outputs import WHOLE_CALLS, outputs
from tests.core.parsing.streams import (
    DEFINITIONS,
    SETTINGS,
    assert_all_accounted_for,
    assert_calls_well_formed,
    assert_same_at_every_cut,
    at_random,
    said_alike,
    stream,
)
from tokcore.parsing import Kind, OutputParser, parse_tool_calls

FORMAT_NAMES = sorted(SETTINGS)
each_format = pytest.mark.parametrize("name", FORMAT_NAMES)
starts = st.booleans()
tools_known = st.sampled_from([None, DEFINITIONS])


def settings_of(name, starts_in_reasoning, definitions):
    return {**SETTINGS[name], "starts_in_reasoning": starts_in_reasoning, "definitions": definitions}


@each_format
@settings(max_examples=100, deadline=None)
@given(data=st.data(), starts_in_reasoning=starts, definitions=tools_known)
def test_an_output_means_the_same_whole_and_in_pieces(name, data, starts_in_reasoning, definitions):
    text = data.draw(outputs(name))
    options = settings_of(name, starts_in_reasoning, definitions)
    whole = stream([text], **options)
    assert said_alike(stream(list(text), **options)) == said_alike(whole)
    assert said_alike(stream([*text, ""], **options)) == said_alike(whole)
    for seed in range(6):
        pieces = at_random(text, seed)
        assert said_alike(stream(pieces, **options)) == said_alike(whole), pieces


@each_format
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_an_output_means_the_same_at_every_two_way_cut_and_200_random_ones(name, data):
    text = data.draw(outputs(name))[:100]
    assert_same_at_every_cut(text, **SETTINGS[name], definitions=DEFINITIONS)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in FORMAT_NAMES for text in WHOLE_CALLS[name]])
def test_whole_calls_mean_the_same_at_every_cut(name, text):
    for output in (f"<think>\nr\n</think>\n\nHi {text}\n", text):
        told = assert_same_at_every_cut(output, seeds=50, **SETTINGS[name], definitions=DEFINITIONS)
        assert_calls_well_formed(told)
        assert_all_accounted_for(output, told.events)


@each_format
@settings(max_examples=100, deadline=None)
@given(data=st.data(), starts_in_reasoning=starts, definitions=tools_known)
def test_every_character_is_accounted_for(name, data, starts_in_reasoning, definitions):
    text = data.draw(outputs(name))
    told = stream(list(text), **settings_of(name, starts_in_reasoning, definitions))
    assert_all_accounted_for(text, told.events)
    assert_calls_well_formed(told)


@each_format
@settings(max_examples=50, deadline=None)
@given(data=st.data(), definitions=tools_known)
def test_argument_text_only_grows(name, data, definitions):
    text = data.draw(outputs(name))
    parser = OutputParser(**SETTINGS[name], definitions=definitions)
    final = stream([text], **SETTINGS[name], definitions=definitions).message["tool_calls"]
    so_far = ["" for _ in final]
    for piece in [*text, None]:
        for event in parser.events(piece or "", final=piece is None):
            if event.kind is Kind.ARGUMENTS:
                so_far[event.call] += event.text
                assert final[event.call]["function"]["arguments"].startswith(so_far[event.call])


def notes(told):
    return {event.note for event in told.events if event.kind is Kind.CALL_END}


@each_format
@settings(max_examples=50, deadline=None)
@given(data=st.data(), definitions=tools_known)
def test_parse_tool_calls_gives_what_the_stream_gave_of_complete_calls(name, data, definitions):
    text = data.draw(outputs(name))
    content, calls = parse_tool_calls(text, name, definitions)
    told = stream([text], **SETTINGS[name], definitions=definitions)
    assert told.message["content"] == content or told.message["reasoning_content"] or "cut off" in notes(told)
    ends = {event.call: event.note for event in told.events if event.kind is Kind.CALL_END}
    streamed = [call["function"] for call in told.message["tool_calls"] if ends[call["index"]] == ""]
    assert calls == [{"name": call["name"], "arguments": json.loads(call["arguments"])} for call in streamed]
