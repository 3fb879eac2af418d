"""`python -m carillon`: joins a meeting, and prints what happens as JSON, one object a line."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys

from carillon.captions.writing import CaptionFormat
from carillon.commands import camera, play, record, send, tail, transcripts, view, watch
from carillon.commands.printing import write, write_aside
from carillon.commands.reader import escape_what_cannot_be_shown
from carillon.describe import describe_status
from carillon.errors import CarillonError


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parses the command and its options. Exits the process on a usage error."""
    parser = argparse.ArgumentParser(prog="python -m carillon", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (watch, tail, transcripts, send, play, record, camera, view):
        command.add(commands)
    return parser.parse_args(arguments)


def main() -> int:
    """Runs a command and returns the exit status.

    If the command completes, the status is that of the command. Otherwise, the status is 1 if a
    call or the session failed, 2 if a file or a package cannot be used, and 130 after an interrupt.
    """
    escape_what_cannot_be_shown()
    arguments = parse()
    try:
        return int(asyncio.run(arguments.run(arguments)))
    except CarillonError as error:
        is_json = getattr(arguments, "format", CaptionFormat.JSON) is CaptionFormat.JSON
        tell = write if is_json else write_aside
        tell({"event": "failed"} | describe_status(error.status))
        return 1
    except (KeyboardInterrupt, asyncio.CancelledError):
        # The user stopped the program, so the program prints no error.
        return 130
    except (ImportError, OSError) as error:
        with contextlib.suppress(BrokenPipeError):
            print(f"python -m carillon: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
