"""The control plane over REST: meetings, attendees, transcription, and where the gateway is."""

from carillon.control.client import ControlClient
from carillon.control.gateway import find_gateway
from carillon.control.rest import ControlError
from carillon.control.values import Credentials, Json, Meeting

__all__ = ["ControlClient", "ControlError", "Credentials", "Json", "Meeting", "find_gateway"]
