"""The rules that test_architecture.py applies: each is a function from sources to findings, an empty result is good."""

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser

# A module belongs to the longest name here that it starts with. It reaches its own layer and the ones above it in this
# table, never one below, not even by way of a module that has no place here.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("tokcore.errors",),
    ("tokcore.spans",),
    ("tokcore.tokens",),
    ("tokcore.protocols", "tokcore.bytemap"),
    (
        "tokcore.added_tokens",
        "tokcore.decoders",
        "tokcore.models",
        "tokcore.normalizers",
        "tokcore.patterns",
        "tokcore.postprocessors",
        "tokcore.pretokenizers",
    ),
    ("tokcore.fastpath", "tokcore.loader", "tokcore.pipeline", "tokcore.trace", "tokcore.training"),
    ("tokcore.generation",),
    ("tokcore.cut_fuzzer",),
    ("tokcore.__init__", "tokcore.__main__"),
)
LAYER_OF = {name: number for number, names in enumerate(LAYERS) for name in names}

# These never reach one another.
COMPONENTS = ("decoders", "models", "normalizers", "postprocessors", "pretokenizers")
# These take plain callables: of the modules placed above they reach three.
SELF_CONTAINED = ("chat", "deltas", "parsing", "schema", "streaming")
SELF_CONTAINED_MAY_REACH = ("tokcore.errors", "tokcore.spans", "tokcore.tokens")
# Only these import both streaming and parsing.
JOINS_STREAMING_AND_PARSING = ("tokcore.generation", "tokcore.__init__", "tokcore.__main__")

MAY_READ_FILES = ("tokcore.loader", "tokcore.rankfile", "tokcore.__main__")
MAY_PRINT = ("tokcore.__main__",)
READS_FILES = ("open", "read_bytes", "read_text", "write_bytes", "write_text")
# The web, the network, other processes, the clock: the subject needs none of them.
IMPURE = (
    *("app", "flask", "gunicorn", "werkzeug"),
    *("aiohttp", "asyncio", "ftplib", "http", "httpx", "httpx2", "huggingface_hub", "requests", "socket", "ssl"),
    *("urllib.request", "urllib3", "multiprocessing", "subprocess", "time"),
)
IMPURE_ATTRIBUTES = ("os.environ", "os.getenv", "datetime.now", "datetime.today", "datetime.utcnow", "date.today")
DOWNLOADERS = ("aiohttp", "ftplib", "httpx", "httpx2", "requests", "urllib3")
DOWNLOADING_NAMES = ("hf_hub_download", "snapshot_download", "urlretrieve")

LONGEST_FILE = 400

Imports = dict[str, frozenset[str]]


# ---- reading sources


def module_name(path: str) -> str:
    """'tokcore/models/bpe.py' → 'tokcore.models.bpe'; a package's own file keeps its '__init__'."""
    return path.removesuffix(".py").replace("/", ".")


def nodes_of(tree: ast.AST, inside_functions: bool) -> Iterator[ast.AST]:
    """All nodes of a tree, or only those that run when the module is imported."""
    for node in ast.iter_child_nodes(tree):
        deferred = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for_types = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        if inside_functions or not (deferred or for_types):
            yield node
            yield from nodes_of(node, inside_functions)


def imports_of(module: str, source: str, inside_functions: bool = True) -> frozenset[str]:
    """Absolute names of what a source imports; `from a import b` gives a.b."""
    package = module.split(".")[:-1]
    found: set[str] = set()
    for node in nodes_of(ast.parse(source), inside_functions):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return frozenset(found)


