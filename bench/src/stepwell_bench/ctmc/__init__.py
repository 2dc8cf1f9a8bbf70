"""CTMC's benchmarks: graph worlds, memories under a prompt budget, and the paper's tables."""
