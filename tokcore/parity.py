"""Parity: the same text through tokcore and the reference library, and the first place where they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from tokcore.errors import TokcoreError
from tokcore.parity_stages import Found, Given, StageDifference, find_stage, first_index, shown
from tokcore.pipeline import Tokenizer
from tokcore.tokens import Encoding

if TYPE_CHECKING:
    from tokenizers import Encoding as ReferenceEncoding
    from tokenizers import Tokenizer as Reference

T = TypeVar("T")

FIELDS = ("ids", "tokens", "offsets", "type_ids", "word_ids", "special_tokens_mask", "attention_mask")
OVERFLOWING_COMPARED = 20
# Lengths of a pair, multiplied: all that truncation cuts off one text is combined with all that it cuts off the other.
PAIRED, PAIRED_TRUNCATED = 4_000_000, 4_000
# How much work a difference is worth: tries, and characters tried.
SHRINKING_LENGTH = 20_000_000
SHRINKING_TRIES = 5_000


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference found, and the stage where it arises.

    `given` is the input made as short as can be, `found_in` the one that it was found in. `field` is what differs: a
    property of the encoding, "outcome" (one of the two refused the text), "overflowing", "decode" (the text of `ids`),
    or "trace" and "encode_ids" where tokcore's own ways differ (`theirs` is then what `encode` says). `at` is the
    first index that differs, None where the value is no list.
    """

    given: Given
    found_in: Given
    field: str
    at: int | None
    ours: str
    theirs: str
    stage: StageDifference | None
    ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """How much was compared, and the first difference or None.

    `crashes`: comparisons in which the reference crashed, so that there was nothing to compare with.
    """

    texts: int
    comparisons: int
    difference: Difference | None = None
    crashes: int = 0

    @property
    def equal(self) -> bool:
        return self.difference is None


@dataclass(frozen=True, slots=True)
class Refusal:
    """What one side said instead of giving a result; `crashed` if it did not mean to say it."""

    message: str
    crashed: bool = False

    def __repr__(self) -> str:
        return f"refused: {self.message}"


def compare(tokenizer: Tokenizer, reference: Reference, texts: Iterable[str]) -> Report:
    """Compare everything that two tokenizers, which ought to be one, make of texts; stop at the first difference.

    >>> from tokenizers import Tokenizer as Reference
    >>> file = '{"version": "1.0", "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}}'
    >>> compare(Tokenizer.from_str(file), Reference.from_str(file), ["ab", "abc"]).equal
    True
    >>> other = Reference.from_str(file.replace('"b": 1', '"b": 2'))
    >>> difference = compare(Tokenizer.from_str(file), other, ["aaba"]).difference
    >>> difference.given.text, difference.field, difference.ours, difference.theirs, difference.stage.name
    ('b', 'ids', '[1]', '[2]', 'model')

    `reference` must belong to the caller alone: its setting for special tokens is changed for a while. Each text is
    taken with and without special tokens, with those in it split, and as a pair with the text before it.
    """
    done = comparisons = crashes = 0
    before: str | None = None
    for text in texts:
        done += 1
        for given in ways(tokenizer, text, before):
            comparisons += 1
            found = first_found(tokenizer, reference, given)
            if found is not None and found.is_crash:
                crashes += 1
            elif found is not None:
                return Report(done, comparisons, explained(tokenizer, reference, given), crashes)
        before = text
    return Report(done, comparisons, None, crashes)


def ways(tokenizer: Tokenizer, text: str, before: str | None) -> Iterator[Given]:
    """The ways to encode one text that may differ from one another."""
    plain = Given(text)
    yield plain
    if tokenizer.post_processors:
        yield replace(plain, add_special_tokens=False)
    if any(token.special for token in tokenizer.added_tokens.values()):
        yield replace(plain, split_special_tokens=True)
    limit = PAIRED if tokenizer.components.get("truncation") is None else PAIRED_TRUNCATED
    if before is not None and len(before) * len(text) <= limit:
        yield replace(plain, pair=before)
        if tokenizer.post_processors:
            yield replace(plain, pair=before, add_special_tokens=False)


def first_difference(tokenizer: Tokenizer, reference: Reference, given: Given) -> Found | None:
    """The first thing that is not the same for one input; where the reference crashes there is none."""
    found = first_found(tokenizer, reference, given)
    return None if found is None or found.is_crash else found


def first_found(tokenizer: Tokenizer, reference: Reference, given: Given) -> Found | None:
    ours = attempt(TokcoreError, tokenizer.encode, *arguments(given))
    theirs = attempt(Exception, reference_encoding, reference, given)
    if isinstance(ours, Refusal) or isinstance(theirs, Refusal):
        return refused("outcome", ours, theirs)
    for field in FIELDS:
        if getattr(ours, field) != getattr(theirs, field):
            return Found(field, getattr(ours, field), getattr(theirs, field))
    overflow = overflowing_ids(ours.overflowing), overflowing_ids(theirs.overflowing)
    if overflow[0] != overflow[1]:
        return Found("overflowing", *overflow)
    entries, trace = tuple(ours.entries), attempt(TokcoreError, tokenizer.trace, *arguments(given))
    traced = trace if isinstance(trace, Refusal) else tuple(trace.encoding.entries)
    if traced != entries:
        return Found("trace", traced, entries)
    if given.pair is None:
        flags = given.add_special_tokens, given.split_special_tokens
        ids = attempt(TokcoreError, tokenizer.encode_ids, given.text, *flags)
        if ids != ours.ids:
            return Found("encode_ids", ids, ours.ids)
    return decoding_difference(tokenizer, reference, ours.ids)


