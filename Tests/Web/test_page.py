"""The states of the page in a real browser, with a scripted server."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from carillon.signaling import signaling_pb2 as wire
from Web.browser import (
    DESK,
    PATIENCE_MS,
    PHONE,
    chromium,
    needs_chromium,
    new_page,
    overflow,
    picture,
    shares_browser,
    violations,
)
from Web.scripted_site import ADDRESS, ScriptedFace, ScriptedSite, frame

pytestmark = [needs_chromium, shares_browser, pytest.mark.seconds(240)]

ROSTER: list[dict[str, Any]] = [
    {"audio_stream_id": 1, "attendee_id": "a-ada", "external_user_id": "ada", "muted": True},
    {"audio_stream_id": 2, "attendee_id": "a-grace", "external_user_id": "Grace Hopper"},
    {"audio_stream_id": 3, "attendee_id": "a-lin", "external_user_id": "lin", "muted": True},
]
TOKEN = "secret-join-token"
ENTRY = {
    "Meeting": {
        "MeetingId": "m-1",
        "ExternalMeetingId": "demo",
        "MediaPlacement": {"SignalingUrl": "ws://localhost:9/control/m-1", "AudioHostUrl": "audio"},
    },
    "Attendee": {"AttendeeId": "a-ada", "ExternalUserId": "ada", "JoinToken": TOKEN},
}
LOBBY = {"Lobby": "open", "Version": "1", "TranscriptionLanguages": ["en-US", "de-DE"]}


def site(**answers: Any) -> ScriptedSite:
    made = ScriptedSite(ROSTER)
    made.answers = {
        "GET /carillon/v1/web": (200, LOBBY),
        "POST /carillon/v1/web/join": (200, ENTRY),
        **answers,
    }
    return made


@asynccontextmanager
async def opened(
    site: ScriptedSite, path: str = "/#demo", browser: Browser | None = None, **options: Any
) -> AsyncIterator[Page]:
    """Opens a page of a site."""
    if browser is None:
        async with chromium() as own, opened(site, path, own, **options) as page:
            yield page
        return
    page = await new_page(browser, **options)
    await site.serve(page)
    await page.goto(ADDRESS + path)
    yield page
    assert site.policy_breaches == []


async def join(page: Page) -> None:
    await page.get_by_label("Your name").fill("ada")
    await page.get_by_role("button", name="Join", exact=True).click()
    await expect(page.locator("#connection")).to_have_text("Connected")


def written(text: str, ingest: int, topic: str = "chat", sender: str = "a-grace") -> Any:
    return wire.SdkDataMessagePayload(
        topic=topic,
        data=text.encode(),
        sender_attendee_id=sender,
        sender_external_user_id="Grace Hopper",
        ingest_time_ns=ingest,
    )


def messages(*payloads: Any) -> Any:
    return frame("DATA_MESSAGE", data_message=wire.SdkDataMessageFrame(messages=payloads))


def said(result_id: str, text: str, *, is_partial: bool) -> Any:
    item = wire.SdkTranscriptItem(
        content=text, speaker_attendee_id="a-grace", speaker_external_user_id="Grace Hopper"
    )
    alternative = wire.SdkTranscriptAlternative(transcript=text, items=[item])
    result = wire.SdkTranscriptResult(
        result_id=result_id, is_partial=is_partial, alternatives=[alternative]
    )
    return transcript(wire.SdkTranscriptEvent(transcript=wire.SdkTranscript(results=[result])))


def transcript(*events: Any) -> Any:
    data = wire.SdkTranscriptFrame(events=events).SerializeToString()
    payload = wire.SdkDataMessagePayload(
        topic="aws:chime:transcription", data=data, ingest_time_ns=time.time_ns()
    )
    return messages(payload)


async def test_the_lobby_names_missing_values_and_creates_a_missing_meeting() -> None:
    asked: list[Any] = []

    def answer(body: Any) -> tuple[int, Any]:
        asked.append(body)
        return (200, ENTRY) if body["Create"] else (404, {"Message": "There is none."})

    async with opened(site(**{"POST /carillon/v1/web/join": answer}), "/") as page:
        problem = page.get_by_role("alert")
        await page.get_by_role("button", name="Join", exact=True).click()
        await expect(problem).to_contain_text("Say which meeting")
        await expect(page.get_by_label("Meeting", exact=True)).to_be_focused()
        await page.get_by_label("Meeting", exact=True).fill("https://example.org/#stand%20up")
        await page.get_by_role("button", name="Join", exact=True).click()
        await expect(problem).to_contain_text("Say who you are")
        await page.get_by_label("Your name").fill("ada")
        await page.keyboard.press("Enter")
        await expect(problem).to_contain_text("There is no meeting “stand up”.")
        await picture(page, "lobby-no-such-meeting")
        await page.get_by_role("button", name="Start “stand up” now").click()
        await expect(page.locator("#connection")).to_have_text("Connected")
        body = {"Meeting": "stand up", "Name": "ada"}
        assert asked == [{**body, "Create": False}, {**body, "Create": True}]


async def test_a_lobby_sends_its_key_in_a_header_and_the_page_says_if_the_lobby_is_closed() -> None:
    keyed = site(
        **{
            "GET /carillon/v1/web": (200, {**LOBBY, "Lobby": "key"}),
            "POST /carillon/v1/web/join": (401, {"Message": "Not you."}),
        }
    )
    async with chromium() as browser:
        async with opened(keyed, browser=browser) as page:
            key = page.get_by_label("Key of this server")
            await key.fill("wrong")
            await page.get_by_label("Your name").fill("ada")
            async with page.expect_request("**/web/join") as request:
                await page.keyboard.press("Enter")
            assert (await (await request.value).all_headers())["authorization"] == "Bearer wrong"
            await expect(page.get_by_role("alert")).to_contain_text("not the key")
            await expect(key).to_be_focused()
            assert await violations(page) == []
        closed = site(**{"GET /carillon/v1/web": (200, {**LOBBY, "Lobby": "off"})})
        async with opened(closed, browser=browser) as page:
            await expect(page.get_by_role("alert")).to_contain_text("is closed")
            await expect(page.get_by_role("button", name="Join", exact=True)).to_be_disabled()
            assert await violations(page) == []


async def test_the_room_shows_people_hands_messages_and_captions() -> None:
    scripted = site(**{"PUT /carillon/v1/web/meetings/m-1/transcription": (200, {})})
    async with opened(scripted) as page:
        await join(page)
        face = scripted.face
        tiles = page.get_by_role("list", name="People in this meeting").get_by_role("listitem")
        await expect(tiles).to_have_count(3)
        await expect(tiles.first).to_contain_text("ada")
        await expect(tiles.nth(2)).to_contain_text("muted")

        now = time.time_ns()
        face.send(messages(written("second", now), written("first", now - 10**9)))
        face.send(messages(written('{"raised":true}', now, topic="hand", sender="a-lin")))
        chat = page.get_by_role("log", name="Messages")
        await expect(chat.locator(".message-text")).to_have_text(["first", "second"])
        await expect(tiles.nth(2)).to_contain_text("Hand raised")

        loud = wire.SdkAudioAttendeeState(audio_stream_id=2, volume=14, signal_strength=2)
        face.send(
            frame(
                "AUDIO_METADATA", audio_metadata=wire.SdkAudioMetadataFrame(attendee_states=[loud])
            )
        )
        await expect(tiles.nth(1)).to_contain_text("speaking")

        await page.get_by_label("Write to everybody").fill("mine")
        await page.keyboard.press("Enter")
        await expect(chat.locator(".message.own .message-text")).to_have_text(["mine"])
        back = wire.SdkDataMessagePayload(topic="chat", data=b"mine", ingest_time_ns=0)
        face.send(messages(back))
        await expect(chat).to_contain_text("Not sent")

        async with page.expect_request("**/transcription") as request:
            await page.get_by_role("button", name="Captions").click()
        assert (await request.value).post_data_json == {"LanguageCode": "en-US"}
        started = wire.SdkTranscriptionStatus(
            type="STARTED", event_time=1, transcription_configuration='{"LanguageCode":"de-DE"}'
        )
        face.send(transcript(wire.SdkTranscriptEvent(status=started)))
        await expect(page.get_by_label("Captions in")).to_have_value("de-DE")
        face.send(said("r", "the meting", is_partial=True))
        lines = page.get_by_role("log", name="What is said").locator("p")
        await expect(lines).to_have_text("Grace Hopper: the meting")
        face.send(said("r", "the meeting", is_partial=False))
        await expect(lines).to_have_text("Grace Hopper: the meeting")

        await picture(page, "room")
        assert await violations(page) == []
        sent = [each for each in face.received if each.type == wire.SdkSignalFrame.DATA_MESSAGE]
        assert [each.data_message.messages[0].data for each in sent] == [b"mine"]


async def test_people_can_have_names_in_any_writing_system() -> None:
    people = {
        "Łukasz": "Ł",
        "花子": "花",
        "محمد عبد الله": "ما",
        "👩🏽‍🚀 Kim": "👩🏽‍🚀K",
        "<b>O'Neil</b>": "B",
    }
    roster = [
        {
            "audio_stream_id": number,
            "attendee_id": f"a-{number}" if number > 1 else "a-ada",
            "external_user_id": f"guest-{number}",
            "display_name": name,
        }
        for number, name in enumerate(people, 1)
    ]
    scripted = ScriptedSite(roster)
    scripted.answers = site().answers
    async with opened(scripted) as page:
        await join(page)
        face = scripted.face
        await expect(page.locator("#tiles .tile-name")).to_have_text(list(people))
        await expect(page.locator("#tiles .avatar")).to_have_text(list(people.values()))
        await expect(page.locator("#tiles")).not_to_contain_text("guest-")

        line = written("שלום, ada", time.time_ns(), sender="a-3")
        line.sender_display_name = "محمد عبد الله"
        face.send(messages(line))
        message = page.locator(".message")
        await expect(message.locator("bdi")).to_have_text("محمد عبد الله")
        await expect(message.locator(".message-text")).to_have_css("direction", "rtl")
        await expect(message.locator(".message-head")).to_have_css("direction", "ltr")

        item = wire.SdkTranscriptItem(
            content="hello",
            speaker_attendee_id="a-3",
            speaker_external_user_id="guest-3",
            speaker_display_name="محمد عبد الله",
        )
        best = wire.SdkTranscriptAlternative(transcript="hello", items=[item])
        result = wire.SdkTranscriptResult(result_id="r", is_partial=True, alternatives=[best])
        face.send(
            transcript(wire.SdkTranscriptEvent(transcript=wire.SdkTranscript(results=[result])))
        )
        await page.locator("#captions-toggle").click()
        spoken = page.get_by_role("log", name="What is said").locator("p")
        await expect(spoken).to_have_text("محمد عبد الله: hello")

        late = {"audio_stream_id": 9, "attendee_id": "a-9", "external_user_id": "guest-9"}
        face.send(ScriptedFace.presence([{**late, "display_name": "דנה"}]))
        await expect(page.locator("#announcer")).to_have_text("\u2068דנה\u2069 joined.")
        await picture(page, "room-names")
        assert await violations(page) == []


LONG_NAMES = {
    "letters": "Wolfeschlegelsteinhausenbergerdorff Hubert Blaine Adolph Charles",
    "one word": "W" * 64,
    "emoji": "👩🏽‍🚀" * 16,
    "families": "👨‍👩‍👧‍👦" * 9 + "x",
    "accents": "Zoe\u0308" * 16,
    "right to left": "محمد عبد الله بن عبد العزيز الأنصاري القرطبي المالكي الأندلسي 12",
}
CUT = """(names) => names.map((name) => {
  const { left, right } = name.getBoundingClientRect();
  const segments = [...new Intl.Segmenter().segment(name.textContent)];
  const range = document.createRange();
  const places = segments.map(({ index, segment }) => {
    range.setStart(name.firstChild, index);
    range.setEnd(name.firstChild, index + segment.length);
    return range.getBoundingClientRect();
  });
  const style = getComputedStyle(name);
  return {
    text: name.textContent,
    isCut: name.scrollWidth > name.clientWidth,
    cuts: `${style.overflowX} ${style.textOverflow} ${style.whiteSpace}`,
    isInTile: left >= name.closest("li").getBoundingClientRect().left
      && right <= name.closest("li").getBoundingClientRect().right,
    lines: new Set(places.map((place) => Math.round(place.top))).size,
    title: name.title,
  };
})"""
"""Describes how a page shows names."""


async def test_a_long_name_is_cut_on_the_tile_and_whole_in_the_panel() -> None:
    names = list(LONG_NAMES.values())
    roster = [
        {
            "audio_stream_id": number,
            "attendee_id": f"a-{number}" if number > 1 else "a-ada",
            "external_user_id": f"guest-{number}",
            "display_name": name,
        }
        for number, name in enumerate(names, 1)
    ]
    scripted = ScriptedSite(roster)
    scripted.answers = site().answers
    async with opened(scripted) as page:
        await join(page)
        await expect(page.locator("#tiles .tile-name")).to_have_count(len(names))
        for found in await page.locator("#tiles .tile-name").evaluate_all(CUT):
            # The ellipsis of CSS replaces whole graphemes, never a part of an emoji or an accent.
            assert found["cuts"] == "hidden ellipsis nowrap", found
            assert found["isCut"] and found["isInTile"] and found["lines"] == 1, found
            assert found["title"] == found["text"] and found["text"] in names
        await page.locator("#people-toggle").click()
        rows = page.locator(".person-name")
        await expect(rows).to_have_count(len(names))
        shown = "(all) => all.map((each) => each.textContent)"
        assert sorted(await rows.evaluate_all(shown)) == sorted(names)
        whole = """(all) => all.every((name) => {
          const row = name.closest(".person").getBoundingClientRect();
          return [...name.getClientRects()].every(({ left, right, top, bottom }) =>
            left >= row.left - 1 && right <= row.right + 1 && top >= row.top - 1
            && bottom <= row.bottom + 1);
        })"""
        assert await rows.evaluate_all(whole)
        await picture(page, "room-long-names")
        assert await violations(page) == []


async def test_the_lobby_sends_names_as_typed_and_explains_faults_of_names() -> None:
    names: list[str] = []

    def answer(body: Any) -> tuple[int, Any]:
        names.append(body["Name"])
        return 400, {"Message": "Name must be at most 64 characters and 256 bytes."}

    async with opened(site(**{"POST /carillon/v1/web/join": answer})) as page:
        typed = ["花", "Łukasz", "Zoe\u0308", "محمد", "👨‍👩‍👧‍👦" * 10]
        for name in typed:
            await page.get_by_label("Your name").fill(f" {name} ")
            await page.get_by_role("button", name="Join", exact=True).click()
            await expect(page.get_by_role("alert")).to_contain_text("at most 64 characters")
        assert names == typed


async def test_a_key_with_characters_that_no_header_allows_is_rejected() -> None:
    async with opened(site(**{"GET /carillon/v1/web": (200, {**LOBBY, "Lobby": "key"})})) as page:
        await page.get_by_label("Key of this server").fill("ключ")
        await page.get_by_label("Your name").fill("ada")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("alert")).to_contain_text("not the key")


async def test_after_a_lost_connection_the_page_reconnects_and_reports_nothing_twice() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        now = time.time_ns()
        scripted.face.send(messages(written("before", now)))
        chat = page.locator("#messages .message-text")
        await expect(chat).to_have_text(["before"])
        first = scripted.face
        scripted.is_down = True
        await first.close(1011)
        await expect(page.locator("#connection")).not_to_have_text("Connected")
        await picture(page, "room-reconnecting")
        await page.get_by_label("Write to everybody").fill("while away")
        await page.keyboard.press("Enter")
        scripted.is_down = False
        await expect(page.locator("#connection")).to_have_text("Connected")
        face = scripted.face
        assert face is not first
        face.send(messages(written("before", now), written("after", now + 1)))
        await expect(page.locator(".message:not(.own) .message-text")).to_have_text(
            ["before", "after"]
        )
        await expect(page.locator("#tiles li")).to_have_count(3)
        sent = [each for each in face.received if each.type == wire.SdkSignalFrame.DATA_MESSAGE]
        assert [each.data_message.messages[0].data for each in sent] == [b"while away"]
        joins = [
            next(each for each in face.received if each.type == wire.SdkSignalFrame.JOIN)
            for face in scripted.faces
        ]
        assert joins[0].join.audio_session_id == joins[1].join.audio_session_id


def crowd(count: int) -> ScriptedSite:
    """Returns a site with a large meeting."""
    names = ["Ada", "Grace Hopper", "Łukasz", "花子", "محمد عبد الله", "A. Very-Long Name Indeed"]
    scripted = ScriptedSite(
        [
            {
                "audio_stream_id": number,
                "attendee_id": f"a-{number}" if number > 1 else "a-ada",
                "external_user_id": f"guest-{number}",
                "display_name": f"{names[number % len(names)]} {number}",
                "muted": number % 3 > 0,
            }
            for number in range(1, count + 1)
        ]
    )
    scripted.answers = site().answers
    return scripted


BOXES = """(tiles) => tiles.map((tile) => {
  const { x, y, width, height } = tile.getBoundingClientRect();
  return [x, y, width, height];
})"""


async def boxes(page: Page, selector: str) -> list[list[float]]:
    """Returns the positions of elements: x, y, width, height."""
    found: list[list[float]] = await page.locator(selector).evaluate_all(BOXES)
    return found


async def test_forty_tiles_fill_a_large_stage() -> None:
    size = {"width": 3840, "height": 2160}
    async with opened(crowd(40), viewport=size) as page:
        await join(page)
        await expect(page.locator("#tiles li")).to_have_count(40)
        await picture(page, "room-forty")
        [[_, top, _, height]] = await boxes(page, "#tiles")
        tiles = await boxes(page, "#tiles li")
        lowest = max(y + tall for _, y, _, tall in tiles)
        assert lowest - min(y for _, y, _, _ in tiles) > 0.75 * height
        assert lowest <= top + height + 1


@pytest.mark.parametrize(
    ("width", "height"), [(320, 256), (740, 360), (360, 740), (820, 1180), (1440, 900)]
)
async def test_an_open_chat_covers_no_control(width: int, height: int) -> None:
    size = {"width": width, "height": height}
    async with opened(crowd(9), viewport=size) as page:
        await join(page)
        if await page.locator("#chat").is_hidden():
            await page.locator("#chat-toggle").click()
        await page.locator("#chat-text").fill("A long message\n" * 12)
        await picture(page, f"chat-{width}x{height}")
        [[_, chat_top, _, chat_height]] = await boxes(page, "#chat")
        for x, y, wide, tall in await boxes(page, "#room .controls > .control:visible"):
            assert chat_top + chat_height <= y + 0.5
            assert x >= 0 and y >= 0 and x + wide <= width and y + tall <= height
            assert wide >= 24 and tall >= 24
        [[_, text_top, _, text_height]] = await boxes(page, "#chat-text")
        assert text_top >= 0 and text_top + text_height <= chat_top + chat_height
        assert await overflow(page) <= 0


DRAWN = "requestAnimationFrame(() => requestAnimationFrame(done))"
"""Calls `done` after the page has handled a change of its size."""


async def test_an_open_chat_hides_no_tile_after_a_rotation() -> None:
    async with opened(crowd(4), viewport={"width": 1180, "height": 820}) as page:
        await join(page)
        await expect(page.locator("#chat")).to_be_visible()
        for width, height in ((820, 1180), (740, 360), (1180, 820)):
            await page.set_viewport_size({"width": width, "height": height})
            await expect(page.locator("#tiles li").first).to_be_visible()
            await expect(page.locator("#tiles li").last).to_be_in_viewport()
        await expect(page.locator("#chat")).to_be_visible()
        # A closed chat stays closed.
        await page.locator("#chat-close").click()
        for width, height in ((820, 1180), (1180, 820)):
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate(f"new Promise((done) => {DRAWN})")
        await expect(page.locator("#chat")).to_be_hidden()


async def test_in_the_speaker_layout_a_new_speaker_exchanges_places_with_the_large_tile() -> None:
    scripted = crowd(9)
    places = """() => Object.fromEntries([...document.querySelectorAll("#tiles li")].map((tile) =>
        [tile.dataset.attendee, `${tile.offsetLeft} ${tile.offsetTop} ${tile.offsetWidth}`]))"""
    async with opened(scripted) as page:
        await join(page)
        await page.get_by_role("button", name="Layout", exact=True).click()
        await expect(page.locator("#stage")).to_have_attribute("data-layout", "speaker")
        await page.wait_for_timeout(300)
        before = await page.evaluate(places)
        loud = wire.SdkAudioMetadataFrame(
            attendee_states=[wire.SdkAudioAttendeeState(audio_stream_id=6, volume=1)]
        )
        scripted.face.send(frame("AUDIO_METADATA", audio_metadata=loud))
        speaker = page.locator("#tiles li[data-attendee=a-6]")
        await expect(speaker).to_contain_text("speaking")
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while (after := await page.evaluate(places)) == before:
                await asyncio.sleep(0.05)
        moved = {attendee for attendee in after if after[attendee] != before[attendee]}
        assert moved == {"a-2", "a-6"}
        assert (after["a-2"], after["a-6"]) == (before["a-6"], before["a-2"])


async def test_a_pinned_tile_is_large_and_returns_with_its_attendee() -> None:
    scripted = crowd(5)
    async with opened(scripted) as page:
        await join(page)
        tile = page.locator("#tiles li[data-attendee=a-3]")
        other = page.locator("#tiles li[data-attendee=a-2]")

        async def is_larger(large: Any, small: Any) -> None:
            async with asyncio.timeout(PATIENCE_MS / 1000):
                while True:
                    one, two = await large.bounding_box(), await small.bounding_box()
                    if one and two and one["width"] > 1.5 * two["width"]:
                        return
                    await asyncio.sleep(0.05)

        await tile.hover()
        await tile.get_by_role("button").click()
        await expect(tile.get_by_role("button")).to_have_attribute("aria-pressed", "true")
        await is_larger(tile, other)
        await picture(page, "room-pin")
        assert await violations(page) == []
        scripted.face.send(ScriptedFace.presence([{"audio_stream_id": 3, "dropped": True}]))
        await expect(tile).to_have_count(0)
        await is_larger(other, page.locator("#tiles li[data-attendee=a-4]"))
        back = {"audio_stream_id": 9, "attendee_id": "a-3", "external_user_id": "guest-3"}
        scripted.face.send(ScriptedFace.presence([back]))
        await is_larger(tile, other)
        await page.locator("#layout").click()
        await expect(page.locator("#stage")).to_have_attribute("data-layout", "grid")


LISTEN = """() => {
  window.spoken = [];
  const live = "[role=status], [role=alert], [role=log]:not([aria-live=off]), [aria-live=polite]";
  for (const region of document.querySelectorAll(live)) {
    const heard = () => region.textContent && spoken.push(region.textContent);
    new MutationObserver(heard).observe(region, {
      childList: true, subtree: true, characterData: true,
    });
  }
}"""
"""Records every change of the page's live regions."""


