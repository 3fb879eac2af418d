"""Client for Carillon meetings.

```python
async with carillon.join(meeting, attendee) as session:
    async for event in session.events():
        print(event)
```
"""

from carillon import rpc
from carillon.attendees import (
    Attendee,
    Capabilities,
    MediaDirection,
    SignalStrength,
    VolumeLevel,
)
from carillon.control import ControlClient, ControlError, Credentials, Meeting, find_gateway
from carillon.errors import (
    CarillonError,
    EventsLostError,
    InvalidMessageError,
    MessageProblem,
    MessagesLostError,
    OutboxFullError,
    SessionStatus,
    Status,
    StatusCode,
    StatusReason,
    ThrottledError,
)
from carillon.events import (
    AttendeeEvent,
    CapabilitiesChanged,
    Dropped,
    Ended,
    Event,
    EventStream,
    Joined,
    Left,
    Muted,
    Reconnected,
    Reconnecting,
    SignalChanged,
    StreamGap,
    Unmuted,
    VolumeChanged,
)
from carillon.messages import Accepted, DataMessage, MessageStream, Sender
from carillon.session import Session, join

__all__ = [
    "Accepted",
    "Attendee",
    "AttendeeEvent",
    "Capabilities",
    "CapabilitiesChanged",
    "CarillonError",
    "ControlClient",
    "ControlError",
    "Credentials",
    "DataMessage",
    "Dropped",
    "Ended",
    "Event",
    "EventStream",
    "EventsLostError",
    "InvalidMessageError",
    "Joined",
    "Left",
    "MediaDirection",
    "Meeting",
    "MessageProblem",
    "MessageStream",
    "MessagesLostError",
    "Muted",
    "OutboxFullError",
    "Reconnected",
    "Reconnecting",
    "Sender",
    "Session",
    "SessionStatus",
    "SignalChanged",
    "SignalStrength",
    "Status",
    "StatusCode",
    "StatusReason",
    "StreamGap",
    "ThrottledError",
    "Unmuted",
    "VolumeChanged",
    "VolumeLevel",
    "find_gateway",
    "join",
    "rpc",
]
