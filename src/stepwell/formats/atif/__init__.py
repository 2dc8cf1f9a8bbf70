"""The Agent Trajectory Interchange Format, read and written."""
