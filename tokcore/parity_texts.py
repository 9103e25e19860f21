"""Texts that tell tokenizers apart: every kind of thing that people paste, put together at random from a seed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random

from tokcore.pipeline import Tokenizer

SAMPLED_TOKENS = 5_000

Kind = Callable[[Random], str]

# First and last code points of stretches of letters, one script after another.
SCRIPTS = (
    *((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0xFF), (0x100, 0x24F), (0x1E00, 0x1EFF), (0xA720, 0xA7CA), (0x370, 0x3FF)),
    *((0x1F00, 0x1FFC), (0x400, 0x52F), (0x531, 0x587), (0x591, 0x5F4), (0x600, 0x6FF), (0x700, 0x74A), (0x780, 0x7B1)),
    *((0x7C0, 0x7FF), (0x900, 0x97F), (0x985, 0x9FE), (0xA05, 0xA76), (0xA85, 0xAFF), (0xB05, 0xB77), (0xB85, 0xBFA)),
    *((0xC05, 0xC7F), (0xC85, 0xCF2), (0xD05, 0xD7F), (0xD85, 0xDF4), (0xE01, 0xE5B), (0xE81, 0xEDF), (0xF00, 0xFDA)),
    *((0x1000, 0x109F), (0x10A0, 0x10FF), (0x1100, 0x11FF), (0x1200, 0x137C), (0x13A0, 0x13FD), (0x1780, 0x17F9)),
    *((0x1820, 0x1878), (0x3041, 0x309F), (0x30A0, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xFF00, 0xFFEF)),
    *(
        (0xFB00, 0xFB4F),
        (0xFE70, 0xFEFC),
        (0x10330, 0x1034A),
        (0x12000, 0x12399),
        (0x1D400, 0x1D7FF),
        (0x20000, 0x2A6DF),
    ),
)
MARKS = (
    (0x300, 0x36F),
    (0x591, 0x5BD),
    (0x64B, 0x65F),
    (0x93A, 0x94D),
    (0xE31, 0xE4E),
    (0x1AB0, 0x1ACE),
    (0x20D0, 0x20F0),
)
# Where a script's digits begin; ten follow one another.
ZEROS = (
    *(0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0),
    *(0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620),
    *(0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0),
    *(0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0, 0x11F50),
    *(0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E950),
    0x1FBF0,
)
NUMERALS = "²³¹⁰₉½¼¾⅓Ⅷⅷ①⑳㉑㊿〇一百௰૧"
WHITE = [*" \t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u180e\u2028\u2029\u202f\u205f\u3000\u200b\u2060\ufeff"]
WHITE += map(chr, range(0x2000, 0x200B))
EMOJI = (
    *("👨\u200d👩\u200d👧", "🏳️\u200d🌈", "🧑🏽\u200d🚀", "👍🏿", "❤️", "❤", "1️⃣", "🇧🇷", "🇺🇳🇪", "🚀", "⁉️", "☺︎"),
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
)
WORDS = (
    *(
        "the",
        "The",
        "THE",
        "quick",
        "brown",
        "fox's",
        "jumps",
        "can't",
        "I'M",
        "you'll",
        "we’ve",
        "over",
        "don't",
        "naïve",
    ),
    *("São", "İstanbul", "Straße", "ΌΣΟΣ", "ﬁne", "never.Ever", "e-mail", "U.S.A.", "state-of-the-art", "snake_case"),
    *("camelCase", "http://a.b/c?d=e&f=%20", "a@b.co"),
)
CODE = (
    *(
        "def f(x: int) -> str:",
        "\treturn f'{x!r:>8}'",
        "    if a<=b&&c!=d||!e{",
        "};",
        "for(i=0;i<n;++i)a[i]=~b[i]>>3;",
    ),
    *('<p class="x">&amp;</p>', "SELECT * FROM t WHERE a='b';", "#include <stdio.h>", "λ x → x ∘ f", "\\frac{1}{2}$"),
)
DISPLAY = (
    *("Ġ", "Ċ", "ĉ", "▁", "▁▁", "##", "##ing", "</w>", "<0x41>", "<0xE2>", "<unk>", "[UNK]", "Ã©", "\ufffd"),
    "\ufffd\ufffd",
)
NEIGHBOURS = (
    *("", "", " ", "  ", "a", "Z", "_", "9", "\n", "'", "-", "\u0301", "\u200d", "\u200b", "é", "漢", "▁", "\x00"),
)


def character(random: Random, ranges: Sequence[tuple[int, int]]) -> str:
    """One character of one of the stretches."""
    return chr(random.randint(*random.choice(ranges)))


def some(random: Random, make: Callable[[], str], most: int = 8, between: str = "") -> str:
    """One to `most` things in a row."""
    return between.join(make() for _ in range(random.randint(1, most)))


def script(random: Random) -> str:
    stretch = [random.choice(SCRIPTS)]
    return some(random, lambda: some(random, lambda: character(random, stretch)), 5, " ")


def combining(random: Random) -> str:
    def cluster() -> str:
        return character(random, SCRIPTS) + some(random, lambda: character(random, MARKS), 3)

    return some(random, cluster) + random.choice(("", "e\u0301", "a\u0323\u0307", "\u1100\u1161\u11a8", "각", "ﬃ", "ǆ"))


def emoji(random: Random) -> str:
    return some(random, lambda: random.choice((*EMOJI, "\u200d", "\ufe0f", " ", "🏽")))


def white_space(random: Random) -> str:
    def run() -> str:
        return some(random, lambda: random.choice(WHITE), 4) + random.choice(("", "a", " b", ".", "9"))

    return some(random, run) + " " * random.randint(0, 20)


def line_ends(random: Random) -> str:
    return some(
        random, lambda: random.choice(("a", "", "b.", " ", "if x:")) + random.choice(("\r\n", "\n", "\r", "\n\n"))
    )


def controls(random: Random) -> str:
    places = ((0, 0), (0, 31), (127, 159), (0xAD, 0xAD), (0x200B, 0x200F), (0x202A, 0x202E), (0xFFF9, 0xFFFB))
    return some(random, lambda: random.choice(("", "a", " ")) + character(random, places))


def private_use(random: Random) -> str:
    places = ((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD))
    return some(random, lambda: random.choice(("", "a", " ")) + character(random, places))


def never_assigned(random: Random) -> str:
    places = ((0x378, 0x379), (0x530, 0x530), (0x2FE0, 0x2FEF), (0xFDD0, 0xFDEF), (0xFFFE, 0xFFFF), (0x40000, 0xDFFFF))
    return some(random, lambda: random.choice(("", "a", " ")) + character(random, places))


def digits(random: Random) -> str:
    def number() -> str:
        zero: int = random.choice(ZEROS)
        return some(random, lambda: chr(zero + random.randrange(10)) + random.choice(("", "", "", ".", ",")), 9)

    between: str = random.choice(("", " ", "-", "/"))
    last: str = random.choice(("", *NUMERALS))
    return some(random, number, 4, between) + last


def words(random: Random) -> str:
    return some(
        random, lambda: random.choice(WORDS) + random.choice(("", "", ",", ".", "?!", "…", "'s", "’S")), 12, " "
    )


def code(random: Random) -> str:
    return some(random, lambda: random.choice(("", "  ", "\t", " " * 8)) + random.choice(CODE), 5, "\n")


def json_text(random: Random) -> str:
    value: object = [random.randint(-9, 10**6), None, random.random()]
    for _ in range(random.randint(1, 4)):
        value = random.choice(([value], {words(random): value, "é\n": True}, [value, emoji(random)]))
    return json.dumps(value, ensure_ascii=random.random() < 0.5, indent=random.choice((None, None, 2)))


def repeated(random: Random) -> str:
    return random.choice(("a", "=", "_", "ab", "é", "漢", " ", "'", "🚀", "\n", "-", ".")) * random.randint(2, 150)


def display(random: Random) -> str:
    return some(random, lambda: random.choice((*DISPLAY, " ", "a")))


def anything(random: Random) -> str:
    scalars = ((0, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF), (0, 0x2FFF))
    return some(random, lambda: character(random, scalars), 10)


KINDS: Mapping[str, Kind] = {
    "words and contractions": words,
    "scripts": script,
    "combining marks": combining,
    "emoji sequences": emoji,
    "white space": white_space,
    "line ends": line_ends,
    "control characters": controls,
    "private use": private_use,
    "never assigned": never_assigned,
    "digits of all scripts": digits,
    "code": code,
    "JSON": json_text,
    "repetitions": repeated,
    "a tokenizer's own marks": display,
    "any character": anything,
}


def added_tokens_kind(contents: Sequence[str]) -> Kind:
    """A kind of text: added tokens with neighbours of every sort, some cut short or written otherwise."""

    def near_miss(random: Random) -> str:
        content: str = random.choice(contents)
        change = random.randrange(6)
        if change == 0:
            return content[: random.randint(0, len(content))]
        if change == 1:
            content = random.choice((content.upper(), content.lower(), content.title()))
        return content

    def make(random: Random) -> str:
        def piece() -> str:
            return random.choice(NEIGHBOURS) + near_miss(random) + random.choice(NEIGHBOURS)

        return some(random, piece)

    return make


def tokens_kind(strings: Sequence[str]) -> Kind:
    """A kind of text: entries of a vocabulary in a row, so that its merges and scores are put to use."""

    def make(random: Random) -> str:
        return some(random, lambda: random.choice(strings), 30, random.choice(("", "", " ")))

    return make


def texts_for(tokenizer: Tokenizer, seed: int, count: int) -> Iterator[str]:
    """`count` texts for one tokenizer: all kinds, its added tokens and its vocabulary among them."""
    ids = range(tokenizer.id_limit)
    sample = Random(seed).sample(ids, min(len(ids), SAMPLED_TOKENS))
    strings = sorted({text for id in sample if (text := tokenizer.decode([id]))})
    added = [token.content for token in tokenizer.added_tokens.values()]
    return generated_texts(seed, count, added, strings)


def generated_texts(seed: int, count: int, added: Sequence[str] = (), tokens: Sequence[str] = ()) -> Iterator[str]:
    """`count` texts, the same for the same arguments: each kind alone, then mixtures.

    >>> list(generated_texts(1, 50, ["<s>"])) == list(generated_texts(1, 50, ["<s>"]))
    True
    >>> len(set(generated_texts(1, 50)))
    50

    `added`: contents of a tokenizer's added tokens; `tokens`: texts of some of its other tokens.
    """
    random = Random(seed)
    contents = [content for content in added if content]
    kinds = list(KINDS.values())
    kinds += [added_tokens_kind(contents)] if contents else []
    kinds += [tokens_kind(tokens)] if tokens else []

    def endless() -> Iterator[str]:
        for kind in kinds:
            yield kind(random)
        while True:
            yield random.choice(("", "", " ")).join(random.choice(kinds)(random) for _ in range(random.randint(1, 4)))

    return islice(endless(), max(count, 0))
