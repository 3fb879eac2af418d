"""A browser behind a NAT that assigns another UDP port in the middle of a meeting.

The browser does not notice the change: only media sees another address. The next check from the new
port moves the connection. These tests verify the table in `docs/browser-face.md`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from carillon.media import AudioReceiver
from installation import Installation
from test_end_to_end import LiveMeeting, live_meeting
from Web.browser import chromium, needs_chromium, new_page
from Web.browser_peer import BrowserPeer, Sound, loudest_hertz, loudness
from Web.nat import NAT, nat
from Web.page_sound import listen, microphone, until_heard
from Web.signaling_client import SignalingClient, client_of
from Web.test_browser_sound import tone
from Web.test_library_sound import BOT_HERTZ, START, bot_of, speaking, until_bot_hears
from Web.test_meeting import FLAGS
from Web.test_sdk_expectations import say_join
from Web.test_sound_faults import DEFAULTS, WATCH
from Web.udp_relay import ROUTE_ANSWERS

pytestmark = [pytest.mark.alone, pytest.mark.seconds(150)]

MOVES = 3
CHECK_SECONDS = 8.0
"""The longest time until a browser's next check: at most 6 s (RFC 7675, section 5.1), and a delay.
"""
SOON = 0.3
"""The longest time from the connectivity check until media sends to the new port, in seconds.

The connection moves with the first packet after the check. Browsers send one every 20 ms.
"""
HEARD_SOON = 0.6
"""The longest time from the connectivity check until others hear the browser, in seconds."""
LOUD = 300

HANDSHAKES = "carillon_media_dtls_handshakes_total"
LOST = "carillon_media_ice_consents_expired_total"


class PeerBehindNAT(BrowserPeer):
    """A peer connection with a NAT in front of media."""

    def __init__(self, client: SignalingClient, sound: Sound, behind: NAT) -> None:
        super().__init__(client, sound)
        self._nat = behind

    async def _routed(self, answer: str) -> str:
        return await self._nat.routed_answer(answer)


class Ear:
    """A record of the times when a bot hears sound."""

    def __init__(self) -> None:
        self.loud_at: list[float] = []
        """When each loud frame arrived, by the event loop's clock."""

    @asynccontextmanager
    async def listening(self, receiver: AudioReceiver) -> AsyncIterator[None]:
        """Records the times of loud frames during the block."""

        async def note() -> None:
            async for frame in receiver:
                if loudness(frame[:, 0]) > LOUD:
                    self.loud_at.append(asyncio.get_running_loop().time())

        task = asyncio.create_task(note())
        try:
            yield
        finally:
            task.cancel()

    async def after(self, time: float) -> float:
        """Waits for the first loud sound after `time`, and returns when the bot heard it."""
        async with asyncio.timeout(30):
            while not self.loud_at or self.loud_at[-1] <= time:
                await asyncio.sleep(0.01)
        return next(each for each in self.loud_at if each > time)


async def outcomes(installation: Installation) -> dict[str, float]:
    """Returns the counters that a lost or repeated connection would change."""
    metrics = await installation.metrics(installation.media)
    return {name: metrics.sum(name) for name in (HANDSHAKES, LOST)}


async def move(
    tea: LiveMeeting, behind: NAT, receiver: AudioReceiver, hears: Callable[[], Awaitable[object]]
) -> None:
    """Changes the ports several times, and asserts that both directions return in time.

    - Parameter hears: Waits until the browser hears the bot.
    """
    before = await outcomes(tea.installation)
    ear = Ear()
    async with ear.listening(receiver):
        for _ in range(MOVES):
            behind.change_ports()
            changed = asyncio.get_running_loop().time()
            checked, answered = await behind.until_answered(CHECK_SECONDS)
            heard = await ear.after(checked)
            print(
                f"check after {checked - changed:.2f} s, mix {answered - checked:.3f} s later, "
                f"heard {heard - checked:.3f} s later"
            )
            assert checked - changed < CHECK_SECONDS
            assert answered - checked < SOON
            assert heard - checked < HEARD_SOON
            await hears()
    assert await outcomes(tea.installation) == before


async def test_a_peer_whose_port_changes_keeps_its_connection() -> None:
    async with live_meeting(presence=DEFAULTS) as tea, nat() as behind:
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        who = await tea.create("ada")
        async with client_of(tea.installation, tea.meeting.meeting_id, who) as client:
            await say_join(client)
            await client.next("JOIN_ACK")
            peer = PeerBehindNAT(client, tone(440, 120), behind)
            try:
                await peer.subscribe()

                async def hears() -> None:
                    async with asyncio.timeout(20):
                        while True:
                            heard = await peer.hear(0.5)
                            if loudest_hertz(heard) == pytest.approx(BOT_HERTZ, rel=0.01):
                                return

                async with speaking(connection):
                    with AudioReceiver(connection) as receiver:
                        await until_bot_hears(receiver, 440)
                        await hears()
                        await move(tea, behind, receiver, hears)
                assert client.close_code is None
                assert bot.departures == []
            finally:
                await peer.close()


@needs_chromium
async def test_a_page_whose_port_changes_keeps_its_connection(tmp_path: Path) -> None:
    async with (
        live_meeting(gateway=FLAGS, presence=DEFAULTS) as tea,
        nat() as behind,
        chromium(*microphone(440, path=tmp_path / "ada.wav")) as browser,
    ):
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        page = await new_page(browser)
        await page.expose_function("routedAnswer", behind.routed_answer)
        await page.add_init_script(ROUTE_ANSWERS)
        await page.goto(f"http://127.0.0.1:{tea.installation.rest_port}/")
        await page.evaluate(START, {"name": "ada", "withMicrophone": True})
        await page.evaluate(WATCH)
        await listen(page, "#library-mix")
        async with speaking(connection):
            with AudioReceiver(connection) as receiver:
                await until_heard(page, BOT_HERTZ)
                await until_bot_hears(receiver, 440)
                await move(tea, behind, receiver, lambda: until_heard(page, BOT_HERTZ))
        assert await page.evaluate("happened") == []
        assert bot.departures == []
