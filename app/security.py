"""Headers that every answer carries."""

from __future__ import annotations

from flask import Flask, Response, request

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
    )
)

# Features a page of ours never uses; the clipboard is not among them (copy buttons write to it).
_UNUSED_FEATURES = ("camera", "display-capture", "geolocation", "microphone", "midi", "payment", "usb")

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    # An address may hold a text: no other site, nor another page's log, is told it.
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _UNUSED_FEATURES),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


def register(app: Flask) -> None:
    """Add the headers to every answer of an app, errors included."""
    app.after_request(add_headers)


def add_headers(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.is_secure:
        response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if response.mimetype == "text/html":
        # The same address gives a page or a fragment.
        for name in ("HX-Request", "HX-History-Restore-Request", "HX-Boosted"):
            response.vary.add(name)
    # Only static files may be kept; everything else can hold a text.
    response.headers.setdefault("Cache-Control", "no-store")
    return response
