"""A test pattern with numbered pictures, which one session sends and another one counts."""
