"""The examples of the documentation are run as tests, each page in an empty folder of its own."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser


def _enter(namespace: dict[str, Any]) -> None:
    namespace["_left"] = Path.cwd()
    namespace["_folder"] = TemporaryDirectory()
    os.chdir(namespace["_folder"].name)


def _leave(namespace: dict[str, Any]) -> None:
    os.chdir(namespace["_left"])
    namespace["_folder"].cleanup()


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser()],
    patterns=["README.md", "docs/**/*.md"],
    setup=_enter,
    teardown=_leave,
).pytest()
