"""Heavy tails: fits, verdicts and their bootstrap."""
