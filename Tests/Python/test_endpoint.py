"""Parsing of endpoints, with and without keys."""

from __future__ import annotations

import pytest
import zmq

from carillon.endpoint import Endpoint
from carillon.errors import CarillonError, StatusCode

KEY = bytes.fromhex("6a" * 32)
ESCAPED = "R%24Q%26etb%3D6C4jIEQp%23Si5uKU7L%3EHeuy%3DD%5EL%7B%25iZAS"


def test_an_endpoint_without_a_key_is_only_an_address() -> None:
    for text in ("ipc:///run/carillon/gateway-a.client.sock", "tcp://127.0.0.1:7400"):
        assert Endpoint.parse(text) == Endpoint(text)


def test_a_key_is_read_with_and_without_escapes() -> None:
    plain = Endpoint.parse("tcp://a:1?curve=" + "a" * 40)
    assert plain.address == "tcp://a:1"
    assert plain.server_key is not None
    assert len(plain.server_key) == 32
    assert Endpoint.parse("tcp://a:1?curve=" + "%61" * 40) == plain
    assert Endpoint.parse(f"tcp://a:1?curve={ESCAPED}").server_key is not None


@pytest.mark.parametrize(
    "text",
    [
        "udp://a:1",
        "tcp://a:1?",
        "tcp://a:1?curve=",
        "tcp://a:1?curve=" + "a" * 39,
        "tcp://a:1?curve=" + "#" * 40,
        "tcp://a:1?curve=" + "~" * 40,
        "tcp://a:1?curve=" + "a" * 40 + "&x=1",
        "tcp://a:1?key=" + "a" * 40,
        "ipc:///x?curve=" + "a" * 40,
    ],
)
def test_an_invalid_endpoint_is_refused(text: str) -> None:
    with pytest.raises(CarillonError) as failure:
        Endpoint.parse(text)
    assert failure.value.status.code is StatusCode.INVALID_ARGUMENT


def test_a_key_makes_a_socket_use_encryption() -> None:
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        Endpoint("tcp://127.0.0.1:1", KEY).connect(socket)
        assert socket.mechanism == zmq.CURVE
        socket.linger = 0
