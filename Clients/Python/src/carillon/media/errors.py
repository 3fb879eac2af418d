"""The errors of media packets."""

from __future__ import annotations


class MalformedPacketError(ValueError):
    """The bytes are not a valid packet of the expected kind."""
