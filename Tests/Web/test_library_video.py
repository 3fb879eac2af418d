"""Video of the library in Chromium, with real services."""

from __future__ import annotations

import pytest

from test_end_to_end import live_meeting
from Web.browser import chromium, needs_chromium
from Web.library_video import enter, send, until_wide
from Web.test_meeting import FLAGS

pytestmark = [needs_chromium, pytest.mark.seconds(240)]

UNTIL_MEASURED = """(names) => new Promise((resolve) => {
  const observer = {
    metricsDidReceive: (metrics) => {
      if (!names.every((name) => metrics[name] > 0)) return;
      session.removeMetricsObserver(observer);
      resolve(metrics);
    },
  };
  session.addMetricsObserver(observer);
})"""


async def test_video_metrics_exist_while_video_flows() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        ada, bea = await enter(browser, tea, "ada"), await enter(browser, tea, "bea")
        await send(ada, 320, 240)
        sent = await ada.evaluate(
            UNTIL_MEASURED, ["videoSendBitrate", "videoSendFps", "videoAvailableSendBandwidth"]
        )
        assert 0 < sent["videoSendFps"] <= 31 and sent["videoSendRttMs"] >= 0
        assert sent["videoSendPacketLossPercent"] == 0
        assert not [name for name in sent if name.startswith("videoReceive")]
        received = await bea.evaluate(UNTIL_MEASURED, ["videoReceiveBitrate"])
        assert received["videoReceivePacketLossPercent"] == 0
        assert not [name for name in received if name.startswith("videoSend")]


async def test_a_camera_of_another_size_replaces_the_first_in_the_same_tile() -> None:
    async with live_meeting(gateway=FLAGS) as tea, chromium() as browser:
        ada, bea = await enter(browser, tea, "ada"), await enter(browser, tea, "bea")
        await send(ada, 320, 240)
        await until_wide(bea, 320, 320, seconds=30)
        await send(ada, 640, 480)
        await until_wide(bea, 640, 640, seconds=30)
        assert await bea.evaluate("tiles.length") == 1
