"""Encoders: text to unit vectors, local or behind an endpoint."""
