"""From a question to cited evidence within a token budget."""
