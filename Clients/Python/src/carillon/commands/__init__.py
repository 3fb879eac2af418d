"""The commands of `python -m carillon`: a module for each, and what they share."""
