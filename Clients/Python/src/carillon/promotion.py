"""The promotion of a replica's session to an attendee of the primary meeting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from carillon.attendees import AttendeeInfo, Capabilities, read_capabilities
from carillon.calling import FacadeCalls
from carillon.control import Credentials
from carillon.errors import CarillonError, SessionStatus, Status, StatusCode
from carillon.events import Demoted
from carillon.methods import DEMOTE_FROM_PRIMARY_MEETING, PROMOTE_TO_PRIMARY_MEETING
from carillon.v1 import gateway_pb2

_LOST = Status(
    StatusCode.ABORTED,
    SessionStatus.AUDIO_INTERNAL_SERVER_ERROR,
    message="A lost connection ends a promotion; promote again if it is still wanted.",
)


class SessionPromotion:
    """`Session.promote`, `Session.demote` and `Session.promoted_as`.

    A promotion that ends without a call of `demote` emits one `Demoted` event.
    """

    def __init__(
        self,
        call: FacadeCalls,
        *,
        act_as: Callable[[AttendeeInfo | None, Capabilities | None], None],
        tell: Callable[[Demoted], None],
    ) -> None:
        """Creates this component for a session that is not promoted yet.

        `act_as` receives the attendee that the session is promoted to, and the attendee's
        capabilities. Both are `None` when the promotion ends. `tell` receives each `Demoted` event.
        """
        self._call = call
        self._act_as = act_as
        self._tell = tell
        self._asking = asyncio.Lock()
        self._early: gateway_pb2.DemotedFromPrimaryMeeting | None = None
        self._promoted: AttendeeInfo | None = None
        self._lost: AttendeeInfo | None = None
        """The attendee of the promotion during which the session lost its connection."""
        self._is_connected = False
        self.primary_meeting_id = ""
        """The primary meeting; empty if the session's meeting is not a replica."""

    @property
    def promoted_as(self) -> AttendeeInfo | None:
        """The attendee of the primary meeting that the session is promoted to, or `None`."""
        return self._promoted

    async def promote(self, credentials: Credentials) -> AttendeeInfo:
        """Promotes the session, and returns the attendee that the session is promoted to."""
        request = gateway_pb2.PromoteToPrimaryMeetingRequest(
            attendee_id=credentials.attendee_id,
            external_user_id=credentials.external_user_id,
            join_token=credentials.join_token,
        )
        async with self._asking:
            self._early = None
            reply = await self._call(PROMOTE_TO_PRIMARY_MEETING, request)
            if not self._is_connected:
                raise CarillonError.of(_LOST)
            attendee = AttendeeInfo.of(reply.attendee)
            self._change(attendee, read_capabilities(reply.capabilities))
            # The session may read the events that follow the reply before this task resumes. A
            # demotion among these events found no promotion at that time, so this code applies the
            # demotion now.
            if self._early is not None and self._early.attendee == reply.attendee:
                self._take(self._early)
            return attendee

    async def demote(self) -> bool:
        """Ends the promotion, and returns whether the session was promoted. Emits no `Demoted`."""
        async with self._asking:
            reply = await self._call(
                DEMOTE_FROM_PRIMARY_MEETING, gateway_pb2.DemoteFromPrimaryMeetingRequest()
            )
            self._change(None)
            return reply.was_promoted

    # The session

    def begin(self, started: gateway_pb2.SessionStarted) -> None:
        """Starts on a new connection; emits `Demoted` if the last loss ended a promotion."""
        self._is_connected = True
        self.primary_meeting_id = started.primary_meeting_id
        lost, self._lost = self._lost, None
        if lost is not None:
            self._tell(Demoted(lost, _LOST))

    def suspend(self) -> None:
        """Ends the promotion on a lost connection. No later `Start` restores a promotion."""
        self._is_connected = False
        if (attendee := self._promoted) is not None:
            self._lost = attendee
            self._change(None)

    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """Applies the demotions among the events of a gateway."""
        for event in item.events:
            if event.WhichOneof("event") == "demoted_from_primary_meeting":
                self._take(event.demoted_from_primary_meeting)

    def _take(self, ended: gateway_pb2.DemotedFromPrimaryMeeting) -> None:
        self._early = ended
        if self._promoted == AttendeeInfo.of(ended.attendee):
            self._end(Status.of(ended.status))

    def _end(self, status: Status) -> None:
        if (attendee := self._promoted) is not None:
            self._change(None)
            self._tell(Demoted(attendee, status))

    def _change(self, attendee: AttendeeInfo | None, may: Capabilities | None = None) -> None:
        self._promoted = attendee
        self._act_as(attendee, may)
