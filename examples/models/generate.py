#!/usr/bin/env python3
"""Writes the example models as MLIR: one training step each.

    generate.py gpt-bytes > gpt-bytes.mlir
    generate.py gpt2-small --layers=24 --batch=2 --sequence=512
    generate.py bert-large --count            the exact number of parameters

A linear layer is `y = x W + b` with W of inputs x outputs. Activations are
N x C with N = batch * sequence; attention sees them as B x T x H x D.
"""
import argparse
import sys

from step_writer import StepWriter

NAMES = ("gpt-bytes", "gpt2-small", "bert-large", "llama-160m", "mlp")

# layers, width, heads, key/value heads, vocabulary, positions, hidden, batch, sequence
DEFAULTS = {
    "gpt-bytes": dict(layers=6, width=384, heads=6, vocabulary=256, positions=256,
                      hidden=1536, batch=4, sequence=256),
    "gpt2-small": dict(layers=12, width=768, heads=12, vocabulary=50257, positions=1024,
                       hidden=3072, batch=4, sequence=256),
    "bert-large": dict(layers=24, width=1024, heads=16, vocabulary=30522, positions=512,
                       hidden=4096, batch=4, sequence=128),
    "llama-160m": dict(layers=12, width=768, heads=12, kv_heads=4, vocabulary=32000,
                       positions=2048, hidden=3072, batch=4, sequence=256),
    "mlp": dict(layers=1, width=16, heads=1, vocabulary=8, positions=1, hidden=32, batch=4,
                sequence=1),
}
RESIDUAL_STD = 0.02


def parse_arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("name", choices=NAMES)
    for option in ("layers", "width", "heads", "kv-heads", "vocabulary", "positions", "hidden",
                   "batch", "sequence"):
        parser.add_argument("--" + option, type=int)
    parser.add_argument("--dtype", choices=("f32", "f64"), default="f32")
    parser.add_argument("--dropout", type=float, default=0.0, metavar="P")
    parser.add_argument("--optimizer", choices=("adamw", "sgd"), default="adamw")
    parser.add_argument("--count", action="store_true",
                        help="print the number of parameters and nothing else")
    options = parser.parse_args(argv)
    fill_defaults(options)
    check(parser, options)
    return options


def fill_defaults(options):
    defaults = dict(DEFAULTS[options.name])
    if options.hidden is None and options.width is not None and options.name != "mlp":
        defaults["hidden"] = 4 * options.width
    defaults.setdefault("kv_heads", options.heads or defaults["heads"])
    for option, value in defaults.items():
        if getattr(options, option) is None:
            setattr(options, option, value)
    if options.positions < options.sequence and options.name != "llama-160m":
        options.positions = options.sequence


