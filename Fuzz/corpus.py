"""Generates `Fuzz/Corpus`, the initial inputs of fuzzing, from `proto/golden.json`.

`.venv/bin/python Fuzz/corpus.py` rewrites this folder. It contains the golden frames, a message
with every field set for each method and event of the contract, and media packets. Inputs that led
to a finding are tests and are not here.
"""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from carillon.v1 import gateway_pb2, operator_pb2

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "Fuzz" / "Corpus"
PACKAGE = "carillon.v1."
# The depth to which the script fills nested messages.
DEPTH = 5
FOLDERS = {"AudioVideoFacade": "facade", "Operator": "operator"}

# An `Authorization` header of a signed request: the example of `proto/REST.md`.
AUTHORIZATION = (
    "AWS4-HMAC-SHA256 Credential=CARILLONTESTKEY01/20260102/us-east-1/chime/aws4_request, "
    "SignedHeaders=host;x-amz-date, "
    "Signature=a699e507da92a5e7a87c9eacd344560cda228faa2871ae23b96f90fdc2452c30"
)

# Bodies that clients send to the REST API, and similar bodies.
JSON = {
    "create-meeting": json.dumps(
        {
            "ClientRequestToken": "6a2f41a3-c54c-4d7b-8c5f-0d3e1f2a4b5c",
            "MediaRegion": "us-east-1",
            "ExternalMeetingId": "weekly",
            "MeetingFeatures": {"Attendee": {"MaxCount": 25}, "Video": {"MaxResolution": "HD"}},
            "Tags": [{"Key": "team", "Value": "a"}],
        }
    ),
    "create-attendee": '{"ExternalUserId":"ada","Capabilities":'
    '{"Audio":"SendReceive","Video":"Receive","Content":"None"}}',
    "batch": '{"Attendees":[{"ExternalUserId":"ada"},{"ExternalUserId":"ben"}]}',
    "escapes": r'["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"]',
    "numbers": "[0, -0, 1.5, -2e10, 3E-2, 9223372036854775807, 9223372036854775808]",
    "words": ' { "a" : true , "b" : false , "c" : null } ',
    "nested": "[" * 8 + "]" * 8,
    "percent": "/meetings/a%20b%C3%A9/attendees?next-token=%2Fx",
}


# A binding request (RFC 5769, section 2.1).
CHECK = (
    "000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74"
    "002400046e0001ff80290008932ff9b151263b36000600096576746a3a6836765920202000080014"
    "9aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf"
)
# A response with XOR-MAPPED-ADDRESS, MESSAGE-INTEGRITY and FINGERPRINT (RFC 5769, §2.2).
RESPONSE = (
    "0101003c2112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220002000080001a147"
    "e112a643000800142b91f599fd9e90c38c7489f92af9ba53f06be7d780280004c07d4c96"
)

OFFER = (
    *("v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0", "a=group:BUNDLE 0 1"),
    *("m=audio 9 UDP/TLS/RTP/SAVPF 63 111", "a=mid:0", "a=ice-ufrag:abcd"),
    *("a=ice-pwd:0123456789012345678901", "a=fingerprint:sha-256 00:11", "a=setup:actpass"),
    *("a=extmap:4/sendonly urn:ietf:params:rtp-hdrext:sdes:mid", "a=sendrecv"),
    *("a=rtpmap:63 red/48000/2", "a=rtpmap:111 opus/48000/2", "a=fmtp:111 useinbandfec=1"),
    *("m=video 9 UDP/TLS/RTP/SAVPF 96 97", "a=mid:1", "a=inactive", "a=rtpmap:96 VP8/90000"),
    *("a=rtcp-fb:96 nack pli", "a=rtpmap:97 rtx/90000", "a=fmtp:97 apt=96"),
    *("m=video 0 UDP/TLS/RTP/SAVPF 96", "a=mid:2", "a=inactive"),
)


def packets(*payloads: str) -> str:
    """Returns payloads in the format of `FuzzInput.assemble`."""
    return "".join(
        f"{len(payload) // 2:02x}0100{int(payload is payloads[-1]):02x}{payload}"
        for payload in payloads
    )


