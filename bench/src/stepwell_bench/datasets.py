"""Questions with known evidence: episodes of a benchmark beside the steps that answer them.

The gold stands in the same files as the episodes, but the readers of `ingest` leave it out; only
this module looks at it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.formats.base import Notes
from stepwell.formats.files.decode import decode
from stepwell.formats.files.documents import documents
from stepwell.trajectory.atoms import atoms_of
from stepwell.trajectory.fields import first_str, list_of, object_of
from stepwell_bench.gold import dialogue_ids, literals, named_steps, without_steps
from stepwell_bench.readers.ama_bench import AmaBench
from stepwell_bench.readers.locomo import LoCoMo
from stepwell_bench.readers.longmemeval import LongMemEval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np

    from stepwell.formats.base import Reader, Source
    from stepwell.trajectory.model import JsonObject, Step, Trajectory

__all__ = ["Dataset", "Episode", "Question", "load_episodes", "step_text"]

Dataset: TypeAlias = Literal["ama-bench", "locomo", "longmemeval"]

_MOST_GOLD = 10
"""AMA-Bench questions that name more steps ask for a whole run, which no budget holds."""

_UNREADABLE = (".pdf", ".png", ".txt", ".md")
_READERS: dict[Dataset, Reader] = {
    "ama-bench": AmaBench(),
    "locomo": LoCoMo(),
    "longmemeval": LongMemEval(),
}
_IDS: dict[Dataset, tuple[str, str]] = {
    "ama-bench": ("ama", "episode_id"),
    "locomo": ("locomo", "sample_id"),
    "longmemeval": ("longmemeval", "question_id"),
}
"""How a reader makes a trajectory's id: a prefix, and the field that holds the rest."""

