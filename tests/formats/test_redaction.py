"""Credentials out of a whole trajectory: its texts, arguments and raw records."""

from __future__ import annotations

import base64
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from stepwell.formats.read import read_bytes
from stepwell.formats.redaction import redact_blobs, redact_id, redact_values
from stepwell.text.redact import redactor
from stepwell.trajectory.model import Blob, Call, Media, Part, RawRecord, Result, Step, Trajectory

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
def test_an_id_loses_its_credential_and_is_told_from_others(field: str) -> None:
    values: dict[str, Any] = {"index": 0, "uid": "u", "kind": "user", "actor": "a", field: KEY}
    (after, other) = (
        getattr(redact_values(Step(**{**values, field: key}))[0], field)
        for key in (KEY, "AKIA" + "Z9" * 8)
    )
    assert after.startswith(GONE)
    assert after != other


def test_ids_of_trajectories_and_calls_go_on_tying_values_together() -> None:
    call = Call(uid=KEY, name="f", args={}, native_id=KEY)
    before = Trajectory(
        trajectory_id=KEY,
        session_id=KEY,
        source_format="toy",
        parent_trajectory_id=KEY,
        steps=(step(calls=(call,), results=(Result(call_uid=KEY, text="x"),)),),
    )
    after, _ = redact_values(before)
    assert KEY not in repr(after)
    tied = after.steps[0].calls[0].uid
    assert tied == after.steps[0].results[0].call_uid == after.parent_trajectory_id
    assert redact_id(tied, redactor()) == tied


def test_media_that_are_text_are_redacted_and_their_digest_follows() -> None:
    media_types = ("text/plain", "application/json", "image/png")
    before = [
        Blob(sha256=f"{n}" * 64, media_type=name, data=f"{KEY} \xff".encode("latin-1"))
        for n, name in enumerate(media_types)
    ]
    after, digests = redact_blobs(before, redactor())
    assert [KEY.encode() in blob.data for blob in after] == [False, False, True]
    assert after[0].data == GONE.encode() + b" \xff"
    assert after[0].sha256 == sha256(after[0].data).hexdigest()
    shown = Part(kind="media", text="file", media=Media(media_type="text/plain", sha256="0" * 64))
    part, _ = redact_values(shown, digests=digests)
    assert part.media is not None
    assert part.media.sha256 == after[0].sha256


def test_a_text_in_base64_beside_its_media_type_is_redacted_within() -> None:
    def held(text: str) -> dict[str, str]:
        data = base64.b64encode(text.encode()).decode()
        return {"type": "base64", "media_type": "text/plain", "data": data}

    assert redact_values(held(f"key {KEY}")) == (held(f"key {GONE}"), 1)
    assert redact_values(held("plain")) == (held("plain"), 0)


def test_names_of_files_and_notices_hold_no_credential() -> None:
    said = msgspec.json.encode({"role": "user", "content": "hello"})
    log = said + b"\n{torn\n" + said
    read = read_bytes(log, uri=f"runs/{KEY}.json")
    assert read.report.notices
    assert KEY not in repr(read)


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
