"""Tests of signaling against the protocol's invariants.

The invariants are numbered as in section 9.3 of the protocol's description. Numbers 8, 9 and 14
concern media: these tests check numbers 8 and 9 as far as an answer allows, and only packets could
show number 14. The test client checks number 13 with every received frame.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any

import pytest
from websockets.exceptions import InvalidHandshake, InvalidStatus

from carillon import Credentials, SessionOptions, VideoLayer
from carillon.media import play
from carillon.signaling import signaling_pb2 as wire
from eventually import eventually
from spoken import MEETING, speak
from test_end_to_end import Attendee, LiveMeeting, live_meeting
from Web.offers import EXTENSIONS, offer
from Web.signaling_client import SECONDS, Frame, SignalingClient, client_of, face_of

pytestmark = pytest.mark.seconds(240)


class Guests:
    """Browsers in a meeting, by name."""

    def __init__(self, tea: LiveMeeting, stack: AsyncExitStack) -> None:
        self._tea = tea
        self._stack = stack

    async def connect(self, who: str | Credentials) -> SignalingClient:
        tea = self._tea
        credentials = who if isinstance(who, Credentials) else await tea.create(who)
        client = client_of(tea.installation, tea.meeting.meeting_id, credentials)
        return await self._stack.enter_async_context(client)

    async def join(self, who: str | Credentials, audio_session_id: int = 7) -> SignalingClient:
        client = await self.connect(who)
        await client.join(audio_session_id)
        return client


async def refusal(client: SignalingClient) -> int:
    """Returns the close code of a client that is rejected before its first INDEX."""
    async with client:
        with suppress(AssertionError):
            await client.join()
        code = await client.closed()
        assert "INDEX" not in client.kinds
        return code


async def test_invariant_1_a_refused_client_gets_a_close_code_after_the_upgrade() -> None:
    async with live_meeting() as tea:
        installation, meeting_id = tea.installation, tea.meeting.meeting_id
        ada = await tea.create("ada")
        here, nowhere = face_of(installation, meeting_id), face_of(installation, "no-such-meeting")
        assert await refusal(SignalingClient(here, ada.join_token[::-1])) == 4403
        assert await refusal(SignalingClient(nowhere, ada.join_token)) in {4403, 4410}
        other = await installation.control.create_meeting("other")
        assert await refusal(client_of(installation, other.meeting_id, ada)) == 4403
        await installation.control.delete_meeting(other)
        assert await refusal(client_of(installation, other.meeting_id, ada)) in {4403, 4410}
        await installation.control.delete_attendee(tea.meeting, ada.attendee_id)
        assert await refusal(client_of(installation, meeting_id, ada)) == 4403
        # The gateway rejects a page of another origin.
        bea = await tea.create("bea")
        with pytest.raises((InvalidStatus, InvalidHandshake)):
            async with client_of(installation, meeting_id, bea, origin="http://evil.example"):
                pass
        await installation.control.delete_meeting(tea.meeting)
        assert await refusal(client_of(installation, meeting_id, bea)) == 4410


async def test_invariant_1_a_full_meeting_is_reported_by_a_close_code() -> None:
    async with live_meeting(presence=["--max-attendees", "2"]) as tea, AsyncExitStack() as stack:
        guests = Guests(tea, stack)
        await guests.join("ada")
        await guests.join("bea")
        late = await guests.connect("late")
        await late.send("JOIN", join=wire.SdkJoinFrame(protocol_version=2, flags=2))
        assert (await late.next("JOIN_ACK")).error.status == 409
        assert "INDEX" not in late.kinds


async def test_invariant_1_a_stopping_gateway_sends_every_client_to_another_gateway() -> None:
    async with live_meeting() as tea:
        installation = tea.installation
        small = await installation.control.create_meeting("small", max_attendees=2)
        made = [await installation.control.create_attendee(small, name) for name in ("ada", "bea")]
        first = client_of(installation, small.meeting_id, made[0])
        silent = client_of(installation, small.meeting_id, made[1])
        async with first, silent:
            await first.join()
            ended = asyncio.create_task(first.closed())
            stopping = asyncio.create_task(installation.gateway.terminate())
            for code in (await ended, await silent.closed()):
                assert code == 4503
            assert await stopping == 0


async def test_invariant_2_a_session_ends_with_an_audio_status() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        guests = Guests(tea, stack)
        control = tea.installation.control

        def status(frame: Frame) -> int:
            return frame.audio_status.audio_status

        # Another device replaces the first device, and the first device gets a status. When the
        # same device reconnects, it gets no status.
        ada = await tea.create("ada")
        phone = await guests.join(ada, 1)
        desk = await guests.join(ada, 2)
        assert status(await phone.next("AUDIO_STATUS")) == 301
        again = await guests.join(ada, 2)
        await desk.closed()
        assert "AUDIO_STATUS" not in desk.kinds

        bea = await tea.create("bea")
        removed = await guests.join(bea)
        await control.delete_attendee(tea.meeting, bea.attendee_id)
        assert status(await removed.next("AUDIO_STATUS")) == 411
        await removed.leave()

        await control.delete_meeting(tea.meeting)
        assert status(await again.next("AUDIO_STATUS")) == 410
        await again.leave()


async def test_invariant_3_each_subscription_gets_one_answer_in_order() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        ada = await Guests(tea, stack).join("ada")
        for mids in (["0", "1"], ["0", "1", "2"], ["0", "1"]):
            await subscribe(ada, offer(mids))
        answers = [(await ada.next("SUBSCRIBE_ACK")).suback.sdp_answer for _ in range(3)]
        assert [re.findall(r"a=mid:(\S+)", answer) for answer in answers] == [
            ["0", "1"],
            ["0", "1", "2"],
            ["0", "1"],
        ]
        await ada.ping(1)
        await ada.next("PING_PONG")
        assert ada.kinds.count("SUBSCRIBE_ACK") == 3


async def test_invariant_3_an_unacceptable_offer_gets_an_error_in_the_answer() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        ada = await Guests(tea, stack).join("ada")
        # The gateway answers an offer without information about the camera like any other offer.
        both = wire.SdkSubscribeFrame(
            duplex="DUPLEX", receive_stream_ids=[0], sdp_offer=offer(["0", "1"])
        )
        await ada.send("SUBSCRIBE", sub=both)
        answered = await ada.next("SUBSCRIBE_ACK")
        assert answered.suback.sdp_answer and answered.error.status in (0, 206)
        await subscribe(ada, "v=0\r\n")
        refused = await ada.next("SUBSCRIBE_ACK")
        assert refused.error.status == 400 and not refused.suback.sdp_answer
        # Media is down, so the status asks for a retry.
        bea = await Guests(tea, stack).join("bea")
        await tea.installation.media.kill()
        await subscribe(bea, offer(["0", "1"]))
        assert (await bea.next("SUBSCRIBE_ACK")).error.status == 503
        await tea.installation.media.start()
        await tea.installation.become_ready()


async def test_video_frames_with_unknown_ids_do_no_harm() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        ada = await Guests(tea, stack).join("ada")
        for kind in ("PAUSE", "RESUME"):
            await ada.send(kind, pause=wire.SdkPauseResumeFrame(stream_ids=[5], group_ids=[1]))
        wanted = wire.SdkVideoSubscriptionConfiguration(mid="2", attendee_id="nobody", stream_id=5)
        update = wire.SdkRemoteVideoUpdateFrame(
            added_or_updated_video_subscriptions=[wanted], removed_video_subscription_mids=["3"]
        )
        await ada.send("REMOTE_VIDEO_UPDATE", remote_video_update=update)
        await ada.send("CLIENT_METRIC", client_metric=wire.SdkClientMetricFrame())
        await ada.send("MEETING_SESSION_TIMING")
        await ada.ping(9)
        assert (await ada.next("PING_PONG")).ping_pong.ping_id == 9
        # JOIN_ACK turned compression off, so clients send offers uncompressed.
        [joined] = [frame.joinack for frame in ada.frames if frame.type == Frame.JOIN_ACK]
        assert not joined.wants_compressed_sdp


async def subscribe(client: SignalingClient, sdp: str) -> None:
    subscription = wire.SdkSubscribeFrame(duplex="RX", receive_stream_ids=[0], sdp_offer=sdp)
    await client.send("SUBSCRIBE", sub=subscription)


async def test_invariant_4_every_ping_is_answered_even_before_the_join() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        guests = Guests(tea, stack)
        ada = await guests.connect("ada")
        await ada.ping(1)
        pong = await ada.next("PING_PONG")
        assert (pong.ping_pong.type, pong.ping_pong.ping_id) == (wire.PONG, 1)
        await ada.join()
        numbers = [2, 4_294_967_295, 0]
        for number in numbers:
            await ada.ping(number)
        answers = [(await ada.next("PING_PONG")).ping_pong.ping_id for _ in numbers]
        assert answers == numbers


async def test_invariant_5_an_index_has_all_cameras_except_the_receivers_own() -> None:
    layers = [VideoLayer(320, 180, 15, 300_000)]
    async with live_meeting() as tea, AsyncExitStack() as stack:
        guests = Guests(tea, stack)
        ada = await guests.join("ada")
        bot = await tea.enter("bot")
        await bot.session.video.publish(layers)

        def has_bot(frame: Frame) -> bool:
            return any(source.external_user_id == "bot" for source in frame.index.sources)

        index = (await ada.next("INDEX", has_bot)).index
        [source] = index.sources
        assert source.media_type == wire.VIDEO and source.attendee_id == bot.session.attendee_id
        assert source.stream_id > 0 and source.group_id > 0 and source.max_bitrate_kbps > 0
        late = await guests.connect("late")
        await late.join()
        [first] = [frame for frame in late.frames if frame.type == Frame.INDEX][:1]
        assert [each.stream_id for each in first.index.sources] == [source.stream_id]
        await bot.session.video.unpublish()
        await ada.next("INDEX", lambda frame: not frame.index.sources)


async def test_invariants_6_and_7_presence_first_lists_everybody_and_stream_numbers_rise() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        guests = Guests(tea, stack)
        bot = await tea.enter("bot", SessionOptions(is_muted=True))
        ada = await guests.connect("ada")
        first = await ada.join()
        streams = first.audio_stream_id_info.streams
        assert {stream.external_user_id for stream in streams} == {"ada", "bot"}
        # ada has not reported her microphone's state yet.
        muted = {each.external_user_id: each.muted for each in streams if each.HasField("muted")}
        assert muted == {"bot": True}
        await bot.knows("ada", "bot")

        bea = await tea.create("bea")
        for round_ in range(3):
            guest = await guests.connect(bea)
            roster = (await guest.join(round_)).audio_stream_id_info.streams
            here = {stream.external_user_id for stream in roster if stream.attendee_id}
            assert here == {"ada", "bea", "bot"}
            await guest.leave()

        def told() -> list[Any]:
            return [stream for stream in ada.streams if stream.external_user_id == "bea"]

        def left() -> list[int]:
            known = {stream.audio_stream_id for stream in told()}
            return [
                stream.audio_stream_id
                for stream in ada.streams
                if stream.audio_stream_id in known
                and not stream.attendee_id
                and not stream.HasField("muted")
            ]

        await ada.until(lambda: len(left()) == 3, "three leaves")
        numbers = [stream.audio_stream_id for stream in told()]
        assert len(set(numbers)) == 3 and numbers == sorted(numbers) and left() == numbers


@asynccontextmanager
async def ada_bea_and_a_bot() -> AsyncIterator[tuple[SignalingClient, SignalingClient, Attendee]]:
    """Runs two browsers, and a bot whose roster lists them."""
    async with live_meeting() as tea, AsyncExitStack() as stack:
        guests = Guests(tea, stack)
        ada, bea = await guests.join("ada"), await guests.join("bea")
        bot = await tea.enter("bot")
        await bot.knows("ada", "bea", "bot")
        yield ada, bea, bot


async def test_every_client_gets_all_mutes_including_its_own() -> None:
    async with ada_bea_and_a_bot() as (ada, bea, bot):
        for is_muted in (True, False):
            await ada.send("AUDIO_CONTROL", audio_control=wire.SdkAudioControlFrame(muted=is_muted))
            for client in (ada, bea):
                await client.next("AUDIO_STREAM_ID_INFO", statement(client, "ada", is_muted))
            await bot.until("the mute", partial(is_known, bot, "ada", is_muted))


async def test_the_second_of_two_quick_mute_requests_takes_effect() -> None:
    async with ada_bea_and_a_bot() as (ada, bea, bot):
        for is_muted in (True, False):
            for wish in (is_muted, not is_muted):
                await ada.send("AUDIO_CONTROL", audio_control=wire.SdkAudioControlFrame(muted=wish))
            # bea's request reaches presence after all of ada's requests.
            await bea.send("AUDIO_CONTROL", audio_control=wire.SdkAudioControlFrame(muted=is_muted))
            await bot.until("the mute", partial(is_known, bot, "bea", is_muted))
            assert is_known(bot, "ada", not is_muted)
            await ada.send("AUDIO_CONTROL", audio_control=wire.SdkAudioControlFrame(muted=is_muted))
            await bot.until("the mute", partial(is_known, bot, "ada", is_muted))


def statement(client: SignalingClient, name: str, is_muted: bool) -> Callable[[Frame], bool]:
    """Returns a check for frames that report an attendee's microphone as muted or unmuted."""
    number = next(each.audio_stream_id for each in client.streams if each.external_user_id == name)
    return lambda frame: any(
        each.audio_stream_id == number and each.HasField("muted") and each.muted == is_muted
        for each in frame.audio_stream_id_info.streams
    )


