"""The lobby accepts names of all kinds, and these names appear unchanged everywhere."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
import unicodedata
import urllib.error
import urllib.request
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import pytest
from playwright.async_api import expect

from test_end_to_end import LiveMeeting, live_meeting
from Web.browser import needs_chromium, new_page
from Web.signaling_client import SignalingClient, face_of
from Web.test_meeting import FLAGS, reads, scene, sees, writes

pytestmark = pytest.mark.seconds(240)

NAMES = [
    "Łukasz",
    "花子",
    "Zoe\u0308",
    "O'Neil",
    "José María Núñez-Ávila",
    "Дмитрий",
    "Γεωργία",
    "שלום",
    "محمد عبد الله",
    "प्रिया",
    "김철수",
    "X",
    "👩🏽‍🚀 Kim",
    "<b>&amp;</b>",
]
WRONG = [
    "",
    "  ",
    "\u200b",
    "a\nb",
    "a\u0000b",
    "\u202eada",
    "\u2067ada",
    "ada\u2069",
    "花" * 65,
    "👨‍👩‍👧‍👦" * 11,
]
EXTERNAL = re.compile(r"[a-z0-9-]{1,57}-[a-z0-9]{6}")


async def ask(
    tea: LiveMeeting, method: str, path: str, body: Any = None, accept: str = "application/json"
) -> tuple[int, str]:
    """Sends a request to the REST port and returns the status and body."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{tea.installation.rest_port}{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "Accept": accept},
        method=method,
    )

    def send() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    return await asyncio.to_thread(send)


async def come(tea: LiveMeeting, name: str) -> dict[str, Any]:
    """Joins through the lobby and returns the attendee."""
    status, text = await ask(
        tea, "POST", "/carillon/v1/web/join", {"Meeting": "tea", "Name": name, "Create": False}
    )
    assert status == 200, text
    attendee: dict[str, Any] = json.loads(text)["Attendee"]
    return attendee


def sees_all(client: SignalingClient, names: set[str]) -> bool:
    """Returns whether a client received exactly these display names; an empty set means no
    names."""
    return {each.display_name for each in client.streams if each.attendee_id} == names


async def test_the_lobby_accepts_names_of_people_and_explains_faults_of_invalid_names() -> None:
    async with live_meeting(gateway=FLAGS) as tea:
        for name in NAMES:
            attendee = await come(tea, f" {name} ")
            assert attendee["DisplayName"] == unicodedata.normalize("NFC", name)
            assert EXTERNAL.fullmatch(attendee["ExternalUserId"]), attendee["ExternalUserId"]
        assert (await come(tea, "Łukasz"))["DisplayName"] == "Łukasz (2)"
        assert (await come(tea, "Zo\u00eb"))["DisplayName"] == "Zo\u00eb (2)"
        for name in WRONG:
            body = {"Meeting": "tea", "Name": name, "Create": False}
            status, text = await ask(tea, "POST", "/carillon/v1/web/join", body)
            assert status == 400, (name, text)
            # The server rejects JSON with a NUL before it checks names, so in this case the error
            # message need not mention the name.
            assert "Name" in json.loads(text)["Message"] or "\0" in name
        # Operations of the published interface return attendees without the members that Carillon
        # adds.
        path = f"/meetings/{tea.meeting.meeting_id}/attendees"
        status, text = await ask(tea, "GET", path)
        assert status == 200
        for attendee in json.loads(text)["Attendees"]:
            assert set(attendee) == {"AttendeeId", "ExternalUserId", "JoinToken", "Capabilities"}


async def test_names_appear_in_the_roster_the_chat_the_records_and_the_table() -> None:
    async with live_meeting(gateway=FLAGS) as tea, AsyncExitStack() as stack:
        meeting = tea.meeting.meeting_id
        called = [unicodedata.normalize("NFC", name) for name in NAMES]
        url = face_of(tea.installation, meeting)
        bot = await tea.enter("bot")
        clients: list[SignalingClient] = []
        for name in NAMES:
            token = (await come(tea, name))["JoinToken"]
            client = await stack.enter_async_context(SignalingClient(url, token))
            await client.join(len(clients))
            clients.append(client)
        # An attendee whom the application created has no display name, so the page shows the
        # external user id.
        await bot.knows("bot", *called)
        for client in clients:
            await client.until(partial(sees_all, client, {"", *called}))
        [own] = {each.external_user_id for each in clients[0].streams if not each.display_name}
        assert own == "bot"

        for client in clients:
            await client.say("chat", "مرحبا 👋".encode(), lifetime_ms=60_000)
        first = clients[0]

        def senders() -> list[str]:
            return sorted(each.sender_display_name for each in first.messages)

        await first.until(lambda: senders() == sorted(called[1:]))
        status, text = await ask(tea, "GET", f"/carillon/v1/meetings/{meeting}/messages")
        assert status == 200
        kept = json.loads(text)["Messages"]
        assert sorted(each["DisplayName"] for each in kept) == sorted(called)

        status, text = await ask(tea, "GET", f"/carillon/v1/meetings/{meeting}/roster")
        present = json.loads(text)["Attendees"]
        assert {each.get("DisplayName") for each in present} == {None, *called}

        path = f"/carillon/v1/meetings/{meeting}/attendance"

        async def stays() -> list[Any]:
            sessions: list[Any] = json.loads((await ask(tea, "GET", path))[1])["Sessions"]
            return sessions

        async with asyncio.timeout(30):
            while len(sessions := await stays()) < len(NAMES) + 1:
                # The gateway writes the record some time after the event in the meeting.
                await asyncio.sleep(0.1)
        assert {each.get("DisplayName") for each in sessions} == {None, *called}
        status, text = await ask(tea, "GET", path, accept="text/csv")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert {row["DisplayName"] for row in rows} == {"", *called}