_ABSTAINS = "_abs"
"""Ends the id of a LongMemEval question whose right answer is that nothing was said of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question whose evidence is known.

    Attributes:
        id: Unique within the data set.
        text: The question as asked.
        bare: The question without any step number.
        answer: The gold answer.
        gold: The steps that hold the evidence, ascending; never empty.
        literals: Strings of the gold answer that one to three steps of the episode hold.
        domain: What the episode is about.
        kind: The question's type in the data set.
    """

    id: str
    text: str
    bare: str
    answer: str
    gold: tuple[int, ...]
    literals: tuple[str, ...]
    domain: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A trajectory with its questions; `path` is the file that holds it."""

    trajectory: Trajectory
    path: Path
    questions: tuple[Question, ...]


def load_episodes(
    dataset: Dataset,
    data: str | Path,
    *,
    count: int | None = None,
    rng: np.random.Generator | None = None,
) -> list[Episode]:
    """Return the episodes under a folder that have questions with known evidence, by id.

    Args:
        dataset: `ama-bench`, `locomo` or `longmemeval`.
        data: The folder, or one file.
        count: A random sample of so many episodes; None for all.
        rng: Where the sample comes from; without it the first `count` are taken.

    Raises:
        NotFoundError: There is nothing at `data`.
        InvalidInputError: Nothing there is an episode of this data set.
    """
    root = Path(data).expanduser()
    if not root.exists():
        raise NotFoundError(f"There is no {root}.", hint="Name the folder that holds the data set.")
    files = [root] if root.is_file() else sorted(path for path in root.rglob("*") if path.is_file())
    found = [episode for path in files for episode in _read(dataset, path) if episode.questions]
    if not found:
        raise InvalidInputError(
            f"No file under {root} holds {dataset} episodes with questions.",
            hint="Give the folder of the data set's JSON files, and the right --dataset.",
        )
    found.sort(key=lambda episode: episode.trajectory.trajectory_id)
    if count is None or count >= len(found):
        return found
    places = range(count) if rng is None else rng.choice(len(found), count, replace=False)
    return [found[place] for place in sorted(int(place) for place in places)]


def step_text(step: Step) -> str:
    """Return everything a step says: its atoms, one after the other."""
    return "\n".join(atom.text for atom in atoms_of(step))


def _read(dataset: Dataset, path: Path) -> Iterator[Episode]:
    if path.suffix.lower() in _UNREADABLE:
        return
    notes = Notes(uri=str(path))
    source = decode(path.read_bytes(), notes=notes)
    reader = _READERS[dataset]
    if reader.sniff(source) == 0:
        return
    gold = {_id(dataset, value): value for value in _values(source)}
    for bundle in reader.read(source, notes):
        value = gold.get(bundle.trajectory.trajectory_id, {})
        questions = tuple(_QUESTIONS[dataset](value, bundle.trajectory))
        yield Episode(trajectory=bundle.trajectory, path=path, questions=questions)


def _values(source: Source) -> Iterator[JsonObject]:
    for document in documents(source):
        yield object_of(document.value)


def _id(dataset: Dataset, value: JsonObject) -> str:
    prefix, field = _IDS[dataset]
    return f"{prefix}-{first_str(value, field)}"


def _ama_questions(value: JsonObject, trajectory: Trajectory) -> Iterator[Question]:
    steps = [step_text(step).lower() for step in trajectory.steps]
    for number, entry in enumerate(map(object_of, list_of(value.get("qa_pairs")))):
        text, answer = _said(entry, "question"), _said(entry, "answer")
        gold = named_steps(text, answer, n_steps=len(steps))
        if 1 <= len(gold) <= _MOST_GOLD:
            yield Question(
                id=f"{trajectory.trajectory_id}#{number}",
                text=text,
                bare=without_steps(text),
                answer=answer,
                gold=gold,
                literals=literals(answer, steps=steps),
                domain=first_str(value, "domain") or "unknown",
                kind=first_str(entry, "type") or "unknown",
            )


def _locomo_questions(value: JsonObject, trajectory: Trajectory) -> Iterator[Question]:
    steps = [step_text(step).lower() for step in trajectory.steps]
    places = {
        found: step.index
        for step in trajectory.steps
        for found in dialogue_ids([step.native_ids.get("dia_id")])
    }
    for number, entry in enumerate(map(object_of, list_of(value.get("qa")))):
        named = dialogue_ids(list_of(entry.get("evidence")))
        gold = tuple(sorted({places[found] for found in named if found in places}))
        if gold:
            text, answer = _said(entry, "question"), _said(entry, "answer")
            yield Question(
                id=f"{trajectory.trajectory_id}#{number}",
                text=text,
                bare=without_steps(text),
                answer=answer,
                gold=gold,
                literals=literals(answer, steps=steps),
                domain="Conversation",
                kind=f"category {first_str(entry, 'category') or 'unknown'}",
            )


def _longmemeval_questions(value: JsonObject, trajectory: Trajectory) -> Iterator[Question]:
    """Yield the one question of a haystack, unless nothing in it answers it."""
    gold = _answering(value, trajectory)
    if not gold or (first_str(value, "question_id") or "").endswith(_ABSTAINS):
        return
    steps = [step_text(step).lower() for step in trajectory.steps]
    text, answer = _said(value, "question"), _said(value, "answer")
    yield Question(
        id=trajectory.trajectory_id,
        text=text,
        bare=without_steps(text),
        answer=answer,
        gold=gold,
        literals=literals(answer, steps=steps),
        domain="Conversation",
        kind=first_str(value, "question_type") or "unknown",
    )


def _answering(value: JsonObject, trajectory: Trajectory) -> tuple[int, ...]:
    """Return the steps labelled with `has_answer`; without labels, those of the answer sessions."""
    places = {step.native_ids["turn"]: step.index for step in trajectory.steps}
    sessions = list(map(list_of, list_of(value.get("haystack_sessions"))))
    labelled = [
        (session, at)
        for session, turns in enumerate(sessions)
        for at, turn in enumerate(turns)
        if object_of(turn).get("has_answer") is True
    ]
    if not labelled:
        answering = set(map(str, list_of(value.get("answer_session_ids"))))
        names = map(str, list_of(value.get("haystack_session_ids")))
        labelled = [
            (session, at)
            for session, (name, turns) in enumerate(zip(names, sessions, strict=False))
            for at in range(len(turns))
            if name in answering
        ]
    return tuple(sorted(places[f"{session}:{at}"] for session, at in labelled))


def _said(entry: JsonObject, name: str) -> str:
    """Return a field as text: LoCoMo has answers that are numbers."""
    value: Any = entry.get(name)
    return "" if value is None else str(value)


_QUESTIONS: dict[Dataset, Callable[[JsonObject, Trajectory], Iterator[Question]]] = {
    "ama-bench": _ama_questions,
    "locomo": _locomo_questions,
    "longmemeval": _longmemeval_questions,
}
