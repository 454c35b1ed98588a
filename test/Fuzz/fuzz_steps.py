"""Random steps against PyTorch: fuzz_steps.py --seeds=A..B [--keep=DIR] [--jobs=N].

For each seed in [A, B), in f64:
  - loss and gradients of the first step on one rank are PyTorch's;
  - the loss of the first step has the same bits for the learning rates 0 and 2^20, and for
    1e-3 where the seed is a multiple of four;
  - two steps on three ranks give the same bits at stages 0 and 3, and at all four where the
    seed is a multiple of four.
Prints a line for each seed that is wrong or refused, and the counts at the end.
"""
import collections
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "EndToEnd" / "pytorch")]

import torch

import numbered
from compare import read_safetensors
from random_steps import random_step

RATE = 2.0 ** 20
BOUND = 1e-10    # of the largest gradient
SECONDS = 120
RIGHT, REFUSED, WRONG, CRASHED = "right", "refused", "wrong", "crashed"


class Failure(Exception):
    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


def write_inputs(graph, work):
    options = []
    for role, (_, element, records) in graph.inputs.items():
        kind = "d" if element == "f64" else "i"
        values = [v for record in records for v in record.flatten().tolist()]
        (work / role).write_bytes(struct.pack(f"<{len(values)}{kind}", *values))
        options.append(f"--input={role}={work / role}")
    return options


def run(model, work, feed, **options):
    """Losses and final parameters of one run of zero-run."""
    report, dump = work / "report.json", work / "dump"
    command = ["zero-run", str(model), "--seed=1", "--threads-per-rank=1",
               f"--report={report}", f"--dump-parameters={dump}", *feed]
    command += [f"--{name}={value}" for name, value in options.items()]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Failure(CRASHED, f"ran past {SECONDS} s: {' '.join(command)}")
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if "error" in line.lower()]
        kind = REFUSED if result.returncode == 1 else CRASHED
        raise Failure(kind, f"status {result.returncode}: " +
                      (lines or result.stderr.splitlines() or ["no word"])[0].strip())
    return json.loads(report.read_text())["losses"], read_safetensors(dump)


def same_bits(one, other):
    return one.keys() == other.keys() and all(
        torch.equal(one[name].view(torch.int64), other[name].view(torch.int64)) for name in one)


def check_gradients(graph, loss, got_loss, initial, after):
    want_loss, gradients = graph.evaluate(loss, initial, 0)
    if not abs(got_loss - want_loss) <= BOUND * max(1.0, abs(want_loss)):
        raise Failure(WRONG, f"loss is {got_loss!r}; PyTorch has {want_loss!r}")
    largest = max((g.abs().max().item() for g in gradients.values() if g.numel()), default=0.0)
    for name, want in gradients.items():
        got = (initial[name] - after[name]) / RATE
        if not want.numel():
            continue
        difference = (got - want).abs().max().item()
        if not difference <= BOUND * max(1.0, largest):
            raise Failure(WRONG, f"gradient of {name} differs by {difference:.3g}; the largest "
                          f"gradient is {largest:.3g}")


def check(seed, work):
    torch.set_default_dtype(torch.float64)
    graph, loss = random_step(seed)
    model = work / "step.mlir"
    model.write_text(graph.text(loss))
    feed = write_inputs(graph, work)
    alone = {"ranks": 1, "stage": 0, "steps": 1}
    (first,), initial = run(model, work, feed, lr=0, **alone)
    thorough = seed % 4 == 0
    for rate in (1e-3, RATE) if thorough else (RATE,):
        (again,), after = run(model, work, feed, lr=rate, **alone)
        if again != first:
            raise Failure(WRONG, f"the first loss is {first!r} at rate 0, {again!r} at {rate}")
    check_gradients(graph, loss, first, initial, after)
    runs = [run(model, work, feed, lr=1e-3, ranks=3, stage=stage, steps=2)
            for stage in ((0, 1, 2, 3) if thorough else (0, 3))]
    for losses, parameters in runs[1:]:
        if losses != runs[0][0] or not same_bits(parameters, runs[0][1]):
            raise Failure(WRONG, "stages differ on three ranks")


def check_seed(seed, keep):
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        try:
            check(seed, work)
            return seed, RIGHT, ""
        except Failure as failure:
            if keep and (work / "step.mlir").exists():
                pathlib.Path(keep).mkdir(parents=True, exist_ok=True)
                text = f"// seed {seed}: {failure.kind}: {failure}\n"
                text += (work / "step.mlir").read_text()
                (pathlib.Path(keep) / f"{seed}.mlir").write_text(text)
            return seed, failure.kind, str(failure)


def main():
    seeds, keep, jobs = numbered.parse(__doc__, "seeds", "0..100")
    counts = collections.Counter()

    def summary(done):
        return f"{done} seeds: " + ", ".join(f"{counts[kind]} {kind}" for kind in
                                             (RIGHT, REFUSED, WRONG, CRASHED))
    for seed, kind, text in numbered.run(check_seed, seeds, keep, jobs):
        counts[kind] += 1
        if kind != RIGHT:
            print(f"seed {seed}: {kind}: {text}", flush=True)
        done = seed + 1 - seeds.start
        if done % 500 == 0 and done < len(seeds):
            print(summary(done), flush=True)
    print(summary(len(seeds)))
    sys.exit(0 if counts[RIGHT] == len(seeds) else 1)


if __name__ == "__main__":
    main()
