"""Updating senders with the ids that the server assigns to published video."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from carillon.errors import EventsLostError
from carillon.media.video.sender import VideoSender
from carillon.session import Session
from carillon.video.events import PublishedMoved


@asynccontextmanager
async def following(session: Session, sender: VideoSender) -> AsyncIterator[None]:
    """Applies each `PublishedMoved` of a session to a sender within the block."""

    async def follow() -> None:
        while session.status is None:
            try:
                async for event in session.video.events():
                    if isinstance(event, PublishedMoved):
                        sender.follow(event.video)
            except EventsLostError:
                if session.video.published is not None:
                    sender.follow(session.video.published)

    following = asyncio.create_task(follow())
    try:
        yield
    finally:
        following.cancel()
        await asyncio.wait([following])
