#!/usr/bin/env python3
"""GPT-2 small, f32, one rank with two threads, batch 4 x 256, against PyTorch.

    gpt2_small_vs_pytorch.py [--build=build] [--rounds=3] [--steps=4]
                             [--pytorch=NAME=PYTHON[:compile]]...

Sides take turns, round by round, in one run on one machine; the first step of each turn
is left out. Prints median seconds a step, ratios, and the part of the measured f32
multiply-add peak that is reached, counting 6 x parameters x tokens plus
12 x layers x sequence x width per token for attention.
"""
import argparse
import json
import pathlib
import tempfile

import common

THREADS, BATCH, SEQUENCE, LAYERS, WIDTH, PARAMETERS = 2, 4, 256, 12, 768, 124439808
FLOPS = (6 * PARAMETERS + 12 * LAYERS * SEQUENCE * WIDTH) * BATCH * SEQUENCE


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=common.ROOT / "build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--pytorch", action="append", metavar="NAME=PYTHON[:compile]",
                        help="default: debian=/usr/bin/python3")
    return parser.parse_args()


def pytorch_seconds(python, steps):
    python, _, mode = python.partition(":")
    command = [python, common.ROOT / "bench/pytorch_gpt2.py", f"--steps={steps}",
               f"--batch={BATCH}", f"--sequence={SEQUENCE}", f"--threads={THREADS}"]
    return json.loads(common.run(command + (["--compile"] if mode == "compile" else [])))["seconds"]


def main():
    options = parse_arguments()
    sides = dict(side.split("=", 1) for side in options.pytorch or ["debian=/usr/bin/python3"])
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        model = common.write_model(work, "gpt2-small", f"--batch={BATCH}",
                                   f"--sequence={SEQUENCE}")
        data = common.write_tokens(work)
        seconds = {"zero": [], **{name: [] for name in sides}}
        peaks = []
        for _ in range(options.rounds):
            peaks.append(common.fma_peak(work, THREADS))
            # Timed per step by the report's own steps: the median leaves out the first.
            report = common.zero_run(options.build, work, model, data, options.steps,
                                     threads_per_rank=THREADS)
            seconds["zero"].append(report["step_seconds"]["median"])
            for name, python in sides.items():
                seconds[name].append(common.median(pytorch_seconds(python, options.steps)[1:]))
    zero = common.median(seconds["zero"])
    print(f"f32 multiply-add peak of {THREADS} threads: {common.median(peaks) / 1e9:.0f} GFLOP/s")
    for name, values in seconds.items():
        step = common.median(values)
        print(f"{name:12} {step:7.3f} s/step   {FLOPS / step / common.median(peaks):5.1%} of peak"
              f"   zero/{name} = {zero / step:.3f}")


if __name__ == "__main__":
    main()
