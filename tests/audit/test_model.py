"""What binds a set of steps, and which options can be used."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from stepwell.audit.model import DEFAULT, Binding
from stepwell.errors import InvalidInputError


def binding(**found: bool) -> Binding:
    names = ("tools", "entities", "uncommon_tools", "uncommon_entities")
    return Binding(**{name: found.get(name, False) for name in names})


@pytest.mark.parametrize(
    ("tools", "entities", "cell"),
    [(True, True, "T+E+"), (True, False, "T+E-"), (False, True, "T-E+"), (False, False, "T-E-")],
)
def test_a_cell_says_what_is_shared(*, tools: bool, entities: bool, cell: str) -> None:
    found = binding(tools=tools, entities=entities)
    assert found.cell == cell
    assert found.is_any == (cell != "T-E-")


def test_uncommon_names_bind_whichever_they_are() -> None:
    for tools, entities in product((False, True), repeat=2):
        found = binding(uncommon_tools=tools, uncommon_entities=entities)
        assert found.is_uncommon == (tools or entities)
    assert not binding(tools=True, entities=True).is_uncommon


@pytest.mark.parametrize(("name", "least"), [("set_size", 2), ("anchors", 1), ("budget", 1)])
def test_numbers_that_are_too_small_are_refused(name: str, least: int) -> None:
    fine: dict[str, Any] = {name: least}
    assert getattr(replace(DEFAULT, **fine), name) == least
    small: dict[str, Any] = {name: least - 1}
    with pytest.raises(InvalidInputError, match=f"^{name} is {least - 1}.*at least {least}"):
        replace(DEFAULT, **small)


def test_by_default_a_recall_of_ask_is_meant() -> None:
    assert (DEFAULT.set_size, DEFAULT.anchors, DEFAULT.budget) == (3, 50, 800)
