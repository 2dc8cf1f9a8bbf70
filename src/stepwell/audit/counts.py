"""Files of counts: how often the items of any memory were accessed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from stepwell.errors import InvalidInputError
from stepwell.stats.tails.audit import audit_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from numpy.typing import NDArray

    from stepwell.stats.tails.audit import Tails

__all__ = ["read_counts", "tails_in"]

_MOST: Final = 2.0**53
_HINT: Final = (
    "Give one number per line, or a JSON list of numbers: the accesses of each item. Or one id per "
    "line, or a JSON list of ids: the item of each access. Or a JSON object from ids to counts."
)


def read_counts(data: bytes) -> NDArray[np.float64]:
    r"""Return how often each item was accessed.

    Numbers are counts, one for each item; any other words are ids, one for each access, which are
    counted. In JSON, ids that look like numbers are strings.

    Args:
        data: The file: lines, or a JSON list or object.

    Raises:
        InvalidInputError: It holds nothing, or something that is no count.

    >>> read_counts(b"3\n0\n1").tolist(), read_counts(b'["s1", "s2", "s1"]').tolist()
    ([3.0, 0.0, 1.0], [2.0, 1.0])
    """
    text = data.decode("utf-8-sig", "replace").strip()
    is_json, is_named = text[:1] in {"[", "{"}, text[:1] == "{"
    values = _json(text) if is_json else _lines(text)
    if not is_named and not all(map(_is_number, values)):
        values = _counted(values)
    if not values:
        raise InvalidInputError("The file holds no counts.", hint=_HINT)
    for place, value in enumerate(values, 1):
        if not _is_number(value) or not 0 <= value <= _MOST or value % 1:
            raise InvalidInputError(
                f"Value {place} is {str(value)[:40]!r}, which is no count.", hint=_HINT
            )
    return np.array(values, dtype=np.float64)


def _json(text: str) -> list[Any]:
    """Return the elements of a list, or the values of an object."""
    try:
        if text[0] == "{":
            return list(msgspec.json.decode(text, type=dict[str, Any]).values())
        return msgspec.json.decode(text, type=list[Any])
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise InvalidInputError(f"The file is no JSON: {error}.", hint=_HINT) from error


def _lines(text: str) -> list[Any]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    numbers = [_as_number(line) for line in lines]
    return lines if None in numbers else list(numbers)


def _as_number(line: str) -> float | None:
    try:
        return float(line)
    except ValueError:
        return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _counted(ids: Iterable[Any]) -> list[Any]:
    """Return how often each id comes; what is neither an id nor a number stays, to be named."""
    known: list[Hashable] = []
    for one in ids:
        if not isinstance(one, str | int) or isinstance(one, bool):
            return [one]
        known.append(one)
    return list(Counter(known).values())


def tails_in(
    data: bytes, *, n_draws: int, seed: int, progress: Callable[[], None] | None = None
) -> Tails:
    """Audit a file of counts: how unevenly the items of some memory are accessed.

    Args:
        data: The file, as `read_counts` reads it.
        n_draws: Draws for the goodness of fit.
        seed: Of the draws.
        progress: Called after each draw.

    Raises:
        InvalidInputError: It holds nothing, or something that is no count.
    """
    rng = np.random.default_rng(seed)
    return audit_counts(read_counts(data), rng=rng, n_draws=n_draws, progress=progress)
