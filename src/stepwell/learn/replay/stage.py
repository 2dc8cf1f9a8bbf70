"""The stage: a store, questions about its runs, and structures that remember their searches."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from pathlib import Path  # noqa: TC003  (sent to the workers)
from typing import TYPE_CHECKING, TypeAlias

from stepwell.learn.cases import Case
from stepwell.learn.replay.measure import measured
from stepwell.memory.views import open_views
from stepwell.policy.kinds import All
from stepwell.recall.find.find import look
from stepwell.recall.find.scope import within
from stepwell.recall.question import Question as Asked
from stepwell.recall.recall import recall
from stepwell.store.database import open_database
from stepwell.store.read import entries, load_trajectory
from stepwell.store.scope import Scope
from stepwell.store.units import snapshot
from stepwell.text.tokens import counter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from stepwell.encode.base import Encoder
    from stepwell.learn.replay.measure import Measure
    from stepwell.policy.base import Context, Policy, Selection
    from stepwell.recall.evidence import Evidence
    from stepwell.recall.find.context import Sources
    from stepwell.store.database import Database
    from stepwell.store.read import Entry
    from stepwell.structures.base import Query, Ranking, Structure, Traits, Within
    from stepwell.text.tokens import TokenCounter
    from stepwell.trajectory.model import Trajectory
    from stepwell.trajectory.questions import Question

    Progress: TypeAlias = Callable[[str, int, int], None]

__all__ = [
    "Chosen",
    "Remembered",
    "Stage",
    "Workbench",
    "derive_views",
    "open_stage",
    "without_vectors",
]

_SEARCHES = 256
"""Searches remembered: those of some questions."""


def without_vectors() -> None:
    """Open no encoder: questions are matched by words alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """Where questions are replayed; sent to every worker.

    Attributes:
        store: The database that holds the runs.
        questions: The questions; each has an id of its own, its trajectory and its steps.
        scope: Where its trajectories are looked up.
        open_encoder: Opens what encodes questions, in each worker; returns None without vectors.
        measure: Tells what a recall is worth.
        tokenizer: Counts tokens.
    """

    store: Path
    questions: tuple[Question, ...]
    scope: Scope = Scope()  # noqa: RUF009  (frozen)
    open_encoder: Callable[[], Encoder | None] = without_vectors
    measure: Measure = measured
    tokenizer: str = "o200k"


def derive_views(
    store: Path, *, scope: Scope | None = None, progress: Progress = lambda _w, _d, _t: None
) -> None:
    """Derive the views of every trajectory in scope once, instead of in each worker."""
    db = open_database(store)
    views = open_views(db, encoder=None)
    runs = entries(db, scope or Scope())
    for number, entry in enumerate(runs):
        progress("views derived", number, len(runs))
        views.derive(entry)
    db.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A policy that has chosen already: whatever the question, it reads one selection."""

    selection: Selection
    name: str = "chosen"

    def select(self, question: str, context: Context) -> Selection:  # noqa: ARG002  (of a Policy)
        """Return the selection."""
        return self.selection


@dataclass(slots=True)
class Stage:
    """An opened store and the questions asked of it; for one process and thread.

    Attributes:
        db: The store.
        encoder: Encodes questions.
        sources: What can be read; searches are remembered.
        bench: The questions, and where their trajectories are looked up.
        counter: Counts tokens.
    """

    db: Database
    encoder: Encoder | None
    sources: Sources
    bench: Workbench
    counter: TokenCounter
    _entries: dict[str, Entry] = field(default_factory=dict["str", "Entry"], repr=False)
    _trajectories: dict[str, Trajectory] = field(
        default_factory=dict["str", "Trajectory"], repr=False
    )
    _queries: dict[str, Query] = field(default_factory=dict["str", "Query"], repr=False)

    def cases(self, *, budget: int) -> Iterator[tuple[Case, Question]]:
        """Yield each question as a case, with the context a policy sees."""
        for question in self.bench.questions:
            yield self._case(question, budget=budget), question

    def recall(self, case: Case, policy: Policy) -> Evidence:
        """Return what a policy's choice recalls for a case."""
        asked = self._asked(case.question, case.context.budget, policy)
        query = self._query(asked)
        with snapshot(self.db):
            return recall(
                self.db,
                asked,
                query,
                sources=self.sources,
                entries=[self._entry(case.episode)],
            )

    def trajectory(self, name: str) -> Trajectory:
        """Return a trajectory as it is stored, credentials redacted."""
        if name not in self._trajectories:
            self._trajectories[name] = load_trajectory(self.db, self._entry(name).number)
        return self._trajectories[name]

    def _case(self, question: Question, *, budget: int) -> Case:
        name = question.trajectory or ""
        with snapshot(self.db):
            entry = self._entry(name)
            seen = look(
                self._query(self._asked(question.text, budget, All())),
                budget,
                entries=[entry],
                within=within(self.db, [entry]),
                sources=self.sources,
            )
        signals = dict(seen.context.signals)
        domain = question.domain or seen.context.domain
        context = replace(seen.context, signals=signals, domain=domain, kind=question.kind)
        return Case(id=question.id, episode=name, question=question.text, context=context)

    def _asked(self, text: str, budget: int, policy: Policy) -> Asked:
        return Asked(
            text=text,
            budget=budget,
            form="text",
            before=None,
            counter=self.counter,
            policy=policy,
        )

    def _query(self, asked: Asked) -> Query:
        if asked.text not in self._queries:
            self._queries[asked.text] = asked.query(self.encoder)
        return self._queries[asked.text]

    def _entry(self, name: str) -> Entry:
        if name not in self._entries:
            (self._entries[name],) = entries(self.db, replace(self.bench.scope, trajectory=name))
        return self._entries[name]


@dataclass(slots=True)
class Remembered:
    """A structure that remembers its latest searches: subsets of structures share them.

    Attributes:
        inner: The structure.
    """

    inner: Structure
    _found: OrderedDict[tuple[str, Within, int], Ranking] = field(
        default_factory=OrderedDict["tuple[str, Within, int]", "Ranking"], repr=False
    )

    @property
    def name(self) -> str:
        """The structure's name."""
        return self.inner.name

    @property
    def tokens(self) -> int:
        """The structure's most."""
        return self.inner.tokens

    @property
    def traits(self) -> Traits:
        """The structure's traits."""
        return self.inner.traits

    def save(self) -> None:
        """Save the structure."""
        self.inner.save()

    def signals(self, query: Query, *, within: Within) -> dict[str, float]:
        """Return the structure's signals."""
        return self.inner.signals(query, within=within)

    def search(self, query: Query, *, within: Within, limit: int) -> Ranking:
        """Return what the structure finds, as it was found before if it was."""
        key = (query.asked, within, limit)
        if key not in self._found:
            self._found[key] = self.inner.search(query, within=within, limit=limit)
        self._found.move_to_end(key)
        while len(self._found) > _SEARCHES:
            self._found.popitem(last=False)
        return self._found[key]


def open_stage(bench: Workbench) -> Stage:
    """Open a store and what reads it."""
    db = open_database(bench.store)
    encoder = bench.open_encoder()
    sources = open_views(db, encoder=encoder).sources()
    return Stage(
        db=db,
        encoder=encoder,
        sources=replace(sources, structures=tuple(map(Remembered, sources.structures))),
        bench=bench,
        counter=counter(bench.tokenizer),
    )
