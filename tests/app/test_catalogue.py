"""The table of tokenizers: what is there, what is not, and that each loads once."""

from __future__ import annotations

import hashlib
import json
import logging
import sys
import time
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from app import create_app
from app.catalogue import Catalogue
from app.entries import CatalogueEntry, Package
from app.errors import TokenizerUnavailable, UnknownTokenizer
from app.vocabularies import DEEPSEEK, QWEN, TABLE, module_constants
from tokcore.pipeline import Tokenizer

ABSENT = Package("no-such-tokenizer", "1.2.3", module="no_such_tokenizer")


def entry(name: str, file: Path, **more: Any) -> CatalogueEntry:
    return CatalogueEntry(name, name, "", file, more.pop("load", Tokenizer.from_file), **more)


@pytest.fixture(scope="module")
def built_in() -> Catalogue:
    return Catalogue.of(TABLE, None)


@pytest.mark.parametrize(
    ("name", "vocab_size", "first_added", "special", "not_special"),
    [
        pytest.param("qwen3", 151_669, 151_643, 14, 12, id="qwen3"),
        pytest.param("qwen3.6", 248_077, 248_044, 21, 12, id="qwen3.6"),
    ],
)
def test_qwen_has_its_published_entries(
    built_in: Catalogue, name: str, vocab_size: int, first_added: int, special: int, not_special: int
) -> None:
    tokenizer = built_in.tokenizer(name)
    added = tokenizer.added_tokens.values()
    assert tokenizer.vocab_size == vocab_size == built_in.info(name).vocab_size
    assert sorted(token.id for token in added) == list(range(first_added, vocab_size))
    assert (sum(t.special for t in added), sum(not t.special for t in added)) == (special, not_special)
    assert tokenizer.token_to_id("<|endoftext|>") == first_added


def test_deepseek_has_its_published_entries(built_in: Catalogue) -> None:
    tokenizer = built_in.tokenizer("deepseek-v4")
    assert len(tokenizer.added_tokens) == 1283
    assert tokenizer.vocab_size == 129_280 == built_in.info("deepseek-v4").vocab_size


def test_no_package_of_the_table_is_imported(built_in: Catalogue) -> None:
    built_in.listing()
    built_in.tokenizer("qwen3.6")
    assert QWEN.module not in sys.modules
    assert DEEPSEEK.module not in sys.modules


def test_each_entry_tells_the_sha256_of_its_file(built_in: Catalogue) -> None:
    for info in built_in.listing():
        source = built_in.entry(info.name).source()
        assert source is not None
        assert info.sha256 == hashlib.sha256(source.read_bytes()).hexdigest()


