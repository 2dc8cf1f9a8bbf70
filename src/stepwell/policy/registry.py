"""Find policies by name, list them, and install new versions beside the old ones.

A folder of policies holds `NAME.toml`, written by hand, or `NAME.vN.toml`, installed; nothing
installed is ever overwritten. `NAME` means the file with the highest version, `NAME.vN` that one
version. The names of policies that come with Stepwell mean those, whatever a folder holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from stepwell.errors import NotFoundError, PolicyError
from stepwell.policy.files import PolicyFile, digest, load, save

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["BUILT_IN", "Listed", "find", "install", "list_policies", "locate"]

BUILT_IN: Final = ("default", "plain", "all")
"""The policies that come with Stepwell."""

_FOLDER: Final = Path(__file__).parent / "builtin"
_STEM: Final = re.compile(r"(?P<name>\w[\w-]{0,63})(?:\.v(?P<version>[1-9]\d{0,8}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A policy that was found, or a file that should be one.

    Attributes:
        name: Under which it is found: the newest version by the policy's name.
        path: Its file.
        file: What it holds; None if it cannot be read.
        problem: Why it cannot be read.
    """

    name: str
    path: Path
    file: PolicyFile | None
    problem: str = ""


def find(name: str, folders: Iterable[Path] = ()) -> PolicyFile:
    """Return a policy: one that comes with Stepwell, else from a folder, else the file at a path.

    >>> find("plain").policy.structures
    ('units', 'vector', 'episodic')

    Args:
        name: `default`, `mine`, `mine.v2` or `./mine.toml`.
        folders: Where policies are, the first before the others.

    Raises:
        NotFoundError: There is none.
        PolicyError: Its file cannot be read, or is no policy.
    """
    return load(locate(name, folders))


def locate(name: str, folders: Iterable[Path] = ()) -> Path:
    """Return the file that `find` reads.

    Raises:
        NotFoundError: There is none.
    """
    if name in BUILT_IN:
        return _FOLDER / f"{name}.toml"
    known = set(BUILT_IN)
    match = _STEM.fullmatch(name)
    for folder in folders:
        held = _versions(folder)
        known |= held.keys()
        paths = held.get(match["name"], {}) if match else {}
        version = int(match["version"] or max(paths, default=0)) if match else 0
        if version in paths:
            return paths[version]
    if (path := _file_at(name)) is not None:
        return path
    raise NotFoundError(
        f"There is no policy {name}.", hint=f"There are: {', '.join(sorted(known))}."
    )


def _file_at(name: str) -> Path | None:
    """Return the policy file at a path; None where none can be, or it is no path."""
    try:
        path = Path(name).expanduser()
        return path if path.suffix == ".toml" and path.is_file() else None
    except (OSError, RuntimeError, ValueError):  # too long a name, no such home, a NUL
        return None


def list_policies(folders: Iterable[Path] = ()) -> tuple[Listed, ...]:
    """Return all policies: those that come with Stepwell, then each folder's, the newest first."""
    found = [_listed(name, _FOLDER / f"{name}.toml") for name in BUILT_IN]
    for folder in folders:
        for name, paths in _versions(folder).items():
            newest = max(paths)
            for version in sorted(paths, reverse=True):
                called = name if version == newest else f"{name}.v{version}"
                found.append(_listed(called, paths[version]))
    return tuple(found)


def install(file: PolicyFile, folder: Path) -> Path:
    """Write a policy into a folder as its newest version.

    Where it is the same as the newest one there, version and origin aside, nothing is written.

    Args:
        file: The policy; its version is raised above those that are there.
        folder: Made if it is missing.

    Returns:
        The file that holds it.

    Raises:
        PolicyError: The name is that of a policy that comes with Stepwell, or the folder cannot be
            written.
    """
    if file.name in BUILT_IN:
        raise PolicyError(
            f"`{file.name}` comes with Stepwell, and its name always means that one.",
            hint="Give yours another name.",
        )
    held = _versions(folder).get(file.name, {})
    newest = max(held, default=0)
    if newest in held and _content(load(held[newest])) == _content(file):
        return held[newest]
    version = max(file.version, newest + 1)
    path = folder / f"{file.name}.v{version}.toml"
    save(replace(file, version=version), path)
    return path


def _content(file: PolicyFile) -> str:
    return digest(replace(file, version=1, origin={}))


def _versions(folder: Path) -> dict[str, dict[int, Path]]:
    """Return the files of each name by version.

    The version of a file written by hand is the one it states; 0 if it cannot be read.
    """
    found: dict[str, dict[int, Path]] = {}
    for path in sorted(folder.glob("*.toml")):
        match = _STEM.fullmatch(path.stem)
        if match is not None:
            version = int(match["version"]) if match["version"] else _stated(path)
            found.setdefault(match["name"], {}).setdefault(version, path)
    return dict(sorted(found.items()))


def _stated(path: Path) -> int:
    try:
        return load(path).version
    except PolicyError:
        return 0


def _listed(name: str, path: Path) -> Listed:
    try:
        return Listed(name=name, path=path, file=load(path))
    except PolicyError as error:
        return Listed(name=name, path=path, file=None, problem=str(error))
