"""Memory, the facade: add what an agent does, recall what answers a question, forget on request."""

from __future__ import annotations

import threading
from contextlib import closing
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Literal, Self

from stepwell.errors import InvalidInputError
from stepwell.memory.arguments import (
    as_scope,
    check_allocation,
    check_budget,
    check_citations,
    check_format,
    check_mode,
    check_moment,
    check_path,
    check_query,
    check_times,
)
from stepwell.memory.catalogue import Catalogue
from stepwell.memory.choosing import as_policy
from stepwell.memory.encoders import encoder_in_use, notices_of, prepared, usable_encoder
from stepwell.memory.forgetting import check_named, doomed, finish_erasing, forget
from stepwell.memory.indexing import Filler, count_unencoded, usable_filler
from stepwell.memory.looking import collect_stats
from stepwell.memory.reading import Reading
from stepwell.memory.recalls import RecallLog, check_reward, logged_recalls
from stepwell.memory.views import open_views
from stepwell.recall.question import Question
from stepwell.recall.recall import recall
from stepwell.store.database import explained, open_database, schema_version, transaction
from stepwell.store.scope import Scope
from stepwell.store.settings import mark_key
from stepwell.store.units import snapshot
from stepwell.store.vectors import drop_vectors
from stepwell.text.redact import Redactor, as_redactor
from stepwell.text.tokens import counter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from stepwell.encode.base import Encoder
    from stepwell.memory.adding import Ingested
    from stepwell.memory.choosing import Choice
    from stepwell.memory.forgetting import Doomed
    from stepwell.memory.looking import Stats
    from stepwell.memory.usage import UsageOptions, UsageReport
    from stepwell.recall.allocation import Allocator
    from stepwell.recall.evidence import Evidence, Format
    from stepwell.recall.question import Mode
    from stepwell.store.recalls import Recalled

__all__ = ["Memory"]

DEFAULT_BUDGET = 800
"""Tokens: what users of other memories grant one recall, and room for some ten excerpts."""


