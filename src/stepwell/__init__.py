"""Memory for long-horizon agents: cited evidence from a trajectory, within a token budget."""
