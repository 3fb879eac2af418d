"""Live transcription of real speech between real processes."""

from __future__ import annotations

import asyncio
import re
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest

from carillon import (
    ControlError,
    Reconnected,
    Reconnecting,
    SessionOptions,
    TranscriptionStatusType,
)
from carillon.engine import EngineCounters, EngineOptions, Speech, Word, answers, serve
from eventually import eventually
from installation import BINARIES, Installation
from spoken import MEETING, PLAN, REPORT, word_error_rate, words
from test_end_to_end import LiveMeeting
from test_programs import line_of, program
from transcript_listener import Hearing, TranscriptListener, hearing

STARTED = TranscriptionStatusType.STARTED
STOPPED = TranscriptionStatusType.STOPPED
GERMAN = "guten Tag zusammen"

pytestmark = [
    pytest.mark.skipif(
        not (BINARIES / "carillon-pocketsphinx").exists(),
        reason=f"{BINARIES / 'carillon-pocketsphinx'} is not built",
    ),
    pytest.mark.seconds(120),
]


@asynccontextmanager
async def german_engine(installation: Installation) -> AsyncIterator[list[Speech]]:
    """Runs an engine that always recognizes the same German words; yields the received speech."""
    given: list[Speech] = []

    def recognize(speech: Speech) -> str:
        given.append(speech)
        return GERMAN

    serving = asyncio.create_task(
        serve(recognize, name="german", languages=["de-DE"], runtime_directory=installation.run)
    )
    try:
        yield given
    finally:
        serving.cancel()
        await asyncio.wait([serving])


async def test_transcripts_with_speakers_arrive_during_speech() -> None:
    async with hearing() as scene:
        listener = scene.listener
        await listener.becomes(STARTED)
        # The engine sends no partial results in a talker's first two seconds, so the first result
        # of a short sentence may already be final. The second sentence starts after these two
        # seconds.
        await scene.say_until_heard(MEETING)
        mark = len(listener.results)
        await scene.say_until_heard(PLAN)
        since = listener.results[mark:]
        partial = {each.result_id for each in since if each.is_partial}
        final = next(each for each in since if not each.is_partial and each.result_id in partial)
        revisions = [each for each in listener.results if each.result_id == final.result_id]
        assert [each for each in revisions if not each.is_partial] == [final]
        assert revisions[-1] == final
        assert {each.speakers for each in revisions} == {(scene.speaker,)}
        assert final.start_time_ms < final.end_time_ms and final.language_code == "en-US"


async def test_the_control_plane_starts_and_stops_transcription_even_for_replicas() -> None:
    async with hearing() as scene:
        control, primary = scene.live.installation.control, scene.live.meeting
        replica = await control.create_meeting("audience", primary_meeting_id=primary.meeting_id)
        with pytest.raises(ControlError) as refused:
            await control.start_transcription(replica, language_code="en-US")
        assert refused.value.http_status == 422
        audience = LiveMeeting(scene.live.installation, replica)
        async with audience._sessions:
            eve = TranscriptListener(
                (await audience.enter("eve", SessionOptions(is_muted=True))).session
            )
            listeners = (scene.listener, eve)
            for listener in listeners:
                await listener.becomes(STARTED)
            await scene.say_until_heard(MEETING)
            await eve.hears_end(MEETING, scene.speaker, 0)
            await control.stop_transcription(primary)
            for listener in listeners:
                await listener.becomes(STARTED, STOPPED)
            assert eve.repeated == []


async def test_in_transcripts_a_promoted_attendee_has_the_id_from_the_primary() -> None:
    async with hearing() as scene:
        installation, primary = scene.live.installation, scene.live.meeting
        replica = await installation.control.create_meeting(
            "audience", primary_meeting_id=primary.meeting_id
        )
        audience = LiveMeeting(installation, replica)
        async with audience._sessions:
            eve = await audience.enter("eve")
            await scene.listener.becomes(STARTED)
            # Transcription ignores Eve's speech before her promotion.
            on_stage = replace(scene, ada=eve)
            await on_stage.say(PLAN)
            guest = await eve.session.promote(await scene.live.create("guest"))
            assert on_stage.speaker == guest
            await on_stage.say_until_heard(MEETING)
            assert {each.speakers for each in scene.listener.results} == {(guest,)}


async def test_a_callable_is_an_engine_and_readers_of_another_language_get_no_results() -> None:
    async with hearing("de-DE", has_engine=False) as scene:
        reader = await scene.live.enter(
            "eve", SessionOptions(is_muted=True, transcript_language="en-US")
        )
        eve = TranscriptListener(reader.session)
        async with german_engine(scene.live.installation) as given:
            await scene.listener.becomes(STARTED)
            await scene.say(MEETING)
            await scene.listener.until(lambda: scene.listener.says(GERMAN, "de-DE"))
            await scene.live.installation.control.stop_transcription(scene.live.meeting)
            for listener in (scene.listener, eve):
                await listener.becomes(STARTED, STOPPED)
        finals = scene.listener.finals
        assert {(each.language_code, each.speakers) for each in finals} == {
            ("de-DE", (scene.speaker,))
        }
        assert eve.results == []
        assert given and {speech.language for speech in given} == {"de-DE"}
        assert sum(speech.seconds for speech in given) > 1


