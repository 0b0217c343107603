#!/usr/bin/env python3
"""Finds places in a release, ours beside DuckDB on the same files in one run: time, memory; then through a local S3 server with
50 ms added to each request: requests, bytes, time.

    pip install duckdb pyarrow numpy 'moto[server]'
    cargo build --release -p place-data --features bench --example find_places --example own_pages
    python3 benches/places/find_peer.py RELEASE_FOLDER      (FAR=no leaves out the S3 server)

RELEASE_FOLDER has release/<version>/theme=places/type=place/*.parquet; benches/places/make_release.py makes one.
DuckDB gets the box of the area and the names of the categories, and returns the same columns; it does not cut the box down to the area,
nor does it sort."""

import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from figures import Figure, show  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target/release/examples/find_places"
OWN_PAGES = ROOT / "target/release/examples/own_pages"
QUERIES = [("dentist", "Austin, TX"), ("restaurant", "New York, NY"), ("plumber", "country:United States")]
COLUMNS = "id, names.primary, taxonomy, confidence, websites, phones, emails, socials, addresses, operating_status"
TIMES = 7
DELAY_MS = 50


def ours(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


DUCK = """
import json, resource, sys, time
import duckdb
files, where, columns, times = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
con = duckdb.connect()
con.execute("set enable_progress_bar = false")
seconds = []
for _ in range(times):
    began = time.time()
    rows = con.execute(f"select {columns} from read_parquet('{files}') where {where}").to_arrow_table()
    seconds.append(time.time() - began)
print(json.dumps({"total": len(rows), "seconds": seconds, "peak_kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))
"""


def duckdb(folder, found):
    names = ", ".join(f"'{name}'" for name in found["names"])
    box = " or ".join(f"(bbox.xmin between {b['west']} and {b['east']} and bbox.ymin between {b['south']} and {b['north']})" for b in found["bounds"])
    where = f"taxonomy.primary in ({names}) and ({box}) and confidence > 0 and operating_status = 'open'"
    done = subprocess.run([sys.executable, "-c", DUCK, f"{folder}/*.parquet", where, COLUMNS, str(TIMES)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def near(folder):
    """'first' is the first query of a process that knows nothing, 'known' of one after it, which finds the boxes of files on disk."""
    print(f"{'query':34} {'places':>7} {'first':>8} {'known':>8} {'warm':>8} {'memory':>8}   DuckDB: {'places':>6} {'first':>8} {'warm':>8} {'memory':>8}   warm")
    figures = []
    for kind, place in QUERIES:
        with tempfile.TemporaryDirectory() as cache:
            cold = ours(folder, kind, place, 1, cache)
            found = ours(folder, kind, place, TIMES, cache)
        peer = duckdb(folder, found)
        warm = [statistics.median(run["seconds"][1:]) for run in (found, peer)]
        memory = [run["peak_kib"] / 1024 for run in (found, peer)]
        print(f"{kind + ', ' + place:34} {found['total']:7} {cold['seconds'][0] * 1e3:5.0f} ms {found['seconds'][0] * 1e3:5.0f} ms {warm[0] * 1e3:5.1f} ms {memory[0]:4.0f} MiB"
              f"           {peer['total']:6} {peer['seconds'][0] * 1e3:5.0f} ms {warm[1] * 1e3:5.1f} ms {memory[1]:4.0f} MiB   {warm[1] / warm[0]:.1f}x")
        figures.append(Figure(f"{kind}, {place}: warm, beside DuckDB", warm[0] * 1e3, "ms", peer=warm[1] * 1e3, lower_is_better=True))
        figures.append(Figure(f"{kind}, {place}: new process, beside DuckDB", found["seconds"][0] * 1e3, "ms", peer=peer["seconds"][0] * 1e3, lower_is_better=True))
        figures.append(Figure(f"{kind}, {place}: memory, beside DuckDB", memory[0], "MiB", peer=memory[1], aim=128, lower_is_better=True))
    return figures


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def reachable(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    sys.exit("a server did not start")


def publish(port, folder, release):
    """The files, Overture's catalog, and its list of files with their boxes."""
    import boto3
    import botocore
    import pyarrow as pa
    import pyarrow.parquet as pq
    config = botocore.config.Config(s3={"addressing_style": "path"})
    s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", aws_access_key_id="x", aws_secret_access_key="x", region_name="us-east-1", config=config)
    for bucket in ("overturemaps-us-west-2", "stac"):
        s3.create_bucket(Bucket=bucket, ACL="public-read")
    rows, public = [], {"ACL": "public-read"}
    for file in sorted(folder.glob("*.parquet")):
        key = f"release/{release}/theme=places/type=place/{file.name}"
        s3.upload_file(str(file), "overturemaps-us-west-2", key, ExtraArgs=public)
        metadata = pq.ParquetFile(file).metadata
        leaf = {metadata.schema.column(c).path: c for c in range(len(metadata.schema))}
        side = lambda name, pick: pick(getattr(metadata.row_group(g).column(leaf[f"bbox.{name}"]).statistics, pick.__name__) for g in range(metadata.num_row_groups))
        box = {"xmin": side("xmin", min), "xmax": side("xmax", max), "ymin": side("ymin", min), "ymax": side("ymax", max)}
        href = {"href": f"s3://overturemaps-us-west-2/{key}"}
        rows.append({"type": "Feature", "collection": "place", "bbox": box, "assets": {"aws": {"href": "https://x.example", "alternate": {"s3": href}}}})
    with tempfile.TemporaryDirectory() as scratch:
        pq.write_table(pa.Table.from_pylist(rows), f"{scratch}/collections.parquet")
        s3.upload_file(f"{scratch}/collections.parquet", "stac", f"{release}/collections.parquet", ExtraArgs=public)
    s3.put_object(Bucket="stac", Key="catalog.json", ACL="public-read", Body=json.dumps({"latest": release, "links": []}).encode())


def far(folder, release):
    upstream, port = free_port(), free_port()
    moto = subprocess.Popen([pathlib.Path(sys.executable).parent / "moto_server", "-p", str(upstream)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    proxy = subprocess.Popen([sys.executable, ROOT / "benches/places/delay.py", str(port), str(upstream), str(DELAY_MS)])
    try:
        reachable(upstream), reachable(port)
        publish(upstream, folder, release)
        endpoint = f"http://127.0.0.1:{port}"
        counts = lambda: json.load(urllib.request.urlopen(f"{endpoint}/-/counts"))
        print(f"\nThrough S3 with {DELAY_MS} ms added to each request: 'cold' knows nothing, 'new process' has the footers on disk")
        ways = [("catalog", "-", f"{endpoint}/stac/catalog.json"),
                ("no catalog", f"s3://overturemaps-us-west-2/release/{release}", "http://127.0.0.1:9/none")]
        for kind, place in QUERIES:
            own = int(subprocess.run([OWN_PAGES, folder, kind, place], capture_output=True, text=True, check=True).stdout)
            for name, address, catalog in ways:
                cache = tempfile.mkdtemp()
                for state in ("cold", "new process"):
                    counts()
                    run = ours(address, kind, place, 1, cache, endpoint, catalog)
                    seen = counts()
                    print(f"{kind + ', ' + place:34} {name:10} {state:12} {run['total']:6} places {seen['requests']:4} requests {seen['bytes'] / 1e6:7.2f} MB "
                          f"{run['seconds'][0]:6.2f} s {run['bytes'] / own:5.1f}x the rows' own pages ({own / 1e6:.2f} MB) {run['peak_kib'] / 1024:4.0f} MiB")
                shutil.rmtree(cache)
    finally:
        for server in (proxy, moto):
            server.terminate()
            server.wait()


def figures(root) -> list[Figure]:
    (release,) = (root / "release").iterdir()
    folder = release / "theme=places/type=place"
    found = near(folder)
    if os.environ.get("FAR") != "no":
        far(folder, release.name)
    return found


if __name__ == "__main__":
    show("places", figures(pathlib.Path(sys.argv[1])))
