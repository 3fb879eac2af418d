"""Enables coroutines as tests in this folder."""

from __future__ import annotations

import sys
from pathlib import Path

# These folders contain the modules that start real processes and that compile the example programs
# in the documents.
sys.path.insert(0, str(Path(__file__).parents[1] / "Python"))
sys.path.insert(0, str(Path(__file__).parents[2] / "Scripts"))

from coroutine_tests import pytest_configure, pytest_pyfunc_call

__all__ = ["pytest_configure", "pytest_pyfunc_call"]
