"""Nothing that one owner calls tells of another: not a word, not a count, not an error."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from stepwell.errors import StepwellError
from stepwell.memory.memory import Memory
from support.encoders import HashEncoder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

NEEDLE = "zanzibarquokka"
NOW = datetime(2026, 3, 2, tzinfo=UTC)
MINE = {"user_id": "b"}
HIDDEN = [
    {"user_id": "a"},
    {"user_id": "a", "agent_id": "x"},
    {"user_id": "B"},
    {"user_id": "b "},
    {"user_id": "%"},
]
"""Owners that look like `b`, or like all."""


def put(memory: Memory, word: str, n: int, trajectory: str) -> None:
    memory.add(
        {"role": "user", "content": f"The {word} sleeps at dock {n}."}, trajectory=trajectory
    )
    turn = {"action": f"{word}_tool /data/{word}.py {n}", "observation": f"{word} {n} found\nok"}
    memory.add(turn, trajectory=trajectory)


def filled(path: Path, *, with_others: bool) -> None:
    with Memory(path, scope=MINE, encoder=None, clock=lambda: NOW) as memory:
        for n in range(8):
            put(memory, "walrus", n, "mine")
    for owner in HIDDEN if with_others else ():
        with Memory(path, scope=owner, encoder=None, clock=lambda: NOW) as memory:
            for n in range(5):
                put(memory, NEEDLE, n, f"{NEEDLE}-run")
                put(memory, NEEDLE, n, "mine")
            memory.feedback(memory.recall(f"where does the {NEEDLE} sleep?", 200).id, 1.0)


@dataclass
class Watching:
    """An encoder that keeps what it was given."""

    encoder_id: str = "watching"
    dimension: int = 32
    seen: list[str] = field(default_factory=list[str])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen += texts
        return HashEncoder().encode(texts)


CALLS: dict[str, Callable[[Memory, Path], object]] = {
    "add": lambda memory, _: memory.add({"role": "user", "content": "hello"}, trajectory="mine"),
    "audit": lambda memory, _: memory.audit(),
    "close": lambda memory, _: memory.close(),
    "doomed": lambda memory, _: memory.doomed(everything=True),
    "expand": lambda memory, _: memory.expand("mine/s1", context=99),
    "feedback": lambda memory, _: memory.feedback("0" * 16, 1.0),
    "forget": lambda memory, _: memory.forget(everything=True),
    "get": lambda memory, _: [memory.get("mine/s1"), memory.get("s1")],
    "index": lambda memory, _: memory.index(),
    "ingest": lambda memory, log: memory.ingest(log),
    "media": lambda memory, _: memory.media("mine"),
    "recall": lambda memory, _: memory.recall(f"where does the {NEEDLE} sleep?", 800).text,
    "recalls": lambda memory, _: memory.recalls(),
    "reindex": lambda memory, _: memory.reindex(),
    "sessions": lambda memory, _: memory.sessions(),
    "stats": lambda memory, _: memory.stats(),
    "timeline": lambda memory, _: memory.timeline("mine"),
    "trajectories": lambda memory, _: list(memory.trajectories()),
    "trajectory": lambda memory, _: memory.trajectory("mine"),
    "unindexed": lambda memory, _: memory.unindexed(),
}


def test_every_public_method_is_listed_here() -> None:
    assert {name for name in dir(Memory) if not name.startswith("_")} == set(CALLS)


def outcome(path: Path, name: str, log: Path) -> str:
    encoder = Watching()
    with Memory(path, scope=MINE, encoder=encoder, clock=lambda: NOW) as memory:
        try:
            told = repr(CALLS[name](memory, log))
        except StepwellError as error:
            told = f"{type(error).__name__}: {error} {error.hint}"
    return told + repr([text for text in encoder.seen if NEEDLE in text and "where" not in text])


@pytest.mark.parametrize("name", CALLS)
def test_a_method_gives_the_same_with_and_without_others(name: str, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    log.write_text('[{"role": "user", "content": "a log"}]')
    told: list[str] = []
    for with_others in (False, True):
        path = tmp_path / f"{with_others}.db"
        filled(path, with_others=with_others)
        said = outcome(path, name, log).replace(str(path), "PATH")
        told.append(re.sub(r'mark="\d+"', "", said))  # each database has a mark of its own
    alone, beside = told
    if name != "recall":  # the question holds the word
        assert NEEDLE not in beside.replace(f"where does the {NEEDLE}", "")
    if name not in {"sessions", "expand", "get", "doomed"}:  # these show numbers of rows, and times
        assert alone == beside


COMMANDS = {
    "add": ["log.json"],
    "ask": ["where is the walrus?"],
    "show": ["mine/s1"],
    "expand": ["mine/s1", "-C", "9"],
    "timeline": ["mine"],
    "sessions": [],
    "export": ["mine"],
    "stats": [],
    "index": [],
    "reindex": [],
    "forget": ["mine/s1", "--yes"],
    "feedback": ["0" * 16, "1"],
    "audit tails": [],
    "audit sharing": [],
    "policy try": ["default", "where is the walrus?"],
    "policy list": [],
    "policy show": ["default"],
    "policy diff": ["default", "all"],
    "policy path": ["default"],
    "learn": [],
    "doctor": [],
}
NOT_OF_A_MEMORY = {"demo", "bench", "policy install"}


def commands() -> set[str]:
    from stepwell.serve.cli import app  # noqa: PLC0415  (here alone)

    def names(group: Any, before: str) -> set[str]:
        found = {
            f"{before}{one.name or one.callback.__name__}" for one in group.registered_commands
        }
        for inner in group.registered_groups:
            found |= names(inner.typer_instance, f"{before}{inner.name} ")
        return found

    return names(app, "")


def test_every_command_is_listed_here() -> None:
    assert commands() == {*COMMANDS, *NOT_OF_A_MEMORY}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_tells_nothing_of_others(name: str, tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text('[{"role": "user", "content": "a log"}]')
    filled(tmp_path / "m.db", with_others=True)
    stepwell = str(Path(sys.executable).parent / "stepwell")
    done = subprocess.run(
        [stepwell, "--db", "m.db", "--user", "b", "--encoder", "none", *name.split(),
         *COMMANDS[name]],
        cwd=tmp_path, capture_output=True, check=False, timeout=100,
    )  # fmt: skip
    told = (done.stdout + done.stderr).decode()
    assert NEEDLE not in told
    assert "Traceback" not in told


HOSTILE = [
    "a'b",
    'a"b',
    "a%b",
    "a_b",
    "a*b",
    "a?b",
    "a[b]",
    "a\\b",
    "a;b",
    "a--b",
    "a/*b",
    "a) OR 1=1 --",
    "' OR ''='",
    "NULL",
    "null",
    "0",
    "1",
    "-1",
    "true",
    "*",
    "%",
    "_",
    "?",
    ".",
    "..",
    "../x",
    "/x",
    "x/y",
    "x#2",
    "x\ny",
    "x\ty",
    " x",
    "x ",
    "X",
    "x",
    "\xe9",
    "e\u0301",
    "\u0435",
    "e",
    "\u202ex",
    "\u200bx",
    "\ufeffx",
    "\U0001f40c",
    "x" * 1000,
    "a/b/c",
    "a:b",
    "a b",
    "a,b",
    "(a)",
    "{a}",
    "a|b",
    "a&b",
    "a=b",
    "~",
    "$HOME",
    "`a`",
    "%s",
    "{0}",
    "\x7f",
    "\u2028",
    "\xdf",
    "SS",
    "ss",
    "\u0130",
    "i",
    "\u0131",
    "user_id",
    "b'",
    '"',
    "''",
    "(select 1)",
    "x-- ",
    "/**/",
    "#",
    "#2",
    "run#2",
    "s0",
    "s0.m",
    "live",
    "None",
    "nan",
    "inf",
    "1e9",
    "0x1",
    "\\n",
    "\\0",
    "<b>",
    "</evidence>",
    "[s1.m user]",
    "@",
    "a@b",
    "\U0001d4b3",
    "\ufb00",
    "\u03a9",
    "K",
    "\u65e5\u672c",
    "\u65e5\u672c\u8a9e",
    "\u05d0",
    "\u0627",
    "\u0e01",
    "\U0001f1e9\U0001f1ea",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a" * 255,
    "a" * 256,
    "ab" * 300,
    "con",
    "nul",
    "aux",
    ".git",
    "*.py",
    "a/../b",
    "C:\\x",
    "file://x",
    "http://x",
    "x%00",
    "x%2F",
    "&amp;",
    "x\u0301",
    "x\u202c",
    "\u2066x",
    "\U000e0041x",
    "x\xad",
    "-",
    "--",
    "--user",
    "-x",
    "=",
    "+",
    "!",
    "^",
    "\xe9 ",
    "E\u0301",
]


@pytest.mark.parametrize("kind", ["user_id", "session"])
def test_hostile_names_are_names_like_any_other(kind: str) -> None:
    with Memory(encoder=None) as everything:
        for at, name in enumerate(HOSTILE):
            one = Memory.__new__(Memory)
            one.__dict__.update(everything.__dict__)
            one._scope = one._scope.narrowed(type(one._scope)(**{kind: name}))
            one.add({"role": "user", "content": f"marmot{at}x"}, trajectory=f"run {at}")
        for at, name in enumerate(HOSTILE):
            scope = {kind: name}
            assert [one.n_steps for one in everything.sessions(scope=scope)] == [1], name
            found = everything.recall("marmot", 400, scope=scope)
            assert {item.text for item in found.items} <= {f"marmot{at}x"}
            assert f"marmot{at}x" in everything.get(f"run {at}/s0").text


def test_a_memory_of_one_session_writes_into_no_run_of_another(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, scope={"session": "s1"}, encoder=None) as one:
        first = one.add({"action": "ls", "observation": "one"}, trajectory="run")
    with Memory(path, scope={"session": "s2"}, encoder=None) as two:
        second = two.add({"action": "ls", "observation": "two"}, trajectory="run")
        third = two.add({"role": "user", "content": "three"}, trajectory="run")
        assert (first, second, third) == ("run/s0", "run#2/s0", "run#2/s1")
        assert [entry.n_steps for entry in two.sessions()] == [2]
        assert "one" not in two.recall("ls", 200).text
    with Memory(path, scope={"session": "s1"}, encoder=None) as one:
        assert [entry.n_steps for entry in one.sessions()] == [1]


def test_one_log_under_two_sessions_is_in_both(tmp_path: Path) -> None:
    path, log = tmp_path / "m.db", tmp_path / "log.json"
    log.write_text(
        '[{"role": "user", "content": "feed the walrus"}, {"role": "assistant", "content": "fed"}]'
    )
    for _ in range(2):  # the second time adds nothing
        for session in ("s1", "s2"):
            with Memory(path, scope={"session": session}, encoder=None) as memory:
                memory.ingest(log)
                assert [entry.n_steps for entry in memory.sessions()] == [2]
                assert "fed" in memory.recall("walrus fed", 200).text
    with Memory(path, encoder=None) as everything:
        assert len(everything.sessions()) == 2
