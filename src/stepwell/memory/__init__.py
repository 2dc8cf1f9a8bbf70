"""The facade: add, ingest, recall, get, forget."""
