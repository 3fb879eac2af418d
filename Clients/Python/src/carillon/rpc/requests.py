"""The requests of a channel: calls with their options, and cancellations."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.message import Message

from carillon.frames import VERSION, pack_frame
from carillon.v1 import rpc_pb2


@dataclass(frozen=True)
class CallOptions:
    """The options of a call, sent in its header."""

    session_id: bytes = b""
    """The id of the client's session, 16 bytes; empty between services."""
    term: int = 0
    """The owner's term, as far as the caller knows it; 0 if the caller knows no term."""
    traceparent: str = ""
    """The W3C Trace Context `traceparent`, or empty."""
    idempotency_key: str = ""
    """The key by which the peer recognizes a repeated call, at most 64 characters; or empty."""


def pack_call(
    call_id: int, key: int, request: Message, seconds: float | None, options: CallOptions
) -> bytes:
    """Packs a call of the method with this key into a frame.

    `seconds` is the time left for the reply; `None` for no deadline.
    """
    header = rpc_pb2.RequestHeader(
        version=VERSION,
        call_id=call_id,
        kind=rpc_pb2.REQUEST_KIND_CALL,
        method=key,
        timeout_us=0 if seconds is None else max(1, int(seconds * 1_000_000)),
        session_id=options.session_id,
        term=options.term,
        traceparent=options.traceparent,
        idempotency_key=options.idempotency_key,
    )
    return pack_frame(header, request.SerializeToString())


def pack_cancel(call_id: int) -> bytes:
    """Packs the cancellation of a call into a frame."""
    header = rpc_pb2.RequestHeader(
        version=VERSION, call_id=call_id, kind=rpc_pb2.REQUEST_KIND_CANCEL
    )
    return pack_frame(header)
