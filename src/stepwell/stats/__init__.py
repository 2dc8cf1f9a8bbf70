"""Statistics with a seed: bootstrap intervals and paired tests."""
