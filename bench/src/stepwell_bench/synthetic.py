"""Made-up agent runs for measuring speed: sizes and word statistics of real ones, no content."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from stepwell.trajectory.model import Call, Result, Step, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["WARM", "HashEncoder", "Probe", "n_runs", "probes", "runs", "ticket"]

WARM = 10
"""Calls before the clock runs: caches fill, as they do in any session."""

_STEPS_A_RUN = 500

_WORDS = """
account action agent answer argument array assert batch branch buffer build bytes cache call
change channel check class client column commit config connection context cookie count cursor
customer data database date debug default delete deploy device diff disk docker driver edge email
empty encode engine entry error event exception export failed field file filter flag folder format
function graph handler hash header host image import index input install instance invoice item
iterator job json kernel label layer length level library limit line list loader lock logger login
loop manager memory merge message method metric migration mock model module mount network node
number object offset option order output package page parser passed password patch path payload
payment permission pipeline plugin policy pool port prefix price process product profile project
prompt proxy query queue quota random range reader record redirect region release remote render
replica report request reset resource response result retry return role route row runner sample
schema scope script search section secret select sensor server service session setting shard shell
signal size socket source stack stage start state status step storage stream string style suffix
suite switch symbol table target task template tenant test thread ticket timeout token tool trace
tree trigger type unit update upload user value variable vector version view volume wait warning
weight widget window worker wrapper write yield zone
""".split()  # noqa: SIM905  (250 lines as a list)

_FIRST, _SECOND = ("b", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "st", "tr"), "aeiou"
_VOCABULARY = 8_000
"""Words in all: as many as a project's logs use often enough to matter to an index."""

_POOL = 20_000
"""Different log lines; real logs repeat their lines as well."""

_LINES = 12
"""Lines of a result: with the call about 1.2 KB a step."""

_WORDS_A_LINE = 9
_DIMENSION = 384


def n_runs(n_steps: int) -> int:
    """Return how many runs a store of so many steps holds: about 500 steps each, at least two."""
    return max(2, n_steps // _STEPS_A_RUN)


def ticket(number: int) -> str:
    """Return the identifier that only step `number` of all runs holds.

    >>> ticket(255)
    'req-000000ff'
    """
    return f"req-{number:08x}"


def runs(n_steps: int, *, n_runs: int, seed: int, first: int = 0) -> Iterator[Trajectory]:
    """Yield runs of equal length that have `n_steps` steps in all.

    Args:
        n_steps: Steps of all runs together.
        n_runs: How many runs.
        seed: Of the texts.
        first: Number of the first step among all, for tickets that differ from another call's.
    """
    rng = np.random.default_rng(seed)
    pool = _pool(rng)
    each = -(-n_steps // n_runs)
    for run in range(n_runs):
        start, end = run * each, min(n_steps, (run + 1) * each)
        steps = tuple(
            _step(number - start, first + number, pool, rng) for number in range(start, end)
        )
        if steps:
            name = f"run-{first + run:05d}"
            yield Trajectory(
                trajectory_id=name, session_id=name, source_format="synthetic", steps=steps
            )


def _pool(rng: np.random.Generator) -> list[str]:
    # Words by Zipf's law, as in any text; identifiers and numbers as in any log.
    syllables = [first + second for first in _FIRST for second in _SECOND]
    made = rng.choice(np.asarray(syllables), size=(_VOCABULARY - len(_WORDS), 3)).tolist()
    words = np.asarray([*rng.permutation(_WORDS).tolist(), *("".join(parts) for parts in made)])
    ranks = np.arange(1, len(words) + 1, dtype=np.float64)
    chances = (1 / ranks) / (1 / ranks).sum()
    drawn: list[list[str]] = rng.choice(words, size=(_POOL, _WORDS_A_LINE), p=chances).tolist()
    numbers: list[int] = rng.integers(1, 100_000, size=_POOL).tolist()
    return [
        f"{line[0]}_{line[1]}.py:{number % 900} {' '.join(line[2:])} {line[0]}={number}"
        for line, number in zip(drawn, numbers, strict=True)
    ]


def _step(index: int, number: int, pool: Sequence[str], rng: np.random.Generator) -> Step:
    places: list[int] = rng.integers(len(pool), size=_LINES + 1).tolist()
    lines = [pool[at] for at in places]
    uid = f"call-{number}"
    file = lines[0].split(":", 1)[0]
    command = f"pytest -q tests/{file} --maxfail={number % 7}"
    return Step(
        index=index,
        uid=f"s{number}",
        kind="agent",
        actor="agent",
        message=f"Next I look at {lines[0].split(' ', 1)[1]}.",
        calls=(Call(uid=uid, name="bash", args={"command": command}),),
        results=(Result(call_uid=uid, text="\n".join([f"id {ticket(number)}", *lines[1:]])),),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question about one step.

    Attributes:
        text: The question.
        trajectory: The run that holds the step.
        step: The step's index in it.
    """

    text: str
    trajectory: str
    step: int


def probes(made: Sequence[Trajectory], *, n: int, seed: int) -> list[Probe]:
    """Return questions of six words from a step; every second one also names its ticket."""
    rng = np.random.default_rng(seed)
    found: list[Probe] = []
    for at in range(n):
        run = made[int(rng.integers(len(made)))]
        step = run.steps[int(rng.integers(len(run.steps)))]
        lines = step.results[0].text.split("\n")
        words = [word for word in lines[1 + at % _LINES].split() if word.isalpha()]
        named = f"{lines[0]} " if at % 2 else ""
        text = f"what did {named}say about {' '.join(words[:6])}?"
        found.append(Probe(text=text, trajectory=run.trajectory_id, step=step.index))
    return found


@dataclass(slots=True)
class HashEncoder:
    """Adds up a signed unit per word at a place given by the word's hash: no model, and fast.

    It stands in for a real encoder where only the cost of the rest is measured. Vectors of single
    texts are remembered, so that encoding a question is paid before it is asked.
    """

    encoder_id: str = "bench-hash"
    dimension: int = _DIMENSION
    _known: dict[str, NDArray[np.float32]] = field(
        default_factory=dict[str, "NDArray[np.float32]"], repr=False
    )

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text, shape (len(texts), dimension)."""
        if len(texts) == 1:
            return self._remembered(texts[0])[None, :]
        return np.stack([self._vector(text) for text in texts])

    def _remembered(self, text: str) -> NDArray[np.float32]:
        if text not in self._known:
            self._known[text] = self._vector(text)
        return self._known[text]

    def _vector(self, text: str) -> NDArray[np.float32]:
        codes = np.asarray([zlib.crc32(word.encode()) for word in text.split()], dtype=np.int64)
        signs = 1.0 - 2.0 * (codes >> 16 & 1)
        places = codes % self.dimension
        row = np.bincount(places, weights=signs, minlength=self.dimension).astype(np.float64)
        row[0] += 0.01  # never zero
        return (row / np.linalg.norm(row)).astype(np.float32)
