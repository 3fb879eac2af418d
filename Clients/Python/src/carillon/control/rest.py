"""Requests to the control plane, and the errors in its answers."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request

from carillon.control.signing import AccessKey
from carillon.control.values import Json
from carillon.errors import CarillonError, SessionStatus, StatusCode, StatusReason


class ControlError(CarillonError):
    """The control plane rejected a request.

    `exception` is the control plane's name of the error, for example `NotFoundException`.
    """

    def __init__(self, http_status: int, exception: str, message: str, request_id: str) -> None:
        super().__init__(
            _status_code(http_status, exception),
            SessionStatus.OK,
            StatusReason.UNSPECIFIED,
            f"{exception}: {message}",
        )
        self.http_status = http_status
        self.exception = exception
        self.request_id = request_id


def exchange(
    method: str, url: str, body: Json | None, timeout: float, key: AccessKey | None = None
) -> Json:
    """Sends a request and returns the JSON object of the answer, or an empty object. Blocks.

    This method signs the request with `key`, unless `key` is `None`. `timeout` is in seconds.
    Raises `ControlError` if the server rejects the request, and `CarillonError` `UNAVAILABLE` if
    there is no answer.
    """
    request = urllib.request.Request(url, method=method)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if key is not None:
        data = request.data if isinstance(request.data, bytes) else None
        for name, value in key.headers(method, url, data).items():
            request.add_header(name, value)
    try:
        with _opener(request.host).open(request, timeout=timeout) as response:
            return _json(response.read())
    except urllib.error.HTTPError as error:
        with error:
            answer = _json(error.read())
        name = error.headers.get("x-amzn-ErrorType") or answer.get("Code") or f"HTTP {error.code}"
        raise ControlError(
            error.code,
            name.split(":")[0].rsplit("#")[-1],
            answer.get("Message") or error.reason,
            error.headers.get("x-amzn-RequestId") or "",
        ) from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise CarillonError(
            StatusCode.UNAVAILABLE, message=f"{method} {url} got no answer: {error}."
        ) from error


def _opener(host: str) -> urllib.request.OpenerDirector:
    """Returns an opener that uses the environment's proxy, except for URLs of this machine."""
    name = urllib.parse.urlsplit(f"//{host}").hostname
    if name in ("localhost", "127.0.0.1", "::1"):
        return urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return urllib.request.build_opener()


def _json(body: bytes) -> Json:
    try:
        value = json.loads(body or b"{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _status_code(http_status: int, exception: str) -> StatusCode:
    if exception == "LimitExceededException":
        return StatusCode.RESOURCE_EXHAUSTED
    known = {
        400: StatusCode.INVALID_ARGUMENT,
        401: StatusCode.UNAUTHENTICATED,
        403: StatusCode.PERMISSION_DENIED,
        404: StatusCode.NOT_FOUND,
        409: StatusCode.ALREADY_EXISTS,
        422: StatusCode.FAILED_PRECONDITION,
        429: StatusCode.RESOURCE_EXHAUSTED,
        500: StatusCode.INTERNAL_ERROR,
    }
    if http_status in known:
        return known[http_status]
    return StatusCode.UNAVAILABLE if http_status >= 500 else StatusCode.UNKNOWN
