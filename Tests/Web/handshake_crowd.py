"""A program of simulated browsers that all connect to media at once or begin endless handshakes.

The program reads lines of JSON. The first line lists the signaling URL and the join token of each
browser. Each later line is a command for the first N browsers: `{"prepare": N}` sends their offers,
`{"complete": N}` completes their handshakes at the same time, and `{"begin": N}` begins handshakes
that never end. After each line, the program writes a line of JSON. Real attackers have machines of
their own. This program shares a machine with media, so it runs only when no other program needs the
processor.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import sys
import time
from contextlib import AsyncExitStack, suppress
from itertools import count
from typing import Any

from aioice import stun
from aiortc import RTCCertificate
from aiortc.rtcdtlstransport import SRTP_PROFILES
from OpenSSL import SSL

from carillon.signaling import signaling_pb2 as wire
from Web.offers import offer
from Web.signaling_client import SignalingClient

PATIENCE = 40.0
"""The timeout of the commands `complete` and `begin`, in seconds."""
AT_ONCE = 50
"""The number of browsers that wait for an answer to their offers at the same time."""

_CERTIFICATE = RTCCertificate.generateCertificate()
_FINGERPRINT = next(
    each.value for each in _CERTIFICATE.getFingerprints() if each.algorithm == "sha-256"
)
_CONTEXT = _CERTIFICATE._create_ssl_context(SRTP_PROFILES)
_NUMBERS = count()


class Browser(asyncio.DatagramProtocol):
    """One simulated browser: its signaling, connectivity checks, and datagrams of a DTLS
    handshake."""

    def __init__(self, client: SignalingClient) -> None:
        self.is_proven = asyncio.Event()
        self.is_done = asyncio.Event()
        self._client = client
        self._transport: asyncio.DatagramTransport | None = None
        self._check, self._hello = b"", b""
        self._ssl: SSL.Connection | None = None

    async def join(self) -> None:
        """Joins the meeting."""
        join = wire.SdkJoinFrame(protocol_version=2, flags=2, audio_session_id=next(_NUMBERS) + 1)
        await self._client.send("JOIN", join=join)
        await self._client.next("JOIN_ACK")

    async def prepare(self) -> None:
        """Sends an offer, and prepares a connectivity check and the first flight of the
        handshake."""
        self.is_proven.clear()
        fragment = f"frag{next(_NUMBERS)}"
        text = offer(["0"]).replace("F7gI", fragment)
        text = re.sub("a=fingerprint:sha-256 .*\r", f"a=fingerprint:sha-256 {_FINGERPRINT}\r", text)
        audio = wire.SdkStreamDescriptor(
            stream_id=1, track_label="AmazonChimeExpressAudio", media_type=wire.AUDIO
        )
        subscription = wire.SdkSubscribeFrame(
            duplex="RX",
            send_streams=[audio],
            receive_stream_ids=[0],
            sdp_offer=text,
            audio_host="host",
            audio_checkin=False,
            audio_muted=True,
        )
        await self._client.send("SUBSCRIBE", sub=subscription)
        answer = (await self._client.next("SUBSCRIBE_ACK")).suback.sdp_answer
        found = {key: _value(answer, key) for key in ("ice-ufrag", "ice-pwd", "candidate")}
        self._check = _check(f"{found['ice-ufrag']}:{fragment}", found["ice-pwd"])
        parts = found["candidate"].split()
        if self._transport is None:
            transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
                lambda: self, remote_addr=(parts[4], int(parts[5]))
            )
            self._transport = transport
        self._ssl = SSL.Connection(_CONTEXT)
        self._ssl.set_connect_state()
        self._hello = self._step()

    def prove(self) -> None:
        """Sends the check, which nominates the address."""
        self._send(self._check)

    def begin(self) -> None:
        """Sends the first flight, and ignores the answer."""
        self._send(self._hello)
        self._ssl = None

    def complete(self) -> None:
        """Sends the check and the first flight, and answers later flights."""
        self.is_done.clear()
        self._send(self._check)
        self._send(self._hello)

    async def until_done(self) -> None:
        """Waits until the handshake is done. Every two seconds, repeats the check, and also repeats
        the first flight until media has answered this flight."""
        while not self.is_done.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(2):
                    await self.is_done.wait()
                    return
            self._send(self._check)
            if self._hello:
                self._send(self._hello)

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:
        if data[0] < 4:
            self.is_proven.set()
        elif 20 <= data[0] <= 63 and self._ssl is not None and not self.is_done.is_set():
            self._ssl.bio_write(data)
            flight = self._step()
            if flight:
                self._hello = b""
                self._send(flight)

    def error_received(self, exc: Exception) -> None:
        """Ignores errors: media may close its port."""

    def _step(self) -> bytes:
        assert self._ssl is not None
        with suppress(SSL.WantReadError):
            self._ssl.do_handshake()
            self.is_done.set()
            # The browser ends its connection immediately, so that media sends no mix.
            self._ssl.shutdown()
        try:
            return self._ssl.bio_read(1_500)
        except SSL.WantReadError:
            return b""

    def _send(self, datagram: bytes) -> None:
        assert self._transport is not None
        self._transport.sendto(datagram)


def _value(answer: str, key: str) -> str:
    found = re.search(rf"^a={key}:(.*)\r$", answer, re.MULTILINE)
    assert found is not None, answer
    return found[1]


def _check(username: str, password: str) -> bytes:
    message = stun.Message(message_method=stun.Method.BINDING, message_class=stun.Class.REQUEST)
    message.attributes["USERNAME"] = username
    message.attributes["PRIORITY"] = 1
    message.attributes["ICE-CONTROLLING"] = 7
    message.attributes["USE-CANDIDATE"] = None
    message.add_message_integrity(password.encode())
    return bytes(message)


async def join(lines: list[list[str]], stack: AsyncExitStack) -> list[Browser]:
    """Makes all browsers join their meetings."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def enter(url: str, token: str) -> Browser:
        async with gate:
            client = await stack.enter_async_context(SignalingClient(url, token))
            browser = Browser(client)
            await browser.join()
            return browser

    return await asyncio.gather(*(enter(url, token) for url, token in lines))


