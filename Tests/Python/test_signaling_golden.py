"""The frames of browsers in `proto/signaling-golden.json`, as hexadecimal and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format

from carillon.signaling import signaling_pb2 as signaling

GOLDEN: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "proto" / "signaling-golden.json").read_text()
)


@pytest.mark.parametrize("entry", GOLDEN, ids=lambda entry: str(entry["name"]))
def test_the_hexadecimal_and_json_forms_are_the_same_frame(entry: dict[str, Any]) -> None:
    packed = bytes.fromhex(entry["frame_hex"])
    frame = signaling.SdkSignalFrame.FromString(packed[1:])
    assert json_format.MessageToDict(frame, preserving_proto_field_name=True) == entry["json"]
    made = json_format.ParseDict(entry["json"], signaling.SdkSignalFrame())
    assert made.SerializeToString() == packed[1:]
