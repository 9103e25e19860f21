"""The zoo's tokenizers by name: what published families do, and combinations that none of them has."""

from __future__ import annotations

from tests.zoo import Recipe
from tests.zoo_byte_level import BYTE_LEVEL
from tests.zoo_parts import (
    ADDED,
    BERT,
    BERT_FRAME,
    BERT_NAMES,
    BERT_PLACES,
    END,
    FRAME,
    GPT2,
    LLAMA_DECODER,
    ONE_FRAME,
    PRECOMPILED,
    UNKNOWN,
    bert_normalizer,
    bert_processing,
    byte_level,
    decoders,
    kind,
    metaspace,
    normalizers,
    padding,
    pretokenizers,
    processors,
    replace,
    roberta_processing,
    split,
    strip,
    template,
    truncation,
    unstrip,
)

SENTENCEPIECE = {
    "llama2": Recipe(
        *("BPE", normalizers(kind("Prepend", prepend="▁"), replace(" ", "▁")), None, ONE_FRAME, LLAMA_DECODER),
        added=ADDED,
        training={"max_token_length": 12},
        changes={"byte_fallback": True, "fuse_unk": True, **UNKNOWN},
        byte_tokens=True,
    ),
    "gemma": Recipe(
        *("BPE", replace(" ", "▁"), split(" ", "MergedWithPrevious", regex=False), ONE_FRAME),
        decoders(replace("▁", " "), kind("ByteFallback"), kind("Fuse")),
        training={"max_token_length": 12},
        changes={"byte_fallback": True, "fuse_unk": True, **UNKNOWN},
        byte_tokens=True,
    ),
    "bytes that are not all there": Recipe(
        *("BPE", normalizers(kind("Nmt"), kind("NFKC")), metaspace("first"), FRAME, LLAMA_DECODER),
        changes={"byte_fallback": True, "fuse_unk": True, **UNKNOWN},
        byte_tokens=True,
        missing_bytes=70,
    ),
    "mistral with metaspace": Recipe(
        *("BPE", None, metaspace("first", split=False), ONE_FRAME, LLAMA_DECODER, ADDED),
        training={"max_token_length": 9},
        changes={"byte_fallback": True, **UNKNOWN},
        byte_tokens=True,
    ),
    "bytes that spell a suffix": Recipe(
        *("BPE", kind("NFC"), kind("Whitespace"), processors(byte_level(), FRAME), kind("ByteFallback")),
        training=END,
        changes={**END, "byte_fallback": True, "fuse_unk": True, **UNKNOWN},
        byte_tokens=True,
    ),
    "bytes that spell a prefix": Recipe(
        *("BPE", bert_normalizer(), kind("WhitespaceSplit"), None, decoders(kind("ByteFallback"), kind("Fuse"))),
        training={"continuing_subword_prefix": "##", "limit_alphabet": 60},
        changes={"continuing_subword_prefix": "##", "byte_fallback": True, **UNKNOWN},
        byte_tokens=True,
        missing_bytes=40,
    ),
    "sentencepiece bpe": Recipe(
        *("BPE", normalizers(kind("Nmt"), kind("NFKC"), strip()), metaspace(), None, metaspace()),
        changes={"fuse_unk": False, **UNKNOWN},
    ),
    "t5": Recipe(
        *("Unigram", PRECOMPILED, pretokenizers(kind("WhitespaceSplit"), metaspace())),
        template("$A </s>", "$A </s> $B </s>"),
        metaspace(),
        ADDED,
        padding=padding(direction="Left"),
    ),
    "xlm-roberta": Recipe(
        *("Unigram", normalizers(PRECOMPILED, replace(" {2,}", " ", regex=True)), metaspace()),
        template("<s> $A </s>", "<s> $A </s> </s> $B </s>"),
        metaspace(),
        truncation=truncation(32, direction="Left"),
    ),
    "albert": Recipe(
        "Unigram",
        normalizers(
            *(
                replace("``", '"'),
                replace("''", '"'),
                kind("NFKD"),
                kind("StripAccents"),
                kind("Lowercase"),
                PRECOMPILED,
            ),
            replace(" {2,}", " ", regex=True),
        ),
        metaspace(),
        BERT_FRAME,
        metaspace(),
        names=BERT_NAMES,
    ),
    "deberta": Recipe(
        *("Unigram", normalizers(replace("\n", " "), strip(right=False), PRECOMPILED), metaspace(), BERT_FRAME),
        decoder=metaspace(),
        added=ADDED,
        names=BERT_NAMES,
    ),
    "unigram with bytes": Recipe(
        *("Unigram", normalizers(kind("Nmt"), PRECOMPILED), metaspace("never"), FRAME),
        decoders(kind("ByteFallback"), metaspace("never"), kind("Fuse")),
        changes={"byte_fallback": True},
        byte_tokens=True,
    ),
    "unigram over everything": Recipe("Unigram", kind("Nmt"), None, None, kind("Fuse"), ADDED),
    "pegasus": Recipe(
        *("Unigram", PRECOMPILED, pretokenizers(kind("WhitespaceSplit"), metaspace("always", replacement="_"))),
        template("$A </s>", "$A $B </s>"),
        metaspace(replacement="_"),
    ),
}

