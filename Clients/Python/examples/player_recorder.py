"""Plays a file and records the others: player_recorder.py REST_URL MEETING_ID PLAYED RECORDED"""

import asyncio
import sys

import carillon


async def main(url: str, meeting_id: str, played: str, recorded: str) -> None:
    control = carillon.ControlClient(url)
    meeting = await control.get_meeting(meeting_id)
    attendee = await control.create_attendee(meeting, "player-recorder")
    async with carillon.join(meeting, attendee) as session:
        recording = asyncio.create_task(carillon.media.record(session, recorded))
        await carillon.media.play(session, played)
        await session.leave()
        print(ascii(await recording))


asyncio.run(main(*sys.argv[1:]))
