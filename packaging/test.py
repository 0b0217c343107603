#!/usr/bin/env python3
"""Makes the Debian package of the tests' binary, and installs, starts, upgrades and removes it.

All of it happens in a copy of this system: an overlay over its root, in a mount namespace of its own, both gone when the test ends.
Where root may not mount (in most containers), it happens on the system itself, and everything is removed again.
"""

import json
import os
import pathlib
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HOME = pathlib.Path(__file__).resolve().parent.parent
# PACKAGE_BINARY names another, such as that of a release build.
BINARY = pathlib.Path(os.environ.get("PACKAGE_BINARY", HOME / "target/debug/canvass"))
FIRST, SECOND = "0.1.0-1", "0.1.0-2"
# What `systemd-analyze security` may say: 0 is least exposed, 10 most. The units have 1.4.
EXPOSURE_MAX = 2.0
PATIENCE_SECONDS = 120
FILES = [
    "./usr/bin/canvass",
    "./usr/sbin/canvass-admin",
    "./etc/canvass/canvass.toml",
    "./usr/share/doc/canvass/copyright",
    "./usr/share/doc/canvass/NOTICE",
    "./usr/share/doc/canvass/grafana.json",
    "./usr/share/man/man1/canvass.1.gz",
    "./usr/share/man/man1/canvass-account-create.1.gz",
    "./usr/share/bash-completion/completions/canvass",
    "./usr/share/zsh/vendor-completions/_canvass",
    "./usr/share/fish/vendor_completions.d/canvass.fish",
]


def run(*command, **options):
    """Runs a command that must succeed, and returns what it printed."""
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{shlex.join(map(str, command))} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


def make_packages(folder):
    """The package, and the same with a higher version and other default settings, as a later release may have."""
    run(HOME / "scripts/package", "--binary", BINARY, "--version", FIRST, "--out", folder / "first.deb", "--fast", cwd=HOME)
    run("dpkg-deb", "--raw-extract", folder / "first.deb", folder / "tree")
    control = folder / "tree/DEBIAN/control"
    control.write_text(control.read_text().replace(f"Version: {FIRST}", f"Version: {SECOND}"))
    settings = folder / "tree/etc/canvass/canvass.toml"
    settings.write_text(settings.read_text() + "\n# A line of the next release.\n")
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", folder / "tree", folder / "second.deb")
    shutil.rmtree(folder / "tree")


def check_contents(package):
    names = {line.split()[5] for line in run("dpkg-deb", "--contents", package).splitlines()}
    missing = [name for name in FILES if name not in names]
    assert not missing, f"not in the package: {missing}"
    units = [name for name in names if name.endswith(".service")]
    assert sorted(unit.rsplit("/", 1)[1] for unit in units) == ["canvass-work.service", "canvass.service"], units
    assert run("dpkg-deb", "--info", package, "conffiles").split() == ["/etc/canvass/canvass.toml"]
    depends = run("dpkg-deb", "--field", package, "Depends")
    assert "libc6" in depends and "adduser" in depends, depends


def check_units():
    if not shutil.which("systemd-analyze"):
        print("systemd-analyze is missing: the exposure of the units was not checked")
        return
    for unit in sorted((HOME / "packaging/systemd").glob("*.service")):
        analyzed = run("systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=100", unit)
        exposure = float(analyzed.split("exposure level for")[1].split(":")[1].split()[0])
        print(f"{unit.name}: exposure {exposure}")
        assert exposure <= EXPOSURE_MAX, analyzed


