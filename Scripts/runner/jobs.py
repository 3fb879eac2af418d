"""The jobs of a run."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from runner import python_tests, swift_tests
from runner.execute import ROOT
from runner.schedule import Job, Lane

PLACES = 2
"""The number of parallel jobs: pytest with its workers, and one Swift module at a time. With three
jobs of each kind, two cores were fully busy, no run finished sooner, and tests that run in real
time failed.
"""

REAL_PROCESSES = frozenset({"EndToEndTests", "CLITests", "DemoTests"})
"""Swift modules whose tests start Carillon's programs."""

# The expected seconds on two cores while other jobs run. These values only determine the order of
# the jobs. The runner treats an unlisted module as short.
_EXPECTED = {
    "GatewayTests": 120.0,
    "CarillonClientTests": 60.0,
    "BusTests": 60.0,
    "EndToEndTests rates": 150.0,
    "MediaTests": 90.0,
}

# `EndToEndTests` runs one installation at a time, so the runner splits the module into parts that
# run in parallel. The last part contains the suites that no other part names.
_END_TO_END_PARTS = {
    "sound": ("MediaTests", "FenceTests", "StandstillTests", "TranscriptTests", "CapabilityTests"),
    "pictures": ("VideoTests", "TileTests", "PauseTests"),
    "audiences": ("ReplicaTests", "AudienceFaultTests", "AudienceHistoryTests", "HistoryTests"),
    "rest": (),
}

# These suites measure rates and times, so no other work may run at the same time.
_JUDGE_RATES = ("AdaptiveTests", "NarrowLinkTests", "BitrateCapTests", "ImpairmentTests")
_JUDGE_TIME = r"^CarillonClientTests\.ReconnectClockTests/"
_JUDGE_LOAD = r"^CLITests\.LoadTests/"
# The tests of these modules wait in real time: leases expire by PostgreSQL's clock, and sound and
# video play at their own speed.
_REAL_TIME = frozenset({"ClusterTests", "MediaTests", "CarillonClientMediaTests"})

END_TO_END_SUITES = (
    *(suite for part in _END_TO_END_PARTS.values() for suite in part),
    *_JUDGE_RATES,
)
"""The suites of the Swift module `EndToEndTests` that appear in this file."""

_PYTEST_FOLDERS = ("Tests/Python", "Tests/ControlAPI", "Tests/Web")
# Most tests of this folder share one installation, and wait for a server most of the time. They are
# a job of their own, which runs after the Swift modules and beside the other tests of pytest.
_CONTROL_API = "Tests/ControlAPI"
PYTEST_WORKERS = 2
"""The number of tests that the largest job of pytest runs at the same time. Two workers use 45 % of
two cores. Three workers keep both cores busy all the time, but do not make the run shorter, and
tests with deadlines fail.
"""
PYTEST_LIMIT_SECONDS = 400
"""The time limit of a pytest test. The longest test takes a tenth of this limit."""


@dataclass(frozen=True)
class Area:
    """The tests of one service: Swift modules, suites of `EndToEndTests`, and files."""

    modules: tuple[str, ...]
    end_to_end: tuple[str, ...] = ()
    python: tuple[str, ...] = ()
    web: bool = False
    also: tuple[str, ...] = field(default=())


AREAS = {
    "presence": Area(
        ("PresenceTests", "OwnershipTests"),
        ("RosterTests", "MuteTests", "RecoveryTests"),
        ("Tests/Python/test_roster.py", "Tests/Python/test_end_to_end.py"),
    ),
    "messaging": Area(
        ("MessagingTests",),
        ("MessageTests", "MessageRecoveryTests", "HistoryTests", "BadMessagesTests"),
        ("Tests/Python/test_messages.py", "Tests/Python/test_cli_messages.py"),
    ),
    "video-tiles": Area(
        ("VideoTilesTests", "OwnershipTests"),
        ("TileTests", "VideoTests", "PauseTests"),
        ("Tests/Python/test_video.py", "Tests/Python/test_cli_tiles.py"),
    ),
    "media": Area(
        ("MediaTests", "RTPTests", "OpusTests", "SpeexDSPTests"),
        ("MediaTests", "FenceTests", "ImpairmentTests"),
        ("Tests/Python/test_media_end_to_end.py", "Tests/Python/test_media_connection.py"),
    ),
    "transcription": Area(
        ("TranscriptionTests", "PocketSphinxEngineTests"),
        ("TranscriptTests",),
        ("Tests/Python/test_transcripts.py", "Tests/Python/test_engine.py"),
    ),
    "gateway": Area(
        ("GatewayTests", "SigningTests"),
        ("SessionTests", "AdmissionTests", "TwoGatewaysTests"),
        ("Tests/ControlAPI", "Tests/Web"),
        web=True,
    ),
    "client": Area(
        ("CarillonClientTests", "CarillonClientMediaTests"),
        ("GuideTests",),
        ("Tests/Python/test_session.py", "Tests/Python/test_sending.py"),
    ),
    "carillon": Area(("CLITests", "DemoTests", "LocalInstallationTests", "OutputTests")),
}


