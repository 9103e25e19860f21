"""The choices of the stream lab and their words: formats, cuts, strategies."""

from __future__ import annotations

from collections.abc import Mapping

from app.stream_input import NO_FORMAT
from tokcore.generation import STRATEGIES
from tokcore.parsing import FORMATS

FORMAT_TITLES: Mapping[str, str] = {
    "hermes": "Hermes, Qwen: <tool_call>{JSON}",
    "llama3_json": "Llama 3: bare JSON",
    "mistral": "Mistral: [TOOL_CALLS]",
    "deepseek_v3": "DeepSeek V3",
    "deepseek_v31": "DeepSeek V3.1",
    "qwen3_coder": "Qwen3-Coder: <function=…>",
    "gpt_oss": "gpt-oss: channels",
    "pythonic": "Pythonic: [f(a=1)]",
    NO_FORMAT: "No tool calls",
}
CUT_TITLES: Mapping[str, str] = {
    "one": "one token",
    "even": "k tokens",
    "random": "random",
    "bursts": "speculative bursts",
    "after": "one cut only",
    "whole": "everything at once",
}
# What the number beside the choice means.
NUMBER_TITLES: Mapping[str, str] = {
    "one": "",
    "even": "k",
    "random": "seed",
    "bursts": "seed",
    "after": "after token",
    "whole": "",
}
STRATEGY_TITLES: Mapping[str, str] = {
    "bytes": "Ours: exact",
    "per-delta": "Each delta decoded alone",
    "window": "Window trick",
    "fixed-hold": "Fixed hold-back",
    "per-delta-markers": "Markers looked for in each delta",
}
STRATEGY_WORDS: Mapping[str, str] = {
    "bytes": "Bytes of an unfinished character wait, and the longest tail that may still become a marker or a stop; "
    "nothing else.",
    "per-delta": "A character whose bytes come in two deltas is decoded twice, as � each time.",
    "window": "Decodes the last tokens with and without the new ones and waits while the text ends in �, also where "
    "� is what the model wrote.",
    "fixed-hold": "Always holds as many characters as the longest stop has, less one, whether or not a stop can begin.",
    "per-delta-markers": "A marker that is cut by a delta's end is not seen, and goes out as content.",
}


def format_options(chosen: str) -> tuple[tuple[str, str, bool], ...]:
    """(name, title, chosen) of every format the engine knows, and of none; a name stands where there is no title."""
    return tuple((name, FORMAT_TITLES.get(name, name), name == chosen) for name in (*FORMATS, NO_FORMAT))


def cut_options(chosen: str) -> tuple[tuple[str, str, str, bool], ...]:
    return tuple((name, title, NUMBER_TITLES[name], name == chosen) for name, title in CUT_TITLES.items())


def strategy_options(chosen: str) -> tuple[tuple[str, str, str, bool], ...]:
    """(name, title, what it does, chosen) of every strategy the engine knows."""
    return tuple((name, strategy_title(name), STRATEGY_WORDS.get(name, ""), name == chosen) for name in STRATEGIES)


def strategy_title(name: str) -> str:
    return STRATEGY_TITLES.get(name, name)
