"""Credentials in text: what they look like, what names them, and how they are found."""
