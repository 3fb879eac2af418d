"""Signatures of requests to the control plane, and the access keys for them."""

from __future__ import annotations

import datetime
import hashlib
import hmac
import json
import os
import urllib.parse
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_ALGORITHM = "AWS4-HMAC-SHA256"
_SERVICE = "chime"
_KEY_FILES = "*.access-key.json"


@dataclass(frozen=True)
class AccessKey:
    """An access key that signs requests. `carillon keys create` creates one."""

    access_key_id: str
    secret_access_key: str = field(repr=False)
    region: str = "us-east-1"
    """The region in the signature. Any name is valid, because a self-hosted endpoint has no
    region."""

    def headers(
        self, method: str, url: str, body: bytes | None, now: datetime.datetime | None = None
    ) -> dict[str, str]:
        """Returns the headers that sign a request: its date and its authorization.

        `url` must be the URL as sent. A request with a body must have the content type
        `application/json`.
        """
        stamp = (now or datetime.datetime.now(datetime.UTC)).strftime("%Y%m%dT%H%M%SZ")
        parts = urllib.parse.urlsplit(url)
        signed = {"host": parts.netloc, "x-amz-date": stamp}
        if body is not None:
            signed = {"content-type": "application/json", **signed}
        names = ";".join(signed)
        canonical = "\n".join(
            [
                method,
                urllib.parse.quote(parts.path or "/", safe="/~"),
                _canonical_query(parts.query),
                *(f"{name}:{value}" for name, value in signed.items()),
                "",
                names,
                hashlib.sha256(body or b"").hexdigest(),
            ]
        )
        scope = f"{stamp[:8]}/{self.region}/{_SERVICE}/aws4_request"
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        key = f"AWS4{self.secret_access_key}".encode()
        for step in (*scope.split("/"), "\n".join([_ALGORITHM, stamp, scope, digest])):
            key = hmac.digest(key, step.encode(), "sha256")
        credential = f"{self.access_key_id}/{scope}"
        return {
            "X-Amz-Date": stamp,
            "Authorization": f"{_ALGORITHM} Credential={credential}, SignedHeaders={names}, "
            f"Signature={key.hex()}",
        }


def find_access_key(
    base_url: str, environment: Mapping[str, str] | None = None
) -> AccessKey | None:
    """Finds the access key for a control plane; returns `None` if there is none.

    A gateway that `carillon up` runs writes a key for programs of the same user to a file in the
    runtime directory. That directory is `CARILLON_RUNTIME_DIR`, else `/run/carillon`,
    `$XDG_RUNTIME_DIR/carillon` or `/tmp/carillon-UID`. If no file there names the endpoint of
    `base_url`, this function reads the key from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
    """
    environment = os.environ if environment is None else environment
    place = _place(base_url)
    for directory in _runtime_directories(environment):
        for path in sorted(Path(directory).glob(_KEY_FILES)):
            found = _read(path, place)
            if found is not None:
                return found
    key_id = environment.get("AWS_ACCESS_KEY_ID")
    secret = environment.get("AWS_SECRET_ACCESS_KEY")
    return AccessKey(key_id, secret) if key_id and secret else None


def _read(path: Path, place: tuple[str, int | None]) -> AccessKey | None:
    try:
        told = json.loads(path.read_bytes())
        if _place(told["endpoint"]) != place:
            return None
        return AccessKey(str(told["access_key_id"]), str(told["secret_access_key"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _runtime_directories(environment: Mapping[str, str]) -> Iterable[str]:
    if asked := environment.get("CARILLON_RUNTIME_DIR"):
        return [asked]
    session = environment.get("XDG_RUNTIME_DIR")
    own = [f"{session}/carillon"] if session else []
    return ["/run/carillon", *own, f"/tmp/carillon-{os.getuid()}"]


def _place(url: str) -> tuple[str, int | None]:
    """Returns the host and port of a URL, with `localhost` as 127.0.0.1."""
    parts = urllib.parse.urlsplit(url)
    host = parts.hostname or ""
    return ("127.0.0.1" if host == "localhost" else host, parts.port)


def _canonical_query(query: str) -> str:
    if not query:
        return ""
    pairs = [part.partition("=")[::2] for part in query.split("&")]
    encoded = [tuple(_canonical(text) for text in pair) for pair in pairs]
    return "&".join(f"{name}={value}" for name, value in sorted(encoded))


def _canonical(text: str) -> str:
    return urllib.parse.quote(urllib.parse.unquote_to_bytes(text), safe="~")
