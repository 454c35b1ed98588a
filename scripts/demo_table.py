#!/usr/bin/env python3
"""Prints the table of the demo from its reports; fails if what must hold does not."""
import json
import pathlib
import sys

LEARNED = 2.5  # nats a byte
LAST = 50      # steps whose mean is the loss at the end: batches differ by 0.2 nats


def load(path):
    return json.loads(pathlib.Path(path).read_text())


def row(report):
    planned, measured = report["planned"], report["measured"]
    kinds = planned["collectives"].values()
    return [str(report["stage"]), f"{report['losses'][-1]:.9g}",
            f"{planned['device_bytes'] / 2**20:.1f}", f"{measured['device_bytes'] / 2**20:.1f}",
            str(sum(kind["count"] for kind in kinds)),
            f"{sum(kind['bytes_sent'] for kind in kinds) / 2**20:.1f}",
            f"{report['step_seconds']['median']:.3f}"]


HEADER = ["stage", "final loss", "planned MiB/rank", "measured MiB/rank", "collectives",
          "sent MiB/rank", "s/step"]


def main():
    folder = pathlib.Path(sys.argv[1])
    reports = [load(folder / f"stage{stage}.json") for stage in range(4)]
    rows = [HEADER] + [row(report) for report in reports]
    widths = [max(len(line[i]) for line in rows) for i in range(len(HEADER))]
    print()
    for line in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)))
    print("collectives and MiB sent are of 20 steps")
    learned = load(folder / "learning.json")["losses"]
    end = sum(learned[-LAST:]) / len(learned[-LAST:])
    print(f"loss at stage 3: {learned[0]:.3f} at first, {end:.3f} nats a byte at the end "
          f"(the mean of {min(LAST, len(learned))} of {len(learned)} steps)")
    if any(report["losses"] != reports[0]["losses"] for report in reports):
        sys.exit("demo: the losses of the stages differ")
    if end >= LEARNED:
        sys.exit(f"demo: the loss is not below {LEARNED} nats a byte")


if __name__ == "__main__":
    main()
