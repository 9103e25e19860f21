"""docs/parsing.md names every format, with an example that parses."""

import re
from pathlib import Path

import pytest

from tokcore.parsing import FORMATS, parse_tool_calls

DOC = (Path(__file__).resolve().parents[3] / "docs" / "parsing.md").read_text(encoding="utf-8")
ROWS = {row[1]: row[0] for row in re.finditer(r"^\| `(\w+)`.*$", DOC, re.MULTILINE)}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_row_whose_call_parses(name):
    example = re.findall(r"`([^`]*)`", ROWS[name])[1].replace("\\|", "|")
    if name == "deepseek_v3":  # the fence does not fit into a table
        example += '\n```json\n{"x": 1}\n```'
    _, calls = parse_tool_calls(example, name)
    expected = {"x": "1"} if name == "qwen3_coder" else {"x": 1}
    assert calls[0]["name"] == "f" and calls[0]["arguments"] in (expected, {"x": 1, "s": "a"})
