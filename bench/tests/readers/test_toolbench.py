from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepwell import Memory
from stepwell.formats.base import Notes
from stepwell.formats.files.decode import decode
from stepwell.formats.read import read_path
from stepwell.formats.registry import reader_for
from stepwell_bench.readers.toolbench import ToolBench

if TYPE_CHECKING:
    from stepwell.trajectory.model import Notice, Trajectory

DATA = Path(__file__).resolve().parents[1] / "data" / "toolbench"
QUERY = "Which tides are there at Brest?"
FINISH = '{"return_type": "give_answer", "final_answer": "High water at five."}'


def node(kind: str, said: str, *children: Any, **fields: Any) -> Any:
    return {"node_type": kind, "description": said, "children": list(children)} | fields


def acted(name: str, given: str, *children: Any, seen: Any = None, code: Any = 0) -> Any:
    observed = {} if seen is None else {"observation": seen, "observation_code": code}
    return node("Action", name, node("Action Input", given, *children, expand_num=1, **observed))


def said(name: str, given: str, content: Any = None) -> Any:
    call = {"name": name, "arguments": given}
    return {"role": "assistant", "content": content, "function_call": call}


def got(name: str, content: str) -> Any:
    return {"role": "function", "name": name, "content": content}


def search(*nodes: Any, chosen: Any = (), **fields: Any) -> Any:
    prompt = [
        {"role": "system", "content": "Use functions."},
        {"role": "user", "content": f"\n{QUERY}\nBegin!\n"},
    ]
    return {
        "win": True,
        "tree": {"size": 1, "tree": node("Action Input", "", *nodes)},
        "answer_generation": {
            "valid_data": True,
            "query": QUERY,
            "final_answer": FINISH,
            "function": [{"name": "tides_for_harbours"}, {"name": "Finish"}],
            "train_messages": [prompt, [*prompt, *chosen]],
        },
    } | fields


def read(value: Any) -> tuple[list[Trajectory], list[Notice]]:
    notes = Notes("7_model.json")
    source = decode(json.dumps(value).encode(), notes=notes)
    assert ToolBench().sniff(source) > 0.9
    return [bundle.trajectory for bundle in ToolBench().read(source, notes)], notes.notices


WRONG = acted("tides_for_oceanic", '{"port": "Breast"}', seen="oops", code=12)
RIGHT = acted(
    "tides_for_harbours",
    '{"port": "Brest"}',
    acted("Finish", FINISH, seen='{"response":"given"}', code=3),
    seen='{"error": "", "response": "05:12"}',
)
CHOSEN = [
    said("tides_for_harbours", '{"port": "Brest"}'),
    got("tides_for_harbours", '{"error": "", "response": "05:12"}'),
    said("Finish", FINISH),
]


def shape(run: Trajectory) -> list[tuple[str, bool, str | None, str | None]]:
    return [
        (
            step.calls[0].name if step.calls else step.kind,
            step.active,
            step.branch_id,
            step.parent_uid,
        )
        for step in run.steps
    ]


def test_the_chosen_path_is_live_and_what_was_tried_before_is_a_branch() -> None:
    (run,), notices = read(search(WRONG, RIGHT, chosen=CHOSEN))
    assert notices == []
    assert shape(run) == [
        ("system", True, None, None),
        ("user", True, None, None),
        ("tides_for_oceanic", False, "s2", None),
        ("tides_for_harbours", True, None, "s1"),
        ("Finish", True, None, None),
    ]
    assert run.outcome is not None
    assert (run.outcome.success, run.outcome.exit_status) == (True, "give_answer")
    assert [tool["name"] for tool in run.agent.tool_definitions] == ["tides_for_harbours", "Finish"]
    assert run.extra["win"] is True


def test_the_query_is_the_task_and_the_first_words_of_the_user() -> None:
    (run,), _ = read(search(RIGHT, chosen=CHOSEN))
    assert run.task == QUERY
    assert run.steps[1].message == QUERY
    assert [part.text for part in run.steps[1].parts] == [f"\n{QUERY}\nBegin!\n"]


def test_other_words_of_the_user_than_the_query_are_left_as_they_are() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.test/map.png"}}
    for content in ("Good morning.", [{"type": "text", "text": QUERY}, image]):
        value = search(RIGHT, chosen=CHOSEN)
        value["answer_generation"]["train_messages"][1][1]["content"] = content
        (run,), _ = read(value)
        assert run.task == QUERY
        assert run.steps[1].message != QUERY
        assert len(run.steps[1].parts) == (0 if isinstance(content, str) else 2)


