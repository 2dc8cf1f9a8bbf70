"""Small data sets that tests make: two AMA-Bench episodes, a LoCoMo talk, two haystacks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_ROOMS = ("kitchen", "bathroom", "garage", "cellar", "attic", "garden", "library", "hall")


def ama_episode(number: int) -> dict[str, Any]:
    """Return an episode of eight rooms; each holds one thing with its own serial number."""
    turns = [
        {
            "turn_idx": index,
            "action": f"go to {room}",
            "observation": f"You are in the {room}. On the floor lies item SN{number}{index}77.\n"
            + f"The {room} is quiet and nothing moves. " * 40,
        }
        for index, room in enumerate(_ROOMS)
    ]
    questions = [
        {
            "question": "What lies on the floor of the garage at step 2?",
            "answer": f"Item `SN{number}277`.",
            "type": "A",
        },
        {
            "question": "Which rooms were visited between step 4 and step 6?",
            "answer": "The attic, the garden and the library.",
            "type": "C",
        },
        {"question": "Was it quiet?", "answer": "Yes.", "type": "D"},
    ]
    return {
        "episode_id": number,
        "task": "Walk through the house.",
        "domain": "Gaming" if number % 2 else "Web Task Execution",
        "num_turns": len(turns),
        "trajectory": turns,
        "qa_pairs": questions,
    }


def locomo_sample() -> dict[str, Any]:
    """Return a talk of two sessions; one of its questions has run-together evidence."""
    said = [
        ("Ada", "I adopted a greyhound named Comet last week."),
        ("Ben", "Lovely! I am learning to bake sourdough."),
        ("Ada", "My flight to Lisbon leaves on 14 June."),
        ("Ben", "The oven broke, so no more bread for now."),
    ]
    sessions: dict[str, Any] = {"speaker_a": "Ada", "speaker_b": "Ben"}
    for number, turns in ((1, said[:2]), (2, said[2:])):
        sessions[f"session_{number}_date_time"] = f"1:56 pm on {number + 7} May, 2023"
        sessions[f"session_{number}"] = [
            {"speaker": speaker, "dia_id": f"D{number}:{turn}", "text": text}
            for turn, (speaker, text) in enumerate(turns, start=1)
        ]
    questions = [
        {
            "question": "What is Ada's dog called?",
            "answer": "Comet",
            "evidence": ["D1:1"],
            "category": 4,
        },
        {
            "question": "What happened to Ben's baking?",
            "answer": "The oven broke",
            "evidence": ["D1:2; D:2:02"],
            "category": 1,
        },
        {"question": "Who is Zoe?", "answer": None, "evidence": [], "category": 5},
    ]
    return {"sample_id": "talk-1", "conversation": sessions, "qa": questions}


def ama_folder(folder: Path) -> Path:
    """Write the two episodes into a folder, with a file that is none beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in (1, 2):
        (folder / f"run-{number}.json").write_text(json.dumps(ama_episode(number)))
    (folder / "LICENSE.txt").write_text("Free to use.")
    (folder / "other.json").write_text('{"messages": []}')
    return folder


def locomo_folder(folder: Path) -> Path:
    """Write the talk into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "talks.json").write_text(json.dumps([locomo_sample()]))
    return folder


def haystack(name: str, **fields: Any) -> dict[str, Any]:
    """Return a LongMemEval question about two of three sessions, which are not in order."""
    sessions = [
        [
            {"role": "user", "content": "I rode 30 kilometres today.", "has_answer": True},
            {"role": "assistant", "content": "A fine tour. Stretch your calves."},
        ],
        [
            {"role": "user", "content": "Which bread keeps longest?"},
            {"role": "assistant", "content": "Rye bread, in a linen bag. " * 60},
        ],
        [
            {"role": "user", "content": "My first tour: 42 kilometres.", "has_answer": True},
            {"role": "assistant", "content": "Well done! Drink enough.", "has_answer": False},
        ],
    ]
    return {
        "question_id": name,
        "question_type": "multi-session",
        "question": "How many kilometres did I ride in total on my two tours?",
        "answer": 72,
        "question_date": "2023/06/01 (Thu) 09:00",
        "haystack_session_ids": ["answer_b", "filler", "answer_a"],
        "haystack_dates": ["2023/05/25 (Thu) 18:05", "2023/05/21 (Sun) 07:30", "2023/05/20"],
        "haystack_sessions": sessions,
        "answer_session_ids": ["answer_a", "answer_b"],
    } | fields


def longmemeval_folder(folder: Path) -> Path:
    """Write two haystacks, and a question that nothing answers, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    asked = {"question": "How long was my first tour?", "answer": "42 kilometres"}
    single = haystack("q2", question_type="single-session-user", **asked)
    single["haystack_sessions"][0][0].pop("has_answer")
    instances = [haystack("q1"), single, haystack("q3_abs", answer="You did not say.")]
    (folder / "longmemeval_s_cleaned.json").write_text(json.dumps(instances))
    return folder
