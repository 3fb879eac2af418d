"""The test runner and its rules, with deliberate failures of each kind."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from runner import jobs, lists, pytest_order, python_tests, report, swift_tests, tap
from runner.results import NO_TEST, TIMED_OUT, JobResult, Outcome, TestResult, shorten
from runner.run import Run
from runner.schedule import Job, Lane, Schedule
from runner.verdict import Verdict, judge, runs_again

ROOT = Path(__file__).parents[2]
DAY = "2026-11-27"

# A program that fails only at its first start.
DIES_ONCE = """
import pathlib, subprocess, sys
SERVICE = '''
import pathlib, sys
started = pathlib.Path(sys.argv[1])
is_first = not started.exists()
started.touch()
print("== presence-a", flush=True)
print("Cannot open the lease: try again.", flush=True)
sys.exit(1 if is_first else 0)
'''

def serve(name):
    command = [sys.executable, "-c", SERVICE, str(pathlib.Path(__file__).with_suffix("." + name))]
    assert subprocess.run(command).returncode == 0, "presence-a did not become ready"
"""


@dataclass(frozen=True)
class Ran:
    """The results of one job, and the report about it."""

    verdict: Verdict
    again: dict[str, list[Outcome]]
    closing: str


class Stand:
    """A folder of sample tests, which the test runs as CI does."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def pytest(
        self,
        text: str,
        *,
        limit: float = 60,
        words: Sequence[str] = (),
        skips: Mapping[str, str] | None = None,
    ) -> Ran:
        (self._folder / "test_sample.py").write_text(text)
        command = python_tests.command("test_sample.py", "-p", "no:cacheprovider", *words)
        # Plugins would add a second to each start.
        environment = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        job = Job("sample", tuple(command), kind="pytest", limit_seconds=limit)
        return self.run(replace(job, environment=environment), skips)

    def add(self, name: str, text: str) -> None:
        (self._folder / name).write_text(text)

    def run(self, job: Job, skips: Mapping[str, str] | None = None) -> Ran:
        run = Run(self._folder / "run", may_repeat=True, root=self._folder)
        results = run.all([job], 1)
        verdict = judge(results, run.again, skips or {}, frozenset())
        return Ran(verdict, run.again, report.closing(verdict, run.not_run, DAY))


# A demo of two steps. The second step fails as many times as the second argument says.
DEMO = """
import json, pathlib, sys
count = pathlib.Path(sys.argv[1])
turn = len(count.read_text()) if count.exists() else 0
count.write_text("x" * (turn + 1))
fails = turn < int(sys.argv[2])
log = count.with_suffix(".services")
log.write_text("info gateway: ready\\nwarning presence: the lease is taken\\n")
def step(name, ok, **detail):
    print(json.dumps({"step": name, "ok": ok, "ms": 7, "about": "", "detail": detail}))
step("start-services", True)
step("join", not fails, **({"error": "nobody came"} if fails else {}))
if fails: print(f"The services' log is in {log}")
print(json.dumps({"step": "summary", "ok": not fails, "steps": 2, "failed": int(fails)}))
sys.exit(1 if fails else 0)
"""


def _demo(folder: Path, *, fails: int) -> Job:
    command = (sys.executable, "-c", DEMO, str(folder / "turns"), str(fails))
    return Job("demo", command, kind="demo", limit_seconds=60)


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    return Stand(tmp_path)


