"""Candidates are ordered by score, those a question names first, each with its reason."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stepwell.recall.rank.candidates import (
    Candidate,
    best_first,
    best_keys,
    candidates_of,
    speaker_in,
)
from stepwell.recall.rank.places import Named
from stepwell.recall.rank.score import PassageScores, Scored
from stepwell.structures.base import Traits
from support.views import view

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stepwell.store.facts import StepFacts

TRAITS = {
    "words": Traits(matches="words", why="its words match"),
    "meaning": Traits(matches="meaning", why="its meaning matches"),
    "log": Traits(why="the log names it"),
    "facts": Traits(why="its facts are linked"),
    "mine": Traits(),
    "units": Traits(orders=True),
}


def scored(totals: list[float], **parts: list[float]) -> Scored:
    return Scored(
        keys=np.arange(len(totals), dtype=np.int64),
        total=np.array(totals),
        parts={name: np.array(values) for name, values in parts.items()},
        passages=PassageScores(rows=np.zeros(1, dtype=np.int64), values=np.zeros(1), least=0.0),
        traits=TRAITS,
        reasons={2: "shares a key with s9"},
    )


def ordered(
    found: Scored,
    facts: Mapping[int, StepFacts],
    *,
    named: Mapping[int, Named],
    speaker: str | None,
) -> list[Candidate]:
    keys = best_first(found, facts, named=named, speaker=speaker)
    return candidates_of(keys, found, facts, named=named, speaker=speaker)


def facts_of(kind: str = "agent", *, active: bool = True) -> StepFacts:
    return view(kind=kind, active=active).facts


def why(total: float, **parts: float) -> str:
    """Return the reason given for a step of which structures found so much."""
    found = scored([total], **{name: [value] for name, value in parts.items()})
    (only,) = ordered(found, {0: facts_of()}, named={}, speaker=None)
    return only.why


@pytest.mark.parametrize(
    ("question", "speaker"),
    [
        ("What did the user say about seats?", "user"),
        ("Did user ask for a window?", "user"),
        ("what has the user's request been", "user"),
        ("which seat does the user prefer", "user"),
        ("which seat the users like", None),
        ("The user prefers what?", "user"),
        ("The USER told us what?", "user"),
        ("What did the agent say?", "agent"),
        ("did assistant promise a refund", "agent"),
        ("what the agent told the customer", "agent"),
        ("What did the user say that the agent said?", "user"),
        ("What did the agent do?", None),
        ("superuser said", None),
        ("Which port is used?", None),
    ],
)
def test_a_question_may_ask_about_a_speaker(question: str, speaker: str | None) -> None:
    assert speaker_in(question) == speaker


def test_the_best_steps_come_first_and_of_equal_ones_the_earlier() -> None:
    assert best_keys(scored([1.0, 3.0, 3.0, 0.5, 4.0]), 4) == [4, 1, 2, 0]
    assert best_keys(scored([1.0, 3.0]), 9) == [1, 0]
    assert best_keys(scored([1.0, 3.0]), 0) == []


def test_without_a_hit_no_step_is_best() -> None:
    nothing = PassageScores(rows=np.empty(0, dtype=np.int64), values=np.empty(0), least=0.0)
    assert best_keys(replace(scored([1.0, 3.0]), passages=nothing), 2) == []


def test_candidates_are_ordered_by_score_then_by_step() -> None:
    facts = {key: facts_of() for key in (3, 1, 0, 2)}
    ranked = ordered(scored([1.0, 2.0, 2.0, 5.0]), facts, named={}, speaker=None)
    assert [(c.key, c.score) for c in ranked] == [(3, 5.0), (1, 2.0), (2, 2.0), (0, 1.0)]


def test_only_given_steps_are_candidates() -> None:
    ranked = ordered(scored([1.0, 2.0, 3.0]), {1: facts_of()}, named={}, speaker=None)
    assert [c.key for c in ranked] == [1]


def test_named_steps_come_first_in_the_order_they_are_named() -> None:
    named = {
        2: Named(step=2, why="the question names step 2", rank=1),
        7: Named(step=7, why="the question names step 7", rank=0),
        0: Named(step=0, why="the question names step 0", rank=9),
    }
    facts = {key: facts_of() for key in (0, 1, 2, 7)}
    ranked = ordered(scored([1.0, 9.0, 3.0]), facts, named=named, speaker=None)
    assert [c.key for c in ranked][:2] == [7, 2]
    seven = ranked[0]
    assert (seven.score, seven.structure, seven.parts) == (0.0, "steps", {})
    assert seven.why == "the question names step 7"


def test_as_many_places_as_are_named_come_before_other_steps() -> None:
    named = {key: Named(step=key, why="", rank=key) for key in range(3)}
    facts = {key: facts_of() for key in range(5)}
    ranked = ordered(scored([0.0, 0.0, 0.0, 9.0, 8.0]), facts, named=named, speaker=None)
    assert [c.key for c in ranked] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("kind", ["summary", "context", "meta"])
def test_what_surrounds_a_run_counts_less(kind: str) -> None:
    (demoted,) = ordered(scored([2.0]), {0: facts_of(kind)}, named={}, speaker=None)
    assert demoted.score == 0.5


def test_an_abandoned_step_counts_less() -> None:
    (step,) = ordered(scored([2.0]), {0: facts_of(active=False)}, named={}, speaker=None)
    assert step.score == 1.0


def test_steps_of_the_speaker_count_more() -> None:
    facts = {0: facts_of("user"), 1: facts_of("agent")}
    asked = ordered(scored([1.0, 1.0]), facts, named={}, speaker="agent")
    assert [(c.key, c.score) for c in asked] == [(1, 3.0), (0, 1.0)]


@pytest.mark.parametrize("kind", ["summary", "context", "meta"])
def test_a_question_about_the_user_leaves_out_what_only_repeats_it(kind: str) -> None:
    facts = {0: facts_of(kind), 1: facts_of("user"), 2: facts_of("agent")}
    found = scored([9.0, 1.0, 0.0])
    assert [c.key for c in ordered(found, facts, named={}, speaker="user")] == [1, 2]
    assert len(ordered(found, facts, named={}, speaker="agent")) == 3
    named = {0: Named(step=0, why="", rank=0)}
    assert [c.key for c in ordered(found, facts, named=named, speaker="user")] == [0, 1, 2]


def test_a_candidate_tells_the_parts_of_its_score_and_what_ranked_it_highest() -> None:
    found = scored([3.0, 1.0], words=[1.0, 0.5], meaning=[2.0, 0.25])
    best, other = ordered(found, {0: facts_of(), 1: facts_of()}, named={}, speaker=None)
    assert best.parts == {"words": 1.0, "meaning": 2.0}
    assert (best.structure, other.structure) == ("meaning", "words")
    (alone,) = ordered(scored([1.0]), {0: facts_of()}, named={}, speaker=None)
    assert alone.structure == "steps"


def test_reasons_say_what_matches() -> None:
    assert why(1.0, words=1.0) == "its words match"
    assert why(1.0, meaning=1.0) == "its meaning matches"
    assert why(2.0, words=1.0, meaning=1.0) == "its words and its meaning match"
    assert why(1.9, words=1.0, meaning=0.9) == "its words match"
    assert why(1.9, words=0.9, meaning=0.9) == "a weak match"


def test_a_structure_that_states_a_step_is_the_reason() -> None:
    assert why(3.0, words=1.0, log=2.0) == "the log names it"
    assert why(3.0, words=2.0, facts=1.0) == "its facts are linked"
    assert why(3.0, mine=3.0) == "mine found it"


def test_a_step_that_owes_its_score_to_its_neighbours_says_so() -> None:
    assert why(2.1, words=1.0) == "beside a step that matches"
    assert why(2.0, words=1.0) == "its words match"


def test_what_units_add_is_no_match_but_a_reason_of_its_own() -> None:
    assert why(5.0, words=1.0, units=4.0) == "its words match"
    assert why(5.0, words=0.4, units=4.0) == "beside a step that matches"
    assert why(4.0, words=0.5, units=4.0) == "a weak match"
    found = scored([0.0, 0.0, 1.0], words=[0.0, 0.0, 1.0])
    first = ordered(found, {2: facts_of()}, named={}, speaker=None)[0]
    assert first.why == "its words match, shares a key with s9"
