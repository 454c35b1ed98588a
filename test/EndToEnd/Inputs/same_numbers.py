"""Trains one example model many times and compares bits.

    same_numbers.py stages GENERATOR WORK NAME [option of generate.py...]
        20 steps at stages 0 to 3 for 2, 3 and 4 ranks, and each stage 3 twice: losses
        and final parameters have the same bits.
    same_numbers.py ranks GENERATOR WORK NAME [option...]
        one rank with batch 4 against two ranks with batch 2 on the same samples:
        losses within 2e-6 (relative) over 20 steps.
"""
import json
import pathlib
import subprocess
import sys

STEPS = 20


def generate(generator, name, options, batch, path):
    with open(path, "w") as out:
        subprocess.run([sys.executable, generator, name, f"--batch={batch}", *options], check=True,
                       stdout=out)


def feeding(work, name):
    """How zero-run is fed: text, or random records for the mlp."""
    if name != "mlp":
        text = work / "text"
        text.write_bytes(b"".join(pathlib.Path(p).read_bytes() for p in sorted(
            pathlib.Path("/usr/share/common-licenses").iterdir()) if pathlib.Path(p).is_file()))
        return [f"--data={text}"]
    import random
    import struct
    random.seed(7)
    values = [random.gauss(0, 1) for _ in range(3072)]
    for role in ("x", "target"):
        (work / role).write_bytes(struct.pack("<3072f", *values))
    return [f"--input={role}={work / role}" for role in ("x", "target")]


def train(model, feed, work, **options):
    report, parameters = work / "report.json", work / "parameters"
    command = ["zero-run", str(model), f"--steps={STEPS}", "--lr=0.01", "--seed=3", *feed,
               f"--report={report}", f"--dump-parameters={parameters}"]
    command += [f"--{key.replace('_', '-')}={value}" for key, value in options.items()]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    return json.loads(report.read_text()), parameters.read_bytes()


def compare_stages(generator, work, name, options):
    model = work / "model.mlir"
    generate(generator, name, options, 2, model)
    feed = feeding(work, name)
    for ranks in (2, 3, 4):
        runs = [train(model, feed, work, ranks=ranks, stage=stage) for stage in (0, 1, 2, 3, 3)]
        first_report, first_parameters = runs[0]
        for report, parameters in runs[1:]:
            where = f"{ranks} ranks, stage {report['stage']}"
            if report["losses"] != first_report["losses"]:
                sys.exit(f"{where}: losses differ from stage 0")
            if parameters != first_parameters:
                sys.exit(f"{where}: parameters differ from stage 0")
            if report["packing_copy_bytes"]:
                sys.exit(f"{where}: packs {report['packing_copy_bytes']} bytes")
        sizes = [report["planned"]["device_bytes"] for report, _ in runs[:4]]
        if sizes != sorted(sizes, reverse=True):
            sys.exit(f"{ranks} ranks: planned bytes rise with the stage: {sizes}")
        print(f"{ranks} ranks: same bits at every stage, planned bytes {sizes}")


def compare_ranks(generator, work, name, options):
    one, two = work / "one.mlir", work / "two.mlir"
    generate(generator, name, options, 4, one)
    generate(generator, name, options, 2, two)
    feed = feeding(work, name)
    alone = train(one, feed, work, ranks=1, stage=0)[0]["losses"]
    both = train(two, feed, work, ranks=2, stage=2)[0]["losses"]
    worst = max(abs(a - b) / abs(a) for a, b in zip(alone, both))
    if len(alone) != STEPS or worst > 2e-6:
        sys.exit(f"one rank and two differ by {worst:.3g}")
    print("one rank and two agree")


def main():
    what, generator, work, name, *options = sys.argv[1:]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    {"stages": compare_stages, "ranks": compare_ranks}[what](generator, work, name, options)


if __name__ == "__main__":
    main()
