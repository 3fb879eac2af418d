"""Joins a meeting and prints who joins and leaves: roster_bot.py REST_URL MEETING_ID"""

import asyncio
import io
import sys

import carillon


async def main(url: str, meeting_id: str) -> None:
    control = carillon.ControlClient(url)
    meeting = await control.get_meeting(meeting_id)
    attendee = await control.create_attendee(meeting, "roster-bot")
    async with carillon.join(meeting, attendee, carillon.SessionOptions(is_muted=True)) as session:
        async for event in session.events():
            match event:
                case carillon.Joined(who):
                    print(who.name, "is here")
                case carillon.Left(who):
                    print(who.name, "left")
                case carillon.Dropped(who):
                    print(who.name, "was lost")
                case carillon.Ended(status):
                    print("The meeting is over:", status.session_status.name)


if isinstance(sys.stdout, io.TextIOWrapper):  # A terminal may lack characters of a name.
    sys.stdout.reconfigure(errors="backslashreplace")
asyncio.run(main(*sys.argv[1:]))
