"""Strategies for policies, conditions and contexts of any kind."""

from __future__ import annotations

from hypothesis import strategies as st

from stepwell.policy.base import STRUCTURES, Context
from stepwell.policy.conditions import Comparison, Condition
from stepwell.policy.cues import CUES
from stepwell.policy.kinds import ANY, All, Fixed, Kind, Program, Rule, Rules, Single, Table

__all__ = ["conditions", "contexts", "kinds", "programs", "questions"]

COMPARISONS: tuple[Comparison, ...] = (">=", "<=", ">", "<", "=", "!=")

plain_words = st.from_regex(r"[\w.-]{1,12}", fullmatch=True)
phrases = st.lists(plain_words, min_size=1, max_size=3).map(" ".join)
numbers = st.one_of(
    st.integers(-(10**9), 10**9).map(float),
    st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 6) + 0.0),
)
names = st.one_of(st.sampled_from(STRUCTURES), plain_words)
reads = st.lists(names, min_size=1, max_size=4, unique=True).map(tuple)
questions = st.one_of(st.text(), st.sampled_from([cue.example for cue in CUES.values()]))


def conditions() -> st.SearchStrategy[Condition]:
    """Return conditions of every subject."""
    negated = st.booleans()
    return st.one_of(
        st.builds(
            Condition, subject=st.just("asks"), name=st.sampled_from(list(CUES)), negated=negated
        ),
        st.builds(Condition, subject=st.just("has"), name=names, negated=negated),
        st.builds(
            Condition,
            subject=st.sampled_from(["domain", "kind", "task"]),
            name=phrases,
            negated=negated,
        ),
        st.builds(
            Condition,
            subject=st.sampled_from(["steps", "tokens", "budget"]),
            comparison=st.sampled_from(COMPARISONS),
            value=numbers,
            negated=negated,
        ),
        st.builds(
            Condition,
            subject=st.just("signal"),
            name=plain_words,
            comparison=st.sampled_from(COMPARISONS),
            value=numbers,
            negated=negated,
        ),
    )


def contexts() -> st.SearchStrategy[Context]:
    """Return contexts in which something can be read."""
    available = st.one_of(
        st.lists(st.sampled_from(STRUCTURES), min_size=1, unique=True), st.lists(names, min_size=1)
    )
    counts = st.integers(0, 2**70)
    return st.builds(
        Context,
        available=available.map(tuple),
        budget=counts,
        n_steps=counts,
        n_tokens=counts,
        domain=st.text(max_size=20),
        kind=st.text(max_size=5),
        task=st.text(max_size=20),
        signals=st.dictionaries(st.text(max_size=10), st.floats(), max_size=3),
    )


def kinds() -> st.SearchStrategy[Kind]:
    """Return policies of every kind but programs."""
    rules = st.builds(
        Rule,
        when=st.lists(conditions(), max_size=3).map(tuple),
        read=reads,
        tokens=st.dictionaries(names, st.integers(1, 10**6), max_size=2),
    )
    cells = st.dictionaries(
        st.tuples(st.one_of(st.just(ANY), phrases), st.one_of(st.just(ANY), phrases)),
        reads,
        max_size=4,
    )
    return st.one_of(
        st.just(All()),
        st.builds(Single, structure=names),
        st.builds(Fixed, structures=reads),
        st.builds(Table, cells=cells, default=reads),
        st.builds(Rules, rules=st.lists(rules, max_size=4).map(tuple), default=reads),
    )


def programs() -> st.SearchStrategy[Kind]:
    """Return programs that select something, whatever they are asked."""
    return st.sampled_from(
        [
            Program(source=f"def select(question, context):\n    return {returned}\n")
            for returned in (
                'context["available"]',
                '["vector", "episodic"]',
                '{"temporal": 300, "units": 1}',
                '["nobody"]',
                '["summary"] if "why" in context["cues"] else ["episodic", "temporal"]',
            )
        ]
    )
