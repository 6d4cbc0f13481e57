"""Measures the start of the short commands.

usage: measure.py DISTRIBUTION ROUNDS [RESULT.json]

`status` is measured twice: until its first connection arrives at an API server that never answers, and until it
ends because nobody listens. The API server is a socket of this program.
"""
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT = 400
KUBECONFIG = """apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d"}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
"""


def ended(command, code):
    """Milliseconds until a command ends."""
    begin = time.monotonic()
    found = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).returncode
    spent = (time.monotonic() - begin) * 1000
    if found != code:
        raise SystemExit(f"bench: {' '.join(map(str, command))} ended with {found}, not {code}")
    return spent


def connected(command, server):
    """Milliseconds until a command's first connection."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    connection, _ = server.accept()
    spent = (time.monotonic() - begin) * 1000
    process.kill()
    process.wait()
    connection.close()
    # Connections that it opened before it was killed.
    server.setblocking(False)
    try:
        while True:
            server.accept()[0].close()
    except BlockingIOError:
        server.settimeout(60)
    return spent


def main():
    keyward, rounds = pathlib.Path(sys.argv[1]) / "bin/keyward", int(sys.argv[2])
    with tempfile.TemporaryDirectory() as work, socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        listening, closed = pathlib.Path(work, "listening"), pathlib.Path(work, "closed")
        listening.write_text(KUBECONFIG % server.getsockname()[1])
        closed.write_text(KUBECONFIG % 1)
        measured = {
            "keyward --help": lambda: ended([keyward, "--help"], 0),
            "keyward version": lambda: ended([keyward, "version"], 0),
            "keyward version -o json": lambda: ended([keyward, "version", "-o", "json"], 0),
            "keyward status, to the first connection":
                lambda: connected([keyward, "status", "--kubeconfig", listening], server),
            "keyward status, API server down": lambda: ended([keyward, "status", "--kubeconfig", closed], 2),
        }
        spent = {what: [] for what in measured}
        for round_number in range(rounds + 1):
            for what, measure in measured.items():
                time_ = measure()
                # The first round reads the files from the disk.
                if round_number:
                    spent[what].append(time_)
    rows = []
    for what, times in spent.items():
        ours = statistics.median(times)
        print(f"{what}: median {ours:.0f} ms, {min(times):.0f} to {max(times):.0f}")
        rows.append({"what": f"{what}, median", "unit": "ms", "ours": round(ours, 1), "against": "limit",
                     "other": LIMIT, "ratio": round(ours / LIMIT, 3), "mustReach": "<= 1.00 x", "reached": ours <= LIMIT})
    load = pathlib.Path("/proc/loadavg").read_text().strip()
    print("load average", load)
    if len(sys.argv) > 3:
        result = {"rows": rows, "rounds": rounds, "loadAverageAfter": load}
        pathlib.Path(sys.argv[3]).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0 if all(row["reached"] for row in rows) else 1


if "KEYWARD_AOT" not in os.environ:
    sys.exit(main())
raise SystemExit("bench: KEYWARD_AOT is set")
