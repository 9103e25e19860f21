"""The command line: `python -m tokcore parity FILE-OR-DIR [TEXT…]`."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from tokcore import TokcoreError, Tokenizer
from tokcore.export import to_json
from tokcore.formats.folder import is_tekken
from tokcore.parity import Difference, Report, compare
from tokcore.parity_stages import Given
from tokcore.parity_texts import texts_for

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Reference

EQUAL, DIFFERENT, UNUSABLE = 0, 1, 2
REFERENCE_VERSION = "0.23.3"


class Unusable(Exception):
    """What keeps a command from running, said in one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the result is the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tokcore", description="The text boundary of language models.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_parity(commands.add_parser("parity", help="compare tokcore with the reference library on one tokenizer"))
    options = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        # A text may hold what the terminal cannot write.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except Unusable as error:
        print(error, file=sys.stderr)
        return UNUSABLE


def add_parity(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Encode and decode the same texts with tokcore and with the reference library and report the first difference."
    )
    parser.epilog = "Exit status: 0 no difference, 1 a difference, 2 the file cannot be read or the library is absent."
    parser.add_argument(
        "path", metavar="FILE-OR-DIR", type=Path, help="a tokenizer.json, a folder that holds one, or another format"
    )
    parser.add_argument("texts", metavar="TEXT", nargs="*", help="texts to compare before the generated ones")
    parser.add_argument("--seed", type=int, default=1, help="of the generated texts (default %(default)s)")
    parser.add_argument("--count", type=int, default=500, help="how many texts to generate (default %(default)s)")
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")
    parser.set_defaults(run=parity)


def parity(options: argparse.Namespace) -> int:
    """The parity command."""
    version, reference_type = import_reference()
    # Of a folder only this file is compared: the reference knows no other.
    path = options.path / "tokenizer.json"
    path = path if path.is_file() else options.path
    try:
        tokenizer = (Tokenizer.from_dir if path.is_dir() else Tokenizer.from_file)(path)
        read_itself = not path.is_dir() and is_tokenizer_json(path)
    except TokcoreError as error:
        raise Unusable(f"{path}: {error}") from None
    try:
        # Any other format is given to the reference as what tokcore makes of it.
        load = reference_type.from_file if read_itself else reference_type.from_str
        reference = load(str(path) if read_itself else json.dumps(to_json(tokenizer)))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # its panics are no Exception
        refusal = f"the reference library refuses this file: {error}"
        print(json.dumps({"equal": False, "error": refusal}) if options.json else refusal)
        return DIFFERENT
    texts = chain(options.texts, texts_for(tokenizer, options.seed, options.count))
    report = compare(tokenizer, reference, with_progress(texts, len(options.texts) + max(options.count, 0)))
    if options.json:
        about = {"file": str(path), "reference": f"tokenizers {version}", "seed": options.seed}
        print(json.dumps({**about, "equal": report.equal, **asdict(report)}, ensure_ascii=False))
    else:
        print(summary(report, version) if report.difference is None else told(report.difference))
    return EQUAL if report.equal else DIFFERENT


def is_tokenizer_json(path: Path) -> bool:
    """Whether a file that could be loaded is a tokenizer.json, which both libraries read."""
    with path.open("rb") as file:
        if not file.read(64).lstrip().startswith(b"{"):
            return False
    return not is_tekken(path.read_bytes())


def import_reference() -> tuple[str, type[Reference]]:
    """The reference library's version and its Tokenizer class."""
    try:
        import tokenizers
    except ImportError:
        raise Unusable(f"parity needs the reference library: pip install tokenizers=={REFERENCE_VERSION}") from None
    if tokenizers.__version__ != REFERENCE_VERSION:
        note = f"note: tokcore follows tokenizers {REFERENCE_VERSION}; installed is {tokenizers.__version__}"
        print(note, file=sys.stderr)
    return tokenizers.__version__, tokenizers.Tokenizer


def with_progress(texts: Iterable[str], total: int) -> Iterable[str]:
    """The texts, with a bar where the error stream is a terminal and it takes more than a second."""
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:
        return texts
    bar: Iterable[str] = tqdm(texts, total=total, unit="text", delay=1, leave=False, disable=None)
    return bar


def summary(report: Report, version: str) -> str:
    crashes = f"; in {report.crashes} of them the reference crashed" if report.crashes else ""
    return f"no difference: {report.texts} texts, {report.comparisons} comparisons with tokenizers {version}{crashes}"


def told(difference: Difference) -> str:
    """A difference for people, a line for each thing."""
    lines = [f"difference in {difference.field}" + ("" if difference.at is None else f" at index {difference.at}")]
    lines += input_lines(difference.given)
    if difference.ids:
        lines.append(f"  ids        {list(difference.ids)}")
    lines += [f"  tokcore    {difference.ours}", f"  reference  {difference.theirs}"]
    stage = difference.stage
    if stage is None:
        lines.append("arises where one of the two refuses the text")
    else:
        place = " ".join(part for part in (stage.name, stage.component, stage.pointer) if part)
        lines += [f"arises in  {place}: {stage.what}", f"  tokcore    {stage.ours}", f"  reference  {stage.theirs}"]
    if difference.given != difference.found_in:
        text, pair = difference.found_in.text, difference.found_in.pair
        length = len(text) + len(pair or "")
        lines.append(f"found in {'a text' if pair is None else 'two texts'} of {length} characters")
    return "\n".join(lines)


def input_lines(given: Given) -> list[str]:
    r"""The texts, with the code points of short ones, and the options that are not as usual.

    >>> input_lines(Given("a\u0301", add_special_tokens=False))
    ["  text       'á' (U+0061 U+0301)", '  with add_special_tokens=False']
    """
    lines = []
    for name, text in (("text", given.text), ("pair", given.pair)):
        if text is not None:
            points = " ".join(f"U+{ord(character):04X}" for character in text)
            lines.append(f"  {name:<10} {text!r}" + (f" ({points})" if len(text) <= 12 and points else ""))
    options = [f"add_special_tokens={given.add_special_tokens}"] if not given.add_special_tokens else []
    options += [f"split_special_tokens={given.split_special_tokens}"] if given.split_special_tokens else []
    return [*lines, f"  with {', '.join(options)}"] if options else lines


if __name__ == "__main__":
    sys.exit(main())
