r"""The formats that can be enforced, as expressions over the decoded value.

>>> spelled(FORMATS["uuid"]) == "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
True

Each is as narrow as its RFC and in places narrower (docs/schema.md says where): all that comes through is valid.
"""

from __future__ import annotations

from tokcore.schema.expr import Expr, chars, choice, literal, optional, repeat, seq, spelled

__all__ = ["FORMATS", "OTHER_FORMATS", "spelled"]

_DIGIT = chars("0-9")
_HEX = chars("0-9A-Fa-f")
_HYPHEN, _COLON, _DOT = literal("-"), literal(":"), literal(".")


def _digits(count: int) -> Expr:
    return repeat(_DIGIT, count, count)


def _words(text: str) -> Expr:
    return choice(*map(literal, text.split()))


# ---- RFC 3339, without leap seconds and without the year 0000

_FOUR_DIGITS_NOT_ZERO = choice(
    seq(chars("1-9"), _digits(3)),
    seq(literal("0"), chars("1-9"), _digits(2)),
    seq(literal("00"), chars("1-9"), _DIGIT),
    seq(literal("000"), chars("1-9")),
)
_TWO_DIGITS_DIVISIBLE_BY_4_NOT_ZERO = choice(
    seq(literal("0"), chars("48")), seq(chars("2468"), chars("048")), seq(chars("13579"), chars("26"))
)
_LEAP_YEAR = choice(
    seq(_digits(2), _TWO_DIGITS_DIVISIBLE_BY_4_NOT_ZERO), seq(_TWO_DIGITS_DIVISIBLE_BY_4_NOT_ZERO, literal("00"))
)
_TO_28 = choice(seq(literal("0"), chars("1-9")), seq(literal("1"), _DIGIT), seq(literal("2"), chars("0-8")))
_MONTH_AND_DAY = choice(
    seq(choice(seq(literal("0"), chars("1-9")), seq(literal("1"), chars("0-2"))), _HYPHEN, _TO_28),
    seq(choice(seq(literal("0"), chars("13-9")), seq(literal("1"), chars("0-2"))), _HYPHEN, _words("29 30")),
    seq(choice(seq(literal("0"), chars("13578")), seq(literal("1"), chars("02"))), literal("-31")),
)
DATE = choice(seq(_FOUR_DIGITS_NOT_ZERO, _HYPHEN, _MONTH_AND_DAY), seq(_LEAP_YEAR, literal("-02-29")))

_HOUR = choice(seq(chars("01"), _DIGIT), seq(literal("2"), chars("0-3")))
_TO_59 = seq(chars("0-5"), _DIGIT)
_OFFSET = choice(literal("Z"), seq(chars("+-"), _HOUR, _COLON, _TO_59))
TIME = seq(_HOUR, _COLON, _TO_59, _COLON, _TO_59, optional(seq(_DOT, repeat(_DIGIT, 1, 9))), _OFFSET)
DATE_TIME = seq(DATE, literal("T"), TIME)

# ---- RFC 4122

UUID = seq(*(each for count in (8, 4, 4, 4) for each in (repeat(_HEX, count, count), _HYPHEN)), repeat(_HEX, 12, 12))

# ---- hosts and mail

_LETTER_OR_DIGIT = chars("0-9A-Za-z")
_LABEL = seq(_LETTER_OR_DIGIT, optional(seq(repeat(chars("0-9A-Za-z-"), 0, 60), _LETTER_OR_DIGIT)))
# Four labels are at most 251 characters: the whole is never over 253.
HOSTNAME = seq(_LABEL, repeat(seq(_DOT, _LABEL), 0, 3))
_ATOM = repeat(chars("0-9A-Za-z!#$%&'*+/=?^_`{|}~-"), 1, 20)
# Three atoms are at most 62 characters, under the 64 of a local part.
EMAIL = seq(_ATOM, repeat(seq(_DOT, _ATOM), 0, 2), literal("@"), _LABEL, repeat(seq(_DOT, _LABEL), 1, 3))

_BYTE = choice(
    seq(literal("25"), chars("0-5")),
    seq(literal("2"), chars("0-4"), _DIGIT),
    seq(literal("1"), _digits(2)),
    seq(chars("1-9"), _DIGIT),
    _DIGIT,
)
IPV4 = seq(_BYTE, repeat(seq(_DOT, _BYTE), 3, 3))

_GROUP = repeat(_HEX, 1, 4)
_GROUP_COLON, _COLON_GROUP = seq(_GROUP, _COLON), seq(_COLON, _GROUP)


def _ipv6() -> Expr:
    """RFC 4291: eight groups, the last two perhaps as an IPv4 address, one run of zeros perhaps as '::'."""
    whole = [seq(repeat(_GROUP_COLON, 7, 7), _GROUP), seq(repeat(_GROUP_COLON, 6, 6), IPV4)]
    for before in range(8):
        head = seq(_GROUP, repeat(_COLON_GROUP, before - 1, before - 1)) if before else literal("")
        # '::' stands for at least one group.
        after = 7 - before
        tails: list[Expr] = [literal("")]
        if after >= 1:
            tails.append(seq(_GROUP, repeat(_COLON_GROUP, 0, after - 1)))
        if after >= 2:
            tails.append(seq(repeat(_GROUP_COLON, 0, after - 2), IPV4))
        whole.append(seq(head, literal("::"), choice(*tails)))
    return choice(*whole)


IPV6 = _ipv6()

# ---- RFC 3986: scheme, authority or path, query, fragment; a host is a name or an IPv4 address

_PLAIN = "0-9A-Za-z._~!$&'()*+,;="
_ENCODED = seq(literal("%"), _HEX, _HEX)


def _run(members: str, low: int = 0) -> Expr:
    return repeat(choice(chars(members + "-"), _ENCODED), low)


_SEGMENTS = repeat(seq(literal("/"), _run(_PLAIN + ":@")))
_AUTHORITY = seq(
    optional(seq(_run(_PLAIN + ":"), literal("@"))), _run(_PLAIN, 1), optional(seq(_COLON, repeat(_DIGIT, 0, 5)))
)
URI = seq(
    *(chars("A-Za-z"), repeat(chars("0-9A-Za-z+.-")), _COLON),
    choice(
        seq(literal("//"), choice(seq(_AUTHORITY, _SEGMENTS), seq(literal("/"), _run(_PLAIN + ":@", 1), _SEGMENTS))),
        seq(literal("/"), optional(seq(_run(_PLAIN + ":@", 1), _SEGMENTS))),
        seq(_run(_PLAIN + ":@", 1), _SEGMENTS),
    ),
    optional(seq(literal("?"), _run(_PLAIN + ":@/?"))),
    optional(seq(literal("#"), _run(_PLAIN + ":@/?"))),
)

FORMATS: dict[str, Expr] = {
    **{"date": DATE, "time": TIME, "date-time": DATE_TIME, "uuid": UUID, "email": EMAIL, "hostname": HOSTNAME},
    **{"ipv4": IPV4, "ipv6": IPV6, "uri": URI},
}
# Of OpenAPI: bounds of an integer (None: says nothing about which values are valid).
OTHER_FORMATS: dict[str, tuple[int, int] | None] = {
    **{"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)},
    **{"float": None, "double": None, "password": None},
}