def is_known(bot: Attendee, name: str, is_muted: bool) -> bool:
    return (name in bot.muted) == is_muted


async def subscribed(client: SignalingClient, sdp: str) -> str:
    await subscribe(client, sdp)
    return (await client.next("SUBSCRIBE_ACK")).suback.sdp_answer


def sections(sdp: str) -> list[str]:
    """Returns the media sections of a description."""
    return re.split(r"(?m)^(?=m=)", sdp)[1:]


async def test_invariants_8_and_9_answers_accept_all_extensions_and_repeat_port_0_lines() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        ada = await Guests(tea, stack).join("ada")
        first = await subscribed(ada, offer(["0", "1"]))
        assert first.endswith("\r\n") and "a=ice-lite" in first
        for section, wanted in zip(sections(first), EXTENSIONS, strict=True):
            taken = dict(
                reversed(line.split(" ", 1)) for line in re.findall(r"a=extmap:(.*)\r", section)
            )
            for number, name in wanted.items():
                assert taken.get(name) == f"{number}", f"{name} in {section}"
        again = await subscribed(ada, offer(["0", "1", "2"], stopped={"2"}))
        assert [re.match(r"m=\w+ (\d+)", each).group(1) == "0" for each in sections(again)] == [  # type: ignore[union-attr]
            False,
            False,
            True,
        ]
        [bundle] = re.findall(r"a=group:BUNDLE (.*)\r", again)
        assert bundle.split() == ["0", "1"]