WORDS = {
    "bert uncased": Recipe(
        *("WordPiece", bert_normalizer(), kind("BertPreTokenizer"), BERT_FRAME),
        **BERT,
        truncation=truncation(30),
        padding=padding({"Fixed": 30}),
    ),
    "bert cased": Recipe(
        *("WordPiece", bert_normalizer(False, False), kind("BertPreTokenizer"), BERT_PLACES), **BERT, added=ADDED
    ),
    "bert multilingual": Recipe(
        *("WordPiece", bert_normalizer(True, True, False, False), kind("BertPreTokenizer"), BERT_PLACES), **BERT
    ),
    "short words only": Recipe(
        *(
            "WordPiece",
            normalizers(kind("NFD"), kind("Lowercase"), kind("StripAccents")),
            kind("Whitespace"),
            BERT_FRAME,
        ),
        **BERT,
        changes={"max_input_chars_per_word": 6},
    ),
    "another prefix": Recipe(
        *("WordPiece", kind("NFKD"), kind("UnicodeScripts"), processors(BERT_PLACES)),
        kind("WordPiece", prefix="@@", cleanup=False),
        names=BERT_NAMES,
        training={"continuing_subword_prefix": "@@"},
        changes={"continuing_subword_prefix": "@@"},
    ),
    "charbpe": Recipe(
        *("BPE", bert_normalizer(), kind("BertPreTokenizer"), None, kind("BPEDecoder", suffix="</w>"), ADDED),
        training=END,
        changes={**END, **UNKNOWN},
    ),
    "openai gpt": Recipe(
        *("BPE", normalizers(kind("NFKC"), kind("StripAccents")), kind("WhitespaceSplit"), bert_processing()),
        kind("BPEDecoder", suffix="</w>"),
        training=END,
        changes={**END, **UNKNOWN, "fuse_unk": True},
    ),
    "a prefix and a suffix": Recipe(
        *("BPE", strip(left=False), kind("Whitespace"), roberta_processing(), kind("BPEDecoder", suffix="</e>")),
        training={"end_of_word_suffix": "</e>", "continuing_subword_prefix": "~", "limit_alphabet": 70},
        changes={"end_of_word_suffix": "</e>", "continuing_subword_prefix": "~", **UNKNOWN},
    ),
    "no unknown token": Recipe(
        *("BPE", kind("NFKD"), kind("Punctuation", behavior="MergedWithNext"), byte_level(), kind("Fuse"), ADDED),
        training={"limit_alphabet": 60},
    ),
    "ctc": Recipe(
        *("WordLevel", replace(" ", "|"), kind("FixedLength", length=1)),
        decoder=kind("CTC", pad_token="<pad>", word_delimiter_token="|", cleanup=True),
        padding=padding({"Fixed": 16}, "Left"),
    ),
    "ctc by words": Recipe(
        *("WordLevel", kind("NFKD"), kind("CharDelimiterSplit", delimiter=" "), FRAME),
        kind("CTC", pad_token="<pad>", word_delimiter_token="</s>", cleanup=False),
        ADDED,
    ),
    "ctc by pairs of characters": Recipe(
        *("WordLevel", normalizers(kind("Prepend", prepend="|"), strip()), kind("FixedLength", length=2)),
        decoder=decoders(kind("CTC", pad_token="e", word_delimiter_token="|", cleanup=True), kind("Fuse")),
    ),
    "words by delimiter": Recipe(
        *("WordLevel", kind("Lowercase"), pretokenizers(kind("CharDelimiterSplit", delimiter=" "), split(GPT2))),
        bert_processing(),
        unstrip(1, 1, "e"),
        ADDED,
        truncation=truncation(11, "OnlySecond"),
    ),
    "scripts": Recipe(
        *("Unigram", kind("NFD"), pretokenizers(kind("UnicodeScripts"), kind("CharDelimiterSplit", delimiter="e"))),
        decoder=decoders(replace("[ae]", "*", regex=True), unstrip(0, 2, "*")),
    ),
    "scripts and digits": Recipe(
        *("BPE", strip(), pretokenizers(kind("UnicodeScripts"), kind("Digits", individual_digits=False))),
        processors(byte_level(), bert_processing()),
        changes=UNKNOWN,
    ),
    "fixed lengths": Recipe(
        *("BPE", kind("NFKC"), pretokenizers(kind("Punctuation", behavior="Removed"), kind("FixedLength", length=5))),
        processors(roberta_processing(), FRAME),
        kind("WordPiece", prefix="##", cleanup=True),
        changes={"fuse_unk": True, **UNKNOWN},
    ),
    "punctuation before": Recipe(
        *(
            "WordPiece",
            kind("NFC"),
            pretokenizers(kind("Punctuation", behavior="MergedWithPrevious"), kind("Whitespace")),
        ),
        BERT_FRAME,
        **BERT,
        added=ADDED,
    ),
}

RECIPES = {**BYTE_LEVEL, **SENTENCEPIECE, **WORDS}
