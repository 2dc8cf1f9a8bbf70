"""The facade, as an agent and its owner use it; each report of another memory's users once."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from stepwell.errors import (
    InvalidInputError,
    ModelUnavailableError,
    ScopeError,
)
from stepwell.memory.memory import Memory
from stepwell.store.scope import Scope
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

CHAT = (
    '[{"role": "user", "content": "Seat preference: aisle."},'
    ' {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function",'
    ' "function": {"name": "book", "arguments": "{\\"seat\\": \\"14C\\"}"}}]},'
    ' {"role": "tool", "tool_call_id": "c1", "content": "booked 14C"}]'
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(CHAT, encoding="utf-8")
    return path


def test_a_live_step_is_seen_by_the_very_next_recall() -> None:
    with Memory(encoder=None) as memory:
        for number in range(20):
            memory.add({"action": f"make {number}", "observation": f"built target{number}x"})
            evidence = memory.recall(f"target{number}x", 200)
            assert evidence.items[-1].step == number


def test_a_late_result_joins_its_call() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "deploy", "arguments": "{}"}}
    with Memory(encoder=None) as memory:
        memory.add({"role": "assistant", "content": None, "tool_calls": [call]})
        memory.add({"role": "user", "content": "how does it look?"})
        address = memory.add({"role": "tool", "tool_call_id": "c1", "content": "rolled out v42"})
        assert address == "live/s0"
        assert "live/s0.o1" in {item.id for item in memory.recall("rolled out", 200).items}
        assert [step.kind for step in memory.trajectory().steps] == ["agent", "user"]
        assert len(memory.trajectory().raw_records) == 3


def test_identical_texts_are_all_kept() -> None:
    with Memory(encoder=None) as memory:
        for _ in range(3):
            memory.add("retrying")
        assert memory.stats().n_steps == 3


def test_reading_a_log_again_changes_nothing(log: Path, tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", encoder=None) as memory:
        assert memory.ingest(log).added == 1
        again = memory.ingest(log)
        assert (again.added, again.unchanged) == (0, 1)
        copy = tmp_path / "copy.json"
        copy.write_text(CHAT, encoding="utf-8")
        assert memory.ingest(copy).unchanged == 1
        assert memory.stats().n_steps == 2


def test_recalled_text_fed_back_is_no_new_evidence() -> None:
    with Memory(encoder=None) as memory:
        memory.add({"action": "read config", "observation": "the walrus listens on 5433"})
        before = memory.recall("walrus", 300)
        call = {"id": "r1", "type": "function", "function": {"name": "recall", "arguments": "{}"}}
        for _ in range(3):
            memory.add({"role": "assistant", "content": None, "tool_calls": [call]})
            memory.add({"role": "tool", "tool_call_id": "r1", "content": before.text})
        after = memory.recall("walrus", 300)
        assert [item.step for item in after.items if "walrus" in item.text] == [0]
        assert memory.stats().n_passages <= 2 + 3


@pytest.mark.parametrize("form", ["text", "json"])
def test_words_around_a_pasted_payload_are_evidence_and_the_payload_is_not(form: str) -> None:
    with Memory(encoder=None) as memory:
        memory.add({"action": "look", "observation": "the walrus listens on port 5433"})
        payload = memory.recall("walrus", 300, format="json" if form == "json" else "text").text
        if form == "text":
            said = f"Context:\n{payload}\n\nRemember: the frobnicator key lives in vault seven."
            memory.add({"role": "user", "content": said})
            (item,) = [i for i in memory.recall("frobnicator", 300).items if i.step == 1]
            assert "vault seven" in item.text
            assert memory.get(item.id).text.endswith("vault seven.")
        else:
            memory.add({"role": "tool", "tool_call_id": "x", "content": payload})
        found = [item for item in memory.recall("walrus port", 400).items if "5433" in item.text]
        assert [item.step for item in found] == [0]


class FailingEncoder(HashEncoder):
    """An endpoint that went down."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise ModelUnavailableError(f"No reply for {len(texts)} texts.", hint="Start it.")


def test_a_failing_encoder_leaves_the_words() -> None:
    with Memory(encoder=FailingEncoder()) as memory:
        memory.add("the walrus")
        evidence = memory.recall("walrus")
        assert evidence.items[0].text == "the walrus"
        assert any("No reply for 1 texts. Start it." in notice for notice in evidence.notices)


