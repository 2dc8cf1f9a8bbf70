"""What is logged of a recall's steps: ranks over quoted and cut, shares of tokens, limits."""

from __future__ import annotations

from stepwell.memory.accesses import accesses_of
from stepwell.recall.evidence import Cut, Evidence, Item, Noted


def item(step: int, *, score: float = 1.0, text: str = "abcd", **fields: str) -> Item:
    run, structure = fields.get("run", "r"), fields.get("structure", "episodic")
    return Item(
        id=f"{run}/s{step}.m",
        trajectory=run,
        step=step,
        part="m",
        text=text,
        kind="user",
        label="user",
        structure=structure,
        score=score,
        scores={},
        why="",
    )


def cut(id: str, *, score: float, structure: str = "episodic") -> Cut:  # noqa: A002
    return Cut(id=id, score=score, why="", reason="", structure=structure)


def noted(steps: tuple[int, ...], *, text: str = "abcd", run: str = "r") -> Noted:
    return Noted(structure="temporal", trajectory=run, steps=steps, text=text)


def evidence(
    items: tuple[Item, ...] = (), cuts: tuple[Cut, ...] = (), notes: tuple[Noted, ...] = ()
) -> Evidence:
    return Evidence(
        query="q",
        text="",
        tokens=0,
        budget=9,
        tokenizer="o200k",
        format="text",
        items=items,
        cut=cuts,
        notes=notes,
    )


def test_evidence_of_nothing_has_no_accesses() -> None:
    assert accesses_of(evidence(), {"r": 1}) == ()


def test_ranks_go_by_score_over_what_is_quoted_and_what_is_cut() -> None:
    shown = evidence(
        (item(1, score=0.2), item(2, score=0.9)), (cut("r/s3", score=0.5), cut("r/s4", score=0.1))
    )
    found = [(one.step, one.rank, one.fate) for one in accesses_of(shown, {"r": 1})]
    assert found == [(1, 3, "quoted"), (2, 1, "quoted"), (3, 2, "cut"), (4, 4, "cut")]


def test_steps_that_the_question_names_rank_before_any_score() -> None:
    shown = evidence(
        (item(1, score=9.0), item(2, score=0.0, structure="steps")),
        (cut("r/s3", score=0.1, structure="steps"),),
    )
    assert [(one.step, one.rank) for one in accesses_of(shown, {"r": 1})] == [
        (1, 3),
        (2, 2),
        (3, 1),
    ]


def test_of_equal_scores_the_first_quoted_ranks_first_and_a_quote_before_a_cut() -> None:
    shown = evidence((item(7), item(3)), (cut("r/s5", score=1.0),))
    assert [(one.step, one.rank) for one in accesses_of(shown, {"r": 1})] == [
        (7, 1),
        (3, 2),
        (5, 3),
    ]


def test_a_step_quoted_in_parts_is_one_access_with_all_their_tokens() -> None:
    (access,) = accesses_of(
        evidence((item(1, text="abcde", score=0.5), item(1, text="a", score=0.4))), {"r": 8}
    )
    assert (access.number, access.tokens, access.rank) == (8, 3, 1)  # 2 + 1, each rounded up
    assert access.structure == "episodic"


def test_one_step_index_in_two_runs_is_two_accesses() -> None:
    shown = evidence((item(1), item(1, run="other")))
    assert [one.number for one in accesses_of(shown, {"r": 1, "other": 2})] == [1, 2]


def test_a_line_shares_its_tokens_among_the_steps_it_is_derived_from() -> None:
    found = accesses_of(evidence(notes=(noted((4, 5, 9), text="x" * 17),)), {"r": 1})
    assert [(one.step, one.fate, one.tokens) for one in found] == [
        (4, "told", 2),
        (5, "told", 2),
        (9, "told", 2),
    ]
    assert {one.structure for one in found} == {"temporal"}


def test_lines_are_ranked_by_their_places() -> None:
    found = accesses_of(evidence(notes=(noted((1,)), noted((2,)))), {"r": 1})
    assert [(one.step, one.rank) for one in found] == [(1, 1), (2, 2)]


def test_of_a_line_over_a_whole_run_the_first_sixteen_steps_are_logged() -> None:
    found = accesses_of(evidence(notes=(noted(tuple(range(40))),)), {"r": 1})
    assert [one.step for one in found] == list(range(16))


def test_a_line_of_no_steps_is_not_an_access() -> None:
    assert accesses_of(evidence(notes=(noted(()),)), {"r": 1}) == ()


def test_trajectories_without_a_number_are_left_out_and_keep_their_ranks() -> None:
    shown = evidence(
        (item(1, score=0.9, run="secret"), item(2, score=0.5)),
        (cut("secret/s3", score=0.7), cut("r/s4", score=0.1)),
        (noted((5,), run="secret"),),
    )
    found = [(one.step, one.rank, one.fate) for one in accesses_of(shown, {"r": 1})]
    assert found == [(2, 3, "quoted"), (4, 4, "cut")]


def test_the_id_of_a_cut_step_may_hold_slashes_and_the_mark_of_a_step() -> None:
    (access,) = accesses_of(evidence(cuts=(cut("a/s1/sub 日/s12", score=1.0),)), {"a/s1/sub 日": 3})
    assert (access.number, access.step, access.tokens) == (3, 12, 0)


def test_the_last_cut_are_dropped_beyond_256_accesses() -> None:
    cuts = tuple(cut(f"r/s{n}", score=-float(n)) for n in range(1, 300))
    found = accesses_of(evidence((item(0),), cuts), {"r": 1})
    assert [one.step for one in found] == list(range(256))
    assert found[0].fate == "quoted"