class System:
    """Where the package is installed."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.enter = [] if str(root) == "/" else ["chroot", str(root)]

    def run(self, *command):
        return run(*self.enter, *command)

    def path(self, name):
        return self.root / name.lstrip("/")

    def dpkg(self, *arguments):
        return self.run("env", "DEBIAN_FRONTEND=noninteractive", "dpkg", "--force-confdef", "--force-confold", *arguments)

    def version(self):
        return self.run("dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}", "canvass").strip()

    def admin(self, *command):
        return json.loads(self.run("/usr/sbin/canvass-admin", *command, "--json"))

    def facts(self, name):
        """Owner, group and permissions of a file."""
        return self.run("stat", "--format=%U %G %a", name).strip()


class Service:
    """The installed program, started as its unit says."""

    def __init__(self, system, log):
        unit = {}
        text = next(system.root.glob("*/systemd/system/canvass.service"), None) or system.path("/usr/lib/systemd/system/canvass.service")
        for line in text.read_text().splitlines():
            name, found, value = line.partition("=")
            if found and not line.startswith("#"):
                unit.setdefault(name, []).append(value)
        environment = [variable for line in unit["Environment"] for variable in shlex.split(line)]
        script = f"umask {unit['UMask'][0]} && cd {shlex.quote(unit['WorkingDirectory'][0])} && exec {unit['ExecStart'][0]}"
        command = ["runuser", "-u", unit["User"][0], "--", "env", "-i", "PATH=/usr/bin:/bin", *environment, "sh", "-c", script]
        self.process = subprocess.Popen([*system.enter, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)
        self.log = log
        self.system = system
        self.until_ready()

    def until_ready(self):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while subprocess.run([*self.system.enter, "/usr/sbin/canvass-admin", "health"], capture_output=True).returncode != 0:
            assert self.process.poll() is None and time.monotonic() < deadline, "it did not start: " + self.said()
            time.sleep(0.2)

    def said(self):
        self.log.seek(0)
        return self.log.read().decode()

    def stop(self):
        # runuser passes the signal on.
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE_SECONDS) in (0, 143, -15), self.said()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def call(port, key, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, {"X-API-Key": key, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
        return json.load(response)


def search(port, key):
    wanted = {"industry": "dentist", "location": "Austin, TX", "requested_count": 10}
    name = call(port, key, "/search/start", wanted)["search_id"]
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (found := call(port, key, f"/searches/{name}"))["status"] == "running":
        assert time.monotonic() < deadline, found
        time.sleep(0.2)
    assert found["status"] == "done" and found["leads_found"] == 10, found
    return name


def install(system):
    system.dpkg("--install", "/tmp/canvass-test/first.deb")
    assert system.version() == f"installed {FIRST}", system.version()
    assert system.facts("/etc/canvass/canvass.toml") == "root canvass 640"
    assert system.facts("/var/lib/canvass") == "canvass canvass 700"
    assert system.run("/usr/bin/canvass", "--version").startswith("canvass ")
    for name in ["multi-user.target.wants/canvass.service", "multi-user.target.wants/canvass-work.service"]:
        assert not system.path(f"/etc/systemd/system/{name}").exists(), "it is not enabled by itself"
    system.run("bash", "-c", ". /usr/share/bash-completion/completions/canvass && complete -p canvass")


def use(system, log):
    """Starts it with changed settings, makes a search, and returns what must outlive the upgrade."""
    port = free_port()
    settings = system.path("/etc/canvass/canvass.toml")
    settings.write_text(settings.read_text().replace('listen = "127.0.0.1:8080"', f'listen = "127.0.0.1:{port}"'))
    service = Service(system, log)
    try:
        key = system.admin("key", "create", "demo@example.com", "--name", "test")["key"]
        name = search(port, key)
        status = system.admin("status")
        assert status["node"]["ready"] and status["today"]["leads"] == 10 and status["database"] == "SQLite", status
        assert system.facts("/var/lib/canvass/canvass.db") == "canvass canvass 600"
        service.stop()
        assert key not in service.said()
    finally:
        service.kill()
    return port, key, name


def upgrade(system, log, port, key, name):
    system.dpkg("--install", "/tmp/canvass-test/second.deb")
    assert system.version() == f"installed {SECOND}", system.version()
    settings = system.path("/etc/canvass/canvass.toml").read_text()
    assert f"127.0.0.1:{port}" in settings and "next release" not in settings, "changed settings stay"
    assert "next release" in system.path("/etc/canvass/canvass.toml.dpkg-dist").read_text()
    assert system.facts("/etc/canvass/canvass.toml") == "root canvass 640"
    service = Service(system, log)
    try:
        assert len(call(port, key, f"/searches/{name}/leads")) == 10, "leads outlive the upgrade"
        search(port, key)
        service.stop()
    finally:
        service.kill()


def remove(system):
    system.dpkg("--remove", "canvass")
    assert system.version() == f"config-files {SECOND}", system.version()
    for gone in ["/usr/bin/canvass", "/usr/share/doc/canvass/NOTICE", "/lib/systemd/system/canvass.service"]:
        assert not system.path(gone).exists(), f"{gone} stays"
    for kept in ["/etc/canvass/canvass.toml", "/var/lib/canvass/canvass.db"]:
        assert system.path(kept).exists(), f"{kept} is gone"
    system.dpkg("--purge", "canvass")
    assert not system.path("/etc/canvass/canvass.toml").exists(), "settings go with a purge"
    assert system.path("/var/lib/canvass/canvass.db").exists(), "data does not"
    assert system.run("getent", "passwd", "canvass"), "nor does its owner"


def test_in(system, packages, log):
    started = time.monotonic()
    system.path("/tmp/canvass-test").mkdir()
    for name in ["first.deb", "second.deb"]:
        shutil.copy(packages / name, system.path(f"/tmp/canvass-test/{name}"))
    install(system)
    kept = use(system, log)
    upgrade(system, log, *kept)
    remove(system)
    print(f"installed, started, searched, upgraded, removed and purged in {time.monotonic() - started:.0f} s")


def in_a_copy(folder, log):
    """The test in an overlay over this system; this process has a mount namespace of its own."""
    room = folder / "room"
    root = room / "root"
    room.mkdir()
    run("mount", "-t", "tmpfs", "tmpfs", room)
    for name in ["upper", "work", "root"]:
        (room / name).mkdir()
    run("mount", "-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={room / 'upper'},workdir={room / 'work'}", root)
    for name in ["proc", "dev"]:
        run("mount", "--rbind", f"/{name}", root / name)
    for name in ["run", "tmp"]:
        run("mount", "-t", "tmpfs", "tmpfs", root / name)
    test_in(System(root), folder, log)


def on_the_system(folder, log):
    system = System("/")
    if subprocess.run(["dpkg-query", "--show", "canvass"], capture_output=True).returncode == 0 or os.path.exists("/var/lib/canvass"):
        sys.exit("canvass is installed on this system, and nothing can be mounted: the package was not installed")
    try:
        test_in(system, folder, log)
    finally:
        subprocess.run(["dpkg", "--purge", "canvass"], capture_output=True)
        shutil.rmtree("/var/lib/canvass", ignore_errors=True)
        shutil.rmtree("/tmp/canvass-test", ignore_errors=True)
        subprocess.run(["deluser", "--quiet", "canvass"], capture_output=True)


def may_mount():
    tried = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(tried, capture_output=True).returncode == 0


def main():
    if sys.argv[1:2] == ["--in-a-copy"]:
        with tempfile.TemporaryFile() as log:
            return in_a_copy(pathlib.Path(sys.argv[2]), log)
    assert BINARY.exists(), f"{BINARY} is missing: run cargo build --workspace --bins --examples"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        make_packages(folder)
        check_contents(folder / "first.deb")
        check_units()
        if os.geteuid() != 0:
            print("The package was made and looked into. Installing it needs root, so that was not tested.")
        elif may_mount():
            subprocess.run(["unshare", "--mount", sys.executable, __file__, "--in-a-copy", folder], check=True)
        else:
            with tempfile.TemporaryFile() as log:
                on_the_system(folder, log)
    print("package: all checks passed")


if __name__ == "__main__":
    main()