async def test_invariant_10_a_silent_attendee_has_level_42_or_none_and_nobody_has_level_0() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        ada = await Guests(tea, stack).join("ada")
        bot = await tea.enter("bot")
        await bot.knows("ada", "bot")
        await ada.until(lambda: "bot" in names(ada), "the bot")
        number = next(
            each.audio_stream_id for each in ada.streams if each.external_user_id == "bot"
        )

        def levels() -> list[int]:
            return [
                state.volume
                for frame in ada.frames
                for state in frame.audio_metadata.attendee_states
                if state.audio_stream_id == number and state.HasField("volume")
            ]

        await play(bot.session, await speak(MEETING, tea.installation.directory))
        await ada.until(lambda: any(level < 42 for level in levels()), "a level of speech")
        assert all(level > 0 for level in levels())

        def is_silent(frame: Frame) -> bool:
            listed = {
                each.audio_stream_id: each.volume for each in frame.audio_metadata.attendee_states
            }
            return listed.get(number, 42) >= 42

        await ada.next("AUDIO_METADATA", is_silent)


async def test_invariants_11_and_12_messages_have_a_time_and_reach_only_other_attendees() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        guests = Guests(tea, stack)
        ada, bea = await guests.join("ada"), await guests.join("bea")
        bot = await tea.enter("bot")
        await ada.say("chat", b"one", 60_000)
        await ada.say("chat", b"\x00\xff")
        await bea.hears(b"one", b"\x00\xff")
        await bea.say("chat", b"two")
        await ada.hears(b"two")
        await bot.session.send("chat", "three", lifetime_ms=60_000)
        for client, own in ((ada, [b"two"]), (bea, [b"one", b"\x00\xff"])):
            await client.hears(*own, b"three")
            for message in client.messages:
                assert message.HasField("ingest_time_ns") and message.ingest_time_ns > 0
                assert message.sender_attendee_id and message.sender_external_user_id
        late = await guests.join("late")
        await late.hears(b"one", b"three")
        times = [message.ingest_time_ns for message in late.messages]
        assert times == sorted(times)


