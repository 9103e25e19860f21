"""Rules about texts, tool calls and usage."""

from __future__ import annotations

from tokcore.deltas.rule import Rule, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

RULES = (
    # ---- text
    Rule(
        "reasoning-with-content",
        _W,
        "Reasoning and content come in one delta.",
        "Clients that look at one of the two lose the other (vllm-project/vllm#43933).",
        "send two deltas, the reasoning first",
    ),
    Rule(
        "reasoning-after-content",
        _W,
        "Reasoning comes after the answer has begun.",
        "Clients that close the reasoning block at the first content open a second one, or show it as answer.",
        "check the reasoning parser: quoted think tags are content",
    ),
    Rule(
        "markup-whole",
        _W,
        "A whole tag of the model's markup stands in the text.",
        "Whoever reads it; a call in there is not run.",
        "switch the server's reasoning and tool parser on, or skip special tokens",
    ),
    Rule(
        "markup-split",
        _W,
        "A tag of the model's markup is cut over several deltas.",
        "The parser looked at each delta alone; a client sees the tag put together.",
        "hold back what may become a tag until it is known",
    ),
    Rule(
        "markup-half",
        _W,
        "The beginning of a tag is left in the text.",
        "Whoever reads it; the rest of the tag was taken by the parser.",
        "hold back what may become a tag, and drop it with the tag",
    ),
    Rule(
        "stop-in-content",
        _W,
        "A stop string stands at the end of the content.",
        "Clients that expect it cut off (right where the server was told to include it).",
        "hold back what may become a stop string",
    ),
    Rule(
        "text-after-stop",
        _E,
        "The content goes on after a stop string.",
        "Everyone: the server did not see the stop, often as it was cut over two deltas.",
        "search the stops in the whole text, not in each delta",
    ),
    Rule(
        "replacement-character",
        _W,
        "U+FFFD several times where deltas meet: a character cut in pieces.",
        "Whoever reads it: the character is lost for good.",
        "hold back the bytes of a character until all are there",
    ),
    Rule(
        "lone-surrogate",
        _E,
        "Text holds half of a surrogate pair.",
        "Python raises UnicodeEncodeError when it is printed or sent; others show U+FFFD.",
        "cut strings between characters, not between UTF-16 units",
    ),
    # ---- calls
    Rule(
        "call-shape",
        _E,
        "tool_calls is no list of objects with a function.",
        "OpenAI's Python client raises.",
        "send a list of objects with index, id, type and function",
    ),
    Rule(
        "call-index-missing",
        _E,
        "A call has no index, or one that is no whole number from 0.",
        "OpenAI's Python client raises where it is missing (openai/openai-python#2806); others mix the calls.",
        "number the calls of an answer from 0, in every delta",
    ),
    Rule(
        "call-index-jump",
        _E,
        "The index of a new call leaves numbers out.",
        "OpenAI's Python client raises an IndexError, or has each piece as a call of its own.",
        "number the calls of an answer from 0 without gaps",
    ),
    Rule(
        "call-index-repeated",
        _E,
        "A second call begins under an index that is taken.",
        "Clients append its name and arguments to the first call's.",
        "give each call its own index",
    ),
    Rule(
        "call-id-changes",
        _E,
        "The id of a call changes.",
        "Clients append or replace it: the result of the call is refused as unknown.",
        "make the id once and send it in the call's first delta",
    ),
    Rule(
        "call-id-repeated",
        _W,
        "The id of a call is sent again.",
        "OpenAI's Python client appends it, so that the id is there twice.",
        "send the id in the call's first delta only",
    ),
    Rule(
        "call-id-missing",
        _E,
        "The first delta of a call has no id.",
        "Clients need it to send the result back; some take the delta for a piece of the call before.",
        "send the id with the call's first delta",
    ),
    Rule(
        "call-name-missing",
        _E,
        "A call has no function name.",
        "No client can run it.",
        "send the name with the call's first delta",
    ),
    Rule(
        "call-name-late",
        _W,
        "The name of a call comes after its arguments have begun.",
        "Clients that announce a call at its first delta have no name to show.",
        "hold the arguments until the name is known",
    ),
    Rule(
        "call-name-repeated",
        _E,
        "The name of a call is sent again.",
        "OpenAI's Python client appends it: get_weatherget_weather is no function.",
        "send the name once",
    ),
    Rule(
        "arguments-null",
        _W,
        "The arguments of a call are null.",
        "Clients that append without asking: TypeError in Python, the word null in JavaScript.",
        "leave arguments out, or send an empty string",
    ),
    Rule(
        "arguments-type",
        _E,
        "The arguments of a call are no string.",
        "Clients append arguments as text; an object is passed over or raises.",
        "send the JSON of the arguments as a string",
    ),
    Rule(
        "arguments-not-json",
        _E,
        "The arguments of a call are not JSON when it ends.",
        "The call cannot be run: json.loads raises.",
        "check the tool parser; a call without arguments has {}",
    ),
    Rule(
        "arguments-not-object",
        _W,
        "The arguments of a call are JSON, but no object.",
        "Clients that pass them by name; a string here is often JSON encoded twice.",
        "send one JSON object",
    ),
    # ---- usage
    Rule(
        "usage-sum",
        _W,
        "prompt_tokens and completion_tokens do not add up to total_tokens.",
        "Whoever bills or budgets by them.",
        "count reasoning tokens among the completion's",
    ),
    Rule(
        "usage-shape",
        _W,
        "usage is no object with whole numbers from 0.",
        "Whoever adds them up.",
        "send prompt_tokens, completion_tokens and total_tokens as numbers",
    ),
    Rule(
        "usage-missing",
        _W,
        "The last chunk has no choices, and no usage either.",
        "Clients that asked for the usage get none.",
        "send usage in the chunk whose choices are []",
    ),
    Rule(
        "usage-early",
        _W,
        "usage comes before the last chunk, which has none.",
        "OpenAI's Python client keeps the last chunk's: it has none.",
        "send usage in the last chunk, or in every one",
    ),
)
