"""What the budget page begins with: example requests, the numbers of models, one sentence in several languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.examples import BY_NAME


@dataclass(frozen=True, slots=True)
class Sample:
    """A request to start from, and one line about what to look for."""

    title: str
    shows: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Model:
    """The numbers of a model, as its makers publish them; `context_tokens` is its native length, not stretched."""

    name: str
    title: str
    context_tokens: int
    layers: int
    kv_heads: int
    head_dim: int
    values: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        numbers = (self.context_tokens, self.layers, self.kv_heads, self.head_dim)
        named = zip(("context", "kv_layers", "kv_heads", "kv_dim"), map(str, numbers), strict=True)
        object.__setattr__(self, "values", {**dict(named), "kv_width": "2", "kv_token": ""})


@dataclass(frozen=True, slots=True)
class Sentence:
    """The same sentence in one more language; `name` is what a form calls the language, `code` what HTML does."""

    name: str
    code: str
    title: str
    text: str


MODELS = {
    model.name: model
    for model in (
        Model("qwen3-8b", "Qwen3-8B", 32_768, 36, 8, 128),
        Model("qwen3-0.6b", "Qwen3-0.6B", 32_768, 28, 8, 128),
        Model("qwen3-32b", "Qwen3-32B", 32_768, 64, 8, 128),
        Model("llama-3-8b", "Llama 3 8B", 8_192, 32, 8, 128),
        Model("llama-3.1-8b", "Llama 3.1 8B", 131_072, 32, 8, 128),
        Model("llama-3.1-70b", "Llama 3.1 70B", 131_072, 80, 8, 128),
        Model("gpt-2", "GPT-2", 1_024, 12, 12, 64),
    )
}

SENTENCES = {
    sentence.name: sentence
    for sentence in (
        Sentence("english", "en", "English", BY_NAME["english"].text),
        Sentence("portuguese", "pt", "Portuguese", BY_NAME["portuguese"].text),
        Sentence(
            "spanish",
            "es",
            "Spanish",
            "El rápido zorro marrón salta sobre el perro perezoso cerca de la orilla del río.",
        ),
        Sentence("russian", "ru", "Russian", "Быстрая коричневая лиса прыгает через ленивую собаку у берега реки."),
        Sentence("japanese", "ja", "Japanese", "素早い茶色の狐が川岸の近くで怠け者の犬を飛び越える。"),
        Sentence("hindi", "hi", "Hindi", "तेज़ भूरी लोमड़ी नदी के किनारे आलसी कुत्ते के ऊपर कूदती है।"),
    )
}
# Sizes are given as in this one.
REFERENCE = "english"

_QWEN3_8B = MODELS["qwen3-8b"].values

FIRST = Sample(
    "One request",
    "Qwen3-8B, its 32,768 tokens: tools, six chunks, twenty turns, an answer",
    {
        **_QWEN3_8B,
        **{"system": "300", "tools": "8", "tool_first": "147", "tool_next": "65", "docs": "6", "doc_size": "512"},
        **{"turns": "20", "turn_size": "200", "framing": "5", "answer": "2048"},
    },
)
SAMPLES = (
    FIRST,
    Sample(
        "What the input may take",
        "4,096 tokens less an answer and a margin: 3,072 for the whole input, template included",
        {"context": "4096", "answer": "768", "margin": "256"},
    ),
    Sample(
        "A document in several languages",
        "20,000 English tokens fit; the same text in Portuguese or Hindi does not",
        {**_QWEN3_8B, "docs": "1", "doc_size": "20000"},
    ),
    Sample(
        "The same document in Portuguese",
        "Too many tokens, by how many",
        {
            **_QWEN3_8B,
            "docs": "1",
            "doc_size": "20000",
            "docs_language": "portuguese",
        },
    ),
    Sample(
        "Too much for 8,192",
        "The first request in a smaller context: what to cut",
        {**FIRST.values, **MODELS["llama-3-8b"].values},
    ),
    Sample(
        "Two definitions, a question",
        "Texts that are counted here: system text and tool definition",
        {
            **_QWEN3_8B,
            "system_text": "You are a terse assistant.",
            "tools": "2",
            "tool_text": '{"type": "function", "function": {"name": "get_weather", "description": "Weather of a city", '
            '"parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}',
            **{"turns": "1", "turn_size": "7", "framing": "5", "template": "7", "answer": "512"},
        },
    ),
)
