"""The endpoint that a socket connects to, with the key that encrypts the connection."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote

import zmq
from zmq.utils import z85

from carillon.errors import CarillonError, StatusCode

_KEY_CHARACTERS = 40

_IPC = "ipc://"

_OTHER_USER = (
    "run the client as the user of the services, or start the gateway with --listen-tcp and "
    "connect to its tcp:// endpoint."
)

KEY_DIRECTORY_VARIABLE = "CARILLON_KEY_DIR"
"""The environment variable that names the key directory of a client.

`carillon keys init` creates the directory. A gateway that accepts only listed clients requires a
key from this directory."""


@dataclass(frozen=True)
class Endpoint:
    """An endpoint: `ipc://PATH`, `tcp://HOST:PORT`, or `tcp://HOST:PORT?curve=KEY`."""

    address: str
    """The address for libzmq."""
    server_key: bytes | None = None
    """The public key of the server, 32 bytes; `None` for an unencrypted connection."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses an endpoint.

        The key has 40 characters (ZeroMQ RFC 32/Z85). Characters that are reserved in a URL are
        escaped as `%XX`. Raises `CarillonError` `INVALID_ARGUMENT` for an invalid endpoint.
        """
        address, mark, query = text.partition("?")
        if address.startswith(_IPC) and not mark:
            return cls(address)
        if address.startswith("tcp://"):
            if not mark:
                return cls(address)
            name, _, value = query.partition("=")
            if name == "curve" and (key := _key(unquote(value, errors="replace"))) is not None:
                return cls(address, key)
        raise CarillonError(
            StatusCode.INVALID_ARGUMENT,
            message=f"{text!r} is not an endpoint; write ipc://PATH or tcp://HOST:PORT, and "
            "after the port ?curve= and a key of 40 characters (Z85) if it is encrypted.",
        )

    def advice(self) -> str:
        """Returns what to do about an unreachable endpoint, as the end of a sentence.

        The advice names a missing socket or a missing permission, because a retry does not help in
        these cases.
        """
        if not self.address.startswith(_IPC):
            return "try again."
        path = Path(self.address.removeprefix(_IPC))
        try:
            path.stat()
        except FileNotFoundError:
            return f"{path} does not exist: start the gateway, or name the socket of one that runs."
        except PermissionError:
            return f"this user may not enter {_closed_directory(path)}: {_OTHER_USER}"
        except OSError as error:
            return f"{path} cannot be examined ({error.strerror}): name the socket of a gateway."
        if not _may(path, os.W_OK):
            return f"this user may not write to {path}: {_OTHER_USER}"
        return "try again."

    def connect(self, socket: zmq.Socket[Any]) -> None:
        """Starts to connect a socket.

        An encrypted connection uses the key pair in `$CARILLON_KEY_DIR`, or a new pair if this
        variable is not set.

        Raises `zmq.ZMQError` for an address that libzmq rejects, and `CarillonError`
        `FAILED_PRECONDITION` if the directory has no readable key.
        """
        if self.server_key is not None:
            socket.curve_publickey, socket.curve_secretkey = _own_pair()
            socket.curve_serverkey = self.server_key
        socket.connect(self.address)


def _closed_directory(path: Path) -> Path:
    """Returns the topmost of those directories in a path that this process may not enter."""
    directories = reversed(path.parents)
    return next((one for one in directories if not _may(one, os.X_OK)), path.parent)


def _may(path: Path, mode: int) -> bool:
    """Returns whether the effective user has a right, such as `os.W_OK`, to a path."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _own_pair() -> tuple[bytes, bytes]:
    """Returns the public and the secret key of this process, as text."""
    directory = os.environ.get(KEY_DIRECTORY_VARIABLE)
    if not directory:
        return zmq.curve_keypair()
    path = Path(directory) / "service.key"
    try:
        secret = path.read_text().strip()
        if _key(secret) is not None:
            return zmq.curve_public(secret.encode()), secret.encode()
    except (OSError, UnicodeDecodeError):
        pass
    raise CarillonError(
        StatusCode.FAILED_PRECONDITION,
        message=f"{path} contains no readable key; run carillon keys init --key-dir "
        f"{directory}, or unset {KEY_DIRECTORY_VARIABLE}.",
    )


def _key(text: str) -> bytes | None:
    if len(text) != _KEY_CHARACTERS:
        return None
    try:
        return bytes(z85.decode(text))
    except (ValueError, KeyError, struct.error):
        return None
