"""A callable as an engine, attached to a scripted transcription service."""

from __future__ import annotations

import array
import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import zmq
import zmq.asyncio
from google.protobuf.message import Message

from carillon.engine import (
    Alternative,
    EngineOptions,
    Recognition,
    Speech,
    Word,
    endpoints_in,
    serve,
)
from carillon.engine.answers import engine_words, recognitions
from carillon.frames import method_key, pack_frame, split_frame
from carillon.v1 import common_pb2 as common, rpc_pb2 as rpc, transcription_pb2 as pb
from eventually import due

ATTACH = method_key("carillon.v1.TranscriptionEngine/Attach")
REPORT = method_key("carillon.v1.TranscriptionEngine/Report")


class ScriptedTranscription:
    """A transcription service for tests, with its own socket for engines."""

    def __init__(self, directory: Path) -> None:
        self.endpoint = f"ipc://{directory}/transcription-a.engines.sock"
        self.attached: asyncio.Queue[pb.AttachEngineRequest] = asyncio.Queue()
        self.reports: asyncio.Queue[pb.ReportResultsRequest] = asyncio.Queue()
        self.refuses = False
        self.most_bytes = 0
        self.dropped = 0
        """The number of results that the server drops as late from the next report."""
        self.judge: Callable[[pb.ReportResultsRequest], common.Status | None] = lambda report: None
        """Returns the status with which the server rejects a report, or `None`."""
        self._stream = (b"", 0)
        self._socket: zmq.asyncio.Socket = zmq.asyncio.Context.instance().socket(zmq.ROUTER)
        self._socket.linger = 0
        self._socket.bind(self.endpoint)

    async def run(self) -> None:
        while True:
            route, frame = await self._socket.recv_multipart()
            packed, body = split_frame(frame)
            header = rpc.RequestHeader.FromString(packed)
            if header.kind == rpc.REQUEST_KIND_CANCEL:
                continue
            if header.method == ATTACH:
                self._stream = (route, header.call_id)
                attached = pb.EngineAttached(report_seconds=1, max_result_bytes=self.most_bytes)
                await self.send(pb.EngineItem(attached=attached))
                self.attached.put_nowait(pb.AttachEngineRequest.FromString(body))
            elif header.method == REPORT:
                report = pb.ReportResultsRequest.FromString(body)
                refused = self.judge(report)
                if self.refuses:
                    refused = common.Status(code=common.STATUS_CODE_NOT_FOUND)
                reply = rpc.ReplyHeader(
                    call_id=header.call_id, kind=rpc.REPLY_KIND_REPLY, status=refused
                )
                dropped, self.dropped = self.dropped, 0
                await self._answer(route, reply, pb.ReportResultsReply(dropped_results=dropped))
                self.refuses = False
                if refused is None:
                    self.reports.put_nowait(report)

    async def _answer(
        self, route: bytes, header: rpc.ReplyHeader, reply: Message | None = None
    ) -> None:
        body = b"" if reply is None else reply.SerializeToString()
        await self._socket.send_multipart([route, pack_frame(header, body)])

    async def send(self, item: pb.EngineItem, *raw: bytes) -> None:
        route, call = self._stream
        header = rpc.ReplyHeader(call_id=call, kind=rpc.REPLY_KIND_ITEM, raw_count=len(raw))
        await self._socket.send_multipart(
            [route, pack_frame(header, item.SerializeToString()), *raw]
        )

    async def end(self) -> None:
        route, call = self._stream
        await self._answer(route, rpc.ReplyHeader(call_id=call, kind=rpc.REPLY_KIND_END))

    async def say(self, stream: str, first: int, seconds: float, *, is_end: bool = False) -> None:
        samples = int(seconds * 16_000)
        audio = pb.EngineAudio(
            stream_id=stream, first_sample=first, samples=samples, is_end_of_utterance=is_end
        )
        await self.send(pb.EngineItem(audio=audio), array.array("h", [7] * samples).tobytes())

    async def results(self, count: int) -> tuple[list[pb.EngineResult], int]:
        """Waits for `count` results, and returns them with the credit of their reports."""
        results: list[pb.EngineResult] = []
        credit = 0
        while len(results) < count:
            report = await self.reports.get()
            results += report.results
            credit += report.credit
        return results, credit

    def close(self) -> None:
        self._socket.close()


@asynccontextmanager
async def served(
    directory: Path, recognize: Any, **settings: Any
) -> AsyncIterator[ScriptedTranscription]:
    transcription = ScriptedTranscription(directory)
    tasks = [
        asyncio.create_task(transcription.run()),
        asyncio.create_task(serve(recognize, name="test", runtime_directory=directory, **settings)),
    ]
    try:
        yield transcription
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        transcription.close()


def started(stream: str = "s", **fields: Any) -> pb.EngineItem:
    return pb.EngineItem(stream_started=pb.EngineStreamStarted(stream_id=stream, **fields))


