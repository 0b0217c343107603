#!/usr/bin/env python3
"""Installs, starts, kills, upgrades and removes the Debian package in a container whose first process is systemd.

Usage: packaging/booted.py   (`make package-boot`; needs root, and podman or docker)

ENGINE is the command to use, if it needs options; BASE_IMAGE another Debian than bookworm; PACKAGE_BINARY another binary than the one of
the tests.
"""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import time
import uuid

from test import FIRST, SECOND, make_packages, run

PATIENCE_SECONDS = 120
PORT = 8080
CONTAINERFILE = """
ARG BASE_IMAGE=debian:bookworm-slim
FROM ${BASE_IMAGE}
RUN apt-get update && apt-get install -y --no-install-recommends systemd systemd-sysv adduser curl && rm -rf /var/lib/apt/lists/*
STOPSIGNAL SIGRTMIN+3
CMD ["/sbin/init"]
"""
# What systemd needs for units with namespaces of their own. Not --privileged, which fails where the host itself lacks a capability.
RUN_OPTIONS = [
    *("--cap-add", "ALL", "--cap-drop", "SYS_RESOURCE"),
    *("--security-opt", "seccomp=unconfined", "--security-opt", "apparmor=unconfined"),
    *("--tmpfs", "/run", "--tmpfs", "/run/lock", "--tmpfs", "/tmp"),
    *("--cgroupns", "host", "--volume", "/sys/fs/cgroup:/sys/fs/cgroup:rw"),
]


def engine():
    if "ENGINE" in os.environ:
        return shlex.split(os.environ["ENGINE"])
    for name in ["podman", "docker"]:
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True).returncode == 0:
            return [name]
    raise SystemExit("This needs podman, or docker with a running engine. On Debian: sudo apt-get install podman")


