"""What the sentences of an observation have said so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from stepwell.structures.temporal.grammar.names import plain_name
from stepwell.structures.temporal.grammar.states import Listing, State
from stepwell.structures.temporal.grammar.words.names import PRONOUNS

__all__ = ["Said"]


@dataclass(slots=True)
class Said:
    """What an observation says, in the order it is said.

    Attributes:
        states: What holds.
        listings: What lies where.
        antecedent: The thing that was named last: what "it" means in the next sentence.
    """

    states: list[State] = field(default_factory=list[State])
    listings: list[Listing] = field(default_factory=list[Listing])
    antecedent: str = ""

    def meant(self, noun: str) -> str:
        """Return the plain name of what a noun phrase means: for a pronoun the antecedent."""
        name = plain_name(noun)
        return self.antecedent if name.casefold() in PRONOUNS else name
