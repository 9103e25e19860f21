"""One text of a stream put together, each character with its line, and what may be wrong with it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from tokcore.deltas.strict_json import quoted
from tokcore.spans import Span

_WHOLE = re.compile(
    r"</?(?:think|thinking|tool_call|tool_calls|tool_response|function_calls|minimax:tool_call)>"
    r"|<function=[^<>\s]{1,64}>|<(?:start|end)_of_turn>|</s>(?=\s*\Z)"
    r"|<\|[A-Za-z0-9_]{1,40}\|>|<｜[^<>｜]{1,40}｜>"
    r"|\[/?(?:TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|THINK|INST)\]"
)
# At least three characters: a lone "<" or "</" is no sign of a tag.
_NAMES = (
    *("think", "thinking", "tool_call", "tool_calls", "tool_response", "function_calls", "minimax:tool_call"),
    *("start_of_turn", "end_of_turn"),
)
_BEGINNINGS = frozenset(
    whole[:length]
    for whole in (
        *(f"<{slash}{name}>" for name in _NAMES for slash in ("", "/")),
        *(f"[{slash}{name}]" for name in ("TOOL_CALLS", "THINK", "INST") for slash in ("", "/")),
        "<function=",
    )
    for length in range(3, len(whole))
)
_BEGINNING = re.compile(r"<\|[A-Za-z0-9_]{1,40}\|?|<｜[^<>｜]{1,40}｜?|<function=[^<>\s]{0,64}")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_QUOTES = frozenset("\"'“”‘’«»")
_REPLACED = re.compile("\ufffd{2,}")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_LONGEST = 80


class StreamText:
    """A text and where its pieces stood.

    >>> text = StreamText()
    >>> text.add("Hel", line=3)
    >>> text.add("lo", line=5)
    >>> text.whole, text.line_at(2), text.line_at(3)
    ('Hello', 3, 5)
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._starts: list[int] = []
        self._lines: list[int] = []
        self._breaks: list[int] = []
        self.length = 0

    def add(self, piece: str, line: int) -> None:
        """Append a piece that is not empty."""
        self._starts.append(self.length)
        self._lines.append(line)
        self._pieces.append(piece)
        self.length += len(piece)

    def interrupt(self) -> None:
        """Something else of the answer comes here: what is held of a tag will not be completed beyond."""
        if self.length and self._breaks[-1:] != [self.length]:
            self._breaks.append(self.length)

    @property
    def whole(self) -> str:
        return "".join(self._pieces)

    @property
    def last_line(self) -> int:
        return self._lines[-1] if self._lines else 0

    def line_at(self, offset: int) -> int:
        """The line of the character at `offset`; beyond the end the last line."""
        return self._lines[max(0, bisect_right(self._starts, offset) - 1)] if self._lines else 0

    def is_cut(self, span: Span) -> bool:
        """Whether a span lies in more than one piece."""
        return bisect_right(self._starts, span.start) != bisect_right(self._starts, span.end - 1)

    def touches_an_edge(self, span: Span) -> bool:
        """Whether a piece begins or ends at the span's ends or inside it."""
        at = bisect_left(self._starts, span.start)
        return span.end >= self.length or (at < len(self._starts) and self._starts[at] <= span.end)

    def findings(self, name: str, truncated: bool) -> Iterator[tuple[int, str, str]]:
        """(line, rule, what) of markup, replacement characters and halves of surrogate pairs, one of each kind.

        `name` is what the text is called; `truncated`: the end was cut by a limit, so that half a tag there is right.
        """
        whole = self.whole
        found = set()
        spans = [Span(*match.span()) for match in _WHOLE.finditer(whole)]
        for span in _outside_quotes(whole, spans):
            rule = "markup-split" if self.is_cut(span) else "markup-whole"
            if rule not in found:
                found.add(rule)
                yield self.line_at(span.start), rule, f"{quoted(span.cut(whole), 60)} in the {name}"
        yield from self._halves(whole, name, spans, truncated)
        yield from self.broken_characters(whole, name)

    def _halves(self, whole: str, name: str, spans: list[Span], truncated: bool) -> Iterator[tuple[int, str, str]]:
        starts = [span.start for span in spans]
        ends = [*self._breaks, *([] if truncated or self._breaks[-1:] == [self.length] else [self.length])]
        halves = [half for end in ends if (half := _half(whole, end)) is not None]
        for half in _outside_quotes(whole, halves):
            at = bisect_left(starts, half.start)
            if at == len(starts) or starts[at] != half.start:
                yield self.line_at(half.start), "markup-half", f"{quoted(half.cut(whole), 60)} in the {name}"
                return

    def broken_characters(self, whole: str, name: str) -> Iterator[tuple[int, str, str]]:
        """Replacement characters where pieces meet, and halves of surrogate pairs."""
        for match in _REPLACED.finditer(whole):
            if self.touches_an_edge(Span(*match.span())):
                what = (
                    f"{match.end() - match.start()} times U+FFFD in the {name}, after {_before(whole, match.start())}"
                )
                yield self.line_at(match.start()), "replacement-character", what
                break
        half = _HALF_PAIR.search(whole)
        if half is not None:
            at = half.start()
            code = f"U+{ord(half[0]):04X}"
            pair = half[0] < "\udc00" and "\udc00" <= whole[at + 1 : at + 2] <= "\udfff"
            what = f"{code} alone in the {name}" + (", its other half in the next delta" if pair else "")
            yield self.line_at(at), "lone-surrogate", what

    def stop_finding(self, stops: Sequence[str]) -> Iterator[tuple[int, str, str]]:
        """The first stop string in the text, the longest where several begin."""
        whole = self.whole
        places = [(whole.find(stop), -len(stop), stop) for stop in stops if stop and stop in whole]
        if places:
            at, _, stop = min(places)
            left = self.length - at - len(stop)
            where = f"{quoted(stop, 60)} at character {at} of the content"
            if left == 0:
                yield self.line_at(at), "stop-in-content", where
            else:
                more = "1 character follows" if left == 1 else f"{left} characters follow"
                cut = ", cut over several deltas" if self.is_cut(Span(at, at + len(stop))) else ""
                yield self.line_at(at), "text-after-stop", f"{where}{cut}; {more}"


def _half(whole: str, end: int) -> Span | None:
    """The longest beginning of a tag that ends at `end`."""
    tail = whole[max(0, end - _LONGEST) : end]
    for match in re.finditer(r"[<\[]", tail):
        half = tail[match.start() :]
        if half in _BEGINNINGS or _BEGINNING.fullmatch(half):
            return Span(end - len(half), end)
    return None


def _outside_quotes(whole: str, spans: list[Span]) -> Iterator[Span]:
    """Spans that are neither code nor quoted: prose about markup is no markup."""
    if not spans:
        return
    code = [Span(*match.span()) for match in _CODE.finditer(whole)]
    starts = [span.start for span in code]
    for span in spans:
        at = bisect_right(starts, span.start) - 1
        in_code = at >= 0 and span.start < code[at].end
        before, after = whole[span.start - 1 : span.start], whole[span.end : span.end + 1]
        if not in_code and not (before in _QUOTES and after in _QUOTES):
            yield span


def _before(whole: str, at: int) -> str:
    return quoted(whole[max(0, at - 12) : at]) if at else "nothing"
