"""Where a cluster stores its data: a small disk for SQLite, a private server for PostgreSQL."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from database.proxy import Proxy
from nodes.start import free_port

# Room on the small disk; a run of random faults needs a few dozen megabytes.
SMALL_DISK_MIB = 512


class Disk:
    """A folder that can be filled and made read-only, where this user may mount a disk; else a plain folder."""

    def __init__(self, folder: Path, mib: int):
        self.folder, self.mib = folder, mib
        folder.mkdir(mode=0o700)
        self.why_plain = self._mount()

    def fill(self) -> None:
        """Writes until nothing more fits."""
        try:
            with open(self.folder / "filler", "ab") as filler:
                for size in (1 << 20, 4096):
                    self._write_until_full(filler.fileno(), size)
        except OSError:
            pass

    def free(self) -> None:
        (self.folder / "filler").unlink(missing_ok=True)

    def set_read_only(self, is_read_only: bool) -> None:
        """Fails while a process has a file open for writing: end it first."""
        how = "remount,ro" if is_read_only else "remount,rw"
        subprocess.run(["mount", "-o", how, str(self.folder)], check=True)

    def remove(self) -> None:
        if not self.why_plain:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _mount(self) -> str | None:
        if os.geteuid() != 0:
            return "only root may mount a disk"
        mount = ["mount", "-t", "tmpfs", "-o", f"size={self.mib}m,mode=0700", "none", str(self.folder)]
        done = subprocess.run(mount, capture_output=True, check=False)
        return None if done.returncode == 0 else done.stderr.decode().strip()

    @staticmethod
    def _write_until_full(descriptor: int, size: int) -> None:
        block = b"\0" * size
        try:
            while os.write(descriptor, block) == size:
                pass
        except OSError:
            pass


class Postgres:
    """A private PostgreSQL server that can be restarted, with one proxy for each node in front of it."""

    def __init__(self, folder: Path, root: Path):
        self._bin = Path(subprocess.check_output([root / "scripts/with-postgres", "--find"], text=True).strip())
        self._folder = folder
        self._user = self._unprivileged_user()
        self.port = free_port()
        self.proxies: dict[str, Proxy] = {}
        folder.mkdir(mode=0o755)
        if self._user:
            shutil.chown(folder, self._user)
        self._run("initdb", "-D", str(folder / "data"), "-U", "canvass", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8")
        self._start()

    @property
    def url(self) -> str:
        """Its address without a proxy."""
        return f"postgres://canvass@127.0.0.1:{self.port}/postgres"

    def url_of(self, node: str, host: str) -> str:
        """Its address through a proxy of the node's own, on the address by which the node reaches this machine."""
        proxy = self.proxies[node] = Proxy(host, self.port)
        return f"postgres://canvass@{host}:{proxy.port}/postgres?sslmode=disable"

    def restart(self, mode: str) -> None:
        """`fast` ends every connection; `immediate` is a crash from which it recovers."""
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", mode, "-w", "stop")
        self._start()

    def end_connections(self) -> None:
        """Ends every other connection, as an operator or a failover does."""
        text = "select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <> pg_backend_pid() and usename = 'canvass'"
        self.psql(text)

    def psql(self, text: str, database: str = "postgres") -> str:
        command = [self._bin / "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "canvass", "-d", database, "-Atc", text]
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout

    def program(self, name: str) -> Path:
        """One of PostgreSQL's programs, such as pg_dump."""
        return self._bin / name

    def remove(self) -> None:
        for proxy in self.proxies.values():
            proxy.stop()
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "stop", check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self) -> None:
        # No power is lost here, so nothing has to be synced; but a crash of the server must lose no commit.
        options = (
            f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={self._folder}"
            " -c max_connections=200 -c fsync=off"
        )
        start = ["pg_ctl", "-D", str(self._folder / "data"), "-w", "-l", str(self._folder / "log"), "-o", options, "start"]
        for _ in range(20):
            if self._run(*start, check=False) == 0:
                return
            time.sleep(0.5)
        raise RuntimeError((self._folder / "log").read_text())

    def _run(self, program: str, *arguments: str, check: bool = True) -> int:
        command = [str(self._bin / program), *arguments]
        if self._user:
            ids = subprocess.check_output(["id", "-g", self._user], text=True).strip()
            command = ["setpriv", "--reuid", self._user, "--regid", ids, "--clear-groups", *command]
        done = subprocess.run(
            command, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
        )
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} failed with {done.returncode}")
        return done.returncode

    @staticmethod
    def _unprivileged_user() -> str | None:
        """PostgreSQL refuses to run as root."""
        if os.geteuid() != 0:
            return None
        known = subprocess.run(["id", "-u", "postgres"], capture_output=True, check=False).returncode == 0
        return "postgres" if known else "nobody"
