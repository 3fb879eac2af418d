"""Golden frames, the source of `proto/golden.json` and of parts of `proto/README.md`.

`python Tests/Python/golden.py --write` writes both. The tests fail if either differs from what this
command would write.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message

from carillon.v1 import (
    common_pb2 as common,
    gateway_pb2 as gateway,
    media_pb2,
    messaging_pb2,
    operator_pb2,
    presence_pb2 as presence,
    rpc_pb2 as rpc,
    transcription_pb2,
    video_tiles_pb2,
)

PROTO = Path(__file__).parents[2] / "proto"
FILES = (
    gateway,
    presence,
    messaging_pb2,
    video_tiles_pb2,
    transcription_pb2,
    media_pb2,
    operator_pb2,
)

MEETING = "5f0c6c5e-2a0b-4a51-9d3c-0e6f1a2b3c4d"
ADA = "a1a1a1a1-0000-4000-8000-000000000001"
GRACE = "b2b2b2b2-0000-4000-8000-000000000002"
SESSION = bytes(range(16))
FACADE = "carillon.v1.AudioVideoFacade/"


@dataclass
class Golden:
    """A frame with its name, description, header, bodies and topic."""

    name: str
    text: str
    header: Message
    bodies: list[Message] = field(default_factory=list)
    topic: str = ""

    @property
    def body(self) -> bytes:
        """The concatenated bodies, which protobuf reads as one message with all their fields."""
        return b"".join(body.SerializeToString(deterministic=True) for body in self.bodies)

    @property
    def frame(self) -> bytes:
        header = self.header.SerializeToString(deterministic=True)
        return self.topic.encode() + varint(len(header)) + header + self.body

    @property
    def message(self) -> Message | None:
        return type(self.bodies[0]).FromString(self.body) if self.bodies else None


def fnv1a(text: str) -> int:
    hash = 2166136261
    for byte in text.encode():
        hash = ((hash ^ byte) * 16777619) % 2**32
    return hash


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + varint(value // 128)


def is_streaming(method: MethodDescriptor) -> bool:
    """Returns whether a method streams its replies. protobuf's oldest runtime has no property for
    this."""
    described = descriptor_pb2.MethodDescriptorProto()
    cast("Any", method).CopyToProto(described)
    return described.server_streaming


def is_repeated(field: FieldDescriptor) -> bool:
    """Returns whether a field is a list, by a property (newest runtime) or a label (oldest)."""
    told: bool | None = getattr(field, "is_repeated", None)
    return bool(field.label == FieldDescriptor.LABEL_REPEATED) if told is None else told


def methods() -> list[tuple[str, str, str, bool]]:
    """Returns the name, request, reply and streaming flag of every method of the contract."""
    services = [service for file in FILES for service in file.DESCRIPTOR.services_by_name.values()]
    return [
        (
            f"{service.full_name}/{method.name}",
            method.input_type.name,
            method.output_type.name,
            is_streaming(method),
        )
        for service in services
        for method in service.methods
    ]


def call(method: str, call_id: int, **fields: Any) -> rpc.RequestHeader:
    return rpc.RequestHeader(
        version=1,
        call_id=call_id,
        kind=rpc.REQUEST_KIND_CALL,
        method=fnv1a(FACADE + method),
        **fields,
    )


def item() -> rpc.ReplyHeader:
    return rpc.ReplyHeader(kind=rpc.REPLY_KIND_ITEM)


def position(epoch: int, sequence: int) -> common.StreamPosition:
    return common.StreamPosition(stream="roster", epoch=epoch, sequence=sequence)


def events(
    *listed: gateway.SessionEvent, at: common.StreamPosition | None = None
) -> gateway.SessionEvents:
    return gateway.SessionEvents(events=listed, positions=[at] if at else [])


def info(attendee_id: str, name: str) -> common.AttendeeInfo:
    return common.AttendeeInfo(attendee_id=attendee_id, external_user_id=name)


def presence_changed(
    attendee: common.AttendeeInfo,
    state: presence.AttendeeState,
    reason: presence.PresenceReason,
) -> gateway.SessionEvent:
    change = presence.PresenceChange(attendee=attendee, state=state, reason=reason)
    return gateway.SessionEvent(presence_changed=presence.PresenceChanged(changes=[change]))


def mute_changed(attendee_id: str, is_muted: bool) -> gateway.SessionEvent:
    change = presence.MuteChange(attendee_id=attendee_id, is_muted=is_muted)
    return gateway.SessionEvent(mute_changed=presence.MuteChanged(changes=[change]))


def status(
    code: common.StatusCode,
    text: str,
    session: common.SessionStatusCode = common.SESSION_STATUS_CODE_OK,
    reason: common.StatusReason = common.STATUS_REASON_UNSPECIFIED,
) -> common.Status:
    return common.Status(code=code, message=text, session_status=session, reason=reason)


def goldens() -> list[Golden]:
    ada, grace = info(ADA, "ada"), info(GRACE, "grace")
    grace_left = presence_changed(
        grace, presence.ATTENDEE_STATE_LEFT, presence.PRESENCE_REASON_CLIENT
    )
    ada_muted = mute_changed(ADA, True)
    start = gateway.StartRequest(
        meeting_id=MEETING, attendee_id=ADA, join_token="token-of-ada", client_name="bot 1.0"
    )
    resume = gateway.StartRequest(
        meeting_id=MEETING,
        attendee_id=ADA,
        join_token="token-of-ada",
        session_id=SESSION,
        positions=[position(7, 42)],
        is_muted=True,
        client_name="bot 1.0",
    )
    started = gateway.SessionStarted(
        session_id=SESSION,
        keep_alive_ms=1000,
        limits=common.Limits(max_attendees=250, client_message_bytes=65536),
        meeting_id=MEETING,
        attendee=ada,
        gateway="gateway-a",
        server_time_ms=1_700_000_000_000,
    )
    resumed = gateway.SessionStarted(
        session_id=SESSION,
        is_resumed=True,
        is_recovered=True,
        keep_alive_ms=1000,
        meeting_id=MEETING,
        attendee=ada,
        gateway="gateway-a",
        server_time_ms=1_700_000_060_000,
    )
    snapshot = presence.RosterSnapshot(
        meeting_id=MEETING,
        epoch=7,
        sequence=41,
        entries=[
            presence.RosterEntry(
                attendee=grace,
                volume=common.VOLUME_LEVEL_NOT_SPEAKING,
                signal=common.SIGNAL_STRENGTH_HIGH,
                joined_at_ms=1_699_999_990_000,
            ),
            presence.RosterEntry(
                attendee=ada,
                is_muted=True,
                volume=common.VOLUME_LEVEL_MUTED,
                joined_at_ms=1_700_000_000_000,
            ),
        ],
        tick=5,
    )
    levels = presence.LevelsChanged(
        epoch=7,
        tick=6,
        volumes=[presence.VolumeChange(attendee_id=GRACE, level=common.VOLUME_LEVEL_HIGH)],
    )
    deleted = status(
        common.STATUS_CODE_NOT_FOUND,
        "The meeting was deleted.",
        common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
        common.STATUS_REASON_MEETING_DELETED,
    )
    rejected = status(
        common.STATUS_CODE_UNAUTHENTICATED,
        "Meeting, attendee and token do not belong together.",
        common.SESSION_STATUS_CODE_AUDIO_AUTHENTICATION_REJECTED,
        common.STATUS_REASON_BAD_CREDENTIALS,
    )
    muted_by_operator = status(
        common.STATUS_CODE_FAILED_PRECONDITION,
        "An operator muted you.",
        reason=common.STATUS_REASON_MUTED_BY_OPERATOR,
    )
    malformed = status(
        common.STATUS_CODE_INVALID_ARGUMENT,
        "This is no request.",
        reason=common.STATUS_REASON_MALFORMED,
    )
    newer = status(
        common.STATUS_CODE_UNIMPLEMENTED,
        "Version 2 is not served; use 1.",
        reason=common.STATUS_REASON_UNSUPPORTED_VERSION,
    )
    second, reply, end = 1_000_000, rpc.REPLY_KIND_REPLY, rpc.REPLY_KIND_END
    return [
        Golden("start", "The client opens a session at the gateway", call("Start", 1), [start]),
        Golden(
            "session_started",
            "The gateway sends the first item of the session stream",
            item(),
            [events(gateway.SessionEvent(session_started=started))],
        ),
        Golden(
            "roster_snapshot",
            "The gateway sends the roster at sequence 41 of epoch 7",
            item(),
            [events(gateway.SessionEvent(roster_snapshot=snapshot), at=position(7, 41))],
        ),
        Golden(
            "presence_changed",
            "The gateway sends event 42: the attendee grace has left",
            item(),
            [events(grace_left, at=position(7, 42))],
        ),
        Golden(
            "levels_changed",
            "The gateway sends a volatile event, which does not change the position",
            item(),
            [events(gateway.SessionEvent(levels_changed=levels))],
        ),
        Golden(
            "batch",
            "The gateway sends one item with two encoded bodies, which contain events 42 and 43",
            item(),
            [events(grace_left, at=position(7, 42)), events(ada_muted, at=position(7, 43))],
        ),
        Golden(
            "keep_alive",
            "The client reports that it has received 1,234 bytes of items, up to sequence 42",
            call("KeepAlive", 2, timeout_us=3 * second, session_id=SESSION),
            [gateway.KeepAliveRequest(received_bytes=1234, positions=[position(7, 42)])],
        ),
        Golden(
            "keep_alive_reply",
            "The gateway answers the keep-alive",
            rpc.ReplyHeader(call_id=2, kind=reply),
            [gateway.KeepAliveReply(server_time_ms=1_700_000_001_000)],
        ),
        Golden(
            "set_muted",
            "The client mutes its attendee. The length of the header takes two bytes",
            call(
                "SetMuted",
                3,
                timeout_us=5 * second,
                session_id=SESSION,
                traceparent="00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                idempotency_key="7f9c24e8-3b12-4fef-91e0-56a2d5a8b1c3",
            ),
            [presence.SetMutedRequest(is_muted=True)],
        ),
        Golden(
            "set_muted_reply",
            "The gateway answers that the attendee is muted",
            rpc.ReplyHeader(call_id=3, kind=reply),
            [presence.SetMutedReply(is_muted=True)],
        ),
        Golden(
            "set_muted_refused",
            "The gateway refuses a call. The answer has a status and no body",
            rpc.ReplyHeader(call_id=4, kind=reply, status=muted_by_operator),
        ),
        Golden(
            "cancel",
            "The client cancels call 5",
            rpc.RequestHeader(version=1, call_id=5, kind=rpc.REQUEST_KIND_CANCEL),
        ),
        Golden(
            "stop",
            "The client leaves the meeting. The body of an empty request has no bytes",
            call("Stop", 6, timeout_us=2 * second, session_id=SESSION),
            [gateway.StopRequest()],
        ),
        Golden(
            "end",
            "The gateway ends the session without an error",
            rpc.ReplyHeader(kind=end),
        ),
        Golden(
            "end_meeting_deleted",
            "The gateway ends the session with session status 60",
            rpc.ReplyHeader(kind=end, status=deleted),
        ),
        Golden(
            "start_rejected",
            "The gateway refuses a Start with session status 63",
            rpc.ReplyHeader(kind=end, status=rejected),
        ),
        Golden(
            "resume",
            "The client resumes its session on a new connection, after sequence 42 of epoch 7",
            call("Start", 1),
            [resume],
        ),
        Golden(
            "session_resumed",
            "The gateway resumes the session. All missed events follow this item",
            item(),
            [events(gateway.SessionEvent(session_started=resumed))],
        ),
        Golden(
            "malformed_reply",
            "The answerer replies to a frame that it cannot decode",
            rpc.ReplyHeader(kind=reply, status=malformed),
        ),
        Golden(
            "unsupported_version",
            "The answerer refuses call 9, because the call has version 2",
            rpc.ReplyHeader(call_id=9, kind=reply, status=newer, served_versions=[1]),
        ),
        Golden(
            "event",
            "`presence` publishes event 42 of a roster to the gateways",
            rpc.EventHeader(meeting_id=MEETING, epoch=7, sequence=42, term=3),
            [events(grace_left, at=position(7, 42))],
            topic=f"roster/{MEETING}/",
        ),
        Golden(
            "beacon",
            "`presence` publishes the positions of its streams to the gateways",
            rpc.EventHeader(term=3),
            [
                rpc.StreamBeacon(
                    instance="presence-a",
                    term=3,
                    positions=[rpc.MeetingPosition(meeting_id=MEETING, epoch=7, last_sequence=42)],
                    is_complete=True,
                )
            ],
            topic="beacon/presence-a/",
        ),
    ]


MALFORMED = [
    ("no_bytes", "", "the length is missing"),
    ("length_without_end", "8080808080", "the length has more than five bytes"),
    ("length_too_large", "ffffffff1f", "the length has more than 32 bits"),
    ("header_too_long", "8120" + "00" * 4097, "the header has 4,097 bytes"),
    ("header_cut_off", "0a08011001", "the frame ends within the header"),
    ("wire_type_7", "020f00", "the header does not parse: wire type 7 does not exist"),
    ("field_cut_off", "0232ff", "the header does not parse: its last field is cut off"),
    ("empty_bundle", "00", "the bundle has no frame"),
    ("bundle_cut_off", "0005040801", "the bundle ends within a frame"),
    ("bundle_in_bundle", "0003000100", "the bundle contains another bundle"),
    ("bundle_of_65", "00" + "020108" * 65, "the bundle has 65 frames"),
]
VARINTS = [0, 1, 127, 128, 300, 4096, 16_384, 2**32 - 1]


def decoded(message: Message) -> dict[str, Any]:
    """Returns the fields that are set: bytes as hex, enums by name, other values unchanged."""

    def value(field: FieldDescriptor, value: Any) -> Any:
        if field.message_type is not None:
            return decoded(value)
        if field.enum_type is not None:
            return field.enum_type.values_by_number[value].name
        return value.hex() if isinstance(value, bytes) else value

    return {
        field.name: [value(field, each) for each in content]
        if is_repeated(field)
        else value(field, content)
        for field, content in message.ListFields()
    }


def golden_json() -> str:
    frames = []
    for golden in goldens():
        frame: dict[str, Any] = {
            "name": golden.name,
            "is": golden.text,
            "hex": golden.frame.hex(),
        }
        if golden.topic:
            frame["topic"] = golden.topic
        frame["header_type"] = golden.header.DESCRIPTOR.name
        frame["header"] = decoded(golden.header)
        if len(golden.bodies) > 1:
            frame["is_canonical"] = False
        if golden.message is not None:
            frame["body_type"] = golden.message.DESCRIPTOR.name
            frame["body"] = decoded(golden.message)
        frames.append(frame)
    document = {
        "hashes": [{"text": text, "hash": fnv1a(text)} for text in ("", "a", "foobar")],
        "varints": [{"value": value, "hex": varint(value).hex()} for value in VARINTS],
        "methods": [
            {
                "name": name,
                "key": fnv1a(name),
                "request": request,
                "reply": reply,
                "is_stream": is_stream,
            }
            for name, request, reply, is_stream in methods()
        ],
        "frames": frames,
        "bundles": [
            {"name": name, "hex": bundle(frames).hex(), "frames": [f.hex() for f in frames]}
            for name, frames in bundles()
        ],
        "malformed": [{"name": name, "hex": hex, "is": why} for name, hex, why in MALFORMED],
    }
    return json.dumps(document, indent=1) + "\n"


def bundle(frames: Sequence[bytes]) -> bytes:
    return b"\0" + b"".join(varint(len(frame)) + frame for frame in frames)


def bundles() -> list[tuple[str, list[bytes]]]:
    """Returns the frames of each example message, with the message's title."""
    calls = [golden for golden in goldens() if golden.name in ("keep_alive", "set_muted")]
    replies = [golden for golden in goldens() if golden.name in ("keep_alive_reply", "end")]
    return [
        ("one frame", [calls[0].frame]),
        ("two calls", [golden.frame for golden in calls]),
        ("a reply and an end", [golden.frame for golden in replies]),
    ]


