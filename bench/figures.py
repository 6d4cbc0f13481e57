#!/usr/bin/env python3
"""Generate the figures in docs/benchmarks.md from the results in bench/results.

usage: bench/figures.py            rewrites the tables between the markers
       bench/figures.py --check    exits with 1 and shows a diff if a document differs from the results
"""
import difflib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
DOCUMENT = ROOT / "docs" / "benchmarks.md"
BLOCK = re.compile(r"(<!-- figures: (\S+) -->\n)(.*?)(<!-- /figures -->)", re.DOTALL)

# Programs that name no unit say it in the name of the row; some names are too short for a reader.
# name in the result: (name in the document, unit, what it is compared with)
ROWS = {
    "encrypt, 1 caller(s): p50, µs": ("Encrypt, 1 caller, p50", "µs", "floor"),
    "encrypt, 8 caller(s): p99, µs": ("Encrypt, 8 callers, p99", "µs", "floor"),
    "encrypt, 64 caller(s): calls/s": ("Encrypt, 64 callers", "calls/s", "floor"),
    "decrypt, 1 caller(s): p50, µs": ("Decrypt, 1 caller, p50", "µs", "floor"),
    "decrypt, 8 caller(s): p99, µs": ("Decrypt, 8 callers, p99", "µs", "floor"),
    "decrypt, 64 caller(s): calls/s": ("Decrypt, 64 callers", "calls/s", "floor"),
    "encrypt over plain HTTP, 1 caller(s): p50, µs": ("Encrypt over plain HTTP, 1 caller, p50", "µs", "floor"),
    "decrypt over plain HTTP, 1 caller(s): p50, µs": ("Decrypt over plain HTTP, 1 caller, p50", "µs", "floor"),
    "calls that failed": ("failed calls", "", "expected"),
    "calls that failed over plain HTTP": ("failed calls over plain HTTP", "", "expected"),
    "resident memory after the load, MB": ("resident memory after the load", "MB", "limit"),
    "decrypt from the cache, 1 caller: p50, µs": ("Decrypt from the cache, 1 caller, p50", "µs", "no backend"),
    "calls to Vault for each Encrypt, 8 callers": ("calls to Vault per Encrypt, 8 callers", "", "expected"),
    "calls to Vault for each Encrypt, 64 callers": ("calls to Vault per Encrypt, 64 callers", "", "limit"),
    "calls to Vault for 1000 Status": ("calls to Vault for 1,000 Status calls", "", "expected"),
    "new connections in 1024 calls of 64 callers": ("new connections in 1,024 calls of 64 callers", "", "expected"),
    "failed calls after the token was revoked": ("failed calls after the token was revoked", "", "expected"),
    "longest call while Vault hangs, ms": ("longest call while Vault hangs", "ms", "limit"),
    "well again after Vault goes on, ms": ("recovery after Vault resumes", "ms", "limit"),
    "longest call while Vault is down, ms": ("longest call while Vault is down", "ms", "limit"),
    "well again after Vault is back, ms": ("recovery after Vault restarts", "ms", "limit"),
    "wall time, s, against in-tree": ("wall time of a migration", "s", "in-tree"),
    "p99 of a reader, ms, against rest": ("p99 of a reader during a migration", "ms", "no migration"),
    "operator at rest, resident MB": ("operator at rest, resident memory", "MB", "limit"),
    "operator and agent at rest, writes a minute": ("operator and agent at rest, writes per minute", "", "limit"),
    "the same with a KMS on one node, its heartbeat": ("the same with a KMS on one node (its heartbeat)", "", "limit"),
    "values of KMS v2 opened in a minute": ("KMS v2 values decrypted per minute", "", "limit"),
    "smallest heap, 1000000 keys": ("smallest heap, 1,000,000 keys", "MB", "limit"),
    "heap growth for a key": ("heap growth per key", "bytes", "limit"),
    "start to good Status": ("start to first good Status", "ms", None),
}
PUTS = re.compile(r"objects/s, against no-op PUTs, (\d+) at once")


class Wrong(Exception):
    """A result or a document that no table can be made of."""


