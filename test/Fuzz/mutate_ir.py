"""Mutated IR through every pass: mutate_ir.py --mutants=A..B [--keep=DIR] [--jobs=N].

A mutant is a test input with a few changes: bytes, tokens, attributes moved between
operations, lines deleted, doubled or exchanged. It may be refused; a crash or a run past
the deadline is a fault. Prints each fault and the counts.
"""
import collections
import os
import pathlib
import random
import re
import subprocess
import sys

import numbered

TESTS = pathlib.Path(__file__).resolve().parent.parent
MODELS = TESTS.parent / "examples" / "models"
SECONDS = 60
PASSES = ("zero-flatten-control-flow", "zero-expand-structured", "zero-differentiate",
          "zero-insert-update", "zero-recompute", "zero-form-buckets", "zero-partition",
          "zero-form-kernels", "select-kernel-config", "convert-zero-to-rt", "rt-plan-memory",
          "rt-verify-schedule", "convert-kernels-to-cpu", "convert-rt-to-llvm", "canonicalize",
          "cse", "zero-partition=stage=3 world-size=2", "zero-form-buckets=world-size=2",
          "zero-plan-cuts=stage=3 world-size=2", "convert-zero-to-rt=world-size=2")
PIPELINES = ("zero-compile-to-rt=stage=3 world-size=2", "zero-compile-to-rt=stage=0 world-size=1",
             "zero-compile=stage=2 world-size=3")
TOKEN = re.compile(r'"[^"\n]*"|[#%@!\w.]+|->|[^\w\s]')
ATTRIBUTES = re.compile(r"\{[^{}\n]*=[^{}\n]*\}")
NUMBERS = ("0", "1", "-1", "2", "3", "7", "64", "9223372036854775807", "-9223372036854775808",
           "4294967296", "1.0e308", "0x7FC00000")
TYPES = ("f32", "f64", "bf16", "f16", "i1", "i32", "i64", "index", "f128", "i0", "complex<f32>")

# Faults of upstream's own parsers, verifiers and folders, by the function that crashes.
KNOWN = (
    "mlir::detail::Parser::parseDenseArrayAttr(",  # array<index: ...> asks for its width
    "mlir::linalg::ReduceOp::parse(",              # dimensions that are no integers
)


def inputs():
    """Test inputs that zero-opt reads, each by itself."""
    texts = []
    for path in sorted(TESTS.rglob("*.mlir")) + [MODELS / "mlp.mlir"]:
        if "Fuzz" in path.parts:
            continue
        texts += [part for part in re.split(r"^// -----.*$", path.read_text(), flags=re.M)
                  if part.strip()]
    return texts


def change_bytes(text, source):
    at = source.randrange(len(text))
    return text[:at] + chr(source.randrange(32, 127)) + text[at + source.randrange(2):]


def change_tokens(text, source):
    tokens = list(TOKEN.finditer(text))
    if len(tokens) < 2:
        return text
    one = source.choice(tokens)
    same = [t for t in tokens if t.group()[0] == one.group()[0]] or tokens
    return text[:one.start()] + source.choice(same).group() + text[one.end():]


def change_numbers(text, source):
    numbers = list(re.finditer(r"(?<![\w%@.])-?\d+(\.\d+)?(e[+-]?\d+)?", text))
    if not numbers:
        return text
    one = source.choice(numbers)
    return text[:one.start()] + source.choice(NUMBERS) + text[one.end():]


def change_types(text, source):
    types = list(re.finditer(r"(?<=[x<: ])(f32|f64|i32|i64|index|i1)\b", text))
    if not types:
        return text
    one, kind = source.choice(types), source.choice(TYPES)
    if source.random() < 0.5:
        return text[:one.start()] + kind + text[one.end():]
    return re.sub(rf"\b{one.group()}\b", kind, text)


def swap_attributes(text, source):
    attributes = list(ATTRIBUTES.finditer(text))
    if len(attributes) < 2:
        return text
    one, other = sorted(source.sample(attributes, 2), key=lambda match: match.start())
    return (text[:one.start()] + other.group() + text[one.end():other.start()] + one.group() +
            text[other.end():])


def change_lines(text, source):
    lines = text.splitlines()
    one, other = source.randrange(len(lines)), source.randrange(len(lines))
    kind = source.randrange(3)
    if kind == 0:
        del lines[one]
    elif kind == 1:
        lines.insert(other, lines[one])
    else:
        lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines) + "\n"


CHANGES = (change_bytes, change_tokens, change_tokens, change_numbers, change_numbers,
           change_types, change_types, swap_attributes, swap_attributes, change_lines)


def mutant(number, texts):
    source = random.Random(number)
    text = source.choice(texts)
    for _ in range(source.choice((1, 1, 1, 2, 3))):
        text = source.choice(CHANGES)(text, source) or "\n"
    if source.random() < 0.4:
        passes = [source.choice(PIPELINES)]
    else:
        passes = source.choices(PASSES, k=source.choice((1, 1, 2, 4)))
    return text, [f"--{name}" for name in passes]


def check(number, keep):
    text, passes = mutant(number, inputs())
    command = ["zero-opt", "-", *passes, "-o", os.devnull]
    try:
        result = subprocess.run(command, input=text.encode("utf-8", "replace"),
                                capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        result = None
    if result is not None and result.returncode >= 0:
        return number, "accepted" if result.returncode == 0 else "refused", ""
    words = result.stderr.decode("utf-8", "replace") if result else f"ran past {SECONDS} s"
    if any(known in words for known in KNOWN):
        return number, "known", ""
    if keep:
        pathlib.Path(keep).mkdir(parents=True, exist_ok=True)
        name = pathlib.Path(keep) / f"{number}.mlir"
        name.write_text(f"// RUN: zero-opt {' '.join(repr(p) for p in passes)}\n{text}")
        name.with_suffix(".txt").write_text(words)
    frames = [line.split(None, 2)[-1] for line in words.splitlines() if " zero::" in line or
              "mlir::" in line]
    return number, "crashed" if result else "hung", f"{passes} {frames[:1] or words[-200:]}"


def main():
    numbers, keep, jobs = numbered.parse(__doc__, "mutants", "0..300")
    counts = collections.Counter()
    for number, kind, text in numbered.run(check, numbers, keep, jobs, chunk=8):
        counts[kind] += 1
        if text:
            print(f"mutant {number}: {kind}: {text}", flush=True)
    print(f"{len(numbers)} mutants: " + ", ".join(f"{count} {kind}" for kind, count in
                                                  sorted(counts.items())))
    sys.exit(1 if counts["crashed"] + counts["hung"] else 0)


if __name__ == "__main__":
    main()
