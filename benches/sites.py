"""The sandbox's websites, served by a process of their own, so that memory and CPU time are the server's alone."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from serve import CANVASS


class Sites:
    """That process, and its log of requests."""

    def __init__(self, folder: str, weather: str):
        self.weather = weather
        self.ca, self.log = Path(folder, "ca.pem"), Path(folder, "requests.jsonl")
        environment = {
            "PATH": os.environ["PATH"],
            "CANVASS_DATA": tempfile.mkdtemp(dir=folder),
            "CANVASS_SANDBOX_WEATHER": weather,
            "CANVASS_LOG": "warn",
        }
        command = [CANVASS, "sandbox", "serve", "--port", "0", "--ca", self.ca, "--requests", self.log, "--json"]
        self.process = subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.PIPE, text=True)
        said = ""
        while not said.endswith("}\n"):
            said += self.process.stdout.readline()
        self.address = json.loads(said)["address"]
        self.read_to = 0

    def settings(self) -> dict:
        settings = {"CANVASS_SANDBOX_WEATHER": self.weather, "CANVASS_SANDBOX_SITES": self.address}
        # In calm weather there is no HTTPS, and nobody who vouches for it.
        return settings | ({"CANVASS_SANDBOX_CA": str(self.ca)} if self.ca.exists() else {})

    def requests(self) -> list[dict]:
        """The requests since the last call."""
        with self.log.open() as lines:
            lines.seek(self.read_to)
            found = [json.loads(line) for line in iter(lines.readline, "")]
            self.read_to = lines.tell()
        return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
