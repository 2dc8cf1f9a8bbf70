"""The log of usage: which steps each recall considered, and what became of them.

It hangs on the log of recalls: as many are kept, forgetting a trajectory forgets its steps' usage
and every recall that quoted it, and a memory that logs no recalls logs no usage.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import msgspec
import numpy as np

from stepwell.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import apsw
    from numpy.typing import NDArray

__all__ = ["FATES", "Access", "Fate", "Usage", "is_usage", "load_usage", "save_usage"]

Fate: TypeAlias = Literal["quoted", "told", "cut"]
"""Quoted in the payload; told of by a structure's line; or considered and left out."""

FATES: Final[tuple[Fate, ...]] = get_args(Fate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """One step in one recall.

    Attributes:
        number: Its trajectory.
        step: Its index.
        rank: Its rank among the candidates, from 1; of a step told of, that of the line.
        fate: What became of it.
        structure: The structure that ranked it highest, or said the line.
        tokens: Estimated tokens that it took.
    """

    number: int
    step: int
    rank: int
    fate: Fate
    structure: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Usage:
    """Accesses in columns, each of shape (a,), the oldest recall first.

    Attributes:
        recalls: Ids of the recalls, r of them.
        structures: Names of the structures.
        recall: Place of the recall in `recalls`.
        number: The trajectory.
        step: The step's index.
        rank: Its rank, from 1.
        fate: Its place in `FATES`.
        structure: Its place in `structures`.
        tokens: Estimated tokens that it took.
    """

    recalls: tuple[str, ...]
    structures: tuple[str, ...]
    recall: NDArray[np.int64]
    number: NDArray[np.int64]
    step: NDArray[np.int64]
    rank: NDArray[np.int64]
    fate: NDArray[np.int64]
    structure: NDArray[np.int64]
    tokens: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.step)

    def where(self, chosen: NDArray[np.bool_]) -> Usage:
        """Return the chosen accesses, of all the recalls still."""
        columns = {name: getattr(self, name)[chosen] for name in ("recall", "number", *_COLUMNS)}
        return Usage(recalls=self.recalls, structures=self.structures, **columns)

    def since(self, place: int) -> Usage:
        """Return the accesses of the recalls from a place on, as if there were no others."""
        rest = self.where(self.recall >= place)
        return replace(rest, recalls=self.recalls[place:], recall=rest.recall - place)


_COLUMNS: Final = ("step", "rank", "fate", "structure", "tokens")
_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(tuple[list[str], list[list[int]]])


def save_usage(db: apsw.Connection, recall: int, accesses: Sequence[Access]) -> None:
    """Log the accesses of a recall; inside the caller's transaction.

    Those of trajectories that are forgotten by now are left out.

    Args:
        db: The database.
        recall: Its number.
        accesses: In any order.
    """
    by_number = attrgetter("number")
    for number, group in groupby(sorted(accesses, key=by_number), key=by_number):
        db.execute(
            "INSERT INTO usage SELECT ?, no, ? FROM trajectories WHERE no = ?",
            (recall, _encoded(list(group)), number),
        )


def load_usage(db: apsw.Connection, *, numbers: Collection[int]) -> Usage:
    """Return the logged accesses of steps of these trajectories.

    Raises:
        StoreError: They are damaged.
    """
    allowed, ids, names = set(numbers), dict[str, int](), dict[str, int]()
    parts: list[NDArray[np.int64]] = []
    rows = db.execute(
        "SELECT recall_id, usage.no, body FROM usage JOIN recalls ON recalls.no = recall "
        "ORDER BY recall, usage.no"
    )
    for recall_id, number, body in rows:
        if number in allowed:
            structures, columns = _decoded(body)
            codes = [names.setdefault(name, len(names)) for name in structures]
            part = np.empty((2 + len(_COLUMNS), len(columns[0])), dtype=np.int64)
            part[0], part[1] = ids.setdefault(recall_id, len(ids)), number
            part[2:] = columns
            place = 2 + _COLUMNS.index("structure")
            part[place] = np.asarray(codes, dtype=np.int64)[part[place]]
            parts.append(part)
    joined = np.concatenate(parts, axis=1) if parts else np.empty((7, 0), dtype=np.int64)
    named = dict(zip(("recall", "number", *_COLUMNS), joined, strict=True))
    return Usage(recalls=tuple(ids), structures=tuple(names), **named)


def is_usage(body: bytes) -> bool:
    """Tell whether what is logged of a recall can be read."""
    with suppress(StoreError):
        return all(len(column) for column in _decoded(body)[1])
    return False


def _encoded(accesses: Sequence[Access]) -> bytes:
    names = list(dict.fromkeys(one.structure for one in accesses))
    columns = [
        [one.step for one in accesses],
        [one.rank for one in accesses],
        [FATES.index(one.fate) for one in accesses],
        [names.index(one.structure) for one in accesses],
        [one.tokens for one in accesses],
    ]
    return _encoder.encode((names, columns))


def _decoded(body: bytes) -> tuple[list[str], list[list[int]]]:
    try:
        names, columns = _decoder.decode(body)
    except msgspec.MsgspecError as error:
        raise StoreError(
            f"What is logged of a recall is damaged: {error}",
            hint="Restore the file from a backup.",
        ) from error
    return names, columns