# Packets of media (RFC 3550, 4585, 5104, 6184, 7741, 8285), in hexadecimal.
RTP_HEADER = "80e0000100000bb800000001"
VP8_KEY_FRAME = "90f0812c0740" + "1000009d012a80026801" + "07" * 8
VP8_FRAME = "90f0812d0840" + "110000" + "07" * 8
VP9_KEY_FRAME = "aa812c0007" + "18028001680104" + "01" + "824983422027f01670" + "07" * 8
VP9_FRAME = "ec812d3008" + "86" + "07" * 8
AV1_HEADER = "08000000" + "2ff813f80b38000040"
AV1_KEY_FRAME = "280d" + AV1_HEADER + "3010" + "07" * 8
AV1_FRAME = "10" + "3030" + "07" * 8
AV1_LAYERED_HEADER = "080017072b8197fc13fc0b3c000020"
AV1_DETAILED_HEADER = "0804000000040000007a5a400000005298440d180e03e62028c0701f3889facc000020"
SEQUENCE_PARAMETERS = "6742c01eda0280bfe580"
HIGH_SEQUENCE_PARAMETERS = "67640028acd940780227e5c04400000300040000" + "0300f03c60c658"
PICTURE_PARAMETERS = "68ce3c80"
ZMTP_GREETING = "ff00000000000000007f0301" + b"NULL".hex() + "00" * 48
ZMTP_READY = "041c05" + b"READY".hex() + "0b" + b"Socket-Type".hex() + "00000006" + b"DEALER".hex()
CURVE_GREETING = "ff00000000000000007f0301" + b"CURVE".hex() + "00" * 47
CURVE_HELLO = (
    "04c8" + b"\x05HELLO".hex() + "0100" + "00" * 72 + "09" * 32 + "00" * 7 + "01" + "07" * 80
)


def pieces(*parts: tuple[int, str]) -> str:
    """Returns commands for the target `dtls`: each is a command byte, a length and bytes."""
    return "".join(f"{command:02x}{len(each) // 2:04x}{each}" for command, each in parts)


def record(kind: int, content: str, epoch: int = 0, sequence: int = 0) -> str:
    """Returns a record of DTLS 1.2 (RFC 6347, section 4.1)."""
    return f"{kind:02x}fefd{epoch:04x}{sequence:012x}{len(content) // 2:04x}{content}"


def fragment(message: str, start: int, end: int, sequence: int) -> str:
    """Returns a record with a fragment of a handshake message."""
    body = message[24:][2 * start : 2 * end]
    place = f"{start:06x}{len(body) // 2:06x}"
    return record(0x16, message[:12] + place + body, sequence=sequence)


