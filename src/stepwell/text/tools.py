"""Words of tools: the names of their arguments, and what a tool's name says that it does."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ACTIONS",
    "DOCUMENTS",
    "EDIT_ARGUMENTS",
    "FILE_CHANGES",
    "FILE_COMMANDS",
    "GENERIC",
    "MAIN",
    "PATHS",
    "PROGRAMS",
    "READS",
    "SHELLS",
    "SOURCES",
    "TARGETS",
    "TEXTS",
    "URLS",
]

MAIN: Final = (
    "command", "cmd", "query", "sql", "path", "file_path", "url", "website_url", "code",
    "action", "pattern", "text", "input", "prompt", "question", "thought",
)  # fmt: skip
"""Arguments that say what a call does, the most telling first."""

ACTIONS: Final = ("command", "action", "mode")
"""Arguments that say which of its actions a tool is to do."""

PATHS: Final = (
    "path", "file_path", "filepath", "file", "filename", "notebook_path", "target_file",
)  # fmt: skip
"""Arguments that name a file."""

URLS: Final = ("url", "website_url", "uri", "link")
"""Arguments that name a page."""

TEXTS: Final = ("content", "step", "title", "task", "text", "description", "name", "subject")
"""Fields that say what an item of a plan is."""

TARGETS: Final = frozenset({
    "to", "target", "destination", "dest", "receptacle", "container", "into", "onto", "on",
    "in", "location", "place", "where", "goal",
})  # fmt: skip
"""Arguments that say where a thing goes."""

SOURCES: Final = frozenset({"from", "source", "origin", "src"})
"""Arguments that say where a thing comes from."""

GENERIC: Final = frozenset({
    "up", "down", "to", "on", "off", "in", "into", "from", "at", "object", "item", "thing",
    "container", "receptacle", "door", "room", "location", "place", "obj", "agent",
})  # fmt: skip
"""Words of a tool's name that only say what kind of argument it takes: put_object, go_to."""

READS: Final = frozenset({"view", "read", "open", "cat", "ls", "list", "search", "grep", "find"})
"""Names and actions of tools that leave a file as it is."""

FILE_CHANGES: Final = {
    "deleted": ("delet", "remov", "unlink"),
    "edited": ("edit", "replace", "insert", "patch", "updat", "append", "modif", "undo"),
    "created": ("creat",),
    "written": ("writ", "save", "new"),
}
"""What a tool has done to a file, by a part of its name or of its action; the first that fits."""

EDIT_ARGUMENTS: Final = frozenset({"old_str", "new_str", "old_string", "new_string"})
"""Arguments that only a tool has that edits."""

FILE_COMMANDS: Final = {"deleted": ("rm",), "created": ("touch", "mkdir")}
"""What a shell command has done to the file it names."""

SHELLS: Final = ("bash", "shell", "terminal", "console")
"""Parts of the name of a tool whose main argument is a shell command."""

PROGRAMS: Final = (
    "cd", "ls", "cat", "rm", "mv", "cp", "mkdir", "touch", "sed", "grep", "find", "git", "python",
    "pip", "npm", "node", "make", "echo", "chmod", "curl", "wget", "pytest", "docker", "head",
    "tail", "awk", "tar", "export",
)  # fmt: skip
"""What begins a text that is a shell command."""

DOCUMENTS: Final = (
    "bash", "shell", "terminal", "exec", "run", "code", "sql", "query", "edit", "file", "view",
    "read", "search", "fetch", "grep", "python", "think", "browse", "website", "web",
)  # fmt: skip
"""Parts of the names of tools whose results are outputs and documents."""
