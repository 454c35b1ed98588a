"""Trains a small example model here and in PyTorch, from the same values on the same data.

    compare.py GENERATOR WORK gpt|bert|llama f32|f64

Checks the first 10 losses under AdamW, and every gradient of the first step, which is
read off one step of plain SGD at a rate so large that the old parameter rounds away.
The reference runs in f64; the bounds are those of the precision of the model.
"""
import json
import pathlib
import random
import re
import struct
import subprocess
import sys

import torch

import reference

STEPS = 10
BATCH, LENGTH, VOCABULARY, LAYERS, HEADS, KV_HEADS, WIDTH = 3, 24, 61, 2, 4, 2, 64
RATE = 2.0 ** 20
BOUND = {"f32": 1e-4, "f64": 1e-9}
SMALL = 1e-6  # of the largest gradient: left out
GENERATED = {"gpt": "gpt-bytes", "bert": "bert-large", "llama": "llama-160m"}


def generate(generator, kind, dtype, optimizer, path):
    command = [sys.executable, generator, GENERATED[kind], f"--dtype={dtype}",
               f"--optimizer={optimizer}", f"--batch={BATCH}", f"--sequence={LENGTH}",
               f"--vocabulary={VOCABULARY}", f"--layers={LAYERS}", f"--heads={HEADS}",
               f"--width={WIDTH}", "--hidden=112", f"--positions={LENGTH + 8}"]
    if kind == "llama":
        command.append(f"--kv-heads={KV_HEADS}")
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    path.write_text(text)
    return text


def make_inputs(kind):
    """STEPS records of each input of the step, as nested lists of tensors."""
    generator = random.Random(5)

    def draw(low, high, *shape):
        count = 1
        for size in shape:
            count *= size
        values = [generator.randrange(low, high) for _ in range(count)]
        return torch.tensor(values, dtype=torch.int32).view(shape)

    records = []
    for _ in range(STEPS):
        tokens = draw(0, VOCABULARY, BATCH, LENGTH)
        labels = draw(0, VOCABULARY, BATCH, LENGTH)
        if kind == "bert":
            ignored = draw(0, 4, BATCH, LENGTH) > 0
            records.append({"masked_tokens": tokens,
                            "masked_labels": labels.masked_fill(ignored, -100),
                            "segments": draw(0, 2, BATCH, LENGTH),
                            "key_lengths": draw(5, LENGTH + 1, BATCH)})
        else:
            records.append({"tokens": tokens, "next_tokens": labels})
    return records


def write_inputs(records, work):
    options = []
    for role in records[0]:
        values = [v for record in records for v in record[role].flatten().tolist()]
        (work / role).write_bytes(struct.pack(f"<{len(values)}i", *values))
        options.append(f"--input={role}={work / role}")
    return options


def read_safetensors(path):
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        kind = {"F32": torch.float32, "F64": torch.float64}[entry["dtype"]]
        flat = torch.frombuffer(bytearray(data[begin:end]), dtype=kind)
        tensors[name] = flat.view(entry["shape"]).double()
    return tensors


def zero_run(model, work, feed, steps, rate):
    report, dump = work / "report.json", work / "dump"
    command = ["zero-run", str(model), "--ranks=1", "--stage=0", "--seed=1", f"--steps={steps}",
               f"--lr={rate}", f"--report={report}", f"--dump-parameters={dump}", *feed]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    return json.loads(report.read_text())["losses"], read_safetensors(dump)


def forward(kind, parameters, inputs):
    if kind == "llama":
        return reference.llama(parameters, inputs, LAYERS, HEADS, KV_HEADS)
    return getattr(reference, kind)(parameters, inputs, LAYERS, HEADS)


def train_reference(kind, initial, text, records):
    """The losses, and the gradients of the first step."""
    parameters = {n: t.clone().requires_grad_() for n, t in initial.items()}
    undecayed = set(re.findall(r'zero.parameter @"([^"]+)".*weight_decay = 0.0', text))
    groups = [{"params": [t for n, t in parameters.items() if n not in undecayed],
               "weight_decay": 0.1},
              {"params": [t for n, t in parameters.items() if n in undecayed],
               "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.95), eps=1e-8)
    losses, gradients = [], None
    for record in records:
        total, weight = forward(kind, parameters, record)
        loss = total / weight
        optimizer.zero_grad()
        loss.backward()
        if gradients is None:
            gradients = {n: t.grad.clone() for n, t in parameters.items()}
        optimizer.step()
        losses.append(loss.item())
    return losses, gradients


def check_losses(got, want, bound):
    worst = max(abs(a - b) / abs(b) for a, b in zip(got, want))
    print(f"losses: worst relative difference {worst:.2e} over {len(got)} steps")
    return len(got) == len(want) and worst <= bound


def check_gradients(before, after, want, bound):
    largest = max(g.norm().item() for g in want.values())
    good, worst = True, ("", 0.0)
    for name, gradient in want.items():
        if gradient.norm() < SMALL * largest:
            continue
        got = (before[name] - after[name]) / RATE
        difference = ((got - gradient).norm() / gradient.norm()).item()
        worst = max(worst, (name, difference), key=lambda entry: entry[1])
        if not difference <= bound:
            print(f"gradient of {name}: relative difference {difference:.2e}")
            good = False
    print(f"gradients: worst relative difference {worst[1]:.2e}, of {worst[0]}")
    return good


def main():
    generator, work, kind, dtype = sys.argv[1:]
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    torch.set_default_dtype(torch.float64)
    records = make_inputs(kind)
    feed = write_inputs(records, work)
    text = generate(generator, kind, dtype, "adamw", work / "adamw.mlir")
    generate(generator, kind, dtype, "sgd", work / "sgd.mlir")
    _, initial = zero_run(work / "adamw.mlir", work, feed, 0, 1e-3)
    losses, _ = zero_run(work / "adamw.mlir", work, feed, STEPS, 1e-3)
    _, after = zero_run(work / "sgd.mlir", work, feed, 1, RATE)
    want_losses, want_gradients = train_reference(kind, initial, text, records)
    if set(want_gradients) != set(after):
        sys.exit("the models have different parameters")
    good = check_losses(losses, want_losses, BOUND[dtype])
    good &= check_gradients(initial, after, want_gradients, BOUND[dtype])
    sys.exit(0 if good else "differs from PyTorch")


if __name__ == "__main__":
    main()