def test_a_branch_below_the_chosen_path_leaves_it_where_it_was_left() -> None:
    tried = acted("tides_for_oceanic", "{}", acted("clock_for_time", "{}"), seen="oops", code=5)
    right = acted(
        "tides_for_harbours",
        '{"port": "Brest"}',
        tried,
        acted("Finish", FINISH, seen="{}", code=3),
        seen='{"error": "", "response": "05:12"}',
    )
    (run,), notices = read(search(WRONG, right, chosen=CHOSEN))
    assert notices == []
    assert shape(run)[2:] == [
        ("tides_for_oceanic", False, "s2", None),
        ("tides_for_harbours", True, None, "s1"),
        ("tides_for_oceanic", False, "s4", None),
        ("clock_for_time", False, "s4", None),
        ("Finish", True, None, "s3"),
    ]
    assert run.steps[5].status == "missing"


def test_codes_and_error_fields_say_what_failed() -> None:
    failed = '{"error": "Unauthorized", "response": ""}'
    cases = [("a", 12, True), ("b", 0, False), (failed, 0, True), ("Error: x", 0, False)]
    nodes = [acted("x_for_y", "{}", seen=seen, code=code) for seen, code, _ in cases]
    (run,), _ = read(search(*nodes, RIGHT, chosen=CHOSEN))
    judged = [step.results[0] for step in run.steps[2:6]]
    assert [result.is_error for result in judged] == [expected for _, _, expected in cases]
    assert {result.error_source for result in judged} == {"observation-code", "error-field"}
    assert [result.extra["observation_code"] for result in judged] == [12, 0, 0, 0]
    assert [step.status for step in run.steps[2:6]] == ["error", "ok", "error", "ok"]


def test_the_answer_to_the_last_call_comes_from_the_tree() -> None:
    (run,), _ = read(search(RIGHT, chosen=CHOSEN))
    assert run.steps[-1].results[0].text == '{"response":"given"}'
    assert run.steps[-1].status == "ok"


def test_a_thought_beside_a_call_is_its_thought_and_one_alone_a_message() -> None:
    beside = node("Thought", "First the port.", RIGHT)
    alone = node("Thought", "I wonder.", acted("a_for_b", "{}", seen="1"), expand_num=4)
    chosen = [said("tides_for_harbours", '{"port": "Brest"}', "First the port."), *CHOSEN[1:]]
    (run,), notices = read(search(alone, beside, chosen=chosen))
    assert notices == []
    first, second, third = run.steps[2:5]
    assert (first.message, first.thought, first.calls) == ("I wonder.", "", ())
    assert (second.calls[0].name, second.active, second.branch_id) == ("a_for_b", False, "s2")
    assert (third.message, third.thought) == ("", "First the port.")
    assert third.calls[0].name == "tides_for_harbours"


def test_a_prompt_to_try_something_else_is_no_word_of_the_user() -> None:
    prompt = {"role": "user", "content": "Try something else.", "valid": False}
    (run,), notices = read(search(WRONG, RIGHT, chosen=[prompt, *CHOSEN]))
    assert notices == []
    kinds = [(step.kind, step.active) for step in run.steps]
    assert kinds[2:4] == [("agent", False), ("context", True)]
    assert run.steps[3].message == "Try something else."


def test_a_function_that_there_is_not_is_found_in_the_tree_under_its_own_name() -> None:
    nodes = acted("tide_table", "{}", seen="no such function", code=1)
    chosen = [said("invalid_hallucination_function_name", "{}")]
    (run,), notices = read(search(nodes, chosen=chosen))
    assert notices == []
    assert run.steps[2].active
    assert run.steps[2].results[0].is_error is True


def test_tries_one_after_the_other_are_branches_of_the_prompt() -> None:
    tries = [
        {"chain": [node("Thought", "Hm."), *_flat(WRONG)], "win": False},
        {"chain": _flat(RIGHT), "win": True},
    ]
    run_value = search(chosen=CHOSEN) | {"trys": tries}
    del run_value["tree"]
    (run,), notices = read(run_value)
    assert notices == []
    assert shape(run)[2:] == [
        ("tides_for_oceanic", False, "s2", None),
        ("tides_for_harbours", True, None, "s1"),
        ("Finish", True, None, None),
    ]
    assert run.steps[2].thought == "Hm."
    assert run.raw_records[-1].position == "/trys"


