"""Playing a file into a meeting, and recording a meeting into a file."""
