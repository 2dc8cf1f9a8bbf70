"""Programs of policies: what they see, what they may return, and that hostile ones are stopped."""

from __future__ import annotations

import signal
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stepwell.errors import PolicyError
from stepwell.policy.base import Context
from stepwell.policy.interpreter import Programs
from stepwell.policy.kinds import Program
from stepwell.policy.program import run_program

GOOD = """
def select(question, context):
    if "count" in context["cues"] and context["signals"].get("temporal.slots", 0) >= 1:
        return {"temporal": 300}
    return ["units", "vector"]
"""


def body(*lines: str) -> str:
    """Return a program whose function consists of these lines."""
    return "\n    ".join(["def select(question, context):", *lines])


STOPPED = {
    "a loop": body("for i in range(1000000000):", "    pass"),
    "a nested comprehension": body(
        "return [i for i in range(99999) for j in range(99999) if j < 0]"
    ),
    "one long step": body("return [str(max(range(2000000000)))]"),
    "a number that grows": body("x = 3", "for i in range(40):", "    x = x * x", "return [str(x)]"),
    "a huge text": body('return ["a" * 2000000000]'),
    "a text larger than a number": body('return ["a" * 10000000000]'),
    "a doubling list": body("x = [1]", "for i in range(60):", "    x = x + x", "return x"),
    "a doubling text": body(
        'x = "a" * 10', "for i in range(12):", '    x = x.replace("a", x)', "return [x]"
    ),
    "a huge list": body("return list(range(1000000000))"),
    "a sorted range": body("return sorted(range(1000000000))"),
    "recursion": "def f(n):\n    return f(n + 1)\n" + body("return f(0)"),
    "branching recursion": "def f(n):\n    return 1 if n == 0 else f(n - 1) + f(n - 1)\n"
    + body("return f(45)"),
    "deep nesting": "x = " + "-" * 40_000 + "1\n" + body('return ["vector"]'),
    "work at the top": "x = [i for i in range(100000) for j in range(100000) if j < 0]\n" + GOOD,
    "a deep value": body("x = []", "for i in range(100000):", "    x = [x]", "return x"),
    "a value in itself": body("x = []", "x.append(x)", "return x"),
}

REFUSED = {
    "import": "import os\n" + GOOD,
    "from": "from os import path\n" + GOOD,
    "load": 'load("secrets.star", "key")\n' + GOOD,
    "open": body('return [open("/etc/passwd").read()]'),
    "eval": body('return [eval("1")]'),
    "attributes": body("return [question.__class__]"),
    "getattr of the inner": body('return [getattr(question, "__class__")]'),
    "print": body('print("hello")', 'return ["vector"]'),
    "while": body("while True:", "    pass"),
    "try": body("try:", "    pass", "except:", "    pass"),
    "no text": "",
    "half a line": "def select(question",
    "another name": "def choose(question, context):\n    return []\n",
    "no function": "select = 3\n",
    "too few arguments": "def select(question):\n    return []\n",
    "fail": body('fail("no")'),
    "a missing key": body('return context["answer"]'),
    "nothing": body("return []"),
    "none": body("return None"),
    "one text": body('return "vector"'),
    "a number": body("return [1]"),
    "an empty name": body('return [""]'),
    "a long name": body('return ["a" * 1000]'),
    "many names": body("return [str(i) for i in range(1000)]"),
    "no tokens": body('return {"vector": 0}'),
    "true tokens": body('return {"vector": True}'),
    "many tokens": body('return {"vector": 1 << 80}'),
    "half a token": body('return {"vector": 0.5}'),
    "lists in lists": body('return [["vector"]]'),
    "a function": body("return select"),
}


def check_that_it_still_works() -> None:
    selection = Program(source=GOOD).select("How many?", Context(signals={"temporal.slots": 1.0}))
    assert selection.structures == ("temporal",)
    assert selection.tokens == {"temporal": 300}


