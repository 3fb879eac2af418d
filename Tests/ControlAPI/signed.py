"""Signed requests that tests can modify."""

from __future__ import annotations

import datetime
import http.client
import json
import threading
import urllib.parse
import uuid
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from ControlAPI.house import House, Key


@dataclass
class Signed:
    """A signed request that a test can modify."""

    house: House
    method: str
    target: str
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)

    def send(self) -> tuple[int, dict[str, str], dict[str, Any]]:
        place = urllib.parse.urlsplit(self.house.url)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)
        connection.putrequest(
            self.method, self.target, skip_host="Host" in self.headers, skip_accept_encoding=True
        )
        for name, value in self.headers.items():
            connection.putheader(name, value.encode("latin-1"))
        if "Content-Length" not in self.headers and (self.body or self.method != "GET"):
            connection.putheader("Content-Length", str(len(self.body)))
        connection.endheaders(self.body or None)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, headers, json.loads(data) if data else {}

    def is_refused_as(self, name: str, status: int = 403) -> None:
        got, headers, body = self.send()
        assert (got, headers.get("x-amzn-errortype")) == (status, name), body
        assert body["Code"] == name.removesuffix("Exception")
        assert body["RequestId"] == headers["x-amzn-requestid"]
        assert body["Message"]

    @property
    def authorization(self) -> str:
        return self.headers["Authorization"]

    @authorization.setter
    def authorization(self, value: str) -> None:
        self.headers["Authorization"] = value


_CLOCK = threading.Lock()
"""A lock for replacing botocore's clock. If two threads replaced the clock at once, the later
thread would restore the clock of the other thread instead of the real clock.
"""


def sign(
    house: House,
    key: Key,
    *,
    method: str = "POST",
    target: str = "/meetings",
    body: bytes | None = None,
    seconds: float = 0,
    service: str = "chime",
    headers: dict[str, str] | None = None,
    token: str | None = None,
) -> Signed:
    """Returns a request signed by botocore with the time `seconds` from now."""
    if body is None:
        body = json.dumps(
            {
                "ClientRequestToken": str(uuid.uuid4()),
                "MediaRegion": "us-east-1",
                "ExternalMeetingId": "forged",
            }
        ).encode()
    own = {"Content-Type": "application/json"} if body else {}
    request = AWSRequest(method, house.url + target, headers=own | (headers or {}), data=body)
    now = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=seconds)
    credentials = Credentials(key.access_key_id, key.secret_access_key, token)
    patch = mock.patch("botocore.auth.get_current_datetime", return_value=now.replace(tzinfo=None))
    with _CLOCK, patch:
        SigV4Auth(credentials, service, "us-east-1").add_auth(request)
    return Signed(house, method, target, body, dict(request.headers.items()))
