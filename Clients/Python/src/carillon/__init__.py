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
    SessionStatus,
    Status,
    StatusCode,
    StatusReason,
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
    Unmuted,
    VolumeChanged,
)
from carillon.session import Session, join

__all__ = [
    "Attendee",
    "AttendeeEvent",
    "Capabilities",
    "CapabilitiesChanged",
    "CarillonError",
    "ControlClient",
    "ControlError",
    "Credentials",
    "Dropped",
    "Ended",
    "Event",
    "EventStream",
    "EventsLostError",
    "Joined",
    "Left",
    "MediaDirection",
    "Meeting",
    "Muted",
    "Reconnected",
    "Reconnecting",
    "Session",
    "SessionStatus",
    "SignalChanged",
    "SignalStrength",
    "Status",
    "StatusCode",
    "StatusReason",
    "Unmuted",
    "VolumeChanged",
    "VolumeLevel",
    "find_gateway",
    "join",
    "rpc",
]
