"""Every message of the contract makes a round trip between Google's implementation and ours.

`wire-echo` unpacks messages of Google's library with our code and packs them again, and Google's
library unpacks the result. The path of `wire-echo` is $WIRE_ECHO, by default in the debug build.
Run the tests with pytest and the protobuf runtime that Clients/Python pins.
"""

from __future__ import annotations

import importlib
import os
import pathlib
import random
import struct
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, cast

import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from golden import is_repeated

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Clients/Python/src"))

INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}
LARGEST_FLOATS = {
    FieldDescriptor.CPPTYPE_FLOAT: 3.4028234663852886e38,
    FieldDescriptor.CPPTYPE_DOUBLE: sys.float_info.max,
}
WIDEST_TEXT = "\U0010ffff" * 1024
Choice = str | random.Random
"""The choice of values: "largest", "smallest", or a random generator."""
Scalar = int | float | bool | bytes | str

ALPHABET = "az09 -#\u00e9\u4e2d\U0001f514"


def all_messages() -> Iterator[Descriptor]:
    def flatten(descriptor: Descriptor) -> Iterator[Descriptor]:
        yield descriptor
        for nested in descriptor.nested_types:
            yield from flatten(nested)

    for proto in sorted((ROOT / "proto/carillon/v1").glob("*.proto")):
        module = importlib.import_module(f"carillon.v1.{proto.stem}_pb2")
        for descriptor in module.DESCRIPTOR.message_types_by_name.values():
            yield from flatten(descriptor)


MESSAGES = list(all_messages())
STRINGS = [
    (message, field)
    for message in MESSAGES
    for field in message.fields
    if field.type == FieldDescriptor.TYPE_STRING
]


class Echo:
    def __init__(self) -> None:
        program = os.environ.get("WIRE_ECHO", ROOT / ".build/debug/wire-echo")
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin is not None and self.process.stdout is not None
        self._input, self._output = self.process.stdin, self.process.stdout

    def __call__(self, descriptor: Descriptor, packed: bytes) -> bytes:
        """Returns the repacked message. Raises `ValueError` with the error of `wire-echo`."""
        block = descriptor.full_name.encode() + b"\0" + packed
        self._input.write(struct.pack("<I", len(block)) + block)
        self._input.flush()
        (length,) = struct.unpack("<I", self._output.read(4))
        answer = self._output.read(length)
        if answer[0] != 0:
            raise ValueError(answer[1:].decode())
        return answer[1:]

    def close(self) -> None:
        self._input.close()
        assert self.process.wait(timeout=10) == 0


@pytest.fixture(scope="module")
def echo() -> Iterator[Echo]:
    echo = Echo()
    yield echo
    echo.close()


def new(descriptor: Descriptor) -> Message:
    factory: Any = message_factory
    # In the oldest supported runtime, only a factory makes message classes.
    if not hasattr(factory, "GetMessageClass"):
        return cast("Message", factory.MessageFactory().GetPrototype(descriptor)())
    return cast("Message", factory.GetMessageClass(descriptor)())


def scalar(field: FieldDescriptor, choice: Choice) -> Scalar:
    """Returns a value for one element. `choice` is "largest", "smallest" or a generator."""
    kind = field.cpp_type
    if kind in INTEGERS:
        low, high = INTEGERS[kind]
        if isinstance(choice, str):
            return high if choice == "largest" else low
        known = [value.number for value in field.enum_type.values] if field.enum_type else [0, 1]
        return choice.choice([low, high, choice.randint(low, high), *known])
    if kind in LARGEST_FLOATS:
        if isinstance(choice, str):
            return LARGEST_FLOATS[kind] * (1 if choice == "largest" else -1)
        # The list does not contain -0.0, because protobuf-c treats -0.0 as the default value.
        return choice.choice([0.0, 1.5, float("inf"), float("nan"), choice.uniform(-1e6, 1e6)])
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return choice == "largest" if isinstance(choice, str) else choice.random() < 0.5
    if field.type == FieldDescriptor.TYPE_BYTES:
        if isinstance(choice, str):
            return b"\xff" * 4096 if choice == "largest" else b"\0"
        return choice.randbytes(choice.choice([0, 1, 16, 200]))
    if isinstance(choice, str):
        return WIDEST_TEXT if choice == "largest" else "\x01"
    return "".join(choice.choices(ALPHABET, k=choice.choice([0, 1, 7, 8, 40])))


def fill(message: Message, choice: Choice, depth: int = 0) -> Message:
    """Sets every field, or a random selection. In a oneof, only the field that is set last
    remains."""
    fields = list(message.DESCRIPTOR.fields)
    if not isinstance(choice, str):
        fields = [field for field in choice.sample(fields, len(fields)) if choice.random() < 0.7]
    for field in fields:
        count = (2 if depth else 3) if isinstance(choice, str) else choice.randint(0, 4)
        if field.message_type is None:
            if is_repeated(field):
                getattr(message, field.name).extend(scalar(field, choice) for _ in range(count))
            else:
                setattr(message, field.name, scalar(field, choice))
        elif is_repeated(field):
            for _ in range(count if depth < 4 else 1):
                fill(getattr(message, field.name).add(), choice, depth + 1)
        else:
            inner = getattr(message, field.name)
            inner.SetInParent()
            fill(inner, choice, depth + 1)
    return message


