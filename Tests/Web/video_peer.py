"""A browser's WebRTC peer with video, by aiortc: a camera of one colour, and received pictures."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import av
import numpy as np
from aiortc import (
    MediaStreamTrack,
    RTCBundlePolicy,
    RTCConfiguration,
    RTCPeerConnection,
    RTCRtpReceiver,
    RTCRtpTransceiver,
    RTCSessionDescription,
    VideoStreamTrack,
)
from aiortc.jitterbuffer import JitterFrame
from aiortc.rtp import RTCP_PSFB_APP, RtcpPsfbPacket, RtpPacket, pack_remb_fci
from aiortc.utils import uint16_add, uint16_gt

from carillon.signaling import signaling_pb2 as wire
from Web.browser_peer import SECONDS, Sound, Speech
from Web.signaling_client import SignalingClient

Colour = tuple[int, int, int]
"""Red, green and blue."""

RED: Colour = (200, 30, 30)
GREEN: Colour = (30, 160, 60)
BLUE: Colour = (40, 60, 190)


class Camera(VideoStreamTrack):
    """A camera of one colour, 320 x 180 at 30 frames per second."""

    def __init__(self, colour: Colour) -> None:
        super().__init__()
        self._picture = picture(colour)

    async def recv(self) -> av.VideoFrame:
        """Returns the next picture."""
        frame = av.VideoFrame.from_ndarray(self._picture, format="rgb24")
        frame.pts, frame.time_base = await self.next_timestamp()
        return frame


def picture(colour: Colour, width: int = 320, height: int = 180) -> np.ndarray:
    """Returns rows of pixels of one colour."""
    return np.full((height, width, 3), colour, np.uint8)


def colour_of(frame: av.VideoFrame) -> Colour:
    """Returns the colour in the middle of a picture."""
    pixels = frame.to_ndarray(format="rgb24")
    middle = pixels[pixels.shape[0] // 2, pixels.shape[1] // 2]
    return (int(middle[0]), int(middle[1]), int(middle[2]))


def is_like(colour: Colour, expected: Colour, tolerance: int = 25) -> bool:
    """Returns whether two colours differ by no more than an encoder's error."""
    return all(abs(a - b) <= tolerance for a, b in zip(colour, expected, strict=True))


