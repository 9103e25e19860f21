"""The classes of characters behind each cut, compared with the reference over all code points."""

from __future__ import annotations

import pytest

from tests.core.pretokenizers.pieces import (
    EVERY,
    Config,
    byte_level,
    first_difference,
    our_pieces,
    reference_pieces,
)

BERT = {"type": "BertPreTokenizer"}
WHITESPACE = {"type": "Whitespace"}
SCRIPTS = {"type": "UnicodeScripts"}
# Among all characters in order, cuts lie where a class begins and ends; next to a known one it shows which class it is.
CONFIGS = {
    "digits": {"type": "Digits", "individual_digits": False},
    "punctuation": {"type": "Punctuation", "behavior": "Contiguous"},
    "Bert": BERT,
    "scripts": SCRIPTS,
    "whitespace": WHITESPACE,
    "whitespace split": {"type": "WhitespaceSplit"},
    "GPT-2": byte_level(use_regex=True),
}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())
def test_classes_begin_and_end_where_the_reference_s_do(config: Config) -> None:
    assert first_difference(our_pieces(config, EVERY), reference_pieces(config, EVERY)) is None


NEIGHBORS = ["a", "1", " ", "!", "漢"]


@pytest.mark.parametrize("config", [BERT, WHITESPACE, CONFIGS["GPT-2"]], ids=["Bert", "whitespace", "GPT-2"])
def test_the_first_and_last_of_each_run_side_with_the_same_neighbors(config: Config) -> None:
    runs = reference_pieces(config, EVERY)
    edges = {EVERY[at] for _, (start, end) in runs for at in (start - 1, start, end - 1, end % len(EVERY))}
    text = "".join(neighbor + edge for edge in sorted(edges) for neighbor in NEIGHBORS)
    assert first_difference(our_pieces(config, text), reference_pieces(config, text)) is None


# All else is unassigned or private: stretches in which the test above sees no cut, so that their ends are enough.
KNOWN = [character for character in EVERY if character < "\U00030000" or "\U000e0000" <= character < "\U000e0400"]
BEYOND = "\U00030000\U0003ffff\U00040000\U000dffff\U000e0400\U000effff\U000f0000\U0010ffff"


@pytest.mark.parametrize("neighbor", ["a", "漢"])
def test_every_character_sides_with_the_same_script(neighbor: str) -> None:
    """Only characters of any script stay with both: inside a run they do not show."""
    text = "".join(neighbor + character for character in [*KNOWN, *BEYOND])
    assert first_difference(our_pieces(SCRIPTS, text), reference_pieces(SCRIPTS, text)) is None
