"""The control plane over REST: meetings, attendees, transcription, and the gateway's endpoint."""

from carillon.control.client import ControlClient
from carillon.control.gateway import find_gateway
from carillon.control.rest import ControlError
from carillon.control.signing import AccessKey, find_access_key
from carillon.control.values import Credentials, Json, Meeting

__all__ = [
    "AccessKey",
    "ControlClient",
    "ControlError",
    "Credentials",
    "Json",
    "Meeting",
    "find_access_key",
    "find_gateway",
]
