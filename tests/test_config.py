from __future__ import annotations

from pathlib import Path

import pytest

from stepwell.config import chat_model, default_database, open_memory, settings
from stepwell.errors import InvalidInputError, ModelUnavailableError, NotFoundError


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STEPWELL_DB", "STEPWELL_MODEL", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_the_database_is_in_the_users_data_folder_by_default() -> None:
    assert settings().db == default_database()
    assert default_database().name == "stepwell.db"


def test_the_environment_names_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEPWELL_DB", "~/mine.db")
    assert settings().db == Path.home() / "mine.db"


def test_an_empty_variable_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEPWELL_DB", "")
    assert settings().db == default_database()


def test_policies_are_beside_the_database_unless_the_environment_says_where(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert settings().policies == default_database().parent / "policies"
    monkeypatch.setenv("STEPWELL_POLICIES", "~/policies")
    assert settings().policies == Path.home() / "policies"


def test_an_argument_stands_above_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEPWELL_DB", "theirs.db")
    assert settings(Path("mine.db")).db == Path("mine.db")


def test_settings_do_not_show_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    assert settings().openai_api_key == "sk-very-secret"
    assert "sk-very-secret" not in repr(settings())


def test_a_missing_database_can_be_an_error(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "memory.db", encoder="none")
    with pytest.raises(NotFoundError, match="stepwell add"):
        open_memory(chosen, must_exist=True)
    assert not (tmp_path / "memory.db").exists()


def test_opening_makes_the_database_and_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "memory.db"
    with open_memory(settings(path, encoder="none"), scope={"user_id": "ana"}) as memory:
        memory.add({"role": "user", "content": "hello"})
        assert [entry.user_id for entry in memory.sessions()] == ["ana"]
    assert path.exists()


def test_an_encoder_nobody_knows_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="minilm"):
        open_memory(settings(tmp_path / "memory.db", encoder="nonsense"))


def test_openai_settings_reach_the_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    chosen = settings(tmp_path / "memory.db", encoder="openai:some-model")
    with (
        pytest.raises(ModelUnavailableError, match=r"127\.0\.0\.1:9") as caught,
        open_memory(chosen) as memory,
    ):
        memory.stats()
    assert "sk-very-secret" not in str(caught.value)


def test_without_a_language_model_it_is_said_what_to_set() -> None:
    with pytest.raises(ModelUnavailableError, match="STEPWELL_MODEL"):
        chat_model(settings())


def test_settings_reach_the_language_model(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("STEPWELL_MODEL", "openai:toy")
    assert "toy@127.0.0.1:9/v1" in chat_model(settings()).model_id
    monkeypatch.setenv("STEPWELL_MODEL", "openai:toy@http://127.0.0.1:8/v1")
    assert "toy@127.0.0.1:8/v1" in repr(chat_model(settings()))
    assert "sk-very-secret" not in repr(chat_model(settings()))


def test_a_language_model_of_no_form_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEPWELL_MODEL", "toy")
    with pytest.raises(InvalidInputError, match="openai:MODEL"):
        chat_model(settings())
