"""Who may import whom, what stays pure, how long a file is, what a template holds: read from the sources themselves.

The first half applies the rules to the project; the second shows on small made-up sources that each rule can fail.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.architecture_rules import (
    LONGEST_FILE,
    Imports,
    circles,
    downloads,
    import_graph,
    imports_of,
    impurities,
    inline_code,
    joins,
    mixed_components,
    mixed_web,
    module_name,
    not_self_contained,
    too_long,
    wrong_directions,
)

ROOT = Path(__file__).resolve().parent.parent
DIRECTIONS = [wrong_directions, mixed_components, not_self_contained, joins]


# ---- the project keeps the rules


def texts(*patterns: str) -> dict[str, str]:
    """Path below the root → text, for the project's own files (nothing fetched, nothing hidden)."""
    paths = (path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file())
    names = {path.relative_to(ROOT).as_posix(): path for path in paths}
    return {name: names[name].read_text(encoding="utf-8") for name in sorted(names) if "/vendor/" not in name}


def modules(*patterns: str) -> dict[str, str]:
    return {module_name(path): source for path, source in texts(*patterns).items()}


def assert_none(findings: Iterable[str]) -> None:
    found = sorted(findings)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("rule", DIRECTIONS)
def test_tokcore_imports_go_one_way(rule):
    assert_none(rule(import_graph(modules("tokcore/**/*.py"))))


@pytest.mark.parametrize("package", ["tokcore", "app"])
def test_no_import_goes_in_a_circle(package):
    assert_none(circles(import_graph(modules(f"{package}/**/*.py"), inside_functions=False)))


def test_pages_and_api_do_not_know_each_other():
    assert_none(mixed_web(import_graph(modules("app/**/*.py"))))


def test_tokcore_is_pure():
    assert_none(finding for module in modules("tokcore/**/*.py").items() for finding in impurities(*module))


def test_tests_fetch_nothing():
    assert_none(finding for module in modules("tests/**/*.py").items() for finding in downloads(*module))


def test_source_files_are_short():
    folders = ("app", "benchmarks", "static", "templates", "tests", "tokcore")
    sources = texts(*(f"{folder}/**/*.{end}" for folder in folders for end in ("py", "js", "css", "html")))
    assert_none(finding for source in sources.items() for finding in too_long(*source))


def test_templates_hold_no_inline_code():
    assert_none(finding for source in texts("templates/**/*.html").items() for finding in inline_code(*source))


# ---- each rule can fail


def graph_of(sources: dict[str, str]) -> Imports:
    """The import graph of made-up modules below tokcore."""
    return import_graph({f"tokcore.{name}": source for name, source in sources.items()})


@pytest.mark.parametrize(
    ("module", "source", "expected"),
    [
        ("tokcore.loader", "import json, os.path", {"json", "os.path"}),
        ("tokcore.loader", "from tokcore.spans import Span", {"tokcore.spans.Span"}),
        ("tokcore.models.bpe", "from ..spans import Span", {"tokcore.spans.Span"}),
        ("tokcore.models.bpe", "from . import wordpiece", {"tokcore.models.wordpiece"}),
        ("tokcore.models.__init__", "from .bpe import BPE", {"tokcore.models.bpe.BPE"}),
        ("tokcore.loader", "def f():\n    from app import store", {"app.store"}),
    ],
)
def test_imports_are_read_in_every_form(module, source, expected):
    assert imports_of(module, source) == expected


def test_an_import_of_a_name_is_an_import_of_its_module():
    both = "from tokcore.spans import Span\nfrom tokcore import spans"
    graph = graph_of({"spans": "", "tokens": both, "__init__": "from .tokens import Token"})
    assert graph["tokcore.tokens"] == {"tokcore.spans"}
    assert graph["tokcore.__init__"] == {"tokcore.tokens"}


def test_what_runs_at_import_is_told_from_what_waits_for_a_call():
    source = "import a\nclass C:\n    import b\n    def f(self):\n        import c\nif TYPE_CHECKING:\n    import d"
    assert imports_of("tokcore.x", source) == {"a", "b", "c", "d"}
    assert imports_of("tokcore.x", source, inside_functions=False) == {"a", "b"}


