"""Writes live captions to a file, such as a WebVTT file: caption_bot.py REST_URL MEETING_ID FILE"""

import asyncio
import sys
from pathlib import Path

import carillon


async def main(url: str, meeting_id: str, file: str) -> None:
    control = carillon.ControlClient(url)
    meeting = await control.get_meeting(meeting_id)
    attendee = await control.create_attendee(meeting, "caption-bot")
    options = carillon.SessionOptions(is_muted=True)
    writer = carillon.captions.CaptionWriter(Path(file).suffix.lstrip("."))
    with Path(file).open("w", encoding="utf-8") as captions:
        captions.write(writer.header)
        async with carillon.join(meeting, attendee, options) as session:
            results = session.transcripts.results()
            await control.start_transcription(meeting, language_code="en-US")
            async for result in results:
                captions.write(writer.feed(result))
                captions.flush()


asyncio.run(main(*sys.argv[1:]))
