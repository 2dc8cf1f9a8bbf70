from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from stepwell.formats.read import read_bytes
from stepwell.memory.looking import cited_text
from stepwell.text.clean import readable
from stepwell.trajectory.atoms import Citation, atoms_of, call_text
from stepwell.trajectory.model import Call, Result, Step
from stepwell.trajectory.passages import passages_of

HOSTILE = st.text(st.sampled_from("ab \n\r\t\0\a\x1b[31m\x7f\ud83d:é"), max_size=60)


def step_with(name: str, args: dict[str, Any] | None, raw: str = "", actor: str = "ana") -> Step:
    call = Call(uid="c", name=name, args=args, args_raw=raw)
    result = Result(call_uid="c", text="fine")
    return Step(
        index=0, uid="u", kind="agent", actor=actor, message="m", calls=(call,), results=(result,)
    )


def test_ordinary_arguments_stand_verbatim() -> None:
    call = Call(uid="c", name="write", args={"path": "a.py", "text": "x\n\ty", "n": [1, "é"]})
    assert call_text(call) == 'path: a.py\ntext: x\n\ty\nn: [1, "é"]'


def test_a_carriage_return_in_a_value_leaves_its_key() -> None:
    call = Call(uid="c", name="sh", args={"cmd": "0%\rdone\r\nls", "bell\a": "\x1b[1mx\0"})
    assert call_text(call) == "cmd: done\nls\nbell\u2407: x\u2400"


@given(HOSTILE, st.dictionaries(HOSTILE, HOSTILE | st.lists(HOSTILE)) | st.none(), HOSTILE)
def test_every_atom_is_readable_and_cited_as_it_was_cut(
    name: str, args: dict[str, Any] | None, raw: str
) -> None:
    step = step_with(name, args, raw, actor=raw)
    for atom in atoms_of(step):
        assert readable(atom.text) == atom.text
        assert readable(atom.label) == atom.label
    for passage in passages_of(step, max_chars=20):
        lines = cited_text(step, Citation(step=0, part=passage.part)).split("\n")
        rest = "\n".join(lines[passage.first_line - 1 :])[passage.first_column - 1 :]
        assert rest.startswith(passage.text)


def test_a_log_with_escapes_in_arguments_shows_none_of_them() -> None:
    call = {
        "id": "1",
        "function": {"name": "sh\x1b[1m", "arguments": '{"cmd": "ls \\u001b[31m\\u0007"}'},
    }
    log = [{"role": "user", "content": "go"}, {"role": "assistant", "tool_calls": [call]}]
    read = read_bytes(json.dumps(log).encode(), uri="a.json")
    atoms = [atom for b in read.bundles for step in b.trajectory.steps for atom in atoms_of(step)]
    assert [(atom.label, atom.text) for atom in atoms if atom.part == "c1"] == [
        ("sh", "cmd: ls \u2407")
    ]