def decoding_difference(tokenizer: Tokenizer, reference: Reference, ids: list[int]) -> Found | None:
    """The first thing that is not the same when ids are decoded: as they are, backwards, and every other one."""
    for chosen in (ids, ids[::-1], ids[1::2]):
        for skip in (True, False):
            ours = attempt(TokcoreError, tokenizer.decode, chosen, skip)
            theirs = attempt(Exception, reference.decode, chosen, skip)
            if isinstance(ours, Refusal) or isinstance(theirs, Refusal):
                found = refused("decode", ours, theirs)
            else:
                found = None if ours == theirs else Found("decode", ours, theirs)
            if found is not None:
                return replace(found, ids=tuple(chosen), skip_special_tokens=skip)
    return None


def refused(field: str, ours: object, theirs: object) -> Found | None:
    """What it means that at least one of the two refused: nothing if both did so in an orderly way."""
    if isinstance(theirs, Refusal) and theirs.crashed and not (isinstance(ours, Refusal) and ours.crashed):
        return Found(field, ours, theirs, is_crash=True)
    if isinstance(ours, Refusal) and isinstance(theirs, Refusal) and not ours.crashed:
        return None
    sides = [side if isinstance(side, Refusal | str) else "an encoding" for side in (ours, theirs)]
    return Found(field, sides[0], sides[1])


def arguments(given: Given) -> tuple[str, str | None, bool, bool]:
    return given.text, given.pair, given.add_special_tokens, given.split_special_tokens


def reference_encoding(reference: Reference, given: Given) -> ReferenceEncoding:
    before = reference.encode_special_tokens
    reference.encode_special_tokens = given.split_special_tokens
    try:
        return reference.encode(given.text, given.pair, add_special_tokens=given.add_special_tokens)
    finally:
        reference.encode_special_tokens = before


def attempt(orderly: type[Exception], call: Callable[..., T], *arguments: Any) -> T | Refusal:
    """The result of a call, or what it refused with: whatever it raises, for the reference's panics are no Exception.

    `orderly`: what it may raise; anything else is a crash.
    """
    try:
        return call(*arguments)
    except (KeyboardInterrupt, SystemExit):
        raise
    except orderly as error:
        return Refusal(str(error))
    except BaseException as error:
        return Refusal(f"{type(error).__name__}: {error}", crashed=True)


def overflowing_ids(encodings: Sequence[Encoding | ReferenceEncoding]) -> list[list[int]]:
    """The ids of the first few encodings that overflow, and how many there are."""
    return [[len(encodings)], *(encoding.ids for encoding in islice(iter(encodings), OVERFLOWING_COMPARED))]


def explained(tokenizer: Tokenizer, reference: Reference, found_in: Given) -> Difference:
    """The difference in the shortest text that still shows one, with its stage."""

    def differs(given: Given) -> bool:
        return first_difference(tokenizer, reference, given) is not None

    given = shrunk(found_in, differs)
    found = first_difference(tokenizer, reference, given)
    assert found is not None
    ours, theirs = found.ours, found.theirs
    at = first_index(ours, theirs)
    stage = attempt(TokcoreError, find_stage, tokenizer, reference, given, found)
    stage = None if isinstance(stage, Refusal) else stage
    return Difference(given, found_in, found.field, at, shown(ours, at), shown(theirs, at), stage, found.ids)


def shrunk(given: Given, differs: Callable[[Given], bool]) -> Given:
    """The input with everything taken out of its texts that the difference does not need.

    >>> shrunk(Given("some text, b, more"), lambda given: "b" in given.text).text
    'b'
    """
    budget = [SHRINKING_TRIES, SHRINKING_LENGTH]

    def still(candidate: Given) -> bool:
        budget[0] -= 1
        budget[1] -= len(candidate.text) + len(candidate.pair or "")
        return min(budget) > 0 and differs(candidate)

    if given.pair is not None:
        given = replace(given, pair=shortened(given.pair, lambda pair: still(replace(given, pair=pair))))
    return replace(given, text=shortened(given.text, lambda text: still(replace(given, text=text))))


def shortened(text: str, still: Callable[[str], bool]) -> str:
    """The text without its parts, large ones first, that can go while `still` says yes."""
    size = len(text)
    while size:
        start, before = 0, len(text)
        while start < len(text):
            candidate = text[:start] + text[start + size :]
            if still(candidate):
                text = candidate
            else:
                start += size
        # Single characters may go that could not before: once more, until none does.
        if size > 1 or len(text) == before:
            size //= 2
    return text
