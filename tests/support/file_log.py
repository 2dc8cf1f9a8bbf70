"""A run that edits files and runs programs, and what its log tells."""

from __future__ import annotations

from stepwell.structures.temporal.answers.answer import answer
from stepwell.structures.temporal.grammar.questions import read_question
from stepwell.structures.temporal.log.extract import extract
from stepwell.structures.temporal.log.log import Log
from stepwell.trajectory.model import Call, JsonObject, Result, Step

Told = tuple[str, tuple[int, ...], bool]


def step(index: int, name: str, args: JsonObject, back: str = "ok", *, error: bool = False) -> Step:
    return Step(
        index=index,
        uid=f"s{index}",
        kind="agent",
        actor="agent",
        calls=(Call(uid="c", name=name, args=args),),
        results=(Result(call_uid="c", text=back, is_error=error),),
    )


RUN = (
    step(0, "Write", {"file_path": "/src/app.py", "content": "def add():\n    pass\n"}),
    step(1, "Read", {"file_path": "/README.md"}),
    step(2, "Edit", {
        "file_path": "/src/app.py", "old_string": "a\nold = 1", "new_string": "a\nnew = 2"}),
    step(3, "Bash", {"command": "pytest -q"}, "Exit code 1\nKeyError: 'x'", error=True),
    step(4, "Edit", {
        "file_path": "/conf.toml", "old_string": "x", "new_string": "y"}, "no", error=True),
    step(5, "Bash", {"command": "rm /tmp/old.log && git commit -m 'edit README.md'"}),
    step(6, "MultiEdit", {"file_path": "/src/app.py", "edits": [
        {"old_string": "1", "new_string": "one"}, {"old_string": "2", "new_string": "two"}]}),
    step(7, "Bash", {"command": "python -m pytest -q"}, "2 passed"),
)  # fmt: skip


def told(question: str, run: tuple[Step, ...] = RUN) -> list[Told]:
    log = Log()
    log.extend([extract(one) for one in run])
    asked = read_question(question, log.names, log.verbs, programs=log.programs, acts=log.acts)
    return [(one.text, one.steps, one.is_answer) for one in answer(log, asked)]
