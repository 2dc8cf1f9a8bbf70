"""Text as people and tools write it: cleaning, search tokens, token counts."""
