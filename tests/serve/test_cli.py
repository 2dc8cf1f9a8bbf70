"""The command line: data on stdout, talk on stderr, errors that name the next command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner, Result

from stepwell.recall.question import MODES
from stepwell.serve.cli import app
from stepwell.text.tokens import O200k

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "\x1b[31mred\x1b[0m \x9b2J [bold]not markup[/bold] [/] \u202eevil \x1b]0;title\x07 done"


def step(number: int, source: str, message: str, **rest: Any) -> dict[str, Any]:
    return {"step_id": number, "source": source, "message": message, **rest}


def call(number: int, command: str, output: str) -> dict[str, Any]:
    uid = f"call_{number}"
    return step(
        number,
        "agent",
        "",
        tool_calls=[
            {"tool_call_id": uid, "function_name": "bash", "arguments": {"command": command}}
        ],
        observation={"results": [{"source_call_id": uid, "content": output}]},
    )


def log(name: str, *steps: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": name,
        "trajectory_id": name,
        "agent": {"name": "tester", "version": "1"},
        "steps": list(steps),
    }


RUN7 = log(
    "run7",
    step(1, "user", "Deploy the service; staging listens on port 5433."),
    call(2, "pytest -q", "FAILED tests/test_login.py\n1 failed in 0.4s"),
    call(3, "psql -p 5432", "could not connect to server: Connection refused"),
    call(4, "psql -p 5433", "psql (16.1)\nType help for help."),
    step(5, "agent", "Staging answers on port 5433."),
)
NASTY = log("nasty", step(1, "user", f"The marmalade password hint {HOSTILE}"))


class Shell:
    """Runs commands on one database, vectors off unless a test says otherwise."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.db = folder / "memory.db"
        self.runner = CliRunner()

    def write(self, name: str, document: Any) -> Path:
        path = self.folder / name
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    def __call__(self, *args: str, given: str | None = None, encoder: str = "none") -> Result:
        argv = ["--db", str(self.db), "--encoder", encoder, *args]
        return self.runner.invoke(app, argv, input=given)

    def json(self, *args: str) -> Any:
        done = self(*args, "--json")
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def empty(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture
def shell(empty: Shell) -> Shell:
    done = empty("add", str(empty.write("run7.json", RUN7)))
    assert done.exit_code == 0, done.stderr
    return empty


@pytest.fixture
def nasty(empty: Shell) -> Shell:
    assert empty("add", str(empty.write("nasty.json", NASTY))).exit_code == 0
    return empty


# --- what is printed where ----------------------------------------------------------------------


def test_add_reports_on_stderr_and_leaves_stdout_empty(empty: Shell) -> None:
    done = empty("add", str(empty.write("run7.json", RUN7)))
    assert done.stdout == ""
    assert "5 steps" in done.stderr


def test_a_dash_adds_what_comes_on_the_standard_input(empty: Shell) -> None:
    done = empty("add", "-", given=json.dumps(RUN7))
    assert (done.exit_code, done.stdout) == (0, "")
    assert [entry["trajectory_id"] for entry in empty.json("sessions")] == ["run7"]
    assert empty("add", "-", given="no log").exit_code == 1


def test_a_session_without_steps_is_not_listed_but_can_be_forgotten(shell: Shell) -> None:
    assert shell("add", str(shell.write("none.json", log("none")))).exit_code == 0
    assert [entry["trajectory_id"] for entry in shell.json("sessions")] == ["run7"]
    assert "none" not in shell("sessions").stdout
    assert shell.json("forget", "--trajectory", "none", "--yes") == {
        "forgotten": ["none"],
        "steps": [],
    }


def test_adding_again_changes_nothing(shell: Shell) -> None:
    before = shell.json("stats")
    assert shell("add", str(shell.folder / "run7.json")).exit_code == 0
    assert shell.json("stats") == before


def test_ask_prints_the_payload_and_nothing_else_on_stdout(shell: Shell) -> None:
    done = shell("ask", "which port does staging listen on?", "--budget", "200")
    assert done.stdout.startswith("<evidence ")
    assert done.stdout.rstrip().endswith("</evidence>")
    assert "5433" in done.stdout
    assert "of 200 tokens" in done.stderr
    assert "note: vectors are off" in done.stderr


def test_the_budget_of_ask_json_holds_for_the_document(shell: Shell) -> None:
    done = shell("ask", "which port does staging listen on?", "--budget", "150", "--json")
    assert O200k().count(done.stdout.removesuffix("\n")) <= 150
    assert "5433" in json.loads(done.stdout)["items"][0]["text"]


def test_explain_goes_to_stderr(shell: Shell) -> None:
    done = shell("ask", "staging port", "--explain")
    assert "quoted run7/s" in done.stderr
    assert "read episodic" in done.stderr
    assert "quoted run7/s" not in done.stdout


def test_before_hides_what_came_later(shell: Shell) -> None:
    items = shell.json("ask", "staging port 5433", "--before", "1")["items"]
    assert {item["step"] for item in items} == {0}


@pytest.mark.parametrize(
    "args",
    [
        ("sessions",),
        ("timeline",),
        ("stats",),
        ("show", "s1.o1"),
        ("expand", "s1.o1"),
        ("ask", "port"),
        ("doctor",),
        ("forget", "--session", "nobody"),
    ],
)
def test_json_is_one_document_and_stderr_keeps_silent_about_data(
    shell: Shell, args: tuple[str, ...]
) -> None:
    done = shell(*args, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout) is not None


def test_version_is_printed() -> None:
    done = CliRunner().invoke(app, ["--version"])
    assert done.stdout.startswith("stepwell ")


def test_global_options_may_follow_the_command(shell: Shell) -> None:
    done = shell.runner.invoke(app, ["stats", "--json", f"--db={shell.db}", "--encoder", "none"])
    assert json.loads(done.stdout)["n_trajectories"] == 1


def test_a_question_may_hold_what_looks_like_an_option(shell: Shell) -> None:
    done = shell("ask", "--", "--db")
    assert done.exit_code == 0


# --- looking things up --------------------------------------------------------------------------


def test_show_prints_the_cited_lines_verbatim(shell: Shell) -> None:
    assert shell("show", "run7/s1.o1:L1").stdout == "FAILED tests/test_login.py\n"


def test_every_citation_of_an_answer_can_be_shown(shell: Shell) -> None:
    for item in shell.json("ask", "psql connect port")["items"]:
        assert shell.json("show", item["id"])["text"] == item["text"]


def test_expand_prints_the_steps_around(shell: Shell) -> None:
    done = shell("expand", "s2", "-C", "1")
    assert "> s2 agent" in done.stdout
    assert "  s1 agent" in done.stdout
    assert "  s3 agent" in done.stdout
    assert "s4 agent" not in done.stdout


def test_expand_cuts_long_neighbours_and_says_where_the_rest_is(empty: Shell) -> None:
    long = log("long", step(1, "user", "x" * 5_000), step(2, "user", "here"))
    empty("add", str(empty.write("long.json", long)))
    done = empty("expand", "s1")
    assert "stepwell show s0.m" in done.stdout
    assert "x" * 2_000 not in done.stdout


def test_timeline_is_tab_separated_when_piped(shell: Shell) -> None:
    lines = shell("timeline", "run7").stdout.splitlines()
    assert lines[0].split("\t")[0] == "step"
    assert [line.split("\t")[0] for line in lines[1:]] == ["s0", "s1", "s2", "s3", "s4"]


def test_a_citation_without_a_run_means_the_only_one_that_is_no_subagents(empty: Shell) -> None:
    child = log("run8/a1", step(1, "user", "look around"))
    parent = log("run8", step(1, "user", "begin")) | {"subagent_trajectories": [child]}
    empty("add", str(empty.write("run8.json", parent)))
    assert len(empty.json("sessions")) == 2
    assert empty.json("show", "s0.m")["id"] == "run8/s0.m"
    assert empty.json("show", "a1/s0.m")["id"] == "run8/a1/s0.m"


def test_sessions_name_what_was_added(shell: Shell) -> None:
    assert [entry["trajectory_id"] for entry in shell.json("sessions")] == ["run7"]


def test_export_writes_what_add_reads_back(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    done = shell("export", "run7", "-o", str(path))
    assert done.stdout == ""
    again = Shell(tmp_path / "again")
    again.folder.mkdir()
    assert again("add", str(path)).exit_code == 0
    assert again.json("timeline") == shell.json("timeline")


def picture(data: str) -> list[dict[str, Any]]:
    return [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}]


def test_export_writes_images_under_the_digits_that_the_text_shows(
    empty: Shell, tmp_path: Path
) -> None:
    said = [{"role": "user", "content": picture(data)} for data in ("AAAA", "AAAA", "BBBB")]
    assert empty("add", str(empty.write("chat.json", {"id": "c", "messages": said}))).exit_code == 0
    folder = tmp_path / "new" / "media"
    done = empty("export", "c", "-o", str(tmp_path / "c.json"), "--media", str(folder))
    assert f"2 images and files written to {folder}" in done.stderr
    shown = [empty("show", f"c/s{step}.m").stdout.strip("[]\n") for step in (0, 2)]
    names = [f"{text.rpartition(':')[2]}.png" for text in shown]
    assert [(folder / name).read_bytes() for name in names] == [b"\0\0\0", b"\x04\x10A"]
    assert sorted(file.name for file in folder.iterdir()) == sorted(names)


def test_a_folder_for_images_that_is_a_file_is_an_error(empty: Shell, tmp_path: Path) -> None:
    said = [{"role": "user", "content": picture("AAAA")}]
    assert empty("add", str(empty.write("chat.json", {"id": "c", "messages": said}))).exit_code == 0
    (tmp_path / "taken").write_text("")
    done = empty("export", "c", "--media", str(tmp_path / "taken"))
    assert done.exit_code != 0
    assert "cannot be written" in done.stderr


def test_scopes_keep_owners_apart(empty: Shell) -> None:
    path = empty.write("run7.json", RUN7)
    for user in ("ana", "bo"):
        assert empty("add", str(path), "--user", user).exit_code == 0
    assert len(empty.json("sessions")) == 2
    assert len(empty.json("sessions", "--user", "ana")) == 1
    assert empty.json("sessions", "--user", "%") == []


# --- forgetting ---------------------------------------------------------------------------------


def test_forget_asks_nobody_when_nobody_is_there(shell: Shell) -> None:
    done = shell("forget", "--session", "run7")
    assert done.exit_code == 1
    assert "--yes" in done.stderr
    assert len(shell.json("sessions")) == 1


def test_forget_deletes_what_is_named(shell: Shell) -> None:
    assert shell.json("forget", "--session", "run7", "--yes") == {
        "forgotten": ["run7"],
        "steps": [],
    }
    assert shell.json("sessions") == []


@pytest.mark.parametrize("args", [("forget",), ("forget", "--all", "--session", "run7")])
def test_forget_needs_to_know_what(shell: Shell, args: tuple[str, ...]) -> None:
    done = shell(*args, "--yes")
    assert done.exit_code == 1
    assert "error[invalid-input]" in done.stderr


# --- errors -------------------------------------------------------------------------------------

ERRORS = [
    (("show", "nonsense"), "invalid-input"),
    (("show", "s99"), "not-found"),
    (("show", "s1.o9"), "not-found"),
    (("timeline", "nobody"), "not-found"),
    (("ask", "port", "--budget", "3"), "budget-too-small"),
    (("ask", "port", "--before", "soon"), "invalid-input"),
    (("add", "no/such/file"), "not-found"),
    (("index",), "model-unavailable"),
]


@pytest.mark.parametrize(("args", "kind"), ERRORS, ids=str)
def test_errors_name_their_kind_and_what_to_do(
    shell: Shell, args: tuple[str, ...], kind: str
) -> None:
    done = shell(*args)
    assert done.exit_code == 1
    assert done.stdout == ""
    first, second = done.stderr.splitlines()[-2:]
    assert first.startswith(f"error[{kind}]: ")
    assert second.startswith("  next: ")


@pytest.mark.parametrize(("args", "kind"), ERRORS, ids=str)
def test_errors_are_objects_on_stderr_with_json(
    shell: Shell, args: tuple[str, ...], kind: str
) -> None:
    done = shell(*args, "--json")
    assert done.exit_code == 1
    assert done.stdout == ""
    error = json.loads(done.stderr)["error"]
    assert error["kind"] == kind
    assert error["message"]
    assert error["hint"]


def test_a_memory_that_is_not_there_is_no_empty_one(empty: Shell) -> None:
    done = empty("ask", "port")
    assert done.exit_code == 1
    assert "error[not-found]" in done.stderr
    assert "stepwell add" in done.stderr
    assert not empty.db.exists()


@pytest.mark.parametrize("mode", MODES)
def test_ask_takes_every_mode_of_a_recall(shell: Shell, mode: str) -> None:
    done = shell("ask", "staging port", "--mode", mode, "--explain")
    assert done.exit_code == 0
    assert ("read units" in done.stderr) == (mode != "flat")


@pytest.mark.parametrize(
    "args",
    [("ask",), ("nonsense",), ("ask", "x", "--nonsense"), ("ask", "x", "--mode", "nonsense")],
)
def test_wrong_usage_exits_with_two(shell: Shell, args: tuple[str, ...]) -> None:
    done = shell(*args)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "--help" in done.stderr


def test_strict_fails_on_a_torn_file(empty: Shell) -> None:
    path = empty.folder / "torn.json"
    path.write_text(json.dumps(RUN7)[:-20], encoding="utf-8")
    assert empty("add", str(path), "--strict").exit_code == 1


def test_a_file_of_another_program_is_refused(empty: Shell) -> None:
    empty.db.write_bytes(b"this is no database at all" * 100)
    done = empty("stats")
    assert done.exit_code == 1
    assert "error[store]" in done.stderr


# --- hostile text -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [("timeline",), ("sessions",), ("show", "s0.m"), ("expand", "s0.m"), ("ask", "marmalade")],
)
def test_log_text_sends_nothing_to_the_terminal(nasty: Shell, args: tuple[str, ...]) -> None:
    done = nasty(*args)
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout + done.stderr
    assert "\x07" not in done.stdout + done.stderr