def _flat(value: Any) -> list[Any]:
    below = [each for child in value["children"] for each in _flat(child)]
    return [{name: item for name, item in value.items() if name != "children"}, *below]


def test_a_long_chain_is_read() -> None:
    chain = _flat(acted("a_for_b", "{}", seen="1")) * 3000
    value = search() | {"trys": [{"chain": chain}]}
    del value["tree"]
    value["answer_generation"]["train_messages"] = []
    (run,), _ = read(value)
    assert len(run.steps) == 3001
    assert all(step.active for step in run.steps)


def test_without_a_chosen_path_the_newest_is_live_and_the_query_still_asked() -> None:
    value = search(RIGHT, WRONG, win=False)
    value["answer_generation"] |= {"train_messages": [], "final_answer": "", "valid_data": False}
    (run,), notices = read(value)
    assert [note.code for note in notices] == ["no-chosen-path"]
    assert shape(run) == [
        ("user", True, None, None),
        ("tides_for_harbours", False, "s1", None),
        ("Finish", False, "s1", None),
        ("tides_for_oceanic", True, None, "s0"),
    ]
    assert run.steps[0].message == QUERY
    assert run.outcome is not None
    assert (run.outcome.success, run.outcome.exit_status) == (False, None)


def test_a_chosen_path_that_is_not_in_the_tree_is_kept_beside_it_and_noted() -> None:
    (run,), notices = read(search(WRONG, chosen=CHOSEN))
    assert [note.code for note in notices] == ["path-not-in-tree"]
    assert shape(run)[2:] == [
        ("tides_for_harbours", True, None, None),
        ("Finish", True, None, None),
        ("tides_for_oceanic", False, "s4", "s1"),
    ]


def test_each_step_points_at_its_message_or_at_the_tree() -> None:
    (run,), _ = read(search(WRONG, RIGHT, chosen=CHOSEN))
    places = [[run.raw_records[ref].position for ref in step.raw_refs] for step in run.steps]
    messages = "/answer_generation/train_messages/1"
    assert places == [
        [f"{messages}/0"],
        [f"{messages}/1"],
        ["/tree"],
        [f"{messages}/2", f"{messages}/3"],
        [f"{messages}/4"],
    ]


def test_what_is_odd_in_a_search_is_counted_and_the_rest_is_read() -> None:
    odd = node("Reflection", "So far so good.", 7, node("Action Input", "{oh", observation="x"))
    chosen = [got("f_for_g", "late"), {"content": "who?"}, *CHOSEN]
    (run,), notices = read(search(odd, RIGHT, chosen=chosen))
    assert [(note.code, note.effect) for note in notices] == [
        ("not-a-message", "skipped"),
        ("not-a-node", "skipped"),
        ("bad-arguments", "warning"),
        ("orphan-result", "warning"),
    ]
    assert {note.position.partition("#")[0] for note in notices} == {"7_model.json"}
    reflected, stray = run.steps[2:4]
    assert (reflected.message, reflected.extra["node_type"]) == ("So far so good.", "Reflection")
    assert (stray.calls[0].name, stray.calls[0].args_raw) == ("unknown", "{oh")


def written(name: str, arguments: str, response: str, *, cut: int | None = 100) -> str:
    return str({"name": name, "arguments": arguments, "response": response})[:cut]


def details(*nodes: tuple[str, Any]) -> Any:
    below: list[Any] = []
    for role, message in reversed((("system", ""), ("user", QUERY[:20]), *nodes)):
        below = [{"role": role, "message": message, "next": below}]
    return below


def answer(*nodes: tuple[str, Any], final: str = "", **fields: Any) -> Any:
    return {
        "query": QUERY,
        "available_tools": [{"name": "tides_for_harbours"}],
        "answer": {
            "method": "model_CoT",
            "total_steps": 2 + len(nodes),
            "final_answer": final,
            "answer_details": details(*nodes),
        },
    } | fields


