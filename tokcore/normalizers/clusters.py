"""Grapheme clusters of more than one character, as the reference's Unicode has them."""

from __future__ import annotations

import re

from tokcore.normalizers.charsets import one_of
from tokcore.unicode_data import graphemes as g

ZWJ = "\u200d"
EXTEND, LINKER, CONSONANT, PICTOGRAPH = map(one_of, (g.EXTEND, g.LINKER, g.CONSONANT, g.EXTENDED_PICTOGRAPHIC))
JOINING = one_of(g.EXTEND + g.SPACING_MARK + ZWJ)
PREPENDED = one_of(g.PREPEND)
WITHOUT_FINAL = "".join(map(chr, range(0xAC00, 0xD7A4, 28)))
L, V, T = map(one_of, (g.HANGUL_L, g.HANGUL_V, g.HANGUL_T))
HANGUL = f"{L}*(?:{V}+|[{WITHOUT_FINAL}]{V}*|[가-힣]){T}*|{L}+|{T}+"
EMOJI = f"{PICTOGRAPH}(?:{EXTEND}*+{ZWJ}{PICTOGRAPH})+"
# Possessive: a run of marks that no consonant ends must not be cut up in every way.
CONJUNCT_MARK = f"(?:{ZWJ}|(?!\u200c){EXTEND})"
CONJUNCT = f"{CONSONANT}(?:(?:(?!{LINKER}){CONJUNCT_MARK})*+{LINKER}{CONJUNCT_MARK}*+{CONSONANT})+"
BASE = f"(?!{one_of(g.CONTROL)})(?s:.)"
CRLF = re.compile("\r\n")
CLUSTER = re.compile(
    "\r\n"
    f"|{PREPENDED}+(?:{HANGUL}|{EMOJI}|{CONJUNCT}|{BASE})?{JOINING}*"
    f"|(?:{HANGUL}|{EMOJI}|{CONJUNCT}){JOINING}*"
    f"|{BASE}{JOINING}+"
)
# In less than six bytes: a mark behind a character of one or two bytes, a mark of two, what follows a prepended sign.
SUSPECT = re.compile(f"{JOINING}(?:(?<=[\0-\u07ff](?s:.))|(?<=[\u0080-\u07ff]))|{PREPENDED}")
LONGEST_SHORT = 5


def cluster_pattern(text: str) -> re.Pattern[str]:
    r"""A pattern that finds the short clusters of several characters in this text, and others.

    >>> cluster_pattern("a\u0323!").findall("a\u0323!") == ["a\u0323"]
    True

    Of clusters without a suspect only CR LF is short.
    """
    return CRLF if text.isascii() or SUSPECT.search(text) is None else CLUSTER


def short_clusters(text: str) -> set[str]:
    r"""The clusters of more than one character and at most five bytes that occur in a text.

    >>> short_clusters("a\u0323!\r\n中\u3099") == {"a\u0323", "\r\n"}
    True
    """
    return {
        cluster
        for cluster in set(cluster_pattern(text).findall(text))
        if len(cluster) > 1 and len(cluster.encode()) <= LONGEST_SHORT
    }