@pytest.mark.parametrize("args", [("timeline",), ("sessions",), ("expand", "s0.m")])
def test_hidden_characters_are_written_out_and_brackets_left_alone(
    nasty: Shell, args: tuple[str, ...]
) -> None:
    done = nasty(*args)
    assert "\u202e" not in done.stdout
    assert "\x9b" not in done.stdout
    assert "[bold]not markup[/bold] [/]" in done.stdout


@pytest.mark.parametrize("args", [("timeline", "--json"), ("show", "s0.m", "--json")])
def test_json_holds_the_text_unchanged_without_raw_controls(
    nasty: Shell, args: tuple[str, ...]
) -> None:
    done = nasty(*args)
    assert "\x9b" not in done.stdout
    assert "\u202e" in json.dumps(json.loads(done.stdout), ensure_ascii=False)


# --- as a process -------------------------------------------------------------------------------


def process(*args: str, db: Path) -> list[str]:
    return [sys.executable, "-m", "stepwell", "--db", str(db), "--encoder", "none", *args]


def test_the_module_runs_the_command(shell: Shell) -> None:
    done = subprocess.run(process("show", "s1.o1:L1", db=shell.db), capture_output=True, check=True)
    assert done.stdout.decode().strip() == "FAILED tests/test_login.py"
    assert done.stderr == b""


