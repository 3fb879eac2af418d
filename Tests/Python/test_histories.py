"""Rosters of clients that join late, that reconnect, or that missed too many events.

The tests play random histories to the client's roster, and compare the roster with a simple model.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from carillon import Dropped, Joined, Left, Muted, Unmuted
from carillon.roster import Roster
from carillon.v1 import common_pb2 as common, gateway_pb2, presence_pb2
from scripted_gateway import ADA, mute

STEPS = 200


def about(attendee_id: str) -> common.AttendeeInfo:
    return common.AttendeeInfo(attendee_id=attendee_id, external_user_id=attendee_id)


def change(
    attendee_id: str, state: presence_pb2.AttendeeState, is_muted: bool = False
) -> gateway_pb2.SessionEvent:
    one = presence_pb2.PresenceChange(attendee=about(attendee_id), state=state, is_muted=is_muted)
    changed = presence_pb2.PresenceChanged(changes=[one])
    return gateway_pb2.SessionEvent(presence_changed=changed)


class History:
    """The model of a meeting in which attendees join, leave, mute and unmute."""

    def __init__(self, generator: random.Random) -> None:
        self._random = generator
        self.present: dict[str, bool] = {}
        """The mute states of the attendees present, by id."""
        self.epoch = 7
        self._names = 0

    def step(self) -> gateway_pb2.SessionEvent:
        others = [each for each in self.present if each != ADA]
        if not others or self._random.random() < 0.4:
            self._names += 1
            return self.join(f"guest-{self._names}")
        guest = self._random.choice(others)
        if self._random.random() < 0.5:
            del self.present[guest]
            return change(guest, presence_pb2.ATTENDEE_STATE_LEFT)
        self.present[guest] = not self.present[guest]
        return mute(guest, self.present[guest])

    def join(self, attendee_id: str, is_muted: bool = False) -> gateway_pb2.SessionEvent:
        self.present[attendee_id] = is_muted
        return change(attendee_id, presence_pb2.ATTENDEE_STATE_JOINED, is_muted)

    @property
    def snapshot(self) -> gateway_pb2.SessionEvent:
        entries = [
            presence_pb2.RosterEntry(attendee=about(each), is_muted=is_muted)
            for each, is_muted in self.present.items()
        ]
        snapshot = presence_pb2.RosterSnapshot(epoch=self.epoch, tick=5, entries=entries)
        return gateway_pb2.SessionEvent(roster_snapshot=snapshot)


class Listener:
    """A client, with the events it reported."""

    def __init__(self) -> None:
        self.roster = Roster(ADA, "ada")
        self.told: dict[str, Counter[str]] = {}
        self.here: dict[str, bool] = {}
        """The mute states, by id, of the attendees who are present according to the client's
        reports."""

    def hear(self, event: gateway_pb2.SessionEvent) -> None:
        self._take(self.roster.apply(event))

    def confirm_missing(self) -> None:
        self._take(self.roster.confirm_missing())

    def _take(self, reports: Sequence[object]) -> None:
        for report in reports:
            match report:
                case Joined(attendee):
                    assert attendee.attendee_id not in self.here
                    self.here[attendee.attendee_id] = attendee.is_muted
                case Left(attendee) | Dropped(attendee):
                    assert attendee.attendee_id != ADA
                    del self.here[attendee.attendee_id]  # Fails for an unknown attendee.
                case Muted(attendee):
                    assert not self.here[attendee.attendee_id]
                    self.here[attendee.attendee_id] = True
                case Unmuted(attendee):
                    assert self.here[attendee.attendee_id]
                    self.here[attendee.attendee_id] = False
                case _:
                    continue
            kind = type(report).__name__
            self.told.setdefault(attendee.attendee_id, Counter())[kind] += 1


@pytest.mark.parametrize("seed", range(20))
def test_an_attendee_who_joins_late_gets_no_events_about_former_attendees(seed: int) -> None:
    generator = random.Random(seed)
    history = History(generator)
    before = generator.randrange(STEPS)
    gone: set[str] = set()
    for _ in range(before):
        there = set(history.present)
        history.step()
        gone |= there - set(history.present)
    history.join(ADA)
    late = Listener()
    late.hear(history.snapshot)
    assert late.here == history.present
    assert {kind for told in late.told.values() for kind in told} == {"Joined"}
    for _ in range(STEPS - before):
        late.hear(history.step())
        assert late.here == history.present
    assert not gone & set(late.told)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("is_epoch_known", [True, False], ids=["passed window", "unknown epoch"])
def test_a_returning_client_gets_only_the_changes(seed: int, is_epoch_known: bool) -> None:
    """A snapshot replaces the missed events."""
    generator = random.Random(seed)
    history, ada = History(generator), Listener()
    history.join(ADA)
    ada.hear(history.snapshot)
    for _ in range(STEPS):
        if generator.random() < 0.9:
            ada.hear(history.step())
            continue
        before = dict(ada.here)
        visited: set[str] = set()
        for _ in range(generator.choice([0, 3, 90])):
            history.step()
            visited |= set(history.present)
        if not is_epoch_known:
            history.epoch += 1
        ada.told.clear()
        ada.hear(history.snapshot)
        # In another epoch, attendees who are not in the snapshot may still reconnect.
        is_missed = not is_epoch_known and bool(set(before) - set(history.present))
        assert ada.roster.has_missing == is_missed
        ada.confirm_missing()
        assert ada.here == history.present
        changed = {each for each in before | ada.here if before.get(each) != ada.here.get(each)}
        assert set(ada.told) == changed
        # The client does not report attendees who joined and left while it had no connection.
        assert not (visited - set(before) - set(history.present)) & set(ada.told)
    assert ADA not in ada.told or set(ada.told[ADA]) == {"Joined"}


@pytest.mark.parametrize("seed", range(20))
def test_a_client_that_returns_during_the_recovery_of_the_roster_loses_no_attendee(
    seed: int,
) -> None:
    """After presence dies, the new owner first knows only the attendees that gateways announced."""
    generator = random.Random(seed)
    history, ada = History(generator), Listener()
    history.join(ADA)
    ada.hear(history.snapshot)
    for _ in range(STEPS):
        ada.hear(history.step())
    everybody = dict(history.present)
    known = [each for each in everybody if each == ADA or generator.random() < 0.5]
    history.present = {each: everybody[each] for each in known}
    history.epoch += 1
    ada.told.clear()
    ada.hear(history.snapshot)
    for each in [each for each in everybody if each not in known]:
        ada.hear(history.join(each, everybody[each]))
    ada.confirm_missing()
    assert ada.told == {} and ada.here == everybody
