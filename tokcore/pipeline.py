"""The Tokenizer: a file's components put together, text to tokens and back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from tokcore import trace as tracing
from tokcore.added_tokens import AddedToken, Matcher, assign_ids
from tokcore.decoders.chain import Decoding
from tokcore.errors import UnknownId, require_utf8
from tokcore.fastpath import FastPath
from tokcore.padding import Padding
from tokcore.protocols import Decoder, Model, Normalizer, PostProcessor, PreTokenizer, Step
from tokcore.spans import AlignedText
from tokcore.tokens import Encoding
from tokcore.truncation import Part, Truncation


class Tokenizer:
    """Text to tokens and back, exactly as the reference library does it.

    >>> import json
    >>> model = {"vocab": {"l": 0, "o": 1, "w": 2, "lo": 3, "low": 4}, "merges": ["l o", "lo w"]}
    >>> tokenizer = Tokenizer.from_str(json.dumps({"model": model}))
    >>> tokenizer.encode("lowlo").tokens, tokenizer.decode([4, 3])
    (['low', 'lo'], 'low lo')

    Made by `from_file`, `from_str`, `from_dir`, or from a rank file by `tokcore.rankfile`. `components` is the JSON of
    every component but the model, `config` that of tokenizer_config.json.
    """

    def __init__(
        self,
        *,
        model: Step[Model],
        normalizers: Sequence[Step[Normalizer]] = (),
        pre_tokenizers: Sequence[Step[PreTokenizer]] = (),
        post_processors: Sequence[Step[PostProcessor]] = (),
        decoders: Sequence[Step[Decoder]] = (),
        added_tokens: Iterable[AddedToken] = (),
        truncation: Truncation | None = None,
        padding: Padding | None = None,
        components: Mapping[str, Any] | None = None,
        config: Mapping[str, Any] | None = None,
        chat_template: str | None = None,
    ) -> None:
        self.model = model
        self.normalizers = tuple(normalizers)
        self.pre_tokenizers = tuple(pre_tokenizers)
        self.post_processors = tuple(post_processors)
        self.decoders = tuple(decoders)
        self.components = components or {}
        self.config = config or {}
        self.chat_template = chat_template
        added_tokens = tuple(added_tokens)
        assigned = assign_ids(added_tokens, model.component.vocab, model.component.entry_count)
        # Of two with one id the later one is sought in texts; both have that id by name.
        self.added_tokens = {token.id: token for token in assigned}
        # Once special, always special: of two entries with one string the earlier one's flag counts here too.
        self._special = frozenset(token.content for token in added_tokens if token.special)
        self._added_ids = {token.content: token.id for token in assigned}
        # Of two entries with one string it is enough that one is normalized.
        normalized = frozenset(token.content for token in added_tokens if token.normalized)
        self._added_strings = {
            token.id: self._normalized(token) if token.content in normalized else token.content
            for token in self.added_tokens.values()
        }
        self._stages = tracing.Stages(
            raw_matcher=Matcher({token.content: token for token in self._added(normalized=False)}),
            normalizers=self.normalizers,
            normalized_matcher=Matcher({self._normalized(token): token for token in self._added(normalized=True)}),
            pre_tokenizers=self.pre_tokenizers,
            model=model,
            post_processors=self.post_processors,
            token_bytes=self.token_bytes,
            truncation=truncation,
            padding=padding,
        )
        self._raw: dict[int, bytes] = {}
        self._layouts: dict[bool, list[int | None]] = {}
        self._fast = FastPath(self._stages, lambda id: self.id_to_token(id) or "")

    @classmethod
    def from_str(cls, json_text: str | bytes) -> Tokenizer:
        """A tokenizer from the text of a tokenizer.json."""
        from tokcore.loader import load_json

        return load_json(json_text)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Tokenizer:
        """A tokenizer from a tokenizer.json."""
        from tokcore.loader import load_file

        return load_file(path)

    @classmethod
    def from_dir(cls, folder: str | os.PathLike[str]) -> Tokenizer:
        """A tokenizer from a model's folder: tokenizer.json, tokenizer_config.json and the chat template."""
        from tokcore.loader import load_dir

        return load_dir(folder)

    def trace(
        self,
        text: str,
        pair: str | None = None,
        add_special_tokens: bool = True,
        split_special_tokens: bool = False,
    ) -> tracing.Trace:
        """Every stage of a text; the trace's encoding is what `encode` returns."""
        return tracing.run(
            self._stages,
            text,
            pair,
            add_special_tokens=add_special_tokens,
            split_special_tokens=split_special_tokens,
        )

    def encode(
        self,
        text: str,
        pair: str | None = None,
        add_special_tokens: bool = True,
        split_special_tokens: bool = False,
    ) -> Encoding:
        """The tokens of a text, or of a text and its pair: always `trace(...).encoding`, by a shorter way if any.

        With `split_special_tokens` special tokens typed in the text stay ordinary text.
        """
        if not self._fast.usable:
            return self.trace(text, pair, add_special_tokens, split_special_tokens).encoding
        require_utf8(text)
        columns = self._fast.columns(text, split_special_tokens)
        if pair is None and not self._changes_tokens:
            return Encoding(text, columns)
        parts: Sequence[Part] = [Part(tuple(columns))]
        if pair is not None:
            require_utf8(pair, "pair")
            second = self._fast.columns(pair, split_special_tokens)
            parts = [*parts, Part([token._replace(type_id=1, sequence=1) for token in second])]
        for *_, changed in tracing.behind_model(self._stages, parts, add_special_tokens):
            parts = changed
        return tracing.encoding(text, pair, parts)

    def encode_ids(self, text: str, add_special_tokens: bool = True, split_special_tokens: bool = False) -> list[int]:
        """The ids of a text: always `encode(...).ids`, many times faster."""
        if not self._fast.usable:
            return self.encode(text, None, add_special_tokens, split_special_tokens).ids
        require_utf8(text)
        ids = self._fast.ids(text, split_special_tokens)
        if not self._changes_tokens:
            return ids
        truncation, padding = self._stages.truncation, self._stages.padding
        if truncation is not None:
            placed = tracing.added_count(self._stages, pair=False) if add_special_tokens else 0
            ids = ids[truncation.kept(len(ids), placed)]
        if add_special_tokens not in self._layouts:
            self._layouts[add_special_tokens] = tracing.layout(self._stages, add_special_tokens)
        layout = self._layouts[add_special_tokens]
        ids = list(chain.from_iterable(ids if id is None else (id,) for id in layout))
        return ids if padding is None else padding.pad_ids(ids)

    def text_ids(self, text: str, split_special_tokens: bool = False) -> list[int]:
        """The ids of the text alone, all of them: nothing is placed around it, cut off or padded.

        What a prompt that is rendered already costs, and the ids of a model's output.
        """
        require_utf8(text)
        if self._fast.usable:
            return self._fast.ids(text, split_special_tokens)
        segments = tracing.trace_text(self._stages, text, split_special_tokens)[-1].segments
        return [token.id for token in tracing.trace_tokens(self._stages, segments, 0)]

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """The text of ids; like the reference, an id without a token is passed over.

        Without a decoder in the file the tokens are joined by spaces.
        """
        return self.trace_decode(ids, skip_special_tokens).text

    def trace_decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> tracing.DecodeTrace:
        """Every stage of decoding: the ids' tokens, then what each decoder makes of the list; `text` is `decode`'s."""
        ids = tuple(ids)
        tokens = [token for id in ids if (token := self._token_to_decode(id, skip_special_tokens)) is not None]
        return tracing.run_decoders(self.decoders, ids, tokens, self._joiner)

    def decoding(self, skip_special_tokens: bool = True) -> Decoding:
        """`decode` for ids that arrive one after another: its decoders in streaming form, at their beginning."""
        decoders = (step.component for step in self.decoders)
        return Decoding(decoders, self._joiner, lambda id: self._token_to_decode(id, skip_special_tokens))

    def token_bytes(self, id: int, skip_special_tokens: bool = False) -> bytes:
        """The bytes one token adds to a text when it stands between others; a skipped special token adds none.

        Law: in a decoded text of tokens far from its ends, the bytes are those of its tokens joined, U+FFFD for what is
        not UTF-8. What a decoder does because of a token's place or neighbours is left out: the first or last token's
        rules, stripping the whole text, CTC's repetitions, spaces taken out across two tokens. Without a decoder the
        spaces between tokens belong to none.
        """
        token = self.id_to_token(id)
        if token is None:
            raise UnknownId(where="ids", what=f"id {id} has no token", remedy=f"use ids below {self.id_limit}")
        if skip_special_tokens and token in self._special:
            return b""
        raw = self._raw.get(id)
        if raw is None:
            joined = False
            for step in self.decoders:
                token = step.component.decode_between(token, joined)
                joined = joined or step.component.joins
            raw = self._raw[id] = token.encode("utf-8", "surrogateescape")
        return raw

    def vocab_bytes(self) -> list[bytes]:
        """The bytes of every id in order, as `token_bytes` has them: special tokens and ids without a token are b""."""
        return [
            b"" if self.id_to_token(id) is None else self.token_bytes(id, skip_special_tokens=True)
            for id in range(self.id_limit)
        ]

    def token_to_id(self, token: str) -> int | None:
        id = self._added_ids.get(token)
        return self.model.component.token_to_id(token) if id is None else id

    def id_to_token(self, id: int) -> str | None:
        """The stored string of an id; of an added token sought in normalized text it is the normalized one."""
        added = self._added_strings.get(id)
        return self.model.component.id_to_token(id) if added is None else added

    @property
    def vocab_size(self) -> int:
        """How many tokens there are, added ones included."""
        vocab = self.model.component.vocab
        return self.model.component.entry_count + sum(content not in vocab for content in self._added_ids)

    @cached_property
    def id_limit(self) -> int:
        """One more than the highest id."""
        return max(max(self.model.component.vocab.values(), default=-1), max(self.added_tokens, default=-1)) + 1

    def get_vocab(self, with_added_tokens: bool = True) -> dict[str, int]:
        """Token string → id."""
        return {**self.model.component.vocab, **(self._added_ids if with_added_tokens else {})}

    @cached_property
    def _changes_tokens(self) -> bool:
        """Whether anything behind the model changes a single text's tokens."""
        if self._stages.truncation is not None or self._stages.padding is not None:
            return True
        return not all(getattr(step.component, "changes_nothing", False) for step in self.post_processors)

    @property
    def _joiner(self) -> str:
        # A Sequence of no decoders is a decoder too, one that only joins.
        return "" if self.decoders or self.components.get("decoder") is not None else " "

    def _token_to_decode(self, id: int, skip_special_tokens: bool) -> str | None:
        token = self.id_to_token(id)
        return None if skip_special_tokens and token in self._special else token

    def _added(self, normalized: bool) -> Iterable[AddedToken]:
        return (token for token in self.added_tokens.values() if token.normalized is normalized)

    def _normalized(self, token: AddedToken) -> str:
        text = AlignedText.whole(token.content)
        for step in self.normalizers:
            text = step.component.normalize(text)
        return text.text
