from __future__ import annotations

import io
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
from rich.console import Console

from stepwell.errors import InvalidInputError
from stepwell_bench.datasets import step_text
from stepwell_bench.floors import PlainFts, RawLog, peak_megabytes
from stepwell_bench.peers import PEERS, chosen, measure_peer
from stepwell_bench.results import save
from stepwell_bench.sheet import Sheet, SpeedReport, show_speed
from stepwell_bench.speed import SpeedPlan, run_speed
from stepwell_bench.synthetic import HashEncoder, n_runs, probes, runs, ticket
from support.encoders import HashEncoder as OtherEncoder

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def test_made_up_runs_have_the_steps_asked_for_and_a_seed_repeats_them() -> None:
    made = list(runs(23, n_runs=4, seed=1))
    assert [len(one.steps) for one in made] == [6, 6, 6, 5]
    assert [step.index for step in made[1].steps] == list(range(6))
    assert made == list(runs(23, n_runs=4, seed=1))
    assert made != list(runs(23, n_runs=4, seed=2))
    assert 800 < np.mean([len(step_text(step)) for one in made for step in one.steps]) < 1600


def test_a_ticket_is_held_by_its_step_alone() -> None:
    steps = [step for one in runs(20, n_runs=2, seed=1, first=100) for step in one.steps]
    holders = [n for n, step in enumerate(steps) if ticket(107) in step_text(step)]
    assert holders == [7]


def test_probes_ask_for_words_of_their_step() -> None:
    made = {one.trajectory_id: one for one in runs(40, n_runs=2, seed=1)}
    found = probes(list(made.values()), n=6, seed=2)
    assert len(found) == 6
    for number, probe in enumerate(found):
        text = step_text(made[probe.trajectory].steps[probe.step])
        words = probe.text.rstrip("?").split(" about ")[1].split()
        assert all(word in text for word in words)
        assert ("req-" in probe.text) == bool(number % 2)


def test_a_store_of_any_size_has_runs() -> None:
    assert [n_runs(size) for size in (10, 1_000, 100_000)] == [2, 2, 200]


def test_the_hash_encoder_gives_unit_vectors_that_share_words() -> None:
    encoder = HashEncoder()
    rows = encoder.encode(["port is free", "port is taken", "", "quite another thing"])
    assert rows.shape == (4, encoder.dimension)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert rows[0] @ rows[1] > rows[0] @ rows[3]
    assert np.array_equal(encoder.encode(["port is free"])[0], rows[0])


def test_the_floors_keep_what_they_are_given(tmp_path: Path) -> None:
    with PlainFts(tmp_path / "plain.db") as plain:
        plain.put(["alpha beta", "beta gamma", "delta"])
        assert [row for row, _ in plain.search('"beta"')] == [1, 2]
        assert plain.search('"beta"', rows=(2, 3)) == [(2, "beta gamma")]
    with RawLog(tmp_path / "raw.log") as log:
        log.put("one")
        log.put("zwei ü")
    assert (tmp_path / "raw.log").read_text(encoding="utf-8") == "one\nzwei ü\n"


def test_peak_memory_is_known_where_the_system_says_it() -> None:
    peak = peak_megabytes()
    assert (peak is None) == (find_spec("resource") is None)
    assert peak is None or 10 < peak < 1e6


def test_a_ratio_above_one_is_dearer() -> None:
    sheet = Sheet(size=7)
    sheet.rate("put", "steps/s", n=10, seconds=2.0, floor=1.0)
    sheet.times("ask", [0.002] * 3, floors={"log": [0.001] * 3})
    sheet.plain("size", "MB", 3.0, floor=2.0)
    rate, p50, p99, size = sheet.rows
    assert (rate.value, rate.floor, rate.ratio) == (5.0, 10.0, 2.0)
    assert (p50.what, p50.unit, p50.floor_by) == ("ask, p50", "ms", "log")
    assert (p50.ratio, p99.ratio, size.ratio) == (2.0, 2.0, 1.5)
    assert p50.value == pytest.approx(2.0)


def test_a_tiny_run_measures_everything(tmp_path: Path) -> None:
    plan = SpeedPlan(sizes=(120,), adds=8, questions=6, peers=("langgraph",))
    named: list[str] = []
    report = run_speed(plan, now=NOW, model=OtherEncoder(), progress=named.append)
    assert named[0] == "stepwell, 120 steps"
    rows = {(row.what, row.floor_by): row for row in report.rows if row.by == "stepwell"}
    for what in ("ingest ATIF files", "store trajectories directly", "add live, p50"):
        assert rows[what, "plain FTS5"].ratio
    assert rows["add live, p99", "log and fdatasync"].ratio
    assert rows["recall in one trajectory, p50", "plain FTS5"].value > 0
    assert rows["recall in all, p99", "plain FTS5"].floor
    assert rows["add live, found by the next recall", ""].value == 1.0
    assert 0 <= rows["recall in all, asked step cited", ""].value <= 1
    assert rows["size on disk, text only", "plain FTS5"].value > 0
    assert rows["encode a question (test-hash), p50", ""].size == 0
    assert "langgraph" in " ".join(report.notices)
    path = save(report, tmp_path, name="speed", now=NOW, at="")
    assert msgspec.json.decode(path.read_bytes(), type=SpeedReport) == report
    out = io.StringIO()
    show_speed(report, Console(file=out, width=160))
    assert "add live, p50" in out.getvalue()
    assert "note: vectors come from a hash" in out.getvalue()


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_that_is_not_installed_says_so(name: str) -> None:
    if find_spec(PEERS[name][0]) is not None:
        pytest.skip(f"{name} is installed")
    rows, note = measure_peer(name, 100, questions=4, seed=0)
    assert rows == []
    assert note.startswith(f"{name} was not measured")
    assert "pip install" in note


def test_peers_are_chosen_by_name() -> None:
    assert chosen(()) == ()
    assert chosen(["mem0", "chromadb"]) == ("chromadb", "mem0")
    assert chosen(["all"]) == tuple(PEERS)
    with pytest.raises(InvalidInputError, match="chromadb"):
        chosen(["chroma"])
