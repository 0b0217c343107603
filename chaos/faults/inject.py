"""Carries out the plan of faults, one thread for each target."""

import subprocess
import threading
import time
from collections import Counter, defaultdict

from faults.plan import Fault
from load.follow import HangUps
from nodes.assemble import Cluster
from nodes.start import Node, faketime_library


class Injector:
    """Disturbs a cluster until its plan is through or it is told to stop."""

    def __init__(self, cluster: Cluster, faults: list[Fault], hang_ups: HangUps):
        self.cluster, self.hang_ups = cluster, hang_ups
        self.done: Counter = Counter()
        self.skipped: dict[str, str] = {}
        self._lanes: dict[str, list[Fault]] = defaultdict(list)
        for fault in faults:
            self._lanes[fault.target].append(fault)
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._run, args=(lane,)) for lane in self._lanes.values()]

    def start(self) -> None:
        self._began = time.monotonic()
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Ends the faults that are under way, and begins no other."""
        self._stop.set()
        self.join()

    def join(self) -> None:
        for thread in self._threads:
            thread.join()

    def _run(self, lane: list[Fault]) -> None:
        for fault in lane:
            if self._stop.wait(max(0.0, fault.at - (time.monotonic() - self._began))):
                return
            if why := self._why_not(fault):
                self.skipped[fault.kind] = why
                continue
            self._inject(fault)
            with self._lock:
                self.done[fault.kind] += 1

    def _why_not(self, fault: Fault) -> str | None:
        if fault.kind == "clock" and not faketime_library():
            return "libfaketime is not installed"
        if fault.kind in ("full disk", "read-only disk"):
            return self.cluster.disk.why_plain
        if fault.kind == "pull cable":
            return self.cluster.why_no_cables
        return None

    def _inject(self, fault: Fault) -> None:
        match fault.target:
            case "clients":
                self.hang_ups.all()
            case "database":
                self._disturb_database(fault)
            case name:
                node = next(node for node in self.cluster.nodes if node.name == name)
                self._disturb_node(node, fault)

    def _disturb_database(self, fault: Fault) -> None:
        postgres = self.cluster.postgres
        if fault.kind == "restart database":
            postgres.restart(fault.detail)
            return
        try:
            postgres.end_connections()
        except subprocess.CalledProcessError:
            # Its own connection ended as well.
            pass

    def _disturb_node(self, node: Node, fault: Fault) -> None:
        match fault.kind:
            case "kill":
                node.kill()
            case "terminate":
                node.terminate()
            case "suspend":
                node.suspend()
                self._stop.wait(fault.seconds)
                node.resume()
            case "clock":
                node.set_clock(int(fault.detail))
                self._stop.wait(fault.seconds)
                node.set_clock(0)
            case "full disk":
                self.cluster.disk.fill()
                self._stop.wait(fault.seconds)
                self.cluster.disk.free()
            case "read-only disk":
                self._start_on_a_read_only_disk(node, fault)
            case "cut" | "hang" | "delay":
                proxy = self.cluster.postgres.proxies[node.name]
                proxy.set(f"{fault.kind} {fault.detail}")
                self._stop.wait(fault.seconds)
                proxy.set("pass")

            case "pull cable":
                node.cable.pull()
                self._stop.wait(fault.seconds)
                node.cable.plug_in()

    def _start_on_a_read_only_disk(self, node: Node, fault: Fault) -> None:
        """A disk with files open for writing cannot be made read-only by hand, so the node is killed first."""
        node.hold_down()
        try:
            self.cluster.disk.set_read_only(True)
        except subprocess.CalledProcessError:
            # A command of the operator has a file open.
            node.start()
            return
        node.start()
        self._stop.wait(fault.seconds)
        self.cluster.disk.set_read_only(False)
