"""What a sweep says of MESA's two findings, in plain words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell_bench.mesa.sweep import Split, SweepFindings

__all__ = ["Claim", "claims_of"]

_MOST = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A finding of the paper, and whether it is found here.

    Attributes:
        what: The finding.
        verdict: `reproduced`; `in sample only`, where choosing on other episodes does not bear it
            out; `failed`; `not tested`, where no group has enough questions.
        because: The counts behind it.
        splits: The differences out of sample that decide.
    """

    what: str
    verdict: str
    because: str
    splits: tuple[Split, ...]


def claims_of(findings: SweepFindings) -> tuple[Claim, Claim]:
    """Return the two findings and what the sweep says of each.

    (1) is reproduced if most groups of questions have a best subset that is neither one structure
    nor all, and subsets chosen by group on other episodes beat both the best single structure and
    all. (2) is reproduced if different subsets are best in different groups, and choosing by group
    on other episodes beats choosing one subset for all. A difference counts whose interval is above
    zero.
    """
    groups = findings.groups[:-1]
    share = findings.intermediate
    n_between = round(share * len(groups))
    by_group = [split for split in findings.splits if split.what.startswith("best by group")]
    extremes = tuple(split for split in by_group if not split.what.endswith("best fixed"))
    fixed = tuple(split for split in by_group if split.what.endswith("best fixed"))
    return (
        Claim(
            what="Intermediate subsets are usually best",
            verdict=_verdict(share > _MOST, extremes, n_groups=len(groups)),
            because=f"they are in {n_between} of {len(groups)} groups ({share:.0%})",
            splits=extremes,
        ),
        Claim(
            what="No subset is best for all",
            verdict=_verdict(findings.n_winners > 1, fixed, n_groups=len(groups)),
            because=f"{findings.n_winners} subsets are best in some of {len(groups)} groups",
            splits=fixed,
        ),
    )


def _verdict(is_found: bool, splits: Sequence[Split], *, n_groups: int) -> str:  # noqa: FBT001
    if not n_groups:
        return "not tested"
    if not is_found:
        return "failed"
    is_borne_out = bool(splits) and all(split.low > 0 for split in splits)
    return "reproduced" if is_borne_out else "in sample only"
