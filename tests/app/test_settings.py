"""Settings from the environment: units, typed refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import Settings, SettingsError


def test_nothing_set_gives_the_defaults() -> None:
    assert Settings.from_env({"PATH": "/bin", "TOKBOARD_TEXT_LIMIT_BYTES": " "}) == Settings()


def test_every_kind_of_setting_is_read(tmp_path: Path) -> None:
    environ = {
        "TOKBOARD_FIRST_SCREEN_TOKENS": "1_200",
        "TOKBOARD_PRELOAD": "off",
        "TOKBOARD_TOKENIZERS": str(tmp_path),
    }
    assert Settings.from_env(environ) == Settings(first_screen_tokens=1200, preload=False, tokenizers=tmp_path)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        pytest.param("TOKBOARD_TEXT_LIMIT_BYTES", "2MB", id="unit"),
        pytest.param("TOKBOARD_TEXT_LIMIT_BYTES", "0", id="zero"),
        pytest.param("TOKBOARD_TEXT_LIMIT_BYTES", "-5", id="negative"),
        pytest.param("TOKBOARD_TEXT_LIMIT_BYTES", "9" * 5000, id="huge"),
        pytest.param("TOKBOARD_TEXT_LIMIT_BYTES", "٣", id="not-ascii"),
        pytest.param("TOKBOARD_PRELOAD", "maybe", id="switch"),
        pytest.param("TOKBOARD_TOKENIZERS", "/no/such/folder", id="folder"),
        pytest.param("TOKBOARD_TEXT_LIMIT", "5", id="unknown"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(variable: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({variable: value})
    assert caught.value.where == variable
    assert caught.value.remedy


def test_a_body_smaller_than_a_text_is_refused() -> None:
    with pytest.raises(SettingsError, match="BODY_LIMIT_BYTES"):
        Settings.from_env({"TOKBOARD_BODY_LIMIT_BYTES": "1000"})


def test_replaced_refuses_a_name_that_is_no_setting() -> None:
    assert Settings().replaced({"more_tokens": 7}).more_tokens == 7
    with pytest.raises(SettingsError, match="colour"):
        Settings().replaced({"colour": 1})
