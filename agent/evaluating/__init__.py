"""Holds extractions against gold answers."""
