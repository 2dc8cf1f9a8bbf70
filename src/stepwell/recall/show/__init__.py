"""What of them is quoted, within the budget."""
