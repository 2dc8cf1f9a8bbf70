"""Readers of the data sets that memories are measured on."""