async def test_the_start_and_the_end_of_an_outage_are_announced_once() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        announced = page.locator("#announcer")
        await expect(announced).to_have_text("You are in the meeting.")
        await page.evaluate(LISTEN)
        scripted.is_down = True
        await scripted.face.close(1011)
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while scripted.attempts < 3:
                await asyncio.sleep(0.05)
        await expect(announced).to_have_text("The connection is lost. Reconnecting.")
        await expect(page.locator("#tiles li")).to_have_count(3)
        scripted.is_down = False
        await expect(announced).to_have_text("Connected again.")
        told = ["The connection is lost. Reconnecting.", "Connected again."]
        assert await page.evaluate("spoken") == told


async def test_the_bar_shows_an_outage_after_three_seconds_and_changes_once() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        record = """() => {
          window.shown = [];
          const text = document.getElementById("connection-text");
          const watch = new MutationObserver(() => shown.push(text.textContent));
          watch.observe(text, { childList: true });
        }"""
        await page.evaluate(record)
        await scripted.face.close(1011)
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while len(scripted.faces) < 2 or not scripted.face.received:
                await asyncio.sleep(0.02)
        await page.wait_for_timeout(1_000)
        assert await page.evaluate("shown") == []

        scripted.is_down = True
        await scripted.face.close(1011)
        await page.wait_for_timeout(2_000)
        assert await page.evaluate("shown") == []
        lost = "The connection is lost. Reconnecting."
        await expect(page.locator("#connection")).to_have_text(lost)
        # In earlier versions of the page, this text changed each second.
        await page.wait_for_timeout(2_000)
        assert await page.evaluate("shown") == [lost]
        scripted.is_down = False
        await expect(page.locator("#connection")).to_have_text("Connected")
        assert await page.evaluate("shown") == [lost, "Connected"]


