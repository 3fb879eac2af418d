"""Calls to Carillon services over ZeroMQ: unary and server-streaming, deadlines, cancellation.

```python
async with Channel("ipc:///run/carillon/gateway-a.client") as channel:
    limits = await channel.unary(GET_LIMITS, GetLimitsRequest(), timeout=2)
```

A channel belongs to the event loop that opened it. It never blocks that loop.
"""

from carillon.methods import StreamMethod, UnaryMethod
from carillon.rpc.calls import Stream
from carillon.rpc.channel import Channel
from carillon.rpc.requests import CallOptions

__all__ = ["CallOptions", "Channel", "Stream", "StreamMethod", "UnaryMethod"]
