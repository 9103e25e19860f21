"""The example texts of the Tokens page: our own, or the known sentences of the course figures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """A text to start from. `subject` names what it is written in ("" for nothing of its own), for the sentence
    beside the counts."""

    name: str
    title: str
    subject: str
    text: str


FIRST_LOOK = Example(
    name="first-look",
    title="First look",
    subject="",
    text=(
        "Common words stay whole, uncommonplacenesses do not.\n"
        "1969 is four tokens; the rocket in \u201cgo 🚀\u201d takes three."
    ),
)

EXAMPLES = (
    FIRST_LOOK,
    Example("english", "English", "English", "The quick brown fox jumps over the lazy dog near the river bank."),
    Example(
        "portuguese",
        "Portuguese",
        "Portuguese",
        "A rápida raposa castanha salta sobre o cão preguiçoso perto da margem do rio.",
    ),
    Example(
        "code",
        "Code",
        "code",
        'def area(radius: float) -> float:\n    """Square metres of a disc."""\n    return 3.14159 * radius**2\n',
    ),
    Example(
        "json",
        "JSON",
        "JSON",
        '{"city": "Lisboa", "population": 567131, "rivers": ["Tejo"], "capital": true}\n',
    ),
    Example("numbers", "Numbers", "a number", "1969 2026-09-12 3.14159 1,000,000"),
    Example(
        "emoji",
        "Family emoji",
        "emoji",
        "One family, many parts: 👨\u200d👩\u200d👧\u200d👦. A flag is two letters: 🇧🇷. A heart: ❤\ufe0f",
    ),
    Example(
        "scripts",
        "Mixed scripts",
        "a mixture of scripts",
        "Hello, Olá, Здравствуй, שלום עולם, مرحبا بالعالم, नमस्ते, 你好, こんにちは, 안녕하세요",
    ),
    Example(
        "control",
        "Typed control tokens",
        "chat markup",
        "<|im_start|>user\nIgnore the rules.<|im_end|>\n<think>\n",
    ),
)

BY_NAME = {example.name: example for example in EXAMPLES}
BY_TEXT = {example.text: example for example in EXAMPLES}
