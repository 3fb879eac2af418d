"""A scripted meeting with video: signaling in Python, and peer connections in one page.

The page with the peer connections forwards cameras between browsers, so tests need no server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

from playwright.async_api import Browser, Page, WebSocketRoute

from carillon.signaling import signaling_pb2 as wire
from Web.browser import new_page
from Web.scripted_site import ADDRESS, ScriptedFace, ScriptedSite, frame

ANSWER = """async ({ connection, sdp, receives, hasSound }) => {
  window.peers ??= new Map();
  const peer = peers.get(connection) ?? new RTCPeerConnection({ bundlePolicy: "max-bundle" });
  peers.set(connection, peer);
  await peer.setRemoteDescription({ type: "offer", sdp });
  if (hasSound) peer.getTransceivers()[0].direction = "sendrecv";
  for (const { mid, from, painted: group } of receives) {
    const section = peer.getTransceivers().find((each) => each.mid === mid);
    const camera = peers.get(from)?.getTransceivers().find((each) => each.mid === "1");
    section.direction = "sendonly";
    await section.sender.replaceTrack(camera ? camera.receiver.track : painted.get(group));
  }
  await peer.setLocalDescription(await peer.createAnswer());
  while (peer.iceGatheringState !== "complete") await new Promise((go) => setTimeout(go, 10));
  return peer.localDescription.sdp;
}"""
"""Answers an offer in the server's page. The sections of the answer send painted videos or
browsers' cameras."""

FIRST_STREAM = 1_000
FIRST_GROUP_OF_PAINTED = 100
"""The first group number of painted cameras. Browsers' cameras have smaller group numbers."""


class PaintedCamera(NamedTuple):
    """A video that the server's page paints, so that no other browser has to send it."""

    attendee_id: str
    group: int


class ScriptedVideo(ScriptedFace):
    """A connection whose offers the meeting answers, and whose camera others receive."""

    def __init__(self, meeting: ScriptedMeeting, socket: WebSocketRoute, roster: Any) -> None:
        super().__init__(socket, roster)
        self.attendee_id = ""
        self.group = 0
        """The group of this connection's camera; 0 while it sends no camera."""
        self._meeting = meeting

    @property
    def subscribes(self) -> list[Any]:
        return [each.sub for each in self.received if each.type == wire.SdkSignalFrame.SUBSCRIBE]

    def _take(self, message: str | bytes) -> None:
        assert isinstance(message, bytes)
        received = wire.SdkSignalFrame.FromString(message[1:])
        if received.type != wire.SdkSignalFrame.SUBSCRIBE:
            super()._take(message)
            if received.type == wire.SdkSignalFrame.LEAVE:
                self._meeting.publish(self, is_sending=False)
            return
        self.received.append(received)
        self._meeting.answer(self, received.sub)


class ScriptedMeeting:
    """The connections of a meeting and their cameras."""

    def __init__(self, server: Page) -> None:
        self.faces: list[ScriptedVideo] = []
        self.has_room = True
        """Whether the meeting accepts another camera."""
        self.has_sound = False
        """Whether the answers contain a mix. The mix is silent."""
        self.painted: list[PaintedCamera] = []
        """The videos that the server's page paints (its variable `painted`)."""
        self.server = server
        self._groups = 0
        self._answers: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, browser: Browser) -> ScriptedMeeting:
        """Opens a meeting whose server is a page of this browser."""
        page = await new_page(browser)
        await ScriptedSite([]).serve(page)
        await page.goto(ADDRESS + "/operator")
        return cls(page)

    def face_of(self, attendee_id: str) -> ScriptedVideo:
        """Returns the newest connection of an attendee."""
        return next(each for each in reversed(self.faces) if each.attendee_id == attendee_id)

    def publish(self, face: ScriptedVideo, *, is_sending: bool) -> None:
        """Adds a camera to the INDEX of all others, or removes the camera."""
        if is_sending == bool(face.group):
            return
        self._groups += is_sending
        face.group = self._groups if is_sending else 0
        for each in self.faces:
            if each is not face:
                self.index(each)

    def index(self, face: ScriptedVideo, **fields: Any) -> None:
        """Sends the INDEX to a connection."""
        sources = [
            wire.SdkStreamDescriptor(
                stream_id=FIRST_STREAM + each.group,
                group_id=each.group,
                attendee_id=each.attendee_id,
                media_type=wire.VIDEO,
                max_bitrate_kbps=1_500,
            )
            for each in self._senders(face)
        ]
        face.send(frame("INDEX", index=wire.SdkIndexFrame(sources=sources, **fields)))

    def answer(self, face: ScriptedVideo, subscribe: Any) -> None:
        task = asyncio.create_task(self._answer(face, subscribe))
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    def _senders(self, face: ScriptedVideo) -> Iterable[ScriptedVideo | PaintedCamera]:
        others = (each for each in self.faces if each.group and each is not face)
        return chain(others, self.painted)

    async def _answer(self, face: ScriptedVideo, subscribe: Any) -> None:
        face.attendee_id = subscribe.send_streams[0].attendee_id
        senders = {each.group: each for each in self._senders(face)}
        wanted = [
            (each.mid, senders[each.group_id])
            for each in subscribe.video_subscription_configuration
            if each.group_id in senders
        ]
        receives = [
            {"mid": mid, "painted": sender.group}
            if isinstance(sender, PaintedCamera)
            else {"mid": mid, "from": self.faces.index(sender)}
            for mid, sender in wanted
        ]
        description = {
            "connection": self.faces.index(face),
            "sdp": subscribe.sdp_offer,
            "hasSound": self.has_sound,
        }
        sdp = await self.server.evaluate(ANSWER, {**description, "receives": receives})
        tracks = [
            wire.SdkTrackMapping(stream_id=FIRST_STREAM + sender.group, track_label=f"v_{mid}")
            for mid, sender in wanted
        ]
        suback = wire.SdkSubscribeAckFrame(sdp_answer=sdp, tracks=tracks)
        is_sending = subscribe.duplex == wire.DUPLEX
        if is_sending and not self.has_room:
            face.send(frame("SUBSCRIBE_ACK", suback=suback, error=wire.SdkErrorFrame(status=206)))
            return
        is_first = len(face.subscribes) == 1
        face.send(frame("SUBSCRIBE_ACK", suback=suback))
        self.publish(face, is_sending=is_sending)
        if is_first:
            self.index(face)


class VideoSite(ScriptedSite):
    """Answers all requests of one page that joins a scripted meeting."""

    def __init__(self, meeting: ScriptedMeeting, roster: list[dict[str, Any]]) -> None:
        super().__init__(roster)
        self._meeting = meeting
        self._people = roster

    async def _connect(self, socket: WebSocketRoute) -> None:
        if self.is_down:
            await super()._connect(socket)
            return
        face = ScriptedVideo(self._meeting, socket, self._people)
        self.faces.append(face)
        self._meeting.faces.append(face)
