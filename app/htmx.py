"""One URL, two answers: the whole page, or the fragment that htmx swaps into it."""

from __future__ import annotations

from flask import Request, Response, make_response, render_template, request


def wants_fragment(current: Request = request) -> bool:
    """Whether htmx asked and will swap a part of the page.

    A history restore (htmx lost its snapshot and asks again) and a boosted link replace the whole page.
    """
    headers = current.headers
    return (
        headers.get("HX-Request") == "true"
        and headers.get("HX-History-Restore-Request") != "true"
        and headers.get("HX-Boosted") != "true"
    )


def render_page(page: str, view: object, *, fragment: str = "_result", status: int = 200) -> Response:
    """`templates/<page>/page.html`, or for htmx `templates/<page>/<fragment>.html`; both are given `view`.

    In a route: `return render_page("tokens", TokensView.of(form, encoding))`. The page includes the same fragment, so
    the two cannot differ. Answers carry `Vary: HX-Request` (app/security.py).
    """
    template = fragment if wants_fragment() else "page"
    return make_response(render_template(f"{page}/{template}.html", view=view), status)
