"""Real processes of Canvass: started, watched and restarted as a supervisor would, and disturbed on request."""

import glob
import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

from nodes.connect import LOOPBACK, Cable

# How long a process may take until it listens, on a busy machine and with an unoptimised build.
START_SECONDS_MAX = 60
# Pause before a process that ended is started again.
RESTART_PAUSE_SECONDS = 0.3


def free_port() -> int:
    """A port that nobody listens on, and whose successor is free as well: the sandbox's websites use it."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind((LOOPBACK, 0))
            port = first.getsockname()[1]
            try:
                second.bind((LOOPBACK, port + 1))
                return port
            except (OSError, OverflowError):
                continue


def faketime_library() -> str | None:
    """The library that gives a process another time than its machine's, where it is installed."""
    found = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
    return found[0] if found else None


class Node:
    """A server or a worker. Restarted when it ends, unless it is held down."""

    def __init__(
        self, name: str, binary: Path, arguments: list[str], environment: dict[str, str], folder: Path, cable: Cable | None = None
    ):
        self.name = name
        self.cable = cable
        self.host = cable.far if cable else LOOPBACK
        self.port = free_port() if arguments[0] == "serve" else None
        self.starts = 0
        self.crashes: list[str] = []
        self.log_path = folder / f"{name}.log"
        self.clock_path = folder / f"{name}.clock"
        self._arguments = [*(cable.command() if cable else []), str(binary), *arguments]
        if self.port:
            self._arguments += ["--listen", self.address]
        self._environment = environment | self._clock_settings()
        self._folder = folder
        self._process: subprocess.Popen | None = None
        self._expected_end = False
        self._held_down = True
        self._lock = threading.RLock()

    @property
    def is_server(self) -> bool:
        return self.port is not None

    @property
    def address(self) -> str:
        """Where a server listens."""
        return f"{self.host}:{self.port}"

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process and process.poll() is None else None

    def start(self) -> None:
        """Starts it, and has `supervise` keep it up from now on."""
        with self._lock:
            self._held_down = False
            self._spawn()

    def wait_until_up(self) -> None:
        """Waits until a server accepts connections."""
        deadline = time.monotonic() + START_SECONDS_MAX
        while self.is_server and time.monotonic() < deadline:
            try:
                socket.create_connection((self.host, self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        if self.is_server:
            raise TimeoutError(f"{self.name} does not listen; see {self.log_path}")

    def supervise(self) -> None:
        """Starts it again if it ended. An end that nobody asked for is noted, unless it says that it could not start."""
        with self._lock:
            if self._held_down or not self._process or self._process.poll() is None:
                return
            self._note_end(self._process.returncode)
        time.sleep(RESTART_PAUSE_SECONDS)
        with self._lock:
            if not self._held_down and self._process and self._process.poll() is not None:
                self._spawn()

    def kill(self) -> None:
        """kill -9; `supervise` starts it again."""
        self._signal(signal.SIGKILL, ends=True)

    def terminate(self) -> None:
        """SIGTERM, as a deployment does; `supervise` starts it again."""
        self._signal(signal.SIGTERM, ends=True)

    def suspend(self) -> None:
        self._signal(signal.SIGSTOP, ends=False)

    def resume(self) -> None:
        self._signal(signal.SIGCONT, ends=False)

    def hold_down(self) -> None:
        """kill -9, and it stays down until `start`."""
        with self._lock:
            self._held_down = True
            self._end(signal.SIGKILL)

    def stop(self) -> int | None:
        """SIGTERM, and it stays down. Returns its exit status."""
        with self._lock:
            self._held_down = True
            return self._end(signal.SIGTERM)

    def set_clock(self, seconds: int) -> None:
        """Moves the clock of the process by so many seconds against the machine's."""
        temporary = self.clock_path.with_suffix(".new")
        temporary.write_text(f"{seconds:+d}\n")
        temporary.replace(self.clock_path)

    def _clock_settings(self) -> dict[str, str]:
        library = faketime_library()
        if not library:
            return {}
        self.set_clock(0)
        return {
            "LD_PRELOAD": library,
            "FAKETIME_TIMESTAMP_FILE": str(self.clock_path),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def _spawn(self) -> None:
        self.starts += 1
        self._expected_end = False
        with open(self.log_path, "ab") as log:
            self._process = subprocess.Popen(
                self._arguments,
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )

    def _note_end(self, status: int) -> None:
        if self._expected_end:
            return
        # Status 1 says in words why it cannot start, such as a database that is down: a supervisor tries again.
        if status not in (0, 1):
            self.crashes.append(f"{self.name} ended by itself with status {status}; see {self.log_path}")

    def _signal(self, number: int, ends: bool) -> None:
        with self._lock:
            process = self._process
            if process and process.poll() is None:
                self._expected_end = self._expected_end or ends
                os.kill(process.pid, number)

    def _end(self, number: int) -> int | None:
        process = self._process
        if not process:
            return None
        if process.poll() is None:
            self._expected_end = True
            # A suspended process hears of SIGTERM only once it goes on.
            os.kill(process.pid, signal.SIGCONT)
            os.kill(process.pid, number)
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.crashes.append(f"{self.name} did not end within 30 seconds of signal {number}")
                process.kill()
                process.wait()
        return process.returncode