# Explanations of frames, field by field


def explained(golden: Golden) -> str:
    """Returns the bytes of a frame in order, each with its meaning."""
    lines = []
    if golden.topic:
        lines.append((golden.topic.encode(), 0, "topic"))
    header = golden.header.SerializeToString(deterministic=True)
    name = golden.header.DESCRIPTOR.name
    lines.append((varint(len(header)), 0, f"{len(header)} bytes of {name}"))
    lines += walk(header, golden.header, 1)
    for body in golden.bodies:
        packed = body.SerializeToString(deterministic=True)
        what = f"{body.DESCRIPTOR.name}, {len(packed)} bytes to the end"
        if len(golden.bodies) > 1:
            what = f"{body.DESCRIPTOR.name}, {len(packed)} bytes"
        lines.append((b"", 0, what))
        lines += walk(packed, body, 1)
    return "\n".join(line for bytes, depth, what in lines for line in rows(bytes, depth, what))


def rows(data: bytes, depth: int, what: str) -> Iterator[str]:
    width, indent = 10, "  " * depth
    chunks = [data[i : i + width].hex(" ") for i in range(0, len(data), width)] or [""]
    yield f"{chunks[0]:<{3 * width}} {indent}{what}".rstrip()
    yield from chunks[1:]


def walk(data: bytes, message: Message, depth: int) -> Iterator[tuple[bytes, int, str]]:
    contents = {field.number: field for field in message.DESCRIPTOR.fields}
    seen: dict[int, int] = {}
    at = 0
    while at < len(data):
        begin = at
        tag, at = read_varint(data, at)
        field = contents[tag >> 3]
        value = getattr(message, field.name)
        if is_repeated(field):
            index = seen.get(field.number, 0)
            seen[field.number] = index + 1
            if tag & 7 == 2 and field.message_type is None and field.type != field.TYPE_STRING:
                value = list(value)  # Packed numbers.
            else:
                value = value[index]
        match tag & 7:
            case 0:
                _, at = read_varint(data, at)
            case 5:
                at += 4
            case 2:
                length, start = read_varint(data, at)
                at = start + length
                if field.message_type is not None:
                    kind = field.message_type.name
                    yield (
                        data[begin:start],
                        depth,
                        f"{field.number} {field.name}: {kind}, {length} bytes",
                    )
                    yield from walk(data[start:at], value, depth + 1)
                    continue
        yield data[begin:at], depth, f"{field.number} {field.name} = {shown(field, value)}"