async def test_an_engine_recognizes_an_utterance(socket_directory: Path) -> None:
    heard: list[Speech] = []

    def recognize(speech: Speech) -> str:
        heard.append(speech)
        return "hello world."

    async with served(socket_directory, recognize, languages=["en-US", "de-DE"]) as transcription:
        request = await transcription.attached.get()
        assert request.capabilities.name == "test"
        assert [each.language_code for each in request.capabilities.languages] == ["en-US", "de-DE"]
        assert not request.capabilities.has_partials
        await transcription.send(started(language_code="de-DE", phrases=["Carillon"]))
        await transcription.say("s", 1_000, 0.5)
        # The gap in the sample numbers represents a second of dropped speech.
        await transcription.say("s", 25_000, 0.5, is_end=True)
        (result,), credit = await transcription.results(1)
        assert credit == 2
        assert heard[0].seconds == 1.0 and heard[0].language == "de-DE" and heard[0].is_final
        assert heard[0].phrases == ("Carillon",)
        assert heard[0].floats()[0] == 7 / 32_768
        assert result.is_final and result.utterance == 1
        assert (result.start_sample, result.end_sample) == (1_000, 33_000)
        words = result.alternatives[0].words
        assert [word.content for word in words] == ["hello", "world", "."]
        assert words[0].start_sample == 1_000
        assert words[2].type == pb.TRANSCRIPT_ITEM_TYPE_PUNCTUATION
        places = [word.start_sample for word in words]
        assert places == sorted(places)


async def test_partial_results_arrive_during_speech(socket_directory: Path) -> None:
    def recognize(speech: Speech) -> list[Word]:
        count = int(speech.seconds)
        return [Word(f"w{number}", number, number + 1, 0.5) for number in range(count)]

    async with served(socket_directory, recognize, partial_seconds=1.0) as transcription:
        await transcription.attached.get()
        await transcription.send(started(wants_partials=True))
        for number in range(3):
            await transcription.say("s", number * 16_000, 1.0, is_end=number == 2)
        results, _ = await transcription.results(3)
        assert [result.is_final for result in results] == [False, False, True]
        assert {result.utterance for result in results} == {1}
        assert len(results[2].alternatives[0].words) == 3
        assert results[2].alternatives[0].words[0].confidence == 0.5
        await transcription.say("s", 48_000, 1.0, is_end=True)
        (result,), _ = await transcription.results(1)
        assert result.utterance == 2


async def test_the_end_of_a_stream_makes_its_utterance_final(socket_directory: Path) -> None:
    async with served(socket_directory, lambda speech: None) as transcription:
        await transcription.attached.get()
        await transcription.send(started())
        await transcription.say("s", 0, 0.1)
        ended = pb.EngineStreamEnded(stream_id="s")
        await transcription.send(pb.EngineItem(stream_ended=ended))
        (result,), _ = await transcription.results(1)
        assert result.is_final and not result.alternatives


@pytest.mark.parametrize(
    ("error", "told"), [(ValueError("no model"), "ValueError"), (StopIteration(), "RuntimeError")]
)
async def test_a_failing_recognizer_ends_the_stream_of_its_talker(
    socket_directory: Path, error: Exception, told: str
) -> None:
    def recognize(speech: Speech) -> str:
        raise error

    async with served(socket_directory, recognize) as transcription:
        await transcription.attached.get()
        await transcription.send(started())
        await transcription.say("s", 0, 0.1, is_end=True)
        while not (failures := (await transcription.reports.get()).failures):
            pass
        assert [(each.stream_id, each.message) for each in failures] == [("s", told)]


async def test_an_idle_engine_sends_reports_and_attaches_again_after_its_attachment_ended(
    socket_directory: Path,
) -> None:
    async with served(socket_directory, lambda speech: "") as transcription:
        await transcription.attached.get()
        await transcription.reports.get()
        await transcription.reports.get()
        await transcription.end()
        await transcription.attached.get()
        transcription.refuses = True
        await transcription.attached.get()


async def test_an_engine_attaches_again_at_once_if_its_attachment_ends_right_after_an_answer(
    socket_directory: Path,
) -> None:
    """In one turn of the event loop, the engine reads an answer and the end of its attachment. The
    engine attaches again immediately, not after ten seconds."""
    async with served(socket_directory, lambda speech: "") as transcription:
        await transcription.attached.get()
        await transcription.reports.get()
        await transcription.end()
        async with due("the engine to attach again", 5):
            await transcription.attached.get()


async def test_a_slow_recognizer_delays_the_return_of_credit(socket_directory: Path) -> None:
    loop = asyncio.get_running_loop()
    goes_on = asyncio.Event()

    def recognize(speech: Speech) -> str:
        asyncio.run_coroutine_threadsafe(goes_on.wait(), loop).result()
        return "done"

    async with served(socket_directory, recognize) as transcription:
        await transcription.attached.get()
        await transcription.send(started())
        for number in range(5):
            await transcription.say("s", number * 1_600, 0.1, is_end=number == 1)
        credit = 0
        while credit < 2:
            credit += (await transcription.reports.get()).credit
        # The next two keep-alives of the engine return no credit.
        for _ in range(2):
            credit += (await transcription.reports.get()).credit
        assert credit == 2
        goes_on.set()
        while credit < 5:
            credit += (await transcription.reports.get()).credit


