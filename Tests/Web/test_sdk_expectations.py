"""The expectations of the public browser SDK, tested with the frames that the SDK sends.

Section numbers refer to the protocol's description.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from carillon.media import play
from carillon.signaling import signaling_pb2 as wire
from spoken import MEETING, speak
from test_end_to_end import LiveMeeting, live_meeting
from Web.offers import offer
from Web.signaling_client import Frame, SignalingClient, client_of

pytestmark = pytest.mark.seconds(240)

ATTENDEE_PRESENCE_TIMEOUT_MS = 5_000
"""The shorter `attendeePresenceTimeoutMs` of the SDK's demos. The SDK waits this long for its own
presence after SUBSCRIBE_ACK, and does not start without this presence (1.5).
"""
STEP_MS = 200
"""The interval of levels while an attendee speaks, in milliseconds."""
FLOOR_STEPS = 40
"""The approximate number of silent frames after which the SDK's score of a speaker is at its
minimum (5.4).
"""


class Browsers:
    """Browsers in one meeting that use the protocol like the SDK."""

    def __init__(self, tea: LiveMeeting, stack: AsyncExitStack) -> None:
        self.tea = tea
        self._stack = stack

    async def connect(self, name: str, modality: str = "") -> SignalingClient:
        who = await self.tea.create(name)
        meeting_id = self.tea.meeting.meeting_id
        client = client_of(self.tea.installation, meeting_id, who, modality=modality)
        return await self._stack.enter_async_context(client)

    async def start(self, name: str) -> SignalingClient:
        """Connects a client. Returns the client after its JOIN and its first INDEX."""
        client = await self.connect(name)
        await say_join(client)
        await client.next("JOIN_ACK")
        await client.next("INDEX")
        return client

    async def watch(self, name: str) -> SignalingClient:
        """Makes a client join without media."""
        client = await self.connect(name)
        await client.join()
        return client


@asynccontextmanager
async def browsers(**flags: Any) -> AsyncIterator[Browsers]:
    async with live_meeting(**flags) as tea, AsyncExitStack() as stack:
        yield Browsers(tea, stack)


async def say_join(client: SignalingClient) -> None:
    """Sends PING and JOIN as in 2.1."""
    await client.ping(1)
    join = wire.SdkJoinFrame(
        protocol_version=2,
        flags=2,
        client_details=wire.SdkClientDetails(client_source="amazon-chime-sdk-js"),
        audio_session_id=4_032_178_331,
        wants_compressed_sdp=True,
    )
    await client.send("JOIN", join=join)


async def subscribe(client: SignalingClient, *, is_muted: bool = False) -> None:
    """Sends the first SUBSCRIBE as in 2.1: sound in both directions, no video."""
    audio = wire.SdkStreamDescriptor(
        stream_id=1, track_label="AmazonChimeExpressAudio", media_type=wire.AUDIO
    )
    subscription = wire.SdkSubscribeFrame(
        duplex="RX",
        send_streams=[audio],
        receive_stream_ids=[0],
        sdp_offer=offer(["0", "1"]),
        audio_host="host",
        audio_checkin=False,
        audio_muted=is_muted,
    )
    await client.send("SUBSCRIBE", sub=subscription)


async def is_caught_up(client: SignalingClient, number: int) -> None:
    """Waits until a client has received everything that was sent to this client so far."""
    await client.ping(number)
    await client.next("PING_PONG", lambda frame: frame.ping_pong.ping_id == number)


def entries(client: SignalingClient, name: str) -> list[Any]:
    """Returns a client's presence entries about all streams of an attendee."""
    numbers = {each.audio_stream_id for each in client.streams if each.external_user_id == name}
    return [each for each in client.streams if each.audio_stream_id in numbers]


# Presence after SUBSCRIBE_ACK, as in sections 1.5 and 2.1


async def test_the_clients_own_presence_follows_the_first_subscribe_ack_and_arrives_once() -> None:
    async with browsers() as tea:
        ada = await tea.watch("ada")
        cai = await tea.start("cai")
        # A join or leave that precedes cai's first presence frame appears in this frame or in no
        # frame.
        gone = await tea.watch("gone")
        bea = await tea.start("bea")
        await gone.leave()
        await ada.until(lambda: len(entries(ada, "gone")) == 2, "a leave")
        await is_caught_up(cai, 2)
        assert "AUDIO_STREAM_ID_INFO" not in cai.kinds
        await subscribe(cai, is_muted=False)
        async with asyncio.timeout(ATTENDEE_PRESENCE_TIMEOUT_MS / 1_000):
            first = await cai.next("AUDIO_STREAM_ID_INFO")
        kinds = cai.kinds
        assert kinds.index("SUBSCRIBE_ACK") < kinds.index("AUDIO_STREAM_ID_INFO")
        names = [each.external_user_id for each in first.audio_stream_id_info.streams]
        assert sorted(names) == ["ada", "bea", "cai"]
        # The server reports later changes as they happen, and announces no attendee twice.
        await subscribe(bea, is_muted=True)
        await cai.until(lambda: any(each.muted for each in entries(cai, "bea")), "a mute")
        await subscribe(cai, is_muted=False)
        await cai.next("SUBSCRIBE_ACK")
        await is_caught_up(cai, 3)
        for name in ("ada", "bea", "cai"):
            assert len([each for each in entries(cai, name) if each.attendee_id]) == 1


