"""Readings of cases, replayed: what policies are judged on."""
