"""Model outputs that break parsers: markers and JSON whole and in halves, tags inside strings, anything else."""

from __future__ import annotations

from hypothesis import strategies as st

from tokcore.parsing import FORMATS
from tokcore.parsing.spec import Header

WHOLE_CALLS = {
    "hermes": (
        '<tool_call>\n{"name": "f", "arguments": {"x": [1, "</tool_call>"]}}\n</tool_call>',
        '<tool_call>{"arguments": {"s": "é😀"}, "name": "g"}</tool_call>',
        '<tool_call>{"name": "f", "arguments": "{\\"s\\": \\"\\ud83d\\ude00\\"}", "id": [1.5e3]}</tool_call>',
        '<tool_call>{"name": "g", "arguments": null}',
    ),
    "llama3_json": (
        '{"name": "f", "parameters": {"x": {"y": "}"}}}',
        '{"name": "f", "parameters": {"x": 1}}; {"name": "g", "arguments": {}}',
        '<|python_tag|>{"parameters": {"a": true}, "name": "f", "type": "function"}',
        '{"name": "Bo", "age": 3}',
    ),
    "mistral": (
        '[TOOL_CALLS] [{"name": "f", "arguments": {"x": "[TOOL_CALLS]"}, "id": "abcdefghi"}, {"name": "g"}]',
        '[TOOL_CALLS]f{"x": [1]}',
        '[TOOL_CALLS]f[CALL_ID]abcdefghi[ARGS]{"x": "]"}[TOOL_CALLS]g[ARGS]{}',
        '[TOOL_CALLS]f{"x": [TOOL_CALLS]g{}',
    ),
    "deepseek_v3": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n"
        '{"x": "```"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>g\n```json\n{}\n```'
        "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ),
    "deepseek_v31": (
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"x": "é"}<｜tool▁call▁end｜>'
        "<｜tool▁call▁begin｜>g<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ),
    "qwen3_coder": (
        "<tool_call>\n<function=f>\n<parameter=s>\na</parameter>\nb\n</parameter>\n<parameter=n>\n3\n</parameter>\n"
        "</function>\n</tool_call>",
        "<function=f>\n<parameter=maybe>null</parameter></function>",
        "<tool_call><function=g></function></tool_call>",
        "<tool_call><function=f><parameter=o>{'a': 1}</parameter><parameter=s>\r\n\r\n</parameter></function>",
    ),
    "gpt_oss": (
        "<|channel|>analysis<|message|>Hm\n<|end|>",
        '<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"x": "<|call|>"}<|call|>',
        "<|start|>assistant to=functions.g<|channel|>commentary json<|message|>{}<|call|>",
        "<|channel|>final<|message|>Hi<|return|>",
        "<|start|>assistant<|channel|>commentary<|message|>I will look.<|end|>",
    ),
    "pythonic": (
        "[f(x=1, s='a\"b', ok=True, d={'k': None, 'l': [1.5, -2,],}), g()]",
        '[f(s="""it\'s\n"fine\\"""", e=\'\\ud83d\\ude00\\x41\\n\', z="")]',
        "<|python_start|>[g( n = -.5 )]<|python_end|>",
        "[f(x=[1, 2)]",
    ),
}

PIECES = (
    *(
        '{"name": "f", "arguments": ',
        '{"name": "f"',
        '"arguments"',
        '"name"',
        ', "arguments": {"a": 1}}',
        '{"x": ',
        "{}",
    ),
    *("null", "nul", "true", "fals", "12", "-", "1.5e", "01", "[", "]", "{", "}", ",", ":", ";", '"', "'", '"""'),
    *("\\", "\\u", "\\ud83d", "\\ude00", "\\n", '\\"', "\\\\", "\n", "\r\n", " ", "\t", "\x00", "\x85", "\u2028"),
    *("f(", "x=", "'a'", ")", "g()", "\r", "\n\n", "f", "x", "</", "<", "😀", "é", "𝔐", "a\u0301", "text "),
)


def fragments_of(name: str) -> list[str]:
    """A format's markers, with the tags of reasoning, and their beginnings and ends."""
    markers = {"<think>", "</think>", "[THINK]", "[/THINK]"}
    for state in FORMATS[name].states.values():
        markers.update((state.end, *state.breaks) if isinstance(state, Header) else getattr(state, "markers", ()))
    if name == "qwen3_coder":
        markers |= {"<parameter=s>", "<parameter=n>", "<parameter=maybe>", "<parameter=o>", "</parameter>"}
        markers |= {"</function>", "<function=f>", "</tool_call>", "<tool_call>"}
    if name == "gpt_oss":
        markers |= {"analysis", "commentary", "final", "assistant", " to=functions.f", "<|constrain|>json"}
    return sorted(markers)


def outputs(name: str) -> st.SearchStrategy[str]:
    """Outputs for a format: whole calls, cut calls, markers, halves of markers, JSON, anything."""
    calls = st.sampled_from(WHOLE_CALLS[name])
    markers = st.sampled_from(fragments_of(name))
    halves = st.builds(lambda text, cut: text[: cut % (len(text) + 1)], st.one_of(calls, markers), st.integers(0, 300))
    rest = st.builds(lambda text, cut: text[cut % (len(text) + 1) :], st.one_of(calls, markers), st.integers(0, 300))
    anything = st.text(st.characters(codec="utf-8"), max_size=4)
    piece = st.one_of(calls, markers, markers, halves, rest, st.sampled_from(PIECES), st.sampled_from(PIECES), anything)
    return st.lists(piece, max_size=9).map("".join)