@needs_chromium
async def test_each_browser_joins_with_its_own_name() -> None:
    async with scene() as stage:
        bot = await stage.tea.enter("bot")
        hanako, dana = await stage.enter("花子"), await stage.enter("דנה (she)")
        for page in (hanako, dana):
            await sees(page, "bot", "花子", "דנה (she)")
        await bot.knows("bot", "花子", "דנה (she)")
        await writes(dana, "שלום 👋🏽")
        await reads(hanako, "שלום 👋🏽")
        await expect(hanako.locator(".message bdi")).to_have_text("דנה (she)")
        # After a reload, the page belongs to the same attendee, who still has the same name.
        await hanako.reload()
        await sees(hanako, "bot", "花子", "דנה (she)")


@needs_chromium
async def test_the_operators_page_shows_all_names() -> None:
    async with scene() as stage, AsyncExitStack() as stack:
        called = [unicodedata.normalize("NFC", name) for name in NAMES]
        url = face_of(stage.tea.installation, stage.tea.meeting.meeting_id)
        for number, name in enumerate(NAMES):
            token = (await come(stage.tea, name))["JoinToken"]
            stage.tokens.append(token)
            client = await stack.enter_async_context(SignalingClient(url, token))
            await client.join(number)
            await client.say("chat", f"{name}: مرحبا 👋".encode(), lifetime_ms=60_000)
        desk = await new_page(stage.browser)
        address = f"http://127.0.0.1:{stage.tea.installation.rest_port}/operator"
        await desk.goto(f"{address}#key={stage.operator_key}")
        await desk.get_by_role("button", name="tea").click()
        names = desk.locator("#roster tr bdi")
        await expect(names).to_have_count(len(NAMES))
        assert sorted(await names.all_text_contents()) == sorted(called)
        senders = desk.locator("#log bdi")
        assert set(await senders.all_text_contents()) >= set(called)
        # The dialog of a row's button names the attendee of this row, isolated from the sentence.
        row = desk.locator("#roster tr").filter(has=desk.get_by_text("<b>&amp;</b>", exact=True))
        await row.get_by_role("button", name="Remove").click()
        await expect(desk.get_by_role("dialog")).to_contain_text("Remove \u2068<b>&amp;</b>\u2069?")


@needs_chromium
async def test_a_meeting_may_have_a_name_in_any_writing_system() -> None:
    name = "花見 - 2027?"
    async with scene() as stage:
        body = {"Meeting": name, "Name": "Host", "Create": True}
        status, text = await ask(stage.tea, "POST", "/carillon/v1/web/join", body)
        assert status == 200 and json.loads(text)["Name"] == name, text
        ada = await stage.enter("Ada", meeting=name)
        grace = await stage.enter("Grace", meeting=name)
        for page in (ada, grace):
            await sees(page, "Ada", "Grace")
            await expect(page).to_have_title(re.compile(re.escape(name)))
        await ada.reload()
        await sees(ada, "Ada", "Grace")
        await expect(ada).to_have_title(re.compile(re.escape(name)))


async def test_the_lobby_explains_the_fault_of_a_meetings_name() -> None:
    async with live_meeting(gateway=FLAGS) as tea:
        for name in WRONG:
            body = {"Meeting": name, "Name": "Ada", "Create": True}
            status, text = await ask(tea, "POST", "/carillon/v1/web/join", body)
            assert status == 400, (name, text)
            # If the JSON contains U+0000, the server rejects the JSON before it applies the rule
            # for names.
            assert "meeting name: it must be" in text or "U+0000" in text, text
