"""Strangers at media's UDP port, and the SRTP profiles of browsers."""

from __future__ import annotations

import asyncio
import os
import struct
import zlib
from typing import Any

import aiortc.rtcdtlstransport as dtls
import pytest

from carillon.media import AudioReceiver
from eventually import eventually
from test_end_to_end import LiveMeeting, live_meeting
from Web.browser_peer import BrowserPeer, Sound, loudest_hertz, loudness
from Web.signaling_client import SignalingClient, client_of
from Web.test_browser_sound import bot_of, browser, hear, tone, traced, until_loud
from Web.test_library_sound import BOT_HERTZ, speaking
from Web.test_sdk_expectations import browsers, say_join
from Web.udp_relay import Address, Loss, UDPRelay

pytestmark = pytest.mark.seconds(240)

MOST_AMPLIFIED = 3.0
"""The largest number of bytes that media may send to an address for each byte from this address,
before the address has proven itself. RFC 9000, section 8.1, has the same limit.
"""
MAGIC = 0x2112A442
"""The magic cookie of STUN (RFC 8489, section 5)."""


class Stranger(asyncio.DatagramProtocol):
    """A UDP socket that counts bytes in both directions."""

    def __init__(self) -> None:
        self.sent = 0
        self.received: list[bytes] = []
        self._transport: asyncio.DatagramTransport | None = None

    async def open(self, target: Address) -> None:
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_datagram_endpoint(lambda: self, remote_addr=target)

    def send(self, datagram: bytes) -> None:
        assert self._transport is not None
        self.sent += len(datagram)
        self._transport.sendto(datagram)

    def datagram_received(self, data: bytes, addr: Any) -> None:
        self.received.append(data)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    @property
    def amplification(self) -> float:
        return sum(map(len, self.received)) / max(self.sent, 1)


class Tap(UDPRelay):
    """A relay that loses nothing, and stores the browser's connectivity checks."""

    def __init__(self) -> None:
        super().__init__(Loss(0, 0.0), Loss(0, 0.0))
        self.checks: list[bytes] = []

    @property
    def target(self) -> Address:
        """The address of media."""
        return self._host, self._target

    def _go_up(self, datagram: bytes, client: Address) -> None:
        if datagram[:2] == b"\x00\x01":
            self.checks.append(datagram)
        super()._go_up(datagram, client)


class TappedPeer(BrowserPeer):
    """A peer connection with a relay in front of media."""

    def __init__(self, client: SignalingClient, sound: Sound, tap: Tap) -> None:
        super().__init__(client, sound)
        self._tap = tap

    async def _routed(self, answer: str) -> str:
        return await self._tap.routed_answer(answer)


def stun(kind: int, attributes: bytes = b"") -> bytes:
    """Returns a STUN message with a random transaction id."""
    return struct.pack("!HHI", kind, len(attributes), MAGIC) + os.urandom(12) + attributes


def with_fingerprint(message: bytes) -> bytes:
    """Returns a STUN message with FINGERPRINT (RFC 8489, section 14.7), as ICE requires it."""
    length = int.from_bytes(message[2:4]) + 8
    message = message[:2] + length.to_bytes(2) + message[4:]
    return message + struct.pack("!HHI", 0x8028, 4, zlib.crc32(message) ^ 0x5354554E)


def username(name: bytes) -> bytes:
    """Returns the attribute USERNAME."""
    return struct.pack("!HH", 6, len(name)) + name + b"\0" * (-len(name) % 4)


def user_name(check: bytes) -> bytes:
    """Returns the user name in a check."""
    at = 20
    while at < len(check):
        kind, length = struct.unpack_from("!HH", check, at)
        if kind == 6:
            return check[at + 4 : at + 4 + length]
        at += 4 + length + -length % 4
    raise AssertionError("The check has no user name.")


def client_hello() -> bytes:
    """Returns a DTLS record whose content claims to be a ClientHello."""
    body = b"\xfe\xfd" + os.urandom(120)
    handshake = b"\x01" + len(body).to_bytes(3) + b"\0\0\0\0\0" + len(body).to_bytes(3) + body
    return b"\x16\xfe\xfd" + b"\0" * 8 + len(handshake).to_bytes(2) + handshake