def number(value):
    """Three significant digits; counts as they are."""
    if value == int(value) and abs(value) < 1000:
        return f"{value:.0f}"
    for limit, digits in ((10, 2), (100, 1)):
        if abs(value) < limit:
            return f"{value:.{digits}f}"
    return f"{value:,.0f}"


def quantity(value, unit):
    times = ["µs", "ms", "s"]
    if unit in times:
        place = times.index(unit)
        while abs(value) >= 1000 and place < 2:
            value, place = value / 1000, place + 1
        unit = times[place]
    if unit == "MB":
        return f"{value:.1f} MB"
    return f"{number(value)} {unit}".strip()


def bound(text):
    return text.replace("<=", "≤").replace(">=", "≥").replace(" x", " ×")


def normal(row):
    """One form for the rows of all programs: what, unit, ours, against, other."""
    what, unit, against = row["what"], row.get("unit", ""), row.get("against")
    other = row["other"] if "other" in row else row["floor"] if "floor" in row else against
    puts = PUTS.fullmatch(what)
    if puts:
        what, unit, against = f"objects per second, {puts[1]} requests at once", "", "plain PUTs"
    elif what in ROWS:
        name, own_unit, own_against = ROWS[what]
        what, unit = name, unit or own_unit
        against = against if isinstance(against, str) else own_against
    if not isinstance(against, str):
        raise Wrong(f"row '{what}' names nothing that it is compared with; add it to ROWS in bench/figures.py")
    # Zero, and rows that must be equal, have no ratio.
    ratio = row["ratio"] if other and row.get("mustReach") != "equal" else None
    return what, "" if unit in ("calls", "values") else unit, row["ours"], against, other, ratio


def table(rows):
    lines = ["| what | ours | against | ratio | must reach | reached |", "|---|--:|--:|--:|---|---|"]
    for row in rows:
        what, unit, ours, against, other, ratio = normal(row)
        # A ratio far below one would be shown as 0.01 or 0.00.
        ratio = "" if ratio is None else f"{ratio:.3f}" if ratio < 0.1 else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"
        reached = {None: "", True: "yes", False: "**no**"}[row.get("reached")]
        lines.append(
            f"| {what} | {quantity(ours, unit)} | {against} {quantity(other, unit)} | {ratio} "
            f"| {bound(row.get('mustReach', ''))} | {reached} |".replace("|  |", "| |").replace("|  |", "| |")
        )
    return lines


def rollout(result):
    within = result["rest"] <= result["mustReach"]
    reached = "yes" if within else "**no**"
    return [
        "| what | time | must reach | reached |",
        "|---|--:|---|---|",
        f"| patch to `Encrypted=True`, {result['secrets']:,} secrets on three nodes | {quantity(result['seconds'], 's')} | | |",
        f"| of that, rollout of the API servers | {quantity(result['rollout'], 's')} | | |",
        f"| the remaining time | {quantity(result['rest'], 's')} | ≤ {result['mustReach']:.0f} s | {reached} |",
    ]


def mutation(score):
    return [
        "| what | ours | must reach | reached |",
        "|---|--:|---|---|",
        f"| mutation score of the deciders | {percent(score['score'])} % "
        f"| ≥ {required(score)} % | {'yes' if score['reached'] else '**no**'} |",
        f"| mutants | {score['mutants']} | | |",
        f"| of these killed | {score['killed']} | | |",
        f"| survived | {score['survived']} | | |",
        f"| in code that no test reaches | {score['noCoverage']} | | |",
    ]


def percent(score):
    return f"{score * 100:.1f}"


def required(score):
    return f"{float(score['mustReach'].removeprefix('>=')) * 100:.0f}"


