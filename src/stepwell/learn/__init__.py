"""Learn which structures to read from whether the answers were right."""
