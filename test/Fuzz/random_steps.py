"""Random steps: which operations they are made of, and how they are put together."""
import math
import random

import torch
import torch.nn.functional as F

from step_graph import FLOAT, INT, Graph, number, tensor_type

SIZES = (1, 2, 3, 4, 5, 8, 16, 17, 33)
MOST_ELEMENTS = 3000
RECORDS = 6  # of each input: enough for two steps on three ranks


def prod(shape):
    return math.prod(shape)


class StepMaker:
    """Adds random operations to a graph. Each `make_` method adds one, or does nothing
    where no value fits."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.torch_random = torch.Generator().manual_seed(seed)
        self.graph = Graph()
        self.floats = []

    # --- Picking ---------------------------------------------------------------------

    def shape(self, rank=None, most=MOST_ELEMENTS):
        rank = self.random.choice((0, 1, 1, 2, 2, 2, 3, 3, 4)) if rank is None else rank
        while True:
            shape = tuple(self.random.choice(SIZES) for _ in range(rank))
            if prod(shape) <= most:
                return shape

    def leaf(self, shape):
        """A parameter, new or (read again) old; sometimes an input or a constant."""
        same = [name for name, old in self.graph.parameters.items() if old == tuple(shape)]
        kind = self.random.random()
        if same and kind < 0.3:
            return self.keep(self.graph.read(self.random.choice(same)))
        if kind < 0.85:
            return self.keep(self.graph.parameter(shape))
        if kind < 0.95:
            records = [torch.randn(shape, generator=self.torch_random, dtype=torch.float64)
                       for _ in range(RECORDS)]
            return self.keep(self.graph.input(shape, records))
        return self.constant(shape, round(self.random.uniform(-1, 1), 2))

    def keep(self, node):
        if node.element == FLOAT:
            self.floats.append(node)
        return node

    def value(self, fits=lambda node: True):
        """A value so far, rather a late one; None if none fits."""
        candidates = [node for node in self.floats if fits(node)]
        if not candidates:
            return None
        late = candidates[-6:]
        return self.random.choice(late if self.random.random() < 0.7 else candidates)

    def of_shape(self, shape):
        found = self.value(lambda node: node.shape == tuple(shape))
        return found if found and self.random.random() < 0.8 else self.leaf(shape)

    def op(self, shape, lines, evaluate, *operands):
        return self.keep(self.graph.add(shape, lines, evaluate, *operands))

    def constant(self, shape, value):
        return self.op(shape, f"{{r}} = arith.constant dense<{number(value)}> : "
                       f"{tensor_type(shape)}",
                       lambda values: torch.full(shape, value, dtype=torch.float64))

    def filled(self, shape, value, name="z"):
        """Lines that make {t}NAME, a buffer of one value, and its name."""
        kind = tensor_type(shape)
        return (f"{{t}}{name}c = arith.constant {number(value)} : f64\n"
                f"{{t}}{name}e = tensor.empty() : {kind}\n"
                f"{{t}}{name} = linalg.fill ins({{t}}{name}c : f64) outs({{t}}{name}e : {kind}) "
                f"-> {kind}\n")

    # --- Elementwise -----------------------------------------------------------------

    def make_unary(self):
        x = self.value()
        kind = x.type
        plain = {"math.tanh": torch.tanh, "math.sin": torch.sin, "math.cos": torch.cos,
                 "math.erf": torch.erf, "math.atan": torch.atan, "math.absf": torch.abs,
                 "arith.negf": torch.neg}
        after_tanh = {"math.exp": torch.exp, "math.exp2": torch.exp2, "math.expm1": torch.expm1,
                      "math.sinh": torch.sinh, "math.cosh": torch.cosh, "math.tan": torch.tan}
        positive = {"math.log": torch.log, "math.log2": torch.log2, "math.log10": torch.log10,
                    "math.log1p": torch.log1p, "math.sqrt": torch.sqrt, "math.rsqrt": torch.rsqrt}
        name = self.random.choice([*plain, *plain, *after_tanh, *positive])
        if name in plain:
            return self.op(x.shape, f"{{r}} = {name} {{0}} : {kind}", plain[name], x)
        if name in after_tanh:
            f = after_tanh[name]
            return self.op(x.shape, f"{{t}}b = math.tanh {{0}} : {kind}\n"
                           f"{{r}} = {name} {{t}}b : {kind}", lambda a: f(torch.tanh(a)), x)
        f = positive[name]
        return self.op(x.shape, f"{{t}}s = arith.mulf {{0}}, {{0}} : {kind}\n"
                       f"{{t}}c = arith.constant dense<{number(0.5)}> : {kind}\n"
                       f"{{t}}p = arith.addf {{t}}s, {{t}}c : {kind}\n"
                       f"{{r}} = {name} {{t}}p : {kind}", lambda a: f(a * a + 0.5), x)

    def make_binary(self):
        a = self.value()
        b = self.of_shape(a.shape)
        table = {"arith.addf": torch.add, "arith.subf": torch.sub, "arith.mulf": torch.mul,
                 "arith.maximumf": torch.maximum, "arith.minimumf": torch.minimum}
        name = self.random.choice([*table, "arith.addf", "divide"])
        if name != "divide":
            return self.op(a.shape, f"{{r}} = {name} {{0}}, {{1}} : {a.type}", table[name], a, b)
        return self.op(a.shape, f"{{t}}s = arith.mulf {{1}}, {{1}} : {a.type}\n"
                       f"{{t}}c = arith.constant dense<{number(1)}> : {a.type}\n"
                       f"{{t}}p = arith.addf {{t}}s, {{t}}c : {a.type}\n"
                       f"{{r}} = arith.divf {{0}}, {{t}}p : {a.type}",
                       lambda x, y: x / (y * y + 1), a, b)

    def make_select(self):
        a = self.value()
        b, c = self.of_shape(a.shape), self.of_shape(a.shape)
        bits = tensor_type(a.shape, "i1")
        predicate, compare = self.random.choice(
            (("ogt", torch.gt), ("olt", torch.lt), ("oge", torch.ge), ("ole", torch.le)))
        return self.op(a.shape, f"{{t}}k = arith.cmpf {predicate}, {{0}}, {{1}} : {a.type}\n"
                       f"{{r}} = arith.select {{t}}k, {{0}}, {{2}} : {bits}, {a.type}",
                       lambda x, y, z: torch.where(compare(x, y), x, z), a, b, c)

    # --- Views -----------------------------------------------------------------------

    def make_transpose(self):
        x = self.value(lambda node: len(node.shape) >= 2)
        if not x:
            return None
        order = list(range(len(x.shape)))
        self.random.shuffle(order)
        shape = tuple(x.shape[dim] for dim in order)
        kind = tensor_type(shape)
        return self.op(shape, f"{{t}}e = tensor.empty() : {kind}\n"
                       f"{{r}} = linalg.transpose ins({{0}} : {x.type}) outs({{t}}e : {kind}) "
                       f"permutation = {order}", lambda a: a.permute(order), x)

    def make_broadcast(self):
        x = self.value(lambda node: len(node.shape) <= 3 and prod(node.shape) <= 300)
        if not x:
            return None
        place = self.random.randint(0, len(x.shape))
        size = self.random.choice((1, 2, 3, 5, 8))
        shape = x.shape[:place] + (size,) + x.shape[place:]
        kind = tensor_type(shape)
        return self.op(shape, f"{{t}}e = tensor.empty() : {kind}\n"
                       f"{{r}} = linalg.broadcast ins({{0}} : {x.type}) outs({{t}}e : {kind}) "
                       f"dimensions = [{place}]",
                       lambda a: a.unsqueeze(place).expand(shape), x)

    def make_collapse(self):
        x = self.value(lambda node: len(node.shape) >= 2)
        if not x:
            return None
        first = self.random.randrange(len(x.shape) - 1)
        last = self.random.randint(first + 1, len(x.shape) - 1)
        groups = [[dim] for dim in range(first)] + [list(range(first, last + 1))] + \
            [[dim] for dim in range(last + 1, len(x.shape))]
        shape = tuple(prod([x.shape[dim] for dim in group]) for group in groups)
        return self.op(shape, f"{{r}} = tensor.collapse_shape {{0}} {groups} : {x.type} into "
                       f"{tensor_type(shape)}", lambda a: a.reshape(shape), x)

    def make_expand(self):
        def factors(size):
            return [d for d in range(1, size + 1) if size % d == 0]
        x = self.value(lambda node: 1 <= len(node.shape) <= 3)
        if not x:
            return None
        dim = self.random.randrange(len(x.shape))
        outer = self.random.choice(factors(x.shape[dim]))
        shape = x.shape[:dim] + (outer, x.shape[dim] // outer) + x.shape[dim + 1:]
        groups = [[d] for d in range(dim)] + [[dim, dim + 1]] + \
            [[d + 1] for d in range(dim + 1, len(x.shape))]
        return self.op(shape, f"{{r}} = tensor.expand_shape {{0}} {groups} output_shape "
                       f"{list(shape)} : {x.type} into {tensor_type(shape)}",
                       lambda a: a.reshape(shape), x)

    def pick_slice(self, shape):
        offsets, sizes, strides = [], [], []
        for size in shape:
            stride = self.random.choice((1, 1, 1, 2, 3))
            offset = self.random.randrange(size)
            offsets.append(offset)
            strides.append(stride)
            sizes.append(self.random.randint(1, (size - offset - 1) // stride + 1))
            if self.random.random() < 0.4:
                offsets[-1], sizes[-1], strides[-1] = 0, size, 1
        index = tuple(slice(o, o + (n - 1) * s + 1, s)
                      for o, n, s in zip(offsets, sizes, strides))
        return f"{offsets} {sizes} {strides}", tuple(sizes), index

    def make_slice(self):
        x = self.value(lambda node: len(node.shape) >= 1)
        if not x:
            return None
        text, shape, index = self.pick_slice(x.shape)
        return self.op(shape, f"{{r}} = tensor.extract_slice {{0}}{text} : {x.type} to "
                       f"{tensor_type(shape)}", lambda a: a[index], x)

    def make_split(self):
        """The two halves of a value, used one by one: their gradients make up the whole."""
        x = self.value(lambda node: len(node.shape) >= 1 and node.shape[-1] >= 2)
        if not x:
            return None
        cut = self.random.randrange(1, x.shape[-1])
        parts = []
        for begin, size in ((0, cut), (cut, x.shape[-1] - cut)):
            shape = x.shape[:-1] + (size,)
            zeros = [0] * (len(shape) - 1) + [begin]
            parts.append(self.op(
                shape, f"{{r}} = tensor.extract_slice {{0}}{zeros} {list(shape)} "
                f"{[1] * len(shape)} : {x.type} to {tensor_type(shape)}",
                lambda a, begin=begin, size=size: a[..., begin:begin + size], x))
        return parts[-1]

    def make_insert(self):
        x = self.value(lambda node: len(node.shape) >= 1)
        if not x:
            return None
        text, shape, index = self.pick_slice(x.shape)
        part = self.of_shape(shape)

        def evaluate(a, b):
            result = a.clone()
            result[index] = b
            return result
        return self.op(x.shape, f"{{r}} = tensor.insert_slice {{1}} into {{0}}{text} : {part.type} "
                       f"into {x.type}", evaluate, x, part)

    def make_concat(self):
        x = self.value(lambda node: 1 <= len(node.shape) and prod(node.shape) <= 600)
        if not x:
            return None
        dim = self.random.randrange(len(x.shape))
        other = list(x.shape)
        other[dim] = self.random.choice((1, 2, 3, x.shape[dim]))
        y = self.of_shape(other)
        shape = list(x.shape)
        shape[dim] += other[dim]
        return self.op(shape, f"{{r}} = tensor.concat dim({dim}) {{0}}, {{1}} : ({x.type}, "
                       f"{y.type}) -> {tensor_type(shape)}",
                       lambda a, b: torch.cat([a, b], dim), x, y)

    # --- Reductions and products --------------------------------------------------------

    def make_reduce(self):
        x = self.value(lambda node: len(node.shape) >= 1)
        if not x:
            return None
        dims = sorted(self.random.sample(range(len(x.shape)),
                                         self.random.randint(1, len(x.shape))))
        shape = tuple(size for dim, size in enumerate(x.shape) if dim not in dims)
        kind = tensor_type(shape)
        count = prod([x.shape[dim] for dim in dims])
        names = {"add": ("arith.addf", 0.0, lambda a: a.sum(dims)),
                 "max": ("arith.maximumf", -math.inf, lambda a: a.amax(dims)),
                 "min": ("arith.minimumf", math.inf, lambda a: a.amin(dims))}
        if count <= 16:
            names["mul"] = ("arith.mulf", 1.0, lambda a: product(a, dims))
        combiner, neutral, evaluate = names[self.random.choice(["add", "add", *names])]
        start = number(neutral) if math.isfinite(neutral) else \
            ("0x7FF0000000000000" if neutral > 0 else "0xFFF0000000000000")
        if self.random.random() < 0.25:
            return self.reduce_from(x, dims, combiner, self.of_shape(shape))
        if self.random.random() < 0.5:
            init = f"{{t}}z = arith.constant dense<{start}> : {kind}\n"
        else:
            init = (f"{{t}}c = arith.constant {start} : f64\n{{t}}e = tensor.empty() : {kind}\n"
                    f"{{t}}z = linalg.fill ins({{t}}c : f64) outs({{t}}e : {kind}) -> {kind}\n")
        return self.op(shape, init + f"{{r}} = linalg.reduce {{{{ {combiner} }}}} ins({{0}} : "
                       f"{x.type}) outs({{t}}z : {kind}) dimensions = {dims}", evaluate, x)

    def reduce_from(self, x, dims, combiner, start):
        """The init is one more element of what is reduced."""
        kept = [dim for dim in range(len(x.shape)) if dim not in dims]
        combine = {"arith.addf": lambda a: a.sum(-1), "arith.mulf": lambda a: a.prod(-1),
                   "arith.maximumf": lambda a: a.amax(-1), "arith.minimumf": lambda a: a.amin(-1)}

        def evaluate(a, s):
            rows = a.permute(kept + dims).reshape(*start.shape, -1)
            return combine[combiner](torch.cat([rows, s.unsqueeze(-1)], -1))
        return self.op(start.shape, f"{{r}} = linalg.reduce {{{{ {combiner} }}}} ins({{0}} : "
                       f"{x.type}) outs({{1}} : {start.type}) dimensions = {dims}", evaluate, x,
                       start)

    def contraction(self, name, a, b, shape, maps, equation):
        kind = tensor_type(shape)

        def affine(part):
            return f"affine_map<({', '.join(maps)}) -> ({', '.join(part)})>"
        left, right = equation.split("->")
        text = ", ".join(affine(part) for part in (*left.split(","), right))
        return self.op(shape, self.filled(shape, 0.0) +
                       f"{{r}} = {name} indexing_maps = [{text}] ins({{0}}, {{1}} : {a.type}, "
                       f"{b.type}) outs({{t}}z : {kind}) -> {kind}",
                       lambda x, y: torch.einsum(equation, x, y), a, b)

    def make_matmul(self):
        a = self.value(lambda node: len(node.shape) == 2)
        if not a:
            return None
        n = self.random.choice(SIZES)
        left, (m, k) = self.random.choice((("mk", a.shape), ("km", a.shape[::-1])))
        right = self.random.choice(("kn", "nk"))
        b = self.of_shape((k, n) if right == "kn" else (n, k))
        return self.contraction("linalg.matmul", a, b, (m, n), "mnk", f"{left},{right}->mn")

    def make_batch_matmul(self):
        a = self.value(lambda node: len(node.shape) == 3)
        if not a:
            return None
        n = self.random.choice((1, 2, 3, 8, 17))
        left = self.random.choice(("bmk", "bkm"))
        batch, m, k = a.shape if left == "bmk" else (a.shape[0], a.shape[2], a.shape[1])
        right = self.random.choice(("bkn", "bnk"))
        b = self.of_shape((batch, k, n) if right == "bkn" else (batch, n, k))
        return self.contraction("linalg.batch_matmul", a, b, (batch, m, n), "bmnk",
                                f"{left},{right}->bmn")

    def make_contract(self):
        a = self.value(lambda node: 2 <= len(node.shape) <= 3 and prod(node.shape) <= 800)
        if not a:
            return None
        names = "abc"[:len(a.shape)]
        sizes = dict(zip(names, a.shape))
        summed = self.random.choice(names)
        shared = [n for n in names if n != summed and self.random.random() < 0.4]
        right = [summed, *shared, "n"]
        sizes["n"] = self.random.choice((1, 2, 3, 5))
        self.random.shuffle(right)
        result = [n for n in names if n != summed] + ["n"]
        self.random.shuffle(result)
        b = self.of_shape([sizes[n] for n in right])
        maps = list(names) + ["n"]
        return self.contraction("linalg.contract", a, b, [sizes[n] for n in result], maps,
                                f"{names},{''.join(right)}->{''.join(result)}")

    # --- nn ------------------------------------------------------------------------------

    def make_softmax(self):
        x = self.value(lambda node: len(node.shape) >= 1)
        return x and self.op(x.shape, f"{{r}} = nn.softmax {{0}} : ({x.type}) -> {x.type}",
                             lambda a: a.softmax(-1), x)

    def make_norm(self):
        x = self.value(lambda node: len(node.shape) >= 1 and node.shape[-1] >= 2)
        if not x:
            return None
        columns, rows = x.shape[-1:], tensor_type(x.shape[:-1])
        gamma = self.of_shape(columns)
        if self.random.random() < 0.5:
            return self.op(
                x.shape, f"{{r}}, {{t}}s = nn.rms_norm {{0}}, {{1}} {{{{epsilon = 1.0e-2 : f64}}}} "
                f": ({x.type}, {gamma.type}) -> ({x.type}, {rows})",
                lambda a, g: a * torch.rsqrt(a.pow(2).mean(-1, keepdim=True) + 1e-2) * g, x, gamma)
        beta = self.of_shape(columns)
        return self.op(
            x.shape, f"{{r}}, {{t}}m, {{t}}s = nn.layer_norm {{0}}, {{1}}, {{2}} "
            f"{{{{epsilon = 1.0e-2 : f64}}}} : ({x.type}, {gamma.type}, {beta.type}) -> "
            f"({x.type}, {rows}, {rows})",
            lambda a, g, b: F.layer_norm(a, columns, g, b, 1e-2), x, gamma, beta)

    def integers(self, shape, low, high, ignored=0.0):
        def draw():
            values = torch.randint(low, high, shape, generator=self.torch_random)
            if ignored:
                lost = torch.rand(shape, generator=self.torch_random) < ignored
                values = values.masked_fill(lost, -100)
            return values
        if self.random.random() < 0.5:
            return self.graph.input(shape, [draw() for _ in range(RECORDS)], element=INT)
        values = draw()
        return self.graph.add(shape, f"{{r}} = arith.constant dense<{values.tolist()}> : "
                              f"{tensor_type(shape, INT)}", lambda _: values, element=INT)

    def make_embedding(self):
        table = self.value(lambda node: len(node.shape) == 2)
        if not table:
            return None
        shape = self.shape(self.random.choice((1, 1, 2)), 40)
        ids = self.integers(shape, 0, table.shape[0])
        result = shape + table.shape[1:]
        return self.op(result, f"{{r}} = nn.embedding {{0}}, {{1}} : ({table.type}, {ids.type}) -> "
                       f"{tensor_type(result)}", lambda t, i: F.embedding(i, t), table, ids)

    def make_cross_entropy(self):
        logits = self.value(lambda node: len(node.shape) == 2 and node.shape[1] >= 2)
        if not logits:
            return None
        labels = self.integers(logits.shape[:1], 0, logits.shape[1], ignored=0.3)
        rows = tensor_type(logits.shape[:1])
        return self.op((), "{r}, {t}w, {t}l = nn.cross_entropy {0}, {1} "
                       "{{ignore_index = -100 : i64}} : "
                       f"({logits.type}, {labels.type}) -> (tensor<f64>, tensor<f64>, {rows})",
                       lambda x, i: F.cross_entropy(x, i, ignore_index=-100, reduction="sum"),
                       logits, labels)

    def make_linear_cross_entropy(self):
        x = self.value(lambda node: len(node.shape) == 2)
        if not x:
            return None
        classes = self.random.choice((2, 3, 5, 17, 33))
        weight = self.of_shape((classes, x.shape[1]))
        labels = self.integers(x.shape[:1], 0, classes, ignored=0.3)
        return self.op((), "{r}, {t}w = nn.linear_cross_entropy {0}, {1}, {2} "
                       "{{ignore_index = -100 : i64}} : "
                       f"({x.type}, {weight.type}, {labels.type}) -> (tensor<f64>, tensor<f64>)",
                       lambda a, w, i: F.cross_entropy(a @ w.T, i, ignore_index=-100,
                                                       reduction="sum"), x, weight, labels)

    def make_attention(self):
        q = self.value(lambda node: len(node.shape) == 4)
        if not q:
            q = self.leaf((self.random.choice((1, 2)), self.random.choice((1, 3, 8, 17)),
                           self.random.choice((1, 2, 4)), self.random.choice((1, 2, 5, 8))))
        batch, length, heads, channels = q.shape
        groups = self.random.choice([g for g in (1, 2, 4) if heads % g == 0])
        k, v = (self.of_shape((batch, length, heads // groups, channels)) for _ in range(2))
        causal = self.random.random() < 0.5
        lengths = self.random.random() < 0.4
        operands = [q, k, v] + ([self.integers((batch,), 1, length + 1)] if lengths else [])

        def evaluate(q, k, v, lengths=None):
            q, k, v = (t.transpose(1, 2) for t in (q, k, v))
            k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
            seen = torch.ones(length, length, dtype=torch.bool)
            seen = (seen.tril() if causal else seen).expand(batch, 1, length, length)
            if lengths is not None:
                seen = seen & (torch.arange(length) < lengths[:, None])[:, None, None, :]
            scores = (q @ k.transpose(-1, -2) * 0.5).masked_fill(~seen, -math.inf)
            return (scores.softmax(-1) @ v).transpose(1, 2)
        types = ", ".join(node.type for node in operands)
        extra = " key_lengths {3}" if lengths else ""
        statistics = tensor_type((batch, heads, length))
        attrs = "causal, scale = 0.5 : f64" if causal else "scale = 0.5 : f64"
        return self.op(q.shape, f"{{r}}, {{t}}l = nn.attention {{0}}, {{1}}, {{2}}{extra} "
                       f"{{{{{attrs}}}}} : ({types}) -> ({q.type}, {statistics})",
                       evaluate, *operands)

    # --- Whole steps ---------------------------------------------------------------------

    def sum_of(self, node):
        kind = node.type
        if not node.shape:
            return self.op((), f"{{r}} = math.tanh {{0}} : {kind}", torch.tanh, node)
        return self.op((), self.filled((), 0.0) + f"{{t}}h = math.tanh {{0}} : {kind}\n"
                       f"{{r}} = linalg.reduce {{{{ arith.addf }}}} ins({{t}}h : {kind}) "
                       f"outs({{t}}z : tensor<f64>) dimensions = {list(range(len(node.shape)))}",
                       lambda a: torch.tanh(a).sum(), node)

    def step(self):
        """A graph and its loss: the sum of tanh of most values that nothing uses."""
        for _ in range(self.random.randint(1, 4)):
            self.leaf(self.shape())
        makers = [getattr(self, name) for name in dir(self) if name.startswith("make_")]
        makers += [self.make_unary, self.make_binary, self.make_binary, self.make_matmul]
        for _ in range(self.random.randint(3, 22)):
            self.random.choice(makers)()
        used = {operand.number for node in self.graph.nodes for operand in node.operands}
        ends = [node for node in self.floats if node.number not in used]
        kept = [node for node in ends if self.random.random() < 0.85] or ends[-1:]
        total = self.sum_of(kept[0])
        for node in kept[1:]:
            part = self.sum_of(node)
            total = self.op((), "{r} = arith.addf {0}, {1} : tensor<f64>", torch.add, total, part)
        return self.graph, total


def product(a, dims):
    for dim in reversed(dims):
        a = a.prod(dim)
    return a


def random_step(seed):
    return StepMaker(seed).step()
