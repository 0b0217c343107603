"""An HTTP proxy in front of one server that adds time to each request, as a server far away would, and counts.

    python3 benches/places/delay.py PORT UPSTREAM_PORT MILLISECONDS

`GET /-/counts` answers with the requests and bytes so far and begins again."""

import asyncio
import json
import sys

PORT, UPSTREAM, DELAY = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) / 1000
counts = {"requests": 0, "bytes": 0, "paths": []}


async def head(reader):
    return await reader.readuntil(b"\r\n\r\n")


def header(text, name):
    for line in text.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.strip().lower() == name:
            return value.strip().lower()
    return None


async def copy_body(source, target, text, is_head):
    if header(text, b"transfer-encoding") == b"chunked":
        while True:
            line = await source.readline()
            target.write(line + await source.readexactly(int(line, 16) + 2))
            if int(line, 16) == 0:
                return
    left = 0 if is_head or text.split(b" ")[1] in (b"204", b"304") else int(header(text, b"content-length") or 0)
    counts["bytes"] += left
    while left:
        some = await source.read(min(left, 1 << 16))
        target.write(some)
        await target.drain()
        left -= len(some)


async def serve(reader, writer):
    upstream = None
    try:
        while True:
            request = await head(reader)
            if b"/-/counts" in request.split(b"\r\n")[0]:
                body = json.dumps(counts).encode()
                counts.update(requests=0, bytes=0, paths=[])
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
                continue
            if upstream is None:
                upstream = await asyncio.open_connection("127.0.0.1", UPSTREAM)
            await asyncio.sleep(DELAY)
            counts["requests"] += 1
            counts["paths"].append(request.split(b" ")[1].decode().rsplit("/", 1)[-1] + " " + (header(request, b"range") or b"").decode())
            upstream[1].write(request)
            answer = await head(upstream[0])
            writer.write(answer)
            await copy_body(upstream[0], writer, answer, request.startswith(b"HEAD"))
            await writer.drain()
            if header(answer, b"connection") == b"close" or answer.startswith(b"HTTP/1.0"):
                return
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        for connection in (writer, upstream and upstream[1]):
            if connection:
                connection.close()


async def main():
    async with await asyncio.start_server(serve, "127.0.0.1", PORT, limit=1 << 20) as server:
        await server.serve_forever()


asyncio.run(main())
