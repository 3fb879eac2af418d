#!/usr/bin/env python3
"""Writes the pages of docs/reference from the built programs and proto/.

    Scripts/reference.py            writes the pages
    Scripts/reference.py --check    fails when a page differs from what the script would write

Build first. The script starts its own installation in a temporary directory and reads its metrics
and limits.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
BINARIES = Path(os.environ.get("CARILLON_BINARIES", ROOT / ".build" / "debug"))
CARILLON = BINARIES / "carillon"
PAGES = ROOT / "docs" / "reference"
COMMON = ROOT / "proto" / "carillon" / "v1" / "common.proto"
FACADE = ROOT / "Clients/Swift/Sources/CarillonClientCore/Session/MeetingSessionStatus.swift"
NOTE = "<!-- Written by Scripts/reference.py; change the program or proto/ instead. -->\n"
# Ten times the time that the steps need on two idle cores. This limit only keeps the script from
# waiting forever after a fault.
PATIENCE_SECONDS = 120.0
EVERYWHERE = frozenset({"help", "output", "runtime-dir", "version"})
"""Options that most commands have; the page describes them once."""


# Text


def cell(text: str) -> str:
    """Escapes a text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def table(head: list[str], rows: list[list[str]]) -> str:
    """Returns a Markdown table. Cells are not escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def page(title: str, introduction: str, *parts: str) -> str:
    """Returns a page with a title, the note about its origin, an introduction and other parts."""
    return "\n".join([f"# {title}\n", NOTE, f"{introduction}\n", *parts])


# Commands


def flag_name(argument: dict[str, Any]) -> str:
    """Returns an argument as written on a command line."""
    value = f"<{argument['valueName']}>"
    if argument["kind"] == "positional":
        return value
    names = argument.get("names", [argument["preferredName"]])
    name = ", ".join(f"--{each['name']}" for each in names if len(each["name"]) > 1)
    return name if argument["kind"] == "flag" else f"{name} {value}"


def meaning(argument: dict[str, Any]) -> str:
    """Returns the meaning of an argument, its values, its default and whether it is required."""
    parts = [argument.get("abstract", ""), argument.get("discussion", "")]
    if argument["kind"] == "option" and not argument["isOptional"]:
        parts.append("Required.")
    if values := argument.get("allValues"):
        parts.append(f"One of {', '.join(values)}.")
    if default := argument.get("defaultValue"):
        parts.append(f"Default: {default}.")
    return cell(" ".join(filter(None, parts)))


def command_part(command: dict[str, Any], words: list[str]) -> str:
    """Returns the section of one command: its description and a table of its own arguments."""
    own = [
        argument
        for argument in command.get("arguments", [])
        if argument["shouldDisplay"] and argument["valueName"] not in EVERYWHERE
    ]
    parts = [f"## `{' '.join(words)}`\n", cell(command.get("abstract", "")) + "\n"]
    if discussion := command.get("discussion"):
        parts.append(cell(discussion) + "\n")
    if own:
        rows = [[f"`{flag_name(each)}`", meaning(each)] for each in own]
        parts.append(table(["argument", "meaning"], rows))
    return "\n".join(parts)


def command_parts(command: dict[str, Any], above: list[str]) -> Iterator[str]:
    """Yields the sections of all commands without subcommands, in the order of `--help`."""
    words = [*above, command["commandName"]]
    below = [each for each in command.get("subcommands", []) if each["shouldDisplay"]]
    if not below:
        yield command_part(command, words)
    for each in below:
        if each["commandName"] != "help":
            yield from command_parts(each, words)


def commands_page() -> str:
    """Returns the page of all commands of `carillon`."""
    tree = json.loads(run(CARILLON, "--experimental-dump-help"))["command"]
    introduction = (
        "This page lists every command of `carillon`, with the text of `carillon help COMMAND`.\n"
        "Every command has the options `--help` and `--version`. Commands that connect to an\n"
        "installation also have `--runtime-dir`, the directory of the installation's Unix\n"
        "sockets. Commands that print results also have `--output`: `text`, or `json` for one\n"
        "JSON object on each line."
    )
    return page("Commands", introduction, cell(tree["discussion"]) + "\n", *command_parts(tree, []))


# Settings


def settings_page() -> str:
    """Returns the page of all flags of all services."""
    title, _, rest = run(CARILLON, "config", "doc").partition("\n")
    return f"{title}\n\n{NOTE}\n{rest.lstrip()}"


# Status codes and limits


def declaration(kind: str, name: str, proto: str) -> str:
    """Returns the body of an enum, or of a message without nested declarations."""
    found = re.search(rf"^{kind} {name} \{{\n(.*?)^\}}", proto, re.MULTILINE | re.DOTALL)
    if found is None:
        sys.exit(f"reference.py: {COMMON.name} has no {kind} {name}")
    return found[1]


def fields(body: str) -> Iterator[tuple[str, int, str]]:
    """Yields name, number and comment of each field. The comment is after or above the field."""
    above: list[str] = []
    for line in body.splitlines():
        text = line.strip()
        if text.startswith("//"):
            above.append(text.removeprefix("//").strip())
        elif found := re.match(r"(?:\w+ )?(\w+) = (\d+);\s*(?://\s*(.*))?$", text):
            yield found[1], int(found[2]), " ".join([*above, found[3] or ""]).strip()
            above = []


def enum_table(name: str, prefix: str, proto: str) -> str:
    """Returns a table of an enum's cases, without `UNSPECIFIED`. Each case needs a comment."""
    cases = [
        entry
        for entry in fields(declaration("enum", name, proto))
        if not entry[0].endswith("_UNSPECIFIED")
    ]
    if bare := [case for case, _, comment in cases if not comment]:
        sys.exit(f"reference.py: {', '.join(bare)} in {COMMON.name} needs a comment")
    rows = [
        [f"`{case.removeprefix(prefix)}`", str(number), cell(comment)]
        for case, number, comment in cases
    ]
    return table(["name", "number", "meaning"], rows)


