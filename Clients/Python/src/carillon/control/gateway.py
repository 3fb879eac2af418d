"""Finding the gateway of a meeting."""

from __future__ import annotations

import asyncio
import urllib.parse

from carillon.control.rest import exchange
from carillon.control.values import Meeting, member
from carillon.errors import CarillonError, StatusCode


async def find_gateway(meeting: Meeting, *, timeout: float = 10.0) -> str:
    """Returns the ZeroMQ endpoint of a meeting's gateway.

    The endpoint is the meeting's `gateway_url`, or the signaling URL if that is a ZeroMQ endpoint.
    Otherwise this function sends `GET /carillon/v1/endpoints` to the host of the signaling URL, and
    waits at most `timeout` seconds. Raises `CarillonError`.
    """
    if meeting.gateway_url:
        return meeting.gateway_url
    url = urllib.parse.urlsplit(meeting.signaling_url)
    if url.scheme in ("ipc", "tcp"):
        return meeting.signaling_url
    if url.scheme not in ("ws", "wss", "http", "https"):
        raise CarillonError(
            StatusCode.INVALID_ARGUMENT,
            message="The meeting has neither a gateway nor a signaling URL; "
            "give SessionOptions.gateway_url.",
        )
    scheme = "https" if url.scheme in ("wss", "https") else "http"
    endpoints = f"{scheme}://{url.netloc}/carillon/v1/endpoints"
    answer = await asyncio.to_thread(exchange, "GET", endpoints, None, timeout)
    return member(answer, "GatewayUrl")