class TestBreaks:
    """The report for each kind of failure."""

    def test_a_core_test_with_a_wrong_value_is_red_and_not_repeated(self, stand: Stand) -> None:
        ran = stand.pytest("def test_seats():\n    assert 2 + 2 == 5, 'a seat too few'\n")
        assert ran.verdict.is_red
        assert ran.again == {}
        assert "sample: test_sample.py::test_seats" in ran.closing
        assert "a seat too few" in ran.closing
        assert "Alone: .venv/bin/python -m pytest test_sample.py::test_seats" in ran.closing
        assert ran.closing.splitlines()[-1] == "0 passed, 1 failed"

    def test_a_test_whose_service_crashes_at_one_start_is_unsteady(self, stand: Stand) -> None:
        ran = stand.pytest(f"{DIES_ONCE}\ndef test_joins():\n    serve('a')\n")
        assert not ran.verdict.is_red
        assert ran.again == {"test_sample.py::test_joins": [Outcome.PASSED] * 2}
        assert "presence-a did not become ready" in ran.closing
        assert "Cannot open the lease: try again." in ran.closing
        assert "## `test_sample.py::test_joins`" in ran.closing
        assert f"- Seen: {DAY}" in ran.closing
        assert ran.closing.splitlines()[-1] == "1 passed, 0 failed"

    def test_a_demo_that_fails_once_is_unsteady(self, stand: Stand, tmp_path: Path) -> None:
        ran = stand.run(_demo(tmp_path, fails=1))
        assert not ran.verdict.is_red
        assert ran.again == {"carillon demo": [Outcome.PASSED] * 2}
        assert "join failed after 7 ms:" in ran.closing
        assert "nobody came" in ran.closing
        assert "warning presence: the lease is taken" in ran.closing
        assert ran.closing.splitlines()[-1] == "2 passed, 0 failed"

    def test_a_demo_that_fails_twice_is_red(self, stand: Stand, tmp_path: Path) -> None:
        ran = stand.run(_demo(tmp_path, fails=2))
        assert ran.verdict.is_red
        assert ran.closing.splitlines()[-1] == "1 passed, 1 failed"

    def test_three_unsteady_tests_make_the_run_red(self, stand: Stand) -> None:
        tests = [f"def test_{name}():\n    serve('{name}')\n" for name in "abc"]
        ran = stand.pytest("\n".join([DIES_ONCE, *tests]))
        assert len(ran.verdict.unsteady) == 3
        assert ran.verdict.is_red
        assert ran.closing.splitlines()[-1] == "3 passed, 3 failed"

    def test_a_failed_test_is_repeated_if_its_shared_fixture_starts_processes(
        self, stand: Stand
    ) -> None:
        fixture = "import pytest\n@pytest.fixture(scope='module')\ndef house():\n"
        fixture += "    subprocess.run(['true'])\n"
        first = "def test_a(house):\n    pass\n"
        second = "def test_b(house):\n    seen = pathlib.Path(__file__).with_suffix('.seen')\n"
        second += "    was_there = seen.exists()\n    seen.touch()\n    assert was_there\n"
        ran = stand.pytest("\n".join([DIES_ONCE, fixture, first, second]))
        assert list(ran.again) == ["test_sample.py::test_b"]
        assert not ran.verdict.is_red

    def test_later_failed_tests_are_repeated_if_a_shared_fixture_starts_a_process(
        self, stand: Stand
    ) -> None:
        fixture = "import pytest\n@pytest.fixture(scope='module')\ndef house():\n    return []\n"
        first = "def test_a(house):\n    house.append(subprocess.run(['true']))\n"
        second = "def test_b(house):\n    assert not house, 'it is used up'\n"
        ran = stand.pytest("\n".join([DIES_ONCE, fixture, first, second]))
        assert list(ran.again) == ["test_sample.py::test_b"]

    def test_the_report_names_a_hanging_test_and_is_red(self, stand: Stand) -> None:
        text = "import threading\ndef test_waits():\n    threading.Event().wait()\n"
        ran = stand.pytest(text, limit=10)
        assert ran.verdict.is_red
        assert "a time-out" in ran.closing
        assert "  test_sample.py::test_waits" in ran.closing

    def test_a_test_over_its_time_limit_fails_alone_and_the_others_run(self, stand: Stand) -> None:
        text = "import threading\ndef test_waits():\n    threading.Event().wait()\n"
        ran = stand.pytest(
            f"{text}def test_goes_on():\n    pass\n",
            words=["-p", "pytest_timeout", "--timeout", "1"],
        )
        assert ran.closing.splitlines()[-1] == "1 passed, 1 failed"
        assert "Timeout" in ran.closing

    def test_an_error_of_pytest_itself_is_red_and_its_cause_is_printed(self, stand: Stand) -> None:
        hook = "def pytest_runtest_makereport():\n    raise KeyError('printed')\n"
        stand.add("conftest.py", hook)
        ran = stand.pytest("def test_a():\n    pass\n")
        assert ran.verdict.is_red
        assert "KeyError: 'printed'" in ran.closing
        assert "  test_sample.py::test_a" in ran.closing

    def test_an_internal_error_in_a_parallel_process_is_printed(self, stand: Stand) -> None:
        hook = "def pytest_runtest_makereport():\n    raise KeyError('printed')\n"
        stand.add("conftest.py", hook)
        words = ["-p", "xdist.plugin", "-n", "2"]
        ran = stand.pytest("def test_a():\n    pass\n", words=words)
        assert ran.verdict.is_red
        assert "KeyError: 'printed'" in ran.closing

    def test_a_test_that_starts_a_missing_program_is_red(self, stand: Stand) -> None:
        ran = stand.pytest("import subprocess\ndef test_a():\n    subprocess.run(['presenze'])\n")
        assert ran.verdict.is_red
        assert ran.again == {"test_sample.py::test_a": [Outcome.FAILED] * 2}
        assert "No such file or directory: 'presenze'" in ran.closing

    def test_a_job_whose_program_is_missing_is_red(self, stand: Stand) -> None:
        ran = stand.run(Job("prometheus", ("promtul",)))
        assert ran.verdict.is_red
        assert "failed to execute promtul" in ran.closing

    def test_an_unlisted_skip_makes_the_run_red(self, stand: Stand) -> None:
        text = "import pytest\n@pytest.mark.skip(reason='no engine')\ndef test_a():\n    pass\n"
        ran = stand.pytest(text)
        assert ran.verdict.is_red
        assert "Tests/skips.md does not list it: no engine" in ran.closing

    def test_a_listed_skip_is_printed_with_its_reason(self, stand: Stand) -> None:
        text = "import pytest\n@pytest.mark.skip(reason='no engine')\ndef test_a():\n    pass\n"
        ran = stand.pytest(text, skips={"test_sample.py::test_a": "It needs a phone."})
        assert not ran.verdict.is_red
        assert "  test_sample.py::test_a: It needs a phone." in ran.closing
        assert ran.closing.splitlines()[-1] == "0 passed, 0 failed, 1 skipped"

    def test_a_file_that_pytest_cannot_import_makes_the_run_red(self, stand: Stand) -> None:
        ran = stand.pytest("import nowhere\n")
        assert ran.verdict.is_red
        assert "No module named 'nowhere'" in ran.closing

    def test_a_job_without_a_test_is_red(self, stand: Stand) -> None:
        assert stand.pytest("").verdict.is_red


