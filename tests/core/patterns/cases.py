"""Patterns and texts that the tests of this folder share."""

from __future__ import annotations

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN3 = LLAMA3.replace("{1,3}", "")
QWEN35 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
DEEPSEEK = (
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+"
)
DEEPSEEK_HAN = "[一-龥\u3040-ゟ゠-ヿ]+"
_CASED = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_CAPITAL = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
O200K = rf"{_CASED}|{_CAPITAL}|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"

PUBLISHED = {
    "gpt2": GPT2,
    "llama3": LLAMA3,
    "qwen3": QWEN3,
    "qwen3.5": QWEN35,
    "deepseek": DEEPSEEK,
    "deepseek-han": DEEPSEEK_HAN,
    "o200k": O200K,
    "digits": r"\p{N}{1,3}",
    "each-digit": r"\p{Nd}",
    "bloom": r" ?[^(\s|[.,!?…。，、।۔،])]+",
    "bert-words": r"\w+|[^\w\s]+",
    "clip": r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+",
    "scripts": r"[\p{Han}\p{Hiragana}\p{Katakana}]+|\p{Latin}+|\p{Cyrillic}+",
}

NASTY = (
    *("a*", "|a", "a|(?=c)", r"\K", r"a\Kb", r"\Ga|b", "^", "$", r"\Z", r"^.*$", r"\b", r"\B", r"(?m).", r"\R|\N"),
    *(
        r"[[:punct:]]+",
        r"[[:word:]]+",
        r"[^[:alpha:]\s]+",
        r"[\p{L}&&[^a-zß]]+",
        r"[^a-c&&b-d]",
        r"\h+",
    ),
    *(r"(?i)straße|ﬁ|[k-s]", r"(?i)[^\p{Lu}]+", r"(?i)\p{Lu}+", r"(a|b)\1", r"(?<c>\w)\k<c>", r"(s)?(?(1)s|a)"),
    *("a{,2}", "a{2}?b", "a{3,1}", "a{1,2}+a", "a+?*", "a??*b", "(?>a+|b)b", r"(?<=a|ss)\S", r"(?<![a-s])s", r"\s+$"),
    *(r"(?x) a \s # comment", "a(?i)b|s", r"[\x{61}-\u0063\xc3\xa9]+", r"\P{^Ll}+", r"\p{^Zs}+", r"\p{Cn}|\W"),
)

TEXT_PIECES = (
    *(
        "a",
        "b",
        "c",
        "s",
        "S",
        "ſ",
        "ss",
        "ß",
        "ẞ",
        "k",
        "\u212a",
        "ﬁ",
        "ﬀ",
        "İ",
        "'s",
        "'Re",
        "straSSe",
        "1",
        "23",
        "²",
        "½",
        "Ⅷ",
    ),
    *(
        " ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "\x0b",
        "\x1c",
        "\x85",
        "\xa0",
        "\u2028",
        "\u3000",
        ".",
        "-",
        "$",
        "_",
        "‿",
        "é",
        "e\u0301",
    ),
    *(
        "漢",
        "龥",
        "ひ",
        "カ",
        "ー",
        "한",
        "ש",
        "ا\u064e",
        "हिन्दी",
        "ก",
        "\u200d",
        "\u200c",
        "👍🏽",
        "ʕ",
        "ǅ",
        "ʰ",
        "ª",
        "\u0378",
    ),
    *(
        "\u088f",
        "\ua7d2",
        "\u208f",
        "\U00011db0",
        "\U00018d80",
        "\U0003d000",
        "\U000323b0",
        "\U0010fffc",
        "\x00",
        "𝔘",
        "𞤀",
    ),
)
