"""Playing a file into a meeting, and recording a meeting to a file."""
