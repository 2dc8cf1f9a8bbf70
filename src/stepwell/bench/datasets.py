"""Questions with known evidence: episodes of a benchmark beside the steps that answer them.

The gold stands in the same files as the episodes, but the readers of `ingest` leave it out; only
this module looks at it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from stepwell.bench.gold import dialogue_ids, literals, named_steps, without_steps
from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.ingest.ama_bench import AmaBench
from stepwell.ingest.base import Notes
from stepwell.ingest.decode import decode
from stepwell.ingest.documents import documents
from stepwell.ingest.fields import first_str, list_of, object_of
from stepwell.ingest.locomo import LoCoMo
from stepwell.trajectory.atoms import atoms_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from stepwell.ingest.base import Reader, Source
    from stepwell.trajectory.model import JsonObject, Step, Trajectory

__all__ = ["Dataset", "Episode", "Question", "load_episodes", "step_text"]

Dataset: TypeAlias = Literal["ama-bench", "locomo"]

_MOST_GOLD = 10
"""AMA-Bench questions that name more steps ask for a whole run, which no budget holds."""

_UNREADABLE = (".pdf", ".png", ".txt", ".md")
_READERS: dict[Dataset, Reader] = {"ama-bench": AmaBench(), "locomo": LoCoMo()}


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
        dataset: `ama-bench` or `locomo`.
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
        questions = (_ama_questions if dataset == "ama-bench" else _locomo_questions)(
            value, bundle.trajectory
        )
        yield Episode(trajectory=bundle.trajectory, path=path, questions=tuple(questions))


def _values(source: Source) -> Iterator[JsonObject]:
    for document in documents(source):
        yield object_of(document.value)


def _id(dataset: Dataset, value: JsonObject) -> str:
    if dataset == "ama-bench":
        return f"ama-{first_str(value, 'episode_id')}"
    return f"locomo-{first_str(value, 'sample_id')}"


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


def _said(entry: JsonObject, name: str) -> str:
    """Return a field as text: LoCoMo has answers that are numbers."""
    value: Any = entry.get(name)
    return "" if value is None else str(value)
