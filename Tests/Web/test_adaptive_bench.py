"""The simulated link and the measurements of `Web.adaptive_bench`."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from Web.adaptive_bench import PROFILES, as_json, told, trials
from Web.adaptive_result import BARS, Sound, Trace, measured
from Web.adaptive_trial import added, pauses
from Web.limited_link import Link, LinkProfile, LinkSample

STEP = LinkProfile(
    name="step",
    subject="receiver",
    seconds=30.0,
    rates=[(0.0, 0.0), (8.0, 500.0), (20.0, 0.0)],
    delay=0.02,
    queue=0.4,
    seeds=[1],
)


def trace(**changes: Any) -> Trace:
    """Returns the trace of a trial without any disturbance."""
    whole = Trace(
        profile=STEP,
        wanted_kbps=1_000.0,
        top_width=320,
        link=[LinkSample(at / 10, STEP.kbps(at / 10), [0.01]) for at in range(1, 301)],
        frames=[(at / 15, 320) for at in range(450)],
        sounds=[Sound(at / 50, 0.02, is_tone=True) for at in range(1_500)],
        goodput=[(at + 0.5, 450.0) for at in range(30)],
    )
    return replace(whole, **changes)


def test_the_rate_follows_the_changes_of_a_profile() -> None:
    assert [STEP.kbps(at) for at in (0.0, 7.9, 8.0, 19.9, 20.0)] == [0, 0, 500, 500, 0]
    ramp = replace(STEP, rates=[(0.0, 1_000.0), (10.0, 500.0)], is_ramp=True)
    assert [ramp.kbps(at) for at in (0.0, 5.0, 10.0, 20.0)] == [1_000, 750, 500, 500]
    assert STEP.kbps(8.0, [0.5, 2.0]) == 1_000


def test_the_rate_of_a_wandering_link_stays_within_its_limits() -> None:
    wandering = replace(STEP, wander=(0.6, 1.4))
    factors = wandering.draw_factors(1)
    assert len(factors) == 151 and min(factors) >= 0.6 and max(factors) <= 1.4
    assert factors == wandering.draw_factors(1) != wandering.draw_factors(2)
    assert STEP.draw_factors(1) == []


def test_every_profile_of_the_file_has_trials() -> None:
    names = {each["name"] for each in json.loads(PROFILES.read_text())}
    found = list(trials(["webrtc"]))
    assert {profile.name for _, _, profile in found} == names
    assert [name for name, _, _ in trials(["webrtc.adaptive.receiver.shared"])] == [
        "webrtc.adaptive.receiver.shared"
    ]
    assert [name for name, _, _ in trials(["webrtc.adaptive.publisher.uplink.gap"])] == [
        "webrtc.adaptive.publisher.uplink"
    ]
    assert not list(trials(["webrtc.forward"]))


async def test_a_link_drops_what_its_queue_has_no_room_for() -> None:
    link, arrived = Link(), list[int]()
    link.kbps, link.longest_wait = 80.0, 0.4
    for number in range(10):
        link.take(bytes(1_000), partial(arrived.append, number))
    assert link.current.dropped == 6_000
    async with asyncio.timeout(30):
        while len(arrived) < 4:
            await asyncio.sleep(0.01)
    assert arrived == [0, 1, 2, 3]
    assert link.current.waits == pytest.approx([0.1, 0.2, 0.3, 0.4], abs=0.001)
    assert link.current.carried == 4_000


async def test_a_link_delivers_in_order_after_the_delay() -> None:
    link, arrived = Link(), list[int]()
    link.delay, link.jitter = 0.02, 0.01
    began = asyncio.get_running_loop().time()
    for number in range(20):
        link.take(bytes(100), partial(arrived.append, number))
    async with asyncio.timeout(30):
        while len(arrived) < 20:
            await asyncio.sleep(0.001)
    assert arrived == list(range(20))
    assert asyncio.get_running_loop().time() - began >= 0.02


def test_a_trial_without_disturbance_keeps_all_bars() -> None:
    values = {bar.name: found for bar, found in measured([trace()])}
    assert values["adapt"] == [0.0] and values["audio_gap"] == [0.0]
    assert values["recover"] == pytest.approx([0.0], abs=0.07)
    assert values["goodput"] == [0.9] and values["queue.p95"] == [10.0]
    assert all(bar.is_met(values[bar.name][0]) for bar in BARS)


def test_adapting_ends_when_the_queue_is_short_and_the_picture_moves() -> None:
    full = [replace(each, waits=[0.3]) if 8 < each.at <= 10 else each for each in trace().link]
    assert trace(link=full).adapt_seconds == 2.0
    frozen = [(at, width) for at, width in trace().frames if not 8 < at <= 11]
    assert trace(frames=frozen).adapt_seconds == pytest.approx(2.7, abs=0.1)
    assert trace(frames=frozen, profile=replace(STEP, is_ramp=True)).adapt_seconds == 0.0


def test_recovering_ends_when_all_videos_are_there_and_the_pinned_one_is_large() -> None:
    small = [(at, 160 if at < 23 else 320) for at, _ in trace().frames]
    assert trace(frames=small).recover_seconds == pytest.approx(3.0)
    assert trace(minor_frames=[[5.0, 24.5]]).recover_seconds == 4.5
    assert trace(minor_frames=[[5.0]]).recover_seconds == 10.0
    endless = replace(STEP, rates=[(0.0, 0.0), (8.0, 500.0)])
    assert trace(profile=endless).recover_seconds is None


def test_gaps_count_only_on_a_settled_link_and_without_a_pause() -> None:
    def without(start: float, end: float) -> list[tuple[float, int]]:
        return [(at, width) for at, width in trace().frames if not start < at < end]

    assert trace().longest_gap == pytest.approx(1 / 15, abs=0.001)
    assert trace(frames=without(12, 14)).longest_gap == pytest.approx(2.0, abs=0.1)
    assert trace(frames=without(8, 10)).longest_gap == pytest.approx(1 / 15, abs=0.001)
    assert trace(frames=without(12, 14), pauses=[(12.5, 13.5)]).longest_gap < 0.1
    assert trace(frames=[]).longest_gap == STEP.seconds


def test_the_audio_gap_is_the_longest_time_without_the_tone() -> None:
    sounds = [replace(each, is_tone=not 14 <= each.at < 14.2) for each in trace().sounds]
    assert trace(sounds=sounds).audio_gap == pytest.approx(200)


def test_goodput_counts_only_while_the_link_is_too_slow() -> None:
    assert trace(goodput=[(5.5, 9.0), (13.5, 400.0), (19.5, 300.0)]).used_share == 0.7
    assert trace(wanted_kbps=400.0).used_share is None


def test_pauses_last_until_the_video_resumes_or_until_the_end() -> None:
    news = [(1.0, "ada", True), (2.0, "bea", True), (3.0, "ada", False), (4.0, "ada", True)]
    assert pauses(news, "ada", 9.0) == [(1.0, 3.0), (4.0, 9.0)]


def test_the_rates_of_two_pages_are_added_by_time() -> None:
    assert added([[(1.0, 10.0), (2.0, 20.0)], [(1.1, 1.0), (2.2, 2.0)]]) == [(1.0, 11.0), (2.0, 22)]


def test_a_row_has_the_median_of_the_trials_and_its_bar() -> None:
    bar = BARS[0]
    assert "(1, 4, 2) at most 3: met" in told("webrtc.adaptive.x.adapt", bar, [1.0, 4.0, 2.0])
    row = json.loads(as_json("webrtc.adaptive.x.adapt", bar, [1.0, 4.0, 2.0]))
    assert (row["value"], row["unit"], row["rounds"]) == (2.0, "s", 3)
