"""Choices while calls succeed or fail, and while the server makes changes before a call ends."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from carillon.choice import Choice
from carillon.v1 import video_tiles_pb2 as tiles
from carillon.video.choices import VideoChoices, with_ids_of
from carillon.video.events import SourceUnavailable, TileRemoved
from carillon.video.values import (
    PublishedVideo,
    Tile,
    VideoKind,
    VideoLayer,
    VideoPauseState,
    VideoSource,
    VideoSubscription,
)

GRACE = VideoSource(1, "grace", "Grace", VideoKind.CAMERA, ())
LAYER = VideoLayer(320, 180, 15, 200_000)


class RefusedError(Exception):
    """The error of a rejected call."""


def test_a_choice_is_wanted_during_its_call_and_settled_after_the_call() -> None:
    choice = Choice("de-DE")
    with choice.asking("fr-FR"):
        assert (choice.settled, choice.wanted, choice.is_asking) == ("de-DE", "fr-FR", True)
    assert (choice.settled, choice.wanted, choice.is_asking) == ("fr-FR", "fr-FR", False)


@pytest.mark.parametrize("error", [ValueError, asyncio.CancelledError])
def test_a_failed_or_cancelled_call_leaves_the_settled_choice_unchanged(
    error: type[BaseException],
) -> None:
    choice = Choice(1)
    with pytest.raises(error):
        with choice.asking(2):
            raise error
    assert (choice.settled, choice.wanted, choice.is_asking) == (1, 1, False)


def test_the_value_of_a_choice_can_be_none() -> None:
    choice: Choice[int | None] = Choice(1)
    with choice.asking(None):
        assert choice.wanted is None and choice.settled == 1
    assert choice.settled is None


def test_a_change_by_the_server_remains_whether_or_not_the_call_succeeds() -> None:
    kept, refused = Choice(frozenset({1, 2})), Choice(frozenset({1, 2}))
    with kept.asking(frozenset({1, 2, 3})):
        kept.change(lambda ids: ids - {2})
    assert kept.settled == {1, 3}
    with suppress(RefusedError), refused.asking(frozenset({1, 2, 3})):
        refused.change(lambda ids: ids - {2})
        raise RefusedError
    assert refused.settled == {1}


def test_two_concurrent_calls_for_one_choice_are_a_defect() -> None:
    choice = Choice(1)
    with choice.asking(2):
        with pytest.raises(AssertionError):
            with choice.asking(3):
                pass
    assert choice.settled == 2


def test_a_refused_update_does_not_restore_the_subscription_of_an_ended_source() -> None:
    choices = VideoChoices()
    subscription = VideoSubscription()
    choices.subscriptions.change(lambda _: {"grace": subscription})
    wanted = {"grace": subscription, "lin": subscription}
    with suppress(RefusedError), choices.subscriptions.asking(wanted):
        choices.take(SourceUnavailable(GRACE))
        raise RefusedError
    assert choices.subscriptions.settled == {}


def test_the_pause_of_a_removed_tile_is_forgotten() -> None:
    choices = VideoChoices()
    choices.paused.change(lambda _: frozenset({1, 2}))
    choices.take(TileRemoved(Tile(1, "grace", VideoPauseState.PAUSED_BY_USER_REQUEST)))
    assert choices.paused.wanted == {2}


def test_a_start_declares_pending_choices_and_omits_unset_subscriptions() -> None:
    choices = VideoChoices()
    packed = tiles.VideoChoices()
    choices.pack(packed)
    assert packed == tiles.VideoChoices() and not packed.HasField("subscriptions")
    with choices.subscriptions.asking({}), choices.is_receiving.asking(True):
        choices.pack(packed)
    assert packed.HasField("subscriptions") and packed.is_receiving


def test_a_video_keeps_its_ids_and_the_ids_of_its_former_layers() -> None:
    before = PublishedVideo(
        VideoKind.CAMERA, (VideoLayer(320, 180, 15, 200_000, ssrc=9),), tile_id=7, track_ssrc=8
    )
    after = with_ids_of(before, PublishedVideo(VideoKind.CAMERA, (LAYER, LAYER)))
    assert (after.tile_id, after.track_ssrc) == (7, 8)
    assert [layer.ssrc for layer in after.layers] == [9, 0]
    assert with_ids_of(None, after) == after
