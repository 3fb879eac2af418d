"""Sending audio to the meeting."""

from __future__ import annotations

import asyncio
import math
import os

import numpy as np
import numpy.typing as npt

from carillon.media.audio.file import AudioFile
from carillon.media.audio.opus import (
    FRAME_SAMPLES,
    FRAME_SECONDS,
    SAMPLE_RATE,
    OpusEncoder,
    Samples,
    silence,
)
from carillon.media.closing import Closing
from carillon.media.connection import MediaConnection
from carillon.media.listener import MediaListener
from carillon.media.pacing import Pacer
from carillon.media.rtp.outgoing import OutgoingStream
from carillon.media.rtp.packet import AudioLevel
from carillon.media.rtp.rtcp import ReceiverReport, RtcpPacket, SenderReport

_SILENCE = 127
_QUIETEST_VOICE = 55
"""The level, in decibels below the maximum, at and beyond which the sender regards audio as
noise."""


class AudioSender(MediaListener, Closing):
    """Encodes audio as Opus and sends it in real time, in frames of 20 ms.

    ```python
    with AudioSender(await session.media.open()) as sender:
        await sender.play("hello.wav")
    ```

    While this sender or the session is muted, `send` takes the same time but sends nothing.
    """

    def __init__(
        self, connection: MediaConnection, *, channels: int = 1, bits_per_second: int = 32_000
    ) -> None:
        self.is_muted = False
        self.stream = OutgoingStream(SAMPLE_RATE)
        """The RTP stream: its SSRC and its counters."""
        self._connection = connection
        self._channels = channels
        self._encoder = OpusEncoder(channels, bits_per_second)
        self._pacer = Pacer(FRAME_SECONDS)
        self._timestamp = self.stream.first_timestamp
        self._is_talking = False
        self._waiting = silence(channels, 0)
        connection.add_loosely(self)

    def close(self) -> None:
        """Stops sending reports. Idempotent."""
        self._connection.remove(self)

    async def send(self, samples: npt.NDArray[np.int16]) -> None:
        """Sends 48 kHz audio. Returns after the sender has sent the last complete frame of 20 ms.

        `samples` has any number of rows, one per sample, and one column per channel. Mono samples
        may be one-dimensional. An incomplete frame waits for the next call or for `flush`. Raises
        `ValueError` for another type or number of channels, and `CarillonError` if the session has
        ended.
        """
        rows = samples.reshape(len(samples), -1)
        if rows.dtype != np.int16 or rows.shape[1] not in (1, self._channels):
            raise ValueError(
                f"Samples must be int16 with 1 or {self._channels} channels; convert them."
            )
        rows = np.broadcast_to(rows, (len(rows), self._channels))
        waiting = np.concatenate([self._waiting, rows])
        while len(waiting) >= FRAME_SAMPLES:
            frame, waiting = waiting[:FRAME_SAMPLES], waiting[FRAME_SAMPLES:]
            self._waiting = waiting
            await self._send_frame(frame)
        self._waiting = waiting

    async def flush(self) -> None:
        """Sends an incomplete frame that waits, filled up with silence."""
        if missing := -len(self._waiting) % FRAME_SAMPLES:
            await self.send(silence(self._channels, missing))

    async def play(self, path: str | os.PathLike[str]) -> float:
        """Plays the audio of a file that PyAV can read, and returns its length in seconds.

        Raises `ValueError` if the file has no audio, `CarillonError` if the session has ended, and
        PyAV's errors.
        """
        samples = 0
        with await asyncio.to_thread(AudioFile, path, self._channels) as file:
            while (part := await asyncio.to_thread(file.read)) is not None:
                samples += len(part)
                await self.send(part)
        await self.flush()
        return samples / SAMPLE_RATE

    async def _send_frame(self, frame: Samples) -> None:
        skipped = await self._pacer.wait()
        self._timestamp += FRAME_SAMPLES * round(skipped / FRAME_SECONDS)
        timestamp, self._timestamp = self._timestamp, self._timestamp + FRAME_SAMPLES
        connection = self._connection
        connection.require_open()
        if self.is_muted or connection.is_muted or not connection.is_bound:
            self._is_talking = False
            return
        format = connection.format
        self.stream.ssrc = format.audio_send_ssrc
        extensions = {}
        if format.audio_level_extension_id:
            extensions[format.audio_level_extension_id] = measure(frame).pack()
        packet = self.stream.packet(
            format.payload_type("opus"),
            timestamp,
            self._encoder.encode(frame),
            asyncio.get_running_loop().time(),
            is_marked=not self._is_talking or skipped > 0,
            extensions=extensions,
        )
        self._is_talking = True
        connection.send([packet.pack()])

    # MediaListener

    def on_rtcp(self, packet: RtcpPacket, now: float) -> None:
        """Reads the report blocks about this audio."""
        if isinstance(packet, SenderReport | ReceiverReport):
            for block in packet.blocks:
                if block.ssrc == self.stream.ssrc:
                    self.stream.take(block)

    def sender_report(self, now: float) -> SenderReport | None:
        """Returns the sender report; `None` before the first packet."""
        return self.stream.report(now)


def measure(samples: Samples) -> AudioLevel:
    """Returns the audio level of a frame (RFC 6464)."""
    if not len(samples):
        return AudioLevel(_SILENCE, is_voice=False)
    power = float(np.mean(np.square(samples.astype(np.float64)))) / (1 << 30)
    if power <= 0:
        return AudioLevel(_SILENCE, is_voice=False)
    level = min(max(round(-10 * math.log10(power)), 0), _SILENCE)
    return AudioLevel(level, is_voice=level < _QUIETEST_VOICE)
