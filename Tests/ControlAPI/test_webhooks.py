"""Webhook receivers that fail, hang and recover get all events in order."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ControlAPI.gateways import Gateway, gateways
from ControlAPI.guests import ask, get, until
from ControlAPI.house import House, Key, running
from ControlAPI.receiver import Mood, Receiver, check_signature
from ControlAPI.test_kill import gateway_process

MOST_AT_ONCE = 8
"""The number of meetings whose events one receiver gets concurrently, as in
`WebhookDeliverySchedule.swift`.
"""


@pytest.fixture(scope="module")
def hasty() -> Iterator[House]:
    """An installation with a webhook timeout of two seconds and short retry pauses."""
    with running(
        CARILLON_WEBHOOK_TIMEOUT_SECONDS="2",
        CARILLON_WEBHOOK_MAX_BACKOFF_SECONDS="1",
        CARILLON_MAX_MEETING_EVENTS="100",
    ) as house:
        yield house


@pytest.fixture(scope="module")
def signer(hasty: House) -> Key:
    return hasty.make_key("webhooks")


@pytest.fixture(scope="module")
def calls(hasty: House, signer: Key) -> Any:
    return hasty.client(signer)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def webhook(hasty: House, signer: Key, receiver: Receiver) -> Iterator[dict[str, Any]]:
    status, made = ask(hasty, signer, "POST", "webhooks", {"Url": receiver.url})
    assert status == 200, made
    yield {**made["Webhook"], "Secret": made["Secret"]}
    ask(hasty, signer, "DELETE", f"webhooks/{made['Webhook']['WebhookId']}")


def hold(calls: Any, attendees: int = 3) -> str:
    """Creates a meeting with some attendees and ends it. This causes `attendees` + 2 events."""
    meeting: str = calls.create_meeting(
        ClientRequestToken=str(uuid.uuid4()), MediaRegion="us-east-1", ExternalMeetingId="told"
    )["Meeting"]["MeetingId"]
    for number in range(attendees):
        calls.create_attendee(MeetingId=meeting, ExternalUserId=f"user-{number}")
    calls.delete_meeting(MeetingId=meeting)
    return meeting


def is_whole(receiver: Receiver, *meetings: str, events: int = 5) -> bool:
    return all(len(receiver.of(meeting)) == events for meeting in meetings)


def check_order(receiver: Receiver, *meetings: str, events: int = 5) -> None:
    for meeting in meetings:
        told = receiver.of(meeting)
        assert [event["Sequence"] for event in told] == list(range(1, events + 1))
        assert (told[0]["Type"], told[-1]["Type"]) == ("MeetingStarted", "MeetingEnded")
        assert len({event["Epoch"] for event in told}) == 1
    # The gateway sends no accepted event again.
    ids = [a.event["Id"] for a in receiver.arrivals if a.taken]
    assert len(ids) == len(set(ids))


def test_events_arrive_in_order_and_signed(
    hasty: House, signer: Key, calls: Any, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    meetings = [hold(calls) for _ in range(3)]
    receiver.wait(lambda r: is_whole(r, *meetings))
    check_order(receiver, *meetings)
    for arrival in receiver.arrivals:
        check_signature(arrival, webhook["Secret"])
        assert arrival.headers["content-type"] == "application/json"
        assert arrival.headers["carillon-dropped"] == "0"
    shown = get(hasty, signer, f"meetings/{meetings[0]}/events")["Events"]
    assert shown == receiver.of(meetings[0])


def test_no_event_is_lost_while_a_receiver_fails_or_closes_or_hangs(
    hasty: House, signer: Key, calls: Any, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    meetings = []
    for mood in (Mood.FAILS, Mood.CLOSES, Mood.HANGS):
        receiver.mood = mood
        before = len(receiver.arrivals)
        meetings.append(hold(calls))
        # The first event has failed several times, and the gateway has not sent the second event.
        receiver.wait(lambda r, before=before: len(r.arrivals) >= before + 3)
    place = f"webhooks/{webhook['WebhookId']}"
    shown = get(hasty, signer, place)["Webhook"]
    assert shown["Pending"] == 15 and shown["Problem"] and shown["FailingSince"]
    assert {a.event["Sequence"] for a in receiver.arrivals} == {1}
    receiver.mood = Mood.TAKES
    receiver.wait(lambda r: is_whole(r, *meetings))
    check_order(receiver, *meetings)

    def is_well() -> bool:
        shown = get(hasty, signer, place)["Webhook"]
        return shown["Pending"] == 0 and "Problem" not in shown

    wait_for("the delivery of all that was pending", is_well)


def wait_for(what: str, condition: Any) -> None:
    asyncio.run(until(what, condition))


def test_refused_events_of_one_meeting_do_not_delay_other_meetings(
    calls: Any, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    receiver.mood = Mood.FAILS
    first = hold(calls)
    receiver.wait(lambda r: len(r.arrivals) >= 1)
    receiver.mood = Mood.TAKES
    second = hold(calls)
    receiver.wait(lambda r: is_whole(r, first, second))
    check_order(receiver, first, second)


def test_a_replay_sends_events_again_starting_at_a_sequence_number(
    hasty: House, signer: Key, calls: Any, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    meeting = hold(calls)
    receiver.wait(lambda r: is_whole(r, meeting))
    first = [a.event["Id"] for a in receiver.arrivals]
    # The store records the last acceptance slightly later than the receiver does.
    place = f"webhooks/{webhook['WebhookId']}"
    is_taken = lambda: get(hasty, signer, place)["Webhook"]["Pending"] == 0  # noqa: E731
    wait_for("the last event to be noted as taken", is_taken)
    status, answer = ask(
        hasty,
        signer,
        "POST",
        f"webhooks/{webhook['WebhookId']}/replay",
        {"MeetingId": meeting, "FromSequence": 3},
    )
    assert (status, answer) == (200, {"Added": 3})
    receiver.wait(lambda r: len(r.arrivals) == 8)
    assert [a.event["Id"] for a in receiver.arrivals][5:] == first[2:]


def test_a_disabled_receiver_gets_all_events_after_it_is_enabled(
    hasty: House, signer: Key, calls: Any, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    words = [webhook["WebhookId"], "--output", "json"]
    run = hasty.carillon("webhooks", "disable", *words)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["is_enabled"] is False
    meeting = hold(calls)
    assert get(hasty, signer, f"webhooks/{webhook['WebhookId']}")["Webhook"]["Pending"] == 5
    assert receiver.arrivals == []
    hasty.carillon("webhooks", "enable", *words)
    receiver.wait(lambda r: is_whole(r, meeting))
    check_order(receiver, meeting)


def test_the_outbox_is_bounded_and_reports_the_events_that_it_dropped(
    hasty: House, signer: Key, calls: Any, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    receiver.mood = Mood.FAILS
    meetings = [hold(calls, attendees=18) for _ in range(6)]
    shown = get(hasty, signer, f"webhooks/{webhook['WebhookId']}")["Webhook"]
    assert (shown["Pending"], shown["Dropped"]) == (100, 20)
    run = hasty.carillon("webhooks", "list", "--output", "json")
    assert [json.loads(line)["dropped"] for line in run.stdout.splitlines()] == [20]
    receiver.mood = Mood.TAKES
    receiver.wait(lambda r: is_whole(r, *meetings[1:], events=20))
    check_order(receiver, *meetings[1:], events=20)
    # A header tells the receiver the number of dropped events.
    assert receiver.arrivals[-1].headers["carillon-dropped"] == "20"
    assert receiver.of(meetings[0]) == []


def test_a_killed_gateway_loses_no_event_and_keeps_the_order(
    hasty: House, calls: Any, signer: Key, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    receiver.mood = Mood.FAILS
    before = [hold(calls) for _ in range(4)]
    receiver.wait(lambda r: len(r.arrivals) >= 4)
    os.kill(gateway_process(hasty), signal.SIGKILL)
    receiver.mood = Mood.TAKES
    receiver.wait(lambda r: is_whole(r, *before))
    for meeting in before:
        assert [event["Sequence"] for event in receiver.of(meeting)] == [1, 2, 3, 4, 5]


def test_a_minute_of_failures_loses_no_event_and_keeps_the_order(
    hasty: House, signer: Key, calls: Any, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    meetings = []
    # The receiver fails, hangs, closes and fails again, for 15 s each.
    for quarter, mood in enumerate((Mood.FAILS, Mood.HANGS, Mood.CLOSES, Mood.FAILS), 1):
        receiver.mood = mood
        meetings += [hold(calls) for _ in range(3)]
        receiver.wait(
            lambda r, quarter=quarter: (
                r.arrivals and r.arrivals[-1].at - r.arrivals[0].at >= 15 * quarter
            )
        )
    # After a minute, the gateway has sent only the first event of each meeting, and the receiver
    # has accepted none.
    assert {(a.event["Sequence"], a.taken) for a in receiver.arrivals} == {(1, False)}
    assert get(hasty, signer, f"webhooks/{webhook['WebhookId']}")["Webhook"]["Pending"] == 60
    receiver.mood = Mood.TAKES
    receiver.wait(lambda r: is_whole(r, *meetings))
    check_order(receiver, *meetings)


def duty_holder(gateway: Gateway) -> str:
    """Returns the gateway instance that holds the lease for webhooks, or "" if none holds it."""
    with sqlite3.connect(f"file:{gateway.data}/meetings.sqlite?mode=ro", uri=True) as database:
        rows = database.execute("SELECT holder FROM lease WHERE name = 'webhooks'").fetchall()
    database.close()
    return "".join(holder.split()[0] for (holder,) in rows)


def test_another_gateway_takes_over_from_a_killed_gateway(receiver: Receiver) -> None:
    names = ("gateway-a", "gateway-b")
    with gateways(*names, CARILLON_WEBHOOK_MAX_BACKOFF_SECONDS="1") as pair:
        status, _ = ask(pair[0], pair[0].key, "POST", "webhooks", {"Url": receiver.url})
        assert status == 200
        meetings = [hold(pair[0].client(pair[0].key))]
        receiver.wait(lambda r: is_whole(r, *meetings))
        holder = duty_holder(pair[0])
        (told,) = [gateway for gateway in pair if gateway.name == holder]
        (other,) = [gateway for gateway in pair if gateway.name != holder]

        # The other gateway creates meetings while the test kills the lease holder.
        stop = threading.Event()
        with ThreadPoolExecutor(1) as callers:
            making = callers.submit(hold_many, other.client(other.key), stop)
            try:
                before = len(receiver.arrivals)
                receiver.wait(lambda r: len(r.arrivals) >= before + 40)
                told.kill()
                killed = len(receiver.arrivals)
                # The other gateway takes over when the lease of the killed gateway has expired.
                receiver.wait(lambda r: len(r.arrivals) >= killed + 40)
            finally:
                stop.set()
            meetings += making.result()
        receiver.wait(lambda r: is_whole(r, *meetings))
        assert duty_holder(other) == other.name

    for meeting in meetings:
        assert [event["Sequence"] for event in receiver.of(meeting)] == [1, 2, 3, 4, 5]
        came = [a.event for a in receiver.arrivals if a.event["MeetingId"] == meeting]
        # The new gateway sends the unanswered events again with their old ids, and no event is out
        # of order.
        places = [event["Sequence"] for event in came]
        assert places == sorted(places)
        assert len({event["Id"] for event in came}) == 5
    again = len(receiver.arrivals) - len({a.event["Id"] for a in receiver.arrivals})
    assert again <= MOST_AT_ONCE


def hold_many(calls: Any, stop: threading.Event) -> list[str]:
    """Creates and ends meetings one after another until `stop` is set."""
    held = []
    while not stop.is_set():
        held.append(hold(calls))
    return held


def test_an_invalid_receiver_is_refused(hasty: House, signer: Key) -> None:
    for url in ("", "ftp://a/", "http://", "http://a:0/", "http://u:p@a/", "x", "http://a/#b"):
        status, _ = ask(hasty, signer, "POST", "webhooks", {"Url": url})
        assert status == 400, url
    made = []
    for number in range(16):
        status, answer = ask(
            hasty, signer, "POST", "webhooks", {"Url": f"http://127.0.0.1:9/{number}"}
        )
        assert status == 200
        made.append(answer["Webhook"]["WebhookId"])
    status, answer = ask(hasty, signer, "POST", "webhooks", {"Url": "http://127.0.0.1:9/"})
    assert (status, answer["Code"]) == (400, "LimitExceeded")
    for identity in made:
        assert ask(hasty, signer, "DELETE", f"webhooks/{identity}")[0] == 204
    assert ask(hasty, signer, "DELETE", f"webhooks/{made[0]}")[0] == 404
