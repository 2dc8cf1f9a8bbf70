"""One small tree of errors, each of a stable kind, whose message says what to do next."""

from __future__ import annotations

import inspect

import pytest

from stepwell import errors
from stepwell.errors import NotFoundError, StepwellError

LEAVES = [
    value
    for name, value in inspect.getmembers(errors, inspect.isclass)
    if issubclass(value, StepwellError) and value is not StepwellError
]


def test_the_tree_is_flat_and_has_at_most_eight_leaves() -> None:
    assert 0 < len(LEAVES) <= 8
    assert all(leaf.__bases__ == (StepwellError,) for leaf in LEAVES)
    assert {leaf.__name__ for leaf in LEAVES} == set(errors.__all__) - {"StepwellError"}


def test_each_kind_is_its_own_and_fit_for_scripts() -> None:
    kinds = [leaf.kind for leaf in LEAVES]
    assert len(set(kinds)) == len(kinds)
    assert all(kind == kind.lower() and kind.replace("-", "").isalpha() for kind in kinds)


@pytest.mark.parametrize(
    ("hint", "said"),
    [("", "There is no run7."), ("`stepwell sessions` lists them.", "There is no run7. `stepwell")],
)
def test_the_hint_follows_the_message(hint: str, said: str) -> None:
    error = NotFoundError("There is no run7.", hint=hint)
    assert error.hint == hint
    assert str(error).startswith(said)
    assert str(error).endswith(hint or "run7.")


def test_every_error_can_be_caught_as_one_of_stepwells() -> None:
    for leaf in LEAVES:
        with pytest.raises(StepwellError, match="Look there"):
            raise leaf("Broken.", hint="Look there.")