async def test_addresses_in_the_chat_are_links_and_the_rest_is_text() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        text = "<b>See</b> https://example.org/a_(b). javascript:alert(1) mailto:ada@example.org"
        scripted.face.send(messages(written(text, time.time_ns())))
        line = page.locator(".message-text")
        await expect(line).to_have_text(text)
        links = line.locator("a")
        hrefs = await links.evaluate_all("(all) => all.map((each) => each.href)")
        assert hrefs == ["https://example.org/a_(b)", "mailto:ada@example.org"]
        await expect(links.first).to_have_attribute("rel", "noopener noreferrer")
        assert await line.locator("*").count() == 2
        await picture(page, "chat-links")
        assert await violations(page) == []


async def test_code_in_the_chat_is_text_in_code_elements() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        inline, block = "<img src=x onerror=alert(1)>", "if (a < b) {\n  https://x.example\n}"
        text = f"Run `{inline}` then\n```js\n{block}\n```\nthanks"
        scripted.face.send(messages(written(text, time.time_ns())))
        line = page.locator(".message-text")
        await expect(line.locator("> code")).to_have_text(inline)
        assert await line.locator("pre > code").text_content() == block
        assert await line.locator("*").count() == 3
        assert "`" not in (await line.text_content() or "")
        await picture(page, "chat-code")
        assert await violations(page) == []


