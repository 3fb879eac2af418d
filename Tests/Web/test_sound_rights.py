"""The speakers in a browser's mix: mutes, promotions, audiences, and two devices of an attendee.

All times are times at which packets of the mix left media, by the kernel's clock
(`stamped_peer.py`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
import pytest

from carillon import Credentials
from carillon.media import AudioReceiver, AudioSender
from carillon.signaling import signaling_pb2 as wire
from installation import Installation
from Web.browser_peer import Sound, loudest_hertz, loudness
from Web.signaling_client import SignalingClient, client_of
from Web.stamped_peer import HeardPacket, StampedPeer, stamped_peer
from Web.test_browser_sound import QUIET, bot_of, hear, tone, until_loud
from Web.test_sdk_expectations import Browsers, browsers

pytestmark = [pytest.mark.alone, pytest.mark.seconds(120)]  # The tests measure tenths of a second.

SOON = 0.1
"""The longest time from a call's return until all packets from media show its effect, in
seconds."""
OUTPUT = 0.4
"""The longest time from a call's return until a browser's output shows its effect, in seconds."""
LOUD = 1_000
ROUNDS = 4
"""The number of attempts. A busy machine may delay the speaker; a defect fails each attempt."""


@asynccontextmanager
async def listening(
    installation: Installation, meeting_id: str, who: Credentials, sound: Sound, device: int = 7
) -> AsyncIterator[tuple[SignalingClient, StampedPeer]]:
    """Runs a browser in a meeting. The browser records when the packets of its mix left media."""
    async with client_of(installation, meeting_id, who) as client:
        join = wire.SdkJoinFrame(protocol_version=2, flags=2, audio_session_id=device)
        await client.send("JOIN", join=join)
        await client.next("JOIN_ACK")
        async with stamped_peer(client, sound) as peer:
            yield client, peer


def with_sound(packets: list[HeardPacket], first: float) -> list[float]:
    """Returns the time from `first` to each later packet with sound."""
    late = [each for each in packets if each.left_at > first]
    return [each.left_at - first for each in late if loudness(each.sound) > QUIET]


def without_sound(packets: list[HeardPacket], first: float) -> list[float]:
    """Returns the time from `first` to each later packet without loud sound."""
    late = [each for each in packets if each.left_at > first]
    return [each.left_at - first for each in late if loudness(each.sound) < LOUD]


async def set_muted(tea: Browsers, who: Credentials, *, is_muted: bool) -> None:
    """Mutes or unmutes an attendee as the operator."""
    meeting_id = tea.tea.meeting.meeting_id
    path = f"/carillon/v1/meetings/{meeting_id}/attendees/{who.attendee_id}/mute"
    await tea.tea.installation.control._call("PUT", path, {"Muted": is_muted})


async def test_no_packet_later_than_100_ms_after_a_mute_contains_the_muted_voice() -> None:
    async with browsers() as tea:
        bot = await bot_of(tea, "bot")
        connection = await bot.session.media.open()
        installation, meeting_id = tea.tea.installation, tea.tea.meeting.meeting_id
        ada, bea = await tea.tea.create("ada"), await tea.tea.create("bea")
        async with listening(installation, meeting_id, bea, tone(1_000, 0)) as (_, ears):
            # The attendee mutes itself.
            with AudioSender(connection) as sender:
                speaking = asyncio.create_task(sender.send(tone(440, 60).reshape(-1, 1)))
                await until_loud(ears)
                await bot.session.mute()
                returned = time.time()
                packets = await ears.packets_until(returned + 1)
                speaking.cancel()
            assert all(late <= SOON for late in with_sound(packets, returned))
            # The operator mutes an attendee whose browser still sends the microphone's sound.
            async with listening(installation, meeting_id, ada, tone(700, 60)):
                await until_loud(ears)
                await set_muted(tea, ada, is_muted=True)
                returned = time.time()
                packets = await ears.packets_until(returned + 1)
                assert all(late <= SOON for late in with_sound(packets, returned))
                # The mute caused the silence: after an unmute, the receiver hears the sound again.
                await set_muted(tea, ada, is_muted=False)
                await until_loud(ears)


async def test_an_attendee_of_an_audience_is_heard_100_ms_after_its_promotion() -> None:
    async with Installation() as installation:
        control = installation.control
        stage = await control.create_meeting("stage")
        hall = await control.create_meeting("hall", primary_meeting_id=stage.meeting_id)
        ada, gus = [await control.create_attendee(stage, name) for name in ("ada", "gus")]
        eve = await control.create_attendee(hall, "eve")
        async with (
            listening(installation, stage.meeting_id, ada, tone(1_000, 60)) as (_, on_stage),
            listening(installation, hall.meeting_id, eve, tone(440, 60)) as (client, in_hall),
        ):
            await until_loud(in_hall)
            assert loudest_hertz(await in_hall.hear(1)) == pytest.approx(1_000, rel=0.01)
            assert with_sound(on_stage.packets, 0) == []
            late: list[float] = []
            for _ in range(ROUNDS):
                late = await promote(client, on_stage, gus)
                print(late)
                if all(each <= limit for each, limit in zip(late, (SOON, OUTPUT), strict=True)):
                    break
            else:
                raise AssertionError(f"The last time it was heard after {late} s.")


async def promote(client: SignalingClient, on_stage: StampedPeer, gus: Credentials) -> list[float]:
    """Promotes and demotes an attendee who speaks continuously.

    Returns the delay of the last packet without the attendee's sound, and the delay at the output.
    """
    await client.send("PRIMARY_MEETING_JOIN", primary_meeting_join=promotion(gus))
    promoted = await client.next("PRIMARY_MEETING_JOIN_ACK")
    returned, at = time.time(), len(on_stage.heard)
    assert not promoted.error.status
    packets = await on_stage.packets_until(returned + 1)
    await until_loud(on_stage)
    heard = on_stage.heard
    assert loudest_hertz(heard[-24_000:]) == pytest.approx(440, rel=0.02)
    output = next(n for n, x in enumerate(heard[at:]) if abs(int(x)) > LOUD) / 48_000
    await client.send(
        "PRIMARY_MEETING_LEAVE", primary_meeting_leave=wire.SdkPrimaryMeetingLeaveFrame()
    )
    async with asyncio.timeout(30):
        while loudness(await on_stage.hear(0.2)) > QUIET:
            pass
    return [max(without_sound(packets, returned), default=0.0), output]


def promotion(who: Credentials) -> wire.SdkPrimaryMeetingJoinFrame:
    """Returns a promotion request with this attendee's credentials."""
    return wire.SdkPrimaryMeetingJoinFrame(
        credentials=wire.SdkMeetingSessionCredentials(
            attendee_id=who.attendee_id,
            external_user_id=who.external_user_id,
            join_token=who.join_token,
        )
    )


