"""Session logs of Claude Code."""
