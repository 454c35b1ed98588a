"""One training step of GPT-2 small in PyTorch, as its users write it; prints seconds a step.

    pytorch_gpt2.py --steps=N --batch=4 --sequence=256 --threads=2 [--compile]
"""
import argparse
import json
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

WIDTH, HEADS, LAYERS, VOCABULARY, POSITIONS = 768, 12, 12, 50257, 1024


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.proj = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.fc, self.out = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def attention(self, x):
        batch, length, _ = x.shape
        q, k, v = (t.view(batch, length, HEADS, -1).transpose(1, 2)
                   for t in self.qkv(x).chunk(3, -1))
        if hasattr(F, "scaled_dot_product_attention"):
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = (q @ k.transpose(-1, -2)) * (WIDTH // HEADS) ** -0.5
            hidden = torch.ones(length, length, dtype=torch.bool).triu(1)
            y = scores.masked_fill(hidden, float("-inf")).softmax(-1) @ v
        return self.proj(y.transpose(1, 2).reshape(batch, length, WIDTH))

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        return x + self.out(F.gelu(self.fc(self.ln2(x)), approximate="tanh"))


class GPT2(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.ln = nn.LayerNorm(WIDTH)
        for parameter in self.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, tokens, following):
        x = self.wte(tokens) + self.wpe.weight[:tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        logits = self.ln(x) @ self.wte.weight.T
        return F.cross_entropy(logits.flatten(0, 1), following.flatten())


def main():
    parser = argparse.ArgumentParser()
    for name, value in (("steps", 4), ("batch", 4), ("sequence", 256), ("threads", 2)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    model = GPT2()
    step_model = torch.compile(model) if options.compile else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, betas=(0.9, 0.95),
                                  weight_decay=0.1)
    seconds = []
    for _ in range(options.steps):
        tokens = torch.randint(VOCABULARY, (options.batch, options.sequence))
        following = torch.randint(VOCABULARY, (options.batch, options.sequence))
        start = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        step_model(tokens, following).backward()
        optimizer.step()
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"version": torch.__version__, "seconds": seconds}))


if __name__ == "__main__":
    main()
