"""A browser's peer connection that misbehaves or loses packets."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from struct import pack
from typing import Any

import av
from aiortc import RTCRtpReceiver, RTCRtpSender, RTCRtpTransceiver
from aiortc.mediastreams import VideoStreamTrack
from aiortc.rtp import RtcpPsfbPacket

from carillon import Credentials
from carillon.signaling import signaling_pb2 as wire
from installation import Installation
from test_end_to_end import LiveMeeting
from Web.browser_peer import Sound
from Web.numbered_pictures import numbered
from Web.signaling_client import SignalingClient, client_of
from Web.test_browser_video import SILENCE, Watcher
from Web.test_sdk_expectations import say_join
from Web.udp_relay import UDPRelay
from Web.video_peer import BLUE, RED, Colour, VideoPeer

FIR = 4
"""The format of a full intra request in payload-specific feedback (RFC 5104, section 4.3.1)."""

LONGEST_STALL = 2.0
"""The longest acceptable time without a picture, in seconds."""


class NumberedCamera(VideoStreamTrack):
    """A camera of numbered pictures, 320 x 180 at 30 frames per second. A picture takes several
    packets."""

    def __init__(self) -> None:
        super().__init__()
        self._next = 0

    async def recv(self) -> av.VideoFrame:
        """Returns the next picture."""
        pts, time_base = await self.next_timestamp()
        frame = numbered(self._next, 320, 180)
        self._next += 1
        frame.pts, frame.time_base = pts, time_base
        return frame


class FaultyPeer(VideoPeer):
    """A peer that can do what no browser does.

    - Parameter relay: The relay for the peer's packets. - Parameter codec: The MIME type of the
    only codec that the peer offers.
    """

    def __init__(
        self,
        client: SignalingClient,
        sound: Sound,
        *,
        relay: UDPRelay | None = None,
        codec: str = "",
        is_numbered: bool = False,
    ) -> None:
        super().__init__(client, sound)
        self.edit: Callable[[str], str] = str
        """The function that changes the offers that this peer sends."""
        self.key_frame_requests = 0
        """The number of key frame requests that the peer's camera received."""
        self.ssrcs: dict[int, int] = {}
        """The SSRC of each received stream."""
        self._relay, self._codec, self._is_numbered = relay, codec, is_numbered
        self._prefer(self._camera)
        send_key_frame = self._camera.sender._send_keyframe

        def count() -> None:
            self.key_frame_requests += 1
            send_key_frame()

        # The sender calls this attribute for each request.
        vars(self._camera.sender)["_send_keyframe"] = count

    def claim(self, ssrc: int) -> None:
        """Sets the SSRC of the peer's camera, in offers and packets."""
        self._camera.sender._ssrc = ssrc

    @property
    def camera_ssrc(self) -> int:
        """The SSRC of the camera's packets."""
        return int(self._camera.sender._ssrc)

    @property
    def sound_ssrc(self) -> int:
        """The SSRC of the sound's packets."""
        return int(self._connection.getSenders()[0]._ssrc)

    def tamper(self, change: Callable[[bytes], Sequence[bytes]]) -> None:
        """For each packet, sends the packets that `change` returns instead of that packet."""
        transport = self._camera.sender.transport
        send = transport._send_rtp

        async def send_changed(data: bytes) -> None:
            for packet in change(data):
                await send(packet)

        # Senders and receivers call this attribute for each packet.
        vars(transport)["_send_rtp"] = send_changed

    @property
    def received_packets(self) -> int:
        """The number of packets that arrived at the peer's connection."""
        return int(vars(self._camera.sender.transport)["_RTCDtlsTransport__rx_packets"])

    def count_requests(self) -> list[int]:
        """Returns a list, to which the peer adds the number of each packet that the server requests
        again."""
        sender, requests = self._camera.sender, list[int]()
        retransmit = sender._retransmit

        async def count(number: int) -> None:
            requests.append(number)
            await retransmit(number)

        # The sender calls this attribute for each sequence number in a NACK.
        vars(sender)["_retransmit"] = count
        return requests

    async def resend(self, count: int) -> None:
        """Retransmits a recent packet of the camera `count` times within a second."""
        for number in range(count):
            history = vars(self._camera.sender)["_RTCRtpSender__rtp_history"]
            recent = list(history.values())[-1].sequence_number
            await self._camera.sender._retransmit(recent)
            if number % 50 == 49:
                await asyncio.sleep(50 / count)

    async def report_losses(self, stream: int, count: int) -> None:
        """Requests `count` key frames of a stream within a second."""
        receiver, ssrc = self._receiver(stream)
        for number in range(count):
            await receiver._send_rtcp_pli(ssrc)
            if number % 10 == 9:
                await asyncio.sleep(10 / count)

    async def demand_key_frames(self, stream: int, count: int) -> None:
        """Requests `count` key frames of a stream with FIR within a second (RFC 5104, section
        4.3.1). Each request has its own command sequence number."""
        receiver, ssrc = self._receiver(stream)
        own = vars(receiver)["_RTCRtpReceiver__rtcp_ssrc"]
        for number in range(count):
            # The message names the stream in its entry, and 0 as the media source.
            entry = pack("!LBxxx", ssrc, number % 256)
            await receiver._send_rtcp(RtcpPsfbPacket(fmt=FIR, ssrc=own, media_ssrc=0, fci=entry))
            if number % 10 == 9:
                await asyncio.sleep(10 / count)

    async def miss_newest(self, stream: int, count: int) -> None:
        """Requests the newest 100 packets `count` times within a second."""
        receiver, ssrc = self._receiver(stream)
        remote = vars(receiver)["_RTCRtpReceiver__remote_streams"]
        for number in range(count):
            newest = remote[ssrc].max_seq
            await receiver._send_rtcp_nack(ssrc, list(range(max(0, newest - 100), newest)))
            if number % 10 == 9:
                await asyncio.sleep(10 / count)

    async def miss(self, stream: int, count: int) -> None:
        """Requests 200 packets `count` times within a second. Most of these packets never
        existed."""
        receiver, ssrc = self._receiver(stream)
        for number in range(count):
            first = number * 200 % 65_000
            await receiver._send_rtcp_nack(ssrc, list(range(first, first + 200)))
            if number % 10 == 9:
                await asyncio.sleep(10 / count)

    def _receiver(self, stream: int) -> tuple[RTCRtpReceiver, int]:
        mid = self.tracks[stream]
        transceiver = next(t for t in self._connection.getTransceivers() if t.mid == mid)
        return transceiver.receiver, self.ssrcs[stream]

    def _note(self, acknowledgement: wire.SdkSubscribeAckFrame) -> None:
        super()._note(acknowledgement)
        self.ssrcs = {track.stream_id: track.ssrc for track in acknowledgement.tracks}

    def _add_section(self) -> RTCRtpTransceiver:
        transceiver = super()._add_section()
        self._prefer(transceiver)
        return transceiver

    def _frame(
        self, offer: str, camera: Colour | None, streams: Sequence[int]
    ) -> wire.SdkSubscribeFrame:
        return super()._frame(self.edit(offer), camera, streams)

    def _make_camera(self, colour: Colour) -> VideoStreamTrack:
        return NumberedCamera() if self._is_numbered else super()._make_camera(colour)

    async def _routed(self, answer: str) -> str:
        if self._relay is None:
            return answer
        await self._relay.open_for(answer)
        return self._relay.routed(answer)

    def _prefer(self, transceiver: RTCRtpTransceiver) -> None:
        if not self._codec:
            return
        codecs = RTCRtpSender.getCapabilities("video").codecs
        wanted = {self._codec.lower(), "video/rtx"}
        transceiver.setCodecPreferences([c for c in codecs if c.mimeType.lower() in wanted])