def check(parser, o):
    for option in ("layers", "width", "heads", "kv_heads", "vocabulary", "positions", "hidden",
                   "batch", "sequence"):
        if getattr(o, option) < 1:
            parser.error(f"--{option.replace('_', '-')} is {getattr(o, option)}; want at least 1")
    if o.width % o.heads or o.heads % o.kv_heads:
        parser.error(f"width {o.width}, heads {o.heads} and kv-heads {o.kv_heads} must divide")
    if o.name == "llama-160m" and (o.width // o.heads) % 2:
        parser.error(f"rotary heads of width {o.width // o.heads} must be even")
    if not 0 <= o.dropout < 1:
        parser.error(f"--dropout is {o.dropout}; want at least 0 and less than 1")


# ---------------------------------------------------------------------------
# Parts that models share
# ---------------------------------------------------------------------------

def linear(w, o, x, name, inputs, outputs, std=0.02, bias=True):
    rows = o.batch * o.sequence
    weight = w.parameter(f"{name}.weight", (inputs, outputs), w.normal(std))
    y = w.matmul(x, weight, (rows, inputs, outputs))
    if not bias:
        return y
    b = w.parameter(f"{name}.bias", (outputs,), "#zero.zeros", decay=False)
    return w.add_row(y, b, (rows, outputs))


def layer_norm(w, o, x, name):
    gamma = w.parameter(f"{name}.weight", (o.width,), "#zero.ones", decay=False)
    beta = w.parameter(f"{name}.bias", (o.width,), "#zero.zeros", decay=False)
    return w.layer_norm(x, gamma, beta, (o.batch * o.sequence, o.width), 1e-12
                        if o.name == "bert-large" else 1e-5)


def heads_of(w, o, x, begin, columns, heads):
    """Columns [begin, ...) of a fused projection as B x T x heads x D."""
    size = o.width // o.heads
    part = w.columns(x, (o.batch * o.sequence, columns), begin, heads * size)
    return w.expand(part, (o.batch * o.sequence, heads * size),
                    (o.batch, o.sequence, heads, size), "[[0, 1], [2, 3]]")


def merge_heads(w, o, x):
    size = o.width // o.heads
    return w.collapse(x, (o.batch, o.sequence, o.heads, size),
                      (o.batch * o.sequence, o.width), "[[0, 1], [2, 3]]")


def attention(w, o, x, name, causal, lengths=None, std=RESIDUAL_STD):
    """Multi-head attention with one fused projection, as in GPT-2 and BERT."""
    qkv = linear(w, o, x, f"{name}.qkv", o.width, 3 * o.width)
    q, k, v = (heads_of(w, o, qkv, i * o.width, 3 * o.width, o.heads) for i in range(3))
    y = w.attention(q, k, v, (o.batch, o.sequence, o.heads, o.width // o.heads), o.heads,
                    causal, lengths, o.dropout)
    return linear(w, o, merge_heads(w, o, y), f"{name}.proj", o.width, o.width, std)


def feed_forward(w, o, x, name, gelu, std=RESIDUAL_STD):
    shape = (o.batch * o.sequence, o.hidden)
    h = gelu(linear(w, o, x, f"{name}.fc", o.width, o.hidden), shape)
    return linear(w, o, h, f"{name}.proj", o.hidden, o.width, std)


def dropout(w, o, x):
    return w.dropout(x, (o.batch * o.sequence, o.width), o.dropout, o.sequence)


def embed_positions(w, o, x, name="wpe"):
    table = w.parameter(name, (o.positions, o.width), w.normal(0.02))
    rows = w.rows(table, (o.positions, o.width), o.sequence)
    return w.add_over_batch(x, rows, (o.batch, o.sequence, o.width))


# ---------------------------------------------------------------------------
# Models
# ---------------------------------------------------------------------------

def write_gpt(w, o):
    """Radford et al. 2019: pre-norm, learned positions, tanh gelu, tied head."""
    tokens = w.input("tokens", (o.batch, o.sequence), "i32")
    following = w.input("next_tokens", (o.batch, o.sequence), "i32")
    std = RESIDUAL_STD / (2 * o.layers) ** 0.5
    wte = w.parameter("wte", (o.vocabulary, o.width), w.normal(0.02))
    x = w.embedding(wte, tokens, (o.vocabulary, o.width), (o.batch, o.sequence))
    x = dropout(w, o, embed_positions(w, o, x))
    x = w.boundary(x, (o.batch * o.sequence, o.width))
    for layer in range(o.layers):
        name = f"h{layer}"
        a = attention(w, o, layer_norm(w, o, x, f"{name}.ln1"), f"{name}.attn", True, std=std)
        x = w.add(x, dropout(w, o, a), (o.batch * o.sequence, o.width))
        m = feed_forward(w, o, layer_norm(w, o, x, f"{name}.ln2"), f"{name}.mlp", w.gelu_tanh, std)
        x = w.add(x, dropout(w, o, m), (o.batch * o.sequence, o.width))
        x = w.boundary(x, (o.batch * o.sequence, o.width))
    x = layer_norm(w, o, x, "ln_f")
    head = w.alias("head", "wte", (o.vocabulary, o.width))
    labels = w.collapse(following, (o.batch, o.sequence), (o.batch * o.sequence,), "[[0, 1]]", "i32")
    w.linear_cross_entropy(x, head, labels, o.batch * o.sequence, o.width, o.vocabulary)


def write_bert(w, o):
    """Devlin et al. 2019: post-norm, masked language model with tied decoder."""
    shape = (o.batch * o.sequence, o.width)
    tokens = w.input("masked_tokens", (o.batch, o.sequence), "i32")
    targets = w.input("masked_labels", (o.batch, o.sequence), "i32")
    segments = w.input("segments", (o.batch, o.sequence), "i32")
    lengths = w.input("key_lengths", (o.batch,), "i32")
    wte = w.parameter("wte", (o.vocabulary, o.width), w.normal(0.02))
    x = w.embedding(wte, tokens, (o.vocabulary, o.width), (o.batch, o.sequence))
    wse = w.parameter("wse", (2, o.width), w.normal(0.02))
    x = w.add(x, w.embedding(wse, segments, (2, o.width), (o.batch, o.sequence)),
              (o.batch, o.sequence, o.width))
    x = dropout(w, o, layer_norm(w, o, embed_positions(w, o, x), "ln_e"))
    x = w.boundary(x, shape)
    for layer in range(o.layers):
        name = f"h{layer}"
        a = attention(w, o, x, f"{name}.attn", False, lengths, std=0.02)
        x = layer_norm(w, o, w.add(x, dropout(w, o, a), shape), f"{name}.ln1")
        m = feed_forward(w, o, x, f"{name}.mlp", w.gelu_erf, std=0.02)
        x = layer_norm(w, o, w.add(x, dropout(w, o, m), shape), f"{name}.ln2")
        x = w.boundary(x, shape)
    x = w.gelu_erf(linear(w, o, x, "transform", o.width, o.width), shape)
    x = layer_norm(w, o, x, "ln_t")
    head = w.alias("head", "wte", (o.vocabulary, o.width))
    bias = w.parameter("head.bias", (o.vocabulary,), "#zero.zeros", decay=False)
    labels = w.collapse(targets, (o.batch, o.sequence), (o.batch * o.sequence,), "[[0, 1]]", "i32")
    w.linear_cross_entropy(x, head, labels, o.batch * o.sequence, o.width, o.vocabulary, bias)


def rms_norm(w, o, x, name):
    gamma = w.parameter(f"{name}.weight", (o.width,), "#zero.ones", decay=False)
    return w.rms_norm(x, gamma, (o.batch * o.sequence, o.width), 1e-6)


def grouped_attention(w, o, x, name):
    """Grouped-query attention with rotary positions (Touvron et al. 2023)."""
    size = o.width // o.heads
    kv = o.kv_heads * size
    full, few = (o.batch, o.sequence, o.heads, size), (o.batch, o.sequence, o.kv_heads, size)
    q = heads_of(w, o, linear(w, o, x, f"{name}.q", o.width, o.width, bias=False), 0, o.width,
                 o.heads)
    k = heads_of(w, o, linear(w, o, x, f"{name}.k", o.width, kv, bias=False), 0, kv, o.kv_heads)
    v = heads_of(w, o, linear(w, o, x, f"{name}.v", o.width, kv, bias=False), 0, kv, o.kv_heads)
    y = w.attention(w.rope(q, full), w.rope(k, few), v, full, o.kv_heads, True, None, o.dropout)
    return linear(w, o, merge_heads(w, o, y), f"{name}.o", o.width, o.width, bias=False)


def write_llama(w, o):
    """Touvron et al. 2023: RMSNorm, rotary positions, SwiGLU, untied head."""
    shape = (o.batch * o.sequence, o.width)
    tokens = w.input("tokens", (o.batch, o.sequence), "i32")
    following = w.input("next_tokens", (o.batch, o.sequence), "i32")
    wte = w.parameter("wte", (o.vocabulary, o.width), w.normal(0.02))
    x = w.embedding(wte, tokens, (o.vocabulary, o.width), (o.batch, o.sequence))
    x = w.collapse(x, (o.batch, o.sequence, o.width), shape, "[[0, 1], [2]]")
    x = w.boundary(x, shape)
    for layer in range(o.layers):
        name = f"h{layer}"
        a = grouped_attention(w, o, rms_norm(w, o, x, f"{name}.ln1"), f"{name}.attn")
        x = w.add(x, dropout(w, o, a), shape)
        n = rms_norm(w, o, x, f"{name}.ln2")
        gate = linear(w, o, n, f"{name}.mlp.gate", o.width, o.hidden, bias=False)
        up = linear(w, o, n, f"{name}.mlp.up", o.width, o.hidden, bias=False)
        h = w.mul(w.silu(gate, (shape[0], o.hidden)), up, (shape[0], o.hidden))
        m = linear(w, o, h, f"{name}.mlp.down", o.hidden, o.width, bias=False)
        x = w.add(x, dropout(w, o, m), shape)
        x = w.boundary(x, shape)
    x = rms_norm(w, o, x, "ln_f")
    head = w.parameter("head", (o.vocabulary, o.width), w.normal(0.02))
    labels = w.collapse(following, (o.batch, o.sequence), (o.batch * o.sequence,), "[[0, 1]]", "i32")
    w.linear_cross_entropy(x, head, labels, o.batch * o.sequence, o.width, o.vocabulary)


def write_mlp(w, o):
    """Two linear layers and a squared error: x and target are fed from files."""
    shape = (o.batch, o.vocabulary)
    x = w.input("x", (o.batch, o.width), w.dtype)
    target = w.input("target", shape, w.dtype)
    h = w.tanh(linear(w, o, x, "fc1", o.width, o.hidden, std=0.25), (o.batch, o.hidden))
    h = w.boundary(h, (o.batch, o.hidden))
    y = linear(w, o, h, "fc2", o.hidden, o.vocabulary, std=0.18)
    d = w.sub(y, target, shape)
    w.finish(w.sum_all(w.mul(d, d, shape), shape), w.constant(float(o.batch), ()))


WRITERS = {"gpt-bytes": write_gpt, "gpt2-small": write_gpt, "bert-large": write_bert,
           "llama-160m": write_llama, "mlp": write_mlp}


def main(argv):
    options = parse_arguments(argv)
    writer = StepWriter(options.dtype, options.batch, options.optimizer)
    WRITERS[options.name](writer, options)
    print(writer.parameter_count() if options.count else writer.text(), end="\n" if options.count else "")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
