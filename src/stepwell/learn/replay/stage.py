"""The stage: the store of a data set, its questions, and the structures that remember searches."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from pathlib import Path  # noqa: TC003  (sent to the workers)
from typing import TYPE_CHECKING

from stepwell.encode.registry import default_encoder
from stepwell.errors import ModelUnavailableError
from stepwell.learn.cases import Case
from stepwell.memory.memory import Memory
from stepwell.memory.views import open_views
from stepwell.policy.kinds import All
from stepwell.recall.find.gather import within
from stepwell.recall.find.reading import look
from stepwell.recall.recall import Request, recall
from stepwell.store.database import open_database
from stepwell.store.read import entries, load_trajectory
from stepwell.store.scope import Scope
from stepwell.store.units import snapshot
from stepwell.text.tokens import counter
from stepwell_bench.datasets import Dataset, load_episodes
from stepwell_bench.vectorcache import CachedEncoder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import apsw

    from stepwell.encode.base import Encoder
    from stepwell.policy.base import Policy
    from stepwell.recall.evidence import Evidence
    from stepwell.recall.find.context import Sources
    from stepwell.store.read import Entry
    from stepwell.structures.base import Query, Ranking, Structure, Traits, Within
    from stepwell.text.tokens import TokenCounter
    from stepwell.trajectory.model import Trajectory
    from stepwell.trajectory.passages import Passage
    from stepwell_bench.datasets import Episode, Question
    from stepwell_bench.scoring import Mode

__all__ = ["Remembered", "Stage", "Workbench", "build_store", "case_id", "open_stage"]

_SEARCHES = 256
"""Searches remembered: those of some questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """Where readings are done; sent to every worker.

    Attributes:
        dataset: The data set.
        data: Its folder.
        store: The database built from it.
        vectors: The file that keeps vectors between runs; None leaves vectors out.
        tokenizer: Counts tokens.
    """

    dataset: Dataset
    data: Path
    store: Path
    vectors: Path | None
    tokenizer: str = "o200k"

    def encoder(self) -> CachedEncoder | None:
        """Return what encodes questions; None without vectors.

        Raises:
            ModelUnavailableError: The local encoder is not installed.
        """
        if self.vectors is None:
            return None
        found, why = default_encoder()
        if found is None:
            raise ModelUnavailableError(why, hint="Or leave vectors out.")
        return CachedEncoder(found, self.vectors)


def build_store(
    bench: Workbench, *, progress: Callable[[str, int, int], None] = lambda _w, _d, _t: None
) -> None:
    """Read the data set into the store, and encode it, as far as that is not done yet."""
    with Memory(bench.store, encoder=None) as memory:
        episodes = load_episodes(bench.dataset, bench.data)
        known = {entry.trajectory_id for entry in memory.sessions()}
        files = sorted({one.path for one in episodes if one.trajectory.trajectory_id not in known})
        for number, file in enumerate(files):
            progress("files read", number, len(files))
            memory.ingest(file)
    _derive(bench, progress)
    encoder = bench.encoder()
    if encoder is None:
        return
    with Memory(bench.store, encoder=encoder) as memory:
        done, total = 0, memory.unindexed()

        def count(n: int) -> None:
            nonlocal done
            done += n
            progress("passages encoded", done, total)

        memory.index(progress=count)
    encoder.close()


def _derive(bench: Workbench, progress: Callable[[str, int, int], None]) -> None:
    """Derive the views of every trajectory once, instead of in each worker."""
    db = open_database(bench.store)
    views = open_views(db, encoder=None)
    runs = entries(db, Scope())
    for number, entry in enumerate(runs):
        progress("views derived", number, len(runs))
        views.derive(entry)
    db.close()


def case_id(question: Question, mode: Mode) -> str:
    """Return the id of a question asked in one way."""
    return f"{question.id} {mode}"


@dataclass(slots=True)
class Stage:
    """An opened store and the questions asked of it; for one process and thread.

    Attributes:
        db: The store.
        encoder: Encodes questions.
        sources: What can be read; searches are remembered.
        episodes: The episodes with their questions, by trajectory.
        counter: Counts tokens.
    """

    db: apsw.Connection
    encoder: Encoder | None
    sources: Sources
    episodes: Mapping[str, Episode]
    counter: TokenCounter
    _entries: dict[str, Entry] = field(default_factory=dict["str", "Entry"], repr=False)
    _trajectories: dict[str, Trajectory] = field(
        default_factory=dict["str", "Trajectory"], repr=False
    )
    _queries: dict[str, Query] = field(default_factory=dict["str", "Query"], repr=False)

    def cases(self, *, budget: int, modes: Sequence[Mode]) -> Iterator[tuple[Case, Question]]:
        """Yield each question in each way of asking, with the context a policy sees.

        A question without step numbers is the same in both ways, and comes once.
        """
        for episode in self.episodes.values():
            for question in episode.questions:
                for mode in modes:
                    if mode == "stripped" and len(modes) > 1 and question.bare == question.text:
                        continue
                    yield self._case(episode, question, mode, budget=budget), question

    def recall(self, case: Case, policy: Policy) -> Evidence:
        """Return what a policy's choice recalls for a case."""
        request = self._request(case.question, case.context.budget, policy)
        query = self._query(request)
        with snapshot(self.db):
            return recall(
                self.db,
                request,
                query,
                sources=self.sources,
                entries=[self._entry(case.episode)],
            )

    def trajectory(self, name: str) -> Trajectory:
        """Return a trajectory as it is stored, credentials redacted."""
        if name not in self._trajectories:
            self._trajectories[name] = load_trajectory(self.db, self._entry(name).number)
        return self._trajectories[name]

    def _case(self, episode: Episode, question: Question, mode: Mode, *, budget: int) -> Case:
        name = episode.trajectory.trajectory_id
        text = question.text if mode == "as-asked" else question.bare
        with snapshot(self.db):
            entry = self._entry(name)
            seen = look(
                self._query(self._request(text, budget, All())),
                budget,
                entries=[entry],
                within=within(self.db, [entry]),
                sources=self.sources,
            )
        signals = dict(seen.context.signals)
        context = replace(seen.context, signals=signals, domain=question.domain, kind=question.kind)
        return Case(id=case_id(question, mode), episode=name, question=text, context=context)

    def _request(self, question: str, budget: int, policy: Policy) -> Request:
        return Request(
            question=question,
            budget=budget,
            form="text",
            before=None,
            counter=self.counter,
            policy=policy,
        )

    def _query(self, request: Request) -> Query:
        if request.question not in self._queries:
            self._queries[request.question] = request.query(self.encoder)
        return self._queries[request.question]

    def _entry(self, name: str) -> Entry:
        if name not in self._entries:
            (self._entries[name],) = entries(self.db, Scope(trajectory=name))
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

    def append(self, rowids: Sequence[int], passages: Sequence[Passage]) -> None:
        """Append to the structure."""
        self._found.clear()
        self.inner.append(rowids, passages)

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
    """Open a store that `build_store` has built."""
    db = open_database(bench.store)
    encoder = bench.encoder()
    sources = open_views(db, encoder=encoder).sources()
    episodes = load_episodes(bench.dataset, bench.data)
    return Stage(
        db=db,
        encoder=encoder,
        sources=replace(sources, structures=tuple(map(Remembered, sources.structures))),
        episodes={one.trajectory.trajectory_id: one for one in episodes},
        counter=counter(bench.tokenizer),
    )
