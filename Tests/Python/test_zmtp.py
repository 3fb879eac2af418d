"""`ZMTPConnection` as a router, against two independent implementations of ZMTP.

`zmtp-echo` sends every message back. The clients are pyzmq (libzmq) and pyomq, which share no code,
over ipc and tcp, with NULL and CURVE. The path of `zmtp-echo` is $ZMTP_ECHO, by default in the
debug build.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pyomq
import pytest
import zmq

ROOT = Path(__file__).resolve().parents[2]
FRAME_BYTES = 65_536
MESSAGES_AT_ONCE = 2_000
# A timeout in milliseconds. A test reaches this timeout only if the test fails.
PATIENCE = 10_000
# Key pairs, each a public and a secret key as Z85.
SERVER, CLIENT, OTHER = (zmq.curve_keypair() for _ in range(3))

both_clients = pytest.mark.parametrize("library", [zmq, pyomq], ids=["pyzmq", "pyomq"])
all_wires = pytest.mark.parametrize("transport", ["ipc", "tcp"])
all_mechanisms = pytest.mark.parametrize("is_curve", [False, True], ids=["null", "curve"])


class Echo:
    """`zmtp-echo`, which uses our router, in a separate process."""

    def __init__(self, place: str, *keys: bytes) -> None:
        program = os.environ.get("ZMTP_ECHO", str(ROOT / ".build/debug/zmtp-echo"))
        self._process = subprocess.Popen(
            [program, place, str(FRAME_BYTES), *(key.decode() for key in keys)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.endpoint = self.next_line()

    def next_line(self) -> str:
        """Returns why the next connection ended; empty if the client ended it."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line.endswith("\n"), "zmtp-echo has ended"
        return line.removesuffix("\n")

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(timeout=10) == 0
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def echo(transport: str, directory: Path, *keys: bytes) -> Iterator[Echo]:
    result = Echo("tcp" if transport == "tcp" else str(directory / "echo"), *keys)
    try:
        yield result
    finally:
        result.close()


@contextmanager
def dealer(
    library: ModuleType,
    endpoint: str,
    keys: tuple[bytes, bytes] | None = None,
    server_key: bytes = SERVER[0],
) -> Iterator[Any]:
    context = library.Context()
    socket = context.socket(library.DEALER)
    socket.setsockopt(library.LINGER, 0)
    socket.setsockopt(library.SNDHWM, 0)
    socket.setsockopt(library.RCVHWM, 0)
    socket.setsockopt(library.RCVTIMEO, PATIENCE)
    socket.setsockopt(library.SNDTIMEO, PATIENCE)
    if keys:
        public, secret = keys
        socket.setsockopt(library.CURVE_SERVERKEY, server_key)
        socket.setsockopt(library.CURVE_PUBLICKEY, public)
        socket.setsockopt(library.CURVE_SECRETKEY, secret)
    socket.connect(endpoint)
    try:
        yield socket
    finally:
        socket.close()
        context.term()


@contextmanager
def connected(
    library: ModuleType, transport: str, is_curve: bool, directory: Path
) -> Iterator[tuple[Any, Echo]]:
    keys = (SERVER[1], CLIENT[0]) if is_curve else ()
    with echo(transport, directory, *keys) as end:
        with dealer(library, end.endpoint, CLIENT if is_curve else None) as socket:
            yield socket, end


@both_clients
@all_wires
@all_mechanisms
def test_the_server_echoes_messages_of_all_sizes(
    library: ModuleType, transport: str, is_curve: bool, socket_directory: Path
) -> None:
    with connected(library, transport, is_curve, socket_directory) as (socket, _):
        for size in (0, 1, 222, 223, 255, 256, 65_535):
            parts = [bytes(index * 31 % 256 for index in range(size))]
            socket.send_multipart(parts)
            assert socket.recv_multipart() == parts
        parts = [b"", b"a", b"bc" * 200]
        socket.send_multipart(parts)
        assert socket.recv_multipart() == parts


