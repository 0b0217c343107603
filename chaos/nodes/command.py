"""The command line of Canvass, beside the running processes."""

import json
import subprocess
from pathlib import Path
from typing import Any


class CommandFailed(Exception):
    """A command that did not succeed, with what it said."""


class CommandLine:
    """`canvass` with the settings of a cluster."""

    def __init__(self, binary: Path, environment: dict[str, str], folder: Path):
        self._binary, self._environment, self._folder = binary, environment, folder

    def run(self, *arguments: str, seconds: float = 120) -> Any:
        """Runs a command with --json and returns its answer."""
        done = subprocess.run(
            [self._binary, *arguments, "--json"],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
        )
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace") + done.stdout.decode(errors="replace")
            raise CommandFailed(f"canvass {' '.join(arguments)}: {said.strip()}")
        return json.loads(done.stdout)

    def doctor(self) -> list[str]:
        """What `canvass doctor` finds wrong with what is stored."""
        done = subprocess.run(
            [self._binary, "doctor", "--json"],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
        )
        checks = json.loads(done.stdout)["checks"]
        # What it says of this machine, such as a small disk, is no concern of a run.
        stored = [check for check in checks if check["name"] in ("database", "ledger", "permissions")]
        return [json.dumps(check) for check in stored if check["verdict"] != "ok"]

    def account(self, email: str, credits: int) -> str:
        """Creates an account with every add-on, and returns a key of it."""
        options = ["--tier", "scale", "--credits", str(credits), "--add-on", "signals_plus", "--add-on", "radar"]
        self.run("account", "create", "--email", email, *options)
        return self.run("key", "create", "--email", email, "--name", "chaos")["key"]
