"""Monitoring: alerts and dashboards in `deploy/`, `carillon metrics` and `carillon top`."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

import carillon
import documents
from carillon import SessionOptions, VideoLayer
from eventually import OverdueError, eventually
from installation import BINARIES, ROOT, Installation, free_port

DEPLOY = ROOT / "deploy"
PROGRAMS = ROOT / ".build" / "prometheus" / "usr" / "bin"
METRIC = re.compile(r"\b(?:carillon|process)_[a-z0-9_]+")
SUFFIXES = ("_bucket", "_sum", "_count")

needs_prometheus = pytest.mark.skipif(
    not (PROGRAMS / "promtool").exists(), reason="Scripts/prometheus.sh has not unpacked it"
)
needs_services = pytest.mark.skipif(
    not (BINARIES / "gateway").exists(), reason=f"{BINARIES / 'gateway'} is not built"
)


ALERTS = (DEPLOY / "prometheus" / "alerts.yml").read_text()
ALERT = re.compile(r"- alert: (\w+)\n(?:(?!      - alert:).*\n)*? +labels: {severity: (\w+)}")
ALERT_ROW = re.compile(r"^\| `(Carillon\w+)` \| (\w+) \|", re.MULTILINE)


def queries() -> Iterator[tuple[str, str]]:
    """Yields each expression in the dashboards, with the title of its panel."""
    for path in sorted((DEPLOY / "grafana" / "dashboards").glob("*.json")):
        for panel in json.loads(path.read_text())["panels"]:
            for target in panel.get("targets", ()):
                yield panel["title"], target["expr"]


def promtool(*arguments: str | Path) -> str:
    done = subprocess.run(
        [PROGRAMS / "promtool", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_about_monitoring_lists_every_alert_with_its_severity() -> None:
    page = (ROOT / "docs" / "operating" / "monitor.md").read_text()
    alerts = ALERT.findall(ALERTS)
    assert len(alerts) == ALERTS.count("- alert: ")
    assert ALERT_ROW.findall(page) == alerts


def test_the_installation_page_shows_the_unit_that_runs_all_services() -> None:
    unit = (DEPLOY / "systemd" / "carillon-up.service").read_text()
    assert unit in [block.text for block in documents.blocks("docs/operating/install.md", "ini")]


@needs_prometheus
def test_prometheus_can_read_the_configuration_and_the_alerts() -> None:
    assert f"{ALERTS.count('- alert: ')} rules found" in promtool(
        "check", "config", DEPLOY / "prometheus" / "prometheus.yml"
    )


@needs_prometheus
def test_prometheus_can_read_the_expressions_of_the_dashboards(tmp_path: Path) -> None:
    rules = [{"record": f"panel:{n}", "expr": expr} for n, (_, expr) in enumerate(queries())]
    assert len(rules) > 20
    path = tmp_path / "panels.yml"
    # A file in JSON is also valid YAML.
    path.write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}))
    promtool("check", "rules", path)


def complaints(text: str) -> str:
    """Returns the errors that `promtool` finds in metrics: names, units, types, missing help."""
    command = [str(PROGRAMS / "promtool"), "check", "metrics"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr or ("" if done.returncode == 0 else "it failed")


@needs_prometheus
def test_promtool_reports_a_unit_that_is_not_a_base_unit() -> None:
    text = "# HELP waiting_milliseconds Time.\n# TYPE waiting_milliseconds gauge\n"
    assert "seconds" in complaints(text + "waiting_milliseconds 1\n")


@needs_prometheus
@needs_services
@pytest.mark.seconds(90)
async def test_promtool_reports_no_fault_in_any_metric() -> None:
    async with Installation(has_engine=True) as installation:
        await _meet(installation)
        texts = {each.name: await installation.exposition(each) for each in installation.processes}
        texts["carillon metrics"] = await _carillon(installation, "metrics")
    assert len(texts) == 8
    assert {name: complaints(text) for name, text in texts.items()} == dict.fromkeys(texts, "")


class Exporter:
    """`carillon metrics --listen`, and a Prometheus server that scrapes it."""

    def __init__(self, run: Path | None, folder: Path, exporter: int | None = None) -> None:
        """Prepares an exporter for the directory `run`, or uses the one at port `exporter`."""
        self._run = run
        self._folder = folder
        self.ports = (exporter or free_port(), free_port())
        self._processes: list[asyncio.subprocess.Process] = []

    async def __aenter__(self) -> Exporter:
        exporter, server = self.ports
        text = (DEPLOY / "prometheus" / "prometheus.yml").read_text()
        text = text.replace(":9464", f":{exporter}").replace(": 5s", ": 500ms")
        text = text.replace("alerts.yml", str(DEPLOY / "prometheus" / "alerts.yml"))
        (self._folder / "prometheus.yml").write_text(text)
        if self._run is not None:
            await self._start(
                BINARIES / "carillon", "metrics", "--runtime-dir", self._run, "--listen", exporter
            )
        await self._start(
            PROGRAMS / "prometheus",
            f"--config.file={self._folder / 'prometheus.yml'}",
            f"--storage.tsdb.path={self._folder / 'data'}",
            f"--web.listen-address=127.0.0.1:{server}",
        )
        return self

    async def _start(self, *command: str | Path | int) -> None:
        process = await asyncio.create_subprocess_exec(
            *("setpriv", "--pdeathsig", "KILL", *map(str, command)),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        self._processes.append(process)

    async def __aexit__(self, *_: object) -> None:
        for process in self._processes:
            process.terminate()
        codes = [await process.wait() for process in self._processes]
        assert set(codes) == {0}

    async def ask(self, path: str, **parameters: str) -> Any:
        """Queries Prometheus until it answers, and returns the answer."""
        url = f"http://127.0.0.1:{self.ports[1]}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"

        async def answer() -> Any:
            with suppress(OSError):
                return json.load(await asyncio.to_thread(urllib.request.urlopen, url, None, 5))

        return (await eventually(f"Prometheus to answer {path}", answer, 60, 0.1))["data"]

    async def samples(self, expression: str) -> list[dict[str, Any]]:
        result: list[dict[str, Any]] = (await self.ask("query", query=expression))["result"]
        return result

    async def until_there_are(self, expression: str, count: int) -> list[dict[str, Any]]:
        """Waits until an expression has `count` samples, and returns them."""

        async def found() -> list[dict[str, Any]] | None:
            samples = await self.samples(expression)
            return samples if len(samples) == count else None

        return await eventually(f"{count} samples of {expression}", found, 60, 0.2)


@needs_services
@pytest.mark.seconds(60)
async def test_every_metric_of_the_alerts_and_dashboards_exists() -> None:
    async with Installation() as installation:
        await _meet(installation)
        text = await _carillon(installation, "metrics")
    there = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE ")}
    assert len(there) > 100
    named = {
        (title, metric)
        for title, expression in [("alerts.yml", ALERTS), *queries()]
        for metric in METRIC.findall(expression)
    }
    unknown = {
        (title, metric)
        for title, metric in named
        if metric not in there
        and not any(metric.removesuffix(suffix) in there for suffix in SUFFIXES)
    }
    assert len(named) > 50
    assert not unknown


@needs_prometheus
@needs_services
@pytest.mark.seconds(150)
async def test_prometheus_scrapes_an_installation_and_detects_missing_services(
    tmp_path: Path,
) -> None:
    async with Installation() as installation:
        await _meet(installation)
        async with Exporter(installation.run, tmp_path) as prometheus:
            up = await prometheus.until_there_are("carillon_instance_up == 1", 6)
            assert {each["metric"]["instance"] for each in up} == {
                process.name for process in installation.processes
            }
            # Rates need at least two samples of each instance. The first scrapes may miss an
            # instance that answers late, so the test waits for three samples of each instance.
            await prometheus.until_there_are("count_over_time(carillon_instance_up[1m]) > 2", 6)
            await _every_panel_shows_something(prometheus)
            assert (await prometheus.ask("alerts"))["alerts"] == []
            await installation.processes[-1].kill()
            await prometheus.until_there_are(
                'ALERTS{alertname="CarillonInstanceDown", alertstate="pending"}', 1
            )


@needs_prometheus
@pytest.mark.skipif("CARILLON_COMPOSED" not in os.environ, reason="Scripts/compose-test.sh says it")
@pytest.mark.seconds(150)
async def test_prometheus_scrapes_the_composed_system(tmp_path: Path) -> None:
    """`CARILLON_COMPOSED` has the port of the metrics and the number of instances: PORT:COUNT."""
    port, count = map(int, os.environ["CARILLON_COMPOSED"].split(":"))
    async with Exporter(None, tmp_path, exporter=port) as prometheus:
        await prometheus.until_there_are("carillon_instance_up == 1", count)
        await prometheus.until_there_are("count_over_time(carillon_instance_up[1m]) > 2", count)
        await _every_panel_shows_something(prometheus)


async def _every_panel_shows_something(prometheus: Exporter) -> None:
    for title, expression in queries():
        if "histogram_quantile" not in expression and "instance_up == 0" not in expression:
            assert await prometheus.samples(expression), (title, expression)


@needs_services
@pytest.mark.seconds(60)
async def test_carillon_top_prints_the_work_of_each_instance() -> None:
    async with Installation() as installation:
        meeting = await installation.control.create_meeting("top")
        credentials = await installation.control.create_attendee(meeting, "ada")
        options = SessionOptions(gateway_url=f"ipc://{installation.client_socket}")
        async with carillon.join(meeting, credentials, options) as ada:

            async def talk() -> None:
                while True:
                    await ada.send("topic", "hello", 0)
                    await asyncio.sleep(0.02)

            talking = asyncio.create_task(talk())
            rows = await _rows(installation)
            talking.cancel()
        by_memory = await _rows(installation, "--sort", "memory")
        await installation.processes[-1].kill()
        after = await _rows(installation)
    assert [row["instance"] for row in rows] == sorted(each.name for each in installation.processes)
    assert all(row["answers"] and row["memory_mb"] > 1 and row["open_files"] > 3 for row in rows)
    assert all(row["cpu_percent"] is not None for row in rows)
    sizes = [row["memory_mb"] for row in by_memory]
    assert len(sizes) == len(rows) and sizes == sorted(sizes, reverse=True)
    does = {row["instance"].rsplit("-", 1)[0]: row for row in rows}
    for service in ("gateway", "presence", "video-tiles", "messaging", "media"):
        assert (does[service]["meetings"], does[service]["sessions"]) == (1, 1), service
    assert does["messaging"]["messages_per_second"] > 5
    assert does["presence"]["messages_per_second"] is None
    assert [row["answers"] for row in after].count(False) == 1


MEETINGS = {
    "gateway-a": "carillon_gateway_meetings",
    "presence-a": "carillon_presence_meetings",
    "video-tiles-a": "carillon_video_tiles_meetings",
    "messaging-a": "carillon_messaging_meetings",
    "media-a": "carillon_media_meetings",
    "transcription-a": "carillon_transcription_transcriptions",
}


@needs_services
@pytest.mark.seconds(120)
async def test_an_ended_meeting_no_longer_counts_as_a_meeting() -> None:
    async with Installation(has_engine=True) as installation, AsyncExitStack() as stack:
        meetings = []
        for name in ("ended", "held"):
            meeting = await installation.control.create_meeting(name)
            credentials = await installation.control.create_attendee(meeting, "ada")
            options = SessionOptions(gateway_url=f"ipc://{installation.client_socket}")
            ada = await stack.enter_async_context(carillon.join(meeting, credentials, options))
            await ada.send("topic", "hello", 60_000)
            await ada.video.publish([VideoLayer(320, 180, 15, 200_000)])
            await installation.control.start_transcription(meeting, language_code="en-US")
            meetings.append(meeting)
        for expected in (2, 1, 0):
            await _count(installation, expected)
            if meetings:
                await installation.control.delete_meeting(meetings.pop(0))


async def _count(installation: Installation, expected: int) -> None:
    """Waits until `/metrics` of each service and `carillon top` show this number of meetings."""
    shown: dict[str, int] = {}

    async def are_counted() -> bool:
        for process in installation.processes:
            if gauge := MEETINGS.get(process.name):
                metrics = await installation.metrics(process)
                shown[process.name] = int(metrics.sum(gauge))
        return set(shown.values()) == {expected}

    try:
        await eventually(f"{expected} meetings", are_counted)
    except OverdueError as error:
        raise AssertionError(f"{expected} meetings are expected, and {shown} are shown") from error
    rows = {row["instance"]: row["meetings"] for row in await _rows(installation)}
    assert {name: rows[name] for name in MEETINGS} == dict.fromkeys(MEETINGS, expected)


@needs_services
@pytest.mark.parametrize("term", [None, "", "dumb"])
@pytest.mark.seconds(60)
async def test_a_terminal_of_unknown_type_gets_plain_lines(term: str | None) -> None:
    async with Installation() as installation:
        for command in (["doctor"], ["top", "--interval-seconds", "1"]):
            shown = await _shown_on_a_terminal(installation, command, term, b"transcription-a")
            assert b"\x1b" not in shown, command


@needs_services
@pytest.mark.seconds(60)
async def test_a_terminal_of_known_type_gets_colours_and_a_screen() -> None:
    async with Installation() as installation:
        shown = await _shown_on_a_terminal(installation, ["doctor"], "xterm", b"transcription-a")
        assert b"\x1b[32m" in shown
        shown = await _shown_on_a_terminal(installation, ["top"], "xterm", b"transcription-a")
        assert shown.startswith(b"\x1b[?1049h")


async def _shown_on_a_terminal(
    installation: Installation, command: list[str], term: str | None, until: bytes
) -> bytes:
    """Runs a command on a terminal until it shows a text, and returns its output so far."""
    near, far = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment.pop("TERM", None)
    process = await asyncio.create_subprocess_exec(
        *(str(BINARIES / "carillon"), *command, "--runtime-dir", str(installation.run)),
        stdin=far,
        stdout=far,
        env=environment if term is None else environment | {"TERM": term},
    )
    os.close(far)
    shown = b""
    while until not in shown:
        shown += await asyncio.to_thread(os.read, near, 65_536)
    process.terminate()
    reading = asyncio.to_thread(_read_to_the_end, near)
    rest, _ = await asyncio.gather(reading, process.wait())
    os.close(near)
    return shown + rest


def _read_to_the_end(terminal: int) -> bytes:
    rest = b""
    with suppress(OSError):
        while piece := os.read(terminal, 65_536):
            rest += piece
    return rest


async def _rows(installation: Installation, *options: str) -> list[dict[str, Any]]:
    """Returns the rows that `carillon top` prints after a second."""
    output = await _carillon(
        installation, "top", "--once", "--interval-seconds", "1", "--output", "json", *options
    )
    return [json.loads(line) for line in output.splitlines()]


async def _meet(installation: Installation) -> None:
    """Joins a meeting and sends a message, so that metrics of each method exist."""
    meeting = await installation.control.create_meeting("metrics")
    credentials = await installation.control.create_attendee(meeting, "ada")
    options = SessionOptions(gateway_url=f"ipc://{installation.client_socket}")
    async with carillon.join(meeting, credentials, options) as ada:
        await ada.send("topic", "hello", 0)


async def _carillon(installation: Installation, *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(str(BINARIES / "carillon"), *arguments, "--runtime-dir", str(installation.run)),
        stdout=asyncio.subprocess.PIPE,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    return output.decode()
