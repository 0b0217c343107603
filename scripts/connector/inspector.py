"""Asks with the Inspector's command line, in both eras. Whatever it writes to standard error is a warning, and fails.

Usage: inspector.py NODE PACKAGES_FOLDER BASE_URL KEY
"""

import concurrent.futures
import json
import subprocess
import sys
import tempfile
from typing import Any

NODE, FOLDER, BASE_URL, KEY = sys.argv[1:]
PACKAGE = f"{FOLDER}/node_modules/@modelcontextprotocol/inspector"
ACCOUNT = ["--tool-name", "get_account"]
# What is asked, and how many things of which name must come back.
QUESTIONS: list[tuple[list[str], str, int]] = [
    (["tools/list", "--strict"], "tools", 15),
    (["tools/call", *ACCOUNT], "content", 1),
    (["resources/templates/list"], "resourceTemplates", 1),
    (["prompts/list"], "prompts", 3),
]


ERAS = ("legacy", "modern")
# As many at once as even a small machine has cores: most of the time goes into starting Node.js.
AT_ONCE = 2


def ask(era: str, question: list[str], home: str) -> dict[str, Any]:
    address = ["--server-url", f"{BASE_URL}/mcp/{KEY}", "--transport", "http", "--protocol-era", era]
    command = [NODE, f"{PACKAGE}/clients/launcher/build/index.js", "--cli", *address, "--stored-auth-only", "--format", "json"]
    # A home of its own: the Inspector reads settings from there, and keeps some.
    run = subprocess.run(
        [*command, "--method", *question], env={"HOME": home}, capture_output=True, text=True, timeout=60, check=False
    )
    asked = f"{era}: {' '.join(question)}"
    assert run.returncode == 0, f"{asked} ended with {run.returncode}\n{run.stdout}\n{run.stderr}"
    assert not run.stderr.strip(), f"{asked} warned:\n{run.stderr}"
    answer = json.loads(run.stdout)
    return answer.get("result", answer)


def check(era: str, question: list[str], name: str, fewest: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        answer = ask(era, question, home)
    assert len(answer[name]) >= fewest and not answer.get("isError"), (era, question, answer)


def main() -> None:
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        checks = [pool.submit(check, era, *question) for era in ERAS for question in QUESTIONS]
    for done in checks:
        done.result()
    with open(f"{PACKAGE}/package.json", encoding="utf-8") as package:
        version = json.load(package)["version"]
    print(f"Inspector {version}, both eras: {', '.join(' '.join(question) for question, _, _ in QUESTIONS)}, no warning")


main()
