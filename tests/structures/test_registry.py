"""The structures there are: in the order of their sections, and what packages may bring."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from stepwell.store.database import open_database
from stepwell.structures.graph.index import Graph
from stepwell.structures.registry import GROUP, NAMES, OWN, found, opened
from support.encoders import HashEncoder
from support.plugins import install

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import apsw


class Renamed(Graph):
    """Calls itself `graph`, whatever its entry point says."""


class Glossary(Graph):
    name = "glossary"


class Silent(Graph):
    name = "silent"
    traits = None  # type: ignore[assignment]


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    connection = open_database(None)
    yield connection
    connection.close()


@pytest.fixture(autouse=True)
def _looked_for_anew() -> Iterator[None]:
    found.cache_clear()
    yield
    found.cache_clear()


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    def installed(name: str, value: str) -> None:
        points = f"[{GROUP}]\n{name} = {value}\n"
        install(tmp_path, name=f"brings-{name}", code="", entry_points=points)
        monkeypatch.syspath_prepend(str(tmp_path))

    return installed


def test_own_structures_stand_in_the_order_of_their_sections(db: apsw.Connection) -> None:
    assert NAMES == ("summary", "temporal", "graph", "units", "vector", "episodic")
    assert tuple(one.name for one in opened(db, encoder=HashEncoder())[0]) == NAMES
    assert tuple(OWN) == NAMES


def test_without_an_encoder_there_is_no_vector(db: apsw.Connection) -> None:
    names = [one.name for one in opened(db)[0]]
    assert names == [name for name in NAMES if name != "vector"]


def test_what_a_package_brings_stands_behind(
    db: apsw.Connection, bring: Callable[[str, str], None]
) -> None:
    bring("glossary", f"{__name__}:Glossary")
    assert [one.name for one in opened(db)[0]][-2:] == ["episodic", "glossary"]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("units", "Glossary", "'units'.* has the name of another one"),
        ("mine", "Renamed", "'mine'.* calls itself 'graph'"),
        ("silent", "Silent", "'silent'.* does not say what it is"),
        ("gone", "NoSuchClass", "'gone'.* failed: AttributeError"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(
    db: apsw.Connection, bring: Callable[[str, str], None], name: str, value: str, message: str
) -> None:
    bring(name, f"{__name__}:{value}")
    structures, (told,) = opened(db)
    assert re.search(message, told)
    assert [one.name for one in structures] == [one for one in NAMES if one != "vector"]


def test_a_package_that_cannot_be_imported_is_named(
    db: apsw.Connection, bring: Callable[[str, str], None]
) -> None:
    bring("lost", "no_such_package.lost:Lost")
    (told,) = opened(db)[1]
    assert "No module named 'no_such_package'" in told
    assert told.endswith("Mend or uninstall what stands behind no_such_package.lost:Lost.")


def test_packages_are_looked_for_once(
    db: apsw.Connection, bring: Callable[[str, str], None]
) -> None:
    bring("glossary", f"{__name__}:Glossary")
    first = found()
    bring("units", f"{__name__}:Glossary")
    assert found() is first
    assert opened(db)[0][-1].name == "glossary"