def test_json_items_are_worth_their_envelope() -> None:
    with Memory(encoder=None) as memory:
        for number in range(60):
            memory.add(
                {"action": f"deploy {number}", "observation": "the walrus was deployed " * 9}
            )
        for budget in (300, 500, 800, 2000):
            items = memory.recall("walrus deploy", budget, format="json").items
            assert items
            assert all(len(item.text) >= 24 or item.part == "c1" for item in items)


def test_the_question_just_asked_is_no_evidence_for_itself() -> None:
    with Memory(encoder=None) as memory:
        memory.add({"action": "read", "observation": "port 5433"})
        memory.add({"role": "user", "content": "which port was it?"})
        assert all(item.step == 0 for item in memory.recall("which port was it?", 200).items)


def test_what_the_user_said_is_not_what_the_harness_put_in() -> None:
    with Memory(encoder=None) as memory:
        memory.add({"role": "user", "content": "<system-reminder>seats: window</system-reminder>"})
        memory.add({"role": "user", "content": "I want aisle seats."})
        evidence = memory.recall("What did the user say about seats?", 200)
        assert [item.text for item in evidence.items] == ["I want aisle seats."]


def test_before_hides_what_came_later() -> None:
    with Memory(encoder=HashEncoder()) as memory:
        for number in range(6):
            memory.add({"action": "set pool", "observation": f"pool size is {number}"})
        memory.index()
        assert {item.step for item in memory.recall("pool size", 400, before=3).items} == {0, 1, 2}
        never = datetime(2001, 1, 1, tzinfo=UTC)
        assert memory.recall("pool size", 400, before=never).items == ()


def test_before_hides_neighbours_of_named_steps_and_results_that_came_later() -> None:
    with Memory(encoder=None) as memory:
        for number in range(10):
            memory.add(f"step number {number} wumpus")
        for question in ("last 3 steps", "wumpus after step 2", "what was said at step 2?"):
            evidence = memory.recall(question, 800, before=3)
            assert {item.step for item in evidence.items} <= {0, 1, 2}
    moments = (datetime(2026, 1, 1, min(hour, 5), tzinfo=UTC) for hour in (0, 2, *range(5, 99)))
    call = {"id": "c1", "type": "function", "function": {"name": "wumpus", "arguments": "{}"}}
    with Memory(encoder=None, clock=lambda: next(moments)) as memory:
        memory.add({"role": "assistant", "content": "calling", "tool_calls": [call]})
        memory.add("waiting for the wumpus")
        memory.add({"role": "tool", "tool_call_id": "c1", "content": "wumpus code 7731"})
        early = datetime(2026, 1, 1, 1, tzinfo=UTC)
        for before in (early, 1):
            found = memory.recall("wumpus code", 300, before=before).items
            assert [item.part for item in found] == ["m", "c1"] or [i.part for i in found] == ["m"]
        assert "7731" in memory.recall("wumpus code", 300).text


def test_named_steps_come_first_even_without_a_matching_word() -> None:
    with Memory(encoder=None) as memory:
        for number in range(80):
            memory.add({"action": f"go {number}", "observation": "alpha beta"})
        evidence = memory.recall("What happened between steps 40 and 42?", 120)
        assert {item.step for item in evidence.items} >= {40, 41, 42}
        assert all("names" in item.why for item in evidence.items if 40 <= item.step <= 42)


def test_without_an_encoder_every_recall_says_so() -> None:
    with Memory(encoder=None) as memory:
        memory.add("hello")
        assert any("vectors are off" in notice for notice in memory.recall("hello").notices)
        with pytest.raises(ModelUnavailableError, match="no encoder"):
            memory.index()


def test_a_recall_reports_its_vector_coverage(log: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, encoder=None) as memory:
        memory.ingest(log)
    with Memory(path, encoder=HashEncoder()) as memory:
        assert any("covers 0 %" in notice for notice in memory.recall("seat").notices)
        assert memory.index(limit=1) == 1
        assert memory.index() > 0
        assert memory.unindexed() == 0
        assert memory.recall("seat").notices == ()


def test_vectors_are_filled_in_behind_live_adds() -> None:
    with Memory(encoder=HashEncoder()) as memory:
        for number in range(5):
            memory.add(f"message {number}")
        memory.index()  # takes turns with the thread behind, and returns when all is done
        assert memory.stats().n_vectors == 5


