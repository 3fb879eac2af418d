"""Chromium's peer connection with the SDK's signaling: a camera of one colour, and its codec."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Page

from carillon.signaling import signaling_pb2 as wire
from Web.browser import new_page
from Web.signaling_client import SignalingClient
from Web.video_peer import Colour, is_like, subscription

SECONDS = 60.0
"""The timeout of each step, in seconds."""

TOLERANCE = 45
"""The greatest error of a colour that was encoded and drawn, for each of red, green and blue."""

NAMES = {wire.VP8: "VP8", wire.VP9_PROFILE_0: "VP9", wire.AV1_MAIN_PROFILE: "AV1"}
"""The codecs that Chromium encodes, by their names in an INDEX."""

PREFERRED = ["VP9", "VP8"]
"""The order in which a peer prefers the codecs, unless the test passes another order."""

START = """() => {
  const connection = new RTCPeerConnection({ bundlePolicy: "max-bundle" });
  connection.addTransceiver("audio", { direction: "sendrecv" });
  const camera = connection.addTransceiver("video", { direction: "inactive" });
  window.peer = { connection, camera, receivers: [] };
}"""

OFFER = """async ({ codecs, colour, count, width, describes }) => {
  const { connection, camera, receivers } = peer;
  const all = RTCRtpReceiver.getCapabilities("video").codecs;
  const describe = (transceiver) => {
    // Chromium does not offer dependency descriptors by itself.
    const extensions = transceiver.getHeaderExtensionsToNegotiate();
    const found = extensions.find(({ uri }) => uri.includes("dependency-descriptor"));
    found.direction = describes ? "sendrecv" : "stopped";
    transceiver.setHeaderExtensionsToNegotiate(extensions);
  };
  const rank = ({ mimeType, sdpFmtpLine = "" }) => {
    const place = codecs.indexOf(mimeType.replace("video/", ""));
    return place < 0 || /profile-id=[^0]/.test(sdpFmtpLine) ? codecs.length : place;
  };
  camera.setCodecPreferences(all.toSorted((one, other) => rank(one) - rank(other)));
  camera.direction = colour ? "sendrecv" : "inactive";
  if (colour && !camera.sender.track) {
    const height = (width * 9) / 16;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    setInterval(() => {
      context.fillStyle = colour;
      context.fillRect(0, 0, width, height);
    }, 66);
    await camera.sender.replaceTrack(canvas.captureStream(15).getVideoTracks()[0]);
  }
  while (receivers.length < count) {
    const receiver = connection.addTransceiver("video", { direction: "recvonly" });
    const view = document.createElement("video");
    Object.assign(view, { autoplay: true, playsInline: true, muted: true });
    view.srcObject = new MediaStream([receiver.receiver.track]);
    document.body.append(view);
    receivers.push({ receiver, view });
  }
  for (const transceiver of [camera, ...receivers.map(({ receiver }) => receiver)]) {
    describe(transceiver);
  }
  await connection.setLocalDescription();
  while (connection.iceGatheringState !== "complete") await new Promise((r) => setTimeout(r, 20));
  return connection.localDescription.sdp;
}"""

ACCEPT = """async ({ answer, scalability }) => {
  const { connection, camera } = peer;
  await connection.setRemoteDescription({ type: "answer", sdp: answer });
  const parameters = camera.sender.getParameters();
  if (parameters.encodings.length && camera.direction === "sendrecv") {
    if (scalability) parameters.encodings[0].scalabilityMode = scalability;
    else delete parameters.encodings[0].scalabilityMode;
    await camera.sender.setParameters(parameters);
  }
  while (connection.connectionState !== "connected") await new Promise((r) => setTimeout(r, 20));
}"""

LOOK = """async (mid) => {
  const { receiver, view } = peer.receivers.find(({ receiver }) => receiver.mid === mid);
  // A page without a click does not play by itself.
  if (view.paused) void view.play().catch(() => {});
  const reports = [...(await receiver.receiver.getStats()).values()];
  const inbound = reports.find(({ type }) => type === "inbound-rtp") ?? {};
  const codec = reports.find(({ id }) => id === inbound.codecId)?.mimeType ?? "";
  const canvas = Object.assign(document.createElement("canvas"), { width: 16, height: 16 });
  const context = canvas.getContext("2d");
  context.drawImage(view, 0, 0, 16, 16);
  return {
    codec: codec.replace("video/", ""),
    frames: inbound.framesDecoded ?? 0,
    // media measures links with padding, which Chromium counts as retransmitted packets.
    packets: (inbound.packetsReceived ?? 0) - (inbound.retransmittedPacketsReceived ?? 0),
    width: view.videoWidth,
    colour: [...context.getImageData(8, 8, 1, 1).data.slice(0, 3)],
  };
}"""


class ChromiumPeer:
    """A peer connection of a page that sends a camera and receives streams."""

    def __init__(
        self, client: SignalingClient, page: Page, preferred: Sequence[str] = PREFERRED
    ) -> None:
        self.tracks: dict[int, str] = {}
        """The mid of each received stream."""
        self.page = page
        self._client, self._preferred = client, preferred

    @property
    def agreed(self) -> list[str]:
        """The preferred codecs of this peer that the last INDEX also lists, best first."""
        indexes = [frame.index for frame in self._client.frames if frame.HasField("index")]
        codecs = indexes[-1].supported_receive_codec_intersection if indexes else []
        names = {NAMES.get(codec) for codec in codecs}
        return [name for name in self._preferred if name in names]

    async def until_agreed(self, *names: str) -> None:
        """Waits for an INDEX that lists these codecs, and no other preferred codec of this peer."""
        await self._client.until(lambda: self.agreed == list(names), f"an index with {names}")

    async def subscribe(
        self,
        *,
        camera: Colour | None = None,
        streams: Sequence[int] = (),
        scalability: str = "",
        width: int = 640,
        describes: bool = False,
    ) -> None:
        """Sends an offer with this peer's camera and sections, and applies the answer.

        Like the SDK, this peer prefers the codecs that the last INDEX lists. `width` is the width
        of the camera's picture, in pixels. `describes` says whether packets have dependency
        descriptors.
        """
        options = {
            "codecs": self.agreed or list(self._preferred),
            "width": width,
            "describes": describes,
            "colour": None if camera is None else "rgb({}, {}, {})".format(*camera),
            "count": len(streams),
        }
        offer = await self.page.evaluate(OFFER, options)
        frame = subscription(offer, streams, sends=camera is not None)
        await self._client.send("SUBSCRIBE", sub=frame)
        reply = await self._client.next("SUBSCRIBE_ACK")
        assert not reply.error.status
        answer = {"answer": reply.suback.sdp_answer, "scalability": scalability}
        async with asyncio.timeout(SECONDS):
            await self.page.evaluate(ACCEPT, answer)
        tracks = reply.suback.tracks
        self.tracks = {each.stream_id: each.track_label.removeprefix("v_") for each in tracks}

    async def see(self, stream: int, colour: Colour, codec: str, *, width: int = 0) -> None:
        """Waits until twenty more pictures of a colour arrive, in a codec and at least `width`
        wide."""
        first: int | None = None
        seen: dict[str, Any] = {}
        try:
            async with asyncio.timeout(SECONDS):
                while first is None or seen["frames"] < first + 20:
                    seen = await self.page.evaluate(LOOK, self.tracks[stream])
                    is_fit = seen["codec"] == codec and seen["width"] >= width
                    red, green, blue = seen["colour"]
                    if not is_fit or not is_like((red, green, blue), colour, TOLERANCE):
                        first = None
                    elif first is None:
                        first = seen["frames"]
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise AssertionError(f"instead of {colour} in {codec}, the page shows {seen}") from None

    async def packets(self, stream: int) -> int:
        """Returns how many packets of a stream arrived, without retransmissions and padding."""
        seen = await self.page.evaluate(LOOK, self.tracks[stream])
        return int(seen["packets"])


@asynccontextmanager
async def chromium_peer(
    browser: Browser,
    client: SignalingClient,
    address: str,
    preferred: Sequence[str] = PREFERRED,
) -> AsyncIterator[ChromiumPeer]:
    """Opens a page with a peer connection that has not subscribed."""
    page = await new_page(browser)
    await page.goto(address)
    await page.evaluate(START)
    try:
        yield ChromiumPeer(client, page, preferred)
    finally:
        await page.context.close()