# The ClientHello of `openssl s_client -dtls1_2 -use_srtp`, without its record's header.
DTLS_HELLO = (
    "0100005f000000000000005ffefd74682a4d86e99478c2714ec179a8a665e13bf95161135e7632290726d601586d"
    "00000004c02b00ff01000031000b000403000102000a00060004001d001700230000000e00070004000700010000"
    "16000000170000000d000400020403"
)
HELLO_RECORD = record(0x16, DTLS_HELLO)
HELLO_VERIFY = record(0x16, "03000007" + "0000" + "000000" + "000007" + "feff" + "0401020304")
HELLO_DONE = record(0x16, "0e000000" + "0000" + "000000" + "000000")
FINISHED = record(0x14, "01", sequence=9) + record(0x16, "07" * 40, epoch=1)
TRUE = (2, "")  # The true peer's next datagram arrives unchanged.
PACKETS = {
    # The first byte selects what the target does. The second byte is the size of the pieces in
    # which the target gets the rest.
    "zmtp-curve": {
        "hello": "000f" + CURVE_GREETING + CURVE_HELLO,
        "short-hello": "0000" + CURVE_GREETING + "0406" + b"\x05HELLO".hex(),
        "unsealed": "0107" + "0021" + b"\x07MESSAGE".hex() + "00" * 7 + "09" + "07" * 17,
        "plain": "0107" + "0003010203",
        "message": "0220" + "000568656c6c6f",
        "parts": "0220" + "010001000001" + "07",
        "ping": "0320" + "0207" + b"\x04PING".hex() + "000a",
        "ready": "0320" + "021c" + b"\x05READY".hex() + "0b" + b"Socket-Type".hex(),
        "in-commands": "0220" + "4005" + "68656c6c6f" + "42050450494e47",
        "again": "0220" + "fe0107" + "0001" + "08",
        "changed": "0220" + "000107" + "ff0108",
    },
    "zmtp": {  # The first four bytes are the sizes of the pieces in which the target gets the rest.
        "greeting": "00010203" + ZMTP_GREETING,
        "message": "3f3f3f3f" + ZMTP_GREETING + ZMTP_READY + "0003010203",
        "parts": "ff00ff00" + ZMTP_GREETING + ZMTP_READY + "010001000001" + "07",
        "long-frame": "ff104005" + ZMTP_GREETING + ZMTP_READY + "020000000000000101" + "07" * 257,
        "ping": "05050505" + ZMTP_GREETING + ZMTP_READY + "0407" + b"\x04PING".hex() + "000a",
        "error": "05050505" + ZMTP_GREETING + "0409" + b"\x05ERROR".hex() + "02" + "6e6f",
    },
    "dtls": {  # Each input starts with the role, and the number of datagrams before the attack.
        "server": "00" + pieces(TRUE, TRUE, TRUE, TRUE),
        "client": "01" + pieces(TRUE, TRUE, TRUE, TRUE),
        "done-server": "0e" + pieces((0, HELLO_RECORD), (0, FINISHED), (3, "")),
        "done-client": "0f" + pieces((0, HELLO_VERIFY), (0, FINISHED), (3, "")),
        "hello": "00" + pieces((0, HELLO_RECORD), (0x13, ""), (0, HELLO_RECORD), (0x23, "")),
        "fragments": "00"
        + pieces(
            (0, fragment(DTLS_HELLO, 40, 95, 2)),
            (0, fragment(DTLS_HELLO, 0, 30, 0)),
            (0, fragment(DTLS_HELLO, 20, 60, 1)),
        ),
        "long-message": "00" + pieces((0, record(0x16, "01ffffff0000000000000000010a"))),
        "hello-verify": "01" + pieces((0, HELLO_VERIFY), TRUE),
        "hello-done": "01" + pieces((0, HELLO_DONE), TRUE, TRUE),
        "wrong-order": "02" + pieces((0, FINISHED), TRUE, TRUE),
        "clear-alert": "00" + pieces((0, record(0x15, "0228")), TRUE, TRUE, TRUE),
        "encrypted-alert": "0e" + pieces((0, record(0x15, "07" * 26, epoch=1)), (0x15, "0100")),
        "changed-hello": "00" + pieces((2, "00" * 30 + "ff"), TRUE, TRUE),
        "changed-certificate": "01" + pieces(TRUE, (2, "00" * 300 + "01"), TRUE),
        "timeouts": "00" + pieces((2, ""), (0x13, ""), (0x23, ""), (0x43, ""), (0xF3, "")),
    },
    "rtp": {
        "plain": RTP_HEADER + "0102",
        "one-byte-extensions": "9060000100000bb800000001" + "bede0002" + "10852201020300" + "00ff",
        "two-byte-extensions": "9060000100000bb800000001" + "10000002" + "010002020102" + "0000ff",
        "contributors-and-padding": "a260000100000bb800000001" + "0000000a0000000b" + "ff000003",
    },
    "rtcp": {
        "sender-report": "81c8000c" + "00000001" + "01" * 20 + "00000002" + "33fffffd" + "02" * 16,
        "receiver-report": "81c90007" + "00000001" + "00000002" + "33000003" + "02" * 16,
        "description-and-bye": "81ca0002" + "0000000101014100" + "81cb0001" + "00000001",
        "nack": "81cd0003" + "00000001" + "00000002" + "fffe8001",
        "picture-loss": "81ce0002" + "00000001" + "00000002",
        "full-intra": "84ce0004" + "00000001" + "00000000" + "00000002" + "05000000",
        "estimate": "8fce0005" + "00000001" + "00000000" + "52454d42" + "010bd090" + "00000002",
        "transport-feedback": "8fcd0008" + "0000000500000006fffe0018fffffe07"
        "2002a400e40000010408ff00fffd0200",
        "padded": "a1ce0003" + "00000001" + "00000002" + "00000004",
    },
    "srtp": {  # Each input starts with the profile. A command and a length precede each packet.
        "rtp": "00" + "000e" + RTP_HEADER + "0102",
        "rtp-256": "01" + "400e" + RTP_HEADER + "0102",
        "rtp-counter-mode": "02" + "800e" + RTP_HEADER + "0102",
        "rtcp": "00" + "0108" + "80c9000100000001",
        "rtcp-counter-mode": "02" + "410c" + "81cb000200000001" + "00000002",
        "extensions": "00001a9060000100000bb800000001bede00021085220102030000ff",
        "roll-over": "00"
        "000d8060fff000000bb80000000107"
        "000d8060000500000bb80000000107"
        "000d8060ffff00000bb80000000107",
        "strangers": "00021e" + RTP_HEADER + "07" * 18 + "031c" + "80c9000100000001" + "80" * 20,
        "streams": "00"
        + "".join(f"000d80600001000000000000{ssrc:04x}07" for ssrc in range(20))
        + "".join(f"010880c900010000{ssrc:04x}" for ssrc in range(20)),
    },
    "vp8": {
        "key-frame": VP8_KEY_FRAME,
        "short-picture-id": "90a00540" + "110000",
        "without-extension": "10" + "110000",
        "frames": packets(VP8_KEY_FRAME, VP8_FRAME),
    },
    "vp9": {
        "key-frame": VP9_KEY_FRAME,
        "flexible": "f8053003" + "04" + "86",
        "upper-layer": "a8810102" + "07" + "86",
        "without-fields": "0c" + "86",
        "frames": packets(VP9_KEY_FRAME, VP9_FRAME),
    },
    "av1": {
        "key-frame": AV1_KEY_FRAME,
        "layered": "280f" + AV1_LAYERED_HEADER + "3010" + "07" * 8,
        "detailed": "18" + AV1_DETAILED_HEADER,
        "fragment": "d0" + "07" * 8,
        "lengths": "00" + "0230" + "07" + "0130",
        "described": "90e3000100000bb800000001"
        "10000006"
        "0c10"
        "c00102" + "80" * 13 + "0d0101000000" + AV1_FRAME,
        "frames": packets(AV1_KEY_FRAME, AV1_FRAME),
    },
    "h264": {
        "parameters": SEQUENCE_PARAMETERS,
        "high-parameters": HIGH_SEQUENCE_PARAMETERS,
        "aggregate": "78" + "000a" + SEQUENCE_PARAMETERS + "0004" + PICTURE_PARAMETERS,
        "first-fragment": "7c8588" + "07" * 8,
        "frames": packets("78000a" + SEQUENCE_PARAMETERS, "7c8588" + "07" * 8, "7c458807"),
        "byte-stream": "00000001"
        + SEQUENCE_PARAMETERS
        + "000001"
        + PICTURE_PARAMETERS
        + "00000165"
        + "88" * 80,
    },
}


