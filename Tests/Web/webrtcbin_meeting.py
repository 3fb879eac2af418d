"""A meeting of two peers of GStreamer's `webrtcbin` and a bot. `make webrtcbin-test` runs it.

CI does not run this file, because the peers need many packages of GStreamer.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from carillon.media import AudioReceiver
from carillon.signaling import signaling_pb2 as wire
from eventually import due
from Web.browser_peer import RATE, Sound
from Web.signaling_client import SignalingClient, client_of
from Web.test_browser_sound import bot_of, hear
from Web.test_browser_video import until_seen
from Web.test_library_sound import BOT_HERTZ, speaking
from Web.test_sdk_expectations import Browsers, browsers, say_join
from Web.video_peer import BLUE, RED, Colour, is_like, subscription

pytestmark = pytest.mark.seconds(60)

PEER = Path(__file__).with_name("webrtcbin_peer.py")
LOUD = 500
"""The smallest amplitude of a heard tone. The peers and the bot send more than 9,000."""
TOLERANCE = 45
"""The largest error of a colour that was encoded and converted, for each of red, green and blue."""


class WebrtcbinPeer:
    """The program with the peer connection, and the signaling of its attendee."""

    def __init__(self, client: SignalingClient, program: asyncio.subprocess.Process) -> None:
        self.sounds: list[Sound] = []
        self.pictures: list[Colour] = []
        self._client, self._program = client, program
        self._offers: asyncio.Queue[str] = asyncio.Queue()
        self._news = asyncio.Condition()
        self._state = ""
        self._reader = asyncio.create_task(self._read())

    async def subscribe(self, *streams: int) -> None:
        """Subscribes to streams, and sends the camera and the microphone."""
        if streams:
            self._write({"receives": True})
        offer = await self._offers.get()
        subscribe = subscription(offer, streams, sends=True)
        subscribe.audio_muted = False
        await self._client.send("SUBSCRIBE", sub=subscribe)
        answer = await self._client.next("SUBSCRIBE_ACK")
        assert not answer.error.status, answer.error
        self._write({"answer": answer.suback.sdp_answer})
        async with due("a connection of webrtcbin"), self._news:
            await self._news.wait_for(lambda: self._state == "connected")

    async def stream_of(self, attendee_id: str) -> int:
        """Waits until the index lists an attendee's camera, and returns its stream."""

        def found() -> list[int]:
            return [
                source.stream_id
                for frame in self._client.frames
                for source in frame.index.sources
                if source.attendee_id == attendee_id and source.media_type == wire.VIDEO
            ]

        await self._client.until(lambda: bool(found()), f"an index with {attendee_id}")
        return found()[-1]

    async def hears(self, hertz: float) -> None:
        """Waits until half a second of the mix contains a tone."""
        async with due(f"a tone of {hertz} Hz at webrtcbin"), self._news:
            await self._news.wait_for(lambda: amplitude(self._last_sound, hertz) > LOUD)

    async def sees(self, colour: Colour) -> None:
        """Waits until the last ten pictures have a colour."""

        def is_seen() -> bool:
            last = self.pictures[-10:]
            return len(last) == 10 and all(is_like(each, colour, TOLERANCE) for each in last)

        async with due(f"pictures like {colour} at webrtcbin"), self._news:
            await self._news.wait_for(is_seen)

    async def close(self) -> None:
        self._reader.cancel()
        assert self._program.stdin is not None
        self._program.stdin.close()
        await self._program.wait()

    @property
    def _last_sound(self) -> Sound:
        parts = self.sounds[-25:]
        return np.concatenate(parts) if len(parts) == 25 else np.zeros(1, np.int16)

    def _write(self, line: dict[str, Any]) -> None:
        assert self._program.stdin is not None
        self._program.stdin.write(json.dumps(line).encode() + b"\n")

    async def _read(self) -> None:
        assert self._program.stdout is not None
        async for text in self._program.stdout:
            line = json.loads(text)
            async with self._news:
                match line:
                    case {"offer": offer}:
                        self._offers.put_nowait(offer)
                    case {"state": state}:
                        self._state = state
                    case {"sound": sound}:
                        self.sounds.append(np.frombuffer(base64.b64decode(sound), np.int16))
                    case {"picture": [red, green, blue]}:
                        self.pictures.append((red, green, blue))
                self._news.notify_all()


def amplitude(sound: Sound, hertz: float) -> float:
    """Returns the amplitude of a tone."""
    turn = np.exp(-2j * np.pi * hertz * np.arange(len(sound)) / RATE)
    return float(2 * abs(np.mean(sound * turn)))


@asynccontextmanager
async def webrtcbin(
    tea: Browsers, name: str, hertz: float, camera: str, colour: Colour, receives: str
) -> AsyncIterator[tuple[str, WebrtcbinPeer]]:
    """Runs an attendee whose peer connection is `webrtcbin`. Yields its id and its peer."""
    who = await tea.tea.create(name)
    arguments = [f"{hertz}", camera, bytes(colour).hex(), receives]
    program = await asyncio.create_subprocess_exec(
        *("setpriv", "--pdeathsig", "KILL", "/usr/bin/python3", str(PEER), *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=sys.stderr,
        limit=1 << 20,
    )
    async with client_of(tea.tea.installation, tea.tea.meeting.meeting_id, who) as client:
        peer = WebrtcbinPeer(client, program)
        try:
            await say_join(client)
            await client.next("JOIN_ACK")
            await peer.subscribe()
            yield who.attendee_id, peer
        finally:
            await peer.close()


async def test_webrtcbin_sends_and_receives_opus_vp8_and_h264() -> None:
    async with browsers() as tea:
        bot = await bot_of(tea, "bot")
        connection = await bot.session.media.open()
        async with (
            speaking(connection),
            webrtcbin(tea, "ada", 440, "VP8", RED, "H264") as (ada_id, ada),
            webrtcbin(tea, "bea", 700, "H264", BLUE, "VP8") as (bea_id, bea),
        ):
            for peer, hertz in ((ada, 700), (bea, 440)):
                await peer.hears(BOT_HERTZ)
                await peer.hears(hertz)
            with AudioReceiver(connection) as receiver:
                async with due("the tones of both peers at the bot"):
                    heard = await hear(receiver, 0.5)
                    while min(amplitude(heard, hertz) for hertz in (440, 700)) < LOUD:
                        heard = await hear(receiver, 0.5)
            await ada.subscribe(await ada.stream_of(bea_id))
            await bea.subscribe(await bea.stream_of(ada_id))
            await ada.sees(BLUE)
            await bea.sees(RED)
            await until_seen(bot, ada_id, RED, TOLERANCE)