LIST_PLACES = """() => {
  const list = document.getElementById("messages");
  const { top, bottom } = list.getBoundingClientRect();
  const place = (text) => {
    const lines = [...list.querySelectorAll(".message-text")];
    const line = lines.find((each) => each.textContent === text);
    return line ? Math.round(line.getBoundingClientRect().top - top) : null;
  };
  const texts = [...list.querySelectorAll(".message-text")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.top >= top && box.bottom <= bottom;
  });
  return { place: place("line 20"), shown: texts.map((each) => each.textContent) };
}"""
"""Returns the place of the line "line 20" in the list, and the lines in sight."""


async def test_the_chat_stays_still_while_a_user_reads_old_lines_and_opens_at_new_lines() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        began = time.time_ns()
        lines = [written(f"line {at}", began + at) for at in range(990)]
        scripted.face.send(messages(*lines[:500]), messages(*lines[500:]))
        await expect(page.locator(".message")).to_have_count(990)
        bottom = (await page.evaluate(LIST_PLACES))["shown"]
        assert bottom[-1] == "line 989"
        scroll = """(list) => {
          const lines = [...list.querySelectorAll(".message-text")];
          lines.find((each) => each.textContent === "line 20").scrollIntoView();
        }"""
        await page.locator("#messages").evaluate(scroll)
        before = await page.evaluate(LIST_PLACES)
        # Fifteen lines arrive below. Older lines arrive above. The list drops its oldest lines.
        new = [written(f"new {at}", began + 2000 + at) for at in range(15)]
        late = [written(f"late\n{at}", began + 5) for at in range(3)]
        scripted.face.send(messages(*new), messages(*late))
        await expect(page.locator(".message-text", has_text="new 14")).to_have_count(1)
        await expect(page.locator(".message")).to_have_count(1000)
        after_news = (await page.evaluate(LIST_PLACES))["place"]
        assert abs(after_news - before["place"]) <= 1
        await expect(page.locator(".messages-new")).to_have_count(0)

        await page.locator("#chat-close").click()
        unread = [written(f"unread {at}", began + 3000 + at) for at in range(40)]
        scripted.face.send(messages(*unread))
        await expect(page.locator("#unread")).to_have_text("40")
        await page.locator("#chat-toggle").click()
        mark = page.locator(".messages-new")
        await expect(mark).to_have_text("New")
        await expect(mark).to_be_in_viewport()
        after = "(mark) => mark.nextElementSibling.querySelector('.message-text').textContent"
        assert await mark.evaluate(after) == "unread 0"
        shown = (await page.evaluate(LIST_PLACES))["shown"]
        assert shown[0] == "unread 0"
        await picture(page, "chat-new")
        assert await violations(page) == []

        await page.locator("#messages").evaluate("(list) => list.scrollTo(0, list.scrollHeight)")
        await page.locator("#chat-close").click()
        await page.locator("#chat-toggle").click()
        await expect(mark).to_have_count(0)
        assert (await page.evaluate(LIST_PLACES))["shown"][-1] == "unread 39"


