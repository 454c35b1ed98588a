"""Reads a dump with the safetensors library: every name, shape, type and value.

    read_with_safetensors.py LIBRARY WORK
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, sys.argv[1])

import torch
from safetensors.torch import load_file

NAMES = ("plain", "with/slash", "with space", 'with\\22quote', "gr\u00fc\u00dfe", "\u6a29\u91cd",
         "back\\\\slash", "new\\0Aline")
TYPES = {"f64": torch.float64, "f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
SHAPES = ((), (0,), (1,), (3, 2))


def spoken(name):
    """The name as MLIR reads it: backslash escapes are two hex digits or a backslash."""
    return name.replace("\\22", '"').replace("\\0A", "\n").replace("\\\\", "\\")


def main():
    work = pathlib.Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    wanted, lines = {}, []
    for name in NAMES:
        for element, kind in TYPES.items():
            for shape in SHAPES:
                full = f"{name}.{element}.{len(shape)}{sum(shape)}"
                dims = "".join(f"{size}x" for size in shape)
                lines.append(f'zero.parameter @"{full}" : tensor<{dims}{element}> '
                             f"{{init = #zero.iota<1.5, 0.25>}}")
                count = torch.Size(shape).numel()
                values = torch.tensor([1.5 + 0.25 * i for i in range(count)], dtype=torch.float64)
                wanted[spoken(full)] = values.to(kind).view(shape)
    lines += ["zero.step @train() optimizer #zero.sgd<> attributes {samples = 1 : i64} {",
              f'  %w = zero.read @"{NAMES[0]}.f32.0{0}" : tensor<f32>',
              "  zero.yield %w : tensor<f32>", "}"]
    model, dump = work / "names.mlir", work / "names.safetensors"
    model.write_text("\n".join(lines) + "\n")
    for stage in (0, 3):
        subprocess.run(["zero-run", str(model), "--ranks=2", f"--stage={stage}", "--steps=0",
                        f"--dump-parameters={dump}"], check=True, stdout=subprocess.DEVNULL)
        tensors = load_file(str(dump))
        if tensors.keys() != wanted.keys():
            sys.exit(f"names differ: {sorted(tensors.keys() ^ wanted.keys())}")
        for name, want in wanted.items():
            got = tensors[name]
            if got.dtype != want.dtype or got.shape != want.shape or not torch.equal(got, want):
                sys.exit(f"{name!r} is {got}; want {want}")
    print(f"{len(wanted)} tensors")


if __name__ == "__main__":
    main()
