"""The mute of the session's own attendee. The program and the meeting's hosts change this mute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from carillon.choice import Choice
from carillon.v1 import gateway_pb2, presence_pb2

_JOINED = presence_pb2.ATTENDEE_STATE_JOINED

_Report: TypeAlias = (
    presence_pb2.RosterEntry | presence_pb2.PresenceChange | presence_pb2.MuteChange
)


class OwnMute(Choice[bool]):
    """Whether the session's own attendee is muted. Each Start declares this mute (`declare`).

    A mute by a host has the same effect as a mute by the program. So a Start after a lost
    connection declares the host's mute too, and only the program can unmute. The server's events do
    not say who muted an attendee. After a call or a Start that mutes, the next event of a mute
    belongs to that call or Start. Any other event of a mute comes from a host (`learn`). This class
    ignores operators' mutes, because the server keeps these mutes.
    """

    def __init__(self, settled: bool) -> None:
        super().__init__(settled)
        self._reported: bool | None = None
        self._is_awaiting_event = False
        self._is_by_host = False

    def declare(self) -> bool:
        """Returns the mute for the next Start."""
        self._expect(self.wanted)
        return self.wanted

    @contextmanager
    def asking(self, wanted: bool) -> Iterator[None]:
        """Sets `wanted` during the block. If the block raises no error, also sets `settled`."""
        self._is_by_host = False
        self._expect(wanted)
        try:
            with super().asking(wanted):
                yield
        except BaseException:
            self._is_awaiting_event = False
            raise

    def learn(self, is_muted: bool) -> None:
        """Applies the attendee's mute, as an event or a roster of the server reports it."""
        self._reported = is_muted
        if is_muted and self._is_awaiting_event:
            self._is_awaiting_event = False
        elif is_muted and not self.wanted:
            self._is_by_host = True
            self.change(lambda _: True)
        elif not is_muted and self._is_by_host:
            # The program unmuted the attendee after the host's mute. This event reports that
            # unmute.
            self._is_by_host = False
            self.change(lambda _: False)

    def _expect(self, is_muted: bool) -> None:
        if is_muted and self._reported is not True:
            self._is_awaiting_event = True


def reported_mutes(item: gateway_pb2.SessionEvents, attendee_id: str) -> Iterator[bool]:
    """Yields the mutes that an item reports for an attendee, without operators' mutes."""
    for event in item.events:
        for mute in _reported(event):
            is_own = _id_of(mute) == attendee_id
            if is_own and not mute.is_muted_by_operator and not _is_unknown(mute):
                yield mute.is_muted


def _reported(event: gateway_pb2.SessionEvent) -> Iterable[_Report]:
    """Returns the entries of an event that state whether attendees are muted."""
    match event.WhichOneof("event"):
        case "roster_snapshot":
            return event.roster_snapshot.entries
        case "presence_changed":
            return [each for each in event.presence_changed.changes if each.state == _JOINED]
        case "mute_changed":
            return event.mute_changed.changes
        case _:
            return ()


def _id_of(report: _Report) -> str:
    if isinstance(report, presence_pb2.MuteChange):
        return report.attendee_id
    return report.attendee.attendee_id


def _is_unknown(report: _Report) -> bool:
    return not isinstance(report, presence_pb2.MuteChange) and report.is_mute_unknown
