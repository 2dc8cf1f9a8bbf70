from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from stepwell import Memory
from stepwell.errors import InvalidInputError, UnknownFormatError
from stepwell.formats.base import Notes
from stepwell.formats.files.decode import decode
from stepwell.formats.read import read_bytes, read_path
from stepwell.formats.registry import OWN, installed, reader_for, readers
from support.plugins import install

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

HEAD = """
from stepwell.formats.base import Bundle
from stepwell.trajectory.model import Step, Trajectory


def bundle(name, *said):
    steps = tuple(
        Step(index=at, uid=f"s{at}", kind="user", actor="user", message=text)
        for at, text in enumerate(said)
    )
    return Bundle(
        trajectory=Trajectory(
            trajectory_id=name, session_id=name, source_format="toy", steps=steps
        )
    )


"""
GOOD = """
class Toy:
    name = "toy"

    def sniff(self, source):
        return 0.9 if "toy" in source.records[0].value else 0.0

    def read(self, source, notes):
        for record in source.records:
            yield bundle(record.value["toy"], "hello")
"""
FAILS_IN_SNIFF = GOOD.replace("return 0.9 if", "return 1 / 0 if")
FAILS_MIDWAY = GOOD.replace(
    "            yield", "            if record.line > 2: raise KeyError\n            yield"
)
CHAT = b'[{"role": "user", "content": "hello", "toy": 1}]'


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Return what installs a toy reader for the length of a test."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(site)
    modules: list[str] = []

    def plugged(code: str, *, name: str = "toy", module: str = "toy", target: str = "Toy") -> None:
        points = f"[stepwell.readers]\n{name} = {module}:{target}\n"
        install(site, name=module, code=HEAD + code, entry_points=points)
        modules.append(module)
        installed.cache_clear()

    yield plugged
    for module in modules:
        sys.modules.pop(module, None)
    installed.cache_clear()


def test_an_installed_reader_reads_its_files_in_a_memory(
    plug: Callable[..., None], tmp_path: Path
) -> None:
    plug(GOOD)
    log = tmp_path / "log.jsonl"
    log.write_text('{"toy": "first"}\n{"toy": "second"}\n')
    with Memory(encoder=None) as memory:
        report = memory.ingest(log)
        assert (report.trajectories, report.steps, report.notices) == (2, 2, ())
        assert [shown.source_format for shown in memory.trajectories()] == ["toy", "toy"]


def test_installed_readers_are_asked_first_and_own_ones_stay(plug: Callable[..., None]) -> None:
    before = readers()
    plug(GOOD)
    names = [reader.name for reader in readers()]
    assert names == sorted(["toy", *(reader.name for reader in before[: -len(OWN)])]) + [
        reader.name for reader in OWN
    ]


def test_on_a_tie_the_installed_reader_is_chosen(plug: Callable[..., None]) -> None:
    source = decode(CHAT, notes=Notes("a"))
    own = reader_for(source, Notes("a"))
    assert own is not None
    plug(GOOD.replace('"toy" in source.records[0].value', "True").replace("0.9", "0.6"))
    assert own.sniff(source) == 0.6
    chosen = reader_for(source, Notes("a"))
    assert chosen is not None
    assert chosen.name == "toy"


def test_a_less_sure_reader_is_not_chosen(plug: Callable[..., None]) -> None:
    plug(GOOD.replace('"toy" in source.records[0].value', "True").replace("0.9", "0.59"))
    chosen = reader_for(decode(CHAT, notes=Notes("a")), Notes("a"))
    assert chosen is not None
    assert chosen.name == "openai-chat"


@pytest.mark.parametrize("score", ["0", "-1", "float('nan')"])
def test_a_reader_that_is_not_sure_at_all_reads_nothing(
    plug: Callable[..., None], score: str
) -> None:
    plug(GOOD.replace("0.9", score))
    source = decode(b'{"toy": "x"}', notes=Notes("a"))
    assert reader_for(source, Notes("a")) is None


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import no_such_module", "No module named 'no_such_module'"),
        ("1 / 0", "division by zero"),
        ("class Other: pass", "has no attribute 'Toy'"),
        ("class Toy:\n    def __init__(self, needed): pass", "needed"),
    ],
)
def test_a_reader_that_cannot_be_loaded_is_named(
    plug: Callable[..., None], code: str, says: str
) -> None:
    plug(code)
    read = read_bytes(CHAT, uri="a.json")
    (notice,) = read.report.notices
    assert notice.code == "reader-left-out"
    assert notice.message.startswith("The reader 'toy', which an installed package brings, failed")
    assert says in notice.message
    assert notice.message.endswith("Mend or uninstall what stands behind toy:Toy.")
    assert read.report.format == "openai-chat"
    with pytest.raises(InvalidInputError, match="The reader 'toy'"):
        read_bytes(CHAT, uri="a.json", strict=True)