async def test_a_second_device_of_an_attendee_ends_the_session_of_the_first_device() -> None:
    async with browsers() as tea:
        bot = await bot_of(tea, "bot")
        connection = await bot.session.media.open()
        installation, meeting_id = tea.tea.installation, tea.tea.meeting.meeting_id
        ada = await tea.tea.create("ada")
        with AudioReceiver(connection) as receiver:
            async with listening(installation, meeting_id, ada, tone(440, 60)) as (older, ears):
                async with asyncio.timeout(30):
                    while loudness(await hear(receiver, 0.2)) < LOUD:
                        pass
                async with listening(installation, meeting_id, ada, tone(700, 60), device=8):
                    status = await older.next("AUDIO_STATUS")
                    assert status.audio_status.audio_status == 301
                    told = time.time()
                    async with asyncio.timeout(30):
                        while loudest_hertz(await hear(receiver, 0.5)) != pytest.approx(700, 0.01):
                            pass
                    # The older device still sends sound, but nobody hears the device, and the
                    # device hears nothing.
                    heard = await hear(receiver, 1)
                    assert share(heard, 440) < 0.01 * share(heard, 700)
                    packets = ears.packets
                    assert packets[-1].left_at < told + 1, packets[-1].left_at - told


def share(sound: Sound, hertz: float) -> float:
    """Returns the loudness of one tone, in arbitrary units."""
    spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound))))
    at = round(hertz * len(sound) / 48_000)
    return float(spectrum[at - 2 : at + 3].max())
