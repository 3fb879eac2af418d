"""Tests of the control API with the real SDK, the real command line and real services."""
