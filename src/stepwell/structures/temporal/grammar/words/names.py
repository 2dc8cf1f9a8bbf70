"""Words around names: articles, lists, and words that are no names of things."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ADVERBS",
    "ARTICLES",
    "EMPTY_LISTS",
    "EXTENSIONS",
    "NO_NAMES",
    "PLURALS",
    "PRONOUNS",
    "QUESTION_WORDS",
    "QUOTES",
]

ADVERBS: Final = frozenset({
    "again", "anew", "already", "carefully", "finally", "immediately", "instead", "now", "please",
    "quickly", "quietly", "slowly", "then", "too",
})  # fmt: skip
"""Words behind a name that say how or when something is done, and are no part of it."""

ARTICLES: Final = ("the", "an", "a", "some", "your", "my", "this", "that", "these", "those")
"""Words before a name that are no part of it."""

PRONOUNS: Final = frozenset({"it", "them", "this", "that"})
"""Words for the thing that was named last."""

NO_NAMES: Final = frozenset({
    "it", "they", "them", "this", "that", "these", "those", "there", "here", "what", "which",
    "i", "you", "he", "she", "we", "who", "nothing", "everything", "all", "anything",
    "something", "one", "none", "and", "or", "the", "a", "an", "around", "up", "down",
    "left", "right", "forward", "back", "so", "now", "not", "to", "north", "south", "east",
    "west", "northeast", "northwest", "southeast", "southwest", "forwards", "backwards",
})  # fmt: skip
"""Words that are never the name of a thing."""

EMPTY_LISTS: Final = frozenset({"nothing", "none", "empty", "no items", "nothing else", ""})
"""What stands in the place of a list of names when there are none."""

QUESTION_WORDS: Final = frozenset({
    "step", "steps", "turn", "agent", "action", "actions", "object", "objects", "state",
    "states", "change", "changes", "time", "times", "number", "value", "values", "name",
    "content", "contents", "result", "results", "what", "which", "when", "where", "how",
    "location", "history", "histories", "task", "question", "answer", "id", "type", "user",
    "environment", "trajectory", "message", "text", "in", "on", "at", "is", "was", "the",
    "of", "and", "to", "by", "did", "do", "first", "last", "note", "done", "list", "key",
    "go", "look", "take", "move", "put", "open", "close", "use", "from", "with", "all", "no",
    "command", "commands", "tool", "tools", "call", "calls", "file", "files",
})  # fmt: skip
"""Words of questions: a known thing of such a name is not what a question means by it."""

EXTENSIONS: Final = frozenset({
    "c", "cc", "cfg", "conf", "cpp", "cs", "css", "csv", "db", "go", "gz", "h", "html", "ini",
    "ipynb", "java", "js", "json", "jsonl", "jsx", "kt", "lock", "log", "lua", "md", "pdf", "php",
    "png", "py", "pyi", "r", "rb", "rs", "rst", "scss", "sh", "sql", "svg", "swift", "tar", "toml",
    "ts", "tsv", "tsx", "txt", "xml", "yaml", "yml", "zip",
})  # fmt: skip
"""Endings of files: what ends in one is a file, and the ending names none."""

PLURALS: Final = (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", ""))
"""Endings of the plural and what the singular may have in their place."""

QUOTES: Final = {'"': '"', "'": "'", "`": "`", "(": ")", "[": "]", "«": "»", "“": "”"}
"""What may surround a name, opening and closing."""
