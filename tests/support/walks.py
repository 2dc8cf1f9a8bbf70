"""Walks through rooms: a small memory, and questions about it whose evidence is known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from stepwell.trajectory.questions import Question

if TYPE_CHECKING:
    from stepwell.memory.memory import Memory

ROOMS = ("kitchen", "bathroom", "garage", "cellar", "attic", "garden", "library", "hall")


def add_walk(memory: Memory, number: int) -> list[Question]:
    """Add a walk through eight rooms, and return questions about it with their evidence."""
    name = f"walk-{number}"
    for index, room in enumerate(ROOMS):
        uid = f"{number}.{index}"
        function = {"name": "act", "arguments": json.dumps({"action": f"go to {room}"})}
        call = {"id": uid, "type": "function", "function": function}
        memory.add({"role": "assistant", "content": None, "tool_calls": [call]}, trajectory=name)
        seen = f"You are in the {room}. On the floor lies item SN{number}{index}77.\n"
        seen += f"The {room} is quiet and nothing moves. " * 40
        memory.add({"role": "tool", "tool_call_id": uid, "content": seen}, trajectory=name)
    return [
        Question(
            text="What lies on the floor of the garage?",
            answer=f"Item `SN{number}277`.",
            steps=(2,),
            trajectory=name,
            id=f"{name}#0",
        ),
        Question(
            text="Which rooms were visited between and?",
            answer="The attic, the garden and the library.",
            steps=(4, 5, 6),
            trajectory=name,
            id=f"{name}#1",
        ),
    ]
