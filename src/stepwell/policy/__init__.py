"""Policies: which structures a recall reads, as data that can be shown, tested and compared."""
