"""Which programs a shell command runs, and which of its text is quoted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["programs_of", "without_texts"]

_READ = 8_000
"""Characters read of a command."""

_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w{1,40})\1([^\n]*)\n.*?(?:\n\s*\2\b|\Z)", re.DOTALL)
"""cat <<'EOF' … EOF"""

_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_PLAIN = re.compile(r"['\"][\w./~@%+:{}$*-]+['\"]")
"""A quoted word, which may be a file's name."""

_PARTS = re.compile(r"[;&|\n()`]+|\$\(|\b(?:then|do|else)\b")
"""What parts the simple commands of a line."""

_BEFORE: Final = frozenset({
    "sudo", "time", "nohup", "exec", "env", "xargs", "command", "then", "do", "if", "while", "!",
    "npx", "bunx", "uvx",
})  # fmt: skip
"""What may stand before a program and runs it."""

_KEYWORDS: Final = frozenset({"for", "done", "fi", "case", "esac", "function", "in", "[", "[["})
"""Words of the shell itself."""

_RUNNERS: Final = frozenset({"uv run", "poetry run", "pipenv run", "hatch run", "bundle exec"})
_ASSIGNED = re.compile(r"\w+=\S*|-\S*|\d+[smh]?")
"""What may stand between these and the program: X=1, an option, a time."""

_INTERPRETER = re.compile(r"(?:python[\d.]*|node|deno|bun|ruby|perl|bash|sh|zsh|Rscript)$")
_PROGRAM = re.compile(r"[\w./~+-]{1,120}$")
_SUBCOMMAND = re.compile(r"[a-z][a-z-]{1,30}$")
_MOST = 24


def without_texts(command: str) -> str:
    r"""Return a command without its quoted texts and the documents in it; quoted names stay.

    >>> without_texts("git commit -m 'a > b' > \"out.txt\"")
    'git commit -m "" > "out.txt"'
    """
    bare = _HEREDOC.sub(r"\3\n", command[:_READ])
    return _QUOTED.sub(lambda text: text[0] if _PLAIN.fullmatch(text[0]) else '""', bare)


def programs_of(command: str) -> tuple[str, ...]:
    """Return the programs that a shell command runs, each also with its subcommand.

    >>> programs_of("cd src && python -m pytest -q | tail -3; git push origin main")
    ('cd', 'cd src', 'python', 'pytest', 'tail', 'git', 'git push')
    """
    found: dict[str, None] = {}
    for part in _PARTS.split(without_texts(command)):
        found.update(dict.fromkeys(_programs(part.split())))
    return tuple(found)[:_MOST]


def _programs(words: list[str]) -> Iterator[str]:
    while words and (words[0].rpartition("/")[2] in _BEFORE or _ASSIGNED.fullmatch(words[0])):
        words = words[1:]
    if " ".join(words[:2]) in _RUNNERS:
        yield words[0]
        yield from _programs(words[2:])
        return
    if not words or words[0] in _KEYWORDS or not _PROGRAM.match(words[0]):
        return
    name, *others = words
    program = name.rpartition("/")[2]
    yield program
    if _INTERPRETER.match(program):
        yield from _interpreted(others)
    elif others and _SUBCOMMAND.match(others[0]):
        yield f"{program} {others[0]}"


def _interpreted(words: list[str]) -> Iterator[str]:
    """Yield the module or the script that an interpreter runs."""
    for place, word in enumerate(words):
        if word == "-m" and place + 1 < len(words):
            yield words[place + 1]
            return
        if word == "-c":
            return
        if not word.startswith("-") and _PROGRAM.match(word):
            yield word.rpartition("/")[2]
            return
