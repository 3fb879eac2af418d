"""The roster: the server's events, and the changes that result from these events."""

from __future__ import annotations

from carillon import (
    Capabilities,
    CapabilitiesChanged,
    Dropped,
    Joined,
    Left,
    MediaDirection,
    SignalChanged,
    SignalStrength,
    VolumeChanged,
    VolumeLevel,
)
from carillon.roster import Roster
from carillon.v1 import common_pb2 as common, gateway_pb2, presence_pb2
from scripted_gateway import ADA, GRACE, LIN, entry, info, joined, left, levels, mute, number


def roster(*entries: presence_pb2.RosterEntry, epoch: int = 7, tick: int = 5) -> Roster:
    made = Roster(ADA, "ada")
    made.apply(snapshot(*entries, epoch=epoch, tick=tick))
    return made


def snapshot(
    *entries: presence_pb2.RosterEntry, epoch: int = 7, tick: int = 5
) -> gateway_pb2.SessionEvent:
    return gateway_pb2.SessionEvent(
        roster_snapshot=presence_pb2.RosterSnapshot(epoch=epoch, tick=tick, entries=entries)
    )


def test_changed_levels_cause_an_event() -> None:
    meeting = roster(entry(ADA), entry(GRACE))
    high, low = common.VOLUME_LEVEL_HIGH, common.SIGNAL_STRENGTH_LOW
    assert meeting.apply(levels(7, 6, {GRACE: high}, {ADA: low})) == [
        VolumeChanged(meeting.attendees[GRACE], VolumeLevel.HIGH),
        SignalChanged(meeting.attendees[ADA], SignalStrength.LOW),
    ]
    assert meeting.apply(levels(7, 7, {GRACE: high}, {ADA: low})) == []


def test_levels_of_an_older_tick_or_another_epoch_are_ignored() -> None:
    meeting = roster(entry(GRACE))
    high = {GRACE: common.VOLUME_LEVEL_HIGH}
    assert meeting.apply(levels(7, 5, high)) == []
    assert meeting.apply(levels(6, 9, high)) == []
    assert len(meeting.apply(levels(7, 6, high))) == 1


def test_ticks_restart_with_a_snapshot() -> None:
    meeting = roster(entry(GRACE), tick=100)
    assert meeting.apply(snapshot(entry(GRACE), epoch=8, tick=0)) == []
    assert len(meeting.apply(levels(8, 1, {GRACE: common.VOLUME_LEVEL_LOW}))) == 1


def test_levels_of_unknown_or_muted_attendees_and_of_unknown_numbers_are_ignored() -> None:
    meeting = roster(entry(ADA, is_muted=True), entry(GRACE))
    volumes = {ADA: common.VOLUME_LEVEL_HIGH, LIN: common.VOLUME_LEVEL_HIGH, GRACE: 77}
    assert meeting.apply(levels(7, 6, volumes, {GRACE: 77, LIN: 1})) == []
    assert meeting.apply(levels(7, 7, {GRACE: common.VOLUME_LEVEL_MUTED})) == []
    assert meeting.attendees[ADA].volume is VolumeLevel.MUTED


def test_the_volume_after_an_unmute_is_silence() -> None:
    meeting = roster(entry(GRACE, volume=common.VOLUME_LEVEL_HIGH))
    meeting.apply(mute(GRACE, is_muted_by_operator=True))
    assert meeting.attendees[GRACE].volume is VolumeLevel.MUTED
    assert meeting.attendees[GRACE].is_muted_by_operator
    meeting.apply(mute(GRACE, False))
    assert meeting.attendees[GRACE].volume is VolumeLevel.NOT_SPEAKING
    assert not meeting.attendees[GRACE].is_muted_by_operator


def test_several_joins_in_one_event_are_reported_in_order() -> None:
    meeting = roster(entry(ADA))
    assert meeting.apply(joined(LIN, ADA, GRACE)) == [
        Joined(meeting.attendees[LIN]),
        Joined(meeting.attendees[GRACE]),
    ]


def test_a_join_of_an_attendee_in_the_roster_reports_only_changes() -> None:
    meeting = roster(entry(GRACE, volume=common.VOLUME_LEVEL_HIGH))
    assert meeting.apply(joined(GRACE)) == []
    assert meeting.attendees[GRACE].volume is VolumeLevel.HIGH


def test_signal_strength_is_unknown_until_measured_and_survives_a_snapshot_without_it() -> None:
    meeting = roster(entry(GRACE))
    assert meeting.attendees[GRACE].signal is None
    meeting.apply(levels(7, 6, signals={GRACE: common.SIGNAL_STRENGTH_HIGH}))
    assert meeting.apply(snapshot(entry(GRACE), epoch=8)) == []
    assert meeting.attendees[GRACE].signal is SignalStrength.HIGH


