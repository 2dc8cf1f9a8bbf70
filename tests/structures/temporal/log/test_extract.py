"""What steps say: verbs and prepositions, sentences, records, tools; and what they do not say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.structures.temporal.log.extract import extract
from stepwell.trajectory.atoms import atoms_of
from stepwell.trajectory.model import Call, Result, Step
from support.steps import step_of
from support.trajectories import long_texts, step_lists, texts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stepwell.structures.temporal.log.facts import Facts


def acted(action: str, observed: str = "", **result: object) -> Facts:
    return extract(step_of(action, observed, **result))


def called(name: str, args: Mapping[str, object], observed: str = "ok") -> Facts:
    call = Call(uid="c", name=name, args=dict(args))
    back = Result(call_uid="c", text=observed)
    return extract(
        Step(index=0, uid="s", kind="agent", actor="agent", calls=(call,), results=(back,))
    )


def held(facts: Facts) -> set[tuple[str, str, str]]:
    return {(state.slot, state.aspect, state.value) for state in facts.states}


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("take the red ball 3 from basket 2", ("red ball 3", "location", "inventory")),
        ("grab ball 3", ("ball 3", "location", "inventory")),
        ("pick up the ball 3", ("ball 3", "location", "inventory")),
        ("put ball 3 in/on bench 4", ("ball 3", "location", "bench 4")),
        ("place the ball 3 under the bench 4", ("ball 3", "location", "bench 4")),
        ("walk over to bench 4", ("agent", "location", "bench 4")),
        ("pry open hatch 2", ("hatch 2", "state", "open")),
        ("slam the hatch 2 shut", ("hatch 2", "state", "closed")),
        ("turn on the lamp 1", ("lamp 1", "state", "on")),
        ("switch lamp 1 off", ("lamp 1", "state", "off")),
        ("unlock gate 5", ("gate 5", "state", "unlocked")),
        ("fry the fish 2 with stove 1", ("fish 2", "condition", "fried")),
        ("ferry ball 3 from bench 4 to boat 1", ("ball 3", "location", "boat 1")),
        ('put_object("ball 3", "bench 4")', ("ball 3", "location", "bench 4")),
        ("возьми", None),
        ("examine ball 3 on bench 4", None),
        ("think: the ball 3 is in the basket", None),
    ],
)
def test_an_action_changes_what_its_words_say(
    action: str, expected: tuple[str, str, str] | None
) -> None:
    assert held(acted(action, "Fine.")) == ({expected} if expected else set())


@pytest.mark.parametrize(
    "observed",
    [
        "Nothing happens.",
        "You can't reach it.",
        "Error: no such object",
        "That is not possible here.",
        "The gate refuses to open.",
    ],
)
def test_what_failed_changes_nothing(observed: str) -> None:
    facts = acted("take ball 3 from basket 2", observed)
    assert facts.acts[0].failed
    assert not [state for state in facts.states if state.slot == "ball 3"]


def test_a_view_of_something_shut_is_no_failure() -> None:
    facts = acted("go to locker 4", "You arrive at locker 4. The locker 4 is closed.")
    assert not facts.acts[0].failed
    assert ("locker 4", "state", "closed") in held(facts)


def test_an_exit_code_says_more_than_words() -> None:
    good = acted("cat notes", "error handling in Go", is_error=False, exit_code=0)
    bad = acted("cat notes", "fine", is_error=True, exit_code=2)
    assert (good.acts[0].failed, bad.acts[0].failed) == (False, True)


@pytest.mark.parametrize(
    ("observed", "expected"),
    [
        ("The ball 3 is now in the basket 2.", ("ball 3", "location", "basket 2")),
        ("The ball 3 has been put on bench 4.", ("ball 3", "location", "bench 4")),
        ("You have placed the ball 3 on bench 4.", ("ball 3", "location", "bench 4")),
        ("You are standing at the pier.", ("agent", "location", "pier")),
        ("The hatch 2 swings open.", ("hatch 2", "state", "open")),
        ("The fish 2 is now cooked.", ("fish 2", "condition", "cooked")),
        ("Score: 66", ("Score", "", "66")),
        ("HP 12/16", ("HP", "", "12/16")),
        ("cursor (x=71, y=6)", ("x", "", "71")),
        ('{"level": {"depth": 3}}', ("level.depth", "", "3")),
        ("{'gold': 12, 'done': False}", ("gold", "", "12")),
        ('{"items": [{"name": "ball 3", "location": "bench 4"}]}',
         ("ball 3", "location", "bench 4")),
        ('{"locations": {"ball 3": "bench 4"}}', ("ball 3", "location", "bench 4")),
    ],
)  # fmt: skip
def test_an_observation_says_what_holds(observed: str, expected: tuple[str, str, str]) -> None:
    assert expected in held(acted("wait", observed))


@pytest.mark.parametrize(
    ("observed", "holder", "items"),
    [
        ("On the bench 4, you see a ball 3, a net 1, and a cup 2.", "bench 4",
         ("ball 3", "net 1", "cup 2")),
        ("The basket 2 contains: a ball 3 and a net 1.", "basket 2", ("ball 3", "net 1")),
        ("The basket 2 is empty.", "basket 2", ()),
        ("You open the basket 2. In it, you see nothing.", "basket 2", ()),
        ("You are carrying: a ball 3.", "inventory", ("ball 3",)),
        ("You are not carrying anything.", "inventory", ()),
        ("Inventory: ball 3, net 1", "inventory", ("ball 3", "net 1")),
        ('{"inventory": ["ball 3"]}', "inventory", ("ball 3",)),
        ('{"inventory": {"wood": 2, "stone": 0}}', "inventory", ("wood",)),
    ],
)  # fmt: skip
def test_an_observation_lists_what_lies_where(
    observed: str, holder: str, items: tuple[str, ...]
) -> None:
    listings = {(one.holder, one.items) for one in acted("wait", observed).listings}
    assert (holder, items) in listings


def test_what_could_be_done_is_no_state() -> None:
    observed = "It is dark.\n\nAvailable actions: take ball 3 from basket 2, open hatch 2"
    assert {state.slot for state in acted("wait", observed).states} <= {"It"}
    listed = "Available commands:\n  inventory:   check what you carry\n  go to (place): walk"
    assert acted("help", listed).states == ()


def test_tools_change_files_tables_plans_and_pages() -> None:
    edit = {"path": "src/app.py", "old_str": "a", "new_str": "b"}
    assert ("src/app.py", "", "edited") in held(called("str_replace_editor", edit))
    assert held(called("Read", {"file_path": "src/app.py"})) == set()
    shell = called("bash", {"command": "cd src && rm old.py && echo hi > new.txt"})
    files = {("cwd", "", "src"), ("old.py", "", "deleted"), ("new.txt", "", "written")}
    assert files <= held(shell)
    query = called("run_sql", {"query": "CREATE TABLE orders (id int); DROP TABLE old_orders"})
    assert {("orders", "", "created"), ("old_orders", "", "dropped")} <= held(query)
    todos = [{"content": "Fix it", "status": "done"}, {"content": "Ship", "status": "pending"}]
    assert {("Fix it", "status", "done"), ("Ship", "status", "pending")} <= held(
        called("TodoWrite", {"todos": todos})
    )
    assert ("page", "url", "https://x.org/a") in held(called("goto", {"url": "https://x.org/a"}))


def test_a_query_is_about_the_tables_it_reads() -> None:
    query = "-- from these\nWITH recent AS (SELECT 1 FROM a.log) SELECT * FROM recent JOIN users u"
    assert called("run_sql", {"query": query}).acts[0].objects[:2] == ("a.log", "users")


def test_drop_is_no_sql_in_a_game() -> None:
    assert ("ball 3", "location", "bench 4") in held(acted("DROP ball 3 AT bench 4", "Ok."))


def test_an_action_in_a_message_waits_for_its_answer() -> None:
    step = Step(
        index=0, uid="s", kind="agent", actor="agent",
        message="Thought: go on.\nAction: take ball 3 from basket 2",
    )  # fmt: skip
    facts = extract(step)
    assert facts.awaits
    assert facts.acts[0].objects == ("ball 3", "basket 2")


def test_a_call_without_result_changes_nothing() -> None:
    call = Call(uid="c", name="action", args={"_value": "take ball 3"})
    facts = extract(Step(index=0, uid="s", kind="agent", actor="agent", calls=(call,)))
    assert (len(facts.acts), facts.states) == (1, ())


def test_what_this_memory_said_itself_is_no_observation() -> None:
    assert acted("recall", "Score: 66", recalled=((0, 9),)).states == ()


def verbatim(step: Step) -> bool:
    facts = extract(step)
    shown = [atom.text for atom in atoms_of(step)]
    quotes = [act.quote for act in facts.acts]
    quotes += [state.quote for state in facts.states]
    quotes += [listing.quote for listing in facts.listings]
    return all(any(quote in text for text in shown) for quote in quotes if quote)


words = st.sampled_from(
    ["take", "You", "the", "ball 3", "from", "in", "on", "is", "open", "basket 2", ",", ".", "\n",
     "see", "Score: 4", "x=3", "are", "carrying", "put", "been", "has", ":", "and", "a", "empty"]
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(st.lists(words, max_size=14), st.lists(words, max_size=30))
def test_quotes_are_verbatim(action: list[str], observed: list[str]) -> None:
    assert verbatim(step_of(" ".join(action), " ".join(observed)))


@settings(deadline=None, max_examples=60)
@given(step_lists(), texts, long_texts)
def test_any_text_is_read(steps: list[Step], action: str, observed: str) -> None:
    assert all(verbatim(step) for step in [*steps, step_of(action, observed)])


@settings(deadline=None, max_examples=60)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    )
)
def test_any_object_is_read(value: object) -> None:
    assert verbatim(step_of("look", json.dumps({"value": value})))
    facts = called("tool", {"path": value, "command": value, "todos": value, "x": [value]})
    assert len(facts.acts) == 1


@pytest.mark.parametrize(
    "observed",
    [
        "a, " * 400_000,
        "In it, you see " + "a " * 500_000,
        "{" * 300_000,
        "[" * 90_000 + "]" * 90_000,
        "x: " * 400_000,
        "\n" * 1_000_000,
        "key =" + " " * 1_000_000,
        "{'a': 0x" + "f" * 6_000 + "}",
        '{"a": "\\ud800"}',
        '{"\\ud800": [1]}',
        "The the the " * 90_000,
    ],
)
def test_megabytes_and_nonsense_are_read_within_bounds(observed: str) -> None:
    facts = acted("open " * 50_000, observed)
    assert len(facts.states) + len(facts.listings) <= 200
    assert all(len(state.value) <= 400 for state in facts.states)


@pytest.mark.parametrize(
    ("result", "failed"),
    [
        ({"exit_code": 3}, True),
        ({"exit_code": 0}, False),
        ({"exit_code": 0, "is_error": False}, False),
        ({"exit_code": 0, "is_error": True}, True),
        ({"is_error": True}, True),
        ({}, False),
    ],
)
def test_an_exit_code_alone_says_whether_an_action_failed(
    result: dict[str, object], *, failed: bool
) -> None:
    assert acted("take ball 3 from basket 2", "Fine.", **result).acts[0].failed == failed


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ('{"error": "no such table"}', True),
        ('{"ok": false}', True),
        ('{"success": false, "rows": []}', True),
        ('{"error": null, "ok": true}', False),
        ('{"error": "", "rows": [{"note": "error: none"}]}', False),
        ('{"log": "the request failed"}', False),
    ],
)
def test_a_document_failed_where_its_own_fields_say_so_whatever_it_quotes(
    text: str, *, failed: bool
) -> None:
    facts = called("search", {"query": "walrus"}, text)
    assert [act.failed for act in facts.acts] == [failed]
