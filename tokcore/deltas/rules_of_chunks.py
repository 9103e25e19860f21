"""Rules about the log, its chunks and how a choice begins and finishes."""

from __future__ import annotations

from tokcore.deltas.rule import Rule, Severity

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

RULES = (
    # ---- the log
    Rule(
        "broken-json",
        _E,
        "The data of an event is not JSON.",
        "Every client: the reader raises and the stream ends there (NaN, which Python takes, ends it in JavaScript).",
        "write one JSON object in each event, escaped by a JSON library",
    ),
    Rule(
        "cut-off",
        _W,
        "The log ends inside an event.",
        "Every client: the connection broke, or the copy is not whole.",
        "copy the log to its end, or look for a timeout between server and client",
    ),
    Rule(
        "joined-events",
        _E,
        "Two events have no empty line between them.",
        "Clients that follow the event-stream format join both to one text, which is not JSON, and raise.",
        "end each event with an empty line",
    ),
    Rule(
        "stray-line",
        _N,
        "A line is neither a field, nor a comment, nor JSON.",
        "Nobody: clients pass it over, and what it says is lost.",
        "send it as a comment (a colon first), or not at all",
    ),
    Rule(
        "not-a-chunk",
        _E,
        "An event is JSON, but no chat completion chunk.",
        "Clients of chat completions find no choices in it.",
        "ask the endpoint of chat completions with stream set to true",
    ),
    Rule(
        "error-object",
        _E,
        "The stream holds an error object.",
        "OpenAI's clients raise an APIError there; others end as if the answer were whole.",
        "read its message; the answer before it is not complete",
    ),
    Rule(
        "done-missing",
        _W,
        "No [DONE] follows the last chunk.",
        "Clients that wait for it hang until the connection closes, or report a broken stream.",
        "send data: [DONE] and an empty line after the last chunk",
    ),
    Rule(
        "after-done",
        _E,
        "The answer goes on after [DONE].",
        "Every client: reading stops at [DONE].",
        "send [DONE] last, after the usage",
    ),
    # ---- the chunk
    Rule(
        "object-wrong",
        _E,
        "`object` is not chat.completion.chunk.",
        "The stream helper of OpenAI's Python client passes such a chunk over.",
        "set object to chat.completion.chunk in every chunk",
    ),
    Rule(
        "choices-missing",
        _E,
        "A chunk has no list of choices.",
        "Clients that loop over choices raise; LangChain had a KeyError here.",
        "send choices in every chunk, [] where there is none",
    ),
    Rule(
        "choice-index",
        _E,
        "A choice has no index, or one that is no whole number from 0.",
        "Clients that sort choices by index raise or mix them.",
        "number the choices from 0",
    ),
    Rule(
        "delta-missing",
        _E,
        "A choice has no delta object.",
        "OpenAI's Python client raises an AttributeError.",
        "send the new part as delta, {} where there is none",
    ),
    Rule(
        "id-changes",
        _W,
        "The id of the answer changes in its middle.",
        "Clients that tell answers apart by id show several messages.",
        "make one id for each answer and send it in every chunk",
    ),
    Rule(
        "model-changes",
        _N,
        "The model's name changes in the middle of an answer.",
        "Logs and bills that take the name from one chunk.",
        "send the same name in every chunk",
    ),
    Rule(
        "created-changes",
        _N,
        "`created` changes in the middle of an answer.",
        "Few: OpenAI promises one time for all chunks, many servers send the time of each.",
        "take the time once, when the answer begins",
    ),
    Rule(
        "empty-chunk",
        _N,
        "A chunk brings nothing: no text, no call, no reason to finish, no usage.",
        "Nobody; a client that measures the time to the first token counts it.",
        "do not send it; to keep a connection open send a comment",
    ),
    # ---- the choice
    Rule(
        "role-missing",
        _W,
        "The first delta of a choice has no role.",
        "The put-together message has no role, or gets it late: sent back as history it is refused.",
        "send role assistant in the first delta of each choice",
    ),
    Rule(
        "role-repeated",
        _W,
        "The role is sent more than once.",
        "OpenAI's Python client appends it: the message's role becomes assistantassistant (ollama/ollama#7626).",
        "send the role in the first delta only",
    ),
    Rule(
        "text-type",
        _E,
        "Content, reasoning or refusal is neither a string nor null.",
        "Clients that append text raise; lists of parts are not part of this format.",
        "send plain strings in deltas",
    ),
    Rule(
        "content-null",
        _N,
        "Content is null, with nothing beside it, after text has come.",
        "Clients that append without asking: TypeError in Python, the word null in JavaScript.",
        "leave content out where there is none",
    ),
    Rule(
        "finish-missing",
        _E,
        "A choice has no finish_reason.",
        "Clients cannot tell a whole answer from a broken one; some wait, some retry.",
        "send finish_reason in the last chunk of each choice",
    ),
    Rule(
        "finish-twice",
        _W,
        "A choice has two finish_reasons.",
        "Clients that act at the first one run a call twice or miss the rest.",
        "send finish_reason once, with or after the last delta",
    ),
    Rule(
        "after-finish",
        _E,
        "Text or a call comes after finish_reason.",
        "Clients that stop at finish_reason lose it.",
        "release everything held before finish_reason is sent",
    ),
    Rule(
        "finish-without-calls",
        _E,
        "finish_reason is tool_calls, and there is no call.",
        "Agents wait for a call to run, or loop.",
        "send the calls as tool_calls, or stop as the reason",
    ),
    Rule(
        "calls-without-finish",
        _W,
        "There are calls, and finish_reason is stop.",
        "Agents that look at finish_reason do not run the calls (OpenAI itself does this for a forced function).",
        "send tool_calls as the reason where the answer holds calls",
    ),
)
