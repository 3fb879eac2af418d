"""Every operation through the command line of the published interface."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ControlAPI.house import House, Key

AWS = Path(sys.executable).parent / "aws"


@pytest.fixture(scope="module")
def aws(house: House, key: Key) -> Any:
    environment = house.environment | {
        "AWS_ACCESS_KEY_ID": key.access_key_id,
        "AWS_SECRET_ACCESS_KEY": key.secret_access_key,
        "AWS_DEFAULT_REGION": "us-east-1",
    }

    def run(*words: str, fails_with: str | None = None) -> Any:
        command = [
            sys.executable,
            str(AWS),
            "chime-sdk-meetings",
            *words,
            "--endpoint-url",
            house.url,
        ]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if fails_with is not None:
            assert done.returncode != 0 and f"({fails_with})" in done.stderr, done
            return done.stderr
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout.strip() else None

    return run


def test_the_command_line_can_call_every_operation(aws: Any, token: str) -> None:
    new = ("--media-region", "us-east-1", "--external-meeting-id", "standup")
    meeting = aws("create-meeting", "--client-request-token", token, *new)["Meeting"]
    place = ("--meeting-id", meeting["MeetingId"])
    assert aws("get-meeting", *place)["Meeting"] == meeting
    ada = aws("create-attendee", *place, "--external-user-id", "ada")["Attendee"]
    who = (*place, "--attendee-id", ada["AttendeeId"])
    assert aws("get-attendee", *who)["Attendee"] == ada
    batch = aws("batch-create-attendee", *place, "--attendees", "ExternalUserId=ben")
    assert [attendee["ExternalUserId"] for attendee in batch["Attendees"]] == ["ben"]
    page = aws("list-attendees", *place, "--max-results", "1")
    assert page["Attendees"] == [ada]
    rest = aws("list-attendees", *place, "--next-token", page["NextToken"])
    assert rest["Attendees"] == batch["Attendees"]
    quiet = "Audio=Receive,Video=Receive,Content=Receive"
    changed = aws("update-attendee-capabilities", *who, "--capabilities", quiet)["Attendee"]
    assert changed["Capabilities"]["Audio"] == "Receive"
    excluded = ("--excluded-attendee-ids", f"AttendeeId={ada['AttendeeId']}")
    quiet_too = (*excluded, "--capabilities", quiet)
    assert aws("batch-update-attendee-capabilities-except", *place, *quiet_too) is None
    english = "EngineTranscribeSettings={LanguageCode=en-US}"
    assert (
        aws("start-meeting-transcription", *place, "--transcription-configuration", english) is None
    )
    assert aws("stop-meeting-transcription", *place) is None
    arn = ("--resource-arn", meeting["MeetingArn"])
    assert aws("tag-resource", *arn, "--tags", "Key=team,Value=blue") is None
    assert aws("list-tags-for-resource", *arn)["Tags"] == [{"Key": "team", "Value": "blue"}]
    assert aws("untag-resource", *arn, "--tag-keys", "team") is None
    assert aws("delete-attendee", *who) is None
    assert aws("delete-meeting", *place) is None
    aws("get-meeting", *place, fails_with="NotFoundException")


def test_the_command_line_creates_a_meeting_with_attendees(aws: Any, token: str) -> None:
    made = aws(
        "create-meeting-with-attendees",
        *("--client-request-token", token, "--media-region", "us-east-1"),
        *("--external-meeting-id", "standup", "--attendees", "ExternalUserId=ada"),
    )
    assert [attendee["ExternalUserId"] for attendee in made["Attendees"]] == ["ada"]
    aws("delete-meeting", "--meeting-id", made["Meeting"]["MeetingId"])


def test_the_command_line_prints_the_names_of_errors(aws: Any) -> None:
    nobody = "arn:aws:chime:us-east-1:000000000000:meeting/00000000-0000-4000-8000-000000000000"
    arn = ("list-tags-for-resource", "--resource-arn")
    aws(*arn, nobody, fails_with="ResourceNotFoundException")
    aws("get-meeting", "--meeting-id", "x", fails_with="BadRequestException")
