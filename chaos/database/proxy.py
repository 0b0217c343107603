"""A network between a node and its database that can be cut, hang or be slow.

As a program, it passes connections on from a free port of an address, which it prints, to the port it is given, and takes commands
from standard input: `pass`, `cut`, `hang`, or `delay SECONDS`.
"""

import asyncio
import subprocess
import sys


class Proxy:
    """The proxy as a process of its own, so that Python's lock does not slow it down."""

    def __init__(self, host: str, target: int):
        command = [sys.executable, __file__, host, str(target)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self._process.stdout.readline())

    def set(self, command: str) -> None:
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


class Network:
    """What the commands change."""

    def __init__(self) -> None:
        self.is_cut = False
        self.delay = 0.0
        self.flowing = asyncio.Event()
        self.flowing.set()
        self.writers: set[asyncio.StreamWriter] = set()

    def obey(self, command: str) -> None:
        word, *rest = command.split()
        self.is_cut = word == "cut"
        self.delay = float(rest[0]) if word == "delay" else 0.0
        if word == "hang":
            self.flowing.clear()
        else:
            self.flowing.set()
        if self.is_cut:
            for writer in list(self.writers):
                writer.transport.abort()

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: int) -> None:
        if self.is_cut:
            writer.transport.abort()
            return
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, server_writer}
        self.writers |= ends
        flows = [self.flow(reader, server_writer), self.flow(server_reader, writer)]
        tasks = [asyncio.create_task(flow) for flow in flows]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        self.writers -= ends
        for end in ends:
            end.close()

    async def flow(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while piece := await reader.read(1 << 16):
                await self.flowing.wait()
                if self.delay:
                    await asyncio.sleep(self.delay)
                writer.write(piece)
                await writer.drain()
        except OSError:
            pass


async def main() -> None:
    host, target, network = sys.argv[1], int(sys.argv[2]), Network()
    server = await asyncio.start_server(lambda reader, writer: network.connect(reader, writer, target), host, 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        network.obey(line.strip() or "pass")


if __name__ == "__main__":
    asyncio.run(main())
