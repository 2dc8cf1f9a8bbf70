"""Names of the arguments that say what an edit of a file does."""

from __future__ import annotations

from typing import Final

__all__ = ["NEW_TEXTS", "OLD_TEXTS", "WRITTEN_TEXTS"]

OLD_TEXTS: Final = ("old_str", "old_string", "old_text", "search")
NEW_TEXTS: Final = ("new_str", "new_string", "new_text", "replace")
WRITTEN_TEXTS: Final = ("content", "file_text", "contents")
"""Arguments that hold what an edit replaces, by what, and what is written."""
