"""Letters on whose lower case Python and the reference may differ.

PAIRS: (first, last, distance to the lower case), which an older Python does not know. KEPT: the inside of a character
class of letters that a newer Python lowers and the reference does not.
Made by tests/tools/make_normalizer_tables.py from tokenizers 0.23.3 and regex 2026.11.19.
"""

PAIRS = (
    (0x1C89, 0x1C89, 1),
    (0xA7CB, 0xA7CB, -42343),
    (0xA7CC, 0xA7CC, 1),
    (0xA7CE, 0xA7CE, 1),
    (0xA7D2, 0xA7D2, 1),
    (0xA7D4, 0xA7D4, 1),
    (0xA7DA, 0xA7DA, 1),
    (0xA7DC, 0xA7DC, -42561),
    (0x10D50, 0x10D65, 32),
    (0x16EA0, 0x16EB8, 27),
)
KEPT = (
    "\ua7dd\ua7e2\uab6c-\uab6d\U0001df40\U0001df48\U0001df4a\U0001df4d\U0001df51\U0001df68\U0001df6a\U0001df6c"
    "\U0001df6e\U0001df72\U0001df74\U0001df76\U0001df78\U0001df7a\U0001df7c\U0001df7e"
)
