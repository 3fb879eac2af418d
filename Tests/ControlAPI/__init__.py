"""The control API as its clients use it: the real SDK, the real command, real services."""
