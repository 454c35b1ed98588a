"""The example models in PyTorch, written from their papers, not from the MLIR.

Each is a function of a dictionary of parameters and the step's inputs that returns the
sum of the loss and its weight. Names and layouts of parameters are those of
examples/models/generate.py: a linear layer is x W + b with W of inputs x outputs.
"""
import torch
import torch.nn.functional as F


def linear(p, name, x):
    y = x @ p[name + ".weight"]
    return y + p[name + ".bias"] if name + ".bias" in p else y


def layer_norm(p, name, x, epsilon):
    return F.layer_norm(x, x.shape[-1:], p[name + ".weight"], p[name + ".bias"], epsilon)


def rms_norm(p, name, x):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * p[name + ".weight"]


def split_heads(x, heads):
    batch, length, width = x.shape
    return x.view(batch, length, heads, width // heads).transpose(1, 2)


def attend(q, k, v, mask):
    """q: B x H x T x D; k, v: B x Hkv x T x D; mask: what may be seen."""
    groups = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
    scores = (q @ k.transpose(-1, -2)) * q.shape[-1] ** -0.5
    y = scores.masked_fill(~mask, float("-inf")).softmax(-1) @ v
    batch, heads, length, size = y.shape
    return y.transpose(1, 2).reshape(batch, length, heads * size)


def fused_attention(p, name, x, heads, mask):
    q, k, v = linear(p, name + ".qkv", x).chunk(3, -1)
    y = attend(*(split_heads(t, heads) for t in (q, k, v)), mask)
    return linear(p, name + ".proj", y)


def causal(length):
    return torch.ones(length, length, dtype=torch.bool).tril()


def summed_cross_entropy(logits, labels):
    logits, labels = logits.flatten(0, -2), labels.flatten().long()
    return F.cross_entropy(logits, labels, ignore_index=-100, reduction="sum"), \
        (labels != -100).sum()


def gpt(p, inputs, layers, heads):
    tokens = inputs["tokens"].long()
    length = tokens.shape[1]
    x = p["wte"][tokens] + p["wpe"][:length]
    for i in range(layers):
        name = f"h{i}"
        x = x + fused_attention(p, name + ".attn", layer_norm(p, name + ".ln1", x, 1e-5), heads,
                                causal(length))
        h = linear(p, name + ".mlp.fc", layer_norm(p, name + ".ln2", x, 1e-5))
        x = x + linear(p, name + ".mlp.proj", F.gelu(h, approximate="tanh"))
    logits = layer_norm(p, "ln_f", x, 1e-5) @ p["wte"].T
    return summed_cross_entropy(logits, inputs["next_tokens"])


def bert(p, inputs, layers, heads):
    tokens = inputs["masked_tokens"].long()
    length = tokens.shape[1]
    x = p["wte"][tokens] + p["wse"][inputs["segments"].long()] + p["wpe"][:length]
    x = layer_norm(p, "ln_e", x, 1e-12)
    seen = torch.arange(length)[None, :] < inputs["key_lengths"].long()[:, None]
    mask = seen[:, None, None, :].expand(-1, 1, length, -1)
    for i in range(layers):
        name = f"h{i}"
        x = layer_norm(p, name + ".ln1", x + fused_attention(p, name + ".attn", x, heads, mask),
                       1e-12)
        h = linear(p, name + ".mlp.proj", F.gelu(linear(p, name + ".mlp.fc", x)))
        x = layer_norm(p, name + ".ln2", x + h, 1e-12)
    x = layer_norm(p, "ln_t", F.gelu(linear(p, "transform", x)), 1e-12)
    return summed_cross_entropy(x @ p["wte"].T + p["head.bias"], inputs["masked_labels"])


def rotate(x):
    """x: B x H x T x D; pairs are halves of D."""
    half = x.shape[-1] // 2
    frequencies = 10000.0 ** (-torch.arange(half, dtype=torch.float64) / half)
    angles = torch.arange(x.shape[-2], dtype=torch.float64)[:, None] * frequencies
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def llama(p, inputs, layers, heads, kv_heads):
    tokens = inputs["tokens"].long()
    length = tokens.shape[1]
    x = p["wte"][tokens]
    for i in range(layers):
        name = f"h{i}"
        n = rms_norm(p, name + ".ln1", x)
        q = rotate(split_heads(linear(p, name + ".attn.q", n), heads))
        k = rotate(split_heads(linear(p, name + ".attn.k", n), kv_heads))
        v = split_heads(linear(p, name + ".attn.v", n), kv_heads)
        x = x + linear(p, name + ".attn.o", attend(q, k, v, causal(length)))
        n = rms_norm(p, name + ".ln2", x)
        h = F.silu(linear(p, name + ".mlp.gate", n)) * linear(p, name + ".mlp.up", n)
        x = x + linear(p, name + ".mlp.down", h)
    return summed_cross_entropy(rms_norm(p, "ln_f", x) @ p["head"].T, inputs["next_tokens"])
