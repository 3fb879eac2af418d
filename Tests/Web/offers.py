"""Offers like Chromium's, with the parts that a server reads."""

from __future__ import annotations

from collections.abc import Collection, Iterable

_AUDIO = {
    1: "urn:ietf:params:rtp-hdrext:ssrc-audio-level",
    2: "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time",
    3: "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01",
    4: "urn:ietf:params:rtp-hdrext:sdes:mid",
}
_VIDEO = {
    2: _AUDIO[2],
    3: _AUDIO[3],
    4: _AUDIO[4],
    10: "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id",
    11: "urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id",
}
EXTENSIONS = [_AUDIO, _VIDEO]
"""The extensions that the first answer must accept, of audio and of video, by number."""

_HEAD = """v=0
o=mozilla-chrome 4611731400430051336 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE {bundle}
a=extmap-allow-mixed
a=msid-semantic: WMS
"""
_TRANSPORT = """c=IN IP4 0.0.0.0
a=rtcp:9 IN IP4 0.0.0.0
a=candidate:1 1 udp 2113937151 7e1d6bd0-6e36-4f7c-8dd5-0e3b5f0dbd3a.local 53001 typ host
a=ice-ufrag:F7gI
a=ice-pwd:x9cml/YzichV2+XlhiMu8g1W
a=ice-options:trickle
a=fingerprint:sha-256 {fingerprint}
a=setup:actpass
a=mid:{mid}
"""
_AUDIO_CODECS = """a=rtcp-mux
a=rtcp-rsize
a=rtpmap:111 opus/48000/2
a=rtcp-fb:111 transport-cc
a=fmtp:111 minptime=10;useinbandfec=1
"""
_VIDEO_CODECS = """a=rtcp-mux
a=rtcp-rsize
a=rtpmap:96 VP8/90000
a=rtcp-fb:96 goog-remb
a=rtcp-fb:96 transport-cc
a=rtcp-fb:96 ccm fir
a=rtcp-fb:96 nack
a=rtcp-fb:96 nack pli
a=rtpmap:97 rtx/90000
a=fmtp:97 apt=96
"""
_FINGERPRINT = ":".join(["4A"] * 32)


def offer(mids: Iterable[str], stopped: Collection[str] = ()) -> str:
    """Returns an offer: sound first, then the browser's own camera, then received videos.

    `stopped` are the mids of stopped sections.
    """
    mids = list(mids)
    text = _HEAD.format(bundle=" ".join(mid for mid in mids if mid not in stopped))
    for place, mid in enumerate(mids):
        text += _section(place, mid, is_stopped=mid in stopped)
    return text.replace("\n", "\r\n")


def _section(place: int, mid: str, *, is_stopped: bool) -> str:
    is_audio = place == 0
    kind, payloads = ("audio", "111") if is_audio else ("video", "96 97")
    port = 0 if is_stopped else 9
    direction = "sendrecv" if is_audio else "inactive" if is_stopped or place == 1 else "recvonly"
    extensions = _AUDIO if is_audio else _VIDEO
    return (
        f"m={kind} {port} UDP/TLS/RTP/SAVPF {payloads}\n"
        + _TRANSPORT.format(mid=mid, fingerprint=_FINGERPRINT)
        + "".join(f"a=extmap:{number} {name}\n" for number, name in extensions.items())
        + f"a={direction}\n"
        + (_AUDIO_CODECS if is_audio else _VIDEO_CODECS)
    )
