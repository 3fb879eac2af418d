"""Video of the client, with real processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from carillon import (
    CarillonError,
    Session,
    SessionOptions,
    SessionStatus,
    SourceAvailable,
    SourceUnavailable,
    StatusCode,
    TileAdded,
    TileEvent,
    TilePaused,
    TileRemoved,
    TileResumed,
    VideoEvent,
    VideoKind,
    VideoLayer,
    VideoPauseState,
    VideoPriority,
    VideoSubscription,
)
from eventually import due
from installation import Wire
from test_end_to_end import LiveMeeting, live_meeting

LAYERS = [VideoLayer(320, 180, 15, 200_000), VideoLayer(1_280, 720, 30, 1_200_000)]
SCREEN = [VideoLayer(1_920, 1_080, 15, 1_500_000)]

# Presence reports a drop only after the client had time to reconnect.
_NEWS_SECONDS = 60.0


@asynccontextmanager
async def still_meeting(**flags: list[str]) -> AsyncIterator[LiveMeeting]:
    """Runs a meeting without media, because media would report that these cameras send no
    pictures."""
    async with live_meeting(**flags) as tea:
        await tea.installation.media.kill()
        yield tea


class Viewer:
    """The video events of a session so far."""

    def __init__(self, session: Session) -> None:
        self.video = session.video
        self.heard: list[VideoEvent] = []
        self._news = asyncio.Condition()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for event in self.video.events():
            async with self._news:
                self.heard.append(event)
                self._news.notify_all()

    async def until(self, what: str, condition: Callable[[], bool]) -> None:
        async with due(what, _NEWS_SECONDS), self._news:
            await self._news.wait_for(condition)

    async def sees(self, *attendee_ids: str) -> None:
        await self.until(
            f"the sources {attendee_ids}", lambda: set(self.video.sources) == set(attendee_ids)
        )

    async def shows(self, *tile_ids: int) -> None:
        await self.until(f"the tiles {tile_ids}", lambda: set(self.video.tiles) == set(tile_ids))

    def count(self, kind: type[VideoEvent]) -> int:
        return sum(isinstance(event, kind) for event in self.heard)


async def test_a_camera_is_published_watched_paused_and_ended() -> None:
    async with still_meeting() as tea:
        ada, grace = await tea.enter("ada"), await tea.enter("grace")
        viewer = Viewer(grace.session)
        published = await ada.session.video.publish(LAYERS)
        assert published.tile_id > 0 and all(layer.ssrc for layer in published.layers)
        await viewer.sees(ada.session.attendee_id)
        source = viewer.video.sources[ada.session.attendee_id]
        assert (source.tile_id, source.external_user_id) == (published.tile_id, "ada")
        assert source.layers == published.layers
        assert not viewer.video.tiles
        await viewer.video.start_remote_video()
        await viewer.shows(published.tile_id)
        paused = await viewer.video.pause(published.tile_id)
        assert paused.pause_state is VideoPauseState.PAUSED_BY_USER_REQUEST
        assert not (await viewer.video.resume(published.tile_id)).is_paused
        await viewer.video.stop_remote_video()
        await viewer.shows()
        await viewer.video.start_remote_video()
        await viewer.shows(published.tile_id)
        await ada.session.video.unpublish()
        await viewer.sees()
        # The state changes before the reader records the events, because the reader runs later.
        await viewer.until("two removals", lambda: viewer.count(TileRemoved) == 2)
        kinds = [type(event) for event in viewer.heard if isinstance(event, TileEvent)]
        assert kinds == [TileAdded, TilePaused, TileResumed, TileRemoved, TileAdded, TileRemoved]
        assert not Viewer(ada.session).video.sources


async def test_subscriptions_choose_the_tiles_and_end_when_their_sources_end() -> None:
    async with still_meeting() as tea:
        publishers = [await tea.enter(name) for name in ("ada", "grace", "lin")]
        viewer = Viewer((await tea.enter("eve")).session)
        published = [await each.session.video.publish(LAYERS) for each in publishers]
        ids = [each.session.attendee_id for each in publishers]
        await viewer.sees(*ids)
        await viewer.video.start_remote_video()
        await viewer.shows(*(each.tile_id for each in published))
        await viewer.video.update_subscriptions(
            {
                ids[0]: VideoSubscription(VideoPriority.HIGHEST, 1_280, 720),
                ids[1]: VideoSubscription(VideoPriority.LOW),
            }
        )
        await viewer.shows(published[0].tile_id, published[1].tile_id)
        await viewer.video.update_subscriptions({ids[2]: VideoSubscription()}, [ids[1]])
        await viewer.shows(published[0].tile_id, published[2].tile_id)
        await publishers[2].session.video.unpublish()
        await viewer.sees(*ids[:2])
        again = await publishers[2].session.video.publish(LAYERS)
        assert again.tile_id != published[2].tile_id
        await viewer.sees(*ids)
        await viewer.shows(published[0].tile_id)
        assert set(viewer.video.subscriptions or {}) == {ids[0]}


async def test_a_client_whose_camera_is_beyond_the_limit_may_only_watch() -> None:
    async with still_meeting(video_tiles=["--max-cameras", "1"]) as tea:
        ada, grace = await tea.enter("ada"), await tea.enter("grace")
        viewer = Viewer(grace.session)
        await viewer.video.start_remote_video()
        published = await ada.session.video.publish(LAYERS)
        await viewer.until("the camera", lambda: viewer.video.camera is not None)
        with pytest.raises(CarillonError) as refused:
            await grace.session.video.publish(LAYERS)
        assert refused.value.status_code is StatusCode.RESOURCE_EXHAUSTED
        assert refused.value.session_status is SessionStatus.VIDEO_AT_CAPACITY_VIEW_ONLY
        await viewer.until(
            "a camera that is not available",
            lambda: viewer.video.camera is not None and not viewer.video.camera.is_available,
        )
        await viewer.shows(published.tile_id)


async def test_a_content_share_has_a_separate_session() -> None:
    async with still_meeting() as tea:
        credentials = await tea.create("ada")
        ada, grace = await tea.enter(credentials), await tea.enter("grace")
        viewers = [Viewer(ada.session), Viewer(grace.session)]
        for viewer in viewers:
            await viewer.video.start_remote_video()
        share = await tea.enter(credentials.content)
        published = await share.session.video.publish(SCREEN)
        assert published.kind is VideoKind.CONTENT
        await viewers[1].shows(published.tile_id)
        source = viewers[1].video.sources[f"{credentials.attendee_id}#content"]
        assert (source.kind, source.external_user_id) == (VideoKind.CONTENT, "ada")
        with pytest.raises(CarillonError) as refused:
            await ada.session.video.publish([*LAYERS, *LAYERS])
        assert refused.value.status_code is StatusCode.INVALID_ARGUMENT
        await share.session.leave()
        await viewers[1].sees()
        assert viewers[0].heard == [viewers[0].video.camera]


async def test_a_resumed_session_restores_sources_tiles_and_choices() -> None:
    async with still_meeting() as tea:
        path = tea.installation.directory / "wire.sock"
        async with Wire(path, tea.installation.client_socket) as wire:
            ada = await tea.enter("ada")
            grace = await tea.enter("grace", SessionOptions(gateway_url=wire.url))
            viewer, other = Viewer(grace.session), Viewer(ada.session)
            await viewer.video.start_remote_video()
            first = await ada.session.video.publish(LAYERS)
            own = await grace.session.video.publish(LAYERS)
            await viewer.shows(first.tile_id)
            await other.sees(grace.session.attendee_id)
            await other.until("a source", lambda: other.count(SourceAvailable) == 1)
            await viewer.video.pause(first.tile_id)
            wire.cut()
            await ada.session.video.unpublish()
            second = await ada.session.video.publish(LAYERS)
            wire.mend()
            await viewer.shows(second.tile_id)
            assert grace.session.video.published == own
            await viewer.video.pause(second.tile_id)
            assert viewer.video.tiles[second.tile_id].is_paused
            assert other.count(SourceAvailable) == 1 and other.count(SourceUnavailable) == 0


async def test_tiles_and_pauses_and_published_video_return_after_video_tiles_is_killed() -> None:
    async with still_meeting() as tea:
        ada, grace = await tea.enter("ada"), await tea.enter("grace")
        viewer = Viewer(grace.session)
        await viewer.video.start_remote_video()
        published = await ada.session.video.publish(LAYERS)
        await viewer.shows(published.tile_id)
        await viewer.video.pause(published.tile_id)
        await viewer.until("a pause", lambda: viewer.count(TilePaused) == 1)
        heard = len(viewer.heard)
        await tea.installation.video_tiles.kill()
        await tea.installation.video_tiles.start()
        late = await tea.enter("late")
        share = await late.session.video.publish(LAYERS)
        await viewer.shows(published.tile_id, share.tile_id)
        assert viewer.video.tiles[published.tile_id].is_paused
        assert ada.session.video.published == published
        await viewer.until("two tiles", lambda: viewer.count(TileAdded) == 2)
        assert [type(event) for event in viewer.heard[heard:]] == [SourceAvailable, TileAdded]
        assert not (await viewer.video.resume(published.tile_id)).is_paused