def test_answers_of_tooleval_are_a_trajectory_each() -> None:
    call = ("tool", written("tides_for_harbours", "{}", '{"error": "", "response": "5"}'))
    runs, notices = read({"12": answer(("assistant", "Let us see."), call), "13": answer()})
    assert notices == []
    assert [run.trajectory_id.partition("#")[2] for run in runs] == ["12", "13"]
    assert runs[0].trajectory_id != runs[1].trajectory_id
    assert (runs[0].task, runs[0].agent.name) == (QUERY, "model_CoT")
    user, thought, step = runs[0].steps
    assert (user.kind, user.message) == ("user", QUERY)
    assert (thought.kind, thought.message) == ("agent", "Let us see.")
    assert (step.calls[0].name, step.calls[0].args) == ("tides_for_harbours", {})
    assert step.results[0].text == '{"error": "", "response": "5"}'
    assert (step.results[0].is_error, step.results[0].truncated) == (False, False)
    assert runs[0].raw_records[0].position == "/12/answer/answer_details"


def test_calls_that_were_cut_off_keep_what_is_left_and_are_counted() -> None:
    response = '{"error": "", "response": "' + "x" * 90
    arguments = '{"port": "' + "y" * 90
    (run,), notices = read(
        {
            "1": answer(
                ("tool", written("a_for_b", '{"port": "Brest"}', response)),
                ("tool", written("a_for_b", arguments, "never seen")),
                ("assistant", "z" * 100),
            )
        }
    )
    assert [note.code for note in notices] == ["cut-off"] * 3
    place = "7_model.json#/1/answer/answer_details/0/next/0/next/0"
    assert notices[0].position == place
    first, second, third = run.steps[1:]
    assert first.calls[0].args == {"port": "Brest"}
    assert response.startswith(first.results[0].text)
    assert (first.results[0].is_error, first.results[0].truncated) == (False, True)
    assert (second.calls[0].args, second.calls[0].args_valid) == (None, False)
    assert arguments.startswith(second.calls[0].args_raw)
    assert (second.results, second.status) == ((), "missing")
    assert third.message == "z" * 100


def test_values_that_are_no_strings_are_kept_as_they_were_written() -> None:
    message = "{'name': 'a_for_b', 'arguments': {'port': 'Brest'}, 'response': ''}"
    broken = "{'name': 'a_for_b', 'arguments': '\\x4', 'response': '\\N{no such}'}"
    (run,), notices = read({"1": answer(("tool", message), ("tool", broken))})
    assert [note.code for note in notices] == ["cut-off", "bad-arguments"]
    first, second = run.steps[1:]
    assert first.calls[0].args_raw == "{'port': 'Brest'}, 'response': ''}"
    assert second.results[0].text != ""


def test_the_final_answer_stands_whole_where_it_was_cut_off() -> None:
    final = json.dumps({"return_type": "give_answer", "final_answer": "High water — " * 20})
    (run,), notices = read({"1": answer(("tool", written("Finish", final, "")), final=final)})
    assert notices == []
    step = run.steps[-1]
    assert step.calls[0].args == json.loads(final)
    assert (step.results, step.status) == ((), "ok")
    assert run.outcome is not None
    assert (run.outcome.success, run.outcome.exit_status) == (True, "give_answer")


def test_who_gave_up_or_never_finished_did_not_succeed() -> None:
    given_up = '{"return_type": "give_up_and_restart"}'
    runs, _ = read({"1": answer(final=given_up), "2": answer()})
    outcomes = [run.outcome for run in runs]
    assert [each and (each.success, each.exit_status) for each in outcomes] == [
        (False, "give_up_and_restart"),
        (False, None),
    ]


def test_calls_may_be_objects_and_the_users_words_left_out() -> None:
    call = {"name": "a_for_b", "arguments": "{}", "response": "x" * 200}
    value = answer(("tool", call))
    value["answer"]["answer_details"][0]["next"][0]["message"] = ""
    (run,), notices = read(value)
    assert notices == []
    assert [step.message for step in run.steps] == [QUERY, ""]
    assert run.steps[1].results[0].text == "x" * 200
    assert "#" not in run.trajectory_id


def test_what_is_odd_in_answers_is_counted_and_the_rest_is_read() -> None:
    value = answer(("tool", "no call at all"), ("assistant", "Go on."))
    value["answer"]["answer_details"].append({"message": "who?"})
    runs, notices = read({"1": value, "2": 7, "3": answer()})
    assert [(note.code, note.effect) for note in notices] == [
        ("not-a-call", "warning"),
        ("not-a-node", "skipped"),
        ("not-an-answer", "skipped"),
    ]
    assert [step.message for step in runs[0].steps] == [QUERY, "no call at all", "Go on."]
    assert len(runs) == 2


