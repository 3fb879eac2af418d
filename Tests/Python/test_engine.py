"""A callable as an engine, attached to a transcription that does what each test says."""

from __future__ import annotations

import array
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import zmq
import zmq.asyncio

from carillon.engine import Alternative, Recognition, Speech, Word, endpoints_in, serve
from carillon.engine.speech import engine_words, recognitions
from carillon.frames import method_key, pack_frame, split_frame
from carillon.v1 import common_pb2 as common, rpc_pb2 as rpc, transcription_pb2 as pb

ATTACH = method_key("carillon.v1.TranscriptionEngine/Attach")
REPORT = method_key("carillon.v1.TranscriptionEngine/Report")


class ScriptedTranscription:
    """Takes engines at a socket of its own."""

    def __init__(self, directory: Path) -> None:
        self.endpoint = f"ipc://{directory}/transcription-a.engines.sock"
        self.attached: asyncio.Queue[pb.AttachEngineRequest] = asyncio.Queue()
        self.reports: asyncio.Queue[pb.ReportResultsRequest] = asyncio.Queue()
        self.refuses = False
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
                await self.send(pb.EngineItem(attached=pb.EngineAttached(report_seconds=1)))
                self.attached.put_nowait(pb.AttachEngineRequest.FromString(body))
            elif header.method == REPORT:
                status = common.Status(code=common.STATUS_CODE_NOT_FOUND)
                await self._answer(
                    route,
                    rpc.ReplyHeader(
                        call_id=header.call_id,
                        kind=rpc.REPLY_KIND_REPLY,
                        status=status if self.refuses else None,
                    ),
                )
                self.refuses = False
                self.reports.put_nowait(pb.ReportResultsRequest.FromString(body))

    async def _answer(self, route: bytes, header: rpc.ReplyHeader, *raw: bytes) -> None:
        await self._socket.send_multipart([route, pack_frame(header), *raw])

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
        """So many results, and the credit that came with them."""
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


async def test_an_utterance_is_recognized(socket_directory: Path) -> None:
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
        # A second of speech was dropped here.
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


async def test_partial_results_come_while_somebody_speaks(socket_directory: Path) -> None:
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


async def test_a_stream_that_ends_makes_its_utterance_final(socket_directory: Path) -> None:
    async with served(socket_directory, lambda speech: None) as transcription:
        await transcription.attached.get()
        await transcription.send(started())
        await transcription.say("s", 0, 0.1)
        ended = pb.EngineStreamEnded(stream_id="s")
        await transcription.send(pb.EngineItem(stream_ended=ended))
        (result,), _ = await transcription.results(1)
        assert result.is_final and not result.alternatives


async def test_a_recognizer_that_fails_gives_the_talker_up(socket_directory: Path) -> None:
    def recognize(speech: Speech) -> str:
        raise ValueError("no model")

    async with served(socket_directory, recognize) as transcription:
        await transcription.attached.get()
        await transcription.send(started())
        await transcription.say("s", 0, 0.1, is_end=True)
        while not (failures := (await transcription.reports.get()).failures):
            pass
        assert [(each.stream_id, each.message) for each in failures] == [("s", "ValueError")]


async def test_it_reports_while_nothing_happens_and_attaches_again(socket_directory: Path) -> None:
    async with served(socket_directory, lambda speech: "") as transcription:
        await transcription.attached.get()
        await transcription.reports.get()
        await transcription.reports.get()
        await transcription.end()
        await transcription.attached.get()
        transcription.refuses = True
        await transcription.attached.get()


async def test_a_slow_recognizer_keeps_its_credit(socket_directory: Path) -> None:
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
        # Two words of life later there is no more.
        for _ in range(2):
            credit += (await transcription.reports.get()).credit
        assert credit == 2
        goes_on.set()
        while credit < 5:
            credit += (await transcription.reports.get()).credit


def test_what_recognizers_give_becomes_recognitions() -> None:
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


def test_words_come_in_order_and_signs_by_themselves() -> None:
    words = engine_words(
        [Word("then?!", 1, 2, float("nan")), Word(" first,", 0, 1, 3.0), Word("  ", 0.5, 0.5)],
        lambda seconds: int(seconds * 10),
    )
    assert [word.content for word in words] == ["first", ",", "then", "?", "!"]
    assert words[0].confidence == 1.0 and not words[2].HasField("confidence")
    assert [word.start_sample for word in words] == [0, 10, 10, 20, 20]


def test_instances_are_found_in_the_runtime_directory(tmp_path: Path) -> None:
    for name in ["b.engines.sock", "a.engines.sock", "a.rpc.sock"]:
        (tmp_path / name).touch()
    assert endpoints_in(tmp_path) == [f"ipc://{tmp_path}/{n}.engines.sock" for n in "ab"]
