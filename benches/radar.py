"""Measures one Radar sweep over watched businesses of the sandbox, 10,000 unless WATCHES says otherwise.

Usage: python3 benches/radar.py   (`make bench ONLY=radar` builds what it needs first)
"""

import os
import re
import subprocess

from figures import Figure, show
from serve import RELEASE


def figures() -> list[Figure]:
    command = [RELEASE / "radar-sweep", os.environ.get("WATCHES", "10000")]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    figure = lambda begin: float(re.search(rf"^{begin} +([\d.]+)", text, re.MULTILINE).group(1))
    return [
        Figure("the whole sweep", figure(r"\S+ watches checked"), "s"),
        Figure("checks a second", figure("checks a second"), "/s"),
        Figure("checks a CPU second", figure("checks a CPU second"), "/s"),
        Figure("statements a check", figure("statements a check")),
        Figure("memory at the peak", figure("memory at the peak"), "MiB"),
    ]


if __name__ == "__main__":
    show("radar", figures())
