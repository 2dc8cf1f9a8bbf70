"""The temporal structure: what was done and what held, step by step, and answers computed of it."""