def check(echo: Echo, message: Message) -> None:
    packed = message.SerializeToString(deterministic=True)
    repacked = echo(message.DESCRIPTOR, packed)
    again = new(message.DESCRIPTOR)
    again.ParseFromString(repacked)
    # The test compares bytes, because NaN is not equal to itself.
    assert again.SerializeToString(deterministic=True) == packed
    assert repacked == packed


def one_field(field: FieldDescriptor, value: bytes) -> bytes:
    """Returns a packed message with one length-delimited field, valid or not."""
    tag = field.number << 3 | 2
    assert len(value) < 128
    head = bytes([tag]) if tag < 128 else bytes([tag & 0x7F | 0x80, tag >> 7])
    return head + bytes([len(value)]) + value


def name(value: object) -> str | None:
    return value.full_name if isinstance(value, Descriptor | FieldDescriptor) else None


@pytest.mark.parametrize("descriptor", MESSAGES, ids=name)
def test_default_values_survive_a_round_trip(echo: Echo, descriptor: Descriptor) -> None:
    message = new(descriptor)
    assert echo(descriptor, b"") == b""
    check(echo, message)


@pytest.mark.parametrize("descriptor", MESSAGES, ids=name)
@pytest.mark.parametrize("choice", ["largest", "smallest"])
def test_extreme_values_survive_a_round_trip(
    echo: Echo, descriptor: Descriptor, choice: str
) -> None:
    check(echo, fill(new(descriptor), choice))


@pytest.mark.parametrize("descriptor", MESSAGES, ids=name)
def test_every_choice_of_every_oneof_survives_a_round_trip(
    echo: Echo, descriptor: Descriptor
) -> None:
    for oneof in descriptor.oneofs:
        for field in oneof.fields:
            for choice in ("largest", "smallest"):
                message = new(descriptor)
                if field.message_type:
                    getattr(message, field.name).SetInParent()
                    check(echo, message)
                    fill(getattr(message, field.name), choice, 1)
                else:
                    setattr(message, field.name, field.default_value)
                    check(echo, message)
                    setattr(message, field.name, scalar(field, choice))
                check(echo, message)


@pytest.mark.parametrize("descriptor", MESSAGES, ids=name)
def test_random_values_survive_a_round_trip(echo: Echo, descriptor: Descriptor) -> None:
    generator = random.Random(descriptor.full_name)
    for _ in range(25):
        check(echo, fill(new(descriptor), generator))


@pytest.mark.parametrize("descriptor", MESSAGES, ids=name)
def test_unknown_fields_are_dropped(echo: Echo, descriptor: Descriptor) -> None:
    known = fill(new(descriptor), random.Random(1)).SerializeToString(deterministic=True)
    # Two fields with the largest field number, 536870911: an integer, then bytes.
    unknown = b"\xf8\xff\xff\xff\x0f\x07" + b"\xfa\xff\xff\xff\x0f\x02\xff\x00"
    assert echo(descriptor, unknown + known + unknown) == known


@pytest.mark.parametrize("descriptor", MESSAGES, ids=name)
def test_damaged_bytes_are_refused_or_decoded(echo: Echo, descriptor: Descriptor) -> None:
    generator = random.Random(descriptor.full_name)
    packed = fill(new(descriptor), generator).SerializeToString(deterministic=True)
    for _ in range(50):
        damaged = bytearray(packed[: generator.randint(0, len(packed))])
        for _ in range(generator.randint(0, 3) if damaged else 0):
            damaged[generator.randrange(len(damaged))] = generator.randrange(256)
        try:
            repacked = echo(descriptor, bytes(damaged))
        except ValueError:
            continue
        new(descriptor).ParseFromString(repacked)


@pytest.mark.parametrize(("descriptor", "field"), STRINGS, ids=name)
def test_strings_are_utf8_without_nul(
    echo: Echo, descriptor: Descriptor, field: FieldDescriptor
) -> None:
    assert echo(descriptor, one_field(field, b"ok")) == one_field(field, b"ok")
    for invalid in (b"\xff", b"ab\xc3", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80\x80\x80"):
        with pytest.raises(ValueError, match=f"{field.full_name} is not valid UTF-8"):
            echo(descriptor, one_field(field, invalid))
    for text in (b"\0", b"a\0b", b"ab\0", b"\0\xff"):
        with pytest.raises(ValueError, match=f"{field.full_name} contains a NUL"):
            echo(descriptor, one_field(field, text))
