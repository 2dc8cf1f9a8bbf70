"""Write the records of answers as lines of JSON, for other judges to start from."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from stepwell.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from stepwell.learn.reader import AnswerRecord

__all__ = ["write_records"]


def write_records(records: Iterable[AnswerRecord], path: Path) -> None:
    """Append records to a file, one JSON object a line; its folder is made.

    Raises:
        StoreError: The file cannot be written.
    """
    # ASCII, because a model may answer in half surrogate pairs.
    lines = [f"{json.dumps(asdict(record))}\n" for record in records]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="ascii") as file:
            file.writelines(lines)
    except OSError as error:
        raise StoreError(
            f"The records cannot be written to {path}: {error}.", hint="Give another file."
        ) from error
