"""Dialects of first contact tell all that a reader has to know, and nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stepwell_bench.mesa.dialects import Deed, Dialect, View
from stepwell_bench.mesa.firstcontact import FIRST_CONTACT

NAMES = ("mug 1", "mug 2", "ящик 3", "side table 4", "引き出し 1", "κλειδί 2", "Löffel 3")
OF_ONE = ("go", "take", "put", "open", "close", "examine")

every_dialect = pytest.mark.parametrize("dialect", FIRST_CONTACT, ids=lambda one: one.name)


@every_dialect
def test_no_two_deeds_read_the_same(dialect: Dialect) -> None:
    deeds = [Deed(kind=kind, thing=name) for kind in OF_ONE for name in NAMES]
    deeds += [Deed(kind=kind) for kind in ("look", "inventory", "help")]
    assert len({dialect.action(deed) for deed in deeds}) == len(deeds)
    if dialect.call is not None:
        assert len({str(dialect.call(deed)) for deed in deeds}) == len(deeds)


@every_dialect
@pytest.mark.parametrize("kind", ["take", "put"])
def test_what_moved_and_where_it_was_put_is_told(dialect: Dialect, kind: str) -> None:
    for name in NAMES:
        deed = Deed(kind=kind, thing=name, place="Regal 2")
        view = View(here="Regal 2", carried=(), seen=(), is_open=True, score=0, left=5)
        told = dialect.observation(deed, view)
        refused = dialect.observation(replace(deed, works=False), view)
        assert name in told
        assert "Regal 2" in told
        assert told != refused


@every_dialect
@pytest.mark.parametrize("kind", sorted({"go", "open", "look"}))
def test_what_is_shut_shows_nothing_and_what_is_not_shows_all(dialect: Dialect, kind: str) -> None:
    deed = Deed(kind=kind, thing="Truhe 1" if kind != "look" else "")
    shut = View(here="Truhe 1", carried=(), seen=None, is_open=False, score=0, left=5)
    told = dialect.observation(deed, replace(shut, seen=NAMES[:3], is_open=True))
    assert kind in dialect.shows
    assert all(name in told for name in NAMES[:3])
    assert not any(name in dialect.observation(deed, shut) for name in NAMES)
