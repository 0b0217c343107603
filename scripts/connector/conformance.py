"""Runs the official conformance suite, every server scenario of both eras, against exceptions.yaml.

A scenario that newly fails or newly passes is red, and so is an exception that excuses nothing.
Usage: conformance.py NODE PACKAGES_FOLDER URL
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

NODE, FOLDER, URL = sys.argv[1:]
PACKAGE = pathlib.Path(FOLDER, "node_modules/@modelcontextprotocol/conformance")
EXCEPTIONS = pathlib.Path(__file__).with_name("exceptions.yaml")
VERSIONS = ("2025-11-25", "2026-07-28")
TIMEOUT_SECONDS = 120


def run(version: str, results: str) -> tuple[bool, str]:
    """Whether the suite agrees with the exceptions, and what it said."""
    command = [NODE, PACKAGE / "dist/index.js", "server", "--url", URL, "--suite", "all", "--spec-version", version]
    done = subprocess.run(
        [*command, "--expected-failures", EXCEPTIONS, "--output-dir", results],
        capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False,
    )  # fmt: skip
    return done.returncode == 0, done.stdout + done.stderr


def unmet(results: str) -> tuple[int, dict[str, str]]:
    """How many scenarios ran, and each check that was not met, as `scenario:check`, with the suite's words for it."""
    scenarios = sorted(pathlib.Path(results).glob("server-*/checks.json"))
    found = {}
    for path in scenarios:
        scenario = re.fullmatch(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z", path.parent.name)[1]
        for check in json.loads(path.read_text(encoding="utf-8")):
            if check["status"] in ("FAILURE", "WARNING"):
                found[f"{scenario}:{check['id']}"] = check.get("errorMessage", "")
    return len(scenarios), found


def main() -> None:
    excepted = set(re.findall(r"^ +- (\S+)", EXCEPTIONS.read_text(encoding="utf-8"), re.MULTILINE))
    met: set[str] = set()
    lines = []
    for version in VERSIONS:
        with tempfile.TemporaryDirectory() as results:
            agreed, said = run(version, results)
            count, failures = unmet(results)
        for name in failures.keys() - excepted:
            print(f"{version} {name}: {failures[name]}")
        assert agreed and count, f"{version}:\n{said[said.find('=== SUMMARY') :]}"
        met |= failures.keys()
        touched = {name.split(":")[0] for name in failures}
        lines.append(f"{version}: {count - len(touched)} of {count} scenarios whole, {len(touched)} but for exceptions")
    assert excepted <= met, f"exceptions that excuse nothing: {sorted(excepted - met)}"
    release = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))["version"]
    print(f"conformance suite {release}, {'; '.join(lines)}")


main()