@both_clients
@all_wires
@all_mechanisms
def test_the_server_echoes_many_messages_in_order(
    library: ModuleType, transport: str, is_curve: bool, socket_directory: Path
) -> None:
    with connected(library, transport, is_curve, socket_directory) as (socket, _):
        for number in range(MESSAGES_AT_ONCE):
            socket.send(b"%d" % number)
        for number in range(MESSAGES_AT_ONCE):
            assert socket.recv() == b"%d" % number


@both_clients
@all_wires
@all_mechanisms
def test_a_frame_beyond_the_limit_ends_the_connection(
    library: ModuleType, transport: str, is_curve: bool, socket_directory: Path
) -> None:
    with connected(library, transport, is_curve, socket_directory) as (socket, end):
        socket.send(bytes(FRAME_BYTES))
        assert len(socket.recv()) == FRAME_BYTES
        socket.send(bytes(FRAME_BYTES + 1))
        assert end.next_line() == "A frame is too large"


@both_clients
@all_wires
@all_mechanisms
def test_a_message_beyond_the_limit_ends_the_connection(
    library: ModuleType, transport: str, is_curve: bool, socket_directory: Path
) -> None:
    with connected(library, transport, is_curve, socket_directory) as (socket, end):
        socket.send_multipart([bytes(FRAME_BYTES)] * 5)
        assert end.next_line() == "A message is too large"
        assert not socket.poll(100)


@both_clients
@all_wires
def test_a_client_with_an_unlisted_key_is_rejected(
    library: ModuleType, transport: str, socket_directory: Path
) -> None:
    with echo(transport, socket_directory, SERVER[1], CLIENT[0]) as end:
        with dealer(library, end.endpoint, OTHER):
            reason = f"The client's key {OTHER[0].decode()} is not allowed here"
            assert end.next_line() == reason


@both_clients
def test_a_server_with_another_key_is_rejected(library: ModuleType, socket_directory: Path) -> None:
    with echo("ipc", socket_directory, SERVER[1]) as end:
        with dealer(library, end.endpoint, CLIENT, server_key=OTHER[0]):
            assert end.next_line().startswith("HELLO cannot be opened")


@both_clients
def test_both_sides_must_use_the_same_mechanism(
    library: ModuleType, socket_directory: Path
) -> None:
    with echo("ipc", socket_directory, SERVER[1]) as end:
        with dealer(library, end.endpoint) as socket:
            socket.send(b"ring")
            # Whichever side is first to read the other's greeting ends the connection.
            assert end.next_line() in ("", "The peer uses another security mechanism, NULL")
            assert not socket.poll(100)


@both_clients
@all_mechanisms
def test_heartbeats_are_answered(
    library: ModuleType, is_curve: bool, socket_directory: Path
) -> None:
    keys = (SERVER[1],) if is_curve else ()
    with echo("ipc", socket_directory, *keys) as end:
        context = library.Context()
        with context.socket(library.DEALER) as socket:
            socket.setsockopt(library.LINGER, 0)
            socket.setsockopt(library.RCVTIMEO, PATIENCE)
            socket.setsockopt(library.HEARTBEAT_IVL, 20)
            socket.setsockopt(library.HEARTBEAT_TIMEOUT, 5_000)
            if is_curve:
                socket.setsockopt(library.CURVE_SERVERKEY, SERVER[0])
                socket.setsockopt(library.CURVE_PUBLICKEY, CLIENT[0])
                socket.setsockopt(library.CURVE_SECRETKEY, CLIENT[1])
            socket.connect(end.endpoint)
            for _ in range(10):
                socket.send(b"ring")
                assert socket.recv() == b"ring"
                # The connection carries only heartbeats, so the socket receives no message.
                assert not socket.poll(50)
        context.term()
        # The client itself ended its only connection.
        assert not end.next_line()