class TestSwift:
    """A program that simulates the bundle of Swift tests: it writes events, prints, and exits."""

    def bundle(self, stand: Stand, events: Sequence[object], status: int, *, real: bool) -> Ran:
        lines = "\n".join(json.dumps(event) for event in events)
        program = f"import os, sys\nopen(sys.argv[1], 'w').write({lines!r})\n"
        program += f"print('== presence-a\\nIt died.')\nos._exit({status})\n"
        command = (sys.executable, "-c", program, "{results}")
        return stand.run(Job("CLITests", command, kind="swift", starts_programs=real))

    def event(self, kind: str, test: str = "M.S/a()/S.swift:1:2", **more: object) -> object:
        payload = {"kind": kind, "testID": test, "instant": {"absolute": 1.0}, **more}
        return {"kind": "event", "payload": payload, "version": 0}

    def function(self, test: str = "M.S/a()/S.swift:1:2") -> object:
        return {"kind": "test", "payload": {"kind": "function", "id": test}, "version": 0}

    def issue(self, text: str) -> object:
        place = {"_filePath": "S.swift", "line": 7}
        messages = [{"symbol": "fail", "text": text}]
        issue = {"isKnown": False, "sourceLocation": place}
        return self.event("issueRecorded", messages=messages, issue=issue)

    def test_a_passed_test_is_counted(self, stand: Stand) -> None:
        events = [self.function(), self.event("testStarted"), self.event("testEnded")]
        ran = self.bundle(stand, events, 0, real=False)
        assert ran.closing == "1 passed, 0 failed"

    def test_a_failed_expectation_is_shown_with_its_location(self, stand: Stand) -> None:
        began, ended = self.event("testStarted"), self.event("testEnded")
        events = [self.function(), began, self.issue("Expected a seat"), ended]
        ran = self.bundle(stand, events, 1, real=False)
        assert ran.again == {}
        assert "S.swift:7" in ran.closing
        assert "Expected a seat" in ran.closing
        assert "swift test --skip-build --filter" in ran.closing

    def test_a_crash_is_red_and_the_report_names_the_running_tests(self, stand: Stand) -> None:
        ran = self.bundle(stand, [self.function(), self.event("testStarted")], 132, real=True)
        assert ran.again == {}
        assert "  M.S/a()/S.swift:1:2" in ran.closing
        assert "It died." in ran.closing

    def test_a_known_issue_is_not_a_failure(self, stand: Stand) -> None:
        known = self.event("issueRecorded", issue={"isKnown": True})
        events = [self.function(), self.event("testStarted"), known, self.event("testEnded")]
        assert self.bundle(stand, events, 0, real=False).closing == "1 passed, 0 failed"

    def test_a_filter_matches_exactly_one_test(self) -> None:
        test = "M.S/`a seat (of two) is free.`()/S.swift:1:2"
        assert swift_tests.filter_for(test).startswith(r"^M\.S/`a\ seat\ \(of\ two\)")


