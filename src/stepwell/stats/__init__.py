"""Statistics with a seed: bootstrap intervals, paired tests, and several p-values at once."""
