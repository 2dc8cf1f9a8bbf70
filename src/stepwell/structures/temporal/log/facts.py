"""What a single step says: its actions, what holds after it, and what lies where."""

from __future__ import annotations

from dataclasses import dataclass

# Needed at run time: the stored form of facts is read by these annotations.
from stepwell.structures.temporal.grammar.states import Listing, State  # noqa: TC001

__all__ = ["Act", "Facts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One action.

    Attributes:
        text: The action in one line.
        verb: Its verb, or the tool's name.
        objects: Names of what it acts upon, the one it changes first.
        quote: A part of `text` that stands verbatim in an atom of the step; may be empty.
        failed: Whether what came back says that it failed.
        moves: Whether it only moves the agent itself.
        reply: How what came back begins, without names and numbers: what like results share.
        programs: Of a call its tool, and the programs that its command runs: "git", "git push".
    """

    text: str
    verb: str = ""
    objects: tuple[str, ...] = ()
    quote: str = ""
    failed: bool = False
    moves: bool = False
    reply: str = ""
    programs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a step says.

    Attributes:
        acts: Its actions, in order.
        states: What holds after it, in the order it is said.
        listings: What is seen where.
        awaits: Whether the answer to its actions comes with the next step.
        answers: Whether it may be the answer to the step before.
        failed: Whether it says that something failed.
        reply: Of an answer what `Act.reply` is.
        has_text: Whether the step has any atom.
    """

    acts: tuple[Act, ...] = ()
    states: tuple[State, ...] = ()
    listings: tuple[Listing, ...] = ()
    awaits: bool = False
    answers: bool = False
    failed: bool = False
    reply: str = ""
    has_text: bool = True
