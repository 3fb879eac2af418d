"""Attendees of replicas over signaling: the same isolation as over ZeroMQ, and promotion."""

from __future__ import annotations

import pytest

from carillon.control import Credentials
from carillon.signaling import signaling_pb2 as wire
from installation import Installation
from Web.signaling_client import SignalingClient, client_of

pytestmark = pytest.mark.seconds(120)


def seen(client: SignalingClient) -> set[str]:
    """Returns the external ids of all attendees ever reported to a client."""
    return {each.external_user_id for each in client.streams if each.attendee_id}


async def test_an_attendee_of_an_audience_is_invisible_until_its_promotion() -> None:
    async with Installation() as installation:
        control = installation.control
        stage = await control.create_meeting("stage")
        replica = await control.create_meeting("hall", primary_meeting_id=stage.meeting_id)
        made = [await control.create_attendee(stage, name) for name in ("ada", "gus")]
        watching = [await control.create_attendee(replica, name) for name in ("eve", "liz")]
        ada = client_of(installation, stage.meeting_id, made[0])
        eve = client_of(installation, replica.meeting_id, watching[0])
        liz = client_of(installation, replica.meeting_id, watching[1])
        async with ada, eve, liz:
            await ada.join()
            first = await eve.join()
            await liz.join()
            named = {each.external_user_id for each in first.audio_stream_id_info.streams}
            assert named == {"ada", "eve"}
            assert next(f.index for f in eve.frames if f.HasField("index")).at_capacity

            # An attendee of a replica receives messages, but the server refuses the attendee's own
            # messages.
            await ada.say("chat", b"to all")
            await eve.hears(b"to all")
            await eve.say("chat", b"from nobody")
            await eve.next("NOTIFICATION")

            # Credentials of another meeting do not permit a promotion.
            def credentials(who: Credentials) -> wire.SdkPrimaryMeetingJoinFrame:
                return wire.SdkPrimaryMeetingJoinFrame(
                    credentials=wire.SdkMeetingSessionCredentials(
                        attendee_id=who.attendee_id,
                        external_user_id=who.external_user_id,
                        join_token=who.join_token,
                    )
                )

            await eve.send("PRIMARY_MEETING_JOIN", primary_meeting_join=credentials(watching[1]))
            refused = await eve.next("PRIMARY_MEETING_JOIN_ACK")
            assert refused.error.status == 403

            await eve.send("PRIMARY_MEETING_JOIN", primary_meeting_join=credentials(made[1]))
            promoted = await eve.next("PRIMARY_MEETING_JOIN_ACK")
            assert not promoted.error.status
            assert not (await eve.next("INDEX")).index.at_capacity
            await ada.until(lambda: "gus" in seen(ada))
            await eve.say("chat", b"from gus")
            await ada.hears(b"from gus")

            # The server ends the promotion.
            await control.delete_attendee(stage, made[1].attendee_id)
            await eve.next("PRIMARY_MEETING_LEAVE")
            assert seen(ada) == {"ada", "gus"}
            assert "liz" not in seen(eve) and "eve" not in seen(liz)
            await ada.leave()