class Memory(Reading):
    """Memory over agent trajectories, in one SQLite file or in memory.

    Thread-safe; several processes may open the same file. With an encoder, a thread fills in
    vectors behind whatever is added; nothing waits for it, and `index` does when asked.

    Args:
        path: The database file; None keeps everything in memory.
        scope: What this memory is bound to: it is written on all that is added, and no call can
            leave it.
        encoder: `auto` takes the local encoder if it is installed; None turns vectors off; or any
            Encoder.
        tokenizer: `o200k` (exact) or `estimate` (a fourth of the characters).
        redact: Whether credentials, those in questions too, are replaced before anything is
            stored; or a Redactor with detectors of your own.
        clock: Returns the time now, in UTC.
        policy: Chooses the structures that a recall reads: the name or file of a policy, a Policy,
            or the names of the structures themselves.
        log_recalls: Whether what was asked and read is logged, so that `feedback` can be given.

    Raises:
        StoreError: The file cannot be used.
        NotFoundError: There is no such policy.
        PolicyError: The policy cannot be used.

    >>> with Memory(encoder=None) as memory:
    ...     _ = memory.add({"role": "user", "content": "The staging port is 5433."})
    ...     evidence = memory.recall("which port does staging use?", budget=200)
    >>> evidence.items[0].text
    'The staging port is 5433.'
    """

    def __init__(  # noqa: PLR0913  (what a memory is bound to for good)
        self,
        path: str | Path | None = None,
        *,
        scope: Scope | Mapping[str, str] | None = None,
        encoder: Encoder | Literal["auto"] | None = "auto",
        tokenizer: str = "o200k",
        redact: bool | Redactor = True,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        policy: Choice = "default",
        log_recalls: bool = True,
    ) -> None:
        self._counter = counter(tokenizer)
        self._scope = as_scope(scope)
        self._redact = as_redactor(redact)
        self._clock = clock
        self._lock = threading.RLock()
        self._db = open_database(None if path is None else check_path(path))
        finish_erasing(self._db)
        with explained(self._db):
            self._mark_key = mark_key(self._db)
        self._catalogue = Catalogue(self._db)
        chosen, self._vectors_off = usable_encoder(self._db, encoder)
        self._views = open_views(self._db, encoder=chosen)
        self._policy = as_policy(policy)
        self._recalls = RecallLog(self._db, self._scope, self._redact) if log_recalls else None
        view = self._views.vector
        self._filler = (
            None
            if view is None
            else (Filler(db=self._db, vector=view, scope=self._scope, lock=self._lock))
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the thread behind and close the file; what is not encoded stays for next time."""
        if self._filler is not None:
            self._filler.stop()
        with self._lock, explained(self._db), closing(self._db):
            if self._recalls is not None:
                self._recalls.finish()
            finish_erasing(self._db)

    def add(self, value: object, *, trajectory: str | None = None) -> str:
        """Add a live step or message; the very next recall sees it.

        A result (OpenAI `role: tool`, Anthropic `tool_result`) joins the step whose call it
        answers.

        Args:
            value: A Step, a string (the agent's message), an OpenAI or Anthropic message, an
                ATIF step, or a turn such as `{"action": ..., "observation": ...}`.
            trajectory: Id of the trajectory; by default the scope's, else its session's, else
                `live`.

        Returns:
            The citation of the step that holds it now.

        Raises:
            InvalidInputError: The value is none of these.
        """
        from stepwell.memory import adding  # noqa: PLC0415  (readers: a fourth of what starting costs)

        with self._lock, explained(self._db):
            live = adding.Live(
                scope=self._scope,
                trajectory_id=self._live_id(trajectory),
                now=self._clock(),
                redact=self._redact,
            )
            added = adding.add_live(self._db, value, episodic=self._views.episodic, live=live)
        self._wake()
        return added

    def ingest(
        self,
        path: str | Path,
        *,
        strict: bool = False,
        again: bool = False,
        progress: Callable[[str], None] | None = None,
    ) -> Ingested:
        """Read a log file, or every log under a folder; reading it again changes nothing.

        Args:
            path: The file or folder.
            strict: Whether anything skipped, repaired or odd is an error.
            again: Whether what was forgotten comes back.
            progress: Called with the name of each file before it is read.

        Raises:
            NotFoundError: There is no such file.
            UnknownFormatError: No reader knows the file.
            InvalidInputError: `strict`, and something is wrong with the input.
        """
        from stepwell.memory import adding  # noqa: PLC0415  (as in `add`)

        self._check_open()
        options = adding.Adding(
            scope=self._scope,
            lock=self._lock,
            clock=self._clock,
            redact=self._redact,
            strict=strict,
            again=again,
        )
        path = check_path(path)
        report = adding.add_path(
            self._db, path, episodic=self._views.episodic, adding=options, progress=progress
        )
        self._wake()
        return report

    def recall(  # noqa: PLR0913  (the words users know)
        self,
        query: str,
        budget: int = DEFAULT_BUDGET,
        *,
        scope: Scope | Mapping[str, str] | None = None,
        before: int | datetime | None = None,
        after: int | datetime | None = None,
        on: date | str | None = None,
        format: Format = "text",  # noqa: A002  (the word users know)
        mode: Mode = "adaptive",
        policy: Choice | None = None,
        allocation: Allocator | None = None,
    ) -> Evidence:
        """Return the evidence that answers a question, within a token budget.

        Args:
            query: The question; it may name steps ("at step 42", "between 3 and 9").
            budget: Tokens of the whole payload, at most.
            scope: Narrows this memory's scope.
            before: Only what was known before this step index, or before this moment.
            after: Only steps behind this index, or that began at this moment or later.
            on: Only steps of this day, or of the time such words as "last week" mean, in UTC.
            format: `text` for a prompt, `json` for a program; both within the budget.
            mode: How units take part where they are read: `adaptive` as far as scores are noise,
                `flat` not at all; `paper`, `plus` and `coverage` order steps as OSU-Mem does.
            policy: Chooses the structures to read, instead of this memory's policy.
            allocation: How the budget is shared among the steps found, and where spending stops.

        Raises:
            BudgetTooSmallError: The budget cannot hold even an empty payload.
            InvalidInputError: An argument is of the wrong type, or a time has no time zone.
            PolicyError: The policy cannot be used, or failed.
            ScopeError: `scope` contradicts the scope this memory is bound to.
        """
        now = self._clock()
        since, until = check_times(on, after=after, before=before, now=now)
        asked = check_query(query)
        if self._redact is not None:  # before an encoder elsewhere, or a policy, sees it
            asked = self._redact(asked)[0]
        question = Question(
            text=asked,
            budget=check_budget(budget),
            form=check_format(format),
            before=until,
            after=since,
            now=now,
            key=self._mark_key,
            counter=self._counter,
            policy=self._policy if policy is None else as_policy(policy),
            mode=check_mode(mode),
            allocation=check_allocation(allocation),
        )
        # Encoded before the lock is taken: it takes longer than everything under it.
        prepared_query, failure = prepared(question, self._views.vector)
        notices = notices_of(self._views.vector, self._vectors_off, self._filler)
        is_encoded = prepared_query.vector is not None
        with self._lock, explained(self._db):
            if self._views.vector is not None and is_encoded:
                _ = self._views.vector.number  # given now: within a snapshot nothing is written
            with snapshot(self._db):
                found = self._catalogue.of(self._scope.narrowed(as_scope(scope)))
                evidence = recall(
                    self._db,
                    question,
                    prepared_query,
                    sources=self._views.sources(with_vectors=is_encoded),
                    entries=found,
                    notices=(*notices, *failure, *self._views.left_out),
                )
            self._views.save()
            if self._recalls is not None:
                evidence = self._recalls.note(evidence, within=found, now=now)
        return evidence

    def feedback(self, id: str, reward: float) -> None:  # noqa: A002  (the word users know)
        """Say how good the answer to a recall's evidence was; `learn` learns from it.

        Args:
            id: The evidence's `id`.
            reward: From 0 (wrong) to 1 (right); True and False will do. The last word counts.

        Raises:
            NotFoundError: It is not logged: it quoted nothing, is forgotten, or is out of scope.
            InvalidInputError: No such number, or recalls are not logged.
        """
        if self._recalls is None:
            raise InvalidInputError(
                "This memory does not log recalls.", hint="Open it without log_recalls=False."
            )
        with self._lock, explained(self._db):
            self._recalls.reward(id, check_reward(reward), now=self._clock())

    def recalls(self, *, scope: Scope | Mapping[str, str] | None = None) -> list[Recalled]:
        """Return the logged recalls over trajectories in scope, oldest first."""
        with self._lock, explained(self._db):
            within = self._scope.narrowed(as_scope(scope))
            return logged_recalls(self._db, within, log=self._recalls)

    def audit(
        self,
        *,
        scope: Scope | Mapping[str, str] | None = None,
        options: UsageOptions | None = None,
        progress: Callable[[], None] | None = None,
    ) -> UsageReport:
        """Return how recalls use what is in scope: how unevenly, and what to do about it.

        Args:
            scope: Narrows this memory's scope.
            options: What is counted; None for the steps quoted by all recalls.
            progress: Called after each draw of the bootstrap.

        Raises:
            NotFoundError: Fewer than 20 recalls are logged.
        """
        from stepwell.memory import usage  # noqa: PLC0415  (loads the statistics)

        asked = options or usage.UsageOptions()
        with self._lock, explained(self._db):
            within = self._scope.narrowed(as_scope(scope))
            logged = usage.read_usage(self._db, within, asked, log=self._recalls, views=self._views)
        return usage.audit_usage(logged, asked, progress=progress)

    def forget(
        self,
        *,
        scope: Scope | Mapping[str, str] | None = None,
        steps: str = "",
        before: datetime | None = None,
        everything: bool = False,
    ) -> int:
        """Delete trajectories everywhere: text, indexes, vectors, media and raw records.

        Reading their logs again does not bring them back, unless `ingest` is told `again`.

        Args:
            scope: What to delete, subagents included; something must be named, unless
                `everything` says so.
            steps: Only the steps that a citation names, such as `run7/s3-s5,s9`.
            before: Only what is older than this moment.
            everything: Delete all that this memory's own scope holds.

        Returns:
            How many trajectories, or single steps, were deleted.

        Raises:
            InvalidInputError: Neither names anything.
            NotFoundError: There is no such step.
        """
        with self._lock, explained(self._db):
            return forget(
                self._db,
                self.doomed(scope=scope, steps=steps, before=before, everything=everything),
            )

    def doomed(
        self,
        *,
        scope: Scope | Mapping[str, str] | None = None,
        steps: str = "",
        before: datetime | None = None,
        everything: bool = False,
    ) -> Doomed:
        """Return what `forget` would delete."""
        named = as_scope(scope)
        if not steps and before is None:
            check_named(named, everything=everything)
        with self._lock, snapshot(self._db):
            return doomed(
                self._db,
                self._scope.narrowed(named),
                before=check_moment(before, name="before"),
                cited=check_citations(steps) if steps else (),
            )

    def stats(self) -> Stats:
        """Return the totals of this memory's scope."""
        with self._lock, explained(self._db):
            return collect_stats(
                self._db, self._scope, encoder=encoder_in_use(self._db, self._views.vector)
            )

    def index(
        self, *, limit: int | None = None, progress: Callable[[int], None] | None = None
    ) -> int:
        """Fill in missing vectors now, and return of how many passages; the next call goes on.

        Args:
            limit: At most so many passages.
            progress: Called with the number of passages after each portion.

        Raises:
            ModelUnavailableError: There is no encoder, or it failed.
        """
        self._check_open()
        usable = usable_filler(self._filler, why_not=self._vectors_off)
        return usable.fill(limit=limit, progress=progress)

    def reindex(self, *, progress: Callable[[int], None] | None = None) -> tuple[int, int]:
        """Encode all that is in scope with the encoder in use, then drop its vectors of others.

        Until it is done, the others' vectors are kept, so that a failure loses nothing. Returns how
        many passages were encoded, and how many vectors dropped.

        Args:
            progress: Called with the number of passages after each portion.

        Raises:
            ModelUnavailableError: There is no encoder, or it failed.
        """
        n_encoded = self.index(progress=progress)
        if self._views.vector is None or self.unindexed():
            return n_encoded, 0  # closed half-way
        with self._lock, transaction(self._db):
            return n_encoded, drop_vectors(self._db, self._scope, keep=self._views.vector.number)

    def unindexed(self) -> int:
        """Return how many passages in scope have no vector of the encoder in use."""
        self._check_open()
        with self._lock, explained(self._db):
            return count_unencoded(
                self._db, encoder_in_use(self._db, self._views.vector), self._scope
            )

    def _live_id(self, given: str | None) -> str:
        narrowed = self._scope.narrowed(as_scope(Scope(trajectory=given)))
        return narrowed.trajectory or self._scope.session or "live"

    def _check_open(self) -> None:
        with self._lock, explained(self._db):
            schema_version(self._db)

    def _wake(self) -> None:
        if self._filler is not None:
            self._filler.wake()