def swift_modules() -> list[str]:
    """Returns the folders of Swift tests."""
    return sorted(path.name for path in (ROOT / "Tests").glob("*Tests") if path.is_dir())


def setup() -> list[Job]:
    """Returns the build job, which the other jobs need. `make` has installed the packages."""
    # CI builds in a clean clone. The script's flags make a build after the change of a file slower.
    is_clean = "CI" in os.environ
    build = ("Scripts/clean-build.sh",) if is_clean else ("swift", "build", "--build-tests")
    return [Job("build", build, weight=PLACES, expected_seconds=600, limit_seconds=2400)]


def tests(modules: Iterable[str]) -> list[Job]:
    """Returns the jobs of all tests: Swift, Python and web."""
    jobs = [job for module in modules for job in _swift(module)]
    others = [folder for folder in _PYTEST_FOLDERS if folder != _CONTROL_API]
    jobs += [_pytest("python", *others), _control_api(), *_pytest_alone(), _web()]
    return jobs


def area(name: str) -> list[Job]:
    """Returns the jobs of one service's tests, or of one Swift module or Python path."""
    if name not in AREAS:
        return _named(name)
    chosen = AREAS[name]
    jobs = [job for module in chosen.modules for job in _swift(module)]
    if chosen.end_to_end:
        only = _suites(chosen.end_to_end)
        jobs.append(_swift_job(f"EndToEndTests {name}", swift_tests.command(only)))
    if chosen.python:
        jobs.append(_pytest("python", *chosen.python))
    return [*jobs, _web()] if chosen.web else jobs


def _named(name: str) -> list[Job]:
    if name in swift_modules():
        return _swift(name)
    if (ROOT / name.split("::", maxsplit=1)[0]).exists():
        return [_pytest("python", name)]
    known = ", ".join([*AREAS, "a module of Tests/*Tests", "a file of pytest"])
    raise ValueError(f"ONLY={name} names nothing that can be tested; it takes {known}.")


def checks() -> list[Job]:
    """Returns one job for each check of `make check`."""
    names = ("format", "generated", "imports", "commits", "python", "web", "lists")
    jobs = [Job(f"check {name}", ("Scripts/check.sh", name), limit_seconds=900) for name in names]
    # `check.sh docs` would build again: a different environment causes a partial rebuild.
    command = ("python3", "Scripts/check_docs.py")
    site = (str(ROOT / ".venv/bin/python"), "Scripts/docs_site.py")
    # The tests run with one version of protobuf; this check tries the oldest and the newest.
    bounds = ("Scripts/protobuf-versions.sh", "--bounds")
    needs = frozenset({"build"})
    return [
        *jobs,
        Job("check docs", command, needs, expected_seconds=60),
        Job("check site", site, needs, expected_seconds=60),
        Job("check protobuf", bounds, needs, Lane.SPARE, expected_seconds=90),
    ]


def demo() -> list[Job]:
    """Returns the job of the demo. The demo runs alone, because it measures its steps."""
    command = (".build/debug/carillon", "demo", "--output", "json")
    needs = frozenset({"build"})
    return [Job("demo", command, needs, Lane.ALONE, limit_seconds=600, kind="demo")]