async def test_invariant_12_excess_messages_return_only_to_their_sender() -> None:
    limits = ["--data-messages-per-second", "1", "--data-message-burst", "3"]
    async with live_meeting(messaging=limits) as tea, AsyncExitStack() as stack:
        guests = Guests(tea, stack)
        ada, bea = await guests.join("ada"), await guests.join("bea")
        said = [f"{number}".encode() for number in range(12)]
        for each in said:
            await ada.say("chat", each)

        def back() -> list[bytes]:
            return [message.data for message in ada.messages]

        def heard() -> list[bytes]:
            return [message.data for message in bea.messages]

        # The two clients receive independently of each other.
        await eventually(
            "an answer to each message",
            lambda: len(back()) + len(heard()) >= len(said),
            SECONDS,
        )
        assert all(each.HasField("ingest_time_ns") for each in ada.messages)
        assert {each.ingest_time_ns for each in ada.messages} == {0}
        assert sorted(back() + heard()) == sorted(said) and len(heard()) >= 3


async def test_messages_that_break_a_rule_reach_nobody() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        guests = Guests(tea, stack)
        ada, bea = await guests.join("ada"), await guests.join("bea")
        for topic in ("", "a topic", "aws:chime:transcription", "x" * 37, "chat\n"):
            await ada.say(topic, b"no")
        await ada.say("chat", b"x" * 2_049)
        await ada.say("chat", b"x" * 2_048)
        await bea.hears(b"x" * 2_048)
        assert [message.topic for message in bea.messages] == ["chat"]


