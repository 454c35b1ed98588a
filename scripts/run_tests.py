#!/usr/bin/env python3
"""Runs the GoogleTest programs and the lit suite of a build tree.

Prints what fails as it was printed by the test, then one line that counts:
`N passed, M failed` (and `, K skipped`). Exits with 1 if anything failed or
nothing ran.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

LIT = "/usr/lib/llvm-22/bin/lit"
SECONDS_PER_PROGRAM = 900
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


class Tally:
    def __init__(self):
        self.counts = {PASSED: 0, FAILED: 0, SKIPPED: 0}

    def add(self, outcome, name, detail=""):
        self.counts[outcome] += 1
        if outcome == FAILED:
            print(f"FAILED: {name}\n{detail}", flush=True)
        elif outcome == SKIPPED:
            print(f"skipped: {name}: {detail.strip() or 'no reason given'}", flush=True)


def environment():
    env = dict(os.environ)
    # With these set, OpenBLAS (under PyTorch and numpy) picks slow kernels.
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        env.pop(name, None)
    return env


def read_json(path):
    try:
        return json.loads(pathlib.Path(path).read_text())
    except (OSError, ValueError):
        return None


def add_unit_case(tally, suite, case):
    name = f"{suite}.{case['name']}"
    if case.get("failures"):
        tally.add(FAILED, name, "\n".join(f["failure"] for f in case["failures"]))
    elif case.get("result") == "SKIPPED":
        reasons = " ".join(s.get("message", "") for s in case.get("skipped", []))
        tally.add(SKIPPED, name, reasons)
    else:
        tally.add(PASSED, name)


def run_unit_program(tally, program, scratch):
    output = scratch / (program.name + ".json")
    command = [str(program), f"--gtest_output=json:{output}", "--gtest_brief=1"]
    try:
        result = subprocess.run(command, env=environment(), timeout=SECONDS_PER_PROGRAM,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except subprocess.TimeoutExpired:
        tally.add(FAILED, program.name, f"ran past {SECONDS_PER_PROGRAM} s")
        return
    report = read_json(output)
    failed_before = tally.counts[FAILED]
    for suite in (report or {}).get("testsuites", []):
        for case in suite["testsuite"]:
            add_unit_case(tally, suite["name"], case)
    if result.returncode != 0 and tally.counts[FAILED] == failed_before:
        tally.add(FAILED, program.name, f"exit status {result.returncode}\n{result.stdout}")


LIT_OUTCOMES = {"PASS": PASSED, "XFAIL": PASSED, "FLAKYPASS": PASSED,
                "UNSUPPORTED": SKIPPED, "SKIPPED": SKIPPED}


def run_lit(tally, build, scratch):
    output = scratch / "lit.json"
    command = [LIT, "-q", "--time-tests", "--timeout", str(SECONDS_PER_PROGRAM),
               "-j", "2", "-o", str(output), str(build / "test")]
    result = subprocess.run(command, env=environment(), stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
    report = read_json(output)
    if report is None:
        tally.add(FAILED, "lit", result.stdout)
        return
    for test in report["tests"]:
        outcome = LIT_OUTCOMES.get(test["code"], FAILED)
        tally.add(outcome, test["name"], test.get("output", ""))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    tally = Tally()
    with tempfile.TemporaryDirectory() as scratch:
        for program in sorted((build / "bin" / "unit").glob("*")):
            print(f"test: {program.name}", flush=True)
            run_unit_program(tally, program, pathlib.Path(scratch))
        print("test: lit", flush=True)
        run_lit(tally, build, pathlib.Path(scratch))
    counts = tally.counts
    skipped = f", {counts[SKIPPED]} skipped" if counts[SKIPPED] else ""
    print(f"{counts[PASSED]} passed, {counts[FAILED]} failed{skipped}")
    return 1 if counts[FAILED] or not counts[PASSED] else 0


if __name__ == "__main__":
    sys.exit(main())
