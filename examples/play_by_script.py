"""A whole game at the terminal, played by a script that takes every hint; prints the transcript.

    python examples/play_by_script.py --board 6x6 --fleet 3,2,2 --seed 1
    python examples/play_by_script.py naval-bombardment --opponent random-salvo --seed 1

The arguments are those of `battleship-ai play`. Needs pexpect.
"""

import os
import re
import signal
import sys
from typing import TextIO

import pexpect

PROMPT = r"Your (?:shot|salvo)[^\n]*: $"
LIKELIEST = re.compile(r"Likeliest: (.*?)\s\(", re.DOTALL)
SQUARE = re.compile(r"([a-zA-Z]\d+)\s+\d+%")


def start(arguments: list[str], transcript: TextIO, **more: object) -> pexpect.spawn:
    """The program at a terminal of its own, without colours."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "battleship_ai.cli", "play", *arguments],
        encoding="utf-8",
        env={**os.environ, "TERM": "dumb"},
        dimensions=(60, 100),
        timeout=300,
        # Ctrl-C means something there, also where this script runs in the background.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **more,
    )
    child.logfile_read = transcript
    return child


def play(arguments: list[str], transcript: TextIO) -> int:
    """Fire at the likeliest squares until the game is over; the exit status."""
    child = start([*arguments, "--hints"], transcript)
    while child.expect([PROMPT, pexpect.EOF]) == 0:
        advice = LIKELIEST.search(child.before)[1]
        child.sendline(" ".join(SQUARE.findall(advice)[: most(child.after)]))
    child.close()
    return child.exitstatus


def most(prompt: str) -> int:
    """The squares that a prompt asks for."""
    guns = re.search(r"up to (\d+)", prompt)
    return int(guns[1]) if guns else 1


if __name__ == "__main__":
    sys.exit(play(sys.argv[1:], sys.stdout))
