"""The roster of a meeting, built from the session stream. It uses no clock and no socket.

The *original SDK* is the published SDK that `docs/clients.md` describes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from carillon.attendees import (
    Attendee,
    VolumeLevel,
    read_capabilities,
    read_signal,
    read_volume,
)
from carillon.events import (
    CapabilitiesChanged,
    Dropped,
    Event,
    Joined,
    Left,
    Muted,
    SignalChanged,
    Unmuted,
    VolumeChanged,
)
from carillon.v1 import common_pb2, gateway_pb2, presence_pb2


class Roster:
    """The participants by participant id, in the order in which they joined.

    `apply` applies an event of the server and returns the resulting changes. A repeated event
    changes nothing, so the roster reports each join, leave or drop once.
    """

    def __init__(self, own_id: str, own_external_user_id: str) -> None:
        self._own = (own_id, own_external_user_id)
        self._attendees: dict[str, Attendee] = {}
        self._missing: set[str] = set()
        self._epoch = 0
        self._tick = 0

    @property
    def attendees(self) -> Mapping[str, Attendee]:
        """The attendees by id, as a live view, including missing ones until `confirm_missing`."""
        return MappingProxyType(self._attendees)

    @property
    def has_missing(self) -> bool:
        """Whether attendees have been missing since a new epoch began, and may still reconnect."""
        return bool(self._missing)

    def confirm_missing(self) -> list[Event]:
        """Drops the attendees who are still missing. Called when the time to reconnect is over."""
        missing = [each for each in self._attendees.values() if each.attendee_id in self._missing]
        return [Dropped(gone) for each in missing for gone in self._remove(each.attendee_id)]

    def apply(self, event: gateway_pb2.SessionEvent) -> list[Event]:
        """Applies an event of the session stream, and returns the changes.

        Events that do not concern the roster change nothing.
        """
        match event.WhichOneof("event"):
            case "roster_snapshot":
                return self._replace(event.roster_snapshot)
            case "presence_changed":
                return list(self._change_presence(event.presence_changed.changes))
            case "mute_changed":
                return list(self._change_mutes(event.mute_changed.changes))
            case "levels_changed":
                return list(self._change_levels(event.levels_changed))
            case "capabilities_changed":
                change = event.capabilities_changed
                if (known := self._attendees.get(change.attendee_id)) is None:
                    return []
                capabilities = read_capabilities(change.capabilities)
                return list(self._update(known, replace(known, capabilities=capabilities)))
            case _:
                return []

    def _replace(self, snapshot: presence_pb2.RosterSnapshot) -> list[Event]:
        """Replaces the whole roster. This method drops attendees who are not in the snapshot.

        If a snapshot has another epoch, the owner of the roster may have just restarted, and may
        not know all sessions yet. Then missing attendees remain until `confirm_missing`.
        """
        is_continued = snapshot.epoch == self._epoch
        self._epoch, self._tick = snapshot.epoch, snapshot.tick
        known = dict(self._attendees)
        self._missing.clear()
        self._attendees.clear()
        events: list[Event] = []
        changes: list[Event] = []
        for entry in snapshot.entries:
            before = known.pop(entry.attendee.attendee_id, None)
            now = self._attendee_of(entry, before)
            self._attendees[now.attendee_id] = now
            if before is None:
                events.append(Joined(now))
            else:
                changes.extend(_differences(before, now))
        self._attendees |= known
        self._missing = set(known)
        if is_continued:
            events.extend(self.confirm_missing())
        return events + changes

    def _attendee_of(self, entry: presence_pb2.RosterEntry, before: Attendee | None) -> Attendee:
        volume = read_volume(entry.volume, is_muted=entry.is_muted)
        signal = read_signal(entry.signal)
        if signal is None and before is not None:
            signal = before.signal
        return Attendee(
            attendee_id=entry.attendee.attendee_id,
            external_user_id=self._name(entry.attendee),
            is_muted=entry.is_muted,
            volume=VolumeLevel.NOT_SPEAKING if volume is None else volume,
            signal=signal,
            is_muted_by_operator=entry.is_muted_by_operator,
            capabilities=read_capabilities(entry.capabilities),
            joined_at_ms=entry.joined_at_ms,
            display_name=entry.attendee.display_name,
        )

    def _change_presence(self, changes: Iterable[presence_pb2.PresenceChange]) -> Iterator[Event]:
        for change in changes:
            attendee_id = change.attendee.attendee_id
            match change.state:
                case presence_pb2.ATTENDEE_STATE_JOINED:
                    yield from self._join(change)
                case presence_pb2.ATTENDEE_STATE_LEFT:
                    yield from (Left(gone) for gone in self._remove(attendee_id))
                case presence_pb2.ATTENDEE_STATE_DROPPED:
                    yield from (Dropped(gone) for gone in self._remove(attendee_id))

    def _remove(self, attendee_id: str) -> list[Attendee]:
        """Removes an attendee. Returns a list with the attendee; empty for an unknown id."""
        self._missing.discard(attendee_id)
        found = self._attendees.pop(attendee_id, None)
        return [] if found is None else [found]

    def _join(self, change: presence_pb2.PresenceChange) -> Iterator[Event]:
        attendee_id = change.attendee.attendee_id
        known = self._attendees.get(attendee_id)
        self._missing.discard(attendee_id)
        attendee = Attendee(
            attendee_id=change.attendee.attendee_id,
            external_user_id=self._name(change.attendee),
            is_muted=change.is_muted,
            volume=VolumeLevel.MUTED if change.is_muted else VolumeLevel.NOT_SPEAKING,
            is_muted_by_operator=change.is_muted_by_operator,
            capabilities=read_capabilities(change.capabilities),
            joined_at_ms=change.joined_at_ms,
            display_name=change.attendee.display_name,
        )
        if known is None:
            self._attendees[attendee.attendee_id] = attendee
            yield Joined(attendee)
            return
        if not change.is_muted and not known.is_muted:
            attendee = replace(attendee, volume=known.volume)
        yield from self._update(known, replace(attendee, signal=known.signal))

    def _change_mutes(self, changes: Iterable[presence_pb2.MuteChange]) -> Iterator[Event]:
        for change in changes:
            if (known := self._attendees.get(change.attendee_id)) is None:
                continue
            volume = VolumeLevel.NOT_SPEAKING if known.is_muted else known.volume
            now = replace(
                known,
                is_muted=change.is_muted,
                is_muted_by_operator=change.is_muted_by_operator,
                volume=VolumeLevel.MUTED if change.is_muted else volume,
            )
            yield from self._update(known, now)

    def _change_levels(self, levels: presence_pb2.LevelsChanged) -> Iterator[Event]:
        if levels.epoch != self._epoch or levels.tick <= self._tick:
            return
        self._tick = levels.tick
        for volume_change in levels.volumes:
            known = self._attendees.get(volume_change.attendee_id)
            volume = read_volume(volume_change.level)
            if known is not None and volume is not None and not known.is_muted:
                yield from self._update(known, replace(known, volume=volume))
        for signal_change in levels.signals:
            known = self._attendees.get(signal_change.attendee_id)
            signal = read_signal(signal_change.strength)
            if known is not None and signal is not None:
                yield from self._update(known, replace(known, signal=signal))

    def _update(self, before: Attendee, now: Attendee) -> Iterator[Event]:
        self._attendees[now.attendee_id] = now
        return _differences(before, now)

    def _name(self, attendee: common_pb2.AttendeeInfo) -> str:
        own_id, own_name = self._own
        if attendee.attendee_id == own_id and not attendee.external_user_id:
            return own_name
        return attendee.external_user_id


def _differences(before: Attendee, now: Attendee) -> Iterator[Event]:
    """Yields the changes in the original SDK's order: mute, volume, signal, capabilities."""
    if now.is_muted != before.is_muted:
        yield Muted(now) if now.is_muted else Unmuted(now)
    if now.volume != before.volume:
        yield VolumeChanged(now, now.volume)
    if now.signal is not None and now.signal != before.signal:
        yield SignalChanged(now, now.signal)
    if now.capabilities != before.capabilities:
        yield CapabilitiesChanged(now, now.capabilities)