@pytest.mark.parametrize("where", ["import time\ntime.sleep(99)\n", "import sys\nsys.exit(3)\n"])
def test_a_module_that_never_ends_or_ends_the_program_is_left_out(
    plug: Callable[..., None], where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stepwell.plugins.LOAD_SECONDS", 0.2)
    plug(where + GOOD, module="never")
    assert "The reader 'toy'" in installed().left_out[0]
    assert read_bytes(CHAT, uri="a.json").report.format == "openai-chat"


def test_a_reader_that_hangs_is_given_up(
    plug: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stepwell.formats.guarded.SNIFF_SECONDS", 0.2)
    monkeypatch.setattr("stepwell.formats.guarded.READ_SECONDS", 0.2)
    plug("import time\n" + GOOD.replace("return 0.9 if", "return time.sleep(99) if"))
    chat = b'{"messages": [{"role": "user", "content": "hi"}], "toy": 1}'
    read = read_bytes(chat, uri="a.json")
    assert read.report.format == "openai-chat"
    assert "The reader 'toy' did not come back within 0.2 s" in read.report.notices[0].message
    again = read_bytes(chat, uri="b.json")  # without waiting once more
    assert "has not come back from an earlier call" in again.report.notices[0].message


def test_what_a_reader_read_before_it_hangs_is_kept(
    plug: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stepwell.formats.guarded.READ_SECONDS", 0.2)
    plug("import time\n" + FAILS_MIDWAY.replace("raise KeyError", "time.sleep(99)"))
    read = read_bytes(b'{"toy": "a"}\n{"toy": "b"}\n{"toy": "c"}\n', uri="a.jsonl")
    assert [bundle.trajectory.trajectory_id for bundle in read.bundles] == ["a", "b"]
    assert "did not come back" in read.report.notices[0].message


def test_what_lacks_a_method_is_no_reader(plug: Callable[..., None]) -> None:
    plug('class Toy:\n    name = "toy"\n    def sniff(self, source): return 0.0\n')
    (told,) = installed().left_out
    assert told == (
        "The reader 'toy', which an installed package brings, is no reader. Its entry point must "
        "name a class with a name and the methods sniff and read."
    )


def test_a_reader_must_be_called_as_its_entry_point(plug: Callable[..., None]) -> None:
    plug(GOOD, name="other")
    (told,) = installed().left_out
    assert "The reader 'other'" in told
    assert "calls itself 'toy'" in told


def test_no_installed_reader_takes_the_name_of_another(plug: Callable[..., None]) -> None:
    plug(GOOD.replace('name = "toy"', 'name = "atif"'), name="atif")
    (told,) = installed().left_out
    assert "The reader 'atif', which an installed package brings, has the name of another" in told
    assert [reader.name for reader in readers()].count("atif") == 1


def test_two_packages_cannot_bring_one_reader(plug: Callable[..., None]) -> None:
    plug(GOOD)
    plug(GOOD, module="toy2")
    (told,) = installed().left_out
    assert told.endswith("Mend or uninstall what stands behind toy:Toy.")  # toy2:Toy is first
    assert [reader.name for reader in readers()].count("toy") == 1


@pytest.mark.parametrize("wrong", ["1 / 0", "None", "'sure'"])
def test_a_reader_that_fails_at_looking_costs_nobody_the_file(
    plug: Callable[..., None], wrong: str
) -> None:
    plug(GOOD.replace("return 0.9 if", f"return {wrong} if"))
    read = read_bytes(b'{"messages": [{"role": "user", "content": "hi"}], "toy": 1}', uri="a.json")
    assert [bundle.trajectory.steps[0].message for bundle in read.bundles] == ["hi"]
    (notice,) = read.report.notices
    assert (notice.code, notice.effect, notice.position) == ("reader-failed", "warning", "a.json:1")
    assert notice.message.startswith("At recognising the file: ")
    assert read.report.warnings == 1


def test_when_only_the_failing_reader_might_know_the_file_the_error_says_so(
    plug: Callable[..., None],
) -> None:
    plug(FAILS_IN_SNIFF)
    with pytest.raises(UnknownFormatError, match=r"a\.json is in no format .*'toy' failed: Zero"):
        read_bytes(b'{"toy": 1}', uri="a.json")


def test_what_a_reader_read_before_it_failed_is_kept(plug: Callable[..., None]) -> None:
    plug(FAILS_MIDWAY)
    read = read_bytes(b'{"toy": "a"}\n{"toy": "b"}\n{"toy": "c"}\n', uri="a.jsonl")
    assert [bundle.trajectory.trajectory_id for bundle in read.bundles] == ["a", "b"]
    (notice,) = read.report.notices
    assert (notice.code, notice.effect) == ("reader-failed", "skipped")
    assert (
        notice.message
        == "The reader 'toy' failed: KeyError(). Mend or uninstall it. The rest is left out."
    )
    with pytest.raises(InvalidInputError, match="The reader 'toy' failed"):
        read_bytes(b'{"toy": "a"}\n{"toy": "b"}\n{"toy": "c"}\n', uri="a.jsonl", strict=True)


def test_a_failing_read_is_an_error_that_names_file_and_reader(
    plug: Callable[..., None], tmp_path: Path
) -> None:
    plug(GOOD.replace('record.value["toy"]', 'record.value["toy"].lower()'))
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "a.json").write_text('{"toy": 7}')
    (logs / "b.json").write_bytes(CHAT)
    with pytest.raises(
        UnknownFormatError, match=r"a\.json cannot be read\. The reader 'toy' failed"
    ):
        list(read_path(logs / "a.json"))
    first, second = read_path(logs)
    assert first.bundles == ()
    (notice,) = first.report.notices
    assert (notice.code, notice.effect) == ("unknown-format", "skipped")
    assert "'int' object has no attribute 'lower'" in notice.message
    assert second.report.format == "openai-chat"