async def test_a_mute_a_raised_hand_and_a_leave_are_sent_to_the_server() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        face = scripted.face
        mute = page.locator("#mute")
        await expect(mute).to_have_attribute("aria-pressed", "true")
        await mute.click()
        await page.get_by_role("button", name="Raise hand").click()
        await expect(page.locator("#tiles li").first).to_contain_text("Hand raised")
        await expect(mute).to_have_attribute("aria-pressed", "false")
        # The server does not lift an operator's mute.
        face.send(ScriptedFace.presence([{"audio_stream_id": 1, "muted": True}]))
        await expect(mute).to_contain_text("Muted by host")
        await expect(page.locator("#mute-notice")).to_contain_text("To unmute")
        await mute.click()
        await expect(mute).to_have_attribute("aria-pressed", "false")
        await expect(mute).to_contain_text("Muted by host")
        await page.get_by_role("button", name="Leave").click()
        await expect(page.get_by_role("heading", name="You left.")).to_be_focused()
        kinds = [each.type for each in face.received]
        assert kinds[-1] == wire.SdkSignalFrame.LEAVE
        controls = [
            each for each in face.received if each.type == wire.SdkSignalFrame.AUDIO_CONTROL
        ]
        assert [each.audio_control.muted for each in controls][-1] is False
        await page.get_by_role("button", name="Join again").click()
        await expect(page.locator("#connection")).to_have_text("Connected")


