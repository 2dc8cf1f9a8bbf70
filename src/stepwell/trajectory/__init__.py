"""The trajectory model, its citable atoms, its passages, and export."""