def origin(name, result):
    """Where the figures come from: the file, the commit, the day and the machine."""
    machine = result.get("machine", {})
    facts = []
    facts.append(f"{machine['cores']} cores" if machine else "machine not recorded")
    if "processor" in machine:
        facts += [f"{machine['memoryGB']} GB", machine["processor"]]
    if "jdk" in machine:
        facts += [f"JDK {machine['jdk']}", machine["go"].replace("go", "Go ")]
    if "file" in result:
        facts.append(f"{result['file']['keys']:,} keys, {result['file']['bytes'] / 1e9:.2f} GB")
    if "secrets" in result:
        facts.append(f"{result['secrets']:,} secrets")
    if "mutationScore" in result:
        facts.append(result["mutationScore"]["tool"])
    for key, when in (("loadAverageBefore", "before"), ("loadAverageAfter", "after")):
        load = str({**machine, **result}.get(key, "")).split()
        if load:
            facts.append(f"load average {' '.join(load[:3])} {when} the run")
    commit, dirty = re.fullmatch(r"(\w+?)(-dirty)?", result["commit"]).groups()
    kind = {"measured on": "Measured on", "recorded by": "Recorded by"}[result["commitIs"]]
    changed = " with uncommitted changes" if dirty else ""
    return f"{kind} commit `{commit}`{changed} ({result['date']}), `bench/results/{name}`: {', '.join(facts)}."


def load(name):
    file = RESULTS / name
    if not file.is_file():
        raise Wrong(f"bench/results/{name} does not exist")
    result = json.loads(file.read_text(encoding="utf-8"))
    missing = [field for field in ("commit", "commitIs", "date") if field not in result]
    if missing:
        raise Wrong(f"bench/results/{name} has no {', '.join(missing)}; keep results with bench/keep.py")
    return result


def block(name):
    result = load(name)
    if "mutationScore" in result:
        lines = mutation(result["mutationScore"])
    elif "rows" in result:
        lines = table(result["rows"])
    else:
        lines = rollout(result["result"])
    return "\n".join(["", origin(name, result), "", *lines, "", ""])


def generated(text):
    """The document with the tables of today's results."""
    named = [name for _, name, _, _ in BLOCK.findall(text)]
    if len(named) != text.count("<!-- figures:") or len(named) != text.count("<!-- /figures -->"):
        raise Wrong("docs/benchmarks.md: each <!-- figures: FILE --> needs its <!-- /figures -->")
    unnamed = {file.name for file in RESULTS.glob("*.json")} - set(named)
    if unnamed:
        raise Wrong(f"docs/benchmarks.md has no <!-- figures: … --> block for {', '.join(sorted(unnamed))}")
    return BLOCK.sub(lambda match: match[1] + block(match[2]) + match[4], text)


def other_scores():
    """Sentences about the mutation score whose percentage is neither the kept score nor its bound."""
    kept = load("engine.json")["mutationScore"]
    right = {percent(kept["score"]), f"{kept['score'] * 100:.0f}", required(kept)}
    documents = [*ROOT.glob("*.md"), ROOT / "bench" / "README.md", *ROOT.glob("docs/**/*.md")]
    for document in sorted(documents):
        text = document.read_text(encoding="utf-8")
        for paragraph in re.split(r"\n\s*\n|\n(?=[|#*-])", text):
            if not re.search(r"mutation\s+score|mutants?\s+(were\s+)?killed", paragraph, re.IGNORECASE):
                continue
            for score in re.findall(r"(\d+(?:\.\d+)?)\s*(?:%|percent)", paragraph):
                if score not in right:
                    yield f"{document.relative_to(ROOT)}: mutation score {score} %, bench/results/engine.json {percent(kept['score'])} %"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 64
    try:
        text = DOCUMENT.read_text(encoding="utf-8")
        right = generated(text)
        faults = list(other_scores())
    except (Wrong, ValueError, KeyError, AttributeError) as fault:
        print(f"figures: {fault if isinstance(fault, Wrong) else repr(fault)}", file=sys.stderr)
        return 1
    if sys.argv[1:]:
        lines = (text.splitlines(keepends=True), right.splitlines(keepends=True))
        sys.stderr.writelines(difflib.unified_diff(*lines, "docs/benchmarks.md", "bench/results", n=0))
        if text != right:
            faults.append("docs/benchmarks.md differs from bench/results; run bench/figures.py")
    elif text != right:
        DOCUMENT.write_text(right, encoding="utf-8")
    for fault in faults:
        print(f"figures: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
