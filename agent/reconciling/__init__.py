"""Extractions of all notes in, increments merged across agents out."""
