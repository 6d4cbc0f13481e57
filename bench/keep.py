#!/usr/bin/env python3
"""Run a benchmark and add the measured commit, the date and the number of cores to its result.

usage: bench/keep.py RESULT.json COMMAND [ARGUMENT...]

`commit` is the commit that was checked out when the benchmark started, with `-dirty` appended if the
tree had changes other than results and the figures made from them. The exit code is that of COMMAND.
"""
import datetime
import json
import os
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Files that a benchmark changes itself: two benchmarks in a row measure the same code.
RESULTS = (":(exclude)bench/results", ":(exclude)docs/benchmarks.md")


def git(*arguments):
    return subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True
    ).stdout.strip()


def checked_out():
    try:
        changes = git("status", "--porcelain", "--", ".", *RESULTS)
        return git("rev-parse", "--short", "HEAD") + ("-dirty" if changes else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def add_origin(result, commit, date):
    """The program writes the file without a commit, so a file that has one is an older result."""
    if not result.is_file():
        return
    try:
        kept = json.loads(result.read_text(encoding="utf-8"))
    except ValueError as damage:
        sys.exit(f"bench: {result} is not JSON: {damage}")
    if "commit" in kept:
        return
    kept = {"commit": commit, "commitIs": "measured on", "date": date, **kept}
    kept.setdefault("machine", {"cores": os.cpu_count()})
    result.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def run(command):
    child = None

    def forward(number, _frame):
        if child is not None:
            child.send_signal(number)

    # timeout(1) has a process group of its own, so a terminal's Ctrl-C reaches only this process.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, forward)
    child = subprocess.Popen(command)
    code = child.wait()
    return code if code >= 0 else 128 - code


def main():
    if len(sys.argv) < 3:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 64
    result = pathlib.Path(sys.argv[1])
    commit, date = checked_out(), datetime.date.today().isoformat()
    code = run(sys.argv[2:])
    add_origin(result, commit, date)
    return code


if __name__ == "__main__":
    sys.exit(main())