@given(
    name=st.from_regex(r"[a-z]{1,8}_for_[a-z]{1,8}", fullmatch=True),
    arguments=st.text(max_size=60),
    response=st.text(max_size=60),
    cut=st.integers(40, 200),
)
def test_what_is_left_of_a_call_is_how_it_began(
    name: str, arguments: str, response: str, cut: int
) -> None:
    whole = written(name, arguments, response, cut=None)
    (run,), notices = read({"1": answer(("tool", whole[:cut]))})
    step = run.steps[1]
    assert step.calls[0].name == name
    found = step.results[0] if step.results else None
    is_cut = "cut-off" in {note.code for note in notices}
    assert is_cut == (cut < len(whole))
    if not is_cut:
        assert found is not None
        assert step.calls[0].args_raw == arguments
    assert arguments.startswith(step.calls[0].args_raw)
    assert found is None or found.truncated == is_cut


@pytest.mark.parametrize(
    "value",
    [
        {"win": True},
        {"tree": {"size": 3}, "answer_generation": 1},
        {"query": "x", "answer": "y"},
        {"1": {"query": "x", "answer": {"final_answer": ""}}},
        {"messages": [{"role": "user", "content": "hi"}], "tree": {}},
        [1],
    ],
)
def test_other_values_are_not_claimed(value: Any) -> None:
    assert ToolBench().sniff(decode(json.dumps(value).encode(), notes=Notes("x"))) == 0.0


def test_a_memory_holds_the_live_path_and_marks_the_branches() -> None:
    with Memory(encoder=None) as memory:
        assert memory.ingest(DATA).added == 2
        assert memory.ingest(DATA).unchanged == 2
        stored = memory.trajectory("search")
        summaries = [
            (moment.step.active, moment.step.index) for moment in memory.timeline("search")
        ]
    assert [step.active for step in stored.steps] == [active for active, _ in summaries]
    assert [step.index for step in stored.steps if not step.active] == [2]


KEYS = ("role", "message", "next", "node_type", "children", "description", "chain", "content")
MORE_KEYS = ("function_call", "observation", "observation_code", "valid", "arguments", "name")
WORDS = ("Action", "Thought", "Action Input", "assistant", "function", "tool", "user")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS + MORE_KEYS), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(
    nodes=st.lists(JSON, max_size=3),
    chosen=st.lists(JSON | st.sampled_from(CHOSEN), max_size=4),
    tries=JSON,
    has_tree=st.booleans(),
)
def test_searches_of_any_kind_are_read_without_a_crash(
    nodes: Any, chosen: Any, tries: Any, *, has_tree: bool
) -> None:
    value = search(*nodes, RIGHT, chosen=chosen) | {"trys": tries}
    if not has_tree:
        del value["tree"]
    (run,), _ = read(value)
    check(run)


@given(nodes=st.lists(JSON, max_size=3), final=JSON, query=JSON)
def test_answers_of_any_kind_are_read_without_a_crash(nodes: Any, final: Any, query: Any) -> None:
    value = answer(final=final, query=query)
    value["answer"]["answer_details"][0]["next"] += nodes
    (run,), _ = read({"1": value})
    check(run)


def check(run: Trajectory) -> None:
    uids = {step.uid for step in run.steps} | {None}
    for index, step in enumerate(run.steps):
        assert step.index == index
        assert step.parent_uid in uids
        assert step.active == (step.branch_id is None)
        assert all(0 <= ref < len(run.raw_records) for ref in step.raw_refs)


def test_every_node_of_the_real_answers_is_a_step(shared_dir: Path) -> None:
    for path in sorted((shared_dir / "data" / "toolbench").glob("*.json")):
        value = json.loads(path.read_bytes())
        (file,) = read_path(path, redact=False)
        assert file.report.skipped == 0
        for bundle, whole in zip(file.bundles, value.values(), strict=True):
            run = bundle.trajectory
            # The system's node is always empty there.
            assert len(run.steps) == whole["answer"]["total_steps"] - 1
            assert run.steps[0].message == run.task == whole["query"]
            assert all(step.calls or step.message for step in run.steps)
            assert all(step.active for step in run.steps)


def test_the_registry_gives_the_files_to_this_reader() -> None:
    for path in sorted(DATA.iterdir()):
        source = decode(path.read_bytes(), notes=Notes(path.name))
        chosen = reader_for(source, Notes(source.uri))
        assert chosen is not None
        assert chosen.name == ToolBench().name
