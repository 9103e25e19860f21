"""Static files under a name that changes with their content, so that browsers may keep them for ever.

The hash is of the whole folder and is one segment of the path (`/static/1a2b3c4d/js/app.js`): modules import each other
by relative path and stay within one version, without a build step.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import brotli
from flask import Blueprint, Flask, Response, abort, request, url_for

KINDS: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
_COMPRESSIBLE = {".css", ".js", ".json", ".svg", ".txt", ".webmanifest"}
_SMALLEST_COMPRESSED_BYTES = 500


@dataclass(frozen=True)
class Asset:
    """One static file, held in memory; each compressed form is made once, when first asked for."""

    content: bytes
    suffix: str

    @property
    def kind(self) -> str:
        return KINDS[self.suffix]

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()[:16]

    @cached_property
    def forms(self) -> Mapping[str, bytes]:
        """Content coding → bytes, best first; "identity" is always there."""
        found: dict[str, bytes] = {}
        if self.suffix in _COMPRESSIBLE and len(self.content) >= _SMALLEST_COMPRESSED_BYTES:
            found["br"] = brotli.compress(self.content, quality=9)
            found["gzip"] = gzip.compress(self.content, compresslevel=9, mtime=0)
        found["identity"] = self.content
        return found


class Assets:
    """The static folder as it was at start: path → Asset. Files of unknown kind and hidden ones are not served."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: Mapping[str, Asset] = {
            path.relative_to(folder).as_posix(): Asset(path.read_bytes(), path.suffix)
            for path in sorted(folder.rglob("*"))
            if path.is_file()
            and path.suffix in KINDS
            and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        }
        parts = (f"{name} {asset.digest}\n" for name, asset in self.files.items())
        self.tree = hashlib.sha256("".join(parts).encode()).hexdigest()[:8]

    def has(self, name: str) -> bool:
        return name in self.files


def register(app: Flask, assets: Assets) -> None:
    """Serve the files and give templates `asset_url("css/app.css")` and `has_asset("vendor/htmx.min.js")`.

    In debug mode the folder is read again at each page, so that an edit shows at once.
    """
    blueprint = Blueprint("static_files", __name__)
    latest = {"assets": assets}

    def current() -> Assets:
        if app.debug:
            latest["assets"] = Assets(assets.folder)
        return latest["assets"]

    def asset_url(name: str) -> str:
        """The address of a static file; a name that is not there is a mistake in a template and raises."""
        now = current()
        if not now.has(name):
            raise LookupError(f"static/{name} does not exist")
        return url_for("static_files.serve", tree=now.tree, name=name)

    @blueprint.get("/static/<string:tree>/<path:name>")
    def serve(tree: str, name: str) -> Response:
        asset = latest["assets"].files.get(name)
        if asset is None:
            abort(404)
        # A page from before an update asks for the old tree: it gets today's file, not to be kept under that name.
        fresh = tree == latest["assets"].tree
        return _respond(asset, "public, max-age=31536000, immutable" if fresh else "no-cache")

    app.register_blueprint(blueprint)
    app.jinja_env.globals.update(asset_url=asset_url, has_asset=lambda name: latest["assets"].has(name))


def _respond(asset: Asset, cache_control: str) -> Response:
    accepted = request.accept_encodings
    coding = next(name for name in asset.forms if name == "identity" or accepted[name] > 0)
    response = Response(asset.forms[coding], content_type=asset.kind)
    if coding != "identity":
        response.headers["Content-Encoding"] = coding
    response.headers["Cache-Control"] = cache_control
    response.vary.add("Accept-Encoding")
    response.set_etag(f"{asset.digest}-{coding}")
    response.make_conditional(request)
    return response
