"""The vector structure: cosine over passages, exact within a trajectory, rescored across many."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from stepwell.encode.base import encoded
from stepwell.store.rowids import number_of, step_of
from stepwell.store.scope import Scope
from stepwell.store.vectors import (
    encoder_number,
    known_vectors,
    knows_encoder,
    save_vectors,
    stored_form,
    text_hash,
)
from stepwell.structures.base import Query, Ranking, Traits, Within
from stepwell.structures.matrices import Matrices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from stepwell.encode.base import Encoder
    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.structures.matrices import Matrix
    from stepwell.trajectory.passages import Passage

__all__ = ["Vector", "encode_passages", "vector_text"]

_EXACT_UP_TO = 20_000
"""Vectors scanned exactly (about 1 ms); above, a short scan picks candidates that are rescored."""

_RESCORED = 4
"""Candidates rescored for each one returned."""

_STEP_MATRICES = 16
"""Trajectories whose step vectors are kept: as many as units are kept of."""

_EMPTY_ROWS = np.empty(0, dtype=np.int64)
_EMPTY_SCORES = np.empty(0, dtype=np.float64)


def vector_text(passage: Passage) -> str:
    """Return what is encoded of a passage: its tool or actor, then its text."""
    return f"{passage.label}: {passage.text}"


def encode_passages(
    batch: Sequence[tuple[int, Passage]], *, known: dict[bytes, bytes], encoder: Encoder
) -> list[tuple[int, bytes, bytes]]:
    """Encode passages, taking vectors of equal texts from `known` and from the batch itself.

    Touches no database, so that a worker can run it without holding a lock.

    Returns:
        (row id, text hash, float16 bytes) per passage, in order.

    Raises:
        ModelUnavailableError: The encoder cannot encode, or what it gives are no vectors.
    """
    hashes = [text_hash(vector_text(passage)) for _, passage in batch]
    missing: dict[bytes, str] = {}
    for digest, (_, passage) in zip(hashes, batch, strict=True):
        if digest not in known:
            missing.setdefault(digest, vector_text(passage))
    fresh = stored_form(encoded(list(missing.values()), encoder=encoder)) if missing else []
    vectors = known | dict(zip(missing, fresh, strict=True))
    return [(row, digest, vectors[digest]) for digest, (row, _) in zip(hashes, batch, strict=True)]


@dataclass(slots=True)
class Vector:
    """Cosine similarity between the question's vector and each passage's.

    Vectors carry their encoder: those of another encoder are kept and never compared.
    """

    name = "vector"
    tokens = 3_700
    traits = Traits(matches="meaning", is_wide=True, why="its meaning matches")
    db: Database
    encoder: Encoder
    _matrices: Matrices | None = field(default=None, repr=False)
    _steps: OrderedDict[int, tuple[tuple[int, int], NDArray[np.float32]]] = field(
        default_factory=OrderedDict[int, "tuple[tuple[int, int], NDArray[np.float32]]"], repr=False
    )

    @property
    def number(self) -> int:
        """The encoder's number in this store."""
        return self.matrices.encoder

    @property
    def matrices(self) -> Matrices:
        """The vectors in memory."""
        if self._matrices is not None:
            return self._matrices
        dimension = self.encoder.dimension
        is_known = knows_encoder(self.db, self.encoder.encoder_id)
        number = encoder_number(self.db, self.encoder.encoder_id, dimension=dimension)
        found = Matrices(db=self.db, encoder=number, dimension=dimension)
        if is_known:  # a number that is given now is gone again if the transaction fails
            self._matrices = found
        return found

    def append(self, rowids: Sequence[int], passages: Sequence[Passage]) -> None:
        """Encode further passages and store their vectors."""
        batch = list(zip(rowids, passages, strict=True))
        hashes = [text_hash(vector_text(passage)) for passage in passages]
        known = known_vectors(self.db, self.number, Scope(), hashes)
        rows = encode_passages(batch, known=known, encoder=self.encoder)
        save_vectors(self.db, self.number, rows)

    def save(self) -> None:
        """Do nothing: what is added is stored at once."""

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:  # noqa: ARG002
        """Return nothing: what it can tell of a question is what it finds."""
        return {}

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        """Return the passages nearest to the question's vector.

        Up to 20,000 vectors in scope every one is compared. Above, a scan of 64 principal axes
        picks four candidates for each passage returned, and these are compared exactly; mean
        and deviation are then those of the scan.
        """
        known, ends = self.matrices.states(), self._ends(within)
        states = [known[number] for number in ends if number in known]
        total = sum(state.n_vectors for state in states)
        if query.vector is None or total == 0:
            return self._ranking(_EMPTY_ROWS, _EMPTY_SCORES, _EMPTY_SCORES, 0, within)
        matrices = {state.number: self.matrices.full(state) for state in states}
        ids = np.concatenate([matrix.ids for matrix in matrices.values()])
        if total <= _EXACT_UP_TO:
            found = [matrix.vectors @ query.vector for matrix in matrices.values()]
            scores = np.concatenate(found)
        else:
            scores = self.matrices.shortened(states, query.vector)
        if not within.is_all:
            sizes = [len(matrix.ids) for matrix in matrices.values()]
            allowed = ids <= np.repeat([ends[number] for number in matrices], sizes)
            ids, scores = ids[allowed], scores[allowed]
        best = top(scores, limit if total <= _EXACT_UP_TO else _RESCORED * limit)
        exact = scores[best]
        if total > _EXACT_UP_TO:
            exact = _exact(matrices, ids[best], query.vector)
        order = np.lexsort((ids[best], -exact))[:limit]
        return self._ranking(ids[best][order], exact[order], scores, len(ids), within)

    def step_vectors(self, entry: Entry) -> NDArray[np.float32] | None:
        """Return a unit vector for each step, the mean of its passages', shape (n, d).

        None until every passage of the trajectory is encoded: units would change under a reader;
        and None where a stored vector holds a value that is no number.
        """
        state = self.matrices.states().get(entry.number)
        if state is None or entry.n_steps == 0:
            return None
        known = self._steps.get(entry.number)
        if known is not None and known[0] == (state.version, entry.n_steps):
            return known[1]
        matrix = self.matrices.full(state)
        if len(matrix.ids) < entry.n_passages:
            return None
        steps = step_of(matrix.ids)
        starts = np.flatnonzero(np.r_[True, steps[1:] != steps[:-1]])
        vectors = np.zeros((entry.n_steps, matrix.vectors.shape[1]), dtype=np.float32)
        vectors[steps[starts]] = np.add.reduceat(matrix.vectors, starts, axis=0)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all():
            return None
        vectors /= np.where(lengths > 0, lengths, 1)
        self._steps[entry.number] = ((state.version, entry.n_steps), vectors)
        self._steps.move_to_end(entry.number)
        while len(self._steps) > _STEP_MATRICES:
            self._steps.popitem(last=False)
        return vectors

    def _ends(self, within: Within) -> dict[int, int]:
        return {number_of(first): last for first, last in within.spans}

    def _ranking(
        self,
        rows: NDArray[np.int64],
        found: NDArray[np.float32] | NDArray[np.float64],
        scores: NDArray[np.float32] | NDArray[np.float64],
        n_searched: int,
        within: Within,
    ) -> Ranking:
        return Ranking(
            structure=self.name,
            traits=self.traits,
            rowids=rows,
            scores=found.astype(np.float64),
            mean=float(scores.mean()) if len(scores) else 0.0,
            deviation=(float(scores.std()) if len(scores) else 0.0) or 1.0,
            is_sparse=False,
            coverage=min(1.0, n_searched / within.n_passages) if within.n_passages else 1.0,
        )


