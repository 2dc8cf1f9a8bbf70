"""An encoder that a caller hands over: where it raises or never answers, the error names it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from stepwell.errors import ModelUnavailableError
from stepwell.plugins import Guard

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from stepwell.encode.base import Encoder

__all__ = ["GuardedEncoder"]

FIRST_SECONDS: Final = 10.0
SECONDS_A_TEXT: Final = 5.0
"""What an encoder may take: a question waits fifteen seconds, a portion of 32 passages three
minutes. Then a recall goes on by words alone."""

_HINT: Final = "Mend it, or choose another one."
_LARGEST_DIMENSION: Final = 65_536


class GuardedEncoder:
    """An encoder whose every failure is a ModelUnavailableError.

    Safe to share between threads if the encoder is. Its id is asked once, and its dimension until
    it has answered.
    """

    def __init__(self, inner: Encoder) -> None:
        """Ask the encoder who it is.

        Raises:
            ModelUnavailableError: It does not say.
        """
        self._inner = inner
        kind = type(inner).__name__
        self._guard = Guard(what=f"The encoder {kind}", hint=_HINT, error=ModelUnavailableError)
        name: object = self._guard.call(lambda: inner.encoder_id, seconds=FIRST_SECONDS)
        if not isinstance(name, str) or not name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelUnavailableError(f"The encoder {kind} has no id.", hint=_HINT)
        self._name = name
        self._guard.what = f"The encoder {name}"
        self._dimension = 0

    def __repr__(self) -> str:
        return f"GuardedEncoder({self._inner!r})"

    @property
    def encoder_id(self) -> str:
        """As it said at first."""
        return self._name

    @property
    def dimension(self) -> int:
        """Length of a vector.

        Raises:
            ModelUnavailableError: It does not say, or says what is none.
        """
        if not self._dimension:
            told = self._guard.call(
                lambda: int(self._inner.dimension), seconds=FIRST_SECONDS + SECONDS_A_TEXT
            )
            if not 0 < told <= _LARGEST_DIMENSION:
                raise ModelUnavailableError(
                    f"The encoder {self._name} says that its vectors have {told} dimensions.",
                    hint=_HINT,
                )
            self._dimension = told
        return self._dimension

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return what it gives for some texts; whether these are vectors is looked at elsewhere.

        Raises:
            ModelUnavailableError: It raised, or takes too long.
        """
        seconds = FIRST_SECONDS + SECONDS_A_TEXT * len(texts)
        return self._guard.call(partial(self._inner.encode, texts), seconds=seconds)
