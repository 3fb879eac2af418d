"""Access keys: created, listed, disabled, limited, and found by clients on this machine."""

from __future__ import annotations

import asyncio
import json
import stat
import uuid
from functools import partial
from typing import Any

import pytest
from botocore.exceptions import ClientError

from carillon import ControlClient
from ControlAPI.house import House, Key


def create(api: Any, **members: Any) -> Any:
    return api.create_meeting(
        ClientRequestToken=str(uuid.uuid4()),
        MediaRegion="us-east-1",
        ExternalMeetingId="keys",
        **members,
    )["Meeting"]


def error(call: Any, **arguments: Any) -> str:
    with pytest.raises(ClientError) as caught:
        call(**arguments)
    return str(caught.value.response["Error"]["Code"])


def test_a_key_is_valid_until_it_is_disabled(house: House) -> None:
    key = house.make_key("short-lived")
    api = house.client(key)
    meeting = create(api)
    (listed,) = [k for k in house.keys("list") if k["access_key_id"] == key.access_key_id]
    assert listed["name"] == "short-lived" and listed["role"] == "all" and listed["is_enabled"]
    assert "secret_access_key" not in listed
    (disabled,) = house.keys("disable", key.access_key_id)
    assert not disabled["is_enabled"]
    before = house.store()
    place = {"MeetingId": meeting["MeetingId"]}
    assert error(api.delete_meeting, **place) == "UnrecognizedClientException"
    assert house.store() == before


def test_a_thief_of_the_key_file_cannot_sign_requests(house: House, key: Key) -> None:
    path = house.data / "access-keys.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    stolen = path.read_text()
    assert key.access_key_id in stolen and key.secret_access_key not in stolen
    for word in {text for entry in json.loads(stolen)["keys"] for text in map(str, entry.values())}:
        thief = house.client(Key(key.access_key_id, word))
        assert error(thief.get_meeting, MeetingId="x") == "InvalidSignatureException"


def test_the_gateway_refuses_all_requests_while_its_key_file_is_unusable(
    house: House, key: Key
) -> None:
    path = house.data / "access-keys.json"
    good, before = path.read_text(), house.store()
    path.write_text("{")
    with pytest.raises(ClientError) as caught:
        create(house.client(key))
    path.write_text(good)
    answer = caught.value.response
    assert answer["Error"]["Code"] == "ServiceUnavailableException"
    assert answer["ResponseMetadata"]["HTTPHeaders"]["retry-after"] == "1"
    assert house.store() == before
    assert create(house.client(key))["MeetingId"]


@pytest.mark.parametrize(
    ("role", "creates", "reads"), [("create-only", True, False), ("read-only", False, True)]
)
def test_the_gateway_enforces_the_role_of_a_key(
    house: House, meeting: dict[str, Any], role: str, creates: bool, reads: bool
) -> None:
    api = house.client(house.make_key(role, "--role", role))
    place = {"MeetingId": meeting["MeetingId"]}
    before = house.store()
    forbidden = "ForbiddenException"
    assert error(api.delete_meeting, **place) == forbidden
    assert error(api.stop_meeting_transcription, **place) == forbidden
    assert error(api.tag_resource, ResourceARN=meeting["MeetingArn"], Tags=[]) == forbidden
    if reads:
        assert api.get_meeting(**place)["Meeting"] == meeting
        assert error(create, api=api) == forbidden
    if creates:
        assert error(api.get_meeting, **place) == forbidden
        assert error(api.list_attendees, **place) == forbidden
    assert house.store() == before
    if creates:
        assert api.create_attendee(**place, ExternalUserId="ada")["Attendee"]


def test_a_tenants_key_works_only_for_the_tenants_meetings(
    house: House, meeting: dict[str, Any]
) -> None:
    api = house.client(house.make_key("acme", "--tenant", "acme"))
    own = create(api)
    assert own["TenantIds"] == ["acme"]
    assert api.create_attendee(MeetingId=own["MeetingId"], ExternalUserId="ada")["Attendee"]
    before = house.store()
    place = {"MeetingId": meeting["MeetingId"]}
    assert error(api.get_meeting, **place) == "ForbiddenException"
    assert error(api.create_attendee, **place, ExternalUserId="eve") == "ForbiddenException"
    with pytest.raises(ClientError):
        create(api, TenantIds=["other"])
    with pytest.raises(ClientError):
        create(api, PrimaryMeetingId=meeting["MeetingId"])
    assert house.store() == before
    api.delete_meeting(MeetingId=own["MeetingId"])


def test_two_tenants_may_use_the_same_client_request_token(house: House) -> None:
    token = str(uuid.uuid4())
    meetings = set()
    for tenant in ("first", "second"):
        api = house.client(house.make_key(tenant, "--tenant", tenant))
        request = partial(
            api.create_meeting,
            ClientRequestToken=token,
            MediaRegion="us-east-1",
            ExternalMeetingId=tenant,
        )
        meeting = request()["Meeting"]
        assert meeting["TenantIds"] == [tenant]
        assert request()["Meeting"]["MeetingId"] == meeting["MeetingId"]
        meetings.add(meeting["MeetingId"])
        api.delete_meeting(MeetingId=meeting["MeetingId"])
    assert len(meetings) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["create"], "name"),
        (["create", "a b"], "1-64 letters"),
        (["create", "x", "--role", "root"], "create-only"),
        (["create", "x", "--tenant", "t"], "tenant"),
        (["disable", "NOBODY"], "No access key has the id NOBODY"),
        (["list", "--data-dir", "/nowhere"], "/nowhere"),
    ],
)
def test_the_error_of_an_invalid_command_names_the_fault(
    house: House, words: list[str], message: str
) -> None:
    before = (house.data / "access-keys.json").read_text()
    run = house.carillon("keys", *words)
    assert run.returncode != 0 and message in run.stderr
    assert (house.data / "access-keys.json").read_text() == before


def test_the_python_client_finds_the_gateways_own_key(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CARILLON_RUNTIME_DIR", str(house.runtime))
    (path,) = house.runtime.glob("*.access-key.json")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (local,) = [key for key in house.keys("list") if key["name"] == "local"]
    assert local["access_key_id"] == json.loads(path.read_text())["access_key_id"]

    async def hold() -> None:
        control = ControlClient(house.url)
        meeting = await control.create_meeting("found, too")
        ada = await control.create_attendee(meeting, "ada")
        assert [found.attendee_id for found in await control.list_attendees(meeting)] == [
            ada.attendee_id
        ]
        await control.delete_meeting(meeting)

    asyncio.run(hold())
