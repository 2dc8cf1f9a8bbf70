"""Each module of the product has its tests where its name says.

`src/stepwell/a/b.py` is tested by `tests/a/test_b.py`, or by the files of `tests/a/b/`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
PRODUCT = TESTS.parent / "src" / "stepwell"
MODULES = sorted(
    path.relative_to(PRODUCT) for path in PRODUCT.rglob("*.py") if not path.stem.startswith("__")
)
NOT_YET = """
    audit/model.py audit/report.py errors.py memory/accesses.py memory/adding.py memory/advice.py
    memory/catalogue.py memory/encoders.py memory/forgetting.py memory/indexing.py memory/recalls.py
    memory/usage.py memory/views.py policy/base.py policy/body.py policy/describe.py policy/files.py
    policy/interpreter.py policy/registry.py recall/evidence.py recall/find/context.py
    recall/find/gather.py recall/find/places.py recall/find/reading.py recall/rank/modes.py
    recall/rank/rank.py recall/rank/scope_units.py recall/rank/score.py
    recall/rank/selection/base.py recall/rank/selection/coarse.py recall/rank/selection/coverage.py
    recall/rank/selection/flat.py recall/rank/selection/routing.py recall/recall.py
    recall/show/allocation.py recall/show/compose.py recall/show/excerpt.py recall/show/fit.py
    recall/show/items.py recall/show/notes.py recall/show/pack.py recall/show/tail.py
    recall/show/views.py recall/show/windows.py serve/allocating.py serve/audit_commands.py
    serve/learn_commands.py serve/options.py serve/plugins.py serve/policy_commands.py
    serve/reading.py serve/tails.py serve/writing.py stats/tails/audit.py stats/tails/histogram.py
    stats/tails/nearest.py stats/tails/neargaps.py stats/tails/powerlaw.py stats/tails/quadrature.py
    stats/tails/samples.py stats/tails/sums.py store/codec.py store/database.py store/derived.py
    store/forget.py store/read.py store/recalls.py store/rowids.py store/schema.py store/scope.py
    store/units.py store/usage.py store/vectors.py store/write.py structures/base.py
    structures/episodic.py structures/graph/code.py structures/graph/extract.py
    structures/graph/index.py structures/graph/linking.py structures/graph/model.py
    structures/graph/placing.py structures/graph/ranking.py structures/graph/talk.py
    structures/graph/view.py structures/matrices.py structures/registry.py
    structures/summary/digest.py structures/summary/index.py structures/summary/notes.py
    structures/summary/textrank.py structures/summary/view.py structures/summary/written.py
    structures/temporal/actions.py structures/temporal/answer.py structures/temporal/ask.py
    structures/temporal/bounds.py structures/temporal/calls.py structures/temporal/counts.py
    structures/temporal/extract.py structures/temporal/facts.py structures/temporal/index.py
    structures/temporal/lines.py structures/temporal/log.py structures/temporal/names.py
    structures/temporal/phrases.py structures/temporal/prose.py structures/temporal/records.py
    structures/temporal/sentences.py structures/temporal/states.py structures/temporal/tools.py
    structures/temporal/verbs.py structures/units/assemble.py structures/units/centroids.py
    structures/units/coherence.py structures/units/grid.py structures/units/grouping.py
    structures/units/leiden.py structures/units/likeness.py structures/units/model.py
    structures/units/nearest.py structures/units/plans.py structures/units/prune.py
    structures/units/stored.py structures/vector.py
"""
"""Modules whose tests are still elsewhere; this list only gets shorter."""


def places(module: Path) -> tuple[Path, Path]:
    """Return where the tests of a module may be: a file, or a folder."""
    folder = TESTS / module.parent
    return folder / f"test_{module.name}", folder / module.stem


def is_tested(module: Path) -> bool:
    file, folder = places(module)
    return file.is_file() or any(folder.glob("test_*.py"))


@pytest.mark.parametrize("module", MODULES, ids=Path.as_posix)
def test_a_module_has_its_tests_at_its_place(module: Path) -> None:
    if module.as_posix() not in NOT_YET.split():
        assert is_tested(module), f"write {places(module)[0].relative_to(TESTS.parent)}"


def test_tests_have_no_packages() -> None:
    """Test files of one name in two folders need none: pytest imports them by their paths."""
    assert list(TESTS.rglob("__init__.py")) == []
