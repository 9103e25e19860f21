"""Buttons that change the input itself: messages added, moved and taken out, tools chosen and removed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from app.chat_input import ChatForm
from app.chat_json import read_json, written
from app.chat_samples import TOOL_SETS
from app.chat_turns import FORM_LIMIT, CallFields, Turn, fits_form, turn_of
from app.errors import InvalidField
from app.forms import shorten


@dataclass(frozen=True, slots=True)
class Done:
    """The input after a button, and the id of the field that the focus goes to ("" where it stays)."""

    form: ChatForm
    focus: str = ""


def acted(form: ChatForm, template: Callable[[ChatForm], str]) -> Done:
    """What a form's `do` makes of it. `template` gives the text of the template in use.

    >>> done = acted(ChatForm("qwen3", messages='[{"role": "user", "content": "Hi"}]', do="add"), lambda form: "")
    >>> [turn.role for turn in done.form.turns], done.focus
    (['user', 'assistant'], 'm-1-content')

    Raises InvalidField for a button that there is none of, or whose message has gone meanwhile.
    """
    verb, _, where = form.do.partition(".")
    form = replace(form, do="")
    try:
        match verb:
            case "add":
                turns = _turns(form)
                return _with(form, [*turns, Turn.new(_next_role(turns))], f"m-{len(turns)}-content")
            case "remove" | "up" | "down" | "call" | "uncall":
                return _changed(form, verb, [int(number) for number in where.split(".")])
            case "tools":
                return Done(replace(form, tools=written(list(TOOL_SETS[where][1]), indent=1)), "tools")
            case "drop-tool":
                tools = read_json(form.tools, "tools")
                del tools[int(where)]
                return Done(replace(form, tools=written(tools, indent=1) if tools else ""))
            case "drop-message":
                messages = form.conversation()
                del messages[int(where)]
                return Done(replace(form, messages=written(messages), turns=None))
            case "copy-template":
                return Done(replace(form, template=template(form), source="pasted"), "template")
            case "set":
                name, _, value = where.partition("=")
                others = tuple(pair for pair in form.variables if pair[0] != name)
                return Done(replace(form, variables=(*others, (name, value)) if value else others))
            case "draw":
                return Done(form)
    except (ValueError, IndexError, KeyError, TypeError):
        pass
    raise InvalidField(
        where="do", what=f"there is nothing here to {shorten(verb)}", remedy="reload the page, then try again"
    )


def _turns(form: ChatForm) -> list[Turn]:
    if form.turns is not None:
        return list(form.turns)
    messages = form.conversation()
    if why := fits_form(messages):
        raise InvalidField(where="messages", what=why, remedy="edit them as JSON")
    return [turn_of(message) for message in messages]


def _with(form: ChatForm, turns: list[Turn], focus: str) -> Done:
    if len(turns) > FORM_LIMIT:
        raise InvalidField(
            where="messages", what=f"fields are drawn for up to {FORM_LIMIT} messages", remedy="go on in JSON"
        )
    return Done(replace(form, turns=tuple(turns)), focus)


def _next_role(turns: list[Turn]) -> str:
    if not turns:
        return "user"
    last = turns[-1]
    if last.role == "assistant":
        return "tool" if last.calls else "user"
    return "assistant" if last.role in ("user", "tool") else "user"


def _changed(form: ChatForm, verb: str, numbers: list[int]) -> Done:
    turns, index = _turns(form), numbers[0]
    turn = turns[index]
    match verb:
        case "remove":
            del turns[index]
            return _with(form, turns, f"m-{min(index, len(turns) - 1)}-content" if turns else "add-message")
        case "up" | "down":
            to = index - 1 if verb == "up" else index + 1
            if not 0 <= to < len(turns):
                return Done(form, f"m-{index}-{verb}")
            turns[index], turns[to] = turns[to], turns[index]
            # At the end of its way the button is no more: the other one takes the focus.
            rest = {"up": to > 0, "down": to < len(turns) - 1}
            other = "down" if verb == "up" else "up"
            return _with(form, turns, f"m-{to}-{verb if rest[verb] else other}")
        case "call":
            turns[index] = replace(turn, calls=(*turn.calls, CallFields()))
            return _with(form, turns, f"m-{index}-c-{len(turn.calls)}-name")
    calls = list(turn.calls)
    del calls[numbers[1]]
    base = turn.base
    if not calls:
        fields = read_json(base, "messages")
        fields.pop("tool_calls", None)
        base = written(fields)
    turns[index] = replace(turn, calls=tuple(calls), base=base)
    return _with(form, turns, f"m-{index}-add-call")
