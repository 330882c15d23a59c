"""The relay between agents: which batons came, which did not, which documents went stale."""