def shown(field: FieldDescriptor, value: Any) -> str:
    if field.enum_type is not None:
        return str(field.enum_type.values_by_number[value].name)
    if field.type == FieldDescriptor.TYPE_FIXED32:
        return f"0x{value:08x}"
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, str):
        return f'"{value}"'
    return str(value).lower() if isinstance(value, bool) else f"{value}"


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


# The page


def method_table() -> str:
    lines = ["| method | key | request | answer |", "|---|---|---|---|"]
    for name, request, reply, is_stream in methods():
        if name.startswith(FACADE):
            answer = f"stream of `{reply}`" if is_stream else f"`{reply}`"
            lines.append(f"| `{name}` | `0x{fnv1a(name):08x}` | `{request}` | {answer} |")
    return "\n".join(lines)


def malformed_table() -> str:
    lines = ["| bytes | why they are not a valid request |", "|---|---|"]
    for _, hex, why in MALFORMED:
        shown = hex if len(hex) <= 20 else hex[:12] + "…"
        lines.append(f"| {f'`{shown}`' if shown else 'none'} | {why} |")
    return "\n".join(lines)


def bundle_text() -> str:
    """Returns the bytes of a bundle of two frames, shortened."""
    frames = bundles()[1][1]
    lines = list(rows(b"\0", 0, "an empty header: this is a bundle"))
    for frame in frames:
        lines += rows(varint(len(frame)), 0, f"a frame of {len(frame)} bytes")
        lines.append(f"{frame[:10].hex(' ')} …   the frame")
    return "\n".join(["```", *lines, "```"])


def readme(page: str) -> str:
    """Returns the page with new text between each `<!-- begin NAME -->` and `<!-- end NAME -->`."""
    parts = {
        "methods": method_table(),
        "malformed": malformed_table(),
        "bundle_of_calls": bundle_text(),
    }
    for golden in goldens():
        title = f"**{golden.name}**: {golden.text}."
        parts[golden.name] = f"{title}\n\n```\n{explained(golden)}\n```"
    for name, part in parts.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        before, found, rest = page.partition(begin)
        if not found or end not in rest:
            raise SystemExit(f"README.md has no place for {name}: put {begin} and {end} in it.")
        page = before + begin + "\n" + part + "\n" + end + rest.partition(end)[2]
    return page


def main() -> int:
    outputs = {
        PROTO / "golden.json": golden_json(),
        PROTO / "README.md": readme((PROTO / "README.md").read_text()),
    }
    stale = [
        path for path, text in outputs.items() if not path.exists() or path.read_text() != text
    ]
    if "--write" in sys.argv[1:]:
        for path in stale:
            path.write_text(outputs[path])
            print(f"wrote {path}")
        return 0
    for path in stale:
        print(f"{path} is stale: run python Tests/Python/golden.py --write", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
