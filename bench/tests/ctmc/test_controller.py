"""Memories say what their rules say, within what they may keep and say."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.text.tokens import Estimate, counter
from stepwell_bench.ctmc.allocation import FullRank, allocate, cluster_line, rank_shares
from stepwell_bench.ctmc.balanced import Balanced, BalancedOptions
from stepwell_bench.ctmc.baselines import (
    FlatRetrieval,
    FrequencyCache,
    FullHistory,
    GraphMemory,
    HierarchicalSummary,
    RecencyCache,
    SlidingWindow,
)
from stepwell_bench.ctmc.controller import ControllerOptions, CoreTail, Features
from stepwell_bench.ctmc.episodes import Episode, score, tail_states, walk
from stepwell_bench.ctmc.graphs import Family
from stepwell_bench.ctmc.policies import AlwaysFirst, Random
from stepwell_bench.ctmc.transitions import Described, Observed, Recalled, Transition, predicted
from stepwell_bench.ctmc.world import make_world

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from stepwell_bench.ctmc.allocation import Arm
    from stepwell_bench.ctmc.transitions import PromptMemory


def told(state: int, shared: int = 0, n_actions: int = 2, n_neighbours: int = 6) -> Described:
    return Described(entities=(state + 100, shared), n_actions=n_actions, n_neighbours=n_neighbours)


def seen(before: int, after: int, action: int = 0) -> Observed:
    return Observed(
        transition=Transition(before, action, after), left=told(before), reached=told(after)
    )


def fill(memory: PromptMemory, *steps: tuple[int, int]) -> None:
    for before, after in steps:
        memory.write(seen(before, after))


def test_history_and_window_say_steps_oldest_first() -> None:
    history, window = FullHistory(), SlidingWindow(2)
    for memory in (history, window):
        fill(memory, (1, 2), (2, 3), (3, 1))
    assert [one.before for one in history.recall(1).hints] == [1, 2, 3]
    assert window.recall(1).context == "history: v_0002->act_0->v_0003;v_0003->act_0->v_0001"
    assert len(window.kept) == 2


def test_flat_retrieval_draws_three_of_all_and_repeats_by_seed() -> None:
    first, again = (FlatRetrieval(rng=np.random.default_rng(1)) for _ in range(2))
    for memory in (first, again):
        fill(memory, (1, 2), (2, 3), (3, 4), (4, 5), (1, 2))
    drawn = first.recall(9).hints
    assert drawn == again.recall(9).hints
    assert len(set(drawn)) == 3
    assert len(first.kept) == 4


def test_the_frequency_cache_lets_a_newcomer_in_only_for_one_seen_once() -> None:
    memory = FrequencyCache(2)
    fill(memory, (1, 2), (1, 2), (3, 4), (5, 6))
    assert memory.kept == {Transition(1, 0, 2), Transition(5, 0, 6)}
    fill(memory, (5, 6), (7, 8))
    assert memory.kept == {Transition(1, 0, 2), Transition(5, 0, 6)}
    assert memory.recall(0).context.startswith("freq_cache: v_0001->act_0->v_0002(f=2)")


def test_the_recency_cache_drops_what_happened_longest_ago() -> None:
    memory = RecencyCache(2)
    fill(memory, (1, 2), (3, 4), (1, 2), (5, 6))
    assert [one.before for one in memory.recall(0).hints] == [5, 1]


def test_summaries_say_the_commonest_of_every_hundred_steps() -> None:
    memory = HierarchicalSummary()
    fill(memory, *[(1, 2)] * 60, *[(3, 4)] * 40, (5, 6))
    said = memory.recall(0)
    assert said.context.startswith("sum0:v_0002(x60),v_0004(x40) | recent:")
    assert said.hints == [Transition(1, 0, 2), Transition(3, 0, 4), Transition(3, 0, 4)]


def test_graph_memory_says_own_last_steps_and_then_those_of_alike_states() -> None:
    memory = GraphMemory(verbose=True)
    fill(memory, (1, 2), (1, 3), (5, 6), (5, 6))
    said = memory.recall(1)
    assert said.hints == [Transition(1, 0, 3), Transition(1, 0, 2), Transition(5, 0, 6)]
    assert said.context.endswith("| ents:ent_0,ent_101")
    assert "ents" not in GraphMemory().recall(1).context


def test_graph_memory_knows_an_episode_when_it_is_full() -> None:
    memory = GraphMemory(episode=2)
    fill(memory, (1, 2))
    assert memory.recall(1).hints == []
    fill(memory, (2, 3), (1, 4))
    assert memory.recall(1).hints[0] == Transition(1, 0, 2)


def test_scores_are_weighted_standard_features() -> None:
    features = Features(4, 10)
    for before, after in [(1, 2), (1, 2), (1, 3), (4, 5)]:
        features.take(Transition(before, 0, after))
    features.read(Transition(1, 0, 3), 1)
    written, read = np.array([2.0, 1.0, 1.0]), np.array([0.0, 0.5, 0.0])
    varied, rare = np.array([2 / 3, 2 / 3, 1.0]), np.array([0.5, 1.0, 1.0])

    def z(x: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((x - x.mean()) / x.std())

    expected = 0.3 * z(written) + 0.2 * z(read) + 0.2 * z(varied) + 0.15 * z(rare)
    np.testing.assert_allclose(features.scores(), expected)


def test_a_full_controller_evicts_the_lowest_score_and_the_oldest_of_equals() -> None:
    memory = CoreTail(10, rng=np.random.default_rng(0), options=ControllerOptions(capacity=2))
    fill(memory, (1, 2), (3, 4), (5, 6))
    assert memory.kept == {Transition(3, 0, 4), Transition(5, 0, 6)}
    fill(memory, (3, 4), (3, 4), (7, 8))
    assert Transition(7, 0, 8) in memory.kept
    assert len(memory.kept) == 2


def test_the_controller_says_core_entries_of_the_state_first() -> None:
    options = ControllerOptions(core=1.0, core_slots=1, encoding="verbose")
    memory = CoreTail(10, rng=np.random.default_rng(0), options=options)
    fill(memory, (1, 2), (1, 2), (1, 2), (3, 4), (5, 6), (7, 8))
    said = memory.recall(3)
    assert said.hints == [Transition(3, 0, 4)]
    assert said.context.startswith("core:v_0003->act_0->v_0004(c=")
    assert said.context.endswith(" | tail:(empty)")


def test_the_controller_says_of_the_tail_its_entries_or_how_many_clusters() -> None:
    for encoding, said in (("verbose", " | tail:v_000"), ("compact", " | tail:1clusters")):
        options = ControllerOptions(core=0.3, tail_slots=1, encoding=encoding)  # type: ignore[arg-type]
        memory = CoreTail(10, rng=np.random.default_rng(0), options=options)
        fill(memory, (1, 2), (3, 4), (5, 6), (7, 8))
        assert said in memory.recall(1).context
    assert CoreTail(9, rng=np.random.default_rng(0)).recall(1).hints == ()


def test_shares_fall_with_rank_and_are_equal_without_tau() -> None:
    assert rank_shares(4, 0.0).tolist() == [0.25] * 4
    assert rank_shares(2, 1.0).tolist() == pytest.approx([2 / 3, 1 / 3])


def test_what_an_entry_leaves_over_rolls_down() -> None:
    # shares of 22: 12, 6, 4. 12 ≥ 10 in full, 2 left; 8 ≥ 5 compactly, 3 left; 7 ≥ 5 compactly.
    found = allocate([10, 10, 10], [5, 5, 5], budget=22.0, tau=1.0, cap=4.0)
    assert (found.verbatim, found.compact, found.tail) == ((0,), (1, 2), ())


def test_what_is_too_little_for_an_entry_feeds_the_summary_to_its_cap() -> None:
    # equal shares of 3: the summary takes 3, then 1, and the rest is not spent.
    found = allocate([9, 9, 9], [5, 5, 5], budget=9.0, tau=0.0, cap=4.0)
    assert (found.compact, found.tail, found.summary_tokens) == ((), (0, 1, 2), 4.0)


@given(
    st.lists(st.tuples(st.integers(6, 20), st.integers(1, 6)), max_size=40),
    st.floats(0, 200),
    st.floats(0, 3),
    st.floats(0, 50),
)
def test_an_allocation_places_each_entry_once_within_its_budget(
    costs: list[tuple[int, int]], budget: float, tau: float, cap: float
) -> None:
    full, compact = [one for one, _ in costs], [one for _, one in costs]
    found = allocate(full, compact, budget=budget, tau=tau, cap=cap)
    assert sorted((*found.verbatim, *found.compact, *found.tail)) == list(range(len(costs)))
    spent = sum(full[place] for place in found.verbatim) + found.summary_tokens
    assert spent + sum(compact[place] for place in found.compact) <= budget + 1e-6
    assert found.summary_tokens <= cap + 1e-9


def test_the_summary_names_the_commonest_next_states_and_how_varied_they_are() -> None:
    assert cluster_line(3, Counter({8: 5})) == "3:x1>8,h0{8}"
    assert cluster_line(3, Counter({9: 1, 8: 1, 7: 1, 6: 1})) == "3:x4>6,h2{6,7,8}"


@pytest.mark.parametrize("arm", ["ranked", "shuffled", "reversed"])
def test_a_full_rank_context_keeps_to_its_tokens(arm: Arm) -> None:
    tokens = counter("o200k")
    world = make_world(Family.SCALE_FREE, 40, seed=1)
    memory = FullRank(40, rng=np.random.default_rng(0), budget=48, counter=tokens, arm=arm)
    episode = walk(world, AlwaysFirst(world), memory, n_states=150, counter=tokens)
    assert episode.memory_tokens.max() <= 48
    assert len(episode.kept) <= 200


def test_budgets_between_whole_tokens_take_turns() -> None:
    def said(budget: float) -> list[int]:
        memory = FullRank(20, rng=np.random.default_rng(0), budget=budget, counter=Estimate())
        fill(memory, *[(1, after) for after in range(2, 18)])
        return [len(memory.recall(1).hints) for _ in range(4)]

    fewer, more = said(20)[0], said(40)[0]
    assert fewer < more
    low, high = next(
        (budget, budget + 1) for budget in range(20, 40) if said(budget) != said(budget + 1)
    )
    between = said((low + high) / 2)
    assert sorted(set(between)) == sorted({said(low)[0], said(high)[0]})
    assert between[0] != between[1]


def test_the_reader_of_a_budget_takes_the_summary_when_no_entry_is_said() -> None:
    memory = FullRank(20, rng=np.random.default_rng(0), budget=30, counter=Estimate(), tau=0.0)
    fill(memory, (1, 2), (1, 2), (1, 3), *[(state, 1) for state in range(4, 18)])
    assert memory.recall(1).hints[0] == Transition(1, 0, 2)
    assert memory.recall(19).hints == []


def test_worth_is_likely_by_the_segment_times_how_rarely_the_next_state_is_met() -> None:
    memory = Balanced()
    fill(memory, (0, 1), (1, 0), (0, 2))
    # From 0: action 0 twice, whose segment has 3 of 6 neighbours, 1 and 2 followed; from 1: once.
    # Each of the 4 unknown ones of 0 is expected 2 · (1/3)/4 times; of the 5 of 1, 1 · (2/3)/5.
    rest = 4 * 2 / 3 / 4 + 5 * 2 / 3 / 5
    per_unknown = rest / (4 + 5 + 5)
    mean = (2 * 4 - 1) / 3
    # 1 was visited once and expected 2/3 times by 0, 2 alike, and both have 5 unknown neighbours.
    met = 1 + 2 / 3 + 5 * per_unknown
    rare = 1 + 2 / (1 + met / mean)
    assert memory.worth(Transition(0, 0, 1)) == pytest.approx(3 / 4 * (1 / 3) * rare)
    # 2 never led to 0 before, but 0 led to it.
    met = 2 + 1 / 3 + 0 + 4 * per_unknown
    rare = 1 + 2 / (1 + met / mean)
    assert memory.worth(Transition(2, 0, 0)) == pytest.approx(1 / 2 * (1 / 6) * rare)


def test_of_next_states_as_likely_the_one_met_least_is_said_for_each_action() -> None:
    memory = Balanced()
    fill(memory, (0, 1), (1, 0), (0, 1), (1, 0), (0, 2), (2, 0))
    memory.write(seen(0, 3, action=1))
    assert memory.recall(0).hints == [Transition(0, 0, 2), Transition(0, 1, 3)]


def test_a_way_back_is_said_when_it_is_as_likely_as_what_followed_and_met_less() -> None:
    memory = Balanced()
    for before, after in [*[(1, 0), (0, 1)] * 9, (1, 2), (2, 0)]:
        # Both neighbours of 0 are in the one segment: 1, which followed, and 2, which led to it.
        left, reached = (told(one, n_actions=1, n_neighbours=2) for one in (before, after))
        step = Observed(transition=Transition(before, 0, after), left=left, reached=reached)
        memory.write(step)
    assert memory.recall(0).hints == [Transition(0, 0, 2)]


def test_with_half_the_neighbours_in_a_segment_what_followed_is_likelier_than_a_way_back() -> None:
    memory = Balanced(BalancedOptions(favour=0.0))
    fill(memory, (1, 0), (0, 1), (2, 0))
    assert memory.recall(0).hints == [Transition(0, 0, 1)]


def test_every_state_keeps_an_entry_and_the_best_covered_one_loses_its_least() -> None:
    memory = Balanced(BalancedOptions(capacity=3))
    fill(memory, (0, 1), (0, 1), (0, 2), (1, 0), (2, 0))
    assert memory.kept == {Transition(0, 0, 2), Transition(1, 0, 0), Transition(2, 0, 0)}


def test_a_state_without_entries_says_where_it_was_reached_from() -> None:
    memory, forward = Balanced(), Balanced(BalancedOptions(leads_back=False))
    for one in (memory, forward):
        fill(one, (4, 5), (6, 5), (4, 6), (4, 6))
    assert memory.recall(5).hints == [Transition(5, 0, 4)]
    assert forward.recall(5).context == "core:(empty)"
    assert memory.recall(9).hints == []


def test_a_way_back_goes_with_the_entry_it_follows_from() -> None:
    memory = Balanced(BalancedOptions(capacity=1))
    fill(memory, (1, 0), (1, 2))
    (kept,) = memory.kept
    (dropped,) = {0, 2} - {kept.after}
    assert memory.recall(kept.after).hints == [Transition(kept.after, 0, 1)]
    assert memory.recall(dropped).hints == []


MEMORIES: dict[str, Callable[[], PromptMemory]] = {
    "history": FullHistory,
    "window": SlidingWindow,
    "flat": lambda: FlatRetrieval(rng=np.random.default_rng(0)),
    "frequency": FrequencyCache,
    "recency": RecencyCache,
    "summary": HierarchicalSummary,
    "graph": GraphMemory,
    "controller": lambda: CoreTail(
        30, rng=np.random.default_rng(0), options=ControllerOptions(capacity=20)
    ),
    "balanced": lambda: Balanced(BalancedOptions(capacity=31)),
    "full rank": lambda: FullRank(30, rng=np.random.default_rng(0), budget=40, counter=Estimate()),
}
CAPACITY = {"window": 100, "frequency": 100, "recency": 100, "controller": 20, "balanced": 31}


@settings(max_examples=5, deadline=None)
@given(st.sampled_from(Family), st.integers(0, 1000))
@pytest.mark.parametrize("name", MEMORIES)
def test_a_memory_says_what_it_holds_keeps_its_capacity_and_repeats(
    name: str, family: Family, seed: int
) -> None:
    world = make_world(family, 30, seed=seed)
    first, again = (
        walk(world, Random(world), MEMORIES[name](), n_states=130, counter=Estimate())
        for _ in range(2)
    )
    assert score(first) == score(again)
    assert first.kept <= first.walked
    assert len(first.kept) <= CAPACITY.get(name, 10_000)


def test_a_balanced_memory_keeps_an_entry_of_every_state_it_left() -> None:
    world = make_world(Family.UNIFORM, 30, seed=3)
    memory = Balanced(BalancedOptions(capacity=35))
    episode = walk(world, Random(world), memory, n_states=800, counter=Estimate())
    assert {one.before for one in episode.kept} == set(episode.states[:-1].tolist())
    assert len(episode.kept) == 35


def test_a_reader_that_knows_the_action_prefers_hints_about_it() -> None:
    said = Recalled(hints=(Transition(9, 0, 4), Transition(1, 1, 6)), context="")
    assert (predicted(said, 1, None), predicted(said, 1, 1), predicted(said, 1, 0)) == (4, 6, 4)
    assert predicted(Recalled(hints=(), context=""), 1, None) is None


def test_tail_errors_are_over_steps_that_lead_to_the_least_visited_half() -> None:
    states = np.array([0, 1, 0, 2, 0, 1, 0, 3])
    assert tail_states(states).tolist() == [2, 3]
    one, two = Transition(0, 0, 1), Transition(0, 0, 2)
    foreseen = np.array([True, True, False, True, True, False, True])
    found = score(
        Episode(
            states=states,
            foreseen=foreseen,
            foreseen_knowing=~foreseen,
            tokens=np.full(7, 10),
            memory_tokens=np.full(7, 3),
            walked={one, two},
            kept={two},
        )
    )
    assert (found.tail_error, found.tail_error_knowing) == (0.5, 0.5)
    assert found.error == pytest.approx(2 / 7)
    assert (found.coverage, found.tokens) == (0.5, 10.0)