class FaultyWatcher(Watcher):
    """A browser in a meeting with a peer connection that may misbehave."""

    def __init__(
        self,
        client: SignalingClient,
        peer: FaultyPeer,
        who: Credentials,
        installation: Installation,
    ) -> None:
        super().__init__(client, peer, who.attendee_id)
        self.who = who
        self.peer: FaultyPeer = peer
        self._installation = installation

    async def count(self, name: str, **labels: str) -> int:
        """Returns the value of a counter of media."""
        metrics = await self._installation.metrics(self._installation.media)
        return int(metrics.sum(name, **labels))

    async def until_counted(self, least: int, name: str, **labels: str) -> None:
        """Waits until a counter of media is at least `least`. Media updates counters once a
        second."""
        async with asyncio.timeout(10):
            while await self.count(name, **labels) < least:
                await asyncio.sleep(0.2)


@asynccontextmanager
async def enter(
    installation: Installation, meeting_id: str, who: Credentials, **options: Any
) -> AsyncIterator[FaultyWatcher]:
    """Makes a browser join a meeting without subscribing."""
    async with client_of(installation, meeting_id, who) as client:
        await say_join(client)
        await client.next("JOIN_ACK")
        peer = FaultyPeer(client, SILENCE, **options)
        try:
            yield FaultyWatcher(client, peer, who, installation)
        finally:
            await peer.close()