class TestTAP:
    OUTPUT = """TAP version 13
# Subtest: a mute is shown
ok 1 - a mute is shown
  ---
  duration_ms: 21.5
  ...
not ok 2 - a hand is shown
  ---
  duration_ms: 3
  error: 'no hand'
  ...
ok 3 - a camera is shown # SKIP no camera
  ---
  duration_ms: 0.1
  ...
1..3
"""

    def test_the_parser_reads_one_test_from_each_line(self) -> None:
        passed, failed, skipped = tap.read(self.OUTPUT)
        assert (passed.id, passed.outcome, passed.seconds) == (
            "a mute is shown",
            Outcome.PASSED,
            0.0215,
        )
        assert (failed.outcome, failed.text) == (
            Outcome.FAILED,
            "duration_ms: 3\nerror: 'no hand'",
        )
        assert (skipped.outcome, skipped.text) == (Outcome.SKIPPED, "no camera")


class TestSchedule:
    def names(self, started: Sequence[Job]) -> list[str]:
        return [job.name for job in started]

    def test_the_longest_job_starts_first_while_places_are_free(self) -> None:
        work = [Job(name, (), expected_seconds=s) for name, s in (("a", 1), ("b", 3), ("c", 2))]
        schedule = Schedule(work, places=2)
        assert self.names(schedule.start()) == ["b", "c"]
        assert schedule.start() == []
        schedule.finish("c", passed=True)
        assert self.names(schedule.start()) == ["a"]

    def test_a_job_does_not_start_if_a_job_that_it_needs_failed(self) -> None:
        chain = [Job("build", ()), Job("tests", (), needs=frozenset({"build"}))]
        schedule = Schedule([*chain, Job("demo", (), needs=frozenset({"tests"}))])
        schedule.start()
        schedule.finish("build", passed=False)
        assert schedule.start() == []
        assert schedule.not_run == ["tests", "demo"]

    def test_a_job_starts_if_the_job_that_it_needs_passed_earlier(self) -> None:
        played = Job("played", (), needs=frozenset({"build"}), lane=Lane.REAL_TIME)
        schedule = Schedule([Job("tests", (), needs=frozenset({"build"})), played], 1, {"build"})
        assert self.names(schedule.start()) == ["tests"]
        schedule.finish("tests", passed=True)
        assert self.names(schedule.start()) == ["played"]

    def test_a_job_that_measures_time_runs_alone_and_last(self) -> None:
        alone, spare = Job("rates", (), lane=Lane.ALONE), Job("fuzz", (), lane=Lane.SPARE)
        schedule = Schedule([alone, spare, Job("tests", ())])
        assert self.names(schedule.start()) == ["tests", "fuzz"]
        schedule.finish("tests", passed=False)
        assert schedule.start() == []
        schedule.finish("fuzz", passed=True)
        assert self.names(schedule.start()) == ["rates"]

    def test_at_most_one_spare_job_runs_beside_the_real_time_jobs(self) -> None:
        played = [Job(name, (), lane=Lane.REAL_TIME) for name in ("a", "b", "c")]
        spare = [Job(name, (), lane=Lane.SPARE) for name in ("fuzz", "tsan")]
        memory = Job("memory", (), lane=Lane.ALONE)
        schedule = Schedule([memory, *spare, *played, Job("tests", ())], places=2)
        assert self.names(schedule.start()) == ["tests", "fuzz"]
        schedule.finish("tests", passed=True)
        assert self.names(schedule.start()) == ["a", "b"]
        schedule.finish("a", passed=True)
        assert self.names(schedule.start()) == ["c"]
        schedule.finish("fuzz", passed=True)
        assert self.names(schedule.start()) == ["tsan"]
        for name in ("b", "c"):
            schedule.finish(name, passed=True)
        assert schedule.start() == []
        schedule.finish("tsan", passed=True)
        assert self.names(schedule.start()) == ["memory"]

    def test_one_spare_job_runs_beside_the_last_shared_jobs(self) -> None:
        spare = [Job(name, (), lane=Lane.SPARE) for name in ("fuzz", "tsan")]
        shared = [Job(name, (), weight=3) for name in ("tests", "checks")]
        schedule = Schedule([*shared, *spare], places=3)
        assert self.names(schedule.start()) == ["tests"]
        schedule.finish("tests", passed=True)
        assert self.names(schedule.start()) == ["checks", "fuzz"]

    def test_a_job_that_needs_too_many_places_runs_with_all_places(self) -> None:
        assert self.names(Schedule([Job("build", (), weight=9)], places=2).start()) == ["build"]

    def test_a_job_that_needs_an_unknown_job_is_refused(self) -> None:
        with pytest.raises(ValueError, match="nothing"):
            Schedule([Job("tests", (), needs=frozenset({"nothing"}))])


