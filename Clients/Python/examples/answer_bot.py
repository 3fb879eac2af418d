"""Answers messages on the topic "chat" that begin with "!": answer_bot.py REST_URL MEETING_ID"""

import asyncio
import sys

import carillon


async def main(url: str, meeting_id: str) -> None:
    control = carillon.ControlClient(url)
    meeting = await control.get_meeting(meeting_id)
    attendee = await control.create_attendee(meeting, "answer-bot")
    async with carillon.join(meeting, attendee, carillon.SessionOptions(is_muted=True)) as session:
        async for message in session.messages("chat"):
            match message.text():
                case "!who":
                    names = [each.name for each in session.roster.values()]
                    answer = "Here are " + ", ".join(names)
                case "!hello":
                    answer = f"Hello, {message.sender.name}!"
                case _:
                    continue
            try:
                await session.send("chat", answer)
            except carillon.ThrottledError as error:
                await asyncio.sleep(error.retry_after_ms / 1000)


asyncio.run(main(*sys.argv[1:]))
