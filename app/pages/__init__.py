"""The pages: one module, one blueprint, one folder of templates each. A new page is a module and a row here."""

from __future__ import annotations

from flask import Blueprint

from app.pages.budget import blueprint as budget
from app.pages.chat import blueprint as chat
from app.pages.lint import blueprint as lint
from app.pages.stream import blueprint as stream
from app.pages.tokens import blueprint as tokens

BLUEPRINTS: tuple[Blueprint, ...] = (
    tokens,
    chat,
    budget,
    stream,
    lint,
)
