"""The evaluation of soak measurements: slopes and violated limits."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from soak import GAUGES, Gauge, History, Point, level, most_memory_slope, since, slope, table

SERVICES = Path(__file__).parents[2] / "Services"
WAITING = Gauge("carillon_presence_waiting_requests", more=2)


def measured(value: Callable[[float], float], minutes: float = 15) -> list[Point]:
    """Returns points of a function of the time in minutes, twelve points per minute."""
    times = (number / 12 for number in range(int(minutes * 12)))
    return [Point(minute, value(minute)) for minute in times]


def flat(value: float) -> list[Point]:
    return measured(lambda _: value)


def history(
    memory: list[Point] | None = None,
    descriptors: list[Point] | None = None,
    waiting: list[Point] | None = None,
) -> History:
    """Returns the history of a process of 40 MB. All series are constant, except the given ones."""
    same = flat(40 * 1024)
    gauges = [(WAITING, waiting or flat(0))]
    return History("presence-a", memory or same, same, descriptors or flat(60), gauges)


class TestSlope:
    def test_the_slope_of_a_line_is_exact(self) -> None:
        assert slope(measured(lambda minute: 7 + 3 * minute)) == pytest.approx(3)

    @pytest.mark.parametrize("points", [[], [Point(1, 5)], [Point(1, 5), Point(1, 9)]])
    def test_the_slope_of_points_at_one_moment_is_zero(self, points: list[Point]) -> None:
        assert slope(points) == 0

    def test_peaks_do_not_change_the_slope(self) -> None:
        line = measured(lambda minute: 2 * minute)
        line[10:20] = [Point(point.minute, 1e6) for point in line[10:20]]
        assert slope(line) == pytest.approx(2, rel=0.2)

    def test_noise_causes_only_a_small_slope(self) -> None:
        numbers = random.Random(1)
        assert abs(slope(measured(lambda _: numbers.gauss(40_000, 300)))) < 20

    def test_the_slope_of_a_long_time_is_computed_in_bounded_time(self) -> None:
        assert slope(measured(lambda minute: 3 * minute, minutes=24 * 60)) == pytest.approx(3)


class TestParts:
    def test_the_first_quarter_of_a_run_is_ignored(self) -> None:
        late = since([Point(minute, 0) for minute in range(21)], 0.25)
        assert [point.minute for point in late] == list(range(5, 21))

    def test_the_level_of_a_part_of_a_series_is_the_median_of_that_part(self) -> None:
        points = [Point(index, value) for index, value in enumerate([9, 1, 2, 3, 4, 5, 6, 70])]
        assert level(points, 0, 0.25) == 5
        assert level(points, 0.75, 1) == 38
        assert level(points[:1], 0.75, 1) == 9


class TestVerdict:
    def test_constant_values_pass_the_check(self) -> None:
        assert history().faults() == []

    def test_a_single_step_is_not_growth(self) -> None:
        step = measured(lambda minute: 40_000 + (2_000 if minute > 3 else 0))
        assert history(memory=step).faults() == []

    def test_growing_memory_fails_the_check(self) -> None:
        (fault,) = history(memory=measured(lambda minute: 40_000 + 100 * minute)).faults()
        assert fault == "presence-a: its memory grows by 100.0 KB a minute, of 64.0 at most"

    def test_the_memory_of_a_large_process_may_grow_faster(self) -> None:
        assert most_memory_slope(10_000) == 64
        assert most_memory_slope(1_000_000) == 1_000

    def test_descriptors_that_stay_open_fail_the_check(self) -> None:
        (fault,) = history(descriptors=measured(lambda minute: 60 + int(minute))).faults()
        assert "descriptors" in fault

    def test_a_rising_queue_fails_the_check(self) -> None:
        (fault,) = history(waiting=measured(lambda minute: minute)).faults()
        assert fault == f"presence-a: {WAITING.name} rises from 2 to 13"

    def test_a_queue_may_have_a_peak(self) -> None:
        peak = measured(lambda minute: 500 if 12 < minute < 13 else 0)
        assert history(waiting=peak).faults() == []

    def test_a_gauge_of_kept_items_may_vary_by_a_fraction_of_its_value(self) -> None:
        kept = Gauge("carillon_messaging_messages", more=100, share=0.05)
        assert kept.most(1_000) == 1_100
        assert kept.most(10_000) == 10_500

    def test_a_table_has_every_process_and_gauge(self) -> None:
        said = table([history()])
        assert said.count("presence-a") == 2
        assert "presence_waiting_requests" in said


def test_the_soak_watches_every_queue() -> None:
    """Every gauge whose name or help mentions a queue is watched, and every watched gauge
    exists."""
    gauge = re.compile(r'\.gauge\(\s*"(carillon_\w+)",\s*help:\s*"([^"]*)"')
    sources = (path.read_text() for path in SERVICES.rglob("*.swift"))
    found = dict(itertools.chain.from_iterable(map(gauge.findall, sources)))
    watched = {each.name for gauges in GAUGES.values() for each in gauges}
    assert watched <= found.keys()
    queues = re.compile("wait|queue|pending|backlog|_bytes")
    assert {name for name, said in found.items() if queues.search(f"{name} {said}")} <= watched
