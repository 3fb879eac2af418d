"""The methods of `AudioVideoFacade` that this package calls, with their types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from google.protobuf.message import Message

from carillon.frames import method_key
from carillon.v1 import (
    common_pb2,
    gateway_pb2,
    messaging_pb2,
    presence_pb2,
    transcription_pb2,
    video_tiles_pb2,
)

Request = TypeVar("Request", bound=Message)
Reply = TypeVar("Reply", bound=Message)


@dataclass(frozen=True)
class UnaryMethod(Generic[Request, Reply]):
    """A method with one reply. `name` is `carillon.v1.<Service>/<Method>`."""

    name: str
    request: type[Request]
    reply: type[Reply]

    @property
    def key(self) -> int:
        """The method's number in request headers."""
        return method_key(self.name)


@dataclass(frozen=True)
class StreamMethod(Generic[Request, Reply]):
    """A method that replies with a stream of items."""

    name: str
    request: type[Request]
    item: type[Reply]

    @property
    def key(self) -> int:
        """The method's number in request headers."""
        return method_key(self.name)


_FACADE = "carillon.v1.AudioVideoFacade/"

START = StreamMethod(_FACADE + "Start", gateway_pb2.StartRequest, gateway_pb2.SessionEvents)
STOP = UnaryMethod(_FACADE + "Stop", gateway_pb2.StopRequest, gateway_pb2.StopReply)
KEEP_ALIVE = UnaryMethod(
    _FACADE + "KeepAlive", gateway_pb2.KeepAliveRequest, gateway_pb2.KeepAliveReply
)
SET_MUTED = UnaryMethod(
    _FACADE + "SetMuted", presence_pb2.SetMutedRequest, presence_pb2.SetMutedReply
)
SEND_DATA_MESSAGE = UnaryMethod(
    _FACADE + "SendDataMessage",
    messaging_pb2.SendDataMessageRequest,
    messaging_pb2.SendDataMessageReply,
)
PUBLISH_VIDEO = UnaryMethod(
    _FACADE + "PublishVideo", video_tiles_pb2.PublishVideoRequest, video_tiles_pb2.PublishVideoReply
)
UNPUBLISH_VIDEO = UnaryMethod(
    _FACADE + "UnpublishVideo",
    video_tiles_pb2.UnpublishVideoRequest,
    video_tiles_pb2.UnpublishVideoReply,
)
SET_REMOTE_VIDEO = UnaryMethod(
    _FACADE + "SetRemoteVideo",
    video_tiles_pb2.SetRemoteVideoRequest,
    video_tiles_pb2.SetRemoteVideoReply,
)
UPDATE_VIDEO_SUBSCRIPTIONS = UnaryMethod(
    _FACADE + "UpdateVideoSubscriptions",
    video_tiles_pb2.UpdateVideoSubscriptionsRequest,
    video_tiles_pb2.UpdateVideoSubscriptionsReply,
)
SET_TILE_PAUSED = UnaryMethod(
    _FACADE + "SetTilePaused",
    video_tiles_pb2.SetTilePausedRequest,
    video_tiles_pb2.SetTilePausedReply,
)
PROMOTE_TO_PRIMARY_MEETING = UnaryMethod(
    _FACADE + "PromoteToPrimaryMeeting",
    gateway_pb2.PromoteToPrimaryMeetingRequest,
    gateway_pb2.PromoteToPrimaryMeetingReply,
)
DEMOTE_FROM_PRIMARY_MEETING = UnaryMethod(
    _FACADE + "DemoteFromPrimaryMeeting",
    gateway_pb2.DemoteFromPrimaryMeetingRequest,
    gateway_pb2.DemoteFromPrimaryMeetingReply,
)
SET_TRANSCRIPT_LANGUAGES = UnaryMethod(
    _FACADE + "SetTranscriptLanguages",
    transcription_pb2.SetTranscriptLanguagesRequest,
    transcription_pb2.SetTranscriptLanguagesReply,
)
GET_LIMITS = UnaryMethod(_FACADE + "GetLimits", common_pb2.GetLimitsRequest, common_pb2.Limits)