def session_table(swift: str) -> str:
    """Returns a table of `MeetingSessionStatusCode`. Each case has one comment line above it."""
    cases = re.findall(r"(?:/// (.+)\n)?  case (\w+) = (\d+)$", swift, re.MULTILINE)
    if bare := [name for comment, name, _ in cases if not comment]:
        sys.exit(f"reference.py: {', '.join(bare)} in {FACADE.name} needs a comment above it")
    rows = [[number, f"`{name}`", cell(comment)] for comment, name, number in cases]
    return table(["number", "name", "meaning"], rows)


def status_page() -> str:
    """Returns the page of the enums in a `Status`."""
    proto = COMMON.read_text(encoding="utf-8")
    return page(
        "Status codes",
        "A failed call and an ended session each have a `Status` (`common.proto`). A `Status` has\n"
        "a code, a message for a person, and a session status. If one code has several causes\n"
        "that programs must distinguish, the `Status` also has a reason.",
        "## Codes\n",
        enum_table("StatusCode", "STATUS_CODE_", proto),
        "## Session statuses\n",
        "These are the values of the facade's `MeetingSessionStatusCode`. The contract uses the\n"
        "same numbers.\n",
        session_table(FACADE.read_text(encoding="utf-8")),
        "## Reasons\n",
        enum_table("StatusReason", "STATUS_REASON_", proto),
    )


def limits_page(values: dict[str, int]) -> str:
    """Returns the page of the limits that clients can query, with their defaults."""
    body = declaration("message", "Limits", COMMON.read_text(encoding="utf-8"))
    rows = [
        [f"`{name}`", f"{values[name]:,}", cell(comment)]
        for name, _, comment in fields(body)
        if name in values
    ]
    return page(
        "Limits in force",
        "Clients get these limits from `GetLimits`, and `carillon limits` shows them. The table\n"
        "has the values of an installation without settings. [Limits](../limits.md) says what\n"
        "happens beyond each limit.",
        table(["limit", "default", "meaning"], rows),
    )


# Metrics


def families(text: str) -> dict[str, tuple[str, str]]:
    """Returns each metric's type and help by name, from the Prometheus text format."""
    helps = dict(re.findall(r"^# HELP (\S+) (.*)$", text, re.MULTILINE))
    types = re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE)
    return {name: (kind, helps.get(name, "")) for name, kind in types}


