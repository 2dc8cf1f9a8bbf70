"""What the steps of a run share, and whether the steps of a question would share it.

OSU-Mem finds that overlapping units help where evidence is bound: where some pair of it shares a
tool (T+) or an entity (E+). Where the evidence of questions is known, that is counted; where it is
not, it is estimated over sets of steps that a question could need together (`draws`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from stepwell.audit.draws import candidate_steps, drawn_sets
from stepwell.audit.model import (
    COMMON,
    DEFAULT,
    Binding,
    EvidenceSet,
    Memberships,
    RunSharing,
)
from stepwell.structures.units.annotate import annotate
from stepwell.structures.units.build import build_units
from stepwell.structures.units.index import LIVE_UNITS
from stepwell.text.tokens import Estimate
from stepwell.trajectory.atoms import atoms_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from stepwell.audit.model import SharingOptions
    from stepwell.structures.units.model import Annotation
    from stepwell.trajectory.model import Step, Trajectory
    from stepwell.trajectory.questions import Question

__all__ = ["Common", "binding_of", "common_names", "sharing_of", "tool_family"]

_FEW: Final = 3
"""Steps a name may always be in: in a run of ten, three are no sign of a common one."""

_UNLIMITED: Final = 1 << 30
"""More units than a step can have names."""

_LEAST_PAIR: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """Names in more than a quarter of the steps of a run, with the number of steps each is in."""

    tools: dict[str, int] = field(default_factory=dict[str, int])
    entities: dict[str, int] = field(default_factory=dict[str, int])


def sharing_of(
    trajectory: Trajectory,
    *,
    rng: np.random.Generator,
    options: SharingOptions = DEFAULT,
    questions: Sequence[Question] = (),
) -> RunSharing:
    """Return what the steps of a run share.

    Args:
        trajectory: The run.
        rng: Where evidence sets are drawn from.
        options: How sharing is estimated.
        questions: Questions about this run with at least two steps, all of which exist.
    """
    steps = trajectory.steps
    namespace = trajectory.trajectory_id
    annotations = annotate(steps, namespace=namespace, options=options.annotate)
    common = Common(
        tools=common_names([one.tools for one in annotations]),
        entities=common_names([one.entities for one in annotations]),
    )
    drawn = drawn_sets(steps, size=options.set_size, most=options.anchors, rng=rng)
    sets = [
        EvidenceSet(
            steps=tuple(sorted(found)),
            anchors=found[:1],
            origin=origin,
            binding=binding_of(annotations, found, common=common),
        )
        for origin, found in drawn
    ]
    sets += [
        EvidenceSet(
            steps=asked.steps,
            anchors=asked.steps,
            origin="question",
            binding=binding_of(annotations, asked.steps, common=common),
            asked=asked,
        )
        for asked in questions
    ]
    return RunSharing(
        trajectory_id=namespace,
        source_format=trajectory.source_format,
        tokens=sum(map(_tokens, steps)),
        n_candidates=len(candidate_steps(steps)),
        families=tuple(
            _families(step, one, namespace=namespace)
            for step, one in zip(steps, annotations, strict=True)
        ),
        has_tool=np.array([bool(one.tools) for one in annotations], dtype=np.bool_),
        has_entity=np.array([bool(one.entities) for one in annotations], dtype=np.bool_),
        memberships=_memberships(annotations),
        common=_bare(common, namespace=namespace),
        sets=tuple(sets),
    )


def binding_of(
    annotations: Sequence[Annotation], steps: Sequence[int], *, common: Common
) -> Binding:
    """Return what some pair of steps shares: ∃ i < j in the set with a name of both.

    Args:
        annotations: What each step of the run is about.
        steps: The set.
        common: Names that are common in the run.

    >>> from stepwell.structures.units.model import Annotation
    >>> run = [Annotation(entities=("r::oslo",)), Annotation(entities=("r::oslo", "r::2"))]
    >>> binding_of(run, (0, 1), common=Common()).cell
    'T-E+'
    """
    pairs = list(combinations([annotations[step] for step in steps], 2))
    tools = {name for a, b in pairs for name in set(a.tools) & set(b.tools)}
    entities = {name for a, b in pairs for name in set(a.entities) & set(b.entities)}
    return Binding(
        tools=bool(tools),
        entities=bool(entities),
        uncommon_tools=bool(tools - common.tools.keys()),
        uncommon_entities=bool(entities - common.entities.keys()),
    )


def common_names(names: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the names of more than a quarter of the steps and of more than three.

    Args:
        names: Those of each step.

    Returns:
        In how many steps each is.

    >>> common_names([("read",), ("read",), ("read",), ("read", "edit")])
    {'read': 4}
    """
    n_steps = Counter(name for its_names in names for name in set(its_names))
    most = max(_FEW, COMMON * len(names))
    return {name: n for name, n in n_steps.items() if n > most}


def tool_family(name: str) -> str:
    """Return what a tool belongs to: the server of an MCP tool, else the tool itself.

    >>> tool_family("mcp__github__create_issue"), tool_family("Bash")
    ('mcp__github', 'Bash')
    """
    parts = name.split("__")
    is_mcp = parts[0] == "mcp" and len(parts) > _LEAST_PAIR
    return "__".join(parts[:2]) if is_mcp else name


def _families(step: Step, annotation: Annotation, *, namespace: str) -> tuple[str, ...]:
    """Return the families a step calls, boilerplate left out."""
    bound = {name.removeprefix(f"{namespace}::") for name in annotation.tools}
    return tuple(dict.fromkeys(tool_family(call.name) for call in step.calls if call.name in bound))


def _tokens(step: Step) -> int:
    return sum(Estimate().count(atom.text) for atom in atoms_of(step))


def _memberships(annotations: Sequence[Annotation]) -> Memberships:
    return Memberships(
        overlap=_counts(annotations, LIVE_UNITS.max_memberships),
        disjoint=_counts(annotations, 1),
        is_bindable=_counts(annotations, _UNLIMITED) > 0,
    )


def _counts(annotations: Sequence[Annotation], most: int) -> NDArray[np.int64]:
    units = build_units(annotations, None, replace(LIVE_UNITS, max_memberships=most))
    return np.bincount(units.members, minlength=len(annotations)).astype(np.int64)


def _bare(common: Common, *, namespace: str) -> tuple[tuple[str, int], ...]:
    both = [*common.tools.items(), *common.entities.items()]
    return tuple(
        (name.removeprefix(f"{namespace}::"), n)
        for name, n in sorted(both, key=lambda item: (-item[1], item[0]))
    )
