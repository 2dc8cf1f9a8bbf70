"""Benchmarks: evidence recall and speed, each beside its baselines."""