def test_the_results_of_recognizers_become_recognitions() -> None:
    assert recognitions(None, 1) == [Recognition([])]
    assert recognitions("", 1) == [Recognition([])]
    assert recognitions([], 1) == [Recognition([])]
    word = Word("a", 0, 1)
    assert recognitions([word], 1) == [Recognition([Alternative([word])])]
    several = [Recognition([]), Recognition([], translated_from="en-US")]
    assert recognitions(several, 1) == several
    (said,) = recognitions("one three", 2.0)
    assert [word.text for word in said.alternatives[0].words] == ["one", "three"]
    assert said.alternatives[0].words[1].end == pytest.approx(2.0)


def test_words_are_in_order_and_punctuation_is_separate() -> None:
    words = engine_words(
        [Word("then?!", 1, 2, float("nan")), Word(" first,", 0, 1, 3.0), Word("  ", 0.5, 0.5)],
        lambda seconds: int(seconds * 10),
    )
    assert [word.content for word in words] == ["first", ",", "then", "?", "!"]
    assert words[0].confidence == 1.0 and not words[2].HasField("confidence")
    assert [word.start_sample for word in words] == [0, 10, 10, 20, 20]


def test_the_engine_finds_the_instances_in_the_runtime_directory(tmp_path: Path) -> None:
    for name in ["b.engines.sock", "a.engines.sock", "a.rpc.sock"]:
        (tmp_path / name).touch()
    assert endpoints_in(tmp_path) == [f"ipc://{tmp_path}/{n}.engines.sock" for n in "ab"]


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"name": "my engine"}, "name must be 1-64"),
        ({"name": ""}, "name must be 1-64"),
        ({"name": "x" * 65}, "name must be 1-64"),
        ({"name": "a", "engine_id": "a/b"}, "engine_id must be 1-64"),
        ({"name": "a", "languages": "en-US"}, "languages must be a list"),
        ({"name": "a", "languages": []}, "languages must be one or more"),
        ({"name": "a", "languages": ["english language"]}, "languages must be a list of codes"),
        ({"name": "a", "languages": ["en-US"] * 201}, "languages must be 200 at most"),
        ({"name": "a", "translates_to": ["?"]}, "translates_to must be a list"),
        ({"name": "a", "version": "\u00fc" * 129}, "version must be 256 bytes"),
        ({"name": "a", "max_streams": 0}, "max_streams must be 1-1000; it is 0"),
        ({"name": "a", "max_streams": 1_001}, "max_streams must be 1-1000"),
        ({"name": "a", "workers": 0}, "workers must be 1 or more"),
        ({"name": "a", "partial_seconds": 0.0}, "partial_seconds must be more than 0"),
    ],
)
async def test_invalid_settings_are_refused_at_once(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        await serve(lambda speech: "", **settings)


def test_a_process_keeps_its_engine_id_and_the_id_is_a_valid_name() -> None:
    request = EngineOptions("x" * 64).request()
    assert re.fullmatch(r"x{55}-[0-9a-f]{8}", request.engine_id)
    mine = EngineOptions("mine").request().engine_id
    assert re.fullmatch(r"mine-[0-9a-f]{8}", mine)
    assert EngineOptions("mine").request().engine_id == mine
    assert EngineOptions("mine", engine_id="one").request().engine_id == "one"


FIRST_PROCESS = """
import os
from carillon.engine.options import EngineOptions
print(os.getpid(), EngineOptions("mine").request().engine_id)
"""


async def test_the_first_processes_of_two_containers_have_different_engine_ids() -> None:
    """Each process has id 1 in its own PID namespace, as in a container."""
    namespace = ("unshare", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child")

    async def contained() -> tuple[str, str]:
        command = (*namespace, sys.executable, "-c", FIRST_PROCESS)
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        output, _ = await process.communicate()
        process_id, engine_id = output.decode().split()
        return process_id, engine_id

    (first, one), (second, other) = await contained(), await contained()
    assert first == second == "1"
    assert one != other


def test_a_forked_process_has_its_own_engine_id() -> None:
    own = EngineOptions("mine").request().engine_id
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        os.write(writer, EngineOptions("mine").request().engine_id.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as output:
        assert re.fullmatch(r"mine-[0-9a-f]{8}", forked := output.read())
    os.waitpid(child, 0)
    assert forked != own


async def test_a_wrong_flag_causes_an_error_in_the_shell() -> None:
    command = [sys.executable, "-m", "carillon.engine", "json:loads", "--name", "my engine"]
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    _, errors = await process.communicate()
    assert process.returncode == 2
    assert errors.decode().splitlines()[-1].endswith("; it is 'my engine'.")