def test_content_shares_are_separate_participants() -> None:
    meeting = roster(entry(GRACE))
    assert len(meeting.apply(joined(GRACE + "#content"))) == 1
    assert list(meeting.attendees) == [GRACE, GRACE + "#content"]


def test_unset_capabilities_allow_everything() -> None:
    meeting = roster(entry(GRACE))
    assert meeting.attendees[GRACE].capabilities == Capabilities()
    change = presence_pb2.CapabilitiesChanged(
        attendee_id=GRACE,
        capabilities=common.Capabilities(audio=common.MEDIA_DIRECTION_RECEIVE, video=number(77)),
    )
    event = gateway_pb2.SessionEvent(capabilities_changed=change)
    assert meeting.apply(event) == [
        CapabilitiesChanged(meeting.attendees[GRACE], Capabilities(audio=MediaDirection.RECEIVE))
    ]
    assert meeting.apply(event) == []


def test_the_clients_own_name_defaults_to_the_name_of_its_credentials() -> None:
    meeting = Roster(ADA, "ada")
    own = presence_pb2.RosterEntry(attendee=common.AttendeeInfo(attendee_id=ADA))
    (event,) = meeting.apply(snapshot(own, entry(GRACE)))[:1]
    assert isinstance(event, Joined) and event.attendee.external_user_id == "ada"
    assert info(GRACE).external_user_id == meeting.attendees[GRACE].external_user_id


def test_the_roster_is_read_only() -> None:
    meeting = roster(entry(GRACE))
    view = meeting.attendees
    meeting.apply(joined(LIN))
    assert LIN in view and not hasattr(view, "pop")


def test_an_attendee_missing_in_a_new_epoch_is_dropped_only_after_the_grace_period() -> None:
    meeting = roster(entry(ADA), entry(GRACE))
    assert meeting.apply(snapshot(entry(ADA), epoch=8)) == []
    assert meeting.has_missing
    assert list(meeting.attendees) == [ADA, GRACE]
    assert [type(event) for event in meeting.confirm_missing()] == [Dropped]
    assert not meeting.has_missing
    assert list(meeting.attendees) == [ADA]


def test_changes_of_a_missing_attendee_remain_after_its_return() -> None:
    meeting = roster(entry(ADA), entry(GRACE))
    meeting.apply(snapshot(entry(ADA), epoch=8))
    meeting.apply(snapshot(entry(ADA), entry(LIN), epoch=9))
    assert list(meeting.attendees) == [ADA, LIN, GRACE]
    assert meeting.apply(snapshot(entry(ADA), entry(LIN), entry(GRACE), epoch=10)) == []
    assert not meeting.has_missing
    assert meeting.confirm_missing() == []


def test_a_missing_attendee_who_leaves_is_reported_as_left() -> None:
    meeting = roster(entry(ADA), entry(GRACE))
    meeting.apply(snapshot(entry(ADA), epoch=8))
    assert [type(event) for event in meeting.apply(left(GRACE))] == [Left]
    assert list(meeting.attendees) == [ADA]
    assert meeting.confirm_missing() == []


def test_an_attendee_who_returns_in_a_new_epoch_causes_no_event() -> None:
    meeting = roster(entry(ADA), entry(GRACE))
    meeting.apply(snapshot(entry(ADA), epoch=8))
    assert meeting.apply(joined(GRACE)) == []
    assert list(meeting.attendees) == [ADA, GRACE]
    assert meeting.confirm_missing() == []


def test_an_attendee_missing_in_the_same_epoch_has_dropped() -> None:
    meeting = roster(entry(ADA), entry(GRACE))
    assert [type(event) for event in meeting.apply(snapshot(entry(ADA)))] == [Dropped]


def test_an_attendees_label_is_its_display_name_if_it_has_one() -> None:
    named = entry(GRACE)
    named.attendee.display_name = "花子"
    meeting = roster(entry(ADA), named)
    assert [each.name for each in meeting.attendees.values()] == ["ada", "花子"]
    assert meeting.attendees[GRACE].external_user_id == "grace"
    event = joined(LIN)
    event.presence_changed.changes[0].attendee.display_name = "محمد"
    (told,) = meeting.apply(event)
    assert isinstance(told, Joined) and told.attendee.name == "محمد"
    (gone,) = meeting.apply(left(LIN))
    assert isinstance(gone, Left) and gone.attendee.display_name == "محمد"
