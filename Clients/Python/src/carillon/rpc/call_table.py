"""The table of a channel's open calls. The table passes each reply to its call."""

from __future__ import annotations

import logging
from collections.abc import Callable

from google.protobuf.message import DecodeError

from carillon.errors import Status
from carillon.frames import MalformedFrameError, read_reply, split_message
from carillon.rpc.calls import OpenCall, unreadable
from carillon.v1 import rpc_pb2

logger = logging.getLogger("carillon.rpc")


class CallTable:
    """The open calls of a channel, by call id.

    An unreadable message could be the answer to any open call, so all open calls then fail with
    reason `MALFORMED`. The session stream has call id 0 and the call id of its Start.
    """

    def __init__(self, endpoint: str, cancel: Callable[[int], None]) -> None:
        """Creates an empty table. `endpoint` is for logs; `cancel` cancels a call at the peer."""
        self._endpoint = endpoint
        self._cancel = cancel
        self._calls: dict[int, OpenCall] = {}
        self._session: tuple[int, OpenCall] | None = None
        self._last_id = 0

    def begin(self, call: OpenCall) -> int:
        """Adds a call, and returns its id."""
        call_id = self.next_id()
        self._calls[call_id] = call
        return call_id

    def begin_session(self, call: OpenCall) -> int:
        """Adds the session stream of the connection, and returns its call id."""
        call_id = self.next_id()
        self._session = (call_id, call)
        return call_id

    def next_id(self) -> int:
        """Returns an id for a call whose answer the session ignores."""
        self._last_id += 1
        return self._last_id

    def forget(self, call_id: int) -> bool:
        """Removes a call without ending it, and returns whether it was open."""
        return self._calls.pop(call_id, None) is not None

    def fail(self, call_id: int, status: Status) -> None:
        """Ends a call with an error of this side of the connection."""
        self._end(call_id, lambda call: call.fail(status))

    def fail_all(self, status: Status) -> None:
        """Ends all calls with an error, the session stream last."""
        for call_id in list(self._calls):
            self.fail(call_id, status)
        if self._session is not None:
            self.fail(0, status)

    def take(self, frames: list[bytes]) -> None:
        """Passes a message to the calls that it answers. An unreadable message ends all calls."""
        try:
            for message in split_message(frames):
                header, body = read_reply(message)
                self._take_reply(header, body, len(message[0]))
        except MalformedFrameError as error:
            logger.warning(
                "Ended all calls: %s sent an unreadable reply: %s", self._endpoint, error
            )
            self.fail_all(unreadable(str(error)))

    def _take_reply(self, header: rpc_pb2.ReplyHeader, body: bytes, frame_bytes: int) -> None:
        call_id, status = header.call_id, _read_status(header)
        match header.kind:
            case rpc_pb2.REPLY_KIND_ITEM:
                self._take_item(call_id, body, frame_bytes)
            case rpc_pb2.REPLY_KIND_REPLY if call_id == 0:
                # The peer could not read a frame from this side, so the peer does not know the call
                # id.
                if not status.is_ok:
                    self.fail_all(status)
            case rpc_pb2.REPLY_KIND_REPLY | rpc_pb2.REPLY_KIND_END:
                self._end(call_id, lambda call: call.finish(status, body))

    def _take_item(self, call_id: int, body: bytes, frame_bytes: int) -> None:
        if call_id == 0:
            call = self._session[1] if self._session else None
        else:
            call = self._calls.get(call_id)
        if call is None:
            return
        try:
            call.take(body, frame_bytes)
        except DecodeError as error:
            logger.warning("Ended a stream: %s sent an unreadable item: %s", self._endpoint, error)
            self.fail(call_id, unreadable(str(error)))
            if call_id != 0:
                self._cancel(call_id)

    def _end(self, call_id: int, end: Callable[[OpenCall], None]) -> None:
        if (call := self._calls.pop(call_id, None)) is not None:
            end(call)
        elif self._session is not None and call_id in (0, self._session[0]):
            call = self._session[1]
            self._session = None
            end(call)


def _read_status(header: rpc_pb2.ReplyHeader) -> Status:
    status = Status.of(header.status)
    if not header.served_versions:
        return status
    served = ", ".join(str(version) for version in header.served_versions)
    message = f"{status.message} Versions served there: {served}."
    return Status(status.code, status.session_status, status.reason, message)