@pytest.mark.parametrize(
    ("rule", "sources", "says"),
    [
        (wrong_directions, {"spans": "import tokcore.tokens", "tokens": ""}, "tokcore.spans → tokcore.tokens"),
        (
            wrong_directions,
            {"models.bpe": "from tokcore import odd", "odd": "from tokcore import loader", "loader": ""},
            "tokcore.models.bpe → tokcore.odd → tokcore.loader",
        ),
        (wrong_directions, {"loader": "from tokcore import Tokenizer", "__init__": ""}, "tokcore.loader may not reach"),
        (wrong_directions, {"odd": "from tokcore import Tokenizer", "__init__": ""}, "the package's face"),
        (circles, {"a": "from . import b", "b": "from . import c", "c": "from . import a"}, "a circle"),
        (
            mixed_components,
            {"models.bpe": "from tokcore.normalizers.nfc import NFC", "normalizers.nfc": ""},
            "tokcore.models.bpe → tokcore.normalizers.nfc",
        ),
        (not_self_contained, {"streaming.stops": "from tokcore import models", "models": ""}, "plain"),
        (not_self_contained, {"chat.cost": "import tokcore.schema.mask", "schema.mask": ""}, "plain callables"),
        (
            joins,
            {"loop": "from . import parsing, streaming", "parsing": "", "streaming": ""},
            "only tokcore.generation",
        ),
    ],
)
def test_a_wrong_import_is_found(rule, sources, says):
    assert any(says in finding for finding in rule(graph_of(sources))), rule.__name__


@pytest.mark.parametrize("rule", [*DIRECTIONS, circles])
def test_right_imports_are_let_through(rule):
    graph = graph_of(
        {
            "errors": "",
            "spans": "from tokcore.errors import TokboardError",
            "tokens": "from tokcore.spans import Span",
            "odd": "from tokcore.spans import Span",
            "models.bpe": "from tokcore.tokens import Token\nfrom tokcore import odd",
            "models.__init__": "from .bpe import BPE",
            "loader": "from tokcore import models, odd",
            "streaming.stops": "from tokcore.tokens import Token",
            "parsing.lexer": "from tokcore.spans import Span",
            "generation": "from tokcore.streaming import stops\nfrom tokcore.parsing import lexer",
            "__init__": "from .loader import from_file\nfrom .generation import Generation",
        }
    )
    assert list(rule(graph)) == []


def test_a_page_that_imports_the_api_is_found():
    sources = {"app.pages.tokens": "from app.forms import x", "app.forms": "from app.api import v1", "app.api.v1": ""}
    assert list(mixed_web(import_graph(sources)))
    sources["app.forms"] = ""
    assert not list(mixed_web(import_graph(sources)))


@pytest.mark.parametrize(
    "source",
    [
        "import flask",
        "from app import store",
        "import urllib.request",
        "import time",
        "import os\nos.environ['X']",
        "from os import environ",
        "import datetime\ndatetime.datetime.now()",
        "open('x')",
        "def f(path): return path.read_text()",
        "print(1)",
    ],
)
def test_an_impure_module_is_found(source):
    assert list(impurities("tokcore.models.bpe", source))


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("tokcore.loader", "from pathlib import Path\nPath('x').read_bytes()"),
        ("tokcore.__main__", "print(open('x').read())"),
        (
            "tokcore.models.bpe",
            "import json, regex\nfrom urllib.parse import quote\nfrom os import PathLike\nreopened = 1",
        ),
    ],
)
def test_a_pure_module_is_let_through(module, source):
    assert not list(impurities(module, source))


@pytest.mark.parametrize("source", ["import requests", "from huggingface_hub import snapshot_download"])
def test_a_downloading_test_is_found(source):
    assert list(downloads("tests.test_x", source))


def test_a_long_file_is_found():
    assert not list(too_long("x.py", "x\n" * LONGEST_FILE))
    assert list(too_long("x.py", "x\n" * (LONGEST_FILE + 1)))


@pytest.mark.parametrize(
    "source",
    [
        "<script>x()</script>",
        "<script type=module>x()</script>",
        "<style>a{}</style>",
        '<p style="color:red">',
        '<p {% if a > b %}class="x"{% endif %} style="{{ s }}">',
        '<button onclick="x()">',
        '<button hx-on:click="x()">',
        '<a href="javascript:x()">',
        "<div hx-vals='js:{a: 1}'>",
    ],
)
def test_inline_code_in_a_template_is_found(source):
    assert list(inline_code("x.html", source))


@pytest.mark.parametrize(
    "source",
    [
        '<script type="module" src="{{ asset("tokens.js") }}"></script>',
        '{# <script> style="" #}<p class="{{ "a" if x > 1 }}" data-only="1">a &lt;script&gt;</p>',
        '<link rel="stylesheet" href="x.css">',
    ],
)
def test_a_clean_template_is_let_through(source):
    assert not list(inline_code("x.html", source))
