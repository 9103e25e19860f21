"""The bill as rows with bars: what every part costs, its own words and the frame around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.views.chat_origins import message_words, tool_name
from tokcore.chat.cost import Bill, Part

HOW = {
    "removed": "",
    "repeated": "the template refuses to go without it: this is what a second copy adds",
    "emptied": "the template refuses to go without it: these are its words only",
    "": "not told apart",
}


@dataclass(frozen=True, slots=True)
class BillRow:
    """One part: `tokens` None where it could not be told apart; `do` is the button that takes it out, "" for none.

    `own_share`, `frame_share`: of the longest bar, in hundredths.
    """

    title: str
    name: str
    tokens: int | None
    own: int | None
    frame: int | None
    note: str
    do: str
    href: str
    own_share: float
    frame_share: float


@dataclass(frozen=True, slots=True)
class BillView:
    rows: tuple[BillRow, ...]
    total: int
    own: int
    added: int
    residue: int
    tools_section: int
    left_out: int

    @property
    def sentence(self) -> str:
        """What the figures mean."""
        if self.total == 0:
            return "The prompt is empty."
        words = (
            f"{self.own:,} of {self.total:,} tokens are words of messages and tools; the template adds {self.added:,}."
        )
        if self.tools_section:
            words += f" Everything about tools takes {self.tools_section:,}, in every prompt."
        return words


def bill_view(
    bill: Bill, messages: Sequence[Mapping[str, Any]], tools: Sequence[Any] | None, left_out: int
) -> BillView:
    """Rows in the order of the prompt: tools, messages, what opens the answer, and what no part takes along."""
    told = [part for part in bill.parts if part.tokens is not None and (part.tokens or part.kind != "thinking")]
    longest = max([1, abs(bill.residue), *(part.tokens or 0 for part in told)])
    order = {"tool": 0, "tools": 1, "message": 2, "generation": 3, "thinking": 4}
    rows = [_row(part, messages, tools or (), longest) for part in sorted(told, key=lambda part: order[part.kind])]
    rows.append(
        BillRow(
            title="Residue",
            name="",
            tokens=bill.residue,
            own=None,
            frame=None,
            note="what no part takes along when it goes alone: a BOS token, a default system prompt, shared words"
            if bill.residue >= 0
            else "words that go with either of two parts, and are counted with both",
            do="",
            href="",
            own_share=0,
            frame_share=max(0, 100 * bill.residue / longest),
        )
    )
    return BillView(tuple(rows), bill.total, bill.own, bill.added, bill.residue, bill.tools_section, left_out)


def _row(part: Part, messages: Sequence[Mapping[str, Any]], tools: Sequence[Any], longest: int) -> BillRow:
    tokens, own = part.tokens or 0, part.own
    title, name, do, href, note = "", "", "", "", HOW[part.how]
    shown_own: int | None = own
    if part.kind == "message" and part.index is not None:
        title, do, href = message_words(messages, part.index), f"drop-message.{part.index}", f"#m-{part.index}"
        title = title[:1].upper() + title[1:]
    elif part.kind == "tool" and part.index is not None:
        title, name = f"Tool {part.index}", tool_name(tools[part.index])
        do, href = f"drop-tool.{part.index}", "#tools-field"
    else:
        shown_own = None
        title, note = {
            "tools": ("Words about tools", "what the template says around them, however many there are"),
            "generation": ("Generation prompt", "opens the answer"),
            "thinking": ("Thinking switch", "what the switch adds to the prompt, or saves"),
        }[part.kind]
    frame = tokens - own
    return BillRow(
        title=title,
        name=name,
        tokens=part.tokens,
        own=shown_own,
        frame=frame if shown_own is not None else None,
        note=note,
        do=do,
        href=href,
        own_share=max(0, min(100, 100 * own / longest)),
        frame_share=max(0, 100 * frame / longest),
    )
