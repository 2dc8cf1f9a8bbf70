"""What structures find for a question."""