@pytest.mark.parametrize(
    ("status", "title", "may_return"),
    [
        (410, "The meeting is over.", False),
        (411, "You were removed.", False),
        (301, "You are here twice.", True),
        (409, "The meeting is full.", True),
    ],
)
async def test_a_removed_attendee_reads_the_reason(
    status: int, title: str, may_return: bool
) -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        scripted.face.send(
            frame("AUDIO_STATUS", audio_status=wire.SdkAudioStatusFrame(audio_status=status))
        )
        await expect(page.get_by_role("heading", name=title)).to_be_visible()
        again = page.get_by_role("button", name="Join again")
        await expect(again).to_be_visible() if may_return else await expect(again).to_be_hidden()
        # The first button that the page offers is the primary button.
        await expect(page.locator("#ended .primary:visible")).to_have_count(1)
        await picture(page, f"ended-{status}")
        assert await violations(page) == []


async def test_a_reloaded_page_rejoins_as_the_same_attendee_and_keeps_the_chat() -> None:
    asked: list[Any] = []

    def answer(body: Any) -> tuple[int, Any]:
        asked.append(body)
        return 200, ENTRY

    scripted = site(**{"POST /carillon/v1/web/join": answer})
    async with opened(scripted) as page:
        addresses: list[str] = []
        page.on("request", lambda request: addresses.append(request.url))
        await join(page)
        await page.get_by_label("Write to everybody").fill("mine")
        await page.keyboard.press("Enter")
        await page.reload()
        await expect(page.locator("#connection")).to_have_text("Connected")
        await expect(page.locator(".message.own .message-text")).to_have_text(["mine"])
        assert len(asked) == 1
        assert page.url == f"{ADDRESS}/#demo"
        assert not any(TOKEN in address for address in addresses)
        assert await page.evaluate("sessionStorage.length") == 0, "while a page has it"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_state_fits_a_phone_and_satisfies_axe(scheme: str) -> None:
    async with chromium() as browser:
        for view, size in (("desk", DESK), ("phone", PHONE)):
            scripted = site(**{"PUT /carillon/v1/web/meetings/m-1/transcription": (200, {})})
            looks = {"viewport": size, "color_scheme": scheme, "reduced_motion": "reduce"}
            async with opened(scripted, "/#demo", browser, **looks) as page:
                for state in ("lobby", "room", "captions", "chat", "ended"):
                    match state:
                        case "room":
                            await join(page)
                            scripted.face.send(
                                messages(written("Hello, everybody", time.time_ns()))
                            )
                        case "captions":
                            await page.locator("#hand").click()
                            if view == "phone":
                                await page.locator("#more").click()
                            await page.locator("#captions-toggle").click()
                            scripted.face.send(said("r", "the meeting begins", is_partial=False))
                        case "chat" if view == "phone":
                            await page.locator("#chat-toggle").click()
                        case "ended":
                            await page.locator("#leave").click()
                            await expect(page.locator("#ended")).to_be_visible()
                    assert await violations(page) == [], f"{state} on a {view}"
                    assert await overflow(page) <= 0, f"{state} on a {view}"
                    await picture(page, f"{state}-{view}-{scheme}")


