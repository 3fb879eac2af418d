"""The scripts that write and check documents, run on samples."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import check_docs
import check_links
import pytest
import reference

ENUM = """
// Why.
enum StatusReason {
  STATUS_REASON_UNSPECIFIED = 0;
  STATUS_REASON_FLOODING = 2;  // It sent | too much.
  // Above it,
  // in two lines.
  STATUS_REASON_BARRED = 19;
}
message Limits {
  uint32 max_attendees = 1;  // Present at once.
  uint32 request_burst = 17;
}
"""
METRICS = """# HELP carillon_video_tiles_meetings Meetings that are known.
# TYPE carillon_video_tiles_meetings gauge
carillon_video_tiles_meetings{instance="video-tiles-a"} 3
# TYPE process_open_fds gauge
"""


class TestReference:
    def test_an_enum_becomes_a_table_without_its_unspecified_case(self) -> None:
        assert reference.enum_table("StatusReason", "STATUS_REASON_", ENUM) == (
            "| name | number | meaning |\n| --- | --- | --- |\n"
            "| `FLOODING` | 2 | It sent \\| too much. |\n"
            "| `BARRED` | 19 | Above it, in two lines. |\n"
        )

    def test_a_case_without_a_meaning_is_refused(self) -> None:
        bare = ENUM.replace("  // It sent | too much.", "")
        with pytest.raises(SystemExit, match=r"STATUS_REASON_FLOODING in common\.proto needs"):
            reference.enum_table("StatusReason", "STATUS_REASON_", bare)
        with pytest.raises(SystemExit, match=r"left in MeetingSessionStatus\.swift needs"):
            reference.session_table("  /// It ended.\n  case ended = 6\n\n  case left = 1\n")

    def test_every_status_and_reason_has_a_meaning(self) -> None:
        assert "|  |" not in reference.status_page()

    def test_the_reader_finds_the_fields_and_comments_of_a_message(self) -> None:
        found = list(reference.fields(reference.declaration("message", "Limits", ENUM)))
        assert found == [("max_attendees", 1, "Present at once."), ("request_burst", 17, "")]

    def test_a_missing_declaration_is_reported(self) -> None:
        with pytest.raises(SystemExit, match="no enum Colour"):
            reference.declaration("enum", "Colour", ENUM)

    def test_the_reader_finds_the_types_and_help_of_metrics(self) -> None:
        assert reference.families(METRICS) == {
            "carillon_video_tiles_meetings": ("gauge", "Meetings that are known."),
            "process_open_fds": ("gauge", ""),
        }

    @pytest.mark.parametrize(
        ("name", "service"),
        [
            ("carillon_video_tiles_meetings", "video-tiles"),
            ("carillon_gateway_sessions", "gateway"),
            ("carillon_build_info", "every service"),
            ("process_open_fds", "every service"),
        ],
    )
    def test_a_metric_belongs_to_the_service_in_its_name(self, name: str, service: str) -> None:
        assert reference.group(name) == service

    def test_only_commands_without_subcommands_have_a_section(self) -> None:
        flag = {"kind": "flag", "shouldDisplay": True, "valueName": "off", "abstract": "Lift it."}
        flag["preferredName"] = {"name": "off"}
        leaf = {
            "commandName": "mute",
            "shouldDisplay": True,
            "abstract": "Mutes.",
            "arguments": [flag],
        }
        tree = {"commandName": "carillon", "subcommands": [leaf]}
        (part,) = reference.command_parts(tree, [])
        table = "| argument | meaning |\n| --- | --- |\n| `--off` | Lift it. |\n"
        assert part == f"## `carillon mute`\n\nMutes.\n\n{table}"

    def test_differing_pages_and_missing_pages_and_left_over_pages_are_stale(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "a.md").write_text("as it should be")
        (tmp_path / "b.md").write_text("edited")
        (tmp_path / "d.md").write_text("left over")
        made = {"a.md": "as it should be", "b.md": "written", "c.md": "new"}
        assert reference.stale(made, tmp_path) == ["b.md", "c.md", "d.md"]


class TestLinks:
    @pytest.fixture(autouse=True)
    def repository(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(check_links, "ROOT", tmp_path)
        check_links.anchors.cache_clear()

    @staticmethod
    def problems(folder: Path, text: str, name: str = "page.md") -> list[str]:
        (folder / "other.md").write_text("# A `word`, and more\n\n## Twice\n\n## Twice\n")
        (folder / "docs").mkdir()
        page = folder / name
        page.write_text(text)
        return list(check_links.problems(page))

    def test_links_to_files_headings_and_other_hosts_are_permitted(self, tmp_path: Path) -> None:
        text = (
            "# Page\n[a](other.md) [b](other.md#a-word-and-more) [c](#page) [d](docs)"
            " [`e`](other.md#twice-1) [f](https://example.org/gone)\n"
        )
        assert self.problems(tmp_path, text) == []

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("[a](gone.md)", "page.md:1: there is no gone.md"),
            ("\n[a](other.md#gone)", "page.md:2: other.md has no heading #gone"),
            ("[`a`](#gone)", "page.md:1: page.md has no heading #gone"),
            ("![a](docs/gone.png)", "page.md:1: there is no docs/gone.png"),
            ("see `docs/gone.md`", "page.md:1: there is no docs/gone.md"),
        ],
    )
    def test_a_broken_link_is_reported_with_its_line(
        self, tmp_path: Path, text: str, problem: str
    ) -> None:
        assert self.problems(tmp_path, text) == [problem]

    def test_code_blocks_and_patterns_are_ignored(self, tmp_path: Path) -> None:
        text = "```\n[a](gone.md)\n```\n`docs/*.md`, `[a](gone.md)`, `docs/…/a.md`\n"
        assert self.problems(tmp_path, text) == []

    def test_the_changelog_may_name_deleted_files(self, tmp_path: Path) -> None:
        assert self.problems(tmp_path, "`docs/gone.md`", "CHANGELOG.md") == []


@pytest.mark.parametrize(
    ("text", "status"), [("Behaviour that nobody wonders at.", 0), ("It recieves a mesage.", 65)]
)
def test_a_misspelt_word_is_reported(tmp_path: Path, text: str, status: int) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    script = Path(check_docs.__file__).with_name("check_spelling.py")
    command = [sys.executable, str(script), str(page)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == status, done.stdout + done.stderr
    assert ("recieves ==> receives" in done.stdout) == (status != 0)


def test_every_check_of_documents_runs_and_one_failure_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    checks = [("/bin/false",), ("/usr/bin/touch", str(ran))]
    monkeypatch.setattr(check_docs, "DOCUMENT_CHECKS", checks)
    assert not check_docs.documents_are_right()
    assert ran.exists()
    monkeypatch.setattr(check_docs, "DOCUMENT_CHECKS", checks[1:])
    assert check_docs.documents_are_right()


def test_the_map_of_layers_contains_every_library() -> None:
    """C modules need no row of their own: they are in the row of the module that imports them."""
    layers = (check_links.ROOT / "ARCHITECTURE.md").read_text().partition("\n## The layers\n")[2]
    folders = (path.name for path in (check_links.ROOT / "Shared").iterdir() if path.is_dir())
    libraries = sorted(name for name in folders if not re.match("C[A-Z]", name))
    assert [name for name in libraries if f"`{name}`" not in layers.replace("Shared/", "")] == []


TESTS = check_links.ROOT / "Tests"


def names_in(text: str) -> set[str]:
    """Returns names of tests, test files and suites in a text, and quoted sentences that may be
    names."""
    codes = re.findall(r"`([^`]+)`", text) + re.findall(r"[\"“]([^\"”]+)[\"”]", text)
    sentences = [" ".join(code.split()) for code in codes if len(code.split()) > 3]
    named = [each for each in sentences if re.fullmatch(r"[a-z][\w' ,:;.-]+", each)]
    return {*named, *re.findall(r"\btest_\w*\w(?=`|\.py)|\b\w+Tests\b", text)}


def test_the_reader_finds_the_names_of_tests_in_a_text() -> None:
    text = '| a | `test_a`, `test_1_…`, `b.py`; SeatTests, "a seat is free again, at once", "no" |'
    assert names_in(text) == {"test_a", "SeatTests", "a seat is free again, at once"}


@pytest.mark.parametrize("page", ["browser-face", "control-api", "guarantees", "replica-guide"])
def test_every_test_named_in_a_document_exists(page: str) -> None:
    paths = [path for kind in ("py", "swift", "js") for path in TESTS.rglob(f"*.{kind}")]
    known = {part for path in paths for part in (*path.parent.parts, path.stem)}
    sources = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    named = names_in((check_links.ROOT / "docs" / f"{page}.md").read_text())
    assert named
    assert sorted(name for name in named if name not in known and name not in sources) == []


def test_the_readme_is_short_and_shows_its_picture_early() -> None:
    lines = (check_links.ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 200
    assert any(line.startswith("![") for line in lines[:12])
    assert (check_links.ROOT / "docs" / "meeting.png").stat().st_size <= 150_000
