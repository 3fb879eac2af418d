"""The curl sessions of the page about REST work as written.

The tests replace only the gateway's address and the placeholder for the file of the lobby's key.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import documents
from ControlAPI.guests import get
from ControlAPI.house import House, Key, running

ADDRESS = "http://127.0.0.1:8080"


def sessions(word: str) -> list[str]:
    """Returns the shell sessions of the page that contain a word."""
    return [each.text for each in documents.blocks("proto/REST.md", "sh") if word in each.text]


def run(house: House, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a session as a reader's terminal does, but ends at the first error."""
    script = script.replace(ADDRESS, house.url)
    command = ["bash", "-euo", "pipefail", "-c", script]
    environment = house.environment | variables
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_every_curl_session_is_run_by_a_test_of_this_file() -> None:
    assert len(sessions("curl")) == len(sessions("signed")) + len(sessions("web/join"))


def test_an_application_makes_a_host_token_and_acts_as_a_host(house: House, key: Key) -> None:
    (script,) = sessions("signed")
    done = run(
        house,
        script,
        AWS_ACCESS_KEY_ID=key.access_key_id,
        AWS_SECRET_ACCESS_KEY=key.secret_access_key,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout) == {"Knocks": []}
    ended = [each["ExternalMeetingId"] for each in get(house, key, "meetings")["Meetings"]]
    assert "talk" not in ended


def test_a_request_to_an_open_lobby_starts_a_meeting() -> None:
    script, _ = sessions("web/join")
    with running(CARILLON_WEB_LOBBY="open") as house:
        check_start(run(house, script))


def test_a_request_with_the_key_of_the_lobby_starts_a_meeting(tmp_path: Path) -> None:
    without_key, with_key = sessions("web/join")
    file = str(tmp_path / "lobby.key")
    with running(CARILLON_WEB_LOBBY="key", CARILLON_WEB_LOBBY_KEY_FILE=file) as house:
        refused = run(house, without_key)
        assert refused.returncode != 0
        assert "enter the key of this server" in json.loads(refused.stdout)["Message"]
        check_start(run(house, with_key.replace("LOBBY_KEY_FILE", file)))


def check_start(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stdout + done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    assert answer["Meeting"]["ExternalMeetingId"] == "tea"
    assert answer["Attendee"]["JoinToken"] and answer["HostToken"]
