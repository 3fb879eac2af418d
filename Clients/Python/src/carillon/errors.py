"""Status codes, reasons and errors, with the names of `common.proto`.

The *original SDK* is the published SDK that `docs/clients.md` describes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from carillon.v1 import common_pb2


class StatusCode(IntEnum):
    """The outcome of a call. The numbers are those of gRPC."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL_ERROR = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16

    @classmethod
    def _missing_(cls, value: object) -> StatusCode:
        return cls.UNKNOWN


class StatusReason(IntEnum):
    """The cause of a status, for codes with several causes that a program distinguishes."""

    UNSPECIFIED = 0
    SLOW_CONSUMER = 1
    FLOODING = 2
    MEETING_DELETED = 3
    ATTENDEE_DELETED = 4
    MEETING_EXPIRED = 5
    JOINED_ELSEWHERE = 6
    MEETING_FULL = 7
    BAD_CREDENTIALS = 8
    UNSUPPORTED_VERSION = 9
    MALFORMED = 10
    STALE_TERM = 11
    DRAINING = 12
    IDLE = 13
    MUTED_BY_OPERATOR = 14
    NOT_OWNER = 15
    KEEP_ALIVE_LOST = 16
    OVERLOADED = 17
    DEMOTED_BY_OPERATOR = 18
    BARRED = 19
    MEETING_LOCKED = 20

    @classmethod
    def _missing_(cls, value: object) -> StatusReason:
        return cls.UNSPECIFIED


class SessionStatus(IntEnum):
    """Why a session ended or could not start: `MeetingSessionStatusCode` of the original SDK."""

    OK = 0
    AUDIO_DISCONNECTED = 9
    CONNECTION_HEALTH_RECONNECT = 10
    VIDEO_SERVICE_UNAVAILABLE = 12
    NETWORK_BECOME_POOR = 59
    AUDIO_SERVER_HUNGUP = 60
    AUDIO_JOINED_FROM_ANOTHER_DEVICE = 61
    AUDIO_INTERNAL_SERVER_ERROR = 62
    AUDIO_AUTHENTICATION_REJECTED = 63
    AUDIO_CALL_AT_CAPACITY = 64
    AUDIO_SERVICE_UNAVAILABLE = 65
    AUDIO_DISCONNECT_AUDIO = 69
    AUDIO_CALL_ENDED = 75
    UNKNOWN = 78
    AUDIO_INPUT_DEVICE_NOT_RESPONDING = 82
    AUDIO_OUTPUT_DEVICE_NOT_RESPONDING = 83
    VIDEO_AT_CAPACITY_VIEW_ONLY = 206

    @classmethod
    def _missing_(cls, value: object) -> SessionStatus:
        return cls.UNKNOWN


@dataclass(frozen=True)
class Status:
    """The outcome of a call or of a session.

    This version reads numbers that it does not know as `UNKNOWN` (codes and session statuses) or as
    `UNSPECIFIED` (reasons).
    """

    code: StatusCode = StatusCode.OK
    session_status: SessionStatus = SessionStatus.OK
    reason: StatusReason = StatusReason.UNSPECIFIED
    message: str = ""
    retry_after_ms: int = 0
    """The time to wait before a retry, in milliseconds; 0 if the peer did not set it."""

    @property
    def is_ok(self) -> bool:
        """Whether the code is `OK`."""
        return self.code is StatusCode.OK

    @classmethod
    def of(cls, status: common_pb2.Status) -> Status:
        """Returns the status of a wire message."""
        return cls(
            StatusCode(status.code),
            SessionStatus(status.session_status),
            StatusReason(status.reason),
            status.message,
            status.retry_after_ms,
        )


class CarillonError(Exception):
    """A call failed, or a session could not start or has ended.

    `message` describes, for a person, what is wrong and what to do.
    """

    def __init__(
        self,
        status_code: StatusCode,
        session_status: SessionStatus = SessionStatus.OK,
        reason: StatusReason = StatusReason.UNSPECIFIED,
        message: str = "",
        retry_after_ms: int = 0,
    ) -> None:
        super().__init__(f"{status_code.name}: {message}" if message else status_code.name)
        self.status_code = status_code
        self.session_status = session_status
        self.reason = reason
        self.message = message
        self.retry_after_ms = retry_after_ms

    @classmethod
    def of(cls, status: Status) -> CarillonError:
        """Returns the error for a status."""
        return cls(
            status.code,
            status.session_status,
            status.reason,
            status.message,
            status.retry_after_ms,
        )

    @property
    def status(self) -> Status:
        """The status of this error."""
        return Status(
            self.status_code,
            self.session_status,
            self.reason,
            self.message,
            self.retry_after_ms,
        )


class EventsLostError(CarillonError):
    """The consumer of an event stream was too slow: more events waited than allowed.

    The stream yields the waiting events, raises this error, and ends. The session continues: call
    `events()` again to start from the current roster.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(
            StatusCode.RESOURCE_EXHAUSTED,
            SessionStatus.OK,
            StatusReason.SLOW_CONSUMER,
            f"More than {limit} events waited to be read; read faster or raise event_limit.",
        )
        self.limit = limit


_RESUME_REASONS = {
    StatusReason.SLOW_CONSUMER,
    StatusReason.DRAINING,
    StatusReason.IDLE,
    StatusReason.KEEP_ALIVE_LOST,
    StatusReason.OVERLOADED,
}
_RESUME_CODES = {StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED, StatusCode.ABORTED}
_FINAL_STATUSES = {
    SessionStatus.AUDIO_SERVER_HUNGUP,
    SessionStatus.AUDIO_JOINED_FROM_ANOTHER_DEVICE,
    SessionStatus.AUDIO_AUTHENTICATION_REJECTED,
    SessionStatus.AUDIO_CALL_AT_CAPACITY,
    SessionStatus.AUDIO_CALL_ENDED,
}


def may_resume(status: Status) -> bool:
    """Returns whether to send `Start` again after a session or a `Start` ended with this status.

    The rule is in `proto/README.md`, section 6.
    """
    if status.reason in _RESUME_REASONS:
        return True
    return status.code in _RESUME_CODES and status.session_status not in _FINAL_STATUSES


def may_repeat(status: Status) -> bool:
    """Returns whether to retry a call of an open session that failed with this status.

    `UNAUTHENTICATED` means that the session is no longer on this connection and will be resumed on
    another one. `UNAVAILABLE`, `DEADLINE_EXCEEDED` and `ABORTED` are temporary. With any other
    code, the call would fail again, unless the reason is one for which `may_resume` returns true.
    """
    return status.code is StatusCode.UNAUTHENTICATED or may_resume(status)
