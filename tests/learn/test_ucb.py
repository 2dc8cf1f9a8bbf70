from __future__ import annotations

import math

import pytest

from stepwell.learn.ucb import BETA, DIRECTIONS, Arm, arms_of, bounds, means, schedule


def test_bounds_are_those_computed_by_hand() -> None:
    arms = arms_of([("demand", 0.5), ("utility", 0.4), ("demand", 0.7), ("composition", 0.3)])
    found = bounds(arms, prior=0.45, beta=0.05)
    # N = 4, so log(N + 2) = log 6 = 1.791759.
    assert found["demand"] == pytest.approx(0.6 + 0.05 * math.sqrt(1.791759 / 3), abs=1e-6)
    assert found["utility"] == pytest.approx(0.4 + 0.05 * math.sqrt(1.791759 / 2), abs=1e-6)
    assert found["composition"] == pytest.approx(0.3473249, abs=1e-6)
    assert found["robustness"] == pytest.approx(0.45 + 0.05 * 1.338566, abs=1e-6)


def test_what_was_never_tried_is_worth_what_the_start_is() -> None:
    assert means(arms_of([("demand", 0.2)]), prior=0.3)["utility"] == 0.3


def test_the_best_mean_is_exploited_and_the_best_bound_of_the_others_explored() -> None:
    arms = {
        "demand": Arm(n=20, total=20 * 0.60),
        "utility": Arm(n=9, total=9 * 0.59),
        "composition": Arm(n=1, total=0.58),
        "robustness": Arm(n=1, total=0.10),
    }
    assert schedule(arms, prior=0.5, beta=0.05) == ("demand", "composition")  # type: ignore[arg-type]
    assert schedule(arms, prior=0.5, beta=0.0) == ("demand", "utility")  # type: ignore[arg-type]


def test_the_first_of_equals_is_taken() -> None:
    assert schedule(arms_of([]), prior=0.5) == tuple(DIRECTIONS)[:2]


def test_arms_count_and_sum_what_came_of_each_direction() -> None:
    arms = arms_of([("robustness", 0.25), ("demand", 0.5), ("robustness", -0.75)])
    assert list(arms) == list(DIRECTIONS)
    assert arms["robustness"] == Arm(n=2, total=-0.5)
    assert arms["demand"] == Arm(n=1, total=0.5)
    assert arms["utility"] == Arm()


def test_a_bound_falls_with_trials_and_rises_with_those_of_others() -> None:
    few = bounds({"demand": Arm(n=1, total=0.5), "utility": Arm()}, prior=0.5)
    more = bounds({"demand": Arm(n=4, total=2.0), "utility": Arm()}, prior=0.5)
    assert more["demand"] < few["demand"]
    assert more["utility"] > few["utility"]
    assert bounds({"demand": Arm()}, prior=0.5, beta=0.0) == {"demand": 0.5}
    assert bounds({"demand": Arm()}, prior=0.5) == {"demand": 0.5 + BETA * math.sqrt(math.log(2))}


def test_the_explored_direction_is_never_the_exploited_one() -> None:
    arms = arms_of([("composition", 0.9)])
    exploit, explore = schedule(arms, prior=0.1, beta=0.0)
    assert (exploit, explore) == ("composition", "demand")


def test_a_direction_never_tried_is_exploited_where_others_were_worse() -> None:
    arms = arms_of([("demand", 0.1), ("utility", 0.2)])
    assert schedule(arms, prior=0.5, beta=0.0) == ("composition", "robustness")