# Public keys of zmq_curve(7)'s manual page.
KEYS = ("Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID", "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7")

# Files that list allowed keys.
ALLOW_LISTS = {
    "usual": f"# Ours.\nservice {KEYS[0]} host-a\nclient {KEYS[1]} kiosk revoked\n\n",
    "faults": f"service {KEYS[0]}\r\nnobody {KEYS[0]} x\nservice {KEYS[0]} a\n"
    f"service {KEYS[0]} b revoked",
}


def admission() -> None:
    """Writes lists of keys, and libzmq's authentication requests. A length precedes each frame."""
    for name, text in ALLOW_LISTS.items():
        write("allow-list", name, text.encode())
    head = [b"1.0", b"1", b"service", b"192.0.2.1", b""]
    requests = {"curve": [*head, b"CURVE", bytes(32)], "null": [*head, b"NULL"]}
    for name, frames in requests.items():
        write("zap", name, b"".join(bytes([len(frame)]) + frame for frame in frames))


def main() -> None:
    golden = json.loads((ROOT / "proto" / "golden.json").read_text())
    shutil.rmtree(CORPUS, ignore_errors=True)
    browsers()
    admission()
    for frame in golden["frames"]:
        target = "event" if "topic" in frame else "frame"
        write(target, frame["name"], bytes.fromhex(frame["hex"]))
    for frame in golden["malformed"]:
        write("frame", frame["name"], bytes.fromhex(frame["hex"]))
    for method in golden["methods"]:
        service, name = method["name"].removeprefix(PACKAGE).split("/")
        if service not in FOLDERS:
            continue
        for number, request in enumerate(filled(message(method["request"]))):
            body = request.SerializeToString(deterministic=True)
            write(FOLDERS[service], f"{name}-{number}", struct.pack("<I", method["key"]) + body)
    for each in filled(message("SessionEvent")):
        event = gateway_pb2.SessionEvent.FromString(each.SerializeToString())
        batch = gateway_pb2.SessionEvents(events=[event])
        kind = event.WhichOneof("event") or "none"
        write("session-events", kind, batch.SerializeToString(deterministic=True))
    for name, text in JSON.items():
        write("json", name, text.encode())
    write("authorization", "signed", AUTHORIZATION.encode())
    for target, inputs in PACKETS.items():
        for name, digits in inputs.items():
            write(target, name, bytes.fromhex(digits))


