"""The ledger of readings: one SQLite file, by question, budget, selection and code."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from stepwell.recall.find.context import in_order
from stepwell.store.readings import find_readings, readings_file, save_readings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from stepwell.policy.base import Selection
    from stepwell.store.sidefile import SideFile

__all__ = ["Key", "Ledger", "Reading", "selection_key", "selection_of_key"]

Key: TypeAlias = tuple[str, int, str]
"""Case, budget and selection."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of one selection for one question.

    Attributes:
        case: The question.
        budget: Tokens allowed.
        selection: What was read, as `selection_key` writes it.
        tokens: Tokens of the payload.
        evidence: Share of the gold steps that it shows.
        quoted: Share that quotations alone show.
        literal: Weighted share of the answer's words that it holds; None for an answer without.
        literals: Share of the answer's literals that it holds; None for an answer without.
        violations: Rules broken, separated by blanks; empty for none.
    """

    case: str
    budget: int
    selection: str
    tokens: int
    evidence: float
    quoted: float
    literal: float | None
    literals: float | None
    violations: str = ""


def selection_key(selection: Selection) -> str:
    """Return a selection in one word, equal for equal readings.

    >>> from stepwell.policy.base import Selection
    >>> selection_key(Selection(structures=("episodic", "temporal"), tokens={"temporal": 900}))
    'temporal:900+episodic'
    """
    return "+".join(
        f"{name}:{selection.tokens[name]}" if name in selection.tokens else name
        for name in in_order(selection.structures)
    )


def selection_of_key(key: str) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the structures and limits that a key writes.

    >>> selection_of_key("temporal:900+episodic")
    (('temporal', 'episodic'), {'temporal': 900})
    """
    parts = [part.partition(":") for part in key.split("+")]
    return (
        tuple(name for name, _, _ in parts),
        {name: int(limit) for name, _, limit in parts if limit},
    )


@dataclass(slots=True)
class Ledger:
    """Readings in a file.

    Attributes:
        path: The file.
        code: Readings of other code are not found: what is measured is the code as it stands.
    """

    path: Path
    code: str
    _file: SideFile = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._file = readings_file(self.path)

    def find(self, keys: Sequence[Key]) -> dict[Key, Reading]:
        """Return the readings that are known."""
        found = (Reading(*row) for row in find_readings(self._file, keys, code=self.code))
        return {(one.case, one.budget, one.selection): one for one in found}

    def keep(self, readings: Iterable[Reading]) -> None:
        """Keep readings for good."""
        save_readings(self._file, [(self.code, *astuple(one)) for one in readings])

    def close(self) -> None:
        """Close the file."""
        self._file.close()