class TestJobs:
    def test_every_swift_module_is_run(self) -> None:
        work = jobs.tests(jobs.swift_modules())
        modules = {job.name.split()[0] for job in work if job.kind == "swift"}
        assert modules == set(jobs.swift_modules())

    @pytest.mark.parametrize("name", jobs.AREAS)
    def test_an_area_names_existing_modules_files_and_suites(self, name: str) -> None:
        chosen = jobs.AREAS[name]
        assert set(chosen.modules) <= set(jobs.swift_modules())
        assert all((ROOT / path).exists() for path in chosen.python)
        suites = {path.stem for path in (ROOT / "Tests" / "EndToEndTests").glob("*.swift")}
        assert set(chosen.end_to_end) <= suites

    def test_each_suite_in_the_parts_of_the_end_to_end_tests_exists(self) -> None:
        suites = {path.stem for path in (ROOT / "Tests" / "EndToEndTests").glob("*.swift")}
        assert set(jobs.END_TO_END_SUITES) <= suites

    def test_an_error_about_an_unknown_area_lists_the_areas(self) -> None:
        with pytest.raises(ValueError, match="messaging"):
            jobs.area("chat")

    def test_every_folder_of_pytest_is_run_beside_and_alone(self) -> None:
        work = [job for job in jobs.tests([]) if job.kind == "pytest"]
        folders = {"Tests/Python", "Tests/ControlAPI", "Tests/Web"}
        for mark in ("not alone", "alone"):
            chosen = [word for job in work if mark in job.command for word in job.command]
            assert sorted(word for word in chosen if word in folders) == sorted(folders)

    def test_the_slowest_files_of_pytest_exist(self) -> None:
        assert all((ROOT / file).exists() for file in pytest_order.SECONDS)

    def test_the_slowest_file_starts_first_and_then_the_file_with_the_most_tests(self) -> None:
        slow, slower = "Tests/Web/test_hosts.py", "Tests/Web/test_page.py"
        files = ["a.py", slow, "b.py", slower, "b.py", "b.py", "a.py"]
        assert pytest_order.ordered(files) == [slower, slow, "b.py", "a.py"]

    def test_the_control_api_starts_after_the_swift_modules_and_before_spare_jobs(self) -> None:
        work = [*jobs.tests(["BusTests"]), *jobs.fuzz()]
        schedule = Schedule(work, jobs.PLACES, passed={"build"})
        started = [job.name for job in schedule.start()]
        while "fuzz" not in started:
            schedule.finish(next(n for n in started if n != "python"), passed=True)
            started = [name for name in started if name in schedule.running]
            started += [job.name for job in schedule.start()]
        assert started == ["python", "control API", "fuzz"]