async def test_a_returning_client_gets_each_missed_event_once() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        guests = Guests(tea, stack)
        ada = await tea.create("ada")
        bot = await tea.enter("bot")
        first = await guests.join(ada, 3)
        await bot.session.send("chat", "one")
        await bot.session.send("chat", "two", lifetime_ms=60_000)
        await first.hears(b"one", b"two")
        positions = {each.stream: each.place for frame in first.frames for each in frame.positions}
        first.socket.transport.abort()
        await bot.session.send("chat", "three")
        again = await guests.connect(ada)
        await again.join(
            3,
            positions=[
                wire.CarillonPosition(stream=stream, place=place)
                for stream, place in positions.items()
            ],
        )
        await bot.session.send("chat", "four")
        await again.hears(b"three", b"four")


async def test_a_replicas_attendee_is_visible_only_while_it_is_promoted() -> None:
    async with live_meeting() as tea, AsyncExitStack() as stack:
        installation, control = tea.installation, tea.installation.control
        primary = tea.meeting.meeting_id
        replica = await control.create_meeting("audience", primary_meeting_id=primary)
        eve = await control.create_attendee(replica, "eve")
        guest = await tea.create("guest")
        ada = await Guests(tea, stack).join("ada")
        client = client_of(installation, replica.meeting_id, eve)
        await stack.enter_async_context(client)
        first = await client.join()
        seen = {each.external_user_id for each in first.audio_stream_id_info.streams}
        assert "ada" in seen
        await ada.say("chat", b"to all")
        await client.hears(b"to all")
        wrong = wire.SdkMeetingSessionCredentials(
            attendee_id=guest.attendee_id, external_user_id="guest", join_token="wrong"
        )
        await promote(client, wrong)
        refused = await client.next("PRIMARY_MEETING_JOIN_ACK")
        assert refused.error.status == 403
        right = wire.SdkMeetingSessionCredentials(
            attendee_id=guest.attendee_id,
            external_user_id="guest",
            join_token=guest.join_token,
        )
        await promote(client, right)
        granted = await client.next("PRIMARY_MEETING_JOIN_ACK")
        assert granted.error.status == 0
        await ada.until(lambda: "guest" in names(ada), "the guest")
        await client.say("chat", b"from the stage")
        await ada.hears(b"from the stage")
        await control.delete_attendee(tea.meeting, guest.attendee_id)
        await client.next("PRIMARY_MEETING_LEAVE")
        assert "eve" not in names(ada)


async def promote(client: SignalingClient, credentials: Any) -> None:
    frame = wire.SdkPrimaryMeetingJoinFrame(credentials=credentials)
    await client.send("PRIMARY_MEETING_JOIN", primary_meeting_join=frame)


def names(client: SignalingClient) -> set[str]:
    return {each.external_user_id for each in client.streams}
