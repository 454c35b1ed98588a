"""Writes one training step as MLIR text, operation by operation."""

OPTIMIZERS = {
    "adamw": "#zero.adamw<beta1 = 0.9, beta2 = 0.95, epsilon = 1.0e-8, weight_decay = 0.1>",
    "sgd": "#zero.sgd",
}


def tensor(shape, dtype):
    return "tensor<" + "".join(f"{size}x" for size in shape) + f"{dtype}>"


def number(value):
    text = repr(float(value))
    if "e" in text:
        mantissa, exponent = text.split("e")
        return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent}"
    return text


class StepWriter:
    """Values are SSA names; shapes are tuples; methods return the name of their result."""

    def __init__(self, dtype, samples, optimizer):
        self.dtype = dtype
        self.samples = samples
        self.optimizer = optimizer
        self.parameters, self.inputs, self.lines = [], [], []
        self.counts, self.reads = [], {}
        self.next_value = self.next_site = 0
        self.zero = None

    # -- bookkeeping --------------------------------------------------------

    def fresh(self):
        self.next_value += 1
        return f"%{self.next_value - 1}"

    def emit(self, text, results=1):
        name = self.fresh()
        self.lines.append(f"    {name}{f':{results}' if results > 1 else ''} = {text}")
        return name

    def type(self, shape, dtype=None):
        return tensor(shape, dtype or self.dtype)

    def normal(self, std):
        return f"#zero.normal<0.0, {number(std)}>"

    def input(self, role, shape, dtype):
        self.inputs.append(f'%{role}: {tensor(shape, dtype)} {{zero.input = "{role}"}}')
        return "%" + role

    def parameter(self, name, shape, init, decay=True):
        if name not in self.reads:
            extra = "" if decay else ", weight_decay = 0.0"
            self.parameters.append(
                f'  zero.parameter @"{name}" : {self.type(shape)} {{init = {init}{extra}}}')
            count = 1
            for size in shape:
                count *= size
            self.counts.append(count)
            self.reads[name] = self.emit(f'zero.read @"{name}" : {self.type(shape)}')
        return self.reads[name]

    def alias(self, name, target, shape):
        self.parameters.append(f'  zero.alias @"{name}" = @"{target}"')
        return self.emit(f'zero.read @"{name}" : {self.type(shape)}')

    def parameter_count(self):
        return sum(self.counts)

    def text(self):
        step = ",\n                   ".join(self.inputs)
        return "\n".join(
            ["module {"] + self.parameters +
            [f"  zero.step @train({step})",
             f"      optimizer {OPTIMIZERS[self.optimizer]}",
             f"      attributes {{samples = {self.samples} : i64}} {{"] +
            self.lines + ["  }", "}", ""])

    # -- tensors ------------------------------------------------------------

    def constant(self, value, shape):
        return self.emit(f"arith.constant dense<{number(value)}> : {self.type(shape)}")

    def empty(self, shape):
        return self.emit(f"tensor.empty() : {self.type(shape)}")

    def zeros(self, shape):
        if self.zero is None:
            self.zero = self.emit(f"arith.constant 0.0 : {self.dtype}")
        t = self.type(shape)
        return self.emit(f"linalg.fill ins({self.zero} : {self.dtype}) "
                         f"outs({self.empty(shape)} : {t}) -> {t}")

    def binary(self, op, a, b, shape):
        return self.emit(f"{op} {a}, {b} : {self.type(shape)}")

    def add(self, a, b, shape):
        return self.binary("arith.addf", a, b, shape)

    def sub(self, a, b, shape):
        return self.binary("arith.subf", a, b, shape)

    def mul(self, a, b, shape):
        return self.binary("arith.mulf", a, b, shape)

    def tanh(self, x, shape):
        return self.emit(f"math.tanh {x} : {self.type(shape)}")

    def broadcast(self, x, source, shape, dims):
        return self.emit(f"linalg.broadcast ins({x} : {self.type(source)}) "
                         f"outs({self.empty(shape)} : {self.type(shape)}) dimensions = {dims}")

    def add_row(self, x, row, shape):
        return self.add(x, self.broadcast(row, shape[1:], shape, [0]), shape)

    def add_over_batch(self, x, rows, shape):
        """x + rows for each sample; the result has batch and sequence merged."""
        batch, sequence, width = shape
        y = self.add(x, self.broadcast(rows, (sequence, width), shape, [0]), shape)
        return self.collapse(y, shape, (batch * sequence, width), "[[0, 1], [2]]")

    def matmul(self, x, weight, sizes):
        m, k, n = sizes
        t = self.type((m, n))
        return self.emit(f"linalg.matmul ins({x}, {weight} : {self.type((m, k))}, "
                         f"{self.type((k, n))}) outs({self.zeros((m, n))} : {t}) -> {t}")

    def sum_all(self, x, shape):
        dims = list(range(len(shape)))
        return self.emit(f"linalg.reduce {{ arith.addf }} ins({x} : {self.type(shape)}) "
                         f"outs({self.zeros(())} : {self.type(())}) dimensions = {dims}")

    def rows(self, table, shape, count):
        if count == shape[0]:
            return table
        return self.emit(f"tensor.extract_slice {table}[0, 0] [{count}, {shape[1]}] [1, 1] : "
                         f"{self.type(shape)} to {self.type((count, shape[1]))}")

    def columns(self, x, shape, begin, count):
        if count == shape[1]:
            return x
        return self.emit(f"tensor.extract_slice {x}[0, {begin}] [{shape[0]}, {count}] [1, 1] : "
                         f"{self.type(shape)} to {self.type((shape[0], count))}")

    def expand(self, x, source, shape, groups):
        return self.emit(f"tensor.expand_shape {x} {groups} output_shape {list(shape)} : "
                         f"{self.type(source)} into {self.type(shape)}")

    def collapse(self, x, source, shape, groups, dtype=None):
        return self.emit(f"tensor.collapse_shape {x} {groups} : "
                         f"{self.type(source, dtype)} into {self.type(shape, dtype)}")

    def boundary(self, x, shape):
        return self.emit(f"zero.block_boundary {x} : {self.type(shape)}")

    # -- neural networks ----------------------------------------------------

    def embedding(self, table, ids, table_shape, ids_shape):
        return self.emit(f"nn.embedding {table}, {ids} : ({self.type(table_shape)}, "
                         f"{self.type(ids_shape, 'i32')}) -> "
                         f"{self.type(ids_shape + (table_shape[1],))}")

    def layer_norm(self, x, gamma, beta, shape, epsilon):
        t, row, stat = self.type(shape), self.type(shape[1:]), self.type(shape[:1])
        y = self.emit(f"nn.layer_norm {x}, {gamma}, {beta} {{epsilon = {number(epsilon)} : f64}} : "
                      f"({t}, {row}, {row}) -> ({t}, {stat}, {stat})", results=3)
        return y + "#0"

    def rms_norm(self, x, gamma, shape, epsilon):
        t, row, stat = self.type(shape), self.type(shape[1:]), self.type(shape[:1])
        y = self.emit(f"nn.rms_norm {x}, {gamma} {{epsilon = {number(epsilon)} : f64}} : "
                      f"({t}, {row}) -> ({t}, {stat})", results=2)
        return y + "#0"

    def rope(self, x, shape):
        return self.emit(f"nn.rope {x} : ({self.type(shape)}) -> {self.type(shape)}")

    def site(self):
        """The number of this place at which random numbers are drawn."""
        self.next_site += 1
        return self.emit(f"arith.constant {self.next_site - 1} : i64")

    def dropout(self, x, shape, probability, rows_per_sample):
        if probability == 0:
            return x
        site = self.site()
        return self.emit(f"nn.dropout {x} site {site} {{probability = {number(probability)} : f64, "
                         f"rows_per_sample = {rows_per_sample} : i64}} : "
                         f"({self.type(shape)}, i64) -> {self.type(shape)}")

    def attention(self, q, k, v, shape, kv_heads, causal, lengths, probability):
        batch, sequence, heads, size = shape
        kv = self.type((batch, sequence, kv_heads, size))
        operands, types = f"{q}, {k}, {v}", [self.type(shape), kv, kv]
        if lengths:
            operands += f" key_lengths {lengths}"
            types.append(tensor((batch,), "i32"))
        attributes = f"{'causal, ' if causal else ''}scale = {number(size ** -0.5)} : f64"
        if probability:
            operands += f" site {self.site()}"
            types.append("i64")
            attributes += f", dropout = {number(probability)} : f64"
        y = self.emit(f"nn.attention {operands} {{{attributes}}} : ({', '.join(types)}) -> "
                      f"({self.type(shape)}, {self.type((batch, heads, sequence))})", results=2)
        return y + "#0"

    def gelu_tanh(self, x, shape):
        """0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))."""
        cube = self.mul(self.mul(x, x, shape), x, shape)
        inner = self.add(x, self.mul(cube, self.constant(0.044715, shape), shape), shape)
        scaled = self.mul(inner, self.constant(0.7978845608028654, shape), shape)
        one = self.add(self.tanh(scaled, shape), self.constant(1.0, shape), shape)
        return self.mul(self.mul(x, self.constant(0.5, shape), shape), one, shape)

    def gelu_erf(self, x, shape):
        """0.5 x (1 + erf(x / sqrt(2)))."""
        scaled = self.mul(x, self.constant(0.7071067811865476, shape), shape)
        erf = self.emit(f"math.erf {scaled} : {self.type(shape)}")
        one = self.add(erf, self.constant(1.0, shape), shape)
        return self.mul(self.mul(x, self.constant(0.5, shape), shape), one, shape)

    def silu(self, x, shape):
        """x / (1 + exp(-x))."""
        negative = self.emit(f"arith.negf {x} : {self.type(shape)}")
        e = self.emit(f"math.exp {negative} : {self.type(shape)}")
        return self.binary("arith.divf", x, self.add(e, self.constant(1.0, shape), shape), shape)

    def linear_cross_entropy(self, x, head, labels, rows, width, vocabulary, bias=None):
        types = [self.type((rows, width)), self.type((vocabulary, width)), tensor((rows,), "i32")]
        extra = ""
        if bias:
            extra = f" bias {bias}"
            types.append(self.type((vocabulary,)))
        scalar = self.type(())
        y = self.emit(f"nn.linear_cross_entropy {x}, {head}, {labels}{extra} : "
                      f"({', '.join(types)}) -> ({scalar}, {scalar})", results=2)
        self.finish(y + "#0", y + "#1")

    def finish(self, total, weight):
        scalar = self.type(())
        self.lines.append(f"    zero.yield {total}, {weight} : {scalar}, {scalar}")
