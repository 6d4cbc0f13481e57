#!/usr/bin/env python3
"""Prints the slowest test classes of a build and fails on tests that were skipped without being expected.

usage: test-report.py [ROOT]   ROOT is the project's root (default: the directory above this script)

A skipped test looks like a passed one. Each that may be skipped stands in bin/expected-skips.txt, as
CLASS.METHOD with the reason behind a '#'; one that is listed and runs is reported, too, unless its reason
begins with "if".
"""
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

SLOWEST = 20

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
classes, skipped, seen, total = [], set(), set(), 0
for report in root.glob("**/target/*-reports/TEST-*.xml"):
    suite = ElementTree.parse(report).getroot()
    classes.append((float(suite.get("time", "0").replace(",", "")), suite.get("name", "?")))
    for case in suite.iter("testcase"):
        total += 1
        name = f'{case.get("classname")}.{case.get("name", "").split("(")[0].split("[")[0].split("{")[0]}'
        seen.add(name)
        if case.find("skipped") is not None:
            skipped.add(name)

if not classes:
    sys.exit("test-report: no reports of tests found below " + str(root))

print(f"The {SLOWEST} slowest of {len(classes)} test classes, {total} tests:")
for seconds, name in sorted(classes, reverse=True)[:SLOWEST]:
    print(f"  {seconds:7.1f} s  {name}")

listed = (root / "bin" / "expected-skips.txt").read_text(encoding="utf-8").splitlines()
expected = {line.split("#")[0].strip() for line in listed} - {""}
unexpected = sorted(skipped - expected)
if unexpected:
    print("test-report: skipped, and not listed in bin/expected-skips.txt:")
    for name in unexpected:
        print(f"  {name}")
always = {line.split("#")[0].strip() for line in listed if "# if " not in line}
for name in sorted((always & seen) - skipped):
    print(f"test-report: {name} is listed in bin/expected-skips.txt and was not skipped; remove the line")
sys.exit(1 if unexpected else 0)
