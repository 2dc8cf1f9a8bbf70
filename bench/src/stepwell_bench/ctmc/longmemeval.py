"""LongMemEval's official files, each question with a haystack of its own.

A file holds 500 haystacks, hundreds of megabytes; each goes into a file of its own first, so that
a sample of them is all that is read, stored and encoded.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from stepwell.errors import InvalidInputError, NotFoundError
from stepwell.formats.base import Notes
from stepwell.formats.files.decode import decode
from stepwell.formats.files.documents import documents
from stepwell.trajectory.fields import object_of
from stepwell_bench.ctmc.tokens import run_tokens

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from stepwell.encode.base import Encoder
    from stepwell_bench.ctmc.tokens import TokenPlan, TokenReport
    from stepwell_bench.ctmc.tokenstats import Asked

__all__ = ["Version", "haystack_file", "run_longmemeval", "split_haystacks"]

_WHERE = (
    "Download longmemeval_s_cleaned.json from "
    "https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned and name its folder with "
    "--data."
)


class Version(StrEnum):
    """The official files: about 40 sessions a question, about 500, or those with evidence alone."""

    s = "s"
    m = "m"
    oracle = "oracle"


def run_longmemeval(
    plan: TokenPlan,
    *,
    version: Version,
    encoder: Encoder | None,
    now: datetime,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _total: None,
) -> tuple[TokenReport, list[Asked]]:
    """Compare arms on LongMemEval; as `run_tokens`, but of the official files in a folder.

    Args:
        plan: What to run; `data` is the folder, or the file itself.
        version: Which of the files.
        encoder: Encodes passages and questions; None searches by words alone.
        now: The time of the run, UTC.
        progress: Called with what is done, how much of it, and out of how much.

    Raises:
        NotFoundError: The folder, or the file in it, is missing.
        InvalidInputError: The file holds no haystacks.
    """
    file = haystack_file(plan.data, version)
    with TemporaryDirectory(prefix="stepwell-haystacks-") as folder:
        n_all = split_haystacks(
            file, Path(folder), count=plan.episodes, rng=np.random.default_rng(plan.seed)
        )
        whole = replace(plan, dataset="longmemeval", data=Path(folder), episodes=None)
        report, rows = run_tokens(whole, encoder=encoder, now=now, progress=progress)
    left_out = (
        f"{file.name}: {n_all} questions, of which those are asked that something answers: "
        "abstentions are left out, as in the official evaluation of retrieval."
    )
    notices = [left_out]
    if plan.episodes is not None:
        notices.append(f"a sample of {plan.episodes} questions, seed {plan.seed}")
    return replace(report, notices=(*report.notices, *notices)), rows


def haystack_file(data: Path, version: Version) -> Path:
    """Return the file of a version in a folder, by the beginning of its name; or the file given.

    Raises:
        NotFoundError: There is no such folder, or no such file in it.
    """
    root = data.expanduser()
    if root.is_file():
        return root
    if not root.is_dir():
        raise NotFoundError(f"There is no {root}.", hint=_WHERE)
    files = sorted(root.rglob(f"longmemeval_{version}*.json"))
    if not files:
        raise NotFoundError(f"There is no longmemeval_{version}*.json under {root}.", hint=_WHERE)
    return files[0]


def split_haystacks(
    file: Path, folder: Path, *, count: int | None, rng: np.random.Generator
) -> int:
    """Write the instances of a file, or a sample of them, into files of their own.

    Args:
        file: An official file.
        folder: Where to.
        count: So many of them, drawn at random; None for all.
        rng: Where the sample comes from.

    Returns:
        How many instances the file holds.

    Raises:
        InvalidInputError: It holds none.
    """
    source = decode(file.read_bytes(), notes=Notes(uri=str(file)))
    values = (object_of(document.value) for document in documents(source))
    found = [value for value in values if "haystack_sessions" in value]
    if not found:
        raise InvalidInputError(f"{file} holds no haystacks.", hint=_WHERE)
    places = list(range(len(found)))
    if count is not None and count < len(found):
        places = sorted(rng.choice(len(found), count, replace=False).tolist())
    for place in places:
        (folder / f"{place:05}.json").write_bytes(msgspec.json.encode(found[place]))
    return len(found)
