"""What others bring fails in any way, and costs nobody else anything."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from stepwell.errors import InvalidInputError, ModelUnavailableError, NotFoundError
from stepwell.plugins import Guard, brought
from support.plugins import install

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def guard() -> Guard:
    return Guard(what="The toy 'x'", hint="Mend it.")


def test_what_works_gives_its_value() -> None:
    assert guard().call(lambda: 7, seconds=5) == 7
    assert guard().call(lambda: None, seconds=5) is None


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), KeyboardInterrupt()])
def test_whatever_is_raised_becomes_an_error_that_names_it(error: BaseException) -> None:
    def fails() -> None:
        raise error

    with pytest.raises(InvalidInputError) as caught:
        guard().call(fails, seconds=5)
    assert str(caught.value) == f"The toy 'x' failed: {error!r}. Mend it."
    assert caught.value.__cause__ is error


def test_an_error_of_stepwell_stays_as_it_is() -> None:
    def fails() -> None:
        raise NotFoundError("gone")

    with pytest.raises(NotFoundError, match="gone"):
        guard().call(fails, seconds=5)


def test_the_class_of_the_error_can_be_chosen() -> None:
    one = Guard(what="The encoder", hint="", error=ModelUnavailableError)
    with pytest.raises(ModelUnavailableError, match="ZeroDivisionError"):
        one.call(lambda: 1 / 0, seconds=5)


def test_what_hangs_is_given_up_and_not_called_again_until_it_is_back() -> None:
    one, gate, calls = guard(), threading.Event(), list[int]()

    def hangs() -> str:
        calls.append(1)
        gate.wait()
        return "late"

    with pytest.raises(InvalidInputError, match=r"did not come back within 0\.05 s"):
        one.call(hangs, seconds=0.05)
    with pytest.raises(InvalidInputError, match="has not come back from an earlier call"):
        one.call(hangs, seconds=0.05)
    assert calls == [1]
    gate.set()
    while True:  # until the thread has ended
        try:
            assert one.call(lambda: "back", seconds=5) == "back"
            break
        except InvalidInputError:
            time.sleep(0.01)


def test_calls_that_overlap_do_not_disturb_one_another() -> None:
    one, gate = guard(), threading.Event()
    slow = threading.Thread(target=lambda: one.call(gate.wait, seconds=30))
    slow.start()
    assert one.call(lambda: "quick", seconds=5) == "quick"
    gate.set()
    slow.join()


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    monkeypatch.syspath_prepend(str(tmp_path))

    def installed(name: str, code: str) -> None:
        package = f"brings-{name}-{len(code)}"
        target = f"{package.replace('-', '_')}:thing"
        points = f"[stepwell.toys]\n{name} = {target}\n"
        install(tmp_path, name=package, code=code, entry_points=points)

    return installed


def doubled(name: str, thing: object) -> Any:
    if not isinstance(thing, int):
        raise InvalidInputError(f"{name} is no number.", hint="Make it one.")
    return thing * 2


def test_what_can_be_used_is_there_by_name_and_the_rest_is_told(
    bring: Callable[[str, str], None],
) -> None:
    bring("b", "thing = 2")
    bring("a", "thing = 1")
    bring("words", "thing = 'x'")
    bring("broken", "raise RuntimeError('no varnish')")
    bring("taken", "thing = 3")
    found = brought("stepwell.toys", kind="toy", check=doubled, taken=("taken",))
    assert found.usable == {"a": 2, "b": 4}
    broken, taken, words = found.left_out
    assert "The toy 'broken', which an installed package brings, failed: RuntimeError" in broken
    assert "brings, has the name of another one" in taken
    assert words == "words is no number. Make it one."


def test_where_nothing_is_installed_nothing_is_brought() -> None:
    found = brought("stepwell.nothing", kind="toy", check=doubled)
    assert (found.usable, found.left_out) == ({}, ())
