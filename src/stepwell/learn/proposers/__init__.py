"""What proposes policies to a search: by rules of its own, or by asking a language model."""
