"""Runs the programs and shell sessions of the documents against `carillon up`.

The tests replace only ports: port 8080 by the address that `carillon up` prints, and port 9000 by a
free port.
"""

from __future__ import annotations

import ast
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import wave
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import guide_differences
import pytest
from playwright.async_api import Route

import carillon
import documents
from carillon.control.signing import find_access_key
from eventually import eventually
from installation import BINARIES, free_port
from Web.browser import IMPORT, chromium, needs_chromium, new_page
from Web.test_bot import House, house

pytestmark = pytest.mark.seconds(300)

ROOT = documents.ROOT
ADDRESS = "http://127.0.0.1:8080"
SWIFT = "Clients/Swift/README.md"
PYTHON = "Clients/Python/README.md"
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PATIENCE = 90.0
# Sets the path of the programs, as the documents tell their readers to do once.
PROGRAMS = 'PATH="$PWD/.build/debug:$PATH"\n'


def environment(house: House) -> dict[str, str]:
    """Returns the environment of a user who uses the services of a house."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith("CARILLON_")}
    places = {
        "CARILLON_RUNTIME_DIR": str(house.run),
        "CARILLON_DATA_DIR": str(house.directory / "data"),
    }
    return plain | places | {"PYTHONUNBUFFERED": "1"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A reader's folder `carillon`, with links to this repository."""
    for name in (".build", ".venv", "Clients"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


@asynccontextmanager
async def running(
    command: list[str], house: House, folder: Path
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Runs a reader's program. The program and all its children are ended after the block."""
    process = await asyncio.create_subprocess_exec(
        # The program writes its output line by line, as on a terminal.
        *("setpriv", "--pdeathsig", "KILL", "stdbuf", "-oL", *command),
        cwd=folder,
        env=environment(house),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=PIPE,
        stderr=STDOUT,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        for member in members(process.pid):
            with suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)
        await process.wait()


def members(session: int) -> list[int]:
    """Returns the processes of a session: the leader, and all processes that the leader started
    (`proc(5)`)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = entry.read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                found.append(int(entry.parent.name))
    return found


async def line_with(process: asyncio.subprocess.Process, text: str) -> str:
    """Reads until a line contains a text and returns the line."""
    assert process.stdout is not None
    read = ""
    while line := (await process.stdout.readline()).decode():
        read += line
        if text in line:
            return line
    raise AssertionError(f"there was no “{text}” in:\n{read}")


async def shell(script: str, house: House, folder: Path) -> str:
    """Runs a shell session as in a terminal and returns its output."""
    printed = folder / "printed"
    # Background processes of the session would keep a pipe open.
    command = ["bash", "-euo", "pipefail", "-m", "-c", f"exec &> '{printed}'\n{script}"]
    async with running(command, house, folder) as process:
        code = await process.wait()
        assert code == 0, printed.read_text()
    return printed.read_text()


def last_command_of_make_up() -> str:
    command = ["make", "--no-print-directory", "--dry-run", "up"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()[-1]


def test_the_command_make_up_starts_the_services_that_these_tests_start() -> None:
    assert last_command_of_make_up() == ".build/debug/carillon up --with-bot"


async def test_the_documented_steps_lead_from_nothing_to_a_webhook(folder: Path) -> None:
    page = "docs/getting-started.md"
    first, *rest = (block.text for block in documents.blocks(page, "sh"))
    assert first.splitlines() == ["git clone REPOSITORY carillon", "cd carillon", "make up"]
    for name, text in documents.files(page, "python").items():
        (folder / name).write_text(text)
    async with house() as home:
        script = "\n".join(rest).replace(ADDRESS, home.ready["rest"])
        port = str(free_port())
        output = await shell(script.replace("9000", port), home, folder)
    assert "all well" in output
    assert "Here are: hello-bot\nada wrote: Hello, everybody\n" in output
    assert "MeetingEnded" in output


async def test_the_shell_session_of_the_readme_works(folder: Path) -> None:
    bot, tools = (
        block for block in documents.blocks("README.md", "sh") if "$meeting" in block.text
    )
    join, send, tail, doctor = tools.text.splitlines()
    async with house() as home:
        script = bot.text.replace(ADDRESS, home.ready["rest"]) + "wait\n"
        async with running(["bash", "-euc", script], home, folder) as process:
            await line_with(process, "roster-bot is here")
            meetings = await shell(f"{path_of(bot)}carillon meeting list", home, folder)
            meeting = meetings.splitlines()[-1].split()[0]
            known = f"{path_of(bot)}meeting={meeting}\n"
            async with running(["bash", "-euc", known + join], home, folder) as joined:
                await line_with(joined, " ada")
                await shell(known + send, home, folder)
                async with running(["bash", "-euc", known + tail], home, folder) as tailed:
                    await line_with(tailed, "Hello")
                    assert "all well" in await shell(known + doctor, home, folder)
                    await shell(known + "carillon meeting delete $meeting", home, folder)
                    await line_with(joined, "ended")
            await line_with(process, "The meeting is over")
            assert await process.wait() == 0


def path_of(block: documents.Block) -> str:
    """Returns the line that sets the path of the programs."""
    return block.text.splitlines(keepends=True)[0]


# Python


def python_programs() -> dict[str, str]:
    """Returns the complete programs of the Python client's README, by the names in their first
    lines.
    """
    texts = [block.text for block in documents.blocks(PYTHON, "python")]
    programs = [text for text in texts if "asyncio.run(main" in text]
    docs = [ast.get_docstring(ast.parse(text)) or "" for text in programs]
    return {
        doc.partition(": ")[2].split()[0]: text for doc, text in zip(docs, programs, strict=True)
    }


def test_every_python_block_is_valid_python() -> None:
    pages = ("README.md", "docs/getting-started.md", "docs/applications.md")
    for page in (*pages, PYTHON):
        for block in documents.blocks(page, "python"):
            compile(block.text, page, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def tone(path: Path) -> None:
    """Writes half a second of sound."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 48_000, 0, "NONE", ""))
        file.writeframes(b"".join(n.to_bytes(2, "little") for n in range(24_000)))


async def test_the_bots_of_the_python_client_work(folder: Path) -> None:
    programs = python_programs()
    assert set(programs) == {
        "roster_bot.py",
        "answer_bot.py",
        "player_recorder.py",
        "caption_bot.py",
    }
    for name, text in programs.items():
        (folder / name).write_text(text)
    tone(folder / "played.wav")
    async with house() as home, host(home) as (control, meeting, session):
        words = [sys.executable, home.ready["rest"], meeting.meeting_id]

        def bot(name: str, *more: str) -> list[str]:
            return [words[0], name, *words[1:], *more]

        async with (
            running(bot("roster_bot.py"), home, folder) as roster,
            running(bot("answer_bot.py"), home, folder) as answer,
            running(bot("caption_bot.py", "captions.vtt"), home, folder) as caption,
        ):
            await line_with(roster, "host is here")
            await line_with(roster, "answer-bot is here")
            messages = session.messages("chat")
            await session.send("chat", "!hello")
            assert (await anext(messages)).text() == "Hello, host!"
            played = bot("player_recorder.py", "played.wav", "recorded.wav")
            async with running(played, home, folder) as player:
                output, _ = await player.communicate()
                assert player.returncode == 0, output.decode()
            with wave.open(str(folder / "recorded.wav")) as recorded:
                assert recorded.getframerate() == 48_000
            captions = folder / "captions.vtt"
            await eventually("captions to begin", captions.exists, PATIENCE)
            await control.delete_meeting(meeting)
            await line_with(roster, "The meeting is over")
            assert await roster.wait() == 0
            await asyncio.gather(answer.wait(), caption.wait())
            assert captions.read_text().startswith("WEBVTT\n")


async def test_the_shell_sessions_of_the_python_client_work(folder: Path) -> None:
    (folder / "environment").symlink_to(".venv")
    start, talk = (
        block.text for block in documents.blocks(PYTHON, "sh") if "MEETING_ID" in block.text
    )
    tail, send = talk.splitlines(keepends=True)
    async with house() as home, host(home) as (_, meeting, _):

        def filled(text: str) -> str:
            known = text.replace(ADDRESS, home.ready["rest"])
            return PROGRAMS + known.replace("MEETING_ID", meeting.meeting_id)

        answering = start.replace("roster_bot", "answer_bot")
        async with (
            running(["bash", "-euc", filled(start)], home, folder) as roster,
            running(["bash", "-euc", filled(answering)], home, folder),
            running(["bash", "-euc", filled(tail)], home, folder) as tailed,
        ):
            await line_with(roster, "answer-bot is here")
            await shell(filled(send), home, folder)
            await line_with(tailed, "Hello, ada!")


async def test_the_documented_commands_of_the_python_client_work(folder: Path) -> None:
    (usage,) = (
        block.text for block in documents.blocks(PYTHON, "sh") if "python -m carillon" in block.text
    )
    first, *others = usage.splitlines()
    common = first.partition("watch ")[2].partition(" [")[0]
    lines = [first, *(line.replace("…", common) for line in others)]
    tone(folder / "played.wav")
    # An event that each command prints at its end. Nobody sends video, so `view` views nothing.
    last = {"watch": "ended", "tail": "ended", "transcripts": "ended", "send": "accepted"}
    last |= {"play": "played", "record": "recorded", "camera": "shown", "view": "ended"}
    async with house() as home, host(home) as (control, meeting, _):
        attendee = await control.create_attendee(meeting, "shell")
        (folder / "token").write_text(attendee.join_token)
        values = {
            "--gateway URL": f"--gateway {meeting.gateway_url}",
            "--meeting ID": f"--meeting {meeting.meeting_id}",
            "--attendee ID": f"--attendee {attendee.attendee_id}",
            "--token-file FILE": "--token-file token",
            "[--seconds N]": "--seconds 1",
            "TOPIC": "chat",
            "[TEXT]": "Hello",
        }
        for line in lines:
            name = line.split()[3]
            command = line.replace("python ", f"{sys.executable} ", 1)
            for placeholder, value in values.items():
                command = command.replace(placeholder, value)
            file = "played.wav" if name == "play" else "heard.wav"
            command = re.sub(r"\[[^]]*\]…?", "", command).replace("FILE", file)
            output = await shell(command, home, folder)
            assert f'"event": "{last[name]}"' in output, (name, output)


async def test_the_application_of_the_documents_works(folder: Path) -> None:
    """Follows docs/applications.md with the environment of `make up`, as that page permits."""
    page = "docs/applications.md"
    (folder / "environment").symlink_to(".venv")
    for name, text in documents.files(page, "python").items():
        (folder / name).write_text(text)
    _, make_key, export, create, say, call, add, receive, again = (
        block.text for block in documents.blocks(page, "sh")
    )
    (shown,) = (
        block.text for block in documents.blocks(page, "") if "MeetingStarted" in block.text
    )
    port = str(free_port())
    async with house() as home:
        made = await shell(PROGRAMS + make_key.removeprefix("sudo -u carillon "), home, folder)
        for word in ("access_key_id", "secret_access_key"):
            (value,) = re.findall(rf"{word}\s+(\S+)", made)
            export = export.replace("…", value, 1)

        def filled(text: str) -> str:
            return export + text.replace(ADDRESS, home.ready["rest"]).replace("9000", port)

        await shell(filled(create), home, folder)
        async with running(["bash", "-euc", filled(say)], home, folder) as said:
            await line_with(said, "my-bot wrote: Hello from my bot")
        assert "standup" in await shell(filled(call), home, folder)
        (secret,) = re.findall(
            r'"Secret": ?"(whsec_[^"]+)"', await shell(filled(add), home, folder)
        )
        receiving = filled(receive).replace("whsec_…", secret)
        async with running(["bash", "-euc", receiving], home, folder) as receiver:
            program = folder / "create.py"
            program.write_text(program.read_text().replace("standup-1", "standup-2"))
            async with running(["bash", "-euc", filled(again)], home, folder):
                for line in shown.splitlines():
                    await line_with(receiver, line)


@asynccontextmanager
async def host(
    home: House,
) -> AsyncIterator[tuple[carillon.ControlClient, carillon.Meeting, carillon.Session]]:
    """Creates a meeting in a house and joins the meeting."""
    url = home.ready["rest"]
    control = carillon.ControlClient(url, access_key=find_access_key(url, environment(home)))
    meeting = await control.create_meeting("documented")
    attendee = await control.create_attendee(meeting, "host")
    async with carillon.join(meeting, attendee) as session:
        yield control, meeting, session


# Swift


def swift_program(folder: Path) -> Path:
    """Compiles the program of the Swift client's README against the modules built last.

    `swift run` would build all of Carillon again. `carillon` also uses the client, so the program
    is linked with the objects of `carillon`, except those of its main module.
    """
    sources = documents.files(SWIFT, "swift")
    assert sorted(sources) == ["Guest.swift", "Lobby.swift", "Package.swift", "main.swift"]
    for name, text in sources.items():
        if name != "Package.swift":
            (folder / name).write_text(text)
    listed = (BINARIES / "carillon.product/Objects.LinkFileList").read_text().splitlines()
    objects = [line for line in listed if "/carillon.build/" not in line]
    (folder / "objects").write_text("\n".join(objects))
    flags = guide_differences.compiler_flags()
    flags[flags.index("-swift-version") + 1] = "6"
    program = folder / "hello-meeting"
    command = ["swiftc", *flags, *map(str, sorted(folder.glob("*.swift")))]
    command += [f"@{folder / 'objects'}", "-lstdc++", "-o", str(program)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return program


def test_the_package_of_the_swift_program_names_a_product_that_exists(tmp_path: Path) -> None:
    (tmp_path / "hello-meeting").mkdir()
    manifest = documents.files(SWIFT, "swift")["Package.swift"]
    (tmp_path / "hello-meeting/Package.swift").write_text(manifest)
    command = ["swift", "package", "dump-package"]
    dumps = [
        json.loads(subprocess.run(command, cwd=where, check=True, capture_output=True).stdout)
        for where in (tmp_path / "hello-meeting", ROOT)
    ]
    (target,) = dumps[0]["targets"]
    (dependency,) = target["dependencies"]
    assert dependency["product"][0] in {product["name"] for product in dumps[1]["products"]}


# The declarations around each fragment, by a text that only this fragment contains. The fragment
# itself is compiled as written.
FRAGMENTS = {
    "let session = DefaultMeetingSession(": (
        "configuration: MeetingSessionConfiguration, observer: any RealtimeObserver"
    ),
    "promoteToPrimaryMeeting": (
        "session: any MeetingSession, guest: MeetingSessionConfiguration, "
        "observer: any PrimaryMeetingPromotionObserver"
    ),
    "TestPatternSource": "session: any MeetingSession, view: any VideoRenderView",
    "H264Recorder": "session: DefaultMeetingSession",
}


def swift_fragments() -> list[str]:
    """Returns the Swift blocks that are no files of a program, from the documents for users."""
    pages = ["README.md", SWIFT, *(str(each.relative_to(ROOT)) for each in DOCS)]
    found = [block for page in pages for block in documents.blocks(page, "swift")]
    files = documents.files(SWIFT, "swift").values()
    return [block.text for block in found if block.text not in files]


def test_every_swift_fragment_of_the_documents_compiles() -> None:
    fragments = swift_fragments()
    assert len(fragments) == len(FRAGMENTS)
    code = "import CarillonClient\nimport Foundation\n"
    for word, parameters in FRAGMENTS.items():
        (fragment,) = (text for text in fragments if word in text)
        code += f"@MainActor\nfunc fragment({parameters}) throws {{\n{fragment}}}\n"
    flags = guide_differences.compiler_flags()
    flags[flags.index("-swift-version") + 1] = "6"
    compiles, complaints = guide_differences.compile_code(code, flags)
    assert compiles, complaints


async def test_the_swift_program_of_the_documents_works(folder: Path) -> None:
    program = str(swift_program(folder))
    sessions = [block.text for block in documents.blocks(SWIFT, "sh")]
    ada, ben = sessions[-1].splitlines()
    assert ada == f"swift run hello-meeting {ADDRESS} tea Ada"
    async with house() as home:
        words = [[program, home.ready["rest"], *line.split()[4:]] for line in (ada, ben)]
        async with running(words[0], home, folder) as first:
            heard = [await line_with(first, "Ada is high")]
            async with running(words[1], home, folder) as second:
                heard += [await line_with(first, "Ben is high")]
                await line_with(second, "Ada is high")
                second.send_signal(signal.SIGINT)
                assert await second.wait() == 0
            heard += [await line_with(first, "Ben left")]
            first.send_signal(signal.SIGINT)
            heard += [await line_with(first, "over: ok")]
            assert await first.wait() == 0
    shown = next(block.text for block in documents.blocks(SWIFT, "") if "over: ok" in block.text)
    assert [line for line in shown.splitlines(keepends=True) if line in heard] == heard
    with wave.open(str(folder / "Ada-heard.wav")) as recorded:
        assert any(recorded.readframes(recorded.getnframes()))


# The web


async def test_the_checks_of_the_web_client_readme_work() -> None:
    """Runs the documented checks. pytest only collects its tests, and make only shows a command,
    because both would take too long."""
    (session,) = (block.text for block in documents.blocks("Clients/Web/README.md", "sh"))
    types, units, tests, page_tests, pictures = session.splitlines()
    collect = tests.replace("-q", "-q --collect-only")
    shown = [line.replace("make", "make --dry-run", 1) for line in (page_tests, pictures)]
    for line in (types, units, collect, *shown):
        done = await asyncio.to_thread(
            subprocess.run, ["bash", "-c", line], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


@needs_chromium
async def test_the_programs_of_the_web_client_readme_work() -> None:
    program, devices = (block.text for block in documents.blocks("Clients/Web/README.md", "js"))
    # The second program uses the configuration that the first program made.
    choosing = program.partition("const { audioVideo }")[0] + devices
    choosing += "console.log('chosen', audioVideo.audioDevices !== null);"
    programs = {"documented": program, "choosing": choosing}
    async with house() as home, chromium() as browser:
        page = await new_page(browser)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))

        async def serve(route: Route) -> None:
            name = route.request.url.rpartition("/")[2].removesuffix(".js")
            await route.fulfill(content_type="text/javascript", body=programs[name])

        # Pages run only scripts from the gateway's origin, so the gateway must serve the programs.
        for name in programs:
            await page.route(f"**/{name}.js", serve)
        await page.goto(home.ready["rest"] + "/operator")
        await page.evaluate(IMPORT, home.ready["rest"] + "/documented.js")
        await eventually("the session", lambda: "in the meeting false" in said or None, PATIENCE)
        entry = {"Meeting": "tea", "Name": "Ben", "Create": False}
        answer = await home.call("POST", "/carillon/v1/web/join", entry)
        assert answer["Meeting"]["ExternalMeetingId"] == "tea"
        await reads_good_morning(answer)
        await page.evaluate(IMPORT, home.ready["rest"] + "/choosing.js")
        await eventually("a microphone", lambda: "chosen true" in said or None, PATIENCE)


async def reads_good_morning(answer: dict[str, dict[str, str]]) -> None:
    """Checks that an attendee who joins later reads the page's message."""
    async with carillon.join(answer["Meeting"], answer["Attendee"]) as session:
        message = await anext(session.messages("chat"))
        assert (message.sender.name, message.text()) == ("Ada", "Good morning")