@pytest.mark.parametrize("is_checked", [True, False])
async def test_a_bad_answer_loses_its_own_utterance_and_interrupts_nothing(
    is_checked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package or the transcription service detects the bad answer."""
    if not is_checked:
        monkeypatch.setattr(answers, "_check_word", lambda word, number: None)
    counters = EngineCounters()
    given: list[Speech] = []

    def recognize(speech: Speech) -> list[Word]:
        given.append(speech)
        text = GERMAN if len(given) > 1 else "guten\nTag"
        return [Word(text, 0, speech.seconds)]

    async with hearing("de-DE", has_engine=False) as scene:
        options = EngineOptions("german", ["de-DE"])
        directory = scene.live.installation.run
        serving = asyncio.create_task(
            serve(recognize, options, runtime_directory=directory, counters=counters)
        )
        await scene.listener.becomes(STARTED)
        await scene.say(MEETING)
        await eventually("the first answer", lambda: given or None)
        await scene.say(PLAN)
        await scene.listener.until(lambda: scene.listener.says(GERMAN, "de-DE"))
        assert scene.listener.statuses == [STARTED]
        assert counters.refused + counters.dropped == 1 and counters.failures == 0
        assert {each.text for each in scene.listener.finals if each.text} == {GERMAN}
        serving.cancel()
        await asyncio.wait([serving])


async def test_another_engine_gets_the_speech_in_another_language() -> None:
    async with hearing() as scene, german_engine(scene.live.installation) as given:
        listener, transcripts = scene.listener, scene.ada.session.transcripts
        await listener.becomes(STARTED)
        await scene.say_until_heard(MEETING)
        await transcripts.set_languages(spoken="de-DE")
        await scene.say(PLAN)
        await listener.until(lambda: listener.says(GERMAN, "de-DE"))
        await transcripts.set_languages(spoken="en-US")
        await scene.say_until_heard(REPORT)
        for final in listener.finals:
            assert final.language_code == ("de-DE" if final.text == GERMAN else "en-US")
        assert {speech.language for speech in given} == {"de-DE"}
        assert listener.statuses == [STARTED]


async def test_a_gateway_killed_in_mid_sentence_causes_no_duplicate() -> None:
    async with hearing() as scene:
        listener, gateway = scene.listener, scene.live.installation.gateway
        await listener.becomes(STARTED)
        await scene.say_until_heard(PLAN)
        told, mark = len(listener.results), len(listener.finals)
        saying = asyncio.create_task(scene.say(MEETING))
        await listener.until(lambda: len(listener.results) > told)
        await gateway.kill()
        await scene.bea.hears(Reconnecting)
        await gateway.start()
        await scene.bea.hears(Reconnected)
        resumed = next(each for each in scene.bea.heard if isinstance(each, Reconnected))
        assert resumed.has_all_transcripts
        await saying
        await listener.until(lambda: len(listener.finals) > mark)
        await scene.say_until_heard(REPORT)
        assert listener.statuses == [STARTED]


async def test_transcription_continues_after_the_service_is_killed() -> None:
    async with hearing() as scene:
        listener, transcription = scene.listener, scene.live.installation.transcription
        await listener.becomes(STARTED)
        await scene.say_until_heard(MEETING)
        await transcription.kill()
        await transcription.start()
        await scene.say_until_heard(REPORT)
        assert not {STOPPED, TranscriptionStatusType.FAILED} & set(listener.statuses)


TIME = r"(\d\d+):([0-5]\d):([0-5]\d)\.(\d{3})"
CUE = rf"{TIME} --> {TIME}\n<v ada>((?:[^<>\n]+\n)+)\n"


def cues(vtt: str) -> list[tuple[int, int, str]]:
    """Returns the start and end of each cue in milliseconds, and Ada's words in the cue."""
    assert re.fullmatch(rf"WEBVTT\n\n(?:{CUE})*", vtt)

    def time(*parts: str) -> int:
        hours, minutes, seconds, ms = map(int, parts)
        return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms

    return [(time(*cue[:4]), time(*cue[4:8]), cue[8]) for cue in re.findall(CUE, vtt)]


async def say_until_written(scene: Hearing, process: Process, written: str, sentence: str) -> str:
    """Repeats a sentence until the last cues that a program prints match the sentence.

    Returns the program's whole output.
    """
    assert process.stdout is not None
    count = len(words(sentence))
    for _ in range(4):
        await scene.say(sentence)
        with suppress(TimeoutError):
            async with asyncio.timeout(12):
                while True:
                    written += (await process.stdout.readuntil(b"\n\n")).decode()
                    text = " ".join(cue[2] for cue in cues(written))
                    if word_error_rate(" ".join(words(text)[-count:]), sentence) <= 0.4:
                        return written
    raise TimeoutError(f"Written was {written}")


async def test_a_command_in_the_shell_writes_captions_of_real_speech() -> None:
    async with hearing() as scene:
        await scene.listener.becomes(STARTED)
        flags = await scene.live.flags("captions")
        command = ["-m", "carillon", "transcripts", "--meeting", scene.live.meeting.meeting_id]
        async with program(*command, *flags, "--format", "vtt", stderr=PIPE) as process:
            assert (await line_of(process.stderr))["event"] == "started"
            written = ""
            for sentence in (MEETING, PLAN):
                written = await say_until_written(scene, process, written, sentence)
            process.send_signal(signal.SIGTERM)
            # The program closes both outputs, and does not wait for their readers.
            rest, _ = await process.communicate()
            shown = cues(written + rest.decode())
            assert process.returncode == 0
    assert shown[0][0] == 0 and all(start < end for start, end, _ in shown)
    assert [start for start, _, _ in shown] == sorted(start for start, _, _ in shown)
