"""Requests that botocore has signed, for the Swift tests of signatures.

    .venv/bin/python Tests/ControlAPI/signature_vectors.py --write

writes `Tests/SigningTests/vectors.json`. `test_signatures.py` fails if this file is stale.
"""

from __future__ import annotations

import datetime
import json
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

FILE = Path(__file__).parent.parent / "SigningTests" / "vectors.json"
HOST = "127.0.0.1:8080"
KEY_ID = "CARILLONTESTKEY01"
SECRET = "carillon/test+secret0000000000000000EXAMPLE"
TIME = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)
MEETING = "/meetings/5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d"
ARN = "arn%3Aaws%3Achime%3Aus-east-1%3A000000000000%3Ameeting%2Fx"

REQUESTS: list[tuple[str, str, str | None, dict[str, str], str]] = [
    # The two examples of proto/REST.md.
    (
        "GET",
        "/meetings/..%2Fx%20y/attendees?max-results=5&next-token=a%2Bb%3D",
        None,
        {},
        "us-east-1",
    ),
    (
        "POST",
        "/meetings",
        '{"ClientRequestToken":"tok-1","MediaRegion":"us-east-1","ExternalMeetingId":"demo"}',
        {},
        "us-east-1",
    ),
    # Requests that clients send.
    ("DELETE", MEETING, None, {}, "us-east-1"),
    ("GET", f"/tags?arn={ARN}", None, {}, "eu-central-1"),
    ("POST", "/tags?operation=tag-resource", '{"ResourceARN":"x","Tags":[]}', {}, "us-west-2"),
    ("POST", f"{MEETING}/transcription?operation=stop", None, {}, "eu-west-1"),
    (
        "PUT",
        f"{MEETING}/attendees/capabilities?operation=batch-update-except",
        '{"Capabilities":"\\u00e9"}',
        {},
        "us-gov-west-1",
    ),
    # Paths and queries with several spellings.
    ("GET", "/meetings/a%2Fb%25c~d%7Ee-_.", None, {}, "us-east-1"),
    ("GET", "/meetings/%C3%A9/attendees/", None, {}, "us-east-1"),
    ("GET", "/meetings/./a/../b//c/..", None, {}, "us-east-1"),
    ("GET", "/../..", None, {}, "us-east-1"),
    ("GET", "/", None, {}, "us-east-1"),
    ("GET", "/meetings/x?b=2&a=2&a=1&a-b=3&A=0", None, {}, "us-east-1"),
    ("GET", "/meetings/x?next-token=a%3D%3D&max-results=", None, {}, "us-east-1"),
    # Headers.
    ("GET", MEETING, None, {"X-Custom": "  a   b\t c  "}, "us-east-1"),
    ("POST", "/meetings", "{}", {"X-Empty": ""}, "us-east-1"),
    ("POST", "/meetings", "\u00e9\U0001f600" * 100, {}, "ap-southeast-2"),
]


def vectors() -> list[dict[str, Any]]:
    """Returns every request with the headers that botocore adds."""
    return [_signed(*request) for request in REQUESTS]


def text() -> str:
    """Returns the content of the file."""
    return json.dumps(vectors(), indent=1, ensure_ascii=True) + "\n"


def _signed(
    method: str, target: str, body: str | None, more: dict[str, str], region: str
) -> dict[str, Any]:
    headers = {"Content-Type": "application/json"} if body is not None else {}
    # Build the request from its wire format, so that botocore quotes no character a second time.
    request = AWSRequest(
        method=method,
        url=f"http://{HOST}{target}",
        data=(body or "").encode(),
        headers=headers | more,
    )
    credentials = Credentials(KEY_ID, SECRET)
    with mock.patch("botocore.auth.get_current_datetime", return_value=TIME.replace(tzinfo=None)):
        SigV4Auth(credentials, "chime", region).add_auth(request)
    path, _, query = target.partition("?")
    return {
        "method": method,
        "path": path,
        "query": query,
        "headers": [["Host", HOST], *([name, value] for name, value in request.headers.items())],
        "body": body or "",
        "region": region,
    }


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    FILE.write_text(text())
