"""Small logs in the formats of τ-bench, tau2-bench and ToolBench, made up here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from stepwell_bench.osu.rows import Row

if TYPE_CHECKING:
    from pathlib import Path

_CITIES = ("Oslo", "Lima", "Bern", "Kyiv", "Rome", "Cairo", "Doha", "Riga")


def write_tau(folder: Path, *, n_tasks: int = 8, n_trials: int = 2) -> None:
    """Write runs of an agent that books trips; each carries out all its ground-truth actions."""
    runs = [_tau_run(task, trial) for task in range(n_tasks) for trial in range(n_trials)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "travel.json").write_text(json.dumps(runs), encoding="utf-8")


def _tau_run(task: int, trial: int) -> dict[str, Any]:
    user, city = f"user_{task}", _CITIES[task % len(_CITIES)]
    actions = [
        {"name": "get_user", "kwargs": {"user_id": user}},
        {"name": "book_trip", "kwargs": {"user_id": user, "city": city}},
        {"name": "book_trip", "kwargs": {"user_id": user, "city": f"{city} airport"}},
    ]
    messages: list[dict[str, Any]] = [{"role": "system", "content": "Serve travellers."}]
    for number in range(12):
        messages += [
            {"role": "user", "content": f"Please note wish {number} about {city}, try {trial}."},
            {"role": "assistant", "content": f"Noted: wish {number} for {user}."},
        ]
        if number < len(actions):
            messages += _tau_call(f"c{number}", actions[number])
    info = {"task": {"instruction": f"You want trips to {city}.", "actions": actions}}
    return {"task_id": task, "trial": trial, "reward": 1.0, "info": info, "traj": messages}


def _tau_call(uid: str, action: dict[str, Any]) -> list[dict[str, Any]]:
    called = {"name": action["name"], "arguments": json.dumps(action["kwargs"])}
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": uid, "type": "function", "function": called}],
        },
        {"role": "tool", "tool_call_id": uid, "name": action["name"], "content": "done"},
    ]


def write_tau2(folder: Path, *, n_tasks: int = 2) -> None:
    """Write simulations of a shop whose task list stands beside them."""
    tasks = []
    simulations = []
    for number in range(n_tasks):
        actions = [
            {"action_id": f"{number}_{at}", "name": name, "arguments": {"order_id": f"W{number}"}}
            for at, name in enumerate(("get_order", "cancel_order"))
        ]
        instructions = {"task_instructions": f"Cancel order W{number}."}
        tasks.append(
            {
                "id": str(number),
                "user_scenario": {"instructions": instructions},
                "evaluation_criteria": {"actions": actions},
            }
        )
        simulations.append(_tau2_simulation(number, actions))
    results = {"info": {}, "tasks": tasks, "simulations": simulations}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "shop.json").write_text(json.dumps(results), encoding="utf-8")


def _tau2_simulation(number: int, actions: list[dict[str, Any]]) -> dict[str, Any]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"Cancel W{number}, please."}]
    for action in actions:
        uid = action["action_id"]
        call = {"id": uid, "name": action["name"], "arguments": action["arguments"]}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "id": uid, "content": "{}", "error": False},
        ]
    return {
        "id": f"sim-{number}",
        "task_id": str(number),
        "trial": 0,
        "reward_info": {"reward": 1.0},
        "termination_reason": "user_stop",
        "messages": messages,
    }


def write_toolbench(folder: Path, *, n_answers: int = 12) -> None:
    """Write answers that ask one service about one city, arguments cut off in every second one."""
    answers = {str(number): _answer(number) for number in range(n_answers)}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "G1_small.json").write_text(json.dumps(answers), encoding="utf-8")


def _answer(number: int) -> dict[str, Any]:
    city, service = _CITIES[number % len(_CITIES)], f"service{number}"
    query = f"What is the weather, the time and the news in {city}? ({number})"
    node: dict[str, Any] = {"role": "assistant", "message": "", "next": []}
    for what in ("news", "time", "weather", "map"):
        arguments = json.dumps({"city": city, "what": what})
        called = {
            "name": f"{what}_for_{service}",
            "arguments": arguments[:-3] if number % 2 else arguments,
            "response": "{}",
        }
        node = {"role": "tool", "message": str(called), "next": [node]}
    user = {"role": "user", "message": query, "next": [node]}
    details = [{"role": "system", "message": "", "next": [user]}]
    answer = {"method": "made up", "total_steps": 6, "final_answer": "", "answer_details": details}
    return {"query": query, "available_tools": [], "answer": answer}


def row(*, method: str, question: str, world: str, cell: str = "T+E+") -> Row:
    """Return a row of marks, all evidence near."""
    return Row(
        seed=0,
        world=world,
        question=question,
        cell=cell,
        method=method,
        budget=256,
        tokens=200,
        recall=0.5,
        hit2=0.0,
        near=0.5,
        far=None,
    )
