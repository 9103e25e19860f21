"""Added tokens: strings matched as whole tokens before anything else looks at the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tokcore.fields import Fields
from tokcore.patterns import is_word_character
from tokcore.spans import AlignedText, Span

# The Unicode White_Space property; str.isspace also counts U+001C–1F, which the reference does not.
WHITE_SPACE = frozenset([*"\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000", *map(chr, range(0x2000, 0x200B))])


@dataclass(frozen=True, slots=True)
class AddedToken:
    """One entry of the file's added-token list.

    >>> AddedToken(151667, "<think>").special
    False

    `special` only decides whether decoding may skip it; `normalized` whether it is sought in the normalized text;
    `single_word` refuses a match beside a word character; `lstrip`, `rstrip` take in white space on that side.
    """

    id: int
    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False
    special: bool = False

    @classmethod
    def from_json(cls, value: object, pointer: str) -> AddedToken:
        """One object of /added_tokens; like the reference, all seven keys must be there."""
        fields = Fields(value, pointer)
        return cls(
            id=fields.natural("id"),
            content=fields.string("content"),
            single_word=fields.boolean("single_word"),
            lstrip=fields.boolean("lstrip"),
            rstrip=fields.boolean("rstrip"),
            normalized=fields.boolean("normalized"),
            special=fields.boolean("special"),
        )


@dataclass(frozen=True, slots=True)
class AddedMatch:
    """A stretch of text that is one added token, with the white space its flags took in."""

    matched: AlignedText
    token: AddedToken

    @property
    def text(self) -> str:
        return self.matched.text

    @property
    def span(self) -> Span:
        return self.matched.span(0, len(self.matched.text))


Segment = AlignedText | AddedMatch


class Matcher:
    """Finds the tokens of one pass, leftmost and longest first.

    >>> matcher = Matcher({"<a>": AddedToken(7, "<a>"), "<a>>": AddedToken(8, "<a>>")})
    >>> [(token.id, span) for token, span in matcher.matches("x<a>><a>")]
    [(8, Span(start=1, end=5)), (7, Span(start=5, end=8))]

    `tokens`: sought string → token (the string is the normalized content in the second pass).
    """

    def __init__(self, tokens: Mapping[str, AddedToken]) -> None:
        # A token whose normalized form is empty: the reference finds it at every place where no other is.
        self._everywhere = tokens.get("")
        self._tokens = {sought: token for sought, token in tokens.items() if sought}
        lengths: dict[str, set[int]] = {}
        for sought in self._tokens:
            lengths.setdefault(sought[0], set()).add(len(sought))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}
        firsts = "".join(map(re.escape, sorted(self._lengths)))
        self._first = re.compile(f"[{firsts}]") if firsts else None

    def __bool__(self) -> bool:
        return bool(self._tokens) or self._everywhere is not None

    def candidates(self, text: str) -> Iterator[tuple[AddedToken, int, int]]:
        """Every leftmost-longest occurrence, flags not yet looked at; they do not overlap."""
        done = 0
        for token, start, end in self._found(text):
            if self._everywhere is not None:
                yield from ((self._everywhere, at, at) for at in range(done, start))
            yield token, start, end
            done = end
        if self._everywhere is not None and text:
            yield from ((self._everywhere, at, at) for at in range(done, len(text) + 1))

    def _found(self, text: str) -> Iterator[tuple[AddedToken, int, int]]:
        if self._first is None:
            return
        position = 0
        while (first := self._first.search(text, position)) is not None:
            start = position = first.start()
            for length in self._lengths[text[start]]:
                # Near the end of the text the slice may be shorter than asked for, and a shorter token.
                sought = text[start : start + length]
                token = self._tokens.get(sought)
                if token is not None:
                    position = start + len(sought)
                    yield token, start, position
                    break
            else:
                position += 1

    def matches(self, text: str, split_special_tokens: bool = False) -> Iterator[tuple[AddedToken, Span]]:
        """The occurrences whose flags allow them; one may be empty, which cuts the text and is no token.

        Law: a refused occurrence is still passed over: the search resumes behind it. White space that a match took in
        is not taken again by the next one, which may leave nothing of it. With `split_special_tokens` special tokens
        stay ordinary text.
        """
        taken = 0
        for token, start, end in self.candidates(text):
            if split_special_tokens and token.special:
                continue
            if token.single_word and (
                (start > 0 and is_word_character(text[start - 1])) or (end < len(text) and is_word_character(text[end]))
            ):
                continue
            if token.lstrip:
                while start > taken and text[start - 1] in WHITE_SPACE:
                    start -= 1
                # The match before may have taken in white space that this token begins with.
                start = max(start, taken)
            if token.rstrip:
                while end < len(text) and text[end] in WHITE_SPACE:
                    end += 1
            if start <= end:
                yield token, Span(start, end)
                taken = end

    def split(self, text: AlignedText, split_special_tokens: bool = False) -> list[Segment]:
        """The text cut at its matches; empty stretches are left out."""
        segments: list[Segment] = []
        done = 0
        for token, (start, end) in self.matches(text.text, split_special_tokens):
            if done < start:
                segments.append(text.slice(done, start))
            if start < end:
                segments.append(AddedMatch(text.slice(start, end), token))
            done = end
        if done < len(text.text):
            segments.append(text.slice(done, len(text.text)) if done else text)
        return segments


def assign_ids(tokens: Iterable[AddedToken], vocab: Mapping[str, int], entry_count: int) -> list[AddedToken]:
    """Give each token the id that the reference gives it on load.

    >>> tokens = [AddedToken(9, "a"), AddedToken(9, "<x>")]
    >>> [token.id for token in assign_ids(tokens, {"a": 0, "b": 1}, entry_count=2)]
    [0, 2]

    Law: a string that the model's vocabulary holds keeps that id; the others are numbered on from the count of the
    vocabulary's entries, whatever the file says, and where the vocabulary has gaps may take an id that is taken. An
    empty string is passed over; of two entries with one string the later one's flags and place hold.
    """
    assigned: dict[str, AddedToken] = {}
    following = entry_count
    for token in tokens:
        if not token.content:
            continue
        earlier = assigned.pop(token.content, None)
        id = vocab.get(token.content) if earlier is None else earlier.id
        if id is None:
            id = following
            following += 1
        assigned[token.content] = replace(token, id=id)
    return list(assigned.values())