async def prepare(browsers: list[Browser]) -> dict[str, float]:
    """Sends the offers of these browsers."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def prepare_one(browser: Browser) -> None:
        async with gate:
            await browser.prepare()

    await asyncio.gather(*map(prepare_one, browsers))
    return {"prepared": len(browsers)}


async def complete(browsers: list[Browser]) -> dict[str, float]:
    """Completes the handshakes of prepared browsers at once."""
    started = time.time()
    for browser in browsers:
        browser.complete()
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(browser.until_done() for browser in browsers))
    return {"done": len(browsers), "seconds": time.time() - started}


async def begin(browsers: list[Browser]) -> dict[str, float]:
    """Begins handshakes that never end, after media has answered a check of each browser."""
    started = time.time()
    async with asyncio.timeout(PATIENCE):
        while waiting := [each for each in browsers if not each.is_proven.is_set()]:
            for browser in waiting:
                browser.prove()
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await asyncio.gather(*(each.is_proven.wait() for each in waiting))
    for browser in browsers:
        browser.begin()
    return {"begun": len(browsers), "seconds": time.time() - started}


COMMANDS = {"prepare": prepare, "complete": complete, "begin": begin}


async def main() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    loop = asyncio.get_running_loop()

    async def line() -> Any:
        text = await loop.run_in_executor(None, sys.stdin.readline)
        return json.loads(text) if text else None

    async with AsyncExitStack() as stack:
        browsers = await join(await line(), stack)
        print(json.dumps({"joined": len(browsers)}), flush=True)
        while (command := await line()) is not None:
            name, number = next(iter(command.items()))
            result = await COMMANDS[name](browsers[:number])
            print(json.dumps(result), flush=True)
    # The end of the process closes the UDP sockets. Media gets no message about this.


if __name__ == "__main__":
    asyncio.run(main())
