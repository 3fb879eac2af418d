"""Video of the library in Chromium, with real services."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

import pytest
from playwright.async_api import Page

from carillon import SessionOptions, VideoLayer
from carillon.media import VideoSender
from carillon.media.pattern.camera import pattern
from eventually import eventually
from swift_client import swift_client
from test_end_to_end import Attendee, LiveMeeting, live_meeting
from Web.browser import chromium, needs_chromium
from Web.faulty_peer import LONGEST_STALL
from Web.library_video import (
    enter,
    longest_gap,
    send,
    shown,
    tiles,
    until_layers,
    until_nobody,
    until_shown,
    until_wide,
    wish,
)
from Web.numbered_pictures import numbered
from Web.test_browser_video import browser as watcher
from Web.test_meeting import FLAGS
from Web.test_sdk_expectations import browsers
from Web.udp_relay import slow_relay

pytestmark = [needs_chromium, pytest.mark.seconds(240)]

SWITCHES_WITHIN_SECONDS = 1.0


async def test_a_small_tile_gets_the_small_layer_and_a_large_tile_gets_the_large_layer() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        ada, bea = await enter(browser, tea, "ada"), await enter(browser, tea, "bea")
        await send(ada, 640, 480)
        await until_wide(bea, 640, 640, seconds=30)
        await wish(bea, "low")
        assert await until_wide(bea, 320, 320, seconds=30) <= SWITCHES_WITHIN_SECONDS
        await wish(bea, "high")
        assert await until_wide(bea, 640, 640, seconds=30) <= SWITCHES_WITHIN_SECONDS


async def show_two_layers(bot: Attendee) -> None:
    """Publishes a camera in two sizes until cancelled."""
    layers = [VideoLayer(320, 180, 15, 150_000), VideoLayer(640, 360, 15, 600_000)]
    published = await bot.session.video.publish(layers)
    connection = await bot.session.media.open()
    with (
        VideoSender(connection, published, layer=0) as small,
        VideoSender(connection, published, layer=1) as large,
    ):
        number = 0
        while True:
            await small.send(pattern(number, 320, 180))
            await large.send(pattern(number, 640, 360))
            number += 1
            await asyncio.sleep(1 / 15)


@asynccontextmanager
async def bot_with_layers(tea: LiveMeeting, client: str) -> AsyncIterator[None]:
    """Runs a bot that uses a client library, and sends its camera in several sizes."""
    if client == "swift":
        async with swift_client(tea, "bot", "--camera", "pattern"):
            yield
    else:
        showing = asyncio.create_task(show_two_layers(await tea.enter("bot")))
        yield
        showing.cancel()
        await asyncio.wait([showing])


@pytest.mark.parametrize("client", ["python", "swift"])
async def test_a_tile_gets_the_small_and_the_large_layer_of_a_bot_within_a_second(
    client: str,
) -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        ada = await enter(browser, tea, "ada")
        async with bot_with_layers(tea, client):
            await until_wide(ada, 640, 640, seconds=30)
            for _ in range(2):
                await wish(ada, "low")
                assert await until_wide(ada, 1, 320, seconds=30) <= SWITCHES_WITHIN_SECONDS
                await wish(ada, "high")
                assert await until_wide(ada, 640, 640, seconds=30) <= SWITCHES_WITHIN_SECONDS


async def test_a_camera_becomes_visible_each_time_it_is_turned_on() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        ada, bea = await enter(browser, tea, "ada"), await enter(browser, tea, "bea")
        await send(ada, 640, 480)
        await until_wide(bea, 640, 640, seconds=30)
        for _ in range(5):
            await ada.evaluate("session.stopLocalVideo()")
            await until_nobody(bea)
            await send(ada, 640, 480)
            # The subscription has ended together with the video.
            await wish(bea, "high")
            await until_wide(bea, 640, 640, seconds=30)
            await wish(bea, "low")
            await until_wide(bea, 320, 320, seconds=30)


async def tile_rows(tea: LiveMeeting) -> list[tuple[str, int, int]]:
    """Returns the reason, the layer and the number of layers of each row of `carillon tiles`."""
    rows = await tiles(tea)
    return [(row["reason"], row["layer"], len(row["layers"])) for row in rows]


async def test_the_library_and_carillon_tiles_show_the_layer_that_a_browser_gets() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        ada, bea = await enter(browser, tea, "ada"), await enter(browser, tea, "bea")
        await send(ada, 640, 480)
        await until_wide(bea, 640, 640, seconds=30)
        [attendee_id] = await bea.evaluate("[...sources.keys()]")
        await until_layers(ada, rids=["low", "hi"])
        await until_layers(bea, of=attendee_id, layer=2)
        assert await tile_rows(tea) == [("wanted", 2, 2)]
        await wish(bea, "low")
        await until_layers(bea, of=attendee_id, layer=1)
        assert await tile_rows(tea) == [("wanted", 1, 2)]
        await bea.evaluate("session.pauseRemoteVideoTile(tiles[0])")
        while await tile_rows(tea) != [("paused_by_user", 0, 2)]:
            await asyncio.sleep(0.1)


UNTIL_MEASURED = """(names) => new Promise((resolve) => {
  const observer = {
    metricsDidReceive: (metrics) => {
      if (!names.every((name) => metrics[name] > 0)) return;
      session.removeMetricsObserver(observer);
      resolve(metrics);
    },
  };
  session.addMetricsObserver(observer);
})"""


async def test_video_metrics_exist_while_video_flows() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        ada, bea = await enter(browser, tea, "ada"), await enter(browser, tea, "bea")
        await send(ada, 320, 240)
        sent = await ada.evaluate(
            UNTIL_MEASURED, ["videoSendBitrate", "videoSendFps", "videoAvailableSendBandwidth"]
        )
        assert 0 < sent["videoSendFps"] <= 31 and sent["videoSendRttMs"] >= 0
        assert sent["videoSendPacketLossPercent"] == 0
        assert not [name for name in sent if name.startswith("videoReceive")]
        received = await bea.evaluate(UNTIL_MEASURED, ["videoReceiveBitrate"])
        assert received["videoReceivePacketLossPercent"] == 0
        assert not [name for name in received if name.startswith("videoSend")]


async def test_a_small_camera_sends_one_layer_and_a_larger_camera_sends_two_layers() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        ada, bea = await enter(browser, tea, "ada"), await enter(browser, tea, "bea")
        await send(ada, 320, 240)
        await until_wide(bea, 320, 320, seconds=30)
        await send(ada, 640, 480)
        await until_wide(bea, 640, 640, seconds=30)
        await wish(bea, "low")
        await until_wide(bea, 320, 320, seconds=30)
        assert await bea.evaluate("tiles.length") == 1


UNTIL_UPLINK = """({ least, most, seconds }) => new Promise((resolve, reject) => {
  const seen = [];
  const observer = {
    metricsDidReceive: ({ videoAvailableSendBandwidth: bits }) => {
      seen.push(bits);
      if (least <= bits && bits <= most) resolve(bits);
      else if (seen.length > seconds) reject(new Error(`the estimates are ${seen}`));
      else return;
      session.removeMetricsObserver(observer);
    },
  };
  session.addMetricsObserver(observer);
})"""

LINK = 500_000
"""The estimated bandwidth of the receiver's link, in bit/s."""


