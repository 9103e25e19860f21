"""Writes tokcore/unicode_data/{character_classes,scripts}.py from the pinned reference.

Run:  python tests/tools/make_pretokenizer_tables.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

import regex
from regex import _regex_core
from tokenizers import Regex
from tokenizers.pre_tokenizers import Digits, PreTokenizer, Punctuation, Split, UnicodeScripts

TARGET = Path(__file__).parents[2] / "tokcore" / "unicode_data"
WIDTH = 108
CLASSES_HEADER = '''\
r"""The reference's classes of characters, written for `tokcore.patterns` (which sees Unicode 16).

>>> from tokcore.patterns import compile_pattern
>>> compile_pattern(PUNCTUATION).spans("a-b"), compile_pattern(NUMERIC).spans("a½b")
([(1, 2)], [(1, 2)])

Made by tests/tools/make_pretokenizer_tables.py from tokenizers {tokenizers}; do not edit.
"""
'''
SCRIPTS_HEADER = '''\
"""The script of each character as the reference's UnicodeScripts has it; space and what it does not know are in none.

>>> SCRIPTS["Hebrew"].split()[0]
'591-5C7'

Made by tests/tools/make_pretokenizer_tables.py from tokenizers {tokenizers}; do not edit.
"""

# Name → ranges of code points, both ends included. Han is Hiragana and Katakana too.
SCRIPTS = {{
{lines}
}}
'''


def characters() -> Iterator[str]:
    """Every Unicode scalar value."""
    return (chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)


def ranges(codes: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as (first, last) of their runs.

    >>> ranges([1, 2, 3, 7])
    [(1, 3), (7, 7)]
    """
    found: list[tuple[int, int]] = []
    for code in sorted(codes):
        first = found.pop()[0] if found and found[-1][1] == code - 1 else code
        found.append((first, code))
    return found


def cut_off(cutter: PreTokenizer, before: str) -> set[str]:
    """The characters that the reference does not leave in one piece with the character before them."""
    every = list(characters())
    text = "".join(before + character for character in every)
    starts = {start for _, (start, _) in cutter.pre_tokenize_str(text)}
    return {character for index, character in enumerate(every) if 2 * index + 1 in starts}


def pattern_set(item: str) -> set[str]:
    """The characters that the reference counts in a class of a pattern."""
    matches = Split(Regex(f"{item}+"), "removed", invert=True).pre_tokenize_str("".join(characters()))
    return set("".join(piece for piece, _ in matches))


def items(chosen: Iterable[str], size: int = WIDTH) -> list[str]:
    r"""Characters as items of a class, in lines.

    >>> items("abcx")
    ['\\x{61}-\\x{63}\\x{78}']
    """
    lines = [""]
    for first, last in ranges(map(ord, chosen)):
        item = f"\\x{{{first:X}}}" if first == last else f"\\x{{{first:X}}}-\\x{{{last:X}}}"
        if len(lines[-1]) + len(item) > size:
            lines.append("")
        lines[-1] += item
    return lines


def class_source(name: str, comment: str, item: str, wanted: set[str]) -> str:
    """An assignment of a class: what a pattern's item holds, some more characters, some less."""
    found = pattern_set(f"[{item}]")
    more, less = wanted - found, found - wanted
    parts = [f"[{item}", *items(more)]
    if less:
        parts += ["&&[^", *items(less), "]"]
    lines = "\n".join(f'    r"{part}"' for part in [*parts, "]"] if part)
    return f"\n# {comment}\n{name} = (\n{lines}\n)\n"


def classes() -> str:
    numeric = cut_off(Digits(individual_digits=True), "x")
    punctuation = cut_off(Punctuation(), "x")
    return (
        CLASSES_HEADER.format(tokenizers=version("tokenizers"))
        + class_source("NUMERIC", "Rust's char::is_numeric: Unicode 17.", r"\p{N}", numeric)
        + class_source("PUNCTUATION", "ASCII's and an old Unicode's.", r"\p{P}$+<=>^`|~", punctuation)
    )


def script_classes() -> list[set[str]]:
    """The characters by script, those of none left out."""
    cutter = UnicodeScripts()
    known = "".join(sorted(cut_off(cutter, "a") | cut_off(cutter, "漢")))
    found: list[set[str]] = []
    for run, _ in cutter.pre_tokenize_str(known):
        heads = [min(script) for script in found]
        text = "".join(head + run[0] for head in heads)
        starts = {start for _, (start, _) in cutter.pre_tokenize_str(text)}
        same = [script for index, script in enumerate(found) if 2 * index + 1 not in starts]
        if same:
            same[0].update(run)
        else:
            found.append(set(run))
    return found


def script_name(character: str) -> str:
    """Unicode's name for a character's script."""
    values = _regex_core.PROPERTIES["SCRIPT"][1]
    names = [name for name in values if regex.match(f"\\p{{sc={name}}}", character)]
    # Four letters are the code of a script rather than its name.
    return max([name for name in names if len(name) != 4] or names, key=len).title()


def scripts() -> str:
    lines = []
    for script in script_classes():
        # Of the three scripts that are one, Han is the one named.
        name = script_name("漢" if "漢" in script else min(script))
        rows = [""]
        for first, last in ranges(map(ord, script)):
            item = f"{first:X}" if first == last else f"{first:X}-{last:X}"
            if len(rows[-1]) + len(item) > WIDTH:
                rows.append("")
            rows[-1] += f"{item} "
        rows[-1] = rows[-1].rstrip()
        if len(rows) == 1 and len(rows[0]) + len(name) < WIDTH:
            lines.append(f'    "{name}": "{rows[0]}",')
        else:
            lines += [f'    "{name}": (', *(f'        "{row}"' for row in rows), "    ),"]
    return SCRIPTS_HEADER.format(tokenizers=version("tokenizers"), lines="\n".join(lines))


if __name__ == "__main__":
    for file, source in (("character_classes.py", classes()), ("scripts.py", scripts())):
        (TARGET / file).write_text(source, encoding="utf-8")
        sys.stdout.write(f"{TARGET / file} written\n")
