"""A program whose clients start sessions, but never read the events of these sessions.

    python deaf_clients.py ENDPOINT SECONDS MEETING TALKER:TOKEN CLIENT:TOKEN…

The first attendee sends as many messages as a meeting allows. Half of the others claim to have read
nothing, half claim to have read everything. The program prints the number of its connections.
"""

from __future__ import annotations

import itertools
import os
import sys
import time

from google.protobuf.message import Message

from carillon.frames import pack_frame, read_reply
from carillon.methods import KEEP_ALIVE, SEND_DATA_MESSAGE, START
from carillon.v1 import gateway_pb2, messaging_pb2, rpc_pb2
from hostile import GREETING, HANDSHAKE, Peer

_STEP_SECONDS = 0.3
_MESSAGES_PER_STEP = 30
_MESSAGE = bytes(2_048)


class Client:
    """A session over a socket, without the client library."""

    def __init__(self, endpoint: str, meeting: str, credentials: str) -> None:
        attendee, _, token = credentials.partition(":")
        self._peer = Peer(endpoint)
        self._calls = itertools.count(1)
        self._session = b""
        self._peer.send(HANDSHAKE)
        self.call(
            START.key,
            gateway_pb2.StartRequest(meeting_id=meeting, attendee_id=attendee, join_token=token),
        )
        self._session = self._read_session()

    def call(self, method: int, request: Message) -> None:
        number = next(self._calls)
        header = rpc_pb2.RequestHeader(
            version=1,
            call_id=number,
            kind=rpc_pb2.REQUEST_KIND_CALL,
            method=method,
            session_id=self._session,
            idempotency_key=f"{number}",
        )
        frame = pack_frame(header, request.SerializeToString())
        size = bytes([0, len(frame)]) if len(frame) < 256 else b"\2" + len(frame).to_bytes(8, "big")
        self._peer.send(size + frame)

    def claim(self, received_bytes: int) -> None:
        """Sends a keep-alive that claims `received_bytes`."""
        self.call(KEEP_ALIVE.key, gateway_pb2.KeepAliveRequest(received_bytes=received_bytes))

    def say(self) -> None:
        self.call(
            SEND_DATA_MESSAGE.key,
            messaging_pb2.SendDataMessageRequest(topic="noise", data=_MESSAGE),
        )

    def listen(self) -> None:
        self._peer.look()

    def _read_session(self) -> bytes:
        """Returns the session id from the first item, and reads nothing after it."""
        come = b""
        while not self._peer.is_ended:
            come += self._peer.read()
            if frame := _first_message(come):
                header, body = read_reply([frame])
                assert header.kind == rpc_pb2.REPLY_KIND_ITEM, header
                events = gateway_pb2.SessionEvents.FromString(body).events
                return events[0].session_started.session_id
            time.sleep(0.005)
        raise RuntimeError("The gateway has ended the connection.")


def _first_message(come: bytes) -> bytes | None:
    """Returns the first message frame after the greeting; `None` while it is incomplete."""
    at = len(GREETING)
    while len(come) > at + 9:
        flags = come[at]
        head, size = (
            (9, int.from_bytes(come[at + 1 : at + 9], "big")) if flags & 2 else (2, come[at + 1])
        )
        if len(come) < at + head + size:
            return None
        if not flags & 4:
            return come[at + head : at + head + size]
        at += head + size
    return None


def main(endpoint: str, seconds: str, meeting: str, *credentials: str) -> None:
    os.nice(10)
    talker, *deaf = (Client(endpoint, meeting, each) for each in credentials)
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end:
        talker.claim(0)
        for _ in range(_MESSAGES_PER_STEP):
            talker.say()
        talker.listen()
        for index, client in enumerate(deaf):
            # The gateway ignores a claim that a client received more bytes than the gateway sent,
            # so half of the clients claim many numbers.
            for claimed in range(0, 1 << 20, 16 << 10) if index % 2 else (0,):
                client.claim(claimed)
        time.sleep(_STEP_SECONDS)
    print(Peer.opened)


if __name__ == "__main__":
    main(*sys.argv[1:])
