"""Text in, values out: what plain code finds in a note or a living document. No disk, no network."""
