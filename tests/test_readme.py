"""The README's Python example runs and says what it says."""

from __future__ import annotations

import doctest
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"


def test_the_python_example_of_the_readme_runs() -> None:
    code = README.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    test = doctest.DocTestParser().get_doctest(code, {}, "README.md", str(README), 0)
    assert len(test.examples) >= 3
    result = doctest.DocTestRunner(verbose=False).run(test)
    assert result.failed == 0


def test_every_file_the_readme_links_to_is_there() -> None:
    text = README.read_text(encoding="utf-8")
    links = [part.partition(")")[0] for part in text.split("](")[1:]]
    assert links
    missing = [link for link in links if "://" not in link and not (README.parent / link).is_file()]
    assert missing == []