def test_another_encoder_re_encodes_and_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, encoder=HashEncoder()) as memory:
        memory.add("the walrus")
        memory.index()
    with Memory(path, encoder=HashEncoder(encoder_id="second", dimension=8)) as memory:
        assert memory.recall("walrus").items
        assert memory.unindexed() == 1
        assert memory.reindex() == (1, 1)
    with Memory(path, encoder=HashEncoder()) as memory:
        assert memory.unindexed() == 1


def test_scopes_never_cross(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    for user in ("ann", "a%", "_nn"):
        with Memory(path, scope={"user_id": user}, encoder=None) as memory:
            memory.add(f"secret of {user}: walrus")
    with Memory(path, scope={"user_id": "a%"}, encoder=None) as memory:
        assert [item.text for item in memory.recall("walrus").items] == ["secret of a%: walrus"]
        with pytest.raises(ScopeError, match="bound to user_id"):
            memory.recall("walrus", scope={"user_id": "ann"})
        with pytest.raises(InvalidInputError, match="unknown fields"):
            memory.recall("walrus", scope={"tenant": "ann"})
        assert memory.forget(everything=True) == 1
    with Memory(path, encoder=None) as memory:
        assert {entry.user_id for entry in memory.sessions()} == {"ann", "_nn"}
        with pytest.raises(InvalidInputError, match="Nothing was named"):
            memory.forget()


def test_secrets_are_redacted_before_anything_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    secret = "ghp_" + "aB3dE5gH7j" * 4
    with Memory(path, encoder=None) as memory:
        memory.add({"role": "user", "content": f"my token is {secret}, port 5433"})
        assert "[redacted:" in memory.recall("token port", 200).text
    assert all(secret.encode() not in file.read_bytes() for file in tmp_path.iterdir())


def test_forgetting_leaves_no_byte_of_text_index_vector_or_raw(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, encoder=HashEncoder()) as memory:
        memory.add("kept walrus", trajectory="keep")
        for number in range(40):
            memory.add({"action": "echo", "observation": f"qzneedle{number} zqxj"}, trajectory="go")
        memory.index()
        assert memory.forget(scope={"trajectory": "go"}) == 1
        assert [item.trajectory for item in memory.recall("walrus qzneedle7").items] == ["keep"]
        files = [file.read_bytes() for file in tmp_path.iterdir()]
        assert all(b"zneedle" not in data and b"zqxj" not in data for data in files)
        assert memory.stats().n_vectors == 1


def test_two_memories_on_one_file_lose_no_writes(tmp_path: Path) -> None:
    path = tmp_path / "m.db"

    def write(name: str) -> None:
        with Memory(path, encoder=None) as memory:
            for number in range(25):
                memory.add(f"{name} {number}")

    threads = [threading.Thread(target=write, args=(name,)) for name in ("left", "right")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Memory(path, encoder=None) as memory:
        steps = memory.trajectory("live").steps
        assert sorted(step.message for step in steps) == sorted(
            f"{name} {number}" for name in ("left", "right") for number in range(25)
        )
        assert [step.index for step in steps] == list(range(50))


def test_a_memory_may_be_shared_between_threads() -> None:
    with Memory(encoder=HashEncoder()) as memory:
        failures: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for n in range(10):
                    memory.add(f"walrus {number} {n}")
                    memory.recall("walrus", 300)
            except BaseException as error:  # noqa: BLE001  (reported below)
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert memory.stats().n_steps == 40


def test_an_empty_memory_answers_and_says_so() -> None:
    with Memory(encoder=None) as memory:
        evidence = memory.recall("anything")
        assert evidence.items == ()
        assert any("nothing in this scope" in notice for notice in evidence.notices)


def test_several_runs_are_named_in_the_payload_and_steps_belong_to_the_best() -> None:
    with Memory(encoder=None) as memory:
        for run in ("one", "two"):
            for number in range(5):
                memory.add({"action": f"{run} act{number}", "observation": "ok"}, trajectory=run)
        evidence = memory.recall("what did two act3 at step 3 do?", 300)
        assert (evidence.items[0].trajectory, "[trajectory two]" in evidence.text) == ("two", True)
        assert ("two", 3) in {(item.trajectory, item.step) for item in evidence.items}


def test_scope_values_are_accepted_as_objects_or_mappings() -> None:
    with Memory(scope=Scope(session="s1"), encoder=None) as memory:
        assert memory.add("x") == "s1/s0"
        by_object = memory.sessions(scope=Scope(session="s1"))
        assert memory.sessions(scope={"session": "s1"}) == by_object
        assert [entry.session_id for entry in by_object] == ["s1"]
