"""VP9 and AV1 between browsers, in Chromium with real services, and a bot that decodes neither."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser

from Web.browser import chromium, needs_chromium
from Web.chromium_peer import PREFERRED, TOLERANCE, ChromiumPeer, chromium_peer
from Web.signaling_client import SignalingClient, client_of
from Web.test_browser_sound import bot_of
from Web.test_browser_video import Watcher, show, until_seen
from Web.test_library_video import tile_rows
from Web.test_meeting import FLAGS
from Web.test_sdk_expectations import Browsers, browsers, say_join
from Web.video_peer import BLUE, GREEN, RED

pytestmark = [needs_chromium, pytest.mark.seconds(240)]


class Sender(Watcher):
    """A page in a meeting, with its signaling and its peer connection."""

    def __init__(self, client: SignalingClient, peer: ChromiumPeer, attendee_id: str) -> None:
        self.client, self.page, self.attendee_id = client, peer, attendee_id


@asynccontextmanager
async def enter(
    tea: Browsers, chrome: Browser, name: str, preferred: Sequence[str] = PREFERRED
) -> AsyncIterator[Sender]:
    """Makes a page join the meeting without subscribing."""
    who = await tea.tea.create(name)
    address = f"http://127.0.0.1:{tea.tea.installation.rest_port}/"
    async with client_of(tea.tea.installation, tea.tea.meeting.meeting_id, who) as client:
        await say_join(client)
        await client.next("JOIN_ACK")
        async with chromium_peer(chrome, client, address, preferred) as peer:
            yield Sender(client, peer, who.attendee_id)


async def until_reasons(tea: Browsers, wanted: list[str]) -> None:
    """Waits until `carillon tiles` lists exactly these reasons."""
    async with asyncio.timeout(30):
        while sorted(reason for reason, _, _ in await tile_rows(tea.tea)) != sorted(wanted):
            await asyncio.sleep(0.1)


async def test_browsers_exchange_vp9_until_a_receiver_that_cannot_decode_it_joins() -> None:
    async with (
        browsers(gateway=FLAGS) as tea,
        chromium() as chrome,
        enter(tea, chrome, "ada") as ada,
        enter(tea, chrome, "bea") as bea,
    ):
        await ada.page.until_agreed("VP9", "VP8")
        await ada.page.subscribe(camera=RED)
        await bea.page.subscribe(camera=BLUE)
        reds, blues = await bea.stream_of(ada.attendee_id), await ada.stream_of(bea.attendee_id)
        await ada.page.subscribe(camera=RED, streams=[blues])
        await bea.page.subscribe(camera=BLUE, streams=[reds])
        await bea.page.see(reds, RED, "VP9")
        await ada.page.see(blues, BLUE, "VP9")
        await until_reasons(tea, ["wanted", "wanted"])

        bot = await bot_of(tea, "bot", is_muted=True)
        showing = asyncio.create_task(show(bot, GREEN))
        await bot.session.video.start_remote_video()
        for sender in (ada, bea):
            await sender.page.until_agreed("VP8")
        greens = await ada.stream_of(bot.session.attendee_id)
        # The browsers still send VP9, which the bot never gets.
        await until_reasons(
            tea, ["wanted", "wanted", "not_subscribed", "not_subscribed"] + ["cannot_decode"] * 2
        )

        await ada.page.subscribe(camera=RED, streams=[blues, greens])
        await bea.page.subscribe(camera=BLUE, streams=[reds, greens])
        await asyncio.gather(
            bea.page.see(reds, RED, "VP8"),
            ada.page.see(blues, BLUE, "VP8"),
            ada.page.see(greens, GREEN, "VP8"),
            bea.page.see(greens, GREEN, "VP8"),
            until_seen(bot, ada.attendee_id, RED, TOLERANCE),
            until_seen(bot, bea.attendee_id, BLUE, TOLERANCE),
        )
        await until_reasons(tea, ["wanted"] * 6)

        showing.cancel()
        await asyncio.wait([showing])
        await bot.session.leave()
        await ada.page.until_agreed("VP9", "VP8")
        await ada.page.subscribe(camera=RED, streams=[blues])
        await bea.page.see(reds, RED, "VP9")


async def test_a_source_with_three_spatial_and_temporal_layers_is_forwarded_whole() -> None:
    async with (
        browsers(gateway=FLAGS) as tea,
        chromium() as chrome,
        enter(tea, chrome, "ada") as ada,
        enter(tea, chrome, "bea") as bea,
    ):
        await ada.page.until_agreed("VP9", "VP8")
        await ada.page.subscribe(camera=RED, scalability="L3T3")
        stream = await bea.stream_of(ada.attendee_id)
        await bea.page.subscribe(streams=[stream])
        await bea.page.see(stream, RED, "VP9", width=640)


async def test_browsers_exchange_av1_until_a_receiver_that_cannot_decode_it_joins() -> None:
    codecs = ["AV1", "VP8"]
    async with (
        browsers(gateway=FLAGS) as tea,
        chromium() as chrome,
        enter(tea, chrome, "ada", codecs) as ada,
        enter(tea, chrome, "bea", codecs) as bea,
    ):
        await ada.page.until_agreed(*codecs)
        await ada.page.subscribe(camera=RED, width=320, scalability="L1T3")
        await bea.page.subscribe(camera=BLUE, width=320)
        reds, blues = await bea.stream_of(ada.attendee_id), await ada.stream_of(bea.attendee_id)
        await ada.page.subscribe(camera=RED, width=320, streams=[blues], scalability="L1T3")
        await bea.page.subscribe(camera=BLUE, width=320, streams=[reds])
        await bea.page.see(reds, RED, "AV1", width=320)
        await ada.page.see(blues, BLUE, "AV1", width=320)
        await until_reasons(tea, ["wanted", "wanted"])

        bot = await bot_of(tea, "bot", is_muted=True)
        await bot.session.video.start_remote_video()
        for sender in (ada, bea):
            await sender.page.until_agreed("VP8")
        await until_reasons(tea, ["wanted", "wanted"] + ["cannot_decode"] * 2)
        await ada.page.subscribe(camera=RED, width=320, streams=[blues])
        await bea.page.see(reds, RED, "VP8", width=320)
        await until_seen(bot, ada.attendee_id, RED, TOLERANCE)
        await bot.session.leave()


async def test_av1_with_spatial_layers_reaches_only_browsers_with_dependency_descriptors() -> None:
    codecs = ["AV1", "VP8"]
    async with (
        browsers(gateway=FLAGS) as tea,
        chromium() as chrome,
        enter(tea, chrome, "ada", codecs) as ada,
        enter(tea, chrome, "bea", codecs) as bea,
        enter(tea, chrome, "cas", codecs) as cas,
    ):
        await ada.page.until_agreed(*codecs)
        await ada.page.subscribe(camera=RED, scalability="L3T3", describes=True)
        stream = await bea.stream_of(ada.attendee_id)
        # Chromium cannot decode these layers without descriptors, so it gets no packets.
        await cas.page.subscribe(streams=[stream])
        await bea.page.subscribe(streams=[stream], describes=True)
        await bea.page.see(stream, RED, "AV1", width=640)
        assert await cas.page.packets(stream) == 0
