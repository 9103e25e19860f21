"""The parity command finds a difference wherever it is put, says at which stage it arises, and is silent otherwise."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tokenizers

from tests.reference import BUNDLED, added, both, bundled, bundled_reference, byte_level_file
from tokcore import Tokenizer
from tokcore.__main__ import main
from tokcore.parity import Given, compare, first_difference, shrunk
from tokcore.parity_texts import KINDS, generated_texts, texts_for

TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"<s>": {"id": "<s>", "ids": [258], "tokens": ["<s>"]}},
}
TRUNCATION = {"max_length": 9, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
PADDING = {
    "strategy": {"Fixed": 12},
    "direction": "Right",
    "pad_to_multiple_of": None,
    "pad_id": 0,
    "pad_type_id": 0,
    "pad_token": "!",
}
SPLIT = {"type": "Split", "pattern": {"Regex": r"\s?\w+|\s?[^\w\s]+|\s+"}, "behavior": "Isolated", "invert": False}
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}


def file() -> dict[str, Any]:
    """A tokenizer.json with something at every stage."""
    normalizers = [{"type": "NFC"}, {"type": "Lowercase"}]
    tokenizer = byte_level_file(
        ["a b", "ab c", "Ġ t"],
        added_tokens=[added("<s>", 258, special=True), added("<n>", 259, normalized=True)],
        normalizer={"type": "Sequence", "normalizers": normalizers},
        pre_tokenizer={"type": "Sequence", "pretokenizers": [SPLIT, BYTE_LEVEL]},
        post_processor={"type": "Sequence", "processors": [BYTE_LEVEL, TEMPLATE]},
    )
    fuse = {"type": "Sequence", "decoders": [BYTE_LEVEL, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}
    return {**tokenizer, "decoder": fuse, "truncation": TRUNCATION, "padding": PADDING}


def changed(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    other = json.loads(json.dumps(file()))
    change(other)
    return other


def swap(place: dict[str, Any], one: str, other: str) -> None:
    place[one], place[other] = place[other], place[one]


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], Any], str, str, str, str]] = {
    "an added token less": (
        lambda f: f["added_tokens"].pop(1),
        *("<n>", "added tokens", "/added_tokens", "normalized"),
    ),
    "an added token's id": (
        lambda f: f["added_tokens"].insert(0, added("<z>", 258)),
        *("<s>", "added tokens", "/added_tokens", ""),
    ),
    "an added token's flag": (
        lambda f: f["added_tokens"][1].update(single_word=True),
        *("<n>a", "added tokens", "/added_tokens", "normalized"),
    ),
    "another normal form": (
        lambda f: f["normalizer"]["normalizers"][0].update(type="NFD"),
        *("é", "normalizer", "/normalizer/normalizers/0", "NFC"),
    ),
    "a normalizer less": (
        lambda f: f["normalizer"]["normalizers"][1].update(type="NFC"),
        *("A", "normalizer", "/normalizer/normalizers/1", "Lowercase"),
    ),
    "another pattern": (
        lambda f: f["pre_tokenizer"]["pretokenizers"][0]["pattern"].update(Regex=r"\w+"),
        *(" a", "pre-tokenizer", "/pre_tokenizer/pretokenizers/0", "Split"),
    ),
    "a space before each piece": (
        lambda f: f["pre_tokenizer"]["pretokenizers"][1].update(add_prefix_space=True),
        *("a", "pre-tokenizer", "/pre_tokenizer/pretokenizers/1", "ByteLevel"),
    ),
    "a merge less": (lambda f: f["model"]["merges"].pop(2), " t", "model", "/model", "BPE"),
    "two ids swapped": (lambda f: swap(f["model"]["vocab"], "a", "b"), "a", "model", "/model", "BPE"),
    "offsets not trimmed": (
        lambda f: f["post_processor"]["processors"][0].update(trim_offsets=False),
        *(" ", "post-processor", "/post_processor/processors/0", "ByteLevel"),
    ),
    "another template": (
        lambda f: f["post_processor"]["processors"][1]["single"].reverse(),
        *("a", "post-processor", "/post_processor/processors/1", "TemplateProcessing"),
    ),
    "truncated at the other end": (
        lambda f: f["truncation"].update(direction="Left"),
        *("abcdefghijk", "truncation", "/truncation", ""),
    ),
    "padded at the other end": (lambda f: f["padding"].update(direction="Left"), "", "padding", "/padding", ""),
    "more stripped": (
        lambda f: f["decoder"]["decoders"][1].update(start=2),
        *("  ", "decoder", "/decoder/decoders/1", "Strip"),
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_difference_is_found_shrunk_and_traced_to_its_stage(name: str) -> None:
    change, text, stage, pointer, component = CHANGES[name]
    ours, _ = both(file())
    _, theirs = both(changed(change))
    report = compare(ours, theirs, generated_texts(3, 500, ["<s>", "<n>"]))
    assert not report.equal
    difference = report.difference
    assert difference is not None
    assert difference.stage is not None
    assert (difference.stage.name, difference.stage.pointer) == (stage, pointer)
    assert difference.stage.component in (component, "LongestFirst")
    assert difference.stage.ours != difference.stage.theirs
    assert difference.ours != difference.theirs
    assert len(difference.given.text) <= max(len(text), 1) * 3
    # What stands here by hand shows the difference too: the stage that is named is the one that was changed.
    assert any(first_difference(ours, theirs, Given(text, None, special)) is not None for special in (True, False))


def test_a_tokenizer_is_equal_to_itself_on_every_kind_of_text() -> None:
    report = compare(*both(file()), generated_texts(5, 60, ["<s>", "<n>"]))
    assert report.difference is None
    # Each as it is, without special tokens, with those in it split; most as a pair too.
    assert report.texts == 60
    assert 60 * 3 < report.comparisons < 60 * 5


@pytest.mark.parametrize("name", BUNDLED)
def test_the_bundled_tokenizers_are_equal_to_the_reference(name: str) -> None:
    reference = tokenizers.Tokenizer.from_str(bundled_reference(name).to_str())
    report = compare(bundled(name), reference, texts_for(bundled(name), 7, 150))
    assert report.difference is None, report.difference


def test_a_text_that_only_one_refuses_is_a_difference() -> None:
    words = {"type": "WordLevel", "vocab": {"a": 0, "?": 1}, "unk_token": "?"}
    ours, theirs = both({"version": "1.0", "model": words})
    _, refusing = both({"version": "1.0", "model": {**words, "unk_token": "!"}})
    assert compare(ours, theirs, ["b"]).equal
    difference = compare(ours, refusing, ["a", "bc"]).difference
    assert difference is not None
    assert (difference.field, difference.ours) == ("outcome", "'an encoding'")
    assert "Missing [UNK] token" in difference.theirs
    refused = Tokenizer.from_str(json.dumps({"model": {**words, "unk_token": "!"}}))
    assert compare(refused, refusing, ["b"]).equal


def test_the_reference_gets_its_setting_for_special_tokens_back() -> None:
    ours, theirs = both(file())
    theirs.encode_special_tokens = True
    assert compare(ours, theirs, ["<s>"]).equal
    assert theirs.encode_special_tokens


def test_a_long_text_is_shrunk_to_what_matters_and_a_pair_too() -> None:
    found = shrunk(Given("x" * 5000 + "a" + "y" * 5000 + "b"), lambda given: "a" in given.text and "b" in given.text)
    assert found.text == "ab"
    found = shrunk(Given("some text", pair="another"), lambda given: "x" in given.text and "th" in (given.pair or ""))
    assert (found.text, found.pair) == ("x", "th")


def test_generated_texts_hold_every_kind_and_go_by_the_seed() -> None:
    texts = list(generated_texts(11, 400, ["<|im_start|>"]))
    assert texts == list(generated_texts(11, 400, ["<|im_start|>"]))
    assert texts != list(generated_texts(12, 400, ["<|im_start|>"]))
    assert len(KINDS) == 15
    whole = "".join(texts)
    for sign in ("\x00", "\r\n", "\u200d", "\ufffd", "<|im_start|>", "<|IM_START|>", "\u0301", "🏽", "'s", '{"', "▁"):
        assert sign in whole, ascii(sign)
    for low, high in ((0x4E00, 0x9FFF), (0xE000, 0xF8FF), (0x660, 0x669), (0x40000, 0xDFFFF), (0x80, 0x9F)):
        assert any(low <= ord(character) <= high for character in whole), hex(low)


def test_the_document_names_every_kind() -> None:
    text = " ".join((Path(__file__).parents[2] / "docs" / "parity.md").read_text(encoding="utf-8").split())
    assert [kind for kind in KINDS if kind not in text] == []


# ---- the command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tokenizer.json").write_text(json.dumps(file()), encoding="utf-8")
    return tmp_path


def test_no_difference_is_one_line_and_status_0(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parity", str(folder), "a text", "--count", "20"]) == 0
    printed = capsys.readouterr()
    assert printed.out == "no difference: 21 texts, 103 comparisons with tokenizers 0.23.3\n"
    assert printed.err == ""
    assert main(["parity", str(folder / "tokenizer.json"), "--count", "0"]) == 0


def test_a_difference_is_told_with_its_stage_and_status_1(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = json.dumps(changed(lambda f: f["normalizer"]["normalizers"][0].update(type="NFD")))
    monkeypatch.setattr(Tokenizer, "from_file", lambda path: Tokenizer.from_str(other))
    assert main(["parity", str(folder), "plain", "one é two", "--count", "0"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("difference in ids at index ")
    assert lines[1] == "  text       'é' (U+00E9)"
    assert lines[4].startswith("arises in  normalizer NFD /normalizer/normalizers/0: (piece, span)")
    assert lines[-1] == "found in a text of 9 characters"
    assert main(["parity", str(folder), "é", "--count", "0", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["equal"] is False
    assert report["difference"]["given"]["text"] == "é"
    assert report["difference"]["stage"]["pointer"] == "/normalizer/normalizers/0"


def test_another_format_is_compared_as_the_tokenizer_json_it_becomes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "vocab.txt").write_text("[UNK]\n[CLS]\n[SEP]\nhello\n##s\n", encoding="utf-8")
    for path in (tmp_path, tmp_path / "vocab.txt"):
        assert main(["parity", str(path), "Hellos", "--count", "30"]) == 0
        assert capsys.readouterr().out.startswith("no difference: 31 texts")


def test_the_report_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parity", str(folder), "--json", "--count", "3", "--seed", "9"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["reference"] == "tokenizers 0.23.3"
    assert (report["equal"], report["difference"], report["texts"], report["seed"]) == (True, None, 3, 9)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"model": {"type": "Foo"}}', "/model/type: model 'Foo' is not supported"),
        ('{"model": ', "line 1 column 11: not JSON"),
        (None, "tokenizer.json: cannot be read: No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line_with_its_place_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, says: str
) -> None:
    if text is not None:
        (tmp_path / "tokenizer.json").write_text(text, encoding="utf-8")
    assert main(["parity", str(tmp_path / "tokenizer.json")]) == 2
    printed = capsys.readouterr()
    assert says in printed.err
    assert (printed.out, printed.err.count("\n")) == ("", 1)


def test_a_file_that_only_the_reference_refuses_is_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # A number that 64 bits do not hold, where neither of the two looks.
    text = '{"decoder": {"type": "Fuse", "x": 1e999}, "model": {"vocab": {"a": 0}, "merges": []}}'
    (tmp_path / "tokenizer.json").write_text(text, encoding="utf-8")
    assert main(["parity", str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith("the reference library refuses this file: ")


def test_without_the_reference_library_one_line_says_what_to_install(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert main(["parity", str(folder)]) == 2
    assert capsys.readouterr().err == "parity needs the reference library: pip install tokenizers==0.23.3\n"


def test_a_progress_bar_shows_on_a_terminal_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tqdm

    from tokcore.__main__ import with_progress

    bar = with_progress(iter("ab"), 2)
    assert isinstance(bar, tqdm.tqdm)
    assert list(bar) == ["a", "b"]
    assert bar.disable
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert not getattr(with_progress(iter("ab"), 2), "disable", True)
