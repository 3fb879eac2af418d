"""Browsers whose UDP path fails without an error, while their signaling connections continue.

Media stops sending to these browsers when their consent expires, and the same sessions connect
again later. The test verifies a row of the table "When something fails" in `docs/browser-face.md`.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack

import aioice.ice
import pytest

from carillon.media import AudioReceiver
from eventually import eventually
from installation import Installation
from test_end_to_end import LiveMeeting, live_meeting
from Web.browser_peer import BrowserPeer, Sound
from Web.signaling_client import SignalingClient, client_of
from Web.test_browser_sound import tone, until_loud
from Web.test_library_sound import bot_of, speaking, until_bot_hears
from Web.test_sdk_expectations import say_join
from Web.test_sound_faults import DEFAULTS
from Web.udp_relay import Address, Loss, UDPRelay

pytestmark = [pytest.mark.alone, pytest.mark.seconds(180)]

CONSENT = 30.0
"""How long media may send after the last connectivity check (RFC 7675, section 5.1)."""
CHECKS = 8.0
"""An upper bound of the time between two checks of a browser, in seconds."""
MARGIN = 3.0
"""The longest delay of a busy machine, in seconds."""

EXPIRED = "carillon_media_ice_consents_expired_total"
HANDSHAKES = "carillon_media_dtls_handshakes_total"


class FailingPath(UDPRelay):
    """A relay that forwards all datagrams. After a cut, it drops those that the browser sends."""

    def __init__(self) -> None:
        super().__init__(Loss(0, 0.0), Loss(0, 0.0))
        self.is_cut = False
        self.checked_at = 0.0
        """The time when the relay last forwarded a connectivity check."""
        self.sent_at = 0.0
        """The time when media last sent a datagram."""

    def _go_up(self, datagram: bytes, client: Address) -> None:
        if self.is_cut:
            return
        if datagram[:2] == b"\x00\x01":
            self.checked_at = time.monotonic()
        super()._go_up(datagram, client)

    def _go_down(self, datagram: bytes, client: Address) -> None:
        self.sent_at = time.monotonic()
        super()._go_down(datagram, client)


class FailingPeer(BrowserPeer):
    """A peer connection over a path that may fail."""

    def __init__(self, client: SignalingClient, sound: Sound, path: FailingPath) -> None:
        super().__init__(client, sound)
        self._path = path

    async def _routed(self, answer: str) -> str:
        return await self._path.routed_answer(answer)


class Caller:
    """A browser in a meeting, with its signaling connection and its path to media."""

    def __init__(self, hertz: float, stack: AsyncExitStack) -> None:
        self.hertz = hertz
        self.path = FailingPath()
        self._stack = stack
        self._client: SignalingClient | None = None
        self._peer: FailingPeer | None = None

    async def enter(self, tea: LiveMeeting, name: str) -> None:
        """Joins the meeting, and waits for sound."""
        who = await tea.create(name)
        signaling = client_of(tea.installation, tea.meeting.meeting_id, who)
        self._client = await self._stack.enter_async_context(signaling)
        self._stack.callback(self.path.close)
        await say_join(self._client)
        await self._client.next("JOIN_ACK")
        await self.connect()

    async def connect(self) -> None:
        """Negotiates a new peer connection in the same session, and waits for sound."""
        if self._peer is not None:
            await self._peer.close()
        self.path.is_cut = False
        self._peer = FailingPeer(self.client, tone(self.hertz, 240), self.path)
        self._stack.push_async_callback(self._peer.close)
        await self._peer.subscribe()
        await self.hears()

    async def hears(self) -> None:
        """Waits until the browser receives the sound of others."""
        assert self._peer is not None
        await until_loud(self._peer)

    @property
    def client(self) -> SignalingClient:
        assert self._client is not None
        return self._client


async def counted(installation: Installation, name: str) -> float:
    return (await installation.metrics(installation.media)).sum(name)


def steps(installation: Installation) -> tuple[int, int]:
    """Returns how often media connected and disconnected the sessions of browsers."""
    log = (installation.directory / "media-a.log").read_text()
    return log.count("A browser connected"), log.count("A browser disconnected")


async def expired(installation: Installation, count: int) -> None:
    """Waits until the consent of `count` browsers has expired."""

    async def is_expired() -> bool:
        return await counted(installation, EXPIRED) >= count

    await eventually(f"{count} expired consents", is_expired, within=CONSENT + CHECKS)


async def test_media_stops_sending_to_silent_browsers_and_their_sessions_connect_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Without this change, aioice would close its side at about the same time as media.
    monkeypatch.setattr(aioice.ice, "CONSENT_FAILURES", 100)
    flags = {"presence": DEFAULTS, "media": ["--log-level", "debug"]}
    async with live_meeting(**flags) as tea, AsyncExitStack() as stack:
        bot = await bot_of(tea)
        connection = await bot.session.media.open()
        callers = [Caller(440, stack), Caller(700, stack)]
        ada, bea = callers
        receiver = stack.enter_context(AudioReceiver(connection))
        await stack.enter_async_context(speaking(connection))
        for name, caller in (("ada", ada), ("bea", bea)):
            await caller.enter(tea, name)
        handshakes = await counted(tea.installation, HANDSHAKES)
        assert await counted(tea.installation, EXPIRED) == 0
        assert steps(tea.installation) == (2, 0)

        cut = time.monotonic()
        for caller in callers:
            caller.path.is_cut = True
        await expired(tea.installation, len(callers))
        # The bot still speaks, so only the lost consent ends the stream of packets.
        assert steps(tea.installation) == (2, 2)
        seen = time.monotonic()
        await asyncio.sleep(2)
        for caller in callers:
            since_check = caller.path.sent_at - caller.path.checked_at
            print(f"sent until {since_check:.2f} s after the last check")
            assert caller.path.sent_at > cut + CONSENT - CHECKS - MARGIN
            assert since_check < CONSENT + MARGIN
            assert caller.path.sent_at < seen + 0.1

        # Ada's next check restores her connection, which keeps its keys. Bea's browser connects
        # anew.
        ada.path.is_cut = False
        await ada.hears()
        await until_bot_hears(receiver, ada.hertz)
        assert await counted(tea.installation, HANDSHAKES) == handshakes
        await bea.connect()
        assert steps(tea.installation) == (4, 2)
        assert await counted(tea.installation, HANDSHAKES) == handshakes + 1
        assert await counted(tea.installation, EXPIRED) == len(callers)

        # The signaling connections have continued, so the bot has seen nobody leave.
        assert [caller.client.close_code for caller in callers] == [None, None]
        assert bot.departures == []
