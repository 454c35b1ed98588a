"""One gradient that several values get, against PyTorch.

A product, an embedding or a pair of slices is the origin of the gradient of y; y is made
from a and b by an operation that hands its gradient on; a or b, whichever is defined first
or last, has one more use.
"""
import itertools
import pathlib
import sys
import tempfile

import torch

from fuzz_steps import Failure, RATE, check_gradients, run, write_inputs
from random_steps import StepMaker
from step_graph import tensor_type

ROWS, COLUMNS = 4, 6


def add(maker, a, b):
    return maker.op(a.shape, f"{{r}} = arith.addf {{0}}, {{1}} : {a.type}", torch.add, a, b)


def subtract_negated(maker, a, b):
    return maker.op(a.shape, f"{{t}}n = arith.negf {{1}} : {a.type}\n"
                    f"{{r}} = arith.subf {{0}}, {{t}}n : {a.type}", torch.add, a, b)


def add_reshaped(maker, a, b):
    flat = tensor_type((ROWS * COLUMNS,))
    return maker.op(a.shape, f"{{t}}a = tensor.collapse_shape {{0}} [[0, 1]] : {a.type} into {flat}\n"
                    f"{{t}}b = tensor.collapse_shape {{1}} [[0, 1]] : {a.type} into {flat}\n"
                    f"{{t}}s = arith.addf {{t}}a, {{t}}b : {flat}\n"
                    f"{{r}} = tensor.expand_shape {{t}}s [[0, 1]] output_shape {list(a.shape)} : "
                    f"{flat} into {a.type}", torch.add, a, b)


def add_broadcast(maker, a, b):
    row = tensor_type((COLUMNS,))
    return maker.op(
        a.shape, maker.filled((COLUMNS,), 0.0) +
        f"{{t}}m = linalg.reduce {{{{ arith.addf }}}} ins({{1}} : {a.type}) outs({{t}}z : {row}) "
        f"dimensions = [0]\n{{t}}e = tensor.empty() : {a.type}\n"
        f"{{t}}b = linalg.broadcast ins({{t}}m : {row}) outs({{t}}e : {a.type}) dimensions = [0]\n"
        f"{{r}} = arith.addf {{0}}, {{t}}b : {a.type}", lambda x, y: x + y.sum(0), a, b)


def add_to_itself(maker, a, b):
    both = add(maker, a, b)
    return add(maker, both, both)


def product(maker, y):
    w = maker.graph.parameter((COLUMNS, 3))
    return maker.contraction("linalg.matmul", y, w, (ROWS, 3), "mnk", "mk,kn->mn")


def embedding(maker, y):
    ids = maker.integers((5,), 0, ROWS)
    return maker.op((5, COLUMNS), f"{{r}} = nn.embedding {{0}}, {{1}} : ({y.type}, {ids.type}) -> "
                    f"{tensor_type((5, COLUMNS))}", lambda t, i: t[i], y, ids)


def slices(maker, y):
    half = tensor_type((ROWS, COLUMNS // 2))
    return maker.op((ROWS, COLUMNS // 2), "".join(
        f"{{t}}{name} = tensor.extract_slice {{0}}[0, {begin}] [{ROWS}, {COLUMNS // 2}] [1, 1] : "
        f"{y.type} to {half}\n" for name, begin in (("l", 0), ("h", COLUMNS // 2))) +
        f"{{r}} = arith.mulf {{t}}l, {{t}}h : {half}",
        lambda x: x[:, :COLUMNS // 2] * x[:, COLUMNS // 2:], y)


def square(maker, x):
    return maker.op(x.shape, f"{{r}} = arith.mulf {{0}}, {{0}} : {x.type}", torch.square, x)


HANDING_ON = (add, subtract_negated, add_reshaped, add_broadcast, add_to_itself)
ORIGINS = (product, embedding, slices)
EXTRA = (product, embedding, slices, square)


def make(hand_on, origin, extra, swapped, which):
    maker = StepMaker(7)
    first, second = (maker.graph.parameter((ROWS, COLUMNS)) for _ in range(2))
    a, b = (second, first) if swapped else (first, second)
    more = (a, b)[which]
    parts = [origin(maker, hand_on(maker, a, b)), extra(maker, more)]
    sums = [maker.sum_of(part) for part in parts]
    return maker.graph, maker.op((), "{r} = arith.addf {0}, {1} : tensor<f64>", torch.add, *sums)


def main():
    torch.set_default_dtype(torch.float64)
    count = wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        for case in itertools.product(HANDING_ON, ORIGINS, EXTRA, (False, True), (0, 1)):
            graph, loss = make(*case)
            model = work / "step.mlir"
            model.write_text(graph.text(loss))
            feed = write_inputs(graph, work)
            alone = {"ranks": 1, "stage": 0, "steps": 1}
            try:
                (first,), initial = run(model, work, feed, lr=0, **alone)
                _, after = run(model, work, feed, lr=RATE, **alone)
                check_gradients(graph, loss, first, initial, after)
            except Failure as failure:
                wrong += 1
                print([getattr(part, "__name__", part) for part in case], failure)
            count += 1
    print(f"{count} cases, {wrong} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
