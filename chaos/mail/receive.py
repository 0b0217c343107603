"""A real mail server that keeps every message it is given."""

import json
import subprocess
import sys
import threading
from pathlib import Path


class MailServer:
    """The mail server of the tests, as a process of its own."""

    def __init__(self, root: Path, listen: str):
        script = root / "crates/server/tests/it/support/smtp_server.py"
        self._process = subprocess.Popen(
            [sys.executable, script, "--listen", listen], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.port = json.loads(self._process.stdout.readline())["port"]
        self._messages: list[str] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._receive, daemon=True).start()

    def url(self, host: str) -> str:
        """Its address for whoever reaches this machine by that name."""
        return f"smtp://{host}:{self.port}"

    def by_id(self) -> dict[str, list[str]]:
        """The messages received so far, by their Message-ID."""
        with self._lock:
            messages = list(self._messages)
        found: dict[str, list[str]] = {}
        for text in messages:
            lines = [line for line in text.splitlines() if line.lower().startswith("message-id:")]
            found.setdefault(lines[0].split("<", 1)[1].split("@", 1)[0], []).append(text)
        return found

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()

    def _receive(self) -> None:
        for line in self._process.stdout:
            message = json.loads(line)
            if "content" in message:
                with self._lock:
                    self._messages.append(message["content"])