def group(name: str) -> str:
    """Returns the service of a metric, derived from its name."""
    services = {"gateway", "media", "messaging", "pocketsphinx", "presence", "transcription"}
    word = name.removeprefix("carillon_").split("_")[0]
    if name.startswith("carillon_video_tiles_"):
        return "video-tiles"
    return word if name.startswith("carillon_") and word in services else "every service"


def metrics_page(text: str) -> str:
    """Returns the page of all metrics, by service."""
    known = families(text)
    parts = []
    for service in sorted({group(name) for name in known}):
        own = sorted(name for name in known if group(name) == service)
        rows = [[f"`{name}`", known[name][0], cell(known[name][1])] for name in own]
        parts += [f"## {service}\n", table(["metric", "type", "meaning"], rows)]
    return page(
        "Metrics",
        "`carillon metrics` prints these metrics for an installation. Each series has the label\n"
        "`instance`. [Monitor](../operating/monitor.md) says how Prometheus reads the metrics.",
        *parts,
    )


# A running installation


def run(*command: str | Path, **environment: str) -> str:
    """Runs a program and returns its output. `CARILLON_*` variables are not inherited."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("CARILLON_")}
    done = subprocess.run(
        list(map(str, command)),
        env=plain | environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    if done.returncode != 0:
        sys.exit(f"reference.py: {' '.join(map(str, command))} failed.\n{done.stdout}{done.stderr}")
    return done.stdout


@contextmanager
def installation() -> Iterator[tuple[dict[str, str], str]]:
    """Starts all services. Yields the variables that point commands to them, and REST's URL."""
    with tempfile.TemporaryDirectory(prefix="c-") as name:
        places = {"CARILLON_RUNTIME_DIR": f"{name}/run", "CARILLON_DATA_DIR": f"{name}/data"}
        plain = {k: v for k, v in os.environ.items() if not k.startswith("CARILLON_")}
        command = ["setpriv", "--pdeathsig", "KILL", str(CARILLON), "up", "--rest-port", "0"]
        log = Path(name) / "log"
        with log.open("wb") as output:
            up = subprocess.Popen(
                command, env=plain | places, stdout=subprocess.PIPE, stderr=output, text=True
            )
        try:
            assert up.stdout is not None
            ready = re.match(r"ready rest=(\S+)", up.stdout.readline())
            if not ready:
                sys.exit(f"reference.py: the services do not start.\n{log.read_text()}")
            yield places, ready[1]
        finally:
            up.send_signal(signal.SIGINT)
            up.wait(PATIENCE_SECONDS)


def eventually(what: str, ask: Callable[[], str | None]) -> str:
    """Calls `ask` until it returns an answer."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if answer := ask():
            return answer
        time.sleep(0.2)
    sys.exit(f"reference.py: {what} did not happen.")


def measured() -> tuple[str, dict[str, int]]:
    """Returns the metrics and the limits of an installation in which a meeting took place."""
    with installation() as (places, rest):
        # Some metrics exist only after the engine has attached and `carillon doctor` has run a
        # meeting.
        def with_engine() -> str | None:
            text = run(CARILLON, "metrics", **places)
            attached = re.search(r"^carillon_pocketsphinx_attachments\S* [1-9]", text, re.MULTILINE)
            return text if attached else None

        eventually("an engine that attaches", with_engine)
        run(CARILLON, "doctor", **places)
        # The gateway counts refused requests too.
        with suppress(HTTPError), urlopen(f"{rest}/meetings/none"):
            pass
        limits = json.loads(run(CARILLON, "limits", "--output", "json", **places))
        return run(CARILLON, "metrics", **places), limits


def pages() -> dict[str, str]:
    """Returns every page by its name."""
    metrics, limits = measured()
    return {
        "commands.md": commands_page(),
        "limits.md": limits_page(limits),
        "metrics.md": metrics_page(metrics),
        "settings.md": settings_page(),
        "status-codes.md": status_page(),
    }


def stale(made: dict[str, str], folder: Path) -> list[str]:
    """Returns the names of stale pages, missing pages and pages that nothing writes."""
    kept = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))


def main() -> int:
    """Writes or checks the reference pages."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    made = pages()
    found = stale(made, PAGES)
    if options.check:
        for name in found:
            print(f"docs/reference/{name} is stale; build, and run Scripts/reference.py.")
        return 1 if found else 0
    PAGES.mkdir(exist_ok=True)
    for name, text in made.items():
        (PAGES / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