@pytest.mark.parametrize("name", STOPPED)
def test_a_program_that_takes_too_much_is_stopped(name: str) -> None:
    with pytest.raises(PolicyError, match=r"The program (was ended|failed)") as caught:
        run_program(STOPPED[name], "How many?", Context())
    assert caught.value.hint
    assert len(str(caught.value)) < 600
    check_that_it_still_works()


@pytest.mark.parametrize("name", REFUSED)
def test_a_program_that_is_wrong_is_refused(name: str) -> None:
    with pytest.raises(PolicyError, match="The program failed"):
        run_program(REFUSED[name], "How many?", Context())
    check_that_it_still_works()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a loop", r"line 2: it took more than 200,000 steps"),
        ("one long step", r"0\.25 s of processor time"),
        ("a huge text", "256 MB of memory"),
        ("deep nesting", "nested too deeply"),
    ],
)
def test_the_error_says_what_happened(name: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        run_program(STOPPED[name], "How many?", Context())


def test_a_very_long_program_is_refused() -> None:
    with pytest.raises(PolicyError, match="characters"):
        run_program("#" * 100_000, "Why?", Context())


def test_a_program_sees_the_question_and_plain_values() -> None:
    source = body(
        "said = [question] + context['available'] + context['cues']",
        "said += [context[k] for k in ['domain', 'kind', 'task']]",
        "said += [k + str(v) for k, v in context['signals'].items()]",
        "return said + [str(context[k]) for k in ['budget', 'steps', 'tokens']]",
    )
    context = Context(
        available=("vector", "episodic"),
        budget=700,
        n_steps=7,
        n_tokens=90,
        domain="games",
        kind="A",
        task="win",
        signals={"b": float("nan"), "a": 0.5},
    )
    assert list(run_program(source, "Why was it lost?", context)) == [
        "Why was it lost?",
        *("episodic", "vector"),
        *("short", "why", "yes_no")[:2],
        *("games", "A", "win", "a0.5", "700", "7", "90"),
    ]


def test_types_may_be_written() -> None:
    source = 'def select(question: str, context: dict) -> list[str]:\n    return ["vector"]\n'
    assert run_program(source, "Why?", Context()) == {"vector": None}


def test_calls_leave_nothing_behind() -> None:
    source = "seen = []\n" + body("seen.append(question)", 'return ["n%d" % len(seen)]')
    with pytest.raises(PolicyError, match=r"frozen|Immutable|mutat"):
        run_program(source, "Why?", Context())


@settings(max_examples=50)
@given(st.text(), st.text(max_size=20), st.integers(-(2**70), 2**70))
def test_any_question_can_be_asked(question: str, domain: str, steps: int) -> None:
    context = Context(domain=domain, n_steps=steps, signals={domain: 1e308})
    assert run_program(body('return ["vector"]'), question, context) == {"vector": None}


@pytest.mark.parametrize("question", ["\ud800", "\x00", "a\nb\u2028c", "x" * 1_000_000])
def test_so_can_odd_ones(question: str) -> None:
    assert run_program(body('return ["vector"]'), question, Context()) == {"vector": None}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that interrupts")
def test_an_interrupted_call_leaves_no_answer_to_the_next() -> None:
    def interrupt(_signal: int, _frame: object) -> None:
        raise KeyboardInterrupt

    check_that_it_still_works()
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            run_program(STOPPED["one long step"], "How many?", Context())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    check_that_it_still_works()


def test_threads_share_the_process() -> None:
    failed: list[str] = []

    def ask(number: int) -> None:
        source = body(f'return ["n{number}"]') if number % 5 else STOPPED["a huge text"]
        for _ in range(5):
            try:
                got = list(run_program(source, "Why?", Context()))
            except PolicyError:
                got = ["stopped"]
            if got != [f"n{number}" if number % 5 else "stopped"]:
                failed.append(str(got))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_compiled_programs_are_kept_up_to_a_number() -> None:
    programs = Programs()
    for number in range(100):
        request = {"source": body(f'return ["n{number}"]'), "question": "", "context": {}}
        assert (
            programs.answer(request) == programs.answer(request) == {"tokens": {f"n{number}": None}}
        )
