"""The commands of `python -m carillon`: one module each, and the code they share."""
