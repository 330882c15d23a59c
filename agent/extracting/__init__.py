"""One note in, one extraction out: its increments, rated and placed."""
