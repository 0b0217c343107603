#!/usr/bin/env python3
"""Runs the benchmarks, chapter by chapter, and prints one table: ours, a peer, the aim, and whether it is met.

Compare figures only within one run, on one machine. `target/bench/summary.json` has the figures of the chapters that ran last;
`docs/images/bench-CHAPTER.svg` shows those that have a peer or an aim, if PLOTS=yes.

Usage: make bench   or   ONLY="serve growth" make bench   (benches/run.py [CHAPTER]...)

The first run of a chapter builds what it needs, which takes a while. Each then takes under three minutes; settings of their own, such as
LEADS, WATCHES, PAGES or SIZES, are at the top of each file.
"""

import importlib.util
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from figures import HEAD, Figure, row
from plot import plot

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SUMMARY = ROOT / "target/bench/summary.json"
IMAGES = ROOT / "docs/images"
PYTHON = ROOT / ".tools/python/bin/python"
# Always with `server`, and never an example beside it: dependencies then have the features that `make run` has compiled them with.
CANVASS = ["--package", "server", "--bin", "canvass"]


@dataclass
class Chapter:
    about: str
    # Arguments of `cargo build --release`, if anything is to be built before.
    build: list[str] = field(default_factory=list)
    # Python packages that it needs beside Python's own; it then runs with the Python in .tools.
    packages: list[str] = field(default_factory=list)
    file: str = ""


CHAPTERS = {
    "serve": Chapter("start, memory, GET /me beside bare axum", [*CANVASS, "--package", "server-bench", "--bin", "bare-axum"]),
    "streams": Chapter("memory of open streams, and how soon a lead reaches all who follow", CANVASS),
    "search": Chapter("searches on the sandbox, reading websites", CANVASS),
    "web": Chapter("searches in the weather of the web, beside the least time and Scrapy", CANVASS, ["scrapy"]),
    "growth": Chapter("a database that has grown, beside the same with one search", CANVASS),
    "facts": Chapter("the finders, MB/s on one core", packages=["selectolax"]),
    "reader": Chapter("the reader, beside a bare client, spider and Scrapy", file="reader/run.py"),
    "radar": Chapter("one sweep over watched businesses", [*CANVASS, "--package", "server-bench", "--bin", "radar-sweep"]),
    "places": Chapter(
        "ten million places, beside DuckDB",
        ["--package", "place-data", "--features", "place-data/bench", "--example", "find_places", "--example", "own_pages"],
        ["duckdb", "numpy", "pyarrow", "moto[server]"],
        "places/find_peer.py",
    ),
}


def prepare(chapter: Chapter) -> None:
    if chapter.build and "CANVASS" not in os.environ:
        subprocess.run(["cargo", "build", "--quiet", "--release", *chapter.build], cwd=ROOT, check=True)
    if chapter.packages:
        subprocess.run([ROOT / "scripts/need", "python"], cwd=ROOT, check=True)
        install = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *chapter.packages]
        subprocess.run(install, check=True)


def figures_of(name: str) -> list[Figure]:
    """Runs in this process; `run` sees to it that it is the right Python."""
    file = HERE / (CHAPTERS[name].file or f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"chapter_{name}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if name != "places":
        return module.figures()
    release = Path(os.environ.get("RELEASE", ROOT / "target/bench-release"))
    if not (release / "release").is_dir():
        subprocess.run([sys.executable, HERE / "places/make_release.py", release, "10"], check=True)
    return module.figures(release)


def run(name: str) -> tuple[list[Figure], float]:
    """A chapter in a process of its own: what it leaves behind is not measured with the next."""
    prepare(CHAPTERS[name])
    python = PYTHON if CHAPTERS[name].packages else sys.executable
    begin = time.perf_counter()
    said = subprocess.run([python, __file__, "--chapter", name], stdout=subprocess.PIPE, text=True)
    if said.returncode:
        raise SystemExit(f"the chapter {name} failed")
    return [Figure(**one) for one in json.loads(said.stdout.splitlines()[-1])], time.perf_counter() - begin


def summarise(chapters: dict[str, list[Figure]]) -> None:
    """Replaces what the chapters that ran said before; the others stay."""
    SUMMARY.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(SUMMARY.read_text()) if SUMMARY.exists() else {}
    for name, figures in chapters.items():
        known[name] = [asdict(figure) | {"ratio": figure.ratio, "met": figure.met} for figure in figures]
    SUMMARY.write_text(json.dumps(known, indent=1) + "\n")


def main() -> None:
    if sys.argv[1:2] == ["--chapter"]:
        print(json.dumps([asdict(figure) for figure in figures_of(sys.argv[2])]))
        return
    names = " ".join(sys.argv[1:]).split() or list(CHAPTERS)
    unknown = [name for name in names if name not in CHAPTERS]
    if unknown:
        raise SystemExit(f"there is no chapter {', '.join(unknown)}; there are {', '.join(CHAPTERS)}")
    chapters, seconds = {}, {}
    for name in names:
        print(f"== {name}: {CHAPTERS[name].about}", file=sys.stderr, flush=True)
        chapters[name], seconds[name] = run(name)
        summarise({name: chapters[name]})
        if os.environ.get("PLOTS") == "yes":
            (IMAGES / f"bench-{name}.svg").write_text(plot(name, chapters[name]))
    print(HEAD)
    for name, figures in chapters.items():
        print("\n".join(row(name, figure) for figure in figures))
    print("\n" + ", ".join(f"{name} took {took:.0f} s" for name, took in seconds.items()) + f"; {SUMMARY.relative_to(ROOT)} has the figures")


if __name__ == "__main__":
    main()
