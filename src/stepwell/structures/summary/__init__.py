"""The summary structure: what a run comes to, by sessions and chunks, in its own lines."""
