"""A file's decoders one after another, in streaming form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tokcore.decoders.streams import Joining
from tokcore.protocols import Decoder, DecoderStream, Stretch


class Decoding:
    """Ids in, text out as soon as no later id can change it.

    >>> from tokcore.decoders.bpe import BPEDecoder
    >>> decoding = Decoding([BPEDecoder("</w>")], "", {0: "lo", 1: "w</w>"}.get)
    >>> decoding.feed([0, 1]), decoding.held, decoding.feed([0]), decoding.finish()
    ('low', b'</w>', ' lo', '')

    `token_of`: the string of an id, None where there is none to decode; `joiner` stands between what the last decoder
    makes of the tokens. Held bytes are in the order of the text, as they stood when a decoder kept them back.
    """

    def __init__(self, decoders: Iterable[Decoder], joiner: str, token_of: Callable[[int], str | None]) -> None:
        self._token_of = token_of
        self._streams: list[DecoderStream] = []
        joined = False
        for decoder in decoders:
            stream = decoder.stream(joined)
            self._streams.append(stream)
            joined = stream.joined
        if joiner:
            self._streams.append(Joining(joiner))

    @property
    def held(self) -> bytes:
        # What a later step holds stands earlier in the text.
        return b"".join(stream.held for stream in reversed(self._streams))

    @property
    def reason(self) -> str | None:
        """Why text is held, one part per decoder that holds any; None where nothing is."""
        return "; ".join(filter(None, (stream.reason for stream in reversed(self._streams)))) or None

    @property
    def early(self) -> bool:
        """Whether text has left that decoding all ids at once gives otherwise."""
        return any(stream.early for stream in self._streams)

    def feed(self, ids: Iterable[int]) -> str:
        texts: list[str] = []
        for id in ids:
            token = self._token_of(id)
            if token is None:
                continue
            stretches: Sequence[Stretch] = ((token, True),)
            for stream in self._streams:
                if len(stretches) == 1:
                    stretches = stream.feed(*stretches[0])
                else:
                    stretches = [out for stretch in stretches for out in stream.feed(*stretch)]
            texts += [text for text, _ in stretches]
        return "".join(texts)

    def finish(self) -> str:
        stretches: list[Stretch] = []
        for stream in self._streams:
            stretches = [out for stretch in stretches for out in stream.feed(*stretch)]
            stretches += stream.finish()
        return "".join(text for text, _ in stretches)
