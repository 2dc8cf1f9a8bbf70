"""What commands that change the memory print and refuse."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import InvalidInputError, ModelUnavailableError
from stepwell.memory.memory import Memory
from stepwell.serve.writing import (
    AddOptions,
    Named,
    add_logs,
    encode_missing,
    fill_index,
    forget_named,
    give_feedback,
    rebuild_index,
)
from support.documents import undocumented, unwritten
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LOG = '[{"role": "user", "content": "Which port?"}, {"role": "assistant", "content": "5433"}]'


@pytest.fixture
def printed(capsysbinary: pytest.CaptureFixture[bytes]) -> Callable[[], tuple[str, str]]:
    def take() -> tuple[str, str]:
        out, err = capsysbinary.readouterr()
        return out.decode(), err.decode()

    return take


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    found = [tmp_path / "a.json", tmp_path / "b.json"]
    for path in found:
        path.write_text(LOG.replace("port", f"port of {path.stem}"), encoding="utf-8")
    return found


def open_memory(*, encoder: HashEncoder | None = None) -> Memory:
    return Memory(None, encoder=encoder)


def test_several_paths_have_one_report(
    logs: list[Path], printed: Callable[[], tuple[str, str]]
) -> None:
    add_logs(open_memory(), logs, as_json=True)
    document = json.loads(printed()[0])
    assert (document["added"], document["steps"], document["missing"]) == (2, 4, 0)
    assert [file["uri"].rpartition("/")[2] for file in document["files"]] == ["a.json", "b.json"]


def test_what_is_known_is_told(logs: list[Path], printed: Callable[[], tuple[str, str]]) -> None:
    memory = open_memory()
    add_logs(memory, logs[:1], as_json=False)
    assert "Trajectories: 1 new." in printed()[1]
    add_logs(memory, logs, as_json=False)
    out, err = printed()
    assert out == ""
    assert "Trajectories: 1 new, 1 known already." in err


def test_waiting_needs_an_encoder(logs: list[Path]) -> None:
    with pytest.raises(ModelUnavailableError):
        add_logs(open_memory(), logs, options=AddOptions(wait=True), as_json=False)


def test_waiting_leaves_nothing_without_a_vector(
    logs: list[Path], printed: Callable[[], tuple[str, str]]
) -> None:
    with open_memory(encoder=HashEncoder()) as memory:
        add_logs(memory, logs, options=AddOptions(wait=True), as_json=True)
        assert json.loads(printed()[0])["missing"] == 0
        assert encode_missing(memory) == 0
        fill_index(memory, as_json=True)
        assert json.loads(printed()[0]) == {"encoded": 0, "missing": 0}
        fill_index(memory, as_json=False)
        assert printed() == ("", "0 passages encoded; 0 have no vector.\n")


def test_a_rebuilt_index_names_its_encoder(
    logs: list[Path], printed: Callable[[], tuple[str, str]]
) -> None:
    with open_memory(encoder=HashEncoder()) as memory:
        add_logs(memory, logs, options=AddOptions(wait=True), as_json=False)
        printed()
        rebuild_index(memory, as_json=True)
        document = json.loads(printed()[0])
        assert document == {"encoder": memory.stats().encoder, "encoded": 0, "dropped": 0}
        rebuild_index(memory, as_json=False)
        assert printed()[1].splitlines() == [
            "The vectors of other encoders stay until this is done.",
            f"{document['encoder']}: 0 passages encoded; 0 vectors of others dropped.",
        ]


@pytest.mark.parametrize(("scope", "everything"), [({}, False), ({"session": "x"}, True)])
def test_what_to_forget_is_either_named_or_everything(
    scope: dict[str, str], *, everything: bool
) -> None:
    with pytest.raises(InvalidInputError, match=r"^Say what to forget: either some of"):
        forget_named(
            open_memory(), Named(scope=scope, everything=everything), yes=True, as_json=False
        )


def test_nothing_is_forgotten_where_nobody_confirms(
    monkeypatch: pytest.MonkeyPatch, logs: list[Path]
) -> None:
    memory = open_memory()
    add_logs(memory, logs, as_json=False)
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InvalidInputError, match="2 trajectories would be deleted"):
        forget_named(memory, Named(scope={}, everything=True), yes=False, as_json=False)
    assert len(memory.sessions()) == 2


def test_only_what_is_named_is_forgotten(
    logs: list[Path], printed: Callable[[], tuple[str, str]]
) -> None:
    memory = open_memory()
    add_logs(memory, logs, as_json=False)
    printed()
    first, second = (entry.trajectory_id for entry in memory.sessions())
    forget_named(memory, Named(scope={"trajectory": first}), yes=True, as_json=True)
    assert json.loads(printed()[0]) == {"forgotten": [first], "steps": []}
    assert [entry.trajectory_id for entry in memory.sessions()] == [second]
    # Where nothing is named by the scope, nobody has to confirm anything.
    forget_named(memory, Named(scope={"trajectory": first}), yes=False, as_json=False)
    assert printed()[1] == "0 trajectories forgotten.\n"
    forget_named(memory, Named(scope={}, everything=True), yes=True, as_json=False)
    assert printed()[1] == "1 trajectories forgotten.\n"


def test_feedback_is_confirmed_in_words_or_as_json(
    printed: Callable[[], tuple[str, str]],
) -> None:
    with open_memory() as memory:
        memory.add("The port is 80.")
        recall = memory.recall("which port?", 200).id
        give_feedback(memory, recall, 0.5, as_json=False)
        assert printed() == ("", f"noted 0.5 for {recall}\n")
        give_feedback(memory, recall, 1, as_json=True)
        document = json.loads(printed()[0])
        assert document == {"recall": recall, "reward": 1.0}
        assert undocumented(document, "feedback") == unwritten(document, "feedback") == set()
        assert [one.reward for one in memory.recalls()] == [1.0]


def test_it_is_said_how_long_vectors_take(
    tmp_path: Path, printed: Callable[[], tuple[str, str]]
) -> None:
    turns = [{"role": "user", "content": f"Which port has host {n}?"} for n in range(300)]
    log = tmp_path / "long.json"
    log.write_text(json.dumps(turns), encoding="utf-8")
    with open_memory(encoder=HashEncoder()) as memory:
        add_logs(memory, [log], as_json=False)
        told = printed()[1].splitlines()[-1]
        n_missing = memory.unindexed()
        assert 0 < n_missing <= 300 - 65
        assert re.fullmatch(
            rf"{n_missing} passages have no vector yet; stepwell index makes them in about \d+ s\.",
            told,
        )


def test_of_a_few_passages_nothing_is_left_to_say(
    logs: list[Path], printed: Callable[[], tuple[str, str]]
) -> None:
    with open_memory(encoder=HashEncoder()) as memory:
        add_logs(memory, logs, as_json=False)
        assert "no vector" not in printed()[1]
        assert memory.unindexed() == 0
