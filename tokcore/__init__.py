"""The text boundary of language models: text to tokens, tokens to text, every stage in sight.

>>> from tokcore import bytes_to_unicode
>>> bytes_to_unicode()[32]
'Ġ'

Code in this package does no network access, reads no environment and no clock; files are read by the loaders only.
"""

from tokcore.added_tokens import AddedMatch, AddedToken
from tokcore.bytemap import bytes_to_unicode, unicode_to_bytes
from tokcore.errors import TokcoreError
from tokcore.pipeline import Tokenizer
from tokcore.spans import AlignedText, Span
from tokcore.tokens import Encoding, Origin, Token
from tokcore.trace import Trace

__all__ = [
    "AddedMatch",
    "AddedToken",
    "AlignedText",
    "Encoding",
    "Origin",
    "Span",
    "TokcoreError",
    "Token",
    "Tokenizer",
    "Trace",
    "bytes_to_unicode",
    "unicode_to_bytes",
]
