"""Programs run by the interpreter: what they return, what they may not, and what they did wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import starlark

from stepwell.policy import interpreter
from stepwell.policy.interpreter import STEPS, Programs

CONTEXT: dict[str, Any] = {"available": ["graph", "units"], "budget": 800, "signals": {}}


def answer(body: str, programs: Programs | None = None) -> dict[str, Any]:
    source = f"def select(question, context):\n    {body}\n"
    request = {"source": source, "question": "Why?", "context": CONTEXT}
    return (programs or Programs()).answer(request)


@pytest.mark.parametrize(
    ("body", "tokens"),
    [
        ('return ["graph"]', {"graph": None}),
        ('return ["graph", "mine", "graph"]', {"graph": None, "mine": None}),
        ('return {"graph": 300, "units": None}', {"graph": 300, "units": None}),
        ('return {"graph": 1000000000}', {"graph": 10**9}),
        ('return ["x" * 100]', {"x" * 100: None}),
        ("return [str(n) for n in range(64)]", {str(n): None for n in range(64)}),
        ('return context["available"]', {"graph": None, "units": None}),
        ("return [question]", {"Why?": None}),
    ],
)
def test_names_or_names_with_tokens_are_taken(body: str, tokens: dict[str, int | None]) -> None:
    assert answer(body) == {"tokens": tokens}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return []", "it returned no names"),
        ("return None", "it returned no names"),
        ('return "graph"', "it returned no names"),
        ("return {}", "it returned no names"),
        ("return [1]", "it returned something else"),
        ("return [[]]", "it returned something else"),
        ('return [""]', "it returned something else"),
        ('return ["x" * 101]', "it returned something else"),
        ("return [str(n) for n in range(65)]", "it returned something else"),
        ('return {"graph": 0}', "it returned something else"),
        ('return {"graph": True}', "it returned something else"),
        ('return {"graph": 1.5}', "it returned something else"),
        ('return {"graph": 1000000001}', "it returned something else"),
        ('fail("no kelp")', "no kelp"),
        ("return 1 // 0", "line 2: "),
        ('return context["nothing"]', "line 2: "),
        ("return select(question, context)", "line 2: "),
    ],
)
def test_anything_else_is_said_to_be_wrong(body: str, said: str) -> None:
    error = answer(body)["error"]
    assert said in error
    assert "\n" not in error


def test_a_program_that_runs_on_is_stopped_by_its_steps() -> None:
    error = answer(f"return [str(n) for n in range({50 * STEPS}) if n < 0]")["error"]
    assert f"it took more than {STEPS:,} steps" in error


@pytest.mark.parametrize("source", ["", "def other(): pass", "def select(:", "load('a', 'b')"])
def test_a_text_that_defines_no_select_is_an_error(source: str) -> None:
    found = Programs().answer({"source": source, "question": "Why?", "context": CONTEXT})
    assert set(found) == {"error"}


def test_what_one_call_changes_no_other_sees() -> None:
    programs = Programs()
    body = 'context["available"].append("more") or 1\n    return context["available"]'
    first = answer(body, programs)
    assert answer(body, programs) == first


def test_the_latest_programs_are_kept_compiled() -> None:
    programs = Programs()
    for n in range(33):
        answer(f'return ["n{n}"]', programs)
    assert len(programs._kept) == 32
    assert not any('"n0"' in source for source in programs._kept)
    answer('return ["n1"]', programs)
    answer('return ["n33"]', programs)
    assert any('"n1"' in source for source in programs._kept)
    assert not any('"n2"' in source for source in programs._kept)


def test_as_a_process_it_answers_each_line_with_one_line() -> None:
    folder = Path(starlark.__file__).parents[1]
    request = {"source": "def select(q, c):\n    return [q]\n", "context": CONTEXT}
    lines = [json.dumps({**request, "question": text}) for text in ("Why?", "日本\n\ud800", "")]
    done = subprocess.run(
        [sys.executable, "-I", "-S", interpreter.__file__, str(folder)],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[0] == {"tokens": {"Why?": None}}
    assert len(answers) == 3
    assert "it returned something else" in answers[2]["error"]
