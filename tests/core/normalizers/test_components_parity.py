"""All normalizers but the normal forms beside the reference library: same text, same span for every character."""

from __future__ import annotations

import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.normalizers.normalizer_reference import (
    Config,
    changing_characters,
    differing,
    differing_characters,
    reference,
    scalar_values,
)
from tests.core.normalizers.test_components import (
    BYTE_LEVEL,
    LOWERCASE,
    NMT,
    PREPEND,
    STRIP_ACCENTS,
    bert,
    replace,
    strip,
)
from tests.reference import added, assert_same, both, byte_level_file
from tests.strategies import texts
from tests.tools import make_normalizer_tables as tables
from tokcore.normalizers.strip import WHITE_SPACE

FOR_ALL_CHARACTERS: dict[str, Config] = {
    "Nmt": NMT,
    "Lowercase": LOWERCASE,
    "StripAccents": STRIP_ACCENTS,
    "ByteLevel": BYTE_LEVEL,
    "Bert cleans": bert(clean=True),
    "Bert spaces": bert(chinese=True),
    "Bert strips accents": bert(accents=True),
    "Bert does all": bert(True, True, None, True),
}
CONFIGS: dict[str, Config] = {
    **FOR_ALL_CHARACTERS,
    "Bert cased": bert(True, True, None, False),
    "Strip": strip(),
    "Strip left": strip(right=False),
    "Strip right": strip(left=False),
    "Prepend": PREPEND,
    "Prepend two": {"type": "Prepend", "prepend": "é▁"},
    "Prepend nothing": {"type": "Prepend", "prepend": ""},
    "Replace a space": replace("▁", String=" "),
    "Replace by more": replace("<é>", String="a"),
    "Replace by nothing": replace("", String="  "),
    "Replace the empty string": replace("-", String=""),
    "Replace special characters": replace("-", String=".*"),
    "Replace runs": replace("▁", Regex=" {2,}"),
    "Replace words": replace("ab", Regex=r"\w+"),
    "Replace marks": replace("", Regex=r"\p{M}"),
    "Replace the beginning": replace("▁", Regex="^"),
    "Replace the end": replace("▁", Regex="$"),
    "Replace anywhere": replace("世", Regex="x*"),
    "Replace before": replace("+", Regex="(?=[a-z])"),
    "Replace behind": replace("+", Regex="(?<=[^a-z])"),
}
ALPHABET = (
    "aAbéÉ .\u0301\u0323İΣσẞﬁ世\U00020000\U0002b820🚀\u200d\x00\x01\x0b\x85\xa0\u3000\t\r\n\ufffd\ufeff각\u0e33\u093f"
)

configured = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())


@pytest.mark.parametrize("config", FOR_ALL_CHARACTERS.values(), ids=FOR_ALL_CHARACTERS.keys())
def test_text_of_every_character(config: Config) -> None:
    assert differing_characters(config) == ""


@pytest.mark.parametrize("config", FOR_ALL_CHARACTERS.values(), ids=FOR_ALL_CHARACTERS.keys())
def test_spans_of_every_changing_character(config: Config) -> None:
    contexts = ("{}", "a{}b", "\u4e2d{0}{0}")
    assert differing([context.format(c) for c in changing_characters(config) for context in contexts], config) == ""


def test_strip_takes_the_same_characters_off() -> None:
    theirs = reference(strip()).normalizer
    assert theirs is not None
    assert {c for c in scalar_values() if not theirs.normalize_str(c)} == set(WHITE_SPACE)


@configured
@settings(deadline=None)
@given(text=texts | st.text(st.sampled_from(ALPHABET), max_size=30))
def test_any_text(config: Config, text: str) -> None:
    assert differing([text], config) == ""


def puts_in_front(config: Config) -> bool:
    """Whether a character without a place may come first: then most steps behind it make the reference panic."""
    return config in [CONFIGS[name] for name in CONFIGS if name.startswith("Replace") or name == "Prepend nothing"]


FORMS = [{"type": name} for name in ("NFD", "NFC", "NFKD", "NFKC")]
BEFORE = [config for config in CONFIGS.values() if not puts_in_front(config)]


@pytest.mark.parametrize("seed", range(6))
def test_chains_of_normalizers(seed: int) -> None:
    choice = random.Random(seed)
    for _ in range(60):
        forms = choice.sample(FORMS, choice.randrange(2))
        # A form forgets what was taken off before it, which only a step behind it could tell.
        last = choice.choice(BEFORE if forms else list(CONFIGS.values()))
        chain = [*choice.sample(BEFORE, choice.randrange(1, 3)), *forms, last]
        strings = ["".join(choice.choices(ALPHABET, k=choice.randrange(10))) for _ in range(40)]
        assert differing(strings, *chain) == "", chain


FILES = {
    "Llama 2": [PREPEND, replace("▁", String=" ")],
    "Albert": [replace('"', String="``"), {"type": "NFKD"}, STRIP_ACCENTS, LOWERCASE, replace(" ", Regex=" {2,}")],
    "CLIP": [{"type": "NFC"}, replace(" ", Regex=r"\s+"), LOWERCASE],
    "BERT": [bert(True, True, None, True)],
    "prefix": [strip(), replace("é", String="e"), {"type": "Prepend", "prepend": "="}],
}


@pytest.mark.parametrize("normalizers", FILES.values(), ids=FILES.keys())
@settings(deadline=None)
@given(text=texts)
def test_whole_files(normalizers: list[Config], text: str) -> None:
    file = byte_level_file(["Ġ a", "a b"], normalizer={"type": "Sequence", "normalizers": normalizers})
    assert_same(*both(file), text)


@settings(deadline=None)
@given(text=texts)
def test_the_byte_level_normalizer_in_a_file(text: str) -> None:
    split = {"type": "Split", "pattern": {"String": "Ġ"}, "behavior": "MergedWithNext", "invert": False}
    assert_same(*both(byte_level_file(["Ġ a"], normalizer=BYTE_LEVEL, pre_tokenizer=split)), text)


@pytest.mark.parametrize(("word", "normalized", "text"), [("Yes", True, "YES yes"), ("Yes", False, "YES yes Yes")])
def test_added_tokens_are_matched_before_or_behind_lower_case(word: str, normalized: bool, text: str) -> None:
    file = byte_level_file(normalizer=LOWERCASE, added_tokens=[added(word, normalized=normalized)])
    tokenizer, theirs = both(file)
    assert_same(tokenizer, theirs, text)
    assert tokenizer.encode(text).ids.count(256) == (2 if normalized else 1)


def test_a_special_token_that_the_normalizer_makes_is_text() -> None:
    file = byte_level_file(normalizer=replace("<nl>", String="\n"), added_tokens=[added("<nl>", special=True)])
    tokenizer, theirs = both(file)
    assert_same(tokenizer, theirs, "a\nb")
    assert 256 not in tokenizer.encode("a\nb").ids


@pytest.mark.parametrize("name", tables.TABLES)
def test_the_tables_are_what_their_script_makes(name: str) -> None:
    stored = (tables.FOLDER / f"{name}.py").read_text(encoding="utf-8")
    if tables.made(with_regex=name == "lowercase") not in stored or sys.version_info[:2] != (3, 11):
        pytest.skip("the table was made from other versions of Python or its packages than those installed")
    assert tables.TABLES[name]() == stored
