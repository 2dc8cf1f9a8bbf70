"""Reports over a user's own logs: whether overlapping units are likely to help there."""
