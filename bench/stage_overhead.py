#!/usr/bin/env python3
"""GPT-2 small on two ranks of 2 x 256 tokens: the step at stage 3 against stage 0.

    stage_overhead.py [--build=build] [--rounds=3] [--steps=4]

Stages take turns in one run on one machine. Prints median seconds a step and the ratio.
"""
import argparse
import pathlib
import tempfile

import common


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=common.ROOT / "build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        model = common.write_model(work, "gpt2-small", "--batch=2", "--sequence=256")
        data = common.write_tokens(work)
        seconds = {0: [], 3: []}
        for _ in range(options.rounds):
            for stage in seconds:
                report = common.zero_run(options.build, work, model, data, options.steps, ranks=2,
                                         stage=stage)
                seconds[stage].append(report["step_seconds"]["median"])
    medians = {stage: common.median(values) for stage, values in seconds.items()}
    for stage, value in medians.items():
        print(f"stage {stage}: {value:.3f} s/step")
    print(f"stage 3 / stage 0 = {medians[3] / medians[0]:.3f}")


if __name__ == "__main__":
    main()
