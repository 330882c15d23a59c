"""From merged increments to the digest that people read."""
