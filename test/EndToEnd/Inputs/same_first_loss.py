"""The first loss of a step has the same bits at every stage, for 1 to 3 ranks that see the
same values, and for every learning rate: same_first_loss.py MODEL WORK WANTED."""
import itertools
import json
import pathlib
import subprocess
import sys


def main():
    model, work, wanted = sys.argv[1:]
    report = pathlib.Path(work + ".json")
    losses = set()
    for ranks, stage, rate in itertools.product((1, 2, 3), (0, 1, 2, 3), ("0", "1e-3", "1")):
        subprocess.run(["zero-run", model, f"--ranks={ranks}", f"--stage={stage}", "--steps=1",
                        f"--lr={rate}", f"--report={report}"], check=True,
                       stdout=subprocess.DEVNULL)
        losses.update(json.loads(report.read_text())["losses"])
    if len(losses) != 1 or abs(losses.pop() - float(wanted)) > 1e-6:
        sys.exit(f"losses {sorted(losses)}; want {wanted}")


if __name__ == "__main__":
    main()
