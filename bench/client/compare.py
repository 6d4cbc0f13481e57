"""Runs CompareClients in turns and keeps the medians. Called by run.sh."""

import json
import os
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RESULT = os.path.join(ROOT, "bench/results/client.json")
RUNS = 3
ROUNDS = "250"
WHAT = [
    ("p50ms", "get, list of 200 and server-side apply, p50", "ms"),
    ("cpuMs", "processor time of the process for these three requests", "ms"),
    ("residentMb", "resident memory afterwards", "MB"),
    ("classes", "loaded classes", ""),
]

with open(os.path.join(ROOT, "bench/target/classpath")) as file:
    classpath = "bench/target/classes:" + file.read().strip()
# The operator's flags.
java = [
    sys.argv[1], "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
    "-XX:+UseCompactObjectHeaders", "-cp", classpath, "io.keyward.bench.client.CompareClients",
]

server = subprocess.Popen(java + ["fill"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
try:
    kubeconfig = server.stdout.readline().strip()
    found = {"api": [], "typed": []}
    for _ in range(RUNS):
        for kind, results in found.items():
            run = subprocess.run(
                java + [kind, ROUNDS, kubeconfig], stdout=subprocess.PIPE, text=True, check=True)
            results.append(json.loads(run.stdout))
finally:
    server.stdin.close()
    server.wait()

rows = []
for key, what, unit in WHAT:
    ours, other = (statistics.median(run[key] for run in found[kind]) for kind in ("api", "typed"))
    rows.append({
        "what": what, "unit": unit, "ours": ours, "against": "typed client", "other": other,
        "ratio": ours / other})
    print(f"{what}: {ours:.2f} {unit}, typed client {other:.2f} {unit}, ratio {ours / other:.2f}")
with open(RESULT, "w") as file:
    json.dump({"rows": rows}, file, indent=1, sort_keys=True)
