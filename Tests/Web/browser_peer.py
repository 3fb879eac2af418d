"""The WebRTC peer of a signaling client: sound in both directions, with aiortc."""

from __future__ import annotations

import asyncio
import fractions
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import av
import numpy as np
import numpy.typing as npt
from aiortc import (
    MediaStreamTrack,
    RTCBundlePolicy,
    RTCConfiguration,
    RTCPeerConnection,
    RTCSessionDescription,
)

from carillon.signaling import signaling_pb2 as wire
from Web.signaling_client import SignalingClient

RATE = 48_000
FRAME = 960
SECONDS = 30.0
"""The timeout of a connection, in seconds."""

Sound = npt.NDArray[np.int16]


class Speech(MediaStreamTrack):
    """A browser's microphone, which plays samples once, and then silence."""

    kind = "audio"

    def __init__(self, sound: Sound) -> None:
        super().__init__()
        self._sound = sound
        self._at = 0
        self._began: float | None = None

    async def recv(self) -> av.AudioFrame:
        """Returns the next 20 ms in real time."""
        loop = asyncio.get_running_loop()
        if self._began is None:
            self._began = loop.time()
        await asyncio.sleep(max(0.0, self._began + self._at / RATE - loop.time()))
        part = np.zeros(FRAME, np.int16)
        found = self._sound[self._at : self._at + FRAME]
        part[: len(found)] = found
        frame = av.AudioFrame.from_ndarray(part.reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate, frame.pts = RATE, self._at
        frame.time_base = fractions.Fraction(1, RATE)
        self._at += FRAME
        return frame


class BrowserPeer:
    """A peer connection that sends one sound and stores what it receives."""

    def __init__(self, client: SignalingClient, sound: Sound) -> None:
        self.attendee_id = ""
        """The id of the peer's attendee."""
        self._client = client
        configuration = RTCConfiguration(bundlePolicy=RTCBundlePolicy.MAX_BUNDLE, iceServers=[])
        self._connection = RTCPeerConnection(configuration)
        self._connection.addTrack(Speech(sound))
        self._heard: list[Sound] = []
        self._hearing: asyncio.Task[None] | None = None
        self._connection.on("track", self._listen)

    async def subscribe(self, *, is_muted: bool = False, waits_for_handshake: bool = False) -> None:
        """Sends an offer, applies the answer, and connects.

        - Parameter waits_for_handshake: Whether media starts the DTLS handshake.
        """
        await self._connection.setLocalDescription(await self._connection.createOffer())
        offer = self._connection.localDescription.sdp
        if waits_for_handshake:
            offer = offer.replace("a=setup:actpass", "a=setup:passive")
        audio = wire.SdkStreamDescriptor(
            stream_id=1, track_label="AmazonChimeExpressAudio", media_type=wire.AUDIO
        )
        subscription = wire.SdkSubscribeFrame(
            duplex="RX",
            send_streams=[audio],
            receive_stream_ids=[0],
            sdp_offer=offer,
            audio_host="host",
            audio_checkin=False,
            audio_muted=is_muted,
        )
        await self._client.send("SUBSCRIBE", sub=subscription)
        answer = (await self._client.next("SUBSCRIBE_ACK")).suback.sdp_answer
        answer = await self._routed(answer)
        await self._connection.setRemoteDescription(RTCSessionDescription(answer, "answer"))
        async with asyncio.timeout(SECONDS):
            while self._connection.connectionState != "connected":
                await asyncio.sleep(0.01)

    async def _routed(self, answer: str) -> str:
        """Returns the answer with the addresses that this peer sends to."""
        return answer

    @property
    def heard(self) -> Sound:
        """All received samples so far, of one channel."""
        return np.concatenate(self._heard) if self._heard else np.zeros(0, np.int16)

    async def hear(self, seconds: float) -> Sound:
        """Returns the next seconds of received sound."""
        start, count = len(self.heard), int(seconds * RATE)
        async with asyncio.timeout(SECONDS):
            while len(self.heard) < start + count:
                await asyncio.sleep(0.05)
        return self.heard[start : start + count]

    async def mute(self) -> None:
        """Tells the server that the peer is muted. The microphone continues to send."""
        await self._client.send(
            "AUDIO_CONTROL", audio_control=wire.SdkAudioControlFrame(muted=True)
        )

    async def close(self) -> None:
        if self._hearing is not None:
            self._hearing.cancel()
        await self._connection.close()

    def _listen(self, track: MediaStreamTrack) -> None:
        async def keep() -> None:
            while True:
                frame = await track.recv()
                assert isinstance(frame, av.AudioFrame)
                samples = frame.to_ndarray().reshape(-1)
                channels = len(frame.layout.channels)
                self._heard.append(samples[::channels].astype(np.int16))

        self._hearing = asyncio.create_task(keep())


@asynccontextmanager
async def browser_peer(
    client: SignalingClient,
    sound: Sound,
    *,
    is_muted: bool = False,
    waits_for_handshake: bool = False,
) -> AsyncIterator[BrowserPeer]:
    """Runs a connected peer."""
    peer = BrowserPeer(client, sound)
    try:
        await peer.subscribe(is_muted=is_muted, waits_for_handshake=waits_for_handshake)
        yield peer
    finally:
        await peer.close()


def loudest_hertz(sound: Sound) -> float:
    """Returns the loudest frequency."""
    spectrum = np.abs(np.fft.rfft(sound.astype(float) * np.hanning(len(sound))))
    return float(np.argmax(spectrum)) * RATE / len(sound)


def loudness(sound: Sound) -> float:
    """Returns the root mean square, in units of a sample."""
    return float(np.sqrt(np.mean(sound.astype(float) ** 2))) if len(sound) else 0.0
