"""What "it" means."""

from __future__ import annotations

import pytest

from stepwell.structures.temporal.grammar.said import Said
from stepwell.structures.temporal.grammar.words.names import PRONOUNS


@pytest.mark.parametrize("pronoun", sorted(PRONOUNS - {"this", "that"}))
def test_a_pronoun_means_the_thing_named_last(pronoun: str) -> None:
    assert Said(antecedent="box 1").meant(pronoun) == "box 1"
    assert Said(antecedent="box 1").meant(pronoun.upper()) == "box 1"
    assert Said().meant(pronoun) == ""


def test_a_noun_means_itself() -> None:
    assert Said(antecedent="box 1").meant("the mug 2,") == "mug 2"
    assert Said(antecedent="box 1").meant("this mug 2") == "mug 2"
