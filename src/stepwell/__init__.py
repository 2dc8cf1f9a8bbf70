"""Memory for long-horizon agents: cited evidence from a trajectory, within a token budget."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stepwell.errors import StepwellError
    from stepwell.memory.memory import Memory
    from stepwell.recall.allocation import Allocation
    from stepwell.recall.evidence import Evidence, Item
    from stepwell.store.scope import Scope
    from stepwell.trajectory.model import Step, Trajectory

__all__ = [
    "Allocation",
    "Evidence",
    "Item",
    "Memory",
    "Scope",
    "Step",
    "StepwellError",
    "Trajectory",
    "__version__",
]

__version__ = version("stepwell")

# Imported when first used: the package itself costs a few milliseconds, numpy and SQLite do not.
_HOMES = {
    "Allocation": "stepwell.recall.allocation",
    "Evidence": "stepwell.recall.evidence",
    "Item": "stepwell.recall.evidence",
    "Memory": "stepwell.memory.memory",
    "Scope": "stepwell.store.scope",
    "Step": "stepwell.trajectory.model",
    "StepwellError": "stepwell.errors",
    "Trajectory": "stepwell.trajectory.model",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
