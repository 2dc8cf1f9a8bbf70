"""Choosing whole steps under a budget: flat, by units, by coverage, and adaptively."""