class TestLists:
    ENTRY = "## `a/b::c`\n\n- Seen: 2026-11-27\n- Logs: a mute was never heard\n- Cause: unknown\n"

    def test_a_complete_entry_of_an_unsteady_test_is_accepted(self) -> None:
        text = f"# Unsteady tests\n\n{self.ENTRY}"
        assert lists.unsteady(text) == {"a/b::c"}
        assert lists.unsteady_problems(text) == []

    def test_an_entry_without_a_cause_is_refused(self) -> None:
        problems = lists.unsteady_problems(self.ENTRY.replace(" unknown", ""))
        assert problems == ["`a/b::c`: '- Cause:' is missing or empty."]

    def test_a_list_of_six_entries_is_refused(self) -> None:
        assert len(lists.unsteady_problems(self.ENTRY * 6)) == 1

    def test_the_lists_of_this_repository_are_valid(self) -> None:
        assert lists.unsteady_problems((ROOT / "Tests" / "unsteady.md").read_text()) == []

    def test_the_list_of_skips_is_read_from_the_rows_of_a_table(self) -> None:
        text = "| test | reason |\n|---|---|\n| `M.S/a()/S.swift:1:2` | It needs root. |\n"
        assert lists.skips(text) == {"M.S/a()/S.swift:1:2": "It needs root."}


class TestVerdict:
    def failed(self, *, programs: bool = True) -> TestResult:
        return TestResult("a", Outcome.FAILED, starts_programs=programs)

    def test_a_test_that_failed_twice_is_red(self) -> None:
        job = JobResult("j", 1, tests=(self.failed(),))
        outcomes = {"a": [Outcome.PASSED, Outcome.FAILED]}
        assert judge([job], outcomes, {}, frozenset()).is_red

    def test_no_test_of_a_job_that_crashed_or_hung_is_repeated(self) -> None:
        for status in (-9, TIMED_OUT, NO_TEST):
            job = JobResult("j", status, tests=(self.failed(),), unfinished=("b",))
            assert runs_again(job) == []

    def test_unit_tests_are_never_repeated(self) -> None:
        assert runs_again(JobResult("j", 1, tests=(self.failed(programs=False),))) == []

    def test_a_job_that_fails_without_a_failed_test_is_red(self) -> None:
        passed = TestResult("a", Outcome.PASSED)
        assert judge([JobResult("j", 3, tests=(passed,))], {}, {}, frozenset()).is_red


def test_the_report_adds_up_the_times_of_the_tests_of_each_file() -> None:
    seconds = {"a.py::x": 2.0, "b.py::x": 3.0, "a.py::T::y": 2.5, "BusTests.A/b()": 9.0}
    tests = tuple(TestResult(name, Outcome.PASSED, each) for name, each in seconds.items())
    assert report.slowest_files([JobResult("j", 0, tests=tests)]).split() == [
        *("4.5", "s", "a.py", "3.0", "s", "b.py")
    ]


def test_a_failure_keeps_the_last_lines_of_each_log() -> None:
    log = "\n".join(f"line {number}" for number in range(50))
    text = shorten(f"Expected a mute\n== presence-a\n{log}\n== gateway-a\nstarted\n")
    assert text.startswith("Expected a mute\n== presence-a\nline 44\n")
    assert text.endswith("== gateway-a\nstarted")
