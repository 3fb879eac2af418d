"""Requests with forged, truncated, old or garbled signatures are refused and change nothing."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from ControlAPI.house import House, Key
from ControlAPI.signed import Signed, sign

MISSING = "MissingAuthenticationTokenException"
INCOMPLETE = "IncompleteSignatureException"
UNRECOGNIZED = "UnrecognizedClientException"
INVALID = "InvalidSignatureException"


@pytest.fixture(scope="module")
def victim(api: Any) -> Iterator[str]:
    """A meeting that no test here may change."""
    made: str = api.create_meeting(
        ClientRequestToken=str(uuid.uuid4()), MediaRegion="us-east-1", ExternalMeetingId="mine"
    )["Meeting"]["MeetingId"]
    yield made
    api.delete_meeting(MeetingId=made)


@pytest.fixture(autouse=True)
def _nothing_changes(house: House, victim: str) -> Iterator[None]:
    before = house.store()
    yield
    assert house.store() == before


@pytest.fixture
def request_(house: House, key: Key) -> Signed:
    return sign(house, key)


def test_the_gateway_accepts_a_valid_signature(house: House, key: Key) -> None:
    listed = sign(house, key, method="GET", target="/meetings/x", body=b"")
    assert listed.send()[1]["x-amzn-errortype"] == "BadRequestException"


@pytest.mark.parametrize("seconds", [-60, 60])
def test_the_gateway_accepts_a_request_of_a_client_whose_clock_is_a_minute_off(
    house: House, key: Key, seconds: float
) -> None:
    late = sign(house, key, method="GET", target="/meetings/x", body=b"", seconds=seconds)
    assert late.send()[0] == 400


@pytest.mark.parametrize("minutes", [-24 * 60, -15, -6, 6, 15])
def test_the_gateway_rejects_expired_signatures_and_signatures_with_a_future_date(
    house: House, key: Key, minutes: float
) -> None:
    sign(house, key, seconds=minutes * 60).is_refused_as(INVALID)


def test_the_gateway_rejects_an_old_request_with_a_new_date(
    request_: Signed, house: House, key: Key
) -> None:
    old = sign(house, key, seconds=-900)
    old.headers["X-Amz-Date"] = request_.headers["X-Amz-Date"]
    old.is_refused_as(INVALID)


def test_the_gateway_rejects_an_unsigned_request(request_: Signed) -> None:
    del request_.headers["Authorization"]
    request_.is_refused_as(MISSING)


def test_the_gateway_rejects_a_pre_signed_url(house: House, key: Key) -> None:
    request = AWSRequest("POST", f"{house.url}/meetings", data=b"")
    credentials = Credentials(key.access_key_id, key.secret_access_key)
    S3SigV4QueryAuth(credentials, "chime", "us-east-1").add_auth(request)
    target = str(request.url).removeprefix(house.url)
    headers = {"Content-Type": "application/json"}
    Signed(house, "POST", target, b"{}", headers).is_refused_as(MISSING)


Spoil = Callable[[Signed], None]


def header(change: Callable[[str], str]) -> Spoil:
    def spoil(request: Signed) -> None:
        request.authorization = change(request.authorization)

    return spoil


def put(**members: Any) -> Spoil:
    def spoil(request: Signed) -> None:
        for name, value in members.items():
            setattr(request, name, value)

    return spoil


def put_header(name: str, value: str) -> Spoil:
    def spoil(request: Signed) -> None:
        request.headers[name] = value

    return spoil


def take_header(name: str) -> Spoil:
    def spoil(request: Signed) -> None:
        del request.headers[name]

    return spoil


TAMPERED: dict[str, tuple[Spoil, str]] = {
    "method": (put(method="PUT"), INVALID),
    "path": (put(target="/meetings/"), INVALID),
    "query": (put(target="/meetings?operation=create-attendees"), INVALID),
    "body": (lambda request: put(body=request.body + b" ")(request), INVALID),
    "no body": (put(body=b""), INVALID),
    "content type": (put_header("Content-Type", "application/json;"), INVALID),
    "host": (put_header("Host", "elsewhere.test"), INVALID),
    "no date": (take_header("X-Amz-Date"), INCOMPLETE),
    "bad date": (put_header("X-Amz-Date", "yesterday"), INCOMPLETE),
    "hash": (put_header("X-Amz-Content-SHA256", "UNSIGNED-PAYLOAD"), INVALID),
    "wrong hash": (put_header("X-Amz-Content-SHA256", "0" * 64), INVALID),
    "session token": (put_header("X-Amz-Security-Token", "x"), UNRECOGNIZED),
    "last digit": (
        header(lambda text: text[:-1] + ("0" if text[-1] != "0" else "1")),
        INVALID,
    ),
    "zeros": (header(lambda text: text[:-64] + "0" * 64), INVALID),
    "capitals": (header(lambda text: text[:-64] + text[-64:].upper() + ""), INVALID),
    "cut signature": (header(lambda text: text[:-1]), INCOMPLETE),
    "long signature": (header(lambda text: text + "0"), INCOMPLETE),
    "no signature": (header(lambda text: text[:-64]), INCOMPLETE),
    "cut header": (header(lambda text: text[: len(text) // 2]), INCOMPLETE),
    "empty": (header(lambda text: ""), INCOMPLETE),
    "other scheme": (header(lambda text: "Bearer x"), INCOMPLETE),
    "other algorithm": (header(lambda text: text.replace("SHA256", "SHA1")), INCOMPLETE),
    "bytes": (header(lambda text: "\xff\xfe" * 100), INCOMPLETE),
    "bytes in the scope": (header(lambda text: text.replace("us-east-1", "\xe9")), INVALID),
    "unknown key": (header(lambda text: text.replace("CARILLON", "CARILLOM")), UNRECOGNIZED),
    "other region": (header(lambda text: text.replace("us-east-1", "eu-west-1")), INVALID),
    "other service": (header(lambda text: text.replace("/chime/", "/s3/")), INVALID),
    "other end": (header(lambda text: text.replace("aws4_request", "aws5_request")), INVALID),
    "no end": (header(lambda text: text.replace("/aws4_request", "")), INCOMPLETE),
    "host not signed": (header(lambda text: text.replace(";host", "")), INVALID),
    "date not signed": (header(lambda text: text.replace(";x-amz-date", "")), INVALID),
    "header that is not there": (
        header(lambda text: text.replace(";x-amz-date", ";x-amz-date;x-nothing")),
        INVALID,
    ),
    "twice": (header(lambda text: f"{text}, {text}"), INCOMPLETE),
    "long": (header(lambda text: text + "," * 8_000), INCOMPLETE),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_the_gateway_rejects_a_request_that_was_changed_after_signing(
    request_: Signed, name: str
) -> None:
    spoil, error = TAMPERED[name]
    spoil(request_)
    request_.is_refused_as(error)


@pytest.mark.parametrize("service", ["s3", "meetings-chime", "chime-sdk-meetings"])
def test_the_gateway_rejects_a_signature_for_another_service(
    house: House, key: Key, service: str
) -> None:
    sign(house, key, service=service).is_refused_as(INVALID)


def test_the_gateway_rejects_a_signature_made_with_another_secret(house: House, key: Key) -> None:
    for secret in ("x", key.secret_access_key[:-1], key.secret_access_key.lower()):
        sign(house, Key(key.access_key_id, secret)).is_refused_as(INVALID)


def test_the_gateway_rejects_a_signed_session_token(house: House, key: Key) -> None:
    sign(house, key, token="x").is_refused_as(UNRECOGNIZED)


def test_a_signature_is_valid_for_only_one_meeting(house: House, key: Key, victim: str) -> None:
    other = sign(house, key, method="DELETE", target=f"/meetings/{uuid.uuid4()}", body=b"")
    for target in ("", "/attendees/..", "/"):
        other.target = f"/meetings/{victim}{target}"
        other.is_refused_as(INVALID)
    # The signature covers the normalized path, but the operation is selected by the raw path.
    dotted = sign(house, key, method="DELETE", target=f"/meetings/{victim}", body=b"")
    dotted.target = f"/meetings/x/../{victim}"
    dotted.is_refused_as("UnknownOperationException", 404)


def test_the_gateway_rejects_every_random_change_of_the_header(request_: Signed) -> None:
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    good = request_.authorization
    for _ in range(200):
        text = list(good)
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(text))
            what = chance.choice(["cut", "put", "set"])
            symbol = chr(chance.randint(0x20, 0x7E))
            if what == "cut":
                del text[place:]
                text.append(symbol)
            elif what == "put":
                text.insert(place, symbol)
            else:
                text[place] = symbol
        request_.authorization = "".join(text)
        if request_.authorization.replace(" ", "") == good.replace(" ", ""):
            continue
        status, headers, _ = request_.send()
        assert status == 403, request_.authorization
        assert headers["x-amzn-errortype"] in (INCOMPLETE, INVALID, UNRECOGNIZED)