async def test_a_client_without_subscribe_gets_the_roster_two_seconds_after_index() -> None:
    async with browsers() as tea:
        ada = await tea.start("ada")
        began = time.monotonic()
        first = await ada.next("AUDIO_STREAM_ID_INFO")
        took = time.monotonic() - began
        assert [each.external_user_id for each in first.audio_stream_id_info.streams] == ["ada"]
        assert 1.5 < took < 6
        # The server answers a late SUBSCRIBE, and announces no attendee again.
        await subscribe(ada)
        await ada.next("SUBSCRIBE_ACK")
        await is_caught_up(ada, 2)
        assert len([each for each in entries(ada, "ada") if each.attendee_id]) == 1


async def test_messages_do_not_wait_for_the_roster() -> None:
    async with browsers() as tea:
        ada = await tea.watch("ada")
        bea = await tea.start("bea")
        await ada.say("chat", b"early")
        await bea.hears(b"early")
        await subscribe(bea)
        await bea.next("SUBSCRIBE_ACK")
        await bea.next("AUDIO_STREAM_ID_INFO")
        kinds = bea.kinds
        assert kinds.index("DATA_MESSAGE") < kinds.index("AUDIO_STREAM_ID_INFO")


# Levels, as in sections 5.3 and 5.4


async def test_levels_arrive_every_200_ms_during_speech_and_for_some_time_afterwards() -> None:
    async with browsers() as tea:
        ada = await tea.watch("ada")
        bot = await tea.tea.enter("bot")
        await bot.knows("ada", "bot")
        await ada.until(lambda: bool(entries(ada, "bot")), "the bot")
        [number] = {each.audio_stream_id for each in entries(ada, "bot")}
        await play(bot.session, await speak(MEETING, tea.tea.installation.directory))

        def heard() -> list[tuple[int, int]]:
            """Returns the times when the bot was listed, and its levels below full scale."""
            return [
                (frame.timestamp_ms, each.volume)
                for frame in ada.frames
                for each in frame.audio_metadata.attendee_states
                if each.audio_stream_id == number and each.HasField("volume")
            ]

        def silent() -> list[int]:
            """Returns the times of silent entries since the bot was last heard."""
            last = max((when for when, volume in heard() if volume < 42), default=0)
            return [when for when, volume in heard() if last and when > last and volume >= 42]

        await ada.until(lambda: len(silent()) >= FLOOR_STEPS, "silence down to the floor")
        times = [when for when, _ in heard()]
        # During the sentence and the silence after it, the server sends one frame per `STEP_MS`,
        # even if nothing has changed.
        gaps = [after - before for before, after in pairwise(times)]
        assert sorted(gaps)[len(gaps) // 2] == pytest.approx(STEP_MS, abs=60)
        assert len(times) == pytest.approx((times[-1] - times[0]) / STEP_MS, rel=0.25)
        assert all(volume > 0 for _, volume in heard())
        # The volume reports end, because the server does not report lasting silence.
        count = 0
        async with asyncio.timeout(30):
            while count != len(heard()):
                count = len(heard())
                await asyncio.sleep(1)


# Mutes, as in sections 1.3 and 5.2


@pytest.mark.parametrize("is_muted", [True, False])
async def test_a_mute_is_reported_only_after_subscribe_has_stated_the_mute(is_muted: bool) -> None:
    async with browsers() as tea:
        ada = await tea.watch("ada")
        bea = await tea.start("bea")
        await ada.until(lambda: bool(entries(ada, "bea")), "bea")
        # This wait is long enough for any service to send an unrequested report.
        roster = await bea.next("AUDIO_STREAM_ID_INFO")
        late = await tea.watch("late")
        for told in (ada.streams, late.streams, roster.audio_stream_id_info.streams):
            [entry] = [each for each in told if each.external_user_id == "bea"]
            assert not entry.HasField("muted")
        await subscribe(bea, is_muted=is_muted)

        def statements(client: SignalingClient) -> list[bool]:
            return [each.muted for each in entries(client, "bea") if each.HasField("muted")]

        def has_statement(client: SignalingClient) -> bool:
            return bool(statements(client))

        for client in (ada, bea, late):
            await client.until(partial(has_statement, client), "a mute")
            assert statements(client) == [is_muted]
        # A new attendee gets the state immediately.
        [entry] = entries(await tea.watch("last"), "bea")
        assert entry.HasField("muted") and entry.muted == is_muted


# Content shares, as in sections 2.11 and 3.4


async def test_a_content_share_joins_and_a_third_share_is_rejected() -> None:
    async with browsers() as tea:
        ada = await tea.watch("ada")
        shares = []
        for name in ("bea", "cai"):
            share = await tea.connect(name, "#content")
            await say_join(share)
            assert not (await share.next("JOIN_ACK")).HasField("error")
            await share.next("INDEX")
            shares.append(share)

        def contents() -> set[str]:
            return {each.attendee_id for each in ada.streams if "#content" in each.attendee_id}

        await ada.until(lambda: len(contents()) == 2, "both shares")
        third = await tea.connect("dan", "#content")
        await say_join(third)
        refused = await third.next("JOIN_ACK")
        assert refused.error.status == 409 and refused.HasField("joinack")
        assert "INDEX" not in third.kinds
        await third.leave()
        for share in shares:
            await share.leave()


# INDEX, as in section 3.3


async def test_an_index_has_the_number_of_attendees() -> None:
    async with browsers() as tea:
        for number, name in enumerate(["ada", "bea", "cai"], 1):
            client = await tea.watch(name)
            [index] = [frame.index for frame in client.frames if frame.type == Frame.INDEX]
            assert index.num_participants == number
        await client.leave()
        bot = await tea.tea.enter("bot")
        await bot.knows("ada", "bea", "bot")
        last = await tea.start("last")
        [index] = [frame.index for frame in last.frames if frame.type == Frame.INDEX]
        assert index.num_participants == 4


# Presence for late joiners, as in section 5.1


def over(client: SignalingClient) -> set[int]:
    """Returns the streams whose end was reported to a client."""
    return {
        each.audio_stream_id
        for each in client.streams
        if not each.attendee_id and not each.HasField("muted")
    }


def knows(client: SignalingClient, name: str) -> bool:
    return bool(entries(client, name))


def has_seen_leave(client: SignalingClient, times: int) -> bool:
    return len(over(client)) == times


async def test_a_late_client_gets_no_former_events() -> None:
    rounds = 50
    drawn = random.Random(7)
    late: list[tuple[SignalingClient, set[int]]] = []
    async with browsers() as tea:
        ada = await tea.watch("ada")
        guest = await tea.tea.create("guest")
        meeting_id = tea.tea.meeting.meeting_id

        async def comes() -> None:
            before = over(ada)
            late.append((await tea.watch(f"late{len(late)}"), before))

        # Four events per round: the guest joins, mutes, unmutes and leaves.
        for number in range(rounds):
            async with client_of(tea.tea.installation, meeting_id, guest) as client:
                await client.join()
                await subscribe(client, is_muted=True)
                unmuted = wire.SdkAudioControlFrame(muted=False)
                await client.send("AUDIO_CONTROL", audio_control=unmuted)
                if drawn.random() < 0.1:
                    await comes()
                await client.leave()
            await ada.until(partial(has_seen_leave, ada, number + 1), "a leave")
            if drawn.random() < 0.1 or number == rounds - 1:
                await comes()
        last = late[-1][0]
        assert {each.external_user_id for each in last.streams} == {
            "ada",
            *(f"late{number}" for number in range(len(late))),
        }
        newest = f"late{len(late) - 1}"
        for client, before in late:
            await client.until(partial(knows, client, newest), "the last")
            assert not before & {each.audio_stream_id for each in client.streams}


# A kill of media, as in section 1.7


@pytest.mark.alone
async def test_a_browser_whose_media_was_killed_must_reconnect_within_a_second() -> None:
    async with browsers() as tea:
        ada = await tea.start("ada")
        await subscribe(ada, is_muted=False)
        await ada.next("SUBSCRIBE_ACK")
        bystander = await tea.watch("bea")
        await tea.tea.installation.media.kill()
        began = time.monotonic()
        assert await ada.closed() == 4503
        assert time.monotonic() - began < 1.5
        # A client that has no media at this instance stays connected.
        await is_caught_up(bystander, 5)
        assert bystander.close_code is None
        # After a reconnection, the restarted media answers.
        await tea.tea.installation.media.start()
        await tea.tea.installation.become_ready()
        again = await tea.start("ada2")
        await subscribe(again, is_muted=False)
        assert (await again.next("SUBSCRIBE_ACK")).suback.sdp_answer