async def test_chromium_adapts_its_camera_to_the_link_of_the_only_receiver() -> None:
    async with browsers(gateway=FLAGS) as tea, chromium() as browser, watcher(tea, "bea") as bea:
        ada = await enter(browser, tea.tea, "ada")
        await send(ada, 640, 480)
        free = {"least": LINK * 3 // 2, "most": 10**9, "seconds": 30}
        await ada.evaluate(UNTIL_UPLINK, free)
        await bea.client.until(lambda: bool(bea.sources), "an index with a camera")
        await bea.peer.subscribe(streams=[bea.sources[-1].stream_id])

        async def report() -> None:
            while True:
                await bea.peer.report_link(LINK)
                await asyncio.sleep(0.1)

        reporting = asyncio.create_task(report())
        await ada.evaluate(UNTIL_UPLINK, {"least": 1, "most": LINK, "seconds": 30})
        reporting.cancel()
        await bea.peer.subscribe()
        await ada.evaluate(UNTIL_UPLINK, free)


SLOW_LINK = 800_000
"""The bitrate of a receiver's slow link, in bit/s."""

CAMERA = VideoLayer(320, 180, 15, 450_000)
"""The only layer of each camera. The slow link carries one such camera, and not two."""

JUDGED = 60
"""The number of pictures of the preferred camera that the test judges."""

PREFER = """async (attendeeId) => {
  const { VideoPriority, VideoSubscriptionConfiguration } =
    await import("/js/carillon/carillon.js");
  const wishes = [...sources.values()].map((source) => {
    const wish = new VideoSubscriptionConfiguration();
    const isPreferred = source.attendeeId === attendeeId;
    wish.priority = isPreferred ? VideoPriority.highest : VideoPriority.lowest;
    return [source, wish];
  });
  session.updateVideoSourceSubscriptions(new Map(wishes));
}"""

PAUSED = """() => session.videoTiles.filter(({ pauseState }) => pauseState === 2)
  .map(({ attendeeId }) => attendeeId)"""
"""Returns the attendees whose tiles are paused because the link is slow."""


async def show(bot: Attendee) -> None:
    """Publishes a camera of numbered pictures, which need the camera's bitrate, until cancelled."""
    published = await bot.session.video.publish([CAMERA])
    with VideoSender(await bot.session.media.open(), published) as sender:
        for number in count():
            await sender.send(numbered(number, CAMERA.width, CAMERA.height))
            await asyncio.sleep(1 / CAMERA.frames_per_second)


async def until_paused(page: Page, *attendee_ids: str) -> None:
    """Waits until exactly the tiles of these attendees are paused because the link is slow."""

    async def are_paused() -> bool:
        return set(await page.evaluate(PAUSED)) == set(attendee_ids)

    await eventually(f"paused tiles of {attendee_ids}", are_paused, within=60, every=0.1)


async def test_on_a_slow_link_the_preferred_camera_moves_while_the_others_pause() -> None:
    async with (
        live_meeting(gateway=FLAGS) as tea,
        chromium() as browser,
        slow_relay(SLOW_LINK) as relay,
        asyncio.TaskGroup() as group,
    ):
        gateway = f"ipc://{tea.installation.client_socket}"
        bots = [
            await tea.enter(f"bot-{number}", SessionOptions(gateway_url=gateway, is_muted=True))
            for number in range(3)
        ]
        ids = [bot.session.attendee_id for bot in bots]
        page = await enter(browser, tea, "ada", relay=relay)
        shows = [group.create_task(show(bot)) for bot in bots]

        async def knows_all() -> bool:
            return set(await page.evaluate("[...sources.keys()]")) == set(ids)

        await eventually("all sources", knows_all)
        # A second choice shows that the priority, and not the order of the cameras, decides.
        for preferred in (ids[2], ids[0]):
            others = [each for each in ids if each != preferred]
            await page.evaluate(PREFER, preferred)
            await until_paused(page, *others)
            began = time.time()
            await until_shown(page, preferred, JUDGED)
            gap = await longest_gap(page, preferred, began)
            print(f"the preferred camera: gaps of {gap:.2f} s")
            assert gap < LONGEST_STALL
            for other in others:
                assert len([at for at in await shown(page, other) if at > began]) < JUDGED / 4
        # When the link becomes fast again, all cameras move again.
        relay.bottleneck = None
        for attendee_id in ids:
            await until_shown(page, attendee_id)
        for task in shows:
            task.cancel()