class Pair:
    """Two browsers that see each other."""

    def __init__(self, ada: FaultyWatcher, bea: FaultyWatcher) -> None:
        self.ada, self.bea = ada, bea
        self.of_ada, self.of_bea = 0, 0
        """The stream of each browser's pictures, as the other browser receives it."""

    async def meet(self) -> None:
        """Turns both cameras on, and waits until each browser sees the other's colour."""
        await self.ada.peer.subscribe(camera=RED)
        await self.bea.peer.subscribe(camera=BLUE)
        self.of_ada = await self.bea.stream_of(self.ada.attendee_id)
        self.of_bea = await self.ada.stream_of(self.bea.attendee_id)
        await self.bea.peer.subscribe(camera=BLUE, streams=[self.of_ada])
        await self.ada.peer.subscribe(camera=RED, streams=[self.of_bea])
        await self.see()

    async def see(self) -> None:
        """Waits until each browser sees the other's colour."""
        await self.bea.peer.see(self.of_ada, RED)
        await self.ada.peer.see(self.of_bea, BLUE)

    @asynccontextmanager
    async def unharmed(self) -> AsyncIterator[None]:
        """Asserts that no picture stalls during the block, and that both browsers see each other
        after the block."""
        start = asyncio.get_running_loop().time()
        yield
        await asyncio.sleep(0.5)
        for watcher, stream in ((self.bea, self.of_ada), (self.ada, self.of_bea)):
            assert longest_gap(watcher.peer.arrivals(stream), start) < LONGEST_STALL
        await self.see()


def longest_gap(arrivals: Sequence[float], start: float) -> float:
    """Returns the longest time without a picture since `start`, in seconds."""
    now = asyncio.get_running_loop().time()
    times = [start, *(time for time in arrivals if time > start), now]
    return max(after - before for before, after in pairwise(times))


@asynccontextmanager
async def pair(tea: LiveMeeting) -> AsyncIterator[Pair]:
    """Runs two browsers of a meeting that see each other."""
    meeting_id = tea.meeting.meeting_id
    async with (
        enter(tea.installation, meeting_id, await tea.create("ada")) as ada,
        enter(tea.installation, meeting_id, await tea.create("bea")) as bea,
    ):
        made = Pair(ada, bea)
        await made.meet()
        yield made


def assert_healthy(installation: Installation) -> None:
    """Asserts that all services run and that none has logged an error."""
    for process in installation.processes:
        assert process.is_running, process.name
        errors = [line for line in process.log.splitlines() if _ERROR.search(line)]
        assert not errors, errors


_ERROR = re.compile(r'^\S+(?: \S+)? (error|critical) |"level":"(error|critical)"')
