"""The graph structure: who is where, what holds what, and which steps say so."""
