"""Coroutines as tests here too."""

from __future__ import annotations

import sys
from pathlib import Path

# What starts real processes is there, and what compiles programs of documents.
sys.path.insert(0, str(Path(__file__).parents[1] / "Python"))
sys.path.insert(0, str(Path(__file__).parents[2] / "Scripts"))

from coroutine_tests import pytest_configure, pytest_pyfunc_call

__all__ = ["pytest_configure", "pytest_pyfunc_call"]
