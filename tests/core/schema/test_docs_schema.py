"""docs/schema.md says what the code does: its tables are those of the code, its example runs."""

import re
from pathlib import Path

import pytest

from tokcore.schema import KEYWORDS, layout, parse, pattern, terms, tools
from tokcore.schema.ecma import MAX_LENGTH
from tokcore.schema.formats import FORMATS, OTHER_FORMATS

PATH = Path(__file__).resolve().parents[3] / "docs" / "schema.md"
TEXT = PATH.read_text(encoding="utf-8")

BUDGETS = {
    "schemas, references followed": parse.MAX_NODES,
    "levels of schemas": parse.MAX_DEPTH,
    "properties of an object": layout.MAX_LISTED,
    "branches of a `oneOf`": parse.MAX_ONE_OF,
    "tools": tools.MAX_TOOLS,
    "characters of a `pattern`": MAX_LENGTH,
    "characters of the result": pattern.MAX_PATTERN,
    "states of an automaton": terms.MAX_TERMS,
    "pairs of states, where two patterns must both match": terms.MAX_PAIRS,
}


def keyword_rows():
    return [
        f"| `{name}` | {verdict.value} | {note.replace('|', chr(92) + '|')} |"
        for name, (verdict, note) in KEYWORDS.items()
    ]


def budget_rows():
    return [f"| {what} | {most:,} |" for what, most in BUDGETS.items()]


@pytest.mark.parametrize(("name", "rows"), [("keywords", keyword_rows), ("budgets", budget_rows)])
def test_the_table_is_the_one_of_the_code(name, rows):
    written = re.search(f"<!-- {name} -->\n(.*?)<!-- end -->", TEXT, re.DOTALL)[1].splitlines()
    assert written == rows()


def test_every_format_is_described():
    section = TEXT.partition("## Formats")[2].partition("## ")[0]
    assert set(re.findall(r"^\| `([a-z0-9-]+)`", section, re.MULTILINE)) == set(FORMATS)
    assert all(f"`{name}`" in section for name in OTHER_FORMATS)


def test_the_example_runs():
    class Tokenizer:
        def vocab_bytes(self):
            return [b"<", b"<tool_call>\n", b"x"] + [b""] * 151700

    given = [{"function": {"name": "get_weather"}}]
    code = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)[1]
    names = {"tools": given, "tokenizer": Tokenizer()}
    exec(code.replace("mask.why_not(mask.start, 42)", "refusal = mask.why_not(mask.start, 2)"), names)
    assert names["mask"].allowed(names["mask"].start).ids == [0, 1]
    assert names["refusal"].at == 0
