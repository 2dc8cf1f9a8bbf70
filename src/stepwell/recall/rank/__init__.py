"""Which steps matter most."""
