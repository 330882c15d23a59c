"""What a text states in a form that can be held against other statements, and which of them cannot all stand."""
