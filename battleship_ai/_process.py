"""A process that answers line by line, within limits of time and length."""

import os
import selectors
import signal
import time
from contextlib import suppress
from multiprocessing.util import Finalize
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from typing import IO

from battleship_ai.errors import ProgramError

__all__ = ["LineProcess", "shortened"]

# No answer of the protocol is longer: 676 squares of a fleet with a space after each.
_LONGEST_LINE = 4096
_CHUNK = 1 << 16
_KEPT_ERRORS = 2048
_DYING_SECONDS = 1.0

# Waits for its input to end, which it does when this interpreter dies, however that happens.
_GUARD = ("/bin/sh", "-c", "read line; kill -s KILL 0")


def shortened(text: str) -> str:
    """A text cut to what an error message can hold."""
    return text if len(text) <= 80 else f"{text[:77]}..."


class LineProcess:
    """A command that runs in a process group of its own, behind pipes.

    The group is led by a guard that ends it when this interpreter dies. As long as the
    guard is not waited for, no other group can have its number.

    Parameters
    ----------
    command : tuple of str

    Raises
    ------
    ProgramError
        If the command cannot be run.

    Examples
    --------
    >>> process = LineProcess(("sh", "-c", "read line; echo got $line"))
    >>> process.ask("this", 5.0, "too late")
    'got this'
    >>> process.end()
    """

    def __init__(self, command: tuple[str, ...]) -> None:
        guard = Popen(_GUARD, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, process_group=0)
        try:
            program = Popen(
                command, stdin=PIPE, stdout=PIPE, stderr=PIPE, bufsize=0, process_group=guard.pid
            )
        except OSError as error:
            _end(guard)
            raise ProgramError(f"the program does not start: {error}") from None
        self.pid = program.pid
        self._program = program
        self._errors = b""
        self._input, self._output, self._complaints = _pipes(program)
        # Unlike atexit, this also runs when a worker of multiprocessing ends.
        self._finalize = Finalize(self, _end, (guard, program), exitpriority=0)

    def end(self) -> None:
        """Kill the process and all of its group; may be called again."""
        self._finalize()

    def tell(self, line: str) -> None:
        """Send a line that has no answer."""
        data = f"{line}\n".encode()
        try:
            sent = self._input.write(data)
        except BrokenPipeError:
            sent = None
        if sent != len(data):  # dead, or long not reading
            self.end()

    def ask(self, request: str, seconds: float, late: str) -> str:
        """Send lines, and return the line that answers them.

        Parameters
        ----------
        request : str
        seconds : float
            Time for the answer.
        late : str
            What to say if the time runs out.

        Raises
        ------
        ProgramError
            If the process ends, writes anything but one line, or is late. It is then
            ended, as by any exception: it is out of step with what it was asked.
        """
        try:
            return self._ask(f"{request}\n".encode(), seconds, late)
        except BaseException:
            self.end()
            raise

    def _ask(self, request: bytes, seconds: float, late: str) -> str:
        deadline = time.monotonic() + seconds
        answer = self._output.read(_CHUNK) or b""
        if answer:
            raise _chatter(answer)
        with selectors.DefaultSelector() as selector:
            selector.register(self._input, selectors.EVENT_WRITE)
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._complaints, selectors.EVENT_READ)
            while b"\n" not in answer:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise ProgramError(late)
                for key, _ in selector.select(left):
                    if key.fileobj is self._output:
                        answer += self._heard()
                    elif key.fileobj is self._input:
                        request = self._send(request)
                        if not request:
                            selector.unregister(self._input)
                    elif not self._note_complaint():
                        selector.unregister(self._complaints)
                if len(answer) > _LONGEST_LINE and b"\n" not in answer[:_LONGEST_LINE]:
                    raise ProgramError(
                        f"the program wrote more than {_LONGEST_LINE} bytes without ending the line"
                    )
        line, _, rest = answer.partition(b"\n")
        if rest:
            raise _chatter(rest)
        return line.decode("utf-8", "replace").strip()

    def _send(self, request: bytes) -> bytes:
        """Write what the pipe takes; returns the rest."""
        try:
            return request[self._input.write(request) or 0 :]
        except BrokenPipeError:  # whoever closed its input shows the reason on its output
            return b""

    def _heard(self) -> bytes:
        chunk = self._output.read(_CHUNK)
        if chunk == b"":
            raise ProgramError(self._ending())
        return chunk or b""

    def _note_complaint(self) -> bool:
        """Keep the end of what standard error says; False when it is closed."""
        chunk = self._complaints.read(_CHUNK)
        self._errors = (self._errors + (chunk or b""))[-_KEPT_ERRORS:]
        return chunk != b""

    def _ending(self) -> str:
        """How the program ended, and the last line it wrote on standard error."""
        try:
            status = self._program.wait(_DYING_SECONDS)
        except TimeoutExpired:
            return "the program closed its standard output"
        self._note_complaint()
        said = self._errors.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(said) if line.strip()), "")
        how = f"with exit status {status}" if status >= 0 else f"by signal {-status}"
        return f"the program ended {how}" + (f"; its last words: {shortened(last)}" if last else "")


def _pipes(program: Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    """The standard streams of a program, none of which blocks."""
    assert program.stdin is not None
    assert program.stdout is not None
    assert program.stderr is not None
    streams = (program.stdin, program.stdout, program.stderr)
    for stream in streams:
        os.set_blocking(stream.fileno(), False)
    return streams


def _chatter(text: bytes) -> ProgramError:
    line = text.decode("utf-8", "replace").split("\n", 1)[0]
    return ProgramError(
        f"the program wrote more than the one line it was asked for: {shortened(line)!r}"
    )


def _end(guard: Popen[bytes], program: Popen[bytes] | None = None) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(guard.pid, signal.SIGKILL)
    for process in (program, guard):
        if process is None:
            continue
        process.kill()  # should it have left the group
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()
