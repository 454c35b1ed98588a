"""What the benchmarks share: building inputs, running both sides, medians."""
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def environment():
    """OpenBLAS picks slow kernels where these are set: unset for both sides."""
    env = dict(os.environ)
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
        env.pop(name, None)
    return env


def run(command):
    result = subprocess.run([str(c) for c in command], env=environment(), capture_output=True,
                            text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def write_model(work, name, *options):
    path = work / f"{name}.mlir"
    path.write_text(run([sys.executable, ROOT / "examples/models/generate.py", name, *options]))
    return path


def write_tokens(work):
    """16-bit tokens: what they are does not change the time."""
    path = work / "tokens.bin"
    path.write_bytes(bytes((i * 7919 >> 3) & (0xFF if i % 2 == 0 else 0x7F)
                           for i in range(1 << 20)))
    return path


def zero_run(build, work, model, data, steps, **options):
    """Seconds of each step but the first, and the report."""
    report = work / "report.json"
    run([build / "bin/zero-run", model, f"--data={data}", f"--steps={steps}", "--lr=1e-4",
         f"--report={report}", *(f"--{k.replace('_', '-')}={v}" for k, v in options.items())])
    return json.loads(report.read_text())


def fma_peak(work, threads):
    """Measured f32 multiply-adds of `threads` threads, in FLOP/s."""
    program = work / "fma_peak"
    if not program.exists():
        run(["clang-22", "-O3", "-march=native", ROOT / "bench/fma_peak.c", "-o", program,
             "-lpthread"])
    return float(run([program, threads])) * 1e9


def median(values):
    return statistics.median(values)
