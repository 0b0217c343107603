"""Reads CSV from standard input as strictly as Python can, and writes its rows as JSON."""

import csv
import io
import json
import sys

text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", newline="")
json.dump(list(csv.reader(text, strict=True)), sys.stdout)