class VideoPeer:
    """A peer connection that may send a camera, and receives the streams to which it subscribes."""

    def __init__(self, client: SignalingClient, sound: Sound) -> None:
        self.refusal = 0
        """The error status of the last SUBSCRIBE_ACK; 0 without an error."""
        self.tracks: dict[int, str] = {}
        """The mid of each received stream."""
        self._colour: Colour | None = None
        self._client = client
        self._attendee = ""
        configuration = RTCConfiguration(bundlePolicy=RTCBundlePolicy.MAX_BUNDLE, iceServers=[])
        self._connection = RTCPeerConnection(configuration)
        self._connection.addTrack(Speech(sound))
        self._camera = self._connection.addTransceiver("video", direction="inactive")
        self._receiving: dict[int, str | None] = {}
        self._seen: dict[str, list[av.VideoFrame]] = {}
        self._arrivals: dict[str, list[float]] = {}
        self._watching: list[asyncio.Task[None]] = []
        self._connection.on("track", self._watch)

    async def subscribe(self, *, camera: Colour | None = None, streams: Sequence[int] = ()) -> None:
        """Subscribes: sets what this peer sends and receives, and applies the answer."""
        for _ in range(len(self._connection.getTransceivers()) - 2, len(streams)):
            self._add_section()
        self._turn_camera(camera)
        await self._connection.setLocalDescription(await self._connection.createOffer())
        offer = self._connection.localDescription.sdp
        await self._client.send("SUBSCRIBE", sub=self._frame(offer, camera, streams))
        frame = await self._client.next("SUBSCRIBE_ACK")
        self.refusal = frame.error.status
        answer = await self._routed(frame.suback.sdp_answer)
        await self._connection.setRemoteDescription(RTCSessionDescription(answer, "answer"))
        self._note(frame.suback)
        async with asyncio.timeout(SECONDS):
            while self._connection.connectionState != "connected":
                await asyncio.sleep(0.01)

    def _add_section(self) -> RTCRtpTransceiver:
        """Adds a section for received video to the peer connection."""
        transceiver = self._connection.addTransceiver("video", direction="recvonly")
        repeat_requests(transceiver.receiver)
        skip_to_key_frames(transceiver.receiver)
        skip_empty_frames(transceiver.receiver)
        return transceiver

    async def _routed(self, answer: str) -> str:
        """Returns the answer with the addresses that this peer sends to."""
        return answer

    def _make_camera(self, colour: Colour) -> VideoStreamTrack:
        return Camera(colour)

    def _turn_camera(self, camera: Colour | None) -> None:
        # The encoder rejects a new track, because the track's timestamps start at zero.
        if camera is not None and camera != self._colour:
            self._camera.sender.replaceTrack(self._make_camera(camera))
        self._colour = camera
        self._camera.direction = "inactive" if camera is None else "sendonly"

    def _frame(
        self, offer: str, camera: Colour | None, streams: Sequence[int]
    ) -> wire.SdkSubscribeFrame:
        return subscription(offer, streams, sends=camera is not None)

    def _note(self, acknowledgement: wire.SdkSubscribeAckFrame) -> None:
        self.tracks = {}
        for track in acknowledgement.tracks:
            self.tracks[track.stream_id] = track.track_label.removeprefix("v_")
            # The answer has the SSRC of the packets, in the section of the track.
            section = re.split(r"^m=", acknowledgement.sdp_answer, flags=re.MULTILINE)
            own = [part for part in section if f"a=msid:{track.track_label} " in part]
            assert len(own) == 1 and f"a=ssrc:{track.ssrc} " in own[0]

    def pictures(self, stream: int) -> list[av.VideoFrame]:
        """Returns all pictures of a stream so far."""
        return self._seen.get(self.tracks.get(stream, ""), [])

    def arrivals(self, stream: int) -> list[float]:
        """Returns the arrival times of a stream's pictures, by the event loop's clock."""
        return self._arrivals.get(self.tracks.get(stream, ""), [])

    async def see(self, stream: int, colour: Colour, count: int = 10) -> None:
        """Waits until this many pictures of a colour have arrived."""
        start = len(self.pictures(stream))
        async with asyncio.timeout(SECONDS):
            while True:
                new = self.pictures(stream)[start:]
                if sum(is_like(colour_of(frame), colour) for frame in new[-2 * count :]) >= count:
                    return
                await asyncio.sleep(0.05)

    async def receive(self, stream: int, count: int) -> None:
        """Waits until this many more pictures of a stream have arrived."""
        last = len(self.pictures(stream)) + count
        async with asyncio.timeout(SECONDS):
            while len(self.pictures(stream)) < last:
                await asyncio.sleep(0.05)

    async def request_bitrate(self, stream: int, group: int, kbps: int) -> None:
        """Requests the source of a group in the section of a stream, and states the bitrate that
        the tile needs. From this bitrate, the server chooses the layer."""
        wish = wire.SdkVideoSubscriptionConfiguration(
            mid=self.tracks[stream], group_id=group, target_bitrate_kbps=kbps
        )
        update = wire.SdkRemoteVideoUpdateFrame(added_or_updated_video_subscriptions=[wish])
        await self._client.send("REMOTE_VIDEO_UPDATE", remote_video_update=update)

    async def report_link(self, bits_per_second: int) -> None:
        """Reports an estimate of the peer's link for received video (REMB)."""
        for transceiver in self._connection.getTransceivers():
            receiver = transceiver.receiver
            ssrc = receiver._RTCRtpReceiver__rtcp_ssrc  # type: ignore[attr-defined]
            if transceiver.direction != "recvonly" or ssrc is None:
                continue
            fci = pack_remb_fci(bits_per_second, [])
            await receiver._send_rtcp(RtcpPsfbPacket(RTCP_PSFB_APP, ssrc, 0, fci=fci))
            return

    @property
    def camera_bitrate(self) -> int:
        """The bitrate that the camera's encoder keeps to, in bit/s; 0 before the first picture."""
        encoder = self._camera.sender._RTCRtpSender__encoder  # type: ignore[attr-defined]
        return int(getattr(encoder, "target_bitrate", 0))

    async def close(self) -> None:
        for task in self._watching:
            task.cancel()
        await self._connection.close()

    def _watch(self, track: MediaStreamTrack) -> None:
        if track.kind != "video":
            return
        transceiver = next(
            t for t in self._connection.getTransceivers() if t.receiver.track is track
        )

        async def keep() -> None:
            while True:
                frame = await track.recv()
                assert isinstance(frame, av.VideoFrame)
                mid = transceiver.mid or ""
                self._seen.setdefault(mid, []).append(frame)
                self._arrivals.setdefault(mid, []).append(asyncio.get_running_loop().time())

        self._watching.append(asyncio.create_task(keep()))


