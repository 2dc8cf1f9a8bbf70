"""Forget single steps: their place stays, blank, so that the others keep their citations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stepwell.store.contents import FORGOTTEN
from stepwell.store.forget import delete_files, delete_recalls, mark_rewritten
from stepwell.store.read import load_head, load_steps
from stepwell.store.rowids import rowid, span
from stepwell.store.rows import replace_step, title_of
from stepwell.store.vectors import recount
from stepwell.trajectory.merging import forgotten

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import apsw

    from stepwell.trajectory.model import Step

__all__ = ["forget_steps"]


def forget_steps(db: apsw.Connection, number: int, indices: Collection[int]) -> int:
    """Blank steps of a trajectory everywhere, inside the caller's transaction.

    Their text, passages, vectors, raw records and media go; the hash of what they said stays, so
    that the next reading of their log does not bring them back.

    Returns:
        How many steps were blanked.
    """
    steps = list(load_steps(db, number))
    doomed = [step for step in steps if step.index in indices and step != forgotten(step)]
    if not doomed:
        return 0
    for step in doomed:
        replace_step(db, number, forgotten(step), known=step)
        db.execute(
            "UPDATE contents SET state = ? WHERE id = ?", (FORGOTTEN, rowid(number, step.index))
        )
    mark_rewritten(db, number, step=doomed[0].index)
    recount(db, number)
    gone = {step.index for step in doomed}
    kept = [step for step in steps if step.index not in gone]
    _erase_raw(db, number, {ref for step in doomed for ref in step.raw_refs})
    _erase_media(db, number, {*_media(doomed)} - {*_media(kept)})
    head = load_head(db, number)
    title = title_of(None if head is None else head.task, kept)
    db.execute("UPDATE trajectories SET title = ? WHERE no = ?", (title, number))
    delete_recalls(db, number)
    delete_files(db, number)
    return len(doomed)


def _erase_raw(db: apsw.Connection, number: int, refs: set[int]) -> None:
    # The row stays: steps name raw records by their place.
    db.executemany(
        "UPDATE raw_records SET raw = x'30', sha256 = zeroblob(32), redacted = 1 WHERE id = ?",
        ((rowid(number, 0) + ref,) for ref in refs),
    )


def _erase_media(db: apsw.Connection, number: int, digests: set[str]) -> None:
    db.executemany(
        "DELETE FROM blobs WHERE sha256 = ? AND id BETWEEN ? AND ?",
        ((digest, *span(number)) for digest in digests),
    )


def _media(steps: list[Step]) -> Iterator[str]:
    for step in steps:
        for part in (*step.parts, *(part for result in step.results for part in result.parts)):
            if part.media is not None:
                yield part.media.sha256
