"""How the common parser fails where a marker is cut, and looks right where none is."""

from tests.core.parsing.streams import joined
from tokcore.parsing import OutputParser
from tokcore.parsing.contrast import PerDeltaParser

TEXT = '<think>Hm</think>Hi<tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>'


def message(parser, pieces):
    deltas = [delta for piece in pieces for delta in parser.feed(piece)]
    return joined([*deltas, *parser.feed("", final=True)])


def test_it_looks_right_where_every_marker_comes_whole():
    pieces = ["<think>", "Hm", "</think>", "Hi", TEXT[TEXT.index("<tool_call>") :]]
    assert message(PerDeltaParser(), pieces) == message(OutputParser(), pieces) == message(OutputParser(), [TEXT])


def test_it_shows_half_a_tag_and_mistakes_reasoning_for_content_at_a_split_tag():
    pieces = ["<thi", "nk>Hm</think>Hi"]
    assert message(OutputParser(), pieces)["content"] == "Hi"
    assert message(PerDeltaParser(), pieces)["content"] == "<think>Hm</think>Hi"
    assert message(PerDeltaParser(), pieces)["reasoning_content"] == ""


def test_it_never_leaves_reasoning_where_the_close_tag_is_split():
    pieces = ["<think>Hm</th", "ink>Hi"]
    assert message(PerDeltaParser(), pieces)["reasoning_content"] == "Hm</think>Hi"


def test_it_loses_the_arguments_of_a_call_that_two_deltas_share():
    pieces = ['<tool_call>{"name": "f", "argu', 'ments": {"x": 1}}</tool_call>']
    wrong, right = message(PerDeltaParser(), pieces), message(OutputParser(), pieces)
    assert right["tool_calls"][0]["function"]["arguments"] == '{"x": 1}' and right["content"] == ""
    assert wrong["tool_calls"][0]["function"]["arguments"] == "" and wrong["content"] == pieces[1]


def test_most_two_way_cuts_give_another_answer():
    right = message(OutputParser(), [TEXT])
    cuts = range(1, len(TEXT))
    assert all(message(OutputParser(), [TEXT[:cut], TEXT[cut:]]) == right for cut in cuts)
    wrong = [cut for cut in cuts if message(PerDeltaParser(), [TEXT[:cut], TEXT[cut:]]) != right]
    assert len(wrong) > len(TEXT) // 2


def test_it_holds_nothing_and_keeps_places_in_the_whole_output():
    parser = PerDeltaParser()
    events = [event for piece in ("ab", "cd<think>e") for event in parser.events(piece)]
    assert (parser.held, parser.reason, parser.state) == ("", None, "reasoning")
    assert [event.span.cut("abcd<think>e") for event in events] == ["ab", "cd", "<think>", "e"]
