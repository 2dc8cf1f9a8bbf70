"""Everyday questions say which step they mean: who spoke, which of them, beside what."""

from __future__ import annotations

import pytest

from stepwell.text.asked import Asked, asked_in, is_about_now, quotes_steps


def told(question: str) -> tuple[str, str, str] | None:
    asked = asked_in(question)
    return None if asked is None else (asked.what, asked.pick, asked.topic)


@pytest.mark.parametrize(
    ("question", "what", "pick"),
    [
        ("What did the user ask first?", "prompt", "first"),
        ("what was the last thing i asked for", "prompt", "last"),
        ("What was the user's original request?", "prompt", "first"),
        ("What was my first question?", "prompt", "first"),
        ("What did the user want?", "prompt", "first"),
        ("What was the task?", "task", "first"),
        ("What was the agent asked to do?", "task", "first"),
        ("What was the last task?", "prompt", "last"),
        ("Which command was run last?", "command", "last"),
        ("What was the final answer?", "reply", "last"),
        ("What did the assistant say last?", "reply", "last"),
        ("How did the session end?", "reply", "last"),
        ("What was the last error?", "error", "last"),
        ("Which file was edited first?", "edit", "first"),
        ("Was hat der Nutzer zuerst gefragt?", "prompt", "first"),
        ("Was war die Aufgabe?", "task", "first"),
        ("Was war der letzte Befehl?", "command", "last"),
        ("Quelle était la dernière commande ?", "command", "last"),
        ("Quelle était la tâche ?", "task", "first"),
        ("¿Qué pidió el usuario al final?", "prompt", "last"),
        ("¿Cuál fue la respuesta final?", "reply", "last"),
        ("用户最后问了什么？", "prompt", "last"),  # noqa: RUF001
        ("任务是什么", "task", "first"),
        ("最初のコマンドは何でしたか", "command", "first"),
        ("ユーザーは最後に何を頼みましたか", "prompt", "last"),
    ],
)
def test_a_step_is_asked_for(question: str, what: str, pick: str) -> None:
    assert told(question) == (what, pick, "")


def test_what_else_a_question_says_tells_which_of_them() -> None:
    assert told("What was the last git command?") == ("command", "last", "git")
    assert told("What did the user say last about seats?") == ("prompt", "last", "about seats")


@pytest.mark.parametrize(
    "question",
    [
        "Which port does the gateway listen on?",
        "What was the goal of the second query?",
        "What did the first request to the API return?",
        "What was the first and the last command?",
        "Why did the user want the port?",
        "What was the last command at step 12?",
        "At the end, how much did the last ticket cost?",
        "What was the last command " + "that the agent ran in order to see the port " * 5,
    ],
)
def test_other_questions_ask_for_no_step(question: str) -> None:
    assert asked_in(question) is None


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "What happened after the tests failed?",
            Asked(what="step", pick="best", side="after", beside="the tests failed"),
        ),
        (
            "Which command was run right before the first commit?",
            Asked(what="command", pick="first", side="before", beside="the first commit"),
        ),
        ("What happened after step 5?", Asked(what="step", pick="best", side="after", anchor=5)),
    ],
)
def test_a_step_beside_another_is_asked_for(question: str, asked: Asked) -> None:
    assert asked_in(question) == asked


@pytest.mark.parametrize(
    "question",
    ["Which port was used before the crash?", "What happened after steps 3 and 9?", "After that?"],
)
def test_what_holds_beside_a_step_is_no_step(question: str) -> None:
    assert asked_in(question) is None


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("Which port is it now?", True),
        ("What is the latest version?", True),
        ("Welcher Port ist es jetzt?", True),
        ("现在的端口是多少", True),
        ("Which port did we know of?", False),
        ("What was the last port?", False),
    ],
)
def test_what_holds_now_is_asked_for(question: str, *, is_so: bool) -> None:
    assert is_about_now(question) is is_so


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("What does step 12 say?", True),
        ("Show me step 17", True),
        ("show s4.o1", True),
        ("step 4?", True),
        ("Was steht in Schritt 4?", True),
        ("第12步写了什么", True),
        ("What does step 12 say about ports?", False),
        ("What happened at step 12?", False),
        ("What does it say?", False),
    ],
)
def test_the_text_of_a_step_is_asked_for(question: str, *, is_so: bool) -> None:
    assert quotes_steps(question) is is_so
