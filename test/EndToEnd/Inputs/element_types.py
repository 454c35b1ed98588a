"""Every element type of a parameter under every optimizer, through every math operation.

    element_types.py WORK

Each step trains on three ranks at stage 3 and at stage 0: the same bits, finite losses.
"""
import json
import pathlib
import subprocess
import sys

TYPES = ("f64", "f32", "bf16", "f16")
OPTIMIZERS = ("sgd", "momentum", "adam", "adamw")
UNARY = ("math.exp", "math.exp2", "math.expm1", "math.sin", "math.cos", "math.tan", "math.atan",
         "math.sinh", "math.cosh", "math.tanh", "math.erf", "math.absf", "arith.negf")
POSITIVE = ("math.log", "math.log2", "math.log10", "math.log1p", "math.sqrt", "math.rsqrt")
BINARY = ("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf",
          "arith.minimumf", "math.powf", "math.atan2")


def model(element, optimizer):
    kind = f"tensor<19x{element}>"
    lines = [f"zero.parameter @w : {kind} {{init = #zero.uniform<0.25, 0.75>}}",
             f"zero.step @train() optimizer #zero.{optimizer}<> attributes {{samples = 1 : i64}} {{",
             f"  %w = zero.read @w : {kind}", f"  %half = arith.constant dense<0.5> : {kind}"]
    values = []
    for name in UNARY + POSITIVE:
        values.append(f"%v{len(values)}")
        lines.append(f"  {values[-1]} = {name} %w : {kind}")
    for name in BINARY:
        values.append(f"%v{len(values)}")
        lines.append(f"  {values[-1]} = {name} %w, %half : {kind}")
    total = values[0]
    for number, value in enumerate(values[1:]):
        lines.append(f"  %s{number} = arith.addf {total}, {value} : {kind}")
        total = f"%s{number}"
    scalar = f"tensor<{element}>"
    lines += [f"  %zero = arith.constant 0.0 : {element}", f"  %e = tensor.empty() : {scalar}",
              f"  %z = linalg.fill ins(%zero : {element}) outs(%e : {scalar}) -> {scalar}",
              f"  %l = linalg.reduce {{ arith.addf }} ins({total} : {kind}) outs(%z : {scalar}) "
              "dimensions = [0]", f"  zero.yield %l : {scalar}", "}"]
    return "\n".join(lines) + "\n"


def train(path, work, stage):
    report, dump = work / "report.json", work / "dump"
    command = ["zero-run", str(path), "--ranks=3", f"--stage={stage}", "--steps=2", "--lr=0.01",
               f"--report={report}", f"--dump-parameters={dump}"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: {result.returncode}\n{result.stderr}\n{path.read_text()}")
    return json.loads(report.read_text())["losses"], dump.read_bytes()


def main():
    work = pathlib.Path(sys.argv[1])
    work.mkdir(parents=True, exist_ok=True)
    for element in TYPES:
        for optimizer in OPTIMIZERS:
            path = work / f"{element}-{optimizer}.mlir"
            path.write_text(model(element, optimizer))
            if train(path, work, 0) != train(path, work, 3):
                sys.exit(f"{element} under {optimizer}: stages 0 and 3 differ")
    print(f"{len(TYPES) * len(OPTIMIZERS)} combinations")


if __name__ == "__main__":
    main()