HIDE = """() => {
  Object.defineProperty(document, "hidden", { value: true, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
  delete document.hidden;
}"""
"""Reports to a page that its tab is hidden. A browser without windows hides no tab."""


async def test_keys_work_and_a_held_key_unmutes_until_it_is_released_anywhere() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        await page.locator("#room-title").focus()
        mute, written = page.locator("#mute"), page.locator("#chat-text")

        async def is_muted(value: bool) -> None:
            await expect(mute).to_have_attribute("aria-pressed", f"{value}".lower())

        await page.keyboard.press("m")
        await is_muted(False)
        await page.keyboard.press("m")
        await is_muted(True)
        await page.keyboard.press("h")
        await expect(page.locator("#hand")).to_have_attribute("aria-pressed", "true")
        await page.keyboard.press("l")
        await expect(page.locator("#stage")).to_have_attribute("data-layout", "speaker")
        await page.keyboard.press("c")
        await expect(page.locator("#chat")).to_be_hidden()
        await page.keyboard.press("c")
        await expect(written).to_be_focused()
        await page.keyboard.type("much")
        await expect(written).to_have_value("much")
        await page.keyboard.press("Control+d")
        await is_muted(False)
        await page.keyboard.press("Control+d")
        await is_muted(True)

        await page.locator("#room-title").focus()
        await page.keyboard.down("t")
        await is_muted(False)
        await written.focus()
        await page.keyboard.down("t")
        await page.keyboard.up("t")
        await is_muted(True)
        await expect(written).to_have_value("much")
        await page.locator("#room-title").focus()
        await page.keyboard.down("t")
        await is_muted(False)
        await page.evaluate("dispatchEvent(new Event('blur'))")
        await is_muted(True)
        await page.keyboard.up("t")
        await page.keyboard.down("t")
        await is_muted(False)
        await page.evaluate(HIDE)
        await is_muted(True)
        await page.keyboard.up("t")


async def test_a_mute_by_another_person_overrides_a_held_key() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        await page.locator("#room-title").focus()
        mute = page.locator("#mute")

        async def is_muted(value: bool) -> None:
            await expect(mute).to_have_attribute("aria-pressed", f"{value}".lower())

        await page.keyboard.down("t")
        await is_muted(False)
        scripted.face.send(ScriptedFace.presence([{"audio_stream_id": 1, "muted": True}]))
        await expect(mute).to_contain_text("Muted by host")
        await page.keyboard.up("t")
        await is_muted(True)
        # The user has already released the key, so the end of that mute does not open the
        # microphone.
        scripted.face.send(ScriptedFace.presence([{"audio_stream_id": 1, "muted": False}]))
        await expect(mute).not_to_contain_text("by host")
        await is_muted(True)
        controls = [
            each
            for each in scripted.face.received
            if each.type == wire.SdkSignalFrame.AUDIO_CONTROL
        ]
        assert controls[-1].audio_control.muted


async def test_the_key_m_ends_a_mute_by_another_person() -> None:
    scripted = site()
    async with opened(scripted) as page:
        await join(page)
        await page.locator("#room-title").focus()
        mute = page.locator("#mute")
        await page.keyboard.down("t")
        await expect(mute).to_have_attribute("aria-pressed", "false")
        scripted.face.send(ScriptedFace.presence([{"audio_stream_id": 1, "muted": True}]))
        await expect(mute).to_contain_text("Muted by host")
        await page.keyboard.up("t")
        await page.keyboard.press("m")
        await expect(mute).to_have_attribute("aria-pressed", "false")
        scripted.face.send(ScriptedFace.presence([{"audio_stream_id": 1, "muted": False}]))
        await page.get_by_role("button", name="Raise hand").click()
        await expect(page.locator("#tiles li").first).to_contain_text("Hand raised")
        await expect(mute).to_have_attribute("aria-pressed", "false")
        controls = [
            each
            for each in scripted.face.received
            if each.type == wire.SdkSignalFrame.AUDIO_CONTROL
        ]
        assert controls[-1].audio_control.muted is False


async def test_the_help_dialog_names_the_keys_and_can_turn_single_keys_off() -> None:
    async with opened(site()) as page:
        await join(page)
        await page.locator("#room-title").focus()
        await page.keyboard.press("?")
        dialog = page.get_by_role("dialog", name="Keys")
        await expect(dialog).to_contain_text("Hold to talk")
        await picture(page, "help")
        assert await violations(page) == []
        await page.keyboard.press("h")
        await dialog.get_by_role("checkbox").uncheck()
        await page.keyboard.press("Escape")
        await expect(dialog).to_be_hidden()
        await page.keyboard.press("h")
        await page.keyboard.press("Control+d")
        await expect(page.locator("#mute")).to_have_attribute("aria-pressed", "false")
        await expect(page.locator("#hand")).to_have_attribute("aria-pressed", "false")
        await page.reload()
        await expect(page.locator("#connection")).to_have_text("Connected")
        await expect(page.locator("#single-keys")).not_to_be_checked()