def test_the_environment_names_the_database(shell: Shell) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "stepwell", "sessions", "--json"],
        capture_output=True,
        check=True,
        env={**os.environ, "STEPWELL_DB": str(shell.db)},  # noqa: TID251  (handed on, not read)
    )
    assert [entry["trajectory_id"] for entry in json.loads(done.stdout)] == ["run7"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break differently there")
def test_a_reader_that_leaves_is_no_error(empty: Shell) -> None:
    big = log("big", *(step(n, "user", f"line {n} " + "x" * 150) for n in range(1, 2_000)))
    empty("add", str(empty.write("big.json", big)))
    child = subprocess.Popen(
        process("timeline", db=empty.db), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    child.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent differently there")
def test_an_interrupted_benchmark_says_so_by_its_exit_code(tmp_path: Path) -> None:
    program = """
import signal
from stepwell.serve.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
signal.setitimer(signal.ITIMER_REAL, 0.5)
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program, "bench", "osu", "synthetic", "--out", str(tmp_path)],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (130, b"", [])


def test_output_is_utf8_whatever_the_locale(empty: Shell) -> None:
    cjk = log("cjk", step(1, "user", "数据库端口是 5433 ✓"))
    empty("add", str(empty.write("cjk.json", cjk)))
    done = subprocess.run(
        process("show", "s0.m", "--json", db=empty.db),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"},  # noqa: TID251  (as above)
    )
    assert json.loads(done.stdout)["text"] == "数据库端口是 5433 ✓"
