"""MESA's experiments: which structures to read, for which question, at what price."""