def strange_datagrams(checks: list[bytes]) -> list[bytes]:
    """Returns datagrams from an address that has proven nothing.

    - Parameter checks: The checks of a browser, whose user name a stranger may have seen.
    """
    name = user_name(checks[0])
    return [
        stun(0x0001),
        stun(0x0001, username(b"nobody:nothing")),
        stun(0x0001, username(name)),
        with_fingerprint(stun(0x0001, username(name))),
        with_fingerprint(stun(0x0001, username(name) + struct.pack("!HH", 8, 20) + bytes(20))),
        with_fingerprint(stun(0x0001, username(name) + struct.pack("!HHI", 0x7777, 4, 0))),
        stun(0x0001, username(name) + struct.pack("!HH", 8, 20) + os.urandom(20)),
        stun(0x0101),
        stun(0x0011),
        stun(0x0003),
        client_hello(),
        b"\x80\x6f" + os.urandom(100),
        b"\x80\xc8" + os.urandom(100),
        os.urandom(1),
        os.urandom(1_200),
        b"",
    ]


async def tapped(tea: LiveMeeting, client: SignalingClient, tap: Tap) -> TappedPeer:
    """Connects a browser that speaks, and waits until the browser hears the bot."""
    await say_join(client)
    await client.next("JOIN_ACK")
    peer = TappedPeer(client, tone(440, 120), tap)
    await peer.subscribe()
    await until_loud(peer)
    await eventually("checks of the browser", lambda: len(tap.checks) > 1)
    return peer


@pytest.mark.parametrize("profile", dtls.SRTP_PROFILES, ids=lambda each: each.openssl_profile)
async def test_a_browser_with_a_single_srtp_profile_hears_and_is_heard(
    profile: dtls.SRTPProtectionProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dtls, "SRTP_PROFILES", [profile])
    async with browsers(media=["--log-format", "json", "--log-level", "debug"]) as tea:
        bot = await bot_of(tea, "bot")
        connection = await bot.session.media.open()
        log = tea.tea.installation.directory / "media-a.log"
        for waits in (False, True):
            name = f"ada-{waits}"
            async with browser(tea, name, tone(440, 60), waits_for_handshake=waits) as ada:
                async with speaking(connection):
                    await until_loud(ada)
                    assert loudest_hertz(await ada.hear(1)) == pytest.approx(BOT_HERTZ, rel=0.01)
                with AudioReceiver(connection) as receiver:
                    assert loudest_hertz(await hear(receiver, 1)) == pytest.approx(440, rel=0.01)
            steps = await traced(ada.attendee_id, log)
            used = steps["A browser connected"]["srtp.profile"]
            assert used == profile.openssl_profile.decode(), used


async def test_media_sends_little_to_addresses_that_prove_nothing() -> None:
    async with live_meeting() as tea:
        bot = await tea.enter("bot")
        who = await tea.create("ada")
        tap = Tap()
        async with client_of(tea.installation, tea.meeting.meeting_id, who) as client:
            async with speaking(await bot.session.media.open()):
                peer = await tapped(tea, client, tap)
                try:
                    strangers = [await sent(each, tap) for each in strange_datagrams(tap.checks)]
                    # The browser's connection is unharmed.
                    assert loudness(await peer.hear(1)) > 1_000
                    amplified = [each.amplification for each in strangers]
                    print(f"media sent {max(amplified):.2f} bytes for each byte")
                    assert 0 < max(amplified) <= MOST_AMPLIFIED
                    # Media answers only checks that name a browser, and each answer is an error.
                    answers = [each for stranger in strangers for each in stranger.received]
                    assert all(each[:2] == b"\x01\x11" for each in answers)
                finally:
                    tap.close()
                    await peer.close()


async def sent(datagram: bytes, tap: Tap) -> Stranger:
    """Sends a datagram 20 times from a new address, and returns the socket of this address."""
    stranger = Stranger()
    await stranger.open(tap.target)
    for _ in range(20):
        stranger.send(datagram)
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.2)
    stranger.close()
    return stranger


async def test_replayed_checks_move_no_connection() -> None:
    async with live_meeting() as tea:
        bot = await tea.enter("bot")
        who = await tea.create("ada")
        tap, stranger = Tap(), Stranger()
        async with client_of(tea.installation, tea.meeting.meeting_id, who) as client:
            async with speaking(await bot.session.media.open()):
                peer = await tapped(tea, client, tap)
                try:
                    await stranger.open(tap.target)
                    loud = asyncio.create_task(peer.hear(4))
                    for _ in range(40):
                        for check in tap.checks:
                            stranger.send(check)
                        await asyncio.sleep(0.1)
                    assert loudness(await loud) > 1_000
                    print(f"media sent {stranger.amplification:.2f} bytes for each byte")
                    assert stranger.amplification <= MOST_AMPLIFIED
                    assert client.close_code is None
                finally:
                    stranger.close()
                    tap.close()
                    await peer.close()
