"""Policies as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.policy.base import STRUCTURES, Context
from stepwell.policy.files import diff, loads
from stepwell.policy.registry import find, list_policies
from stepwell.serve.documents.policies import (
    difference_document,
    path_document,
    policies_document,
    policy_document,
    selection_document,
    warnings_of,
)
from support.documents import documented, undocumented, unwritten

if TYPE_CHECKING:
    from pathlib import Path

RULES = """\
name = "mine"
kind = "rules"
description = "Counts from the state log."
default = ["vector", "diary"]

[[rule]]
when = ["asks count"]
read = ["temporal", "episodic"]
tokens = { temporal = 300 }
"""


def test_policies_are_listed_with_those_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(RULES, encoding="utf-8")
    (tmp_path / "odd.toml").write_text("name = 3", encoding="utf-8")
    document = policies_document(list_policies((tmp_path,)))
    rows = {row["name"]: row for row in document}
    assert rows["mine"]["problem"] is None
    assert rows["mine"]["path"] == str(tmp_path / "mine.toml")
    assert (rows["mine"]["kind"], rows["mine"]["version"]) == ("rules", 1)
    assert rows["mine"]["description"] == "Counts from the state log."
    assert len(rows["mine"]["digest"]) == 64
    assert "odd.toml" in rows["odd"]["problem"]
    assert rows["odd"]["kind"] is rows["odd"]["version"] is rows["odd"]["digest"] is None
    assert undocumented(document, "policy list") == unwritten(document, "policy list") == set()


def test_a_policy_is_told_as_its_file_says_it() -> None:
    document = policy_document(loads(RULES))
    assert document["policy"]["rule"][0]["tokens"] == {"temporal": 300}
    assert document["policy"]["default"] == ["vector", "diary"]
    assert document["warnings"] == ["There is no structure `diary` in Stepwell."]
    assert undocumented(document, "policy show") == unwritten(document, "policy show") == set()


def test_a_policy_of_known_structures_is_not_odd() -> None:
    assert warnings_of(find("plain")) == []


def test_a_selection_is_told_with_what_the_policy_saw() -> None:
    file = loads(RULES)
    context = Context(available=STRUCTURES, budget=800, signals={"temporal.slots": 2.0})
    question = "How often was it run?"
    selection = file.select(question, context)
    document = selection_document(question, file, selection, context=context)
    assert document["policy"] == "mine"
    assert document["structures"] == ["temporal", "episodic"]
    assert document["tokens"] == {"temporal": 300}
    assert "count" in document["cues"]
    assert document["cues"] == sorted(document["cues"])
    assert document["signals"] == {"temporal.slots": 2.0}
    assert undocumented(document, "policy try") == unwritten(document, "policy try") == set()


def test_a_difference_says_whether_there_is_one() -> None:
    assert difference_document("") == {"same": True, "diff": ""}
    said = diff(find("plain"), find("all"))
    assert difference_document(said) == {"same": False, "diff": said}
    assert documented("policy diff") == {"same", "diff"}


def test_a_path_is_a_string(tmp_path: Path) -> None:
    assert path_document(tmp_path) == {"path": str(tmp_path)}
    assert documented("policy path") == {"path"}