def _exact(
    matrices: Mapping[int, Matrix], rows: NDArray[np.int64], query: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the exact scores of some passages."""
    order = np.argsort(rows)
    ordered = rows[order]
    numbers, starts = np.unique(number_of(ordered), return_index=True)
    scores = np.empty(len(rows), dtype=np.float32)
    for number, start, end in zip(
        numbers.tolist(), starts.tolist(), [*starts[1:].tolist(), len(rows)], strict=True
    ):
        matrix = matrices[number]
        places = np.searchsorted(matrix.ids, ordered[start:end])
        scores[order[start:end]] = matrix.vectors[places] @ query
    return scores


def top(scores: NDArray[np.float32], n: int) -> NDArray[np.int64]:
    """Return the places of the n best scores, in no particular order, ties at the end included.

    The n-th best of the blocks' maxima is a lower bound for the n-th best score, and comparing
    with it is much faster than partitioning a long array.
    """
    if len(scores) <= n:
        return np.arange(len(scores))
    block = max(1, len(scores) // (4 * n))
    maxima = np.maximum.reduceat(scores, np.arange(0, len(scores), block))
    bound = np.partition(maxima, len(maxima) - n)[len(maxima) - n]
    candidates = np.flatnonzero(scores >= bound)
    if len(candidates) > 2 * n:
        cut = np.partition(scores[candidates], len(candidates) - n)[len(candidates) - n]
        candidates = candidates[scores[candidates] >= cut]
    return candidates
