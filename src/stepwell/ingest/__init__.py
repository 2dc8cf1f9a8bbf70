"""Readers of log formats, found by content."""
