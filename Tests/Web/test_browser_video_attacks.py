"""Browsers whose feedback is hostile, beside two others."""

from __future__ import annotations

import asyncio
import re

import pytest
from aiortc.rtp import is_rtcp

from Web.test_browser_video_faults import attack
from Web.video_peer import RED

pytestmark = pytest.mark.seconds(120)

SECONDS = 3.0
"""How long an attack takes."""


async def test_requests_for_the_newest_packets_without_end_are_answered_within_limits() -> None:
    async with attack() as (friends, eve):
        await eve.peer.subscribe()
        await eve.peer.subscribe(streams=[friends.of_ada])
        await eve.peer.see(friends.of_ada, RED)
        before = eve.peer.received_packets
        # These are 100,000 requests for packets that exist.
        await eve.peer.miss_newest(friends.of_ada, 1_000)
        assert eve.peer.received_packets - before < 10_000
        await eve.peer.see(friends.of_ada, RED)


@pytest.mark.parametrize("is_numbered", [False, True])
async def test_a_receiver_that_never_reports_harms_nobody(is_numbered: bool) -> None:
    async with attack() as (friends, eve):
        if is_numbered:
            eve.peer.edit = with_numbers
        await eve.peer.subscribe()
        eve.peer.tamper(lambda packet: [] if is_rtcp(packet) else [packet])
        await eve.peer.subscribe(streams=[friends.of_ada, friends.of_bea])
        await eve.peer.see(friends.of_ada, RED)
        await asyncio.sleep(SECONDS)


def with_numbers(offer: str) -> str:
    """Offers transport-wide feedback, which aiortc never sends."""
    uri = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
    offer = re.sub(r"(a=rtcp-fb:(\d+) goog-remb\r\n)", r"\1a=rtcp-fb:\2 transport-cc\r\n", offer)
    return re.sub(r"(a=mid:\d+\r\n)", rf"\1a=extmap:13 {uri}\r\n", offer)
