#!/usr/bin/env python3
"""Turn the report of PIT or JMH into a result file.

usage: bench/engine/result.py mutation PIT.xml RESULT.json
       bench/engine/result.py speed JMH.json RESULT.json
"""
import collections
import json
import sys
import xml.etree.ElementTree as xml

MUST_REACH = 0.85


def mutation(report):
    mutants = xml.parse(report).getroot().findall("mutation")
    status = collections.Counter(mutant.get("status") for mutant in mutants)
    # A mutant that never ends or runs out of memory is detected, too.
    killed = sum(mutant.get("detected") == "true" for mutant in mutants)
    score = killed / len(mutants)
    return {
        "mutationScore": {
            "tool": "PIT",
            "target": "deciders of core",
            "mutants": len(mutants),
            "killed": killed,
            "survived": status["SURVIVED"],
            "noCoverage": status["NO_COVERAGE"],
            "score": round(score, 3),
            "mustReach": f">= {MUST_REACH}",
            "reached": score >= MUST_REACH,
        }
    }


def row(what, unit, ours, limit, at_most):
    ratio = ours / limit
    return {
        "what": what,
        "unit": unit,
        "ours": ours,
        "against": "limit",
        "other": limit,
        "ratio": ratio,
        "mustReach": "<= 1.00 x" if at_most else ">= 1.00 x",
        "reached": ratio <= 1 if at_most else ratio >= 1,
    }


def speed(report):
    with open(report, encoding="utf-8") as text:
        metrics = {run["benchmark"].rsplit(".", 1)[1]: run for run in json.load(text)}
    turn = metrics["turn"]["primaryMetric"]
    steps = metrics["simulate"]["secondaryMetrics"]["steps"]
    if turn["scoreUnit"] != "us/op" or steps["scoreUnit"] != "ops/s":
        sys.exit(f"bench: unexpected units {turn['scoreUnit']} and {steps['scoreUnit']}")
    return {
        "rows": [
            row("one turn, 100 keys and 5 resources", "µs", turn["score"], 1000, True),
            row("simulated steps on one core", "steps/s", steps["score"], 20000, False),
        ]
    }


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("mutation", "speed"):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 64
    result = (mutation if sys.argv[1] == "mutation" else speed)(sys.argv[2])
    with open(sys.argv[3], "w", encoding="utf-8") as kept:
        kept.write(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