def write(target: str, name: str, content: bytes) -> None:
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def message(name: str) -> Descriptor:
    # Every generated module adds its messages to one pool. The import of operator_pb2 fills this
    # pool.
    found: Descriptor = operator_pb2.DESCRIPTOR.pool.FindMessageTypeByName(PACKAGE + name)
    return found


def filled(kind: Descriptor, depth: int = DEPTH) -> Iterator[Message]:
    """Yields the message with every field set, once for each choice of its `oneof`s."""
    choices = max((len(oneof.fields) for oneof in kind.oneofs), default=1)
    for choice in range(choices):
        result = GetMessageClass(kind)()
        for field in kind.fields:
            oneof = field.containing_oneof
            if oneof is None or oneof.fields[choice % len(oneof.fields)] is field:
                fill(result, field, depth)
        yield result


def fill(result: Message, field: FieldDescriptor, depth: int) -> None:
    is_list = field.label == FieldDescriptor.LABEL_REPEATED
    if field.message_type is None:
        value = sample(field)
        if is_list:
            getattr(result, field.name).extend([value, value])
        else:
            setattr(result, field.name, value)
        return
    if depth == 0:
        return
    for inner in filled(field.message_type, depth - 1):
        if not is_list:
            getattr(result, field.name).CopyFrom(inner)
            return
        getattr(result, field.name).add().CopyFrom(inner)


def sample(field: FieldDescriptor) -> object:
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            return b"\x00\xff" if field.type == FieldDescriptor.TYPE_BYTES else f"é{field.number}"
        case FieldDescriptor.CPPTYPE_BOOL:
            return True
        case FieldDescriptor.CPPTYPE_ENUM:
            return field.enum_type.values[-1].number
        case FieldDescriptor.CPPTYPE_FLOAT | FieldDescriptor.CPPTYPE_DOUBLE:
            return 1.5
        case _:
            return 300 + field.number


def browsers() -> None:
    """Writes browsers' frames, each preceded by its length; STUN messages; and offers."""
    golden = json.loads((ROOT / "proto" / "signaling-golden.json").read_text())
    frames = [bytes.fromhex(entry["frame_hex"]) for entry in golden]
    for index, frame in enumerate(frames):
        write("signaling", f"{index:02}", struct.pack(">H", len(frame)) + frame)
    write("signaling", "all", b"".join(struct.pack(">H", len(each)) + each for each in frames))
    write("stun", "rfc5769", bytes.fromhex(CHECK))
    write("stun", "response", bytes.fromhex(RESPONSE))
    write("sdp", "offer", "\r\n".join([*OFFER, ""]).encode())
    for offer in sorted((ROOT / "Tests" / "SDPVectors").glob("*.offer")):
        write("sdp", offer.stem, offer.read_bytes())


if __name__ == "__main__":
    main()
