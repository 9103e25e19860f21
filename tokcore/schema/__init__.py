r"""JSON Schema → pattern → which tokens may come next.

>>> json_schema_to_regex({"type": "array", "items": {"type": "boolean"}, "maxItems": 2})
'\\[(?:(?:true|false)(?:, ?(?:true|false))?)?\\]'

The way: `parse` reads a schema into nodes, `layout` writes nodes as expressions over the JSON text, `expr` spells
those as a pattern, `terms` and `automaton` walk them byte by byte, `mask` does so with the tokens of a vocabulary.
docs/schema.md lists every keyword with what is done about it.
"""

from tokcore.schema.automaton import Automaton, State
from tokcore.schema.counterexample import Counterexample, counterexample
from tokcore.schema.errors import NotAllowed, SchemaError, SchemaTooLarge
from tokcore.schema.ledger import KEYWORDS, KeywordUse, Verdict
from tokcore.schema.mask import Allowed, Refusal, TokenMask
from tokcore.schema.pattern import RegexPart, SchemaPattern, compile_schema, json_schema_to_regex
from tokcore.schema.sampling import Forced, forced, sample
from tokcore.schema.tools import compile_tool_call, tool_call_pattern
from tokcore.schema.vocabulary import Vocabulary

__all__ = [
    "KEYWORDS",
    "Allowed",
    "Automaton",
    "Counterexample",
    "Forced",
    "KeywordUse",
    "NotAllowed",
    "Refusal",
    "RegexPart",
    "SchemaError",
    "SchemaPattern",
    "SchemaTooLarge",
    "State",
    "TokenMask",
    "Verdict",
    "Vocabulary",
    "compile_schema",
    "compile_tool_call",
    "counterexample",
    "forced",
    "json_schema_to_regex",
    "sample",
    "tool_call_pattern",
]