def subscription(offer: str, streams: Sequence[int], *, sends: bool) -> wire.SdkSubscribeFrame:
    """Returns a SUBSCRIBE that sends a camera, or no video, and receives these streams."""
    sent = [wire.SdkStreamDescriptor(stream_id=1, group_id=1, media_type=wire.AUDIO)]
    if sends:
        sent.append(
            wire.SdkStreamDescriptor(
                stream_id=2,
                group_id=2,
                media_type=wire.VIDEO,
                framerate=15,
                max_bitrate_kbps=1_500,
                track_label="AmazonChimeExpressVideo",
            )
        )
    return wire.SdkSubscribeFrame(
        duplex="DUPLEX" if sends else "RX",
        send_streams=sent,
        receive_stream_ids=[0, *streams],
        sdp_offer=offer,
        audio_host="host",
        audio_checkin=False,
        audio_muted=True,
    )


def skip_empty_frames(receiver: RTCRtpReceiver) -> None:
    """Drops the frames without data before they reach a receiver's decoder.

    Such a frame consists of padding. The decoder treats this frame as the end of the video, and
    rejects all later frames.
    """
    buffer = vars(receiver)["_RTCRtpReceiver__jitter_buffer"]
    add = buffer.add

    def add_and_skip(packet: RtpPacket) -> tuple[bool, JitterFrame | None]:
        needs_key_frame, frame = add(packet)
        return needs_key_frame, frame if frame and frame.data else None

    # The receiver calls this attribute for each packet.
    vars(buffer)["add"] = add_and_skip


def repeat_requests(receiver: RTCRtpReceiver) -> None:
    """Makes a receiver request missing packets again and again, up to ten times.

    Browsers do this. aiortc alone requests a packet again only when the next packet is missing. If
    the network loses a request or a retransmission, this may take seconds.
    """
    generator = vars(receiver)["_RTCRtpReceiver__nack_generator"]
    buffer = vars(receiver)["_RTCRtpReceiver__jitter_buffer"]
    add = generator.add
    last, requests = 0.0, dict[int, int]()

    def add_and_repeat(packet: RtpPacket) -> bool:
        nonlocal last, requests
        is_new = bool(add(packet))
        if not is_new and time.monotonic() - last < REQUEST_INTERVAL:
            return False
        last = time.monotonic()
        # The buffer has shown or skipped the earlier packets.
        needed = [n for n in generator.missing if not uint16_gt(buffer._origin or 0, n)]
        requests = {number: requests.get(number, 0) + 1 for number in needed}
        generator.missing = {number for number in needed if requests[number] <= MOST_REQUESTS}
        return bool(generator.missing)

    # The receiver calls this attribute for each packet, and sends a request if the result is true.
    vars(generator)["add"] = add_and_repeat


REQUEST_INTERVAL = 0.1
"""The time between two requests for the same packets, in seconds."""
MOST_REQUESTS = 10
"""The maximum number of requests for a packet. Chromium has the same maximum."""


def skip_to_key_frames(receiver: RTCRtpReceiver) -> None:
    """Makes a receiver give up packets that did not arrive in time, when a key frame follows.

    Browsers do this. aiortc alone shows nothing until its buffer for 512 packets is full.
    """
    buffer = vars(receiver)["_RTCRtpReceiver__jitter_buffer"]
    add = buffer.add
    last_frame, key_frame = time.monotonic(), -1

    def add_and_skip(packet: RtpPacket) -> tuple[bool, JitterFrame | None]:
        nonlocal last_frame, key_frame
        needs_key_frame, frame = add(packet)
        if starts_key_frame(packet):
            key_frame = packet.sequence_number
        if frame is None and key_frame >= 0 and time.monotonic() - last_frame > PATIENCE:
            skipped = uint16_add(key_frame, -buffer._origin)
            if skipped < buffer.capacity:
                buffer.remove(skipped)
                frame = buffer._remove_frame(packet.sequence_number)
        if frame is not None:
            last_frame, key_frame = time.monotonic(), -1
        return needs_key_frame, frame

    # The receiver calls this attribute for each packet.
    vars(buffer)["add"] = add_and_skip


PATIENCE = 0.5
"""How long a receiver waits for missing packets although a key frame has arrived, in seconds."""


def starts_key_frame(packet: RtpPacket) -> bool:
    """Returns whether a key frame of VP8 or H.264 starts with a packet.

    VP8: the start code of a key frame (RFC 6386, section 9.1). H.264: a sequence parameter set.
    """
    data: bytes = packet._data  # type: ignore[attr-defined]
    return data[3:6] == b"\x9d\x01\x2a" or (
        data[:4] == b"\0\0\0\1" and len(data) > 4 and data[4] & 0x1F == 7
    )


@asynccontextmanager
async def video_peer(client: SignalingClient, sound: Sound) -> AsyncIterator[VideoPeer]:
    """Runs a peer that has not subscribed."""
    peer = VideoPeer(client, sound)
    try:
        yield peer
    finally:
        await peer.close()
