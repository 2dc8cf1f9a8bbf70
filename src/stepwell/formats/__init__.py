"""Readers of log formats: bytes to trajectories."""