def test_constants_are_read_without_running_the_module(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text(
        'raise SystemExit\nA = "x"\nB = tuple(enumerate((A, "y"), start=7))\nC = f()\nD: int = 1\nE = 1 + 1\n'
    )
    assert dict(module_constants(module)) == {"A": "x", "B": ("x", "y")}


def test_two_threads_that_ask_at_once_get_one_load(tiny_file: Path) -> None:
    loads: list[float] = []

    def load(path: Path) -> Tokenizer:
        loads.append(time.monotonic())
        time.sleep(0.05)
        return Tokenizer.from_file(path)

    catalogue = Catalogue([entry("tiny", tiny_file, load=load)])
    barrier = Barrier(4)
    found: list[Tokenizer] = []

    def ask() -> None:
        barrier.wait()
        found.append(catalogue.tokenizer("tiny"))

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1
    assert len({id(tokenizer) for tokenizer in found}) == 1


def test_a_missing_package_is_listed_with_its_remedy_and_the_rest_works(tiny_file: Path) -> None:
    catalogue = Catalogue([entry("gone", Path("x.json"), package=ABSENT, vocab_size=9), entry("tiny", tiny_file)])
    assert catalogue.default == "tiny"
    info = catalogue.info("gone")
    assert (info.available, info.sha256, info.vocab_size) == (False, None, 9)
    assert info.remedy == "pip install no-such-tokenizer==1.2.3"
    with pytest.raises(TokenizerUnavailable) as caught:
        catalogue.tokenizer("gone")
    assert caught.value.remedy == "pip install no-such-tokenizer==1.2.3"


def test_the_app_starts_without_any_package(assert_problem: Any, caplog: pytest.LogCaptureFixture) -> None:
    app = create_app({"preload": True}, catalogue=Catalogue([entry("gone", Path("x.json"), package=ABSENT)]))
    assert any("pip install no-such-tokenizer==1.2.3" in record.getMessage() for record in caplog.records)
    client = app.test_client()
    assert client.get("/healthz").status_code == 200
    assert client.get("/api/v1/tokenizers").get_json()["tokenizers"][0]["available"] is False
    page = client.get("/")
    assert page.status_code == 503
    assert "pip install no-such-tokenizer==1.2.3" in page.text
    response = client.post("/api/v1/tokenize", json={"text": "a"})
    assert_problem(response, 503, title="Tokenizer not available", remedy="pip install no-such-tokenizer==1.2.3")


def test_another_version_of_a_package_does_not_count() -> None:
    assert Package(QWEN.name, "0.0.1", QWEN.module).folder() is None
    assert QWEN.folder() is not None


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"{", id="cut-off"),
        pytest.param(b"\xff\xfe", id="not-utf8"),
        pytest.param(b"[]", id="not-an-object"),
        pytest.param(b'{"model": {"type": "Unknown"}}', id="unknown-model"),
        pytest.param(b"[" * 100_000, id="deep"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_503_and_the_rest_works(
    tmp_path: Path, tiny_file: Path, assert_problem: Any, content: bytes
) -> None:
    (tmp_path / "bad.json").write_bytes(content)
    catalogue = Catalogue([entry("tiny", tiny_file), entry("bad", tmp_path / "bad.json")])
    client = create_app({"preload": False}, catalogue=catalogue).test_client()
    for _ in range(2):
        problem = assert_problem(client.post("/api/v1/tokenize", json={"text": "a", "tokenizer": "bad"}), 503)
        assert "bad.json" in problem["what"]
    assert client.post("/api/v1/tokenize", json={"text": "a", "tokenizer": "tiny"}).status_code == 200
    assert [info.available for info in catalogue.listing()] == [True, False]


def test_a_failed_load_is_not_tried_again(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    loads: list[Path] = []

    def load(path: Path) -> Tokenizer:
        loads.append(path)
        return Tokenizer.from_file(path)

    catalogue = Catalogue([entry("bad", tmp_path / "bad.json", load=load)])
    for _ in range(3):
        with pytest.raises(TokenizerUnavailable):
            catalogue.tokenizer("bad")
    assert len(loads) == 1


def test_a_file_that_vanishes_costs_only_its_own_entry(tmp_path: Path, tiny_json: str, tiny_file: Path) -> None:
    (tmp_path / "gone.json").write_text(tiny_json)
    catalogue = Catalogue([entry("tiny", tiny_file), entry("gone", tmp_path / "gone.json")])
    assert catalogue.info("gone").sha256 is not None
    (tmp_path / "gone.json").unlink()
    with pytest.raises(TokenizerUnavailable):
        catalogue.tokenizer("gone")
    assert [info.available for info in catalogue.listing()] == [True, False]


def test_a_package_that_arrives_later_is_found(tmp_path: Path, tiny_json: str) -> None:
    catalogue = Catalogue([entry("late", tmp_path / "late.json")])
    assert (catalogue.info("late").available, catalogue.info("late").sha256) == (False, None)
    (tmp_path / "late.json").write_text(tiny_json)
    info = catalogue.info("late")
    assert (info.available, info.sha256 is not None, info.remedy) == (True, True, None)
    assert catalogue.tokenizer("late").vocab_size == 261


def test_a_folder_adds_files_and_folders(tmp_path: Path, tiny_json: str, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "one.json").write_text(tiny_json)
    (tmp_path / "qwen3.json").write_text(tiny_json)
    (tmp_path / "readme.txt").write_text("not a tokenizer")
    (tmp_path / ".hidden.json").write_text(tiny_json)
    (tmp_path / "generation_config.json").write_text('{"eos_token_id": 1}')
    (tmp_path / "empty").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "tokenizer.json").write_text(tiny_json)
    (tmp_path / "two" / "tokenizer_config.json").write_text(json.dumps({"chat_template": "{{ messages }}"}))
    with caplog.at_level(logging.WARNING):
        catalogue = Catalogue.of(TABLE, tmp_path)
    assert catalogue.names == (*(row.name for row in TABLE), "one", "two")
    assert "that name is taken" in caplog.text
    assert catalogue.tokenizer("one").vocab_size == 261
    assert catalogue.tokenizer("two").chat_template == "{{ messages }}"


def test_an_unknown_name_is_answered_with_the_known_ones(tiny_file: Path) -> None:
    catalogue = Catalogue([entry("tiny", tiny_file)])
    for name in ("", "Tiny", "../tiny", "f" * 64, "x" * 100_000, "\ud83d"):
        with pytest.raises(UnknownTokenizer) as caught:
            catalogue.tokenizer(name)
        assert caught.value.remedy == "choose one of tiny"
        assert len(caught.value.what) < 200


def test_two_rows_of_one_name_are_a_mistake_in_the_table(tiny_file: Path) -> None:
    with pytest.raises(ValueError, match="tiny"):
        Catalogue([entry("tiny", tiny_file), entry("tiny", tiny_file)])


def test_a_model_s_own_folder_is_one_entry(tmp_path: Path, tiny_json: str) -> None:
    model = tmp_path / "my-model"
    model.mkdir()
    (model / "tokenizer.json").write_text(tiny_json)
    (model / "config.json").write_text('{"model_type": "tiny"}')
    (model / "vocab.json").write_text("{}")
    assert Catalogue.of([], model).names == ("my-model",)


def test_a_broken_file_is_listed_so_that_its_error_is_seen(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"version": "1.0", "mod')
    catalogue = Catalogue.of([], tmp_path)
    assert catalogue.names == ("broken",)
    with pytest.raises(TokenizerUnavailable, match="mend the file") as caught:
        catalogue.tokenizer("broken")
    assert caught.value.what.startswith("'broken' cannot be loaded from broken.json: line 1")
