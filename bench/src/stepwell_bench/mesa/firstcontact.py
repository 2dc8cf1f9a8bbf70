"""Dialects by authors who had not read the grammar, kept apart to measure its first contact.

What an answer to them is worth is what an answer is worth to a log that nobody has foreseen. See
`dialects` for what a dialect provides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from stepwell_bench.mesa.dialects import Dialect

__all__ = ["FIRST_CONTACT"]

FIRST_CONTACT: Final[tuple[Dialect, ...]] = ()
"""The dialects, in the order they came."""
