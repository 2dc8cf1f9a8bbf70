"""The SQLite store: one file, one schema, every scope."""
