"""Where a socket connects to, and by which key it is encrypted."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import unquote

import zmq
from zmq.utils import z85

from carillon.errors import CarillonError, StatusCode

_KEY_CHARACTERS = 40


@dataclass(frozen=True)
class Endpoint:
    """`ipc://PATH`, `tcp://HOST:PORT`, or `tcp://HOST:PORT?curve=KEY`."""

    address: str
    """What libzmq connects to."""
    server_key: bytes | None = None
    """The public key of whoever listens there, 32 bytes; `None`: nothing is encrypted."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises `CarillonError` `INVALID_ARGUMENT` for what is no endpoint.

        The key has 40 characters (32/Z85), those that mean something in a URL as `%XX`.
        """
        address, mark, query = text.partition("?")
        if address.startswith("ipc://") and not mark:
            return cls(address)
        if address.startswith("tcp://"):
            if not mark:
                return cls(address)
            name, _, value = query.partition("=")
            if name == "curve" and (key := _key(unquote(value, errors="replace"))) is not None:
                return cls(address, key)
        raise CarillonError(
            StatusCode.INVALID_ARGUMENT,
            message=f"{text!r} is no endpoint; give ipc://PATH or tcp://HOST:PORT, behind the port "
            "?curve= and a key of 40 characters (Z85) if it is encrypted.",
        )

    def connect(self, socket: zmq.Socket[Any]) -> None:
        """Begins to connect, under a pair of keys made for it where there is a key.

        Raises `zmq.ZMQError` for what libzmq does not take.
        """
        if self.server_key is not None:
            socket.curve_publickey, socket.curve_secretkey = zmq.curve_keypair()
            socket.curve_serverkey = self.server_key
        socket.connect(self.address)


def _key(text: str) -> bytes | None:
    if len(text) != _KEY_CHARACTERS:
        return None
    try:
        return bytes(z85.decode(text))
    except (ValueError, KeyError, struct.error):
        return None
