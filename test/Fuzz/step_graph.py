"""A step as a graph of operations that is written as MLIR and evaluated in PyTorch.

A node holds both forms of one operation: lines of MLIR, in which `{0}`, `{1}`, ... are
its operands, `{r}` its result and `{t}` a prefix for names of its own; and a function of
the operands' PyTorch tensors. Node by node, one does not know the other.
"""
import dataclasses
import typing

import torch

FLOAT, INT = "f64", "i32"


@dataclasses.dataclass
class Node:
    shape: tuple
    lines: str
    evaluate: typing.Callable
    operands: tuple = ()
    element: str = FLOAT
    number: int = -1

    @property
    def name(self):
        return f"%v{self.number}"

    @property
    def type(self):
        return tensor_type(self.shape, self.element)


def tensor_type(shape, element=FLOAT):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def number(value):
    """An f64 literal that MLIR reads back as just this value."""
    return f"{float(value):.17e}"


class Graph:
    def __init__(self):
        self.nodes, self.parameters, self.inputs = [], {}, {}

    def add(self, shape, lines, evaluate, *operands, element=FLOAT):
        node = Node(tuple(shape), lines, evaluate, operands, element, len(self.nodes))
        self.nodes.append(node)
        return node

    def parameter(self, shape):
        name = f"p{len(self.parameters)}"
        self.parameters[name] = tuple(shape)
        return self.read(name)

    def read(self, name):
        shape = self.parameters[name]
        return self.add(shape, f'{{r}} = zero.read @{name} : {tensor_type(shape)}',
                        lambda values: values[name])

    def input(self, shape, records, element=FLOAT):
        """`records`: one tensor for each record that the step is fed."""
        role = f"in{len(self.inputs)}"
        self.inputs[role] = (tuple(shape), element, records)
        return self.add(shape, "", lambda values: values[role], element=element)

    def text(self, loss, optimizer="#zero.sgd<>"):
        used = self.reach(loss)
        lines = [f'zero.parameter @{name} : {tensor_type(shape)} {{init = #zero.normal<0.0, 0.6>}}'
                 for name, shape in self.parameters.items()]
        names = {}
        arguments = []
        for node in self.nodes:
            names[node.number] = node.name
        roles = iter(self.inputs.items())
        for node in self.nodes:
            if not node.lines:
                role, (shape, element, _) = next(roles)
                arguments.append(f'{node.name}: {tensor_type(shape, element)} '
                                 f'{{zero.input = "{role}"}}')
        lines.append(f"zero.step @train({', '.join(arguments)}) optimizer {optimizer} "
                     "attributes {samples = 1 : i64} {")
        for node in self.nodes:
            if node.lines and (node.number in used or node.number % 3):
                operands = [names[operand.number] for operand in node.operands]
                text = node.lines.format(*operands, r=node.name, t=f"%t{node.number}_")
                lines += ["  " + line.strip() for line in text.splitlines() if line.strip()]
        lines += [f"  zero.yield {loss.name} : tensor<f64>", "}"]
        return "\n".join(lines) + "\n"

    def reach(self, loss):
        """What the loss needs, and what a node that is written needs."""
        used = {loss.number}
        for node in reversed(self.nodes):
            if node.number in used or node.number % 3:
                used.update(operand.number for operand in node.operands)
        return used

    def evaluate(self, loss, parameters, record):
        """The loss and its gradients, with the inputs of one record."""
        values = {name: value.clone().requires_grad_() for name, value in parameters.items()}
        values.update({role: records[record] for role, (_, _, records) in self.inputs.items()})
        results = {}
        for node in self.nodes[:loss.number + 1]:
            operands = [results[operand.number] for operand in node.operands]
            results[node.number] = node.evaluate(*operands) if operands else node.evaluate(values)
        total = results[loss.number]
        names = list(parameters)
        gradients = torch.autograd.grad(total, [values[name] for name in names],
                                        allow_unused=True) if total.requires_grad else \
            [None] * len(names)
        return total.item(), {name: torch.zeros_like(parameters[name]) if g is None else g
                              for name, g in zip(names, gradients)}
