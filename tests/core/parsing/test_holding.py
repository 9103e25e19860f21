"""What is held back is what may still become two things, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.parsing.outputs import WHOLE_CALLS, fragments_of
from tests.core.parsing.streams import DEFINITIONS, SETTINGS, broken_calls, stream
from tokcore.parsing import OutputParser, TagStreamer
from tokcore.parsing.lexer import Lexer

alphabet = st.text("<>/ab[", min_size=1, max_size=5)
marker_sets = st.lists(alphabet, min_size=1, max_size=5, unique=True)


def longest_tail(markers, text):
    """The plain reference: the longest tail that is a proper prefix of a marker."""
    tails = (text[start:] for start in range(len(text)))
    return next((tail for tail in tails if any(m.startswith(tail) and m != tail for m in markers)), "")


def markers_of(markers, text):
    """The plain reference: from left to right, at each place the longest marker."""
    place = 0
    while place < len(text):
        here = [marker for marker in markers if text.startswith(marker, place)]
        if here:
            yield place, max(here, key=len)
        place += len(max(here, key=len)) if here else 1


@given(markers=marker_sets, text=st.text("<>/ab[ x", max_size=30))
def test_a_lexer_finds_the_leftmost_and_longest_markers(markers, text):
    lexer, found, place = Lexer(markers), [], 0
    while (hit := lexer.find(text, place, final=True)).marker is not None:
        found.append((hit.start, hit.marker))
        place = hit.end
    assert found == list(markers_of(markers, text))


@given(markers=marker_sets, text=st.text("<>/ab[ x", max_size=30))
def test_a_lexer_holds_exactly_the_longest_tail_that_may_become_a_marker(markers, text):
    hit = Lexer(markers).find(text, 0)
    if hit.marker is None:
        assert text[hit.start :] == longest_tail(markers, text)
    else:
        assert not longest_tail(markers, text[: hit.end]).startswith(hit.marker + " ")
        assert (hit.start, hit.marker) == next(markers_of(markers, text))


@given(open=alphabet, close=alphabet, text=st.text("<>/ab[ x", max_size=30), inside=st.booleans())
def test_a_tag_streamer_splits_as_plain_search_does_and_holds_the_longest_tail(open, close, text, inside):
    def plain(text, inside):
        tag = close if inside else open
        before, found, after = text.partition(tag)
        return [(inside, before)] * bool(before) + (plain(after, not inside) if found else [])

    def merged(pieces):
        runs = []
        for inside, piece in pieces:
            if runs and runs[-1][0] is inside:
                runs[-1] = (inside, runs[-1][1] + piece)
            else:
                runs.append((inside, piece))
        return runs

    streamer, pieces = TagStreamer(open, close, inside), []
    for character in text:
        pieces += streamer.feed(character)
    held = streamer.held
    assert all(tail == held or not tail for tail in [longest_tail([open], held) or longest_tail([close], held)])
    pieces += streamer.feed("", final=True)
    assert merged(pieces) == merged(plain(text, inside)) == merged(TagStreamer(open, close, inside).feed(text, True))


def fate(place, text, **settings):
    """What becomes of one character of an output: kind, note, and how the text it goes out with begins."""
    events = stream([text], **settings).events
    broken = broken_calls(events)
    for event in events:
        if event.span.start <= place < event.span.end and (event.call is None or event.call not in broken):
            return event.kind, event.note, event.text[:1] if event.span.start == place else ""
    raise AssertionError(f"character {place} is in no event")


CONTINUATIONS = ("", "x", " ", "\n", '"', "}", "0", '": {}}', "(z=1)", ">", "\\q", ' {"name": "f", "arguments": {}}')


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in sorted(SETTINGS) for text in WHOLE_CALLS[name]])
def test_the_first_character_that_is_held_may_still_become_two_things(name, text):
    settings = {**SETTINGS[name], "definitions": DEFINITIONS}
    for output in (text, f"<think>a\n\n</think>\nHi \n{text}\n\n{text} <tool"):
        parser = OutputParser(**settings)
        for end, character in enumerate(output, 1):
            parser.events(character)
            held = parser.held
            if not held:
                continue
            wholes = [*fragments_of(name), *WHOLE_CALLS[name]]
            rests = [whole[len(tail) :] for whole in wholes if (tail := longest_tail([whole], held))]
            continuations = (output[end:], *rests, *(rest + "x" for rest in rests), *CONTINUATIONS, text)
            place = end - len(held)
            fates = set()
            for continuation in continuations:
                fates.add(fate(place, output[:end] + continuation, **settings))
                if len(fates) > 1:
                    break
            assert len(fates) > 1, f"{held!r} at {end} of {output!r} can only become {fates}"
