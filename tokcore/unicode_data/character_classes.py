r"""The reference's classes of characters, written for `tokcore.patterns` (which sees Unicode 16).

>>> from tokcore.patterns import compile_pattern
>>> compile_pattern(PUNCTUATION).spans("a-b"), compile_pattern(NUMERIC).spans("a½b")
([(1, 2)], [(1, 2)])

Made by tests/tools/make_pretokenizer_tables.py from tokenizers 0.23.3; do not edit.
"""

# Rust's char::is_numeric: Unicode 17.
NUMERIC = (
    r"[\p{N}"
    r"\x{11DE0}-\x{11DE9}\x{16FF4}-\x{16FF6}"
    r"]"
)

# ASCII's and an old Unicode's.
PUNCTUATION = (
    r"[\p{P}$+<=>^`|~"
    r"\x{166D}\x{111C9}"
    r"&&[^"
    r"\x{61D}\x{9FD}\x{A76}\x{C77}\x{C84}\x{1B4E}-\x{1B4F}\x{1B7D}-\x{1B7F}\x{2E43}-\x{2E4F}\x{2E52}-\x{2E5D}"
    r"\x{10D6E}\x{10EAD}\x{10F55}-\x{10F59}\x{10F86}-\x{10F89}\x{113D4}-\x{113D5}\x{113D7}-\x{113D8}"
    r"\x{1144B}-\x{1144F}\x{1145A}-\x{1145B}\x{1145D}\x{11660}-\x{1166C}\x{116B9}\x{1183B}\x{11944}-\x{11946}"
    r"\x{119E2}\x{11A3F}-\x{11A46}\x{11A9A}-\x{11A9C}\x{11A9E}-\x{11AA2}\x{11B00}-\x{11B09}\x{11BE1}"
    r"\x{11C41}-\x{11C45}\x{11C70}-\x{11C71}\x{11EF7}-\x{11EF8}\x{11F43}-\x{11F4F}\x{11FFF}\x{12FF1}-\x{12FF2}"
    r"\x{16D6D}-\x{16D6F}\x{16E97}-\x{16E9A}\x{16FE2}\x{1E5FF}\x{1E95E}-\x{1E95F}"
    r"]"
    r"]"
)