def tsan() -> list[Job]:
    """Returns the job that runs the bus under ThreadSanitizer."""
    # The job starts after the build, so that two compilers do not share the cores.
    needs = frozenset({"build"})
    return [Job("tsan", ("Scripts/tsan.sh",), needs, Lane.SPARE, expected_seconds=200)]


def fuzz() -> list[Job]:
    """Returns the job that fuzzes every parser of untrusted bytes."""
    command = ("Scripts/fuzz.sh",)
    needs = frozenset({"build"})
    return [Job("fuzz", command, needs, Lane.SPARE, expected_seconds=400, limit_seconds=1500)]


def _swift(module: str) -> list[Job]:
    everything = swift_tests.module(module)
    if module in _REAL_TIME:
        return [_real_time(module, swift_tests.command(everything))]
    if module == "CarillonClientTests":
        beside = swift_tests.command(everything, skip=_JUDGE_TIME)
        clocks = swift_tests.command(_JUDGE_TIME)
        return [_swift_job(module, beside), _real_time(f"{module} clocks", clocks)]
    if module == "CLITests":
        beside = swift_tests.command(everything, skip=_JUDGE_LOAD)
        load = swift_tests.command(_JUDGE_LOAD)
        return [_swift_job(module, beside), _real_time(f"{module} load", load)]
    if module != "EndToEndTests":
        return [_swift_job(module, swift_tests.command(everything))]
    jobs = []
    taken = [suite for suites in _END_TO_END_PARTS.values() for suite in suites]
    for part, suites in _END_TO_END_PARTS.items():
        if suites:
            command = swift_tests.command(_suites(suites))
        else:
            others = _suites([*taken, *_JUDGE_RATES])
            command = swift_tests.command(everything, skip=others)
        jobs.append(_swift_job(f"{module} {part}", command, expected=240.0))
    rates = swift_tests.command(_suites(_JUDGE_RATES))
    # MediaTests computes for a minute. Beside it, the receivers of these suites counted packets as
    # lost that only arrived late.
    return [*jobs, _swift_job(f"{module} rates", rates, lane=Lane.ALONE)]


def _real_time(name: str, command: list[str]) -> Job:
    return _swift_job(name, command, lane=Lane.REAL_TIME)


def _swift_job(
    name: str, command: list[str], *, expected: float = 0.0, lane: Lane = Lane.SHARED
) -> Job:
    return Job(
        name,
        tuple(command),
        needs=frozenset({"build"}),
        lane=lane,
        expected_seconds=expected or _EXPECTED.get(name, 10.0),
        limit_seconds=900,
        kind="swift",
        starts_programs=name.split(maxsplit=1)[0] in REAL_PROCESSES,
    )


def _suites(names: Iterable[str]) -> str:
    return rf"^EndToEndTests\.EndToEnd/({'|'.join(names)})/"


def _pytest(name: str, *paths: str, workers: int = PYTEST_WORKERS, expected: float = 600.0) -> Job:
    words = ["-p", "runner.pytest_order", *paths, "-n", str(workers), "--dist", "loadfile"]
    words += ["--no-loadscope-reorder", "-m", "not alone", "--timeout", str(PYTEST_LIMIT_SECONDS)]
    return Job(
        name,
        tuple(python_tests.command(*words)),
        needs=frozenset({"build"}),
        expected_seconds=expected,
        limit_seconds=2700,
        kind="pytest",
    )


def _control_api() -> Job:
    # Because of this low expected time, the job starts after all Swift modules. While the job runs,
    # spare jobs can start.
    return _pytest("control API", _CONTROL_API, workers=1, expected=5.0)


def _pytest_alone() -> list[Job]:
    words = [*_PYTEST_FOLDERS, "-m", "alone"]
    command = tuple(python_tests.command(*words))
    needs = frozenset({"build"})
    return [Job("python alone", command, needs, Lane.ALONE, limit_seconds=900, kind="pytest")]


def _web() -> Job:
    files = sorted(str(path.relative_to(ROOT)) for path in _web_tests())
    command = ("node", "--test", "--test-reporter=tap", *files)
    return Job("web", command, limit_seconds=300, kind="node")


def _web_tests() -> Iterable[Path]:
    return (ROOT / "Tests" / "Web" / "unit").glob("*.test.js")
