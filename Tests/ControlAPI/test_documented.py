"""Every request below /carillon/v1 on the page about the control API works as described."""

from __future__ import annotations

import json
import re
from typing import Any

from ControlAPI.guests import get
from ControlAPI.house import ROOT, House, Key
from ControlAPI.signed import sign

REQUEST = re.compile(r"(\d{3}) ([A-Z]+) +(/carillon/v1/\S+) ?(\{.*\})?")


def documented() -> list[tuple[str, str, str, str]]:
    text = (ROOT / "proto/REST.md").read_text()
    (block,) = re.findall(r"```requests\n(.*?)```", text, re.DOTALL)
    lines = [REQUEST.fullmatch(line) for line in block.splitlines()]
    assert all(lines)
    return [(m[1], m[2], m[3], m[4] or "") for m in lines if m]


def test_the_documented_requests_get_the_documented_answers(
    house: House, key: Key, api: Any, meeting: dict[str, Any]
) -> None:
    ada = api.create_attendee(MeetingId=meeting["MeetingId"], ExternalUserId="ada")["Attendee"]
    ids = {"M": meeting["MeetingId"], "A": ada["AttendeeId"], "W": ""}
    token = ""

    def filled(text: str) -> str:
        return re.sub(r"(?<=[/\"])([MAW])(?=[/?\"]|$)", lambda found: ids[found[1]], text)

    for status, method, path, body in documented():
        request = sign(house, key, method=method, target=filled(path), body=filled(body).encode())
        if path.startswith("/carillon/v1/host/"):
            request.authorization = f"Bearer {token}"
        got, _, answer = request.send()
        assert got == int(status), (method, path, answer)
        if path == "/carillon/v1/webhooks" and method == "POST":
            ids["W"] = answer["Webhook"]["WebhookId"]
        token = answer.get("HostToken", token)


def test_the_page_about_the_control_api_shows_every_operation(house: House, key: Key) -> None:
    document = get(house, key, "openapi.json")
    described = {
        (method.upper(), re.sub(r"\{(.)[^}]*\}", r"\1", path))
        for path, operations in document["paths"].items()
        for method in operations
    }
    shown = {(method, path.split("?")[0]) for _, method, path, _ in documented()}
    assert shown == described
    assert document["openapi"] == "3.1.0"
    json.dumps(document)