def until(question, what):
    """Waits until a question is answered with something true, and returns that."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (answer := question()):
        assert time.monotonic() < deadline, f"waited {PATIENCE_SECONDS} s for {what}"
        time.sleep(0.2)
    return answer


class Machine:
    """A container that has booted."""

    def __init__(self, engine, folder):
        self.engine, self.folder, self.name = engine, folder, f"canvass-boot-{uuid.uuid4().hex[:8]}"
        (folder / "Containerfile").write_text(CONTAINERFILE)
        base = ["--build-arg", f"BASE_IMAGE={os.environ['BASE_IMAGE']}"] if "BASE_IMAGE" in os.environ else []
        run(*engine, "build", "--network", "host", *base, "--tag", "canvass-boot", "--file", folder / "Containerfile", folder)
        run(*engine, "run", "--detach", "--name", self.name, *RUN_OPTIONS, "canvass-boot")
        until(lambda: self.tried("systemctl", "is-system-running").stdout.strip() in ("running", "degraded"), "systemd")

    def tried(self, *command):
        return subprocess.run([*self.engine, "exec", self.name, *map(str, command)], capture_output=True, text=True)

    def run(self, *command):
        return run(*self.engine, "exec", self.name, *command)

    def install(self, package):
        run(*self.engine, "cp", self.folder / package, f"{self.name}:/{package}")
        self.run("env", "DEBIAN_FRONTEND=noninteractive", "dpkg", "--force-confdef", "--force-confold", "--install", f"/{package}")

    def unit(self, *properties):
        said = self.run("systemctl", "show", "canvass", *(f"--property={name}" for name in properties))
        return dict(line.split("=", 1) for line in said.splitlines())

    def pid(self):
        return self.unit("MainPID")["MainPID"]

    def until_healthy(self):
        until(lambda: self.tried("canvass-admin", "health").returncode == 0, "the service: " + self.journal()[-2_000:])

    def journal(self):
        return self.tried("journalctl", "--unit", "canvass", "--no-pager", "--output", "cat").stdout

    def call(self, key, path, body=None):
        data = ["--data", json.dumps(body), "--header", "Content-Type: application/json"] if body else []
        return json.loads(self.run("curl", "--silent", "--fail", "--header", f"X-API-Key: {key}", *data, f"http://127.0.0.1:{PORT}{path}"))

    def search(self, key):
        body = {"industry": "dentist", "location": "Austin, TX", "requested_count": 10}
        name = self.call(key, "/search/start", body)["search_id"]
        until(lambda: self.call(key, f"/searches/{name}")["status"] != "running", "a search")
        assert len(self.call(key, f"/searches/{name}/leads")) == 10
        return name

    def remove(self):
        subprocess.run([*self.engine, "rm", "--force", "--volumes", self.name], capture_output=True)


def check_confinement(machine):
    """What the kernel says of the running process, not what its unit asks for."""
    pid = machine.pid()
    status = dict(line.split(":\t", 1) for line in machine.run("cat", f"/proc/{pid}/status").splitlines() if ":\t" in line)
    user = machine.run("id", "--user", "canvass").strip()
    assert set(status["Uid"].split()) == {user}, status["Uid"]
    for kind in ["CapEff", "CapPrm", "CapBnd", "CapAmb"]:
        assert int(status[kind], 16) == 0, f"{kind} is {status[kind]}"
    assert status["NoNewPrivs"] == "1" and status["Seccomp"] == "2", status
    mounts = {fields[1]: fields[3].split(",") for fields in map(str.split, machine.run("cat", f"/proc/{pid}/mounts").splitlines())}
    assert "ro" in mounts["/"] and "rw" in mounts["/var/lib/canvass"], mounts
    assert machine.run("stat", "--format=%U %a", "/var/lib/canvass/canvass.db").split() == ["canvass", "600"]


def start(machine):
    machine.install("first.deb")
    assert machine.unit("ActiveState")["ActiveState"] == "inactive", "the installation starts nothing"
    machine.run("systemctl", "enable", "--now", "canvass")
    machine.until_healthy()
    check_confinement(machine)
    key = machine.run("canvass-admin", "key", "create", "demo@example.com", "--name", "boot").splitlines()[0]
    return key, machine.search(key)


def kill(machine, key, name):
    killed = machine.pid()
    machine.run("sh", "-c", f"kill -9 {killed}")
    until(lambda: machine.pid() not in ("0", killed), "another process after kill -9")
    machine.until_healthy()
    assert len(machine.call(key, f"/searches/{name}/leads")) == 10, "leads outlive kill -9"


def upgrade(machine, key, name):
    before = machine.pid()
    machine.install("second.deb")
    machine.until_healthy()
    assert machine.pid() != before, "an upgrade restarts what runs"
    assert machine.run("dpkg-query", "--show", "--showformat=${Version}", "canvass") == SECOND
    assert len(machine.call(key, f"/searches/{name}/leads")) == 10, "leads outlive the upgrade"
    check_confinement(machine)
    machine.search(key)


def remove(machine, key):
    began = time.monotonic()
    machine.run("systemctl", "stop", "canvass")
    took = time.monotonic() - began
    assert machine.unit("Result")["Result"] == "success", machine.journal()[-2_000:]
    assert key not in machine.journal()
    machine.run("systemctl", "start", "canvass")
    machine.until_healthy()
    machine.run("dpkg", "--purge", "canvass")
    assert "canvass" not in machine.run("sh", "-c", "cat /proc/[0-9]*/comm").split(), "nothing runs after a purge"
    assert machine.unit("LoadState")["LoadState"] == "not-found", "nor is there a unit"
    return took


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        make_packages(folder)
        machine = Machine(engine(), folder)
        try:
            key, name = start(machine)
            kill(machine, key, name)
            upgrade(machine, key, name)
            took = remove(machine, key)
        finally:
            machine.remove()
    print(f"package {FIRST}: booted, confined, killed, upgraded to {SECOND}, stopped in {took:.1f} s, purged")


if __name__ == "__main__":
    main()