MEETINGS = {
    "Meetings": [
        {
            "MeetingId": "m-1",
            "ExternalMeetingId": "demo",
            "CreatedAt": "2026-11-25T07:00:00Z",
            "AttendeeCount": 5,
        }
    ]
}
PEOPLE = {
    "Attendees": [
        {"AttendeeId": "a-ada", "ExternalUserId": "ada", "JoinedAt": "2026-11-25T07:01:00Z"},
        {"AttendeeId": "a-lin", "ExternalUserId": "lin", "Muted": True},
    ],
    "Barred": [{"AttendeeId": "a-mallory", "ExternalUserId": "mallory"}],
}
LOG = {
    "Messages": [
        {
            "Sequence": 1,
            "Topic": "chat",
            "Data": "R29vZCBtb3JuaW5n",
            "Text": "Good morning",
            "ExternalUserId": "ada",
            "SentAt": "2026-11-25T07:02:00Z",
        }
    ]
}


RECEIVED = {
    "Tiles": [
        {
            "TileId": 1,
            "AttendeeId": "a-lin",
            "ExternalUserId": "lin",
            "Kind": "Camera",
            "Layer": 1,
            "LayerCount": 2,
            "Width": 320,
            "Height": 180,
            "BitsPerSecond": 150_000,
            "Reason": "Lowered",
        }
    ],
    "DownlinkBitsPerSecond": 800_000,
}


def operated() -> ScriptedSite:
    """Returns a site with one meeting, for the operator page."""
    services = {"Instances": [{"Instance": "presence-a", "Ready": True}]}
    return site(
        **{
            "GET /carillon/v1/meetings": (200, MEETINGS),
            "GET /carillon/v1/meetings/m-1/roster": (200, PEOPLE),
            "GET /carillon/v1/meetings/m-1/messages": (200, LOG),
            "GET /carillon/v1/services": (200, services),
            "PUT /carillon/v1/meetings/m-1/attendees/a-ada/mute": (200, {}),
            "POST /carillon/v1/meetings/m-1/attendees/a-lin/kick": (200, {}),
            "POST /carillon/v1/meetings/m-1/attendees/a-mallory/allow": (200, {}),
            "PUT /carillon/v1/meetings/m-1/lock": (200, {}),
            "DELETE /meetings/m-1": (200, {}),
            "GET /carillon/v1/meetings/m-1/attendees/a-ada/received-video": (200, RECEIVED),
        }
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_operator_sees_meetings_and_acts_on_their_attendees(scheme: str) -> None:
    async with opened(operated(), "/operator", color_scheme=scheme) as page:
        await expect(page.get_by_role("list").filter(has_text="presence-a")).to_be_visible()
        # Five attendees exist, and two of them are present.
        await expect(page.get_by_role("button", name="demo")).to_contain_text("2 people")
        await page.get_by_role("button", name="demo").click()
        await expect(page.locator("#roster tr")).to_have_count(2)
        await expect(page.locator("#log")).to_contain_text("Good morning")
        async with page.expect_request("**/a-ada/mute") as request:
            await page.get_by_role("row", name="ada").get_by_role("button", name="Mute").click()
        assert (await request.value).post_data_json == {"Muted": True}
        async with page.expect_request("**/lock") as request:
            await page.get_by_role("button", name="Lock").click()
        assert (await request.value).post_data_json == {"Locked": True}
        async with page.expect_request("**/a-mallory/allow"):
            await page.get_by_role("button", name="Let back in").click()
        await page.get_by_role("row", name="lin").get_by_role("button", name="Remove").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("Remove \u2068lin\u2069?")
        assert await violations(page) == []
        async with page.expect_request("**/a-lin/kick"):
            await dialog.get_by_role("button", name="Remove").click()
        for view, size in (("desk", DESK), ("phone", PHONE)):
            await page.set_viewport_size({"width": size["width"], "height": size["height"]})
            assert await violations(page) == [], view
            assert await overflow(page) <= 0, view
            await picture(page, f"operator-{view}-{scheme}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_operator_searches_for_a_meeting_and_ends_it(scheme: str) -> None:
    async with opened(operated(), "/operator", color_scheme=scheme) as page:
        await page.get_by_role("button", name="demo").click()
        people = page.get_by_role("searchbox", name="Search people")
        await people.fill("LIN")
        await expect(page.locator("#roster tr:visible")).to_have_count(1)
        await people.fill("")
        await expect(page.locator("#roster tr:visible")).to_have_count(2)
        meetings = page.get_by_role("searchbox", name="Search meetings")
        await meetings.fill("another")
        await expect(page.get_by_text("No meeting in this list has this name.")).to_be_visible()
        await meetings.fill("dém")
        await expect(page.get_by_role("button", name="demo")).to_be_visible()
        await page.get_by_role("button", name="End for all").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("End \u2068demo\u2069?")
        await expect(dialog.get_by_role("button", name="Keep")).to_be_focused()
        assert await violations(page) == []
        async with page.expect_request("**/meetings/m-1") as request:
            await dialog.get_by_role("button", name="End").click()
        assert (await request.value).method == "DELETE"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_operator_sees_which_video_an_attendee_receives(scheme: str) -> None:
    async with opened(operated(), "/operator", color_scheme=scheme) as page:
        await page.get_by_role("button", name="demo").click()
        ada = page.get_by_role("row", name="ada").get_by_role("button", name="Video")
        await ada.click()
        tiles = page.get_by_role("region", name="Video for \u2068ada\u2069")
        await expect(tiles).to_contain_text(re.compile("320 . 180, layer 1 of 2, 150 kbit/s"))
        await expect(tiles).to_contain_text("too little bandwidth")
        await expect(page.get_by_text("The link is estimated at 800 kbit/s.")).to_be_visible()
        assert await violations(page) == []
        await page.get_by_role("button", name="Close").click()
        await expect(tiles).to_be_hidden()
        await expect(ada).to_be_focused()
