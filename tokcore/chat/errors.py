"""What can go wrong between messages and prompt: the template, the conversation, a budget."""

from __future__ import annotations

from typing import Any

from tokcore.errors import TokcoreError


class ChatError(TokcoreError):
    """A prompt that cannot be rendered.

    >>> error = TemplateFailed(where="template", what="'x' is undefined", remedy="give x", line=3, message=0)
    >>> str(error), error.line, error.message
    ("template line 3, message 0: 'x' is undefined (give x)", 3, 0)

    `line`: of the template, from 1. `variable`: the name that was looked up. `message`: index into the messages. Each
    is None where it cannot be known.
    """

    def __init__(
        self,
        *,
        where: str,
        what: str,
        remedy: str,
        line: int | None = None,
        variable: str | None = None,
        message: int | None = None,
    ) -> None:
        place = where if line is None else f"{where} line {line}"
        super().__init__(where=place if message is None else f"{place}, message {message}", what=what, remedy=remedy)
        self.line = line
        self.variable = variable
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes: made anew without __init__, whose arguments have names."""
        return _again, (type(self), self.args), vars(self)


def _again(kind: type[ChatError], args: tuple[Any, ...]) -> ChatError:
    error = kind.__new__(kind)
    error.args = args
    return error


class ConversationError(ChatError):
    """Messages, tools or options that no template can be given, or that this one leaves out."""


class TemplateSyntax(ChatError):
    """A template that does not compile."""


class TemplateFailed(ChatError):
    """A template that fails while it renders this conversation."""


class TemplateRefused(TemplateFailed):
    """The template itself refuses the conversation: it called raise_exception."""


class TemplateForbidden(TemplateFailed):
    """The template asked for something that the sandbox does not allow."""


class ClockMissing(TemplateFailed):
    """The template asks for the date, and the caller gave none."""


class LimitExceeded(TemplateFailed):
    """The template takes more steps, or writes more text, than it may."""
