"""From a question to cited evidence: find, rank, show."""
