"""Tokboard's HTTP side: read the request, call tokcore, render."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask
from flask_compress import Compress
from jinja2 import StrictUndefined

from app import api, assets, errors, pages, security
from app.board import Board
from app.bodies import DrainBodies
from app.catalogue import Catalogue
from app.encodings import Encodings
from app.settings import Settings
from app.vocabularies import TABLE

log = logging.getLogger("tokboard")

ROOT = Path(__file__).resolve().parent.parent


def create_app(config: Mapping[str, Any] | None = None, *, catalogue: Catalogue | None = None) -> Flask:
    """The application, with settings from the environment.

    `config`: lower-case names are fields of Settings and win over the environment, upper-case names are Flask's own
    (`TESTING`). `catalogue`: other tokenizers than the built-in table and TOKBOARD_TOKENIZERS. The shared parts are at
    hand as `app.board.board()`.
    """
    given = dict(config or {})
    own = {name: value for name, value in given.items() if not name.isupper()}
    settings = Settings.from_env(os.environ).replaced(own)
    shared = Board(
        settings=settings,
        catalogue=Catalogue.of(TABLE, settings.tokenizers) if catalogue is None else catalogue,
        encodings=Encodings(settings.encodings_limit_tokens, settings.encodings_age_seconds),
        assets=assets.Assets(ROOT / "static"),
    )

    app = errors.ReportingFlask(
        __name__, static_folder=None, template_folder=str(ROOT / "templates"), root_path=str(ROOT / "app")
    )
    app.config.update(
        MAX_CONTENT_LENGTH=settings.body_limit_bytes,
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_ALGORITHM_STREAMING=["br", "gzip"],
        # Measured on 17 MB of JSON and on a page: higher levels cost two or three times as long and save little.
        COMPRESS_BR_LEVEL=3,
        COMPRESS_LEVEL=3,
        COMPRESS_MIN_SIZE=700,
        COMPRESS_MIMETYPES=["text/html", "text/csv", "application/json", "application/problem+json"],
    )
    app.config.update({name: value for name, value in given.items() if name.isupper()})
    app.extensions["tokboard"] = shared
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True

    Compress(app)
    security.register(app)
    errors.register(app)
    assets.register(app, shared.assets)
    for blueprint in (*api.BLUEPRINTS, *pages.BLUEPRINTS):
        app.register_blueprint(blueprint)
    app.wsgi_app = DrainBodies(app.wsgi_app, settings)  # type: ignore[method-assign]

    if not shared.assets.has("vendor/htmx.min.js"):
        log.warning("static/vendor/htmx.min.js is missing, pages go without it: run `python -m app.assets_fetch`")
    if settings.preload:
        shared.catalogue.preload()
    return app
