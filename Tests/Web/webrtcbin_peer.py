#!/usr/bin/python3
"""A peer connection of GStreamer's `webrtcbin`, controlled by lines of JSON.

Debian's Python runs this program, because Debian installs GStreamer's modules for this Python. The
arguments are the frequency of the microphone's tone, the codec of the camera (VP8 or H264), the
camera's colour (such as `ff0000`), and the codec of the received video. The program writes its
offer, reads the answer, and then writes what it hears and sees:

    {"offer": "v=0…"}                   after the start
    {"sound": "<base64>"}               for each packet of the mix: 16-bit samples at 48 kHz
    {"picture": [255, 0, 0]}            for each picture: the colour in its middle
    {"state": "connected"}              for each state of the connection

The program reads {"answer": "v=0…"} and {"receives": true}. The latter makes the program add a
section for received video, and write another offer. The program ends when its input ends.
"""

from __future__ import annotations

import base64
import json
import sys
import threading
from collections.abc import Callable
from typing import Any

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstWebRTC", "1.0")
gi.require_version("GstSdp", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

MICROPHONE = """
webrtcbin name=peer bundle-policy=max-bundle
audiotestsrc is-live=true wave=sine freq={hertz} volume=0.3
  ! audio/x-raw,rate=48000,channels=1 ! opusenc ! rtpopuspay pt=111
  ! application/x-rtp,media=audio,encoding-name=OPUS,payload=111 ! queue ! peer.
videotestsrc is-live=true pattern=solid-color foreground-color=0xff{colour}
  ! video/x-raw,width=320,height=180,framerate=15/1 ! videoconvert ! {encoder} ! queue ! peer.
"""
"""The pipeline that sends sound and video. The first section of the offer is the microphone's."""
ENCODERS = {
    "VP8": """vp8enc deadline=1 keyframe-max-dist=30 target-bitrate=400000
      ! rtpvp8pay pt=96 picture-id-mode=15-bit
      ! application/x-rtp,media=video,encoding-name=VP8,payload=96""",
    "H264": """x264enc tune=zerolatency speed-preset=ultrafast key-int-max=30 bitrate=400
      ! video/x-h264,profile=constrained-baseline
      ! rtph264pay pt=102 config-interval=-1 aggregate-mode=zero-latency
      ! application/x-rtp,media=video,encoding-name=H264,payload=102""",
}
"""The encoder and the packet format of the camera, by codec."""
RECEIVED = {
    "VP8": "application/x-rtp,media=video,encoding-name=VP8,payload=96,clock-rate=90000",
    "H264": "application/x-rtp,media=video,encoding-name=H264,payload=102,clock-rate=90000,"
    "packetization-mode=(string)1,profile-level-id=(string)42e01f",
}
DECODERS = {
    "OPUS": """rtpopusdepay ! opusdec ! audioconvert ! audioresample
      ! audio/x-raw,format=S16LE,rate=48000,channels=1""",
    "VP8": "rtpvp8depay ! vp8dec ! videoconvert ! video/x-raw,format=RGB",
    "H264": "rtph264depay ! h264parse ! avdec_h264 ! videoconvert ! video/x-raw,format=RGB",
}


class Peer:
    """The pipeline with the peer connection."""

    def __init__(self, hertz: str, camera: str, colour: str, received: str) -> None:
        description = MICROPHONE.format(hertz=hertz, colour=colour, encoder=ENCODERS[camera])
        self._received = received
        self._pipeline = Gst.parse_launch(description)
        self._bin = self._pipeline.get_by_name("peer")
        self._bin.connect("pad-added", self._decode)
        self._first = self._bin.connect("on-negotiation-needed", self._begin)
        self._bin.connect("notify::connection-state", self._write_state)
        self._bin.connect("notify::ice-gathering-state", self._note_candidates)
        self._is_offered = True

    def start(self) -> None:
        self._pipeline.set_state(Gst.State.PLAYING)

    def stop(self) -> None:
        self._pipeline.set_state(Gst.State.NULL)

    def _begin(self, _: Any) -> None:
        """Makes the first offer when the formats of the microphone and the camera are known."""
        self._bin.disconnect(self._first)
        self._offer()

    def _offer(self) -> None:
        """Makes an offer, and writes it when all candidates are in it."""

        def apply(promise: Any) -> None:
            # The reply owns the description.
            reply = promise.get_reply()
            made = reply.get_value("offer")
            self._is_offered = False
            self._bin.emit("set-local-description", made, Gst.Promise.new_with_change_func(written))

        def written(_: Any) -> None:
            GLib.idle_add(self._write_offer)

        self._bin.emit("create-offer", None, Gst.Promise.new_with_change_func(apply))

    def _note_candidates(self, *_: object) -> None:
        GLib.idle_add(self._write_offer)

    def receive(self) -> None:
        """Adds a section for received video, and makes another offer."""
        direction = GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY
        self._bin.emit("add-transceiver", direction, Gst.Caps(RECEIVED[self._received]))
        self._offer()

    def answer(self, text: str) -> None:
        _, message = GstSdp.SDPMessage.new_from_text(text)
        kind = GstWebRTC.WebRTCSDPType.ANSWER
        description = GstWebRTC.WebRTCSessionDescription.new(kind, message)
        self._bin.emit("set-remote-description", description, Gst.Promise.new())

    def _write_offer(self) -> None:
        state = self._bin.get_property("ice-gathering-state")
        description = self._bin.get_property("local-description")
        is_complete = state == GstWebRTC.WebRTCICEGatheringState.COMPLETE
        if description is not None and is_complete and not self._is_offered:
            self._is_offered = True
            write({"offer": description.sdp.as_text()})

    def _write_state(self, *_: object) -> None:
        write({"state": self._bin.get_property("connection-state").value_nick})

    def _decode(self, _: Any, pad: Any) -> None:
        if pad.get_direction() != Gst.PadDirection.SRC:
            return
        codec = pad.get_current_caps().get_structure(0).get_string("encoding-name")
        take = take_sound if codec == "OPUS" else take_picture
        decoder = Gst.parse_bin_from_description(
            f"queue ! {DECODERS[codec]} ! appsink name=sink emit-signals=true sync=false", True
        )
        decoder.get_by_name("sink").connect("new-sample", taker(take))
        self._pipeline.add(decoder)
        decoder.sync_state_with_parent()
        pad.link(decoder.get_static_pad("sink"))


def taker(take: Callable[[bytes, Any], None]) -> Callable[[Any], Any]:
    """Returns a callback for an `appsink`. It passes each sample's bytes and format to `take`."""

    def on_sample(sink: Any) -> Any:
        sample = sink.emit("pull-sample")
        buffer = sample.get_buffer()
        take(buffer.extract_dup(0, buffer.get_size()), sample.get_caps().get_structure(0))
        return Gst.FlowReturn.OK

    return on_sample


def take_sound(samples: bytes, _: Any) -> None:
    write({"sound": base64.b64encode(samples).decode()})


def take_picture(pixels: bytes, format: Any) -> None:
    width, height = format.get_value("width"), format.get_value("height")
    row = len(pixels) // height
    at = height // 2 * row + width // 2 * 3
    write({"picture": list(pixels[at : at + 3])})


_LOCK = threading.Lock()


def write(line: dict[str, Any]) -> None:
    """Writes a line. GStreamer's threads call this function too."""
    with _LOCK:
        print(json.dumps(line), flush=True)


def main() -> None:
    """Runs the peer until the end of the input."""
    Gst.init(None)
    peer, loop = Peer(*sys.argv[1:]), GLib.MainLoop()

    def read() -> None:
        for line in sys.stdin:
            command = json.loads(line)
            if "answer" in command:
                GLib.idle_add(peer.answer, command["answer"])
            else:
                GLib.idle_add(peer.receive)
        GLib.idle_add(loop.quit)

    threading.Thread(target=read, daemon=True).start()
    peer.start()
    loop.run()
    peer.stop()


if __name__ == "__main__":
    main()