def is_in(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def import_graph(sources: dict[str, str], inside_functions: bool = True) -> Imports:
    """For each module, the modules of the same sources that it imports ('tokcore' itself is 'tokcore.__init__')."""
    graph: Imports = {}
    for module, source in sources.items():
        edges = set()
        for name in imports_of(module, source, inside_functions):
            # The longest prefix that is a module: `tokcore.spans.Span` is an import of `tokcore.spans`.
            parts = name.split(".")
            for cut in range(len(parts), 0, -1):
                prefix = ".".join(parts[:cut])
                target = next((t for t in (prefix, f"{prefix}.__init__") if t in sources), None)
                if target is not None:
                    edges.add(target)
                    break
        graph[module] = frozenset(edges - {module})
    return graph


def reached(graph: Imports, start: str) -> dict[str, tuple[str, ...]]:
    """Every module reached from start, with the shortest way there."""
    ways: dict[str, tuple[str, ...]] = {start: (start,)}
    queue = [start]
    for module in queue:
        for target in sorted(graph[module]):
            if target not in ways:
                ways[target] = (*ways[module], target)
                queue.append(target)
    del ways[start]
    return ways


def layer(module: str) -> int | None:
    placed = next((name for name in LAYER_OF if is_in(module, name)), None)
    return None if placed is None else LAYER_OF[placed]


# ---- the rules


def wrong_directions(graph: Imports) -> Iterator[str]:
    for module in graph:
        own_layer, ways = layer(module), reached(graph, module)
        for target, way in ways.items():
            target_layer = layer(target)
            if own_layer is not None and target_layer is not None and target_layer > own_layer:
                yield f"{module} may not reach {target}: {' → '.join(way)}"
            elif own_layer is None and target in ("tokcore.__init__", "tokcore.__main__"):
                yield f"{module} may not import the package's face: {' → '.join(way)}"


def circles(graph: Imports) -> Iterator[str]:
    """For a graph of what runs at import: a constructor may ask for its loader when it is called."""
    for module in graph:
        back = [way for target, way in reached(graph, module).items() if module in graph[target]]
        if back:
            yield f"a circle: {' → '.join((*min(back, key=len), module))}"


def mixed_components(graph: Imports) -> Iterator[str]:
    for module in graph:
        own = next((name for name in COMPONENTS if is_in(module, f"tokcore.{name}")), None)
        for target, way in reached(graph, module).items():
            other = next((name for name in COMPONENTS if is_in(target, f"tokcore.{name}")), None)
            if own is not None and other is not None and own != other:
                yield f"components do not know one another: {' → '.join(way)}"


def not_self_contained(graph: Imports) -> Iterator[str]:
    others = tuple(f"tokcore.{name}" for name in (*SELF_CONTAINED, "generation"))
    for module in graph:
        own = next((f"tokcore.{name}" for name in SELF_CONTAINED if is_in(module, f"tokcore.{name}")), None)
        for target, way in reached(graph, module).items():
            foreign = layer(target) is not None and not any(is_in(target, ok) for ok in SELF_CONTAINED_MAY_REACH)
            sibling = any(is_in(target, other) for other in others if other != own)
            if own is not None and (foreign or sibling):
                yield f"{own} takes plain callables instead: {' → '.join(way)}"


def joins(graph: Imports) -> Iterator[str]:
    for module, targets in graph.items():
        both = all(any(is_in(target, f"tokcore.{name}") for target in targets) for name in ("streaming", "parsing"))
        if both and module not in JOINS_STREAMING_AND_PARSING:
            yield f"{module} joins streaming and parsing; only tokcore.generation does"


def mixed_web(graph: Imports) -> Iterator[str]:
    for module in graph:
        for own, other in (("app.pages", "app.api"), ("app.api", "app.pages")):
            for target, way in reached(graph, module).items():
                # The package's face brings all blueprints together, so a way through it says nothing.
                if is_in(module, own) and is_in(target, other) and "app.__init__" not in way:
                    yield f"pages and API do not know each other: {' → '.join(way)}"


def impurities(module: str, source: str) -> Iterator[str]:
    for name in sorted(imports_of(module, source)):
        if any(is_in(name, impure) for impure in (*IMPURE, *IMPURE_ATTRIBUTES)):
            yield f"{module} imports {name}"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            dotted = ast.unparse(node)
            if any(dotted == name or dotted.endswith("." + name) for name in IMPURE_ATTRIBUTES):
                yield f"{module}:{node.lineno} uses {dotted}"
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in READS_FILES and not any(is_in(module, ok) for ok in MAY_READ_FILES):
                yield f"{module}:{node.lineno} touches a file ({ast.unparse(node.func)})"
            if called == "print" and isinstance(node.func, ast.Name) and module not in MAY_PRINT:
                yield f"{module}:{node.lineno} prints"


def downloads(module: str, source: str) -> Iterator[str]:
    for name in sorted(imports_of(module, source)):
        if any(is_in(name, client) for client in DOWNLOADERS) or name.split(".")[-1] in DOWNLOADING_NAMES:
            yield f"{module} imports {name}; conftest's guard would stop it"


def too_long(path: str, source: str) -> Iterator[str]:
    lines = len(source.splitlines())
    if lines > LONGEST_FILE:
        yield f"{path} has {lines} lines; split it (at most {LONGEST_FILE})"


class _TemplateReader(HTMLParser):
    """Collects what a strict Content-Security-Policy would refuse to run or apply."""

    def __init__(self) -> None:
        super().__init__()
        self.findings: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line, given = self.getpos()[0], dict(attrs)
        if tag == "style" or (tag == "script" and "src" not in given):
            self.findings.append(f"line {line}: inline <{tag}>")
        for name, value in given.items():
            if name == "style" or name.startswith(("on", "hx-on", "data-hx-on")):
                self.findings.append(f"line {line}: {name}= on <{tag}>")
            elif (value or "").strip().lower().startswith(("javascript:", "js:")):
                self.findings.append(f"line {line}: script in {name}= on <{tag}>")


def inline_code(path: str, source: str) -> Iterator[str]:
    # Jinja's own marks go first, with their line breaks kept: inside a tag they would confuse the parser.
    reader = _TemplateReader()
    keep_lines = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
    reader.feed(keep_lines.sub(lambda mark: "\n" * mark[0].count("\n"), source))
    reader.close()
    yield from (f"{path} {finding}" for finding in reader.findings)
