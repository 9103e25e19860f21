"""What one process shares between its requests, and the way to it from a route."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask, current_app

from app.assets import Assets
from app.catalogue import Catalogue
from app.encodings import Encodings
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Board:
    """The parts that create_app put together."""

    settings: Settings
    catalogue: Catalogue
    encodings: Encodings
    assets: Assets


def board(app: Flask | None = None) -> Board:
    """The board of this app, or of the app that serves the current request.

    In a route: `board().catalogue.tokenizer(form.tokenizer)`, `board().settings.first_screen_tokens`.
    """
    found = (app or current_app).extensions["tokboard"]
    assert isinstance(found, Board)
    return found
