"""Holds a brief that somebody else wrote against the workspace: each identifier, figure, quotation, source, count and ratio."""
