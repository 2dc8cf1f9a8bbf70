from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell.errors import StoreError
from stepwell.learn.replay.ledger import Ledger, Reading, selection_key, selection_of_key
from stepwell.policy.base import STRUCTURES, Selection

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def reading(
    case: str = "q", budget: int = 400, selection: str = "graph", **more: object
) -> Reading:
    given: dict[str, object] = {
        "tokens": 7,
        "evidence": 0.5,
        "quoted": 0.25,
        "literal": 1 / 3,
        "literals": None,
        "violations": "",
        **more,
    }
    return Reading(case=case, budget=budget, selection=selection, **given)  # type: ignore[arg-type]


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    found = Ledger(path=tmp_path / "made" / "readings.sqlite", code="one")
    yield found
    found.close()


def test_what_is_kept_is_found_as_it_was(ledger: Ledger) -> None:
    readings = [
        reading(),
        reading("Frage 'ü' \"x\"", literal=None, literals=0.0),
        reading(budget=800, violations="over-budget unquoted"),
        reading(selection="graph:90+units"),
    ]
    ledger.keep(readings)
    keys = [(one.case, one.budget, one.selection) for one in readings]
    assert ledger.find(keys) == dict(zip(keys, readings, strict=True))


def test_only_what_is_wanted_and_known_is_found(ledger: Ledger) -> None:
    ledger.keep([reading(), reading("other")])
    assert set(ledger.find([("q", 400, "graph"), ("q", 400, "graph")])) == {("q", 400, "graph")}
    for key in (("p", 400, "graph"), ("q", 401, "graph"), ("q", 400, "units")):
        assert ledger.find([key]) == {}
    assert ledger.find([]) == {}


def test_readings_of_other_code_are_not_found(ledger: Ledger) -> None:
    ledger.keep([reading()])
    other = Ledger(path=ledger.path, code="two")
    assert other.find([("q", 400, "graph")]) == {}
    other.keep([reading(tokens=9)])
    other.close()
    assert ledger.find([("q", 400, "graph")])["q", 400, "graph"].tokens == 7


def test_the_last_word_counts(ledger: Ledger) -> None:
    ledger.keep([reading(), reading(tokens=8)])
    ledger.keep([reading(tokens=9)])
    assert ledger.find([("q", 400, "graph")])["q", 400, "graph"].tokens == 9


def test_a_closed_ledger_opens_again_and_may_be_closed_twice(ledger: Ledger) -> None:
    ledger.close()
    ledger.keep([reading()])
    ledger.close()
    ledger.close()
    assert len(ledger.find([("q", 400, "graph")])) == 1


def test_a_path_that_is_no_ledger_is_an_error_with_advice(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("no database, but long enough to be looked at" * 20, encoding="utf-8")
    for path in (tmp_path, taken, taken / "below"):
        with pytest.raises(StoreError, match="cannot be opened") as raised:
            Ledger(path=path, code="one").find([("q", 1, "graph")])
        assert raised.value.hint == "Delete it, or give another file."


@given(
    st.lists(st.sampled_from([*STRUCTURES, "my-own"]), min_size=1, unique=True),
    st.dictionaries(st.sampled_from(STRUCTURES), st.integers(1, 10**6)),
)
def test_a_key_is_one_word_for_equal_readings(names: list[str], limits: dict[str, int]) -> None:
    tokens = {name: limit for name, limit in limits.items() if name in names}
    key = selection_key(Selection(structures=tuple(names), tokens=tokens))
    again = selection_key(Selection(structures=tuple(names[::-1]), tokens=tokens))
    assert key == again
    found, limited = selection_of_key(key)
    assert (set(found), limited) == (set(names), tokens)


def test_limits_of_what_is_not_read_say_nothing() -> None:
    selection = Selection(structures=("graph",), tokens={"units": 40})
    assert selection_key(selection) == "graph"
