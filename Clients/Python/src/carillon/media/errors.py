"""What can be wrong with bytes that should be media."""

from __future__ import annotations


class MalformedPacketError(ValueError):
    """These bytes are no packet of the kind that they should be."""
