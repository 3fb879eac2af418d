"""Frames and method keys match the golden bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf.message import DecodeError, Message

import golden
from carillon import methods
from carillon.frames import (
    MalformedFrameError,
    method_key,
    pack_frame,
    pack_varint,
    read_reply,
    read_varint,
    split_frame,
    split_message,
)
from carillon.v1 import common_pb2, gateway_pb2, presence_pb2, rpc_pb2

GOLDEN: dict[str, Any] = json.loads((golden.PROTO / "golden.json").read_text())
METHODS = {method["name"]: method for method in GOLDEN["methods"]}
OWN_METHODS = [
    value
    for value in vars(methods).values()
    if isinstance(value, methods.UnaryMethod | methods.StreamMethod)
]


def test_the_committed_golden_files_equal_the_generated_files() -> None:
    assert golden.main() == 0, "Run python Tests/Python/golden.py --write."


@pytest.mark.parametrize("hash", GOLDEN["hashes"], ids=lambda hash: hash["text"] or "empty")
def test_method_keys_are_fnv_1a_hashes(hash: dict[str, Any]) -> None:
    assert method_key(hash["text"]) == hash["hash"]


def test_method_keys_are_the_published_fnv_1a_hashes() -> None:
    assert [method_key(text) for text in ("", "a", "foobar")] == [
        0x811C9DC5,
        0xE40C292C,
        0xBF9CF968,
    ]


def test_all_methods_have_different_keys() -> None:
    keys = [method["key"] for method in GOLDEN["methods"]]
    assert len(set(keys)) == len(keys) and 0 not in keys


@pytest.mark.parametrize("method", OWN_METHODS, ids=lambda method: method.name)
def test_the_clients_methods_equal_the_methods_of_the_contract(method: Any) -> None:
    contract = METHODS[method.name]
    is_stream = isinstance(method, methods.StreamMethod)
    answer = method.item if isinstance(method, methods.StreamMethod) else method.reply
    assert method.key == contract["key"]
    assert method.request.DESCRIPTOR.name == contract["request"]
    assert answer.DESCRIPTOR.name == contract["reply"]
    assert is_stream == contract["is_stream"]


@pytest.mark.parametrize("case", GOLDEN["varints"], ids=lambda case: str(case["value"]))
def test_lengths_are_varints_of_at_most_five_bytes(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["hex"])
    assert pack_varint(case["value"]) == data
    assert read_varint(data + b"rest") == (case["value"], len(data))


@pytest.mark.parametrize("value", [-1, 1 << 32])
def test_a_length_has_at_most_32_bits(value: int) -> None:
    with pytest.raises(ValueError, match="at most 32 bits"):
        pack_varint(value)


def is_packed(frame: dict[str, Any]) -> tuple[bytes, Message, Message | None]:
    data = bytes.fromhex(frame["hex"])
    topic = frame.get("topic", "").encode()
    assert data.startswith(topic)
    header, body = split_frame(data[len(topic) :])
    header_type = getattr(rpc_pb2, frame["header_type"])
    body_type = None
    if "body_type" in frame:
        body_type = getattr(gateway_pb2, frame["body_type"], None) or getattr(
            presence_pb2, frame["body_type"], None
        )
        body_type = body_type or getattr(rpc_pb2, frame["body_type"])
    return (
        data[len(topic) :],
        header_type.FromString(header),
        body_type and body_type.FromString(body),
    )


@pytest.mark.parametrize("frame", GOLDEN["frames"], ids=lambda frame: frame["name"])
def test_golden_frames_decode_to_their_values_and_encode_to_their_bytes(
    frame: dict[str, Any],
) -> None:
    data, header, body = is_packed(frame)
    assert golden.decoded(header) == frame["header"]
    if body is not None:
        assert golden.decoded(body) == frame["body"]
    packed = pack_frame(header, body.SerializeToString() if body is not None else b"")
    assert (packed == data) == frame.get("is_canonical", True)


@pytest.mark.parametrize(
    "name", ["keep_alive_reply", "end", "end_meeting_deleted", "session_started"]
)
def test_a_reply_has_the_right_number_of_raw_frames(name: str) -> None:
    data = bytes.fromhex(next(f["hex"] for f in GOLDEN["frames"] if f["name"] == name))
    header, _ = read_reply([data])
    assert header.raw_count == 0
    with pytest.raises(MalformedFrameError):
        read_reply([data, b"raw"])


def read_request(frame: bytes) -> rpc_pb2.RequestHeader:
    return rpc_pb2.RequestHeader.FromString(split_frame(frame)[0])


@pytest.mark.parametrize("case", GOLDEN["malformed"], ids=lambda case: case["name"])
def test_malformed_frames_are_refused(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["hex"])
    with pytest.raises(MalformedFrameError):
        [read_reply(message) for message in split_message([data])]
    with pytest.raises((MalformedFrameError, DecodeError)):
        [read_request(message[0]) for message in split_message([data])]


@pytest.mark.parametrize("case", GOLDEN["bundles"], ids=lambda case: str(case["name"]))
def test_a_bundle_contains_its_frames(case: dict[str, Any]) -> None:
    frames = [bytes.fromhex(frame) for frame in case["frames"]]
    assert split_message([bytes.fromhex(case["hex"])]) == [[frame] for frame in frames]
    with pytest.raises(MalformedFrameError, match="no raw ones"):
        split_message([bytes.fromhex(case["hex"]), b"raw"])


def test_a_message_without_frames_is_refused() -> None:
    with pytest.raises(MalformedFrameError):
        read_reply([])
    with pytest.raises(MalformedFrameError):
        split_message([])


def test_a_header_that_is_too_long_is_not_sent() -> None:
    with pytest.raises(ValueError, match="at most 4096 bytes"):
        pack_frame(rpc_pb2.RequestHeader(traceparent="0" * 4096))


def test_each_example_in_the_readme_of_proto_equals_the_golden_frame() -> None:
    page = (golden.PROTO / "README.md").read_text()
    for each in golden.goldens():
        shown = page.partition(f"<!-- begin {each.name} -->")[2].partition("```\n")[2]
        shown = shown.partition("\n```")[0]
        hexadecimal = "".join(line[:30].replace(" ", "") for line in shown.splitlines())
        assert bytes.fromhex(hexadecimal) == each.frame, each.name


def test_the_readme_of_proto_explains_each_status_reason() -> None:
    page = (golden.PROTO / "README.md").read_text()
    reasons = common_pb2.StatusReason.DESCRIPTOR.values
    names = {reason.name.removeprefix("STATUS_REASON_") for reason in reasons}
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []
