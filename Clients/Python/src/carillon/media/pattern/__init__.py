"""A test pattern whose pictures carry their numbers: shown, and counted by who receives it."""
