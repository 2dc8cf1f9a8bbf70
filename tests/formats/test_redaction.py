"""Credentials out of a whole trajectory: its texts, arguments and raw records."""

from __future__ import annotations

from typing import Any

import pytest

from stepwell.formats.redaction import redact_values
from stepwell.trajectory.model import Call, RawRecord, Result, Step, Trajectory

KEY = "AKIA" + "Q7" * 8
GONE = "[redacted:aws-key]"


def step(**fields: Any) -> Step:
    return Step(index=0, uid="u", kind="agent", actor="agent", **fields)


def record(raw: bytes) -> RawRecord:
    return RawRecord(source_uri="f", position="line:1", byte_offset=0, sha256="00", raw=raw)


def test_a_value_without_credentials_is_handed_back_itself() -> None:
    clean = step(message="port 5433", calls=(Call(uid="c", name="f", args={"a": [1, {"b": "x"}]}),))
    same, n = redact_values(clean)
    assert same is clean
    assert n == 0


def test_texts_arguments_and_results_are_redacted_and_counted() -> None:
    before = step(
        message=f"use {KEY}",
        thought=KEY,
        calls=(Call(uid="c", name="sh", args={"cmd": [f"run {KEY}", {"deep": KEY}]}),),
        results=(Result(call_uid="c", text=f"{KEY} and {KEY}"),),
    )
    after, n = redact_values(before)
    assert n == 6
    assert after.message == f"use {GONE}"
    assert after.thought == GONE
    assert after.calls[0].args == {"cmd": [f"run {GONE}", {"deep": GONE}]}
    assert after.results[0].text == f"{GONE} and {GONE}"
    assert after.results[0].call_uid == "c"


@pytest.mark.parametrize("field", ["uid", "parent_uid", "branch_id"])
def test_ids_stay_since_they_tie_values_together(field: str) -> None:
    values: dict[str, Any] = {"index": 0, "uid": "u", "kind": "user", "actor": "a", field: KEY}
    before = Step(**values)
    assert redact_values(before) == (before, 0)


def test_ids_of_trajectories_and_calls_stay() -> None:
    call = Call(uid=KEY, name="f", args={}, native_id=KEY)
    before = Trajectory(
        trajectory_id=KEY,
        session_id=KEY,
        source_format="toy",
        parent_trajectory_id=KEY,
        steps=(step(calls=(call,), results=(Result(call_uid=KEY, text="x"),)),),
    )
    assert redact_values(before) == (before, 0)


def test_raw_records_are_redacted_marked_and_not_counted() -> None:
    after, n = redact_values((record(f"raw {KEY} \xe9".encode("latin-1")), record(b"clean")))
    assert n == 0
    assert after[0].raw == f"raw {GONE} ".encode() + b"\xe9"
    assert after[0].redacted
    assert after[0].sha256 == "00"
    assert after[1] == record(b"clean")


@pytest.mark.parametrize("name", ["password", "api_key", "DB_PASSWORD", "token"])
def test_the_name_of_a_member_can_make_its_value_a_credential(name: str) -> None:
    after, n = redact_values({name: "abc123def", "note": "abc123def"})
    assert n == 1
    assert after["note"] == "abc123def"
    assert after[name].startswith("[redacted:")
    assert after[name].endswith("]")


def test_a_value_too_long_for_a_named_credential_stays() -> None:
    assert redact_values({"password": "a1" * 2048})[1] == 1
    assert redact_values({"password": "a1" * 2048 + "b"})[1] == 0


def test_a_name_that_is_a_credential_is_replaced_and_names_stay_apart() -> None:
    other = "AKIA" + "Z9" * 8
    after, n = redact_values({KEY: 1, other: 2, "plain": 3})
    assert n == 2
    assert after == {GONE: 1, f"{GONE} 1": 2, "plain": 3}


def test_a_caller_may_hold_names_that_are_no_text() -> None:
    assert redact_values({5: KEY}) == ({5: GONE}, 1)


def test_lists_and_tuples_stay_what_they_are() -> None:
    assert redact_values([KEY, 1]) == ([GONE, 1], 1)
    assert redact_values((KEY, None)) == ((GONE, None), 1)


def test_what_nests_too_deeply_is_left_out() -> None:
    deep: Any = KEY
    for _ in range(200):
        deep = [deep]
    after, n = redact_values(deep)
    assert n == 0
    levels = 0
    while isinstance(after, list):
        (after,) = after
        levels += 1
    assert after is None
    assert levels == 151


def test_what_nests_less_deeply_is_searched_to_the_end() -> None:
    deep: Any = {"note": KEY}
    for _ in range(140):
        deep = [deep]
    after, n = redact_values(deep)
    assert n == 1
    while isinstance(after, list):
        (after,) = after
    assert after == {"note": GONE}
