"""A client's own mute: the program and hosts change it, and events precede or follow replies."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from carillon.own_mute import OwnMute, reported_mutes
from carillon.v1 import common_pb2, gateway_pb2, presence_pb2


def test_the_next_start_declares_a_hosts_mute() -> None:
    mute = OwnMute(False)
    assert mute.declare() is False
    mute.learn(False)
    mute.learn(True)
    assert mute.declare() is True
    mute.learn(True)
    with mute.asking(False):
        pass
    mute.learn(False)
    assert mute.declare() is False


def test_the_event_of_the_attendees_own_mute_does_not_count_as_a_hosts_mute() -> None:
    mute = OwnMute(False)
    mute.learn(False)
    for wanted in (True, False):
        with mute.asking(wanted):
            pass
    # The two replies arrived before the two events.
    mute.learn(True)
    assert mute.wanted is False
    mute.learn(False)
    assert mute.wanted is False


def test_a_hosts_mute_remains_if_it_arrives_during_a_failed_unmute() -> None:
    mute = OwnMute(True)
    mute.learn(True)

    def unmute() -> None:
        with mute.asking(False):
            mute.learn(False)
            mute.learn(True)
            raise ValueError("away")

    with pytest.raises(ValueError, match="away"):
        unmute()
    assert mute.wanted is True


class Server:
    """The mute state in `presence`, which reports only changes."""

    def __init__(self) -> None:
        self.is_muted: bool | None = None
        self.events: deque[bool] = deque()

    def set(self, is_muted: bool) -> None:
        if is_muted != self.is_muted:
            self.is_muted = is_muted
            self.events.append(is_muted)


class Meeting:
    """A client and its server. The test decides when each request, reply and event arrives."""

    def __init__(self, is_muted: bool) -> None:
        self.mute, self.server = OwnMute(is_muted), Server()
        self.server.set(self.mute.declare())
        self._wanted = False
        self._call: AbstractContextManager[None] | None = None
        self._has_arrived = False

    def call(self, wanted: bool) -> None:
        """The program mutes or unmutes, unless a call is in flight."""
        if self._call is not None:
            return
        if wanted:
            self.mute.change(lambda _: True)
        self._wanted, self._has_arrived = wanted, False
        self._call = self.mute.asking(wanted)
        self._call.__enter__()

    def serve(self) -> None:
        if self._call is not None and not self._has_arrived:
            self.server.set(self._wanted)
            self._has_arrived = True

    def reply(self) -> None:
        if self._call is not None and self._has_arrived:
            self._call.__exit__(None, None, None)
            self._call = None

    def event(self) -> None:
        if self.server.events:
            self.mute.learn(self.server.events.popleft())

    def settle(self) -> None:
        self.serve()
        self.reply()
        while self.server.events:
            self.event()


@pytest.mark.parametrize("seed", range(200))
def test_after_random_mutes_the_client_agrees_with_the_server(seed: int) -> None:
    dice = random.Random(seed)
    meeting = Meeting(dice.random() < 0.5)
    for _ in range(60):
        steps: list[Callable[[], None]] = [
            lambda: meeting.call(dice.random() < 0.5),
            lambda: meeting.server.set(True),
            *[meeting.serve, meeting.reply, meeting.event, meeting.event],
        ]
        dice.choice(steps)()
    meeting.settle()
    assert meeting.mute.wanted == meeting.server.is_muted


def test_mutes_by_the_attendee_itself_are_read_and_mutes_by_operators_are_ignored() -> None:
    own, other = (common_pb2.AttendeeInfo(attendee_id=name) for name in ("ada", "eve"))
    joined, left = presence_pb2.ATTENDEE_STATE_JOINED, presence_pb2.ATTENDEE_STATE_LEFT
    snapshot = presence_pb2.RosterSnapshot(
        entries=[
            presence_pb2.RosterEntry(attendee=other, is_muted=True),
            presence_pb2.RosterEntry(attendee=own, is_muted=True),
        ]
    )
    presence = presence_pb2.PresenceChanged(
        changes=[
            presence_pb2.PresenceChange(attendee=own, state=joined, is_muted=False),
            presence_pb2.PresenceChange(attendee=own, state=left, is_muted=True),
            presence_pb2.PresenceChange(
                attendee=own, state=joined, is_muted=True, is_mute_unknown=True
            ),
        ]
    )
    mutes = presence_pb2.MuteChanged(
        changes=[
            presence_pb2.MuteChange(attendee_id="eve", is_muted=False),
            presence_pb2.MuteChange(attendee_id="ada", is_muted=True, is_muted_by_operator=True),
            presence_pb2.MuteChange(attendee_id="ada", is_muted=True),
        ]
    )
    item = gateway_pb2.SessionEvents(
        events=[
            gateway_pb2.SessionEvent(roster_snapshot=snapshot),
            gateway_pb2.SessionEvent(presence_changed=presence),
            gateway_pb2.SessionEvent(mute_changed=mutes),
        ]
    )
    assert list(reported_mutes(item, "ada")) == [True, False, True]
