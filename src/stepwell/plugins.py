"""What others bring: packages by entry point, and objects that callers hand over.

It is somebody else's code. Whatever of it cannot be loaded, raises, or does not come back in time
is named and left out, and everything else goes on without it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from stepwell.errors import InvalidInputError, StepwellError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.metadata import EntryPoint

__all__ = ["LOAD_SECONDS", "Brought", "Guard", "brought"]

_T = TypeVar("_T")

LOAD_SECONDS: Final = 20.0
"""What a package may take to be imported: those around models take seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought(Generic[_T]):
    """What installed packages bring of one kind.

    Attributes:
        usable: What can be used, by name, in the order of the names.
        left_out: Of what cannot, a sentence each: its name, why, and what to do.
    """

    usable: Mapping[str, _T]
    left_out: tuple[str, ...] = ()


@dataclass(slots=True)
class Guard:
    """Calls somebody else's code, which may raise anything, or never come back.

    Each call runs in a thread of its own, so that a caller can go on without it. While one that was
    given up has not come back, it is not called again.

    Attributes:
        what: Whose code it is, as the beginning of a sentence, such as `The reader 'mine'`.
        hint: What to do when it fails.
        error: What is raised then.
    """

    what: str
    hint: str
    error: type[StepwellError] = InvalidInputError
    _given_up: threading.Thread | None = field(default=None, repr=False)

    def call(self, function: Callable[[], _T], *, seconds: float) -> _T:
        """Return what a function returns, if it does so in time.

        Errors of Stepwell's own tree are raised as they are: whoever raises them knows it.

        Args:
            function: What is called.
            seconds: How long it may take.

        Raises:
            StepwellError: Of the class `error`: it raised, it takes too long, or an earlier call
                has not come back yet.
        """
        if self._given_up is not None and self._given_up.is_alive():
            raise self.error(f"{self.what} has not come back from an earlier call.", hint=self.hint)
        outcome: list[_T] = []
        failures: list[BaseException] = []

        def run() -> None:
            try:
                outcome.append(function())
            except BaseException as error:  # noqa: BLE001  (a package may even call sys.exit)
                failures.append(error)

        thread = threading.Thread(target=run, name="stepwell-plugin", daemon=True)
        thread.start()
        thread.join(seconds)
        if outcome:
            return outcome[0]
        if not failures:
            self._given_up = thread
            raise self.error(f"{self.what} did not come back within {seconds:g} s.", hint=self.hint)
        if isinstance(failures[0], StepwellError):
            raise failures[0]
        raise self.error(f"{self.what} failed: {failures[0]!r}.", hint=self.hint) from failures[0]


def brought(
    group: str, *, kind: str, check: Callable[[str, object], _T], taken: tuple[str, ...] = ()
) -> Brought[_T]:
    """Look for what installed packages bring.

    Args:
        group: The entry point group.
        kind: What its members are called, such as `reader`.
        check: Returns what is made of a loaded object of a name; it raises where nothing can be.
        taken: Names that Stepwell's own have; of two packages with one name the first is taken.
    """
    usable: dict[str, _T] = {}
    left_out: list[str] = []
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        guard = Guard(
            what=f"The {kind} {point.name!r}, which an installed package brings,",
            hint=f"Mend or uninstall what stands behind {point.value}.",
        )
        if point.name in (*taken, *usable):
            left_out.append(f"{guard.what} has the name of another one. {guard.hint}")
            continue
        try:
            usable[point.name] = guard.call(partial(_loaded, point, check), seconds=LOAD_SECONDS)
        except StepwellError as error:
            left_out.append(str(error))
    return Brought(usable=usable, left_out=tuple(left_out))


def _loaded(point: EntryPoint, check: Callable[[str, object], _T]) -> _T:
    return check(point.name, point.load())
