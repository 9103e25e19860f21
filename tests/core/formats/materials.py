"""What the format tests share: paragraphs of our own to train on, odd texts, and trainers run once each."""

from __future__ import annotations

import io
import random
from functools import cache

import pytest
import tokenizers
from tokenizers import decoders, models, pre_tokenizers, trainers

PARAGRAPHS = (
    "The ferry leaves at six, and whoever misses it waits until noon. Nobody minds: the harbour café is open early.",
    "Tokenizers don't read words; they read pieces, and the pieces were counted long before you typed anything.",
    "In 1987 we counted 4,312 gulls, 95 cormorants and 1 very lost flamingo near 53.5°N, 9.9°E.",
    "Am Deich weht's fast immer. Die Möwen kreischen, die Straße ist naß, und der Kaffee schmeckt nach Übermut.",
    "Le vieux phare n'éclaire plus rien, mais on l'aime bien: il a vu passer des cœurs et des tempêtes.",
    "Мы пришли к морю рано утром, когда вода была ещё тёмной, а чайки молчали.",
    "Το πρωί η θάλασσα ήταν ήσυχη και κανείς δεν μιλούσε για το ταξίδι.",
    "सुबह समुद्र शांत था और नाव धीरे धीरे किनारे की ओर आ रही थी।",
    "清晨的海面很安静,小船慢慢靠近岸边,没有人说话。",
    "朝の海はとても静かで、小さな船がゆっくりと岸に近づいてきた。",
    "아침 바다는 아주 조용했고 작은 배가 천천히 다가왔다.",
    "كان البحر هادئا في الصباح وكان القارب يقترب ببطء من الشاطئ.",
    "def add(left, right):\n    return left + right  # 1 + 1 == 2\n\nprint(add(3, 4), [x ** 2 for x in range(10)])",
    "aaaa aaa aa a bbbb abab ababab banana bananas banana's unbelievably believable believers believe",
)
ODD_TEXTS = (
    *("", " ", "  ", " a", "a ", "  hello   world  ", "a\nb\n\nc", "\ta\r\n", "\na", " \n \n x", "x \n "),
    *(
        "I'm we've THEY'LL it'ſ",
        "1234567 12 ٣٤٥",
        "naïve café e\u0301",
        "日本語 한국어",
        "🧑‍🚀 on 𝔐𝔞𝔯𝔰",
        "ﬁ ½ ①",
        "\u00a0x\u3000y",
    ),
    *(
        "aaaaaaaaaaaaaaaa",
        "<s>",
        "</s>x",
        "<unk>",
        "[CLS] [MASK]",
        "x\x00y",
        "▁",
        "▁a▁b",
        "a▁▁",
        "\u00a8x",
        "++--==(){}[]",
    ),
)


def texts(count: int, seed: int = 7, alphabet: str = "abAB e\u0301é  \n.,'1▁ﬁ½日本ж<>") -> list[str]:
    """The odd texts, the paragraphs, and random ones: cuts of paragraphs and strings over an alphabet."""
    chance = random.Random(seed)
    whole = "\n".join(PARAGRAPHS)
    cuts = [whole[at : at + chance.randrange(60)] for at in (chance.randrange(len(whole)) for _ in range(count))]
    strings = ["".join(chance.choices(alphabet, k=chance.randrange(14))) for _ in range(count)]
    return [*ODD_TEXTS, *PARAGRAPHS, *cuts, *strings]


@cache
def byte_level_bpe(size: int = 700) -> tokenizers.Tokenizer:
    """A byte-level BPE of the reference library, trained on the paragraphs."""
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator(PARAGRAPHS, trainer)
    return tokenizer


@cache
def ranks(size: int = 700) -> dict[bytes, int]:
    """Token bytes → rank, the first 256 being the bytes in order: merges learnt without a rank file's gaps."""
    import json

    from tokcore.bytemap import unicode_to_bytes

    back = unicode_to_bytes()
    merges = json.loads(byte_level_bpe(size).to_str())["model"]["merges"]
    found = {bytes([byte]): byte for byte in range(256)}
    for left, right in merges:
        found.setdefault(bytes(back[character] for character in left + right), len(found))
    return found


def rank_file(entries: dict[bytes, int]) -> bytes:
    from base64 import b64encode

    return b"".join(b64encode(token) + b" %d\n" % rank for token, rank in entries.items())


@cache
def sentencepiece_model(model_type: str, **options: object) -> bytes:
    """A SentencePiece model trained on the paragraphs."""
    sentencepiece = pytest.importorskip("sentencepiece")
    written = io.BytesIO()
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([line for paragraph in PARAGRAPHS for line in paragraph.split("\n")]),
        model_writer=written,
        model_type=model_type,
        hard_vocab_limit=False,
        minloglevel=2,
        **{"vocab_size": 620, **given},
    )
    return written.getvalue()
