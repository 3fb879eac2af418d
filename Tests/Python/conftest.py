"""Hooks for tests that are coroutines, and fixtures: a socket directory and a scripted gateway."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2] / "Scripts"))

from coroutine_tests import pytest_configure, pytest_pyfunc_call
from scripted_gateway import ScriptedGateway

__all__ = ["pytest_configure", "pytest_pyfunc_call"]


@pytest.fixture
def socket_directory() -> Iterator[Path]:
    """A directory with a short path, because Unix socket paths have at most 107 bytes."""
    directory = Path(tempfile.mkdtemp(prefix="carillon-"))
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture
def gateway(socket_directory: Path) -> Iterator[ScriptedGateway]:
    """A scripted gateway, which listens from its first use in the test's loop."""
    gateway = ScriptedGateway(f"ipc://{socket_directory}/gateway")
    yield gateway
    gateway.destroy()
