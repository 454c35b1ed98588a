"""Plants reads of the wrong version into a compiled program, at every stage.

    wrong_versions.py MODEL

For each update and each operation that reads what it changes, two faults: the reader is
on the other side of the update (which leaves its own result to be used before it is made),
and the reader runs once more on the other side (which leaves nothing else wrong).
rt-verify-schedule must refuse all of them, the second kind for the version that is read.
"""
import re
import subprocess
import sys

MESSAGE = re.compile(r"means bytes \[\d+, \d+\) of its arena "
                     r"(as they are at the start of the step, and reads them after their update|"
                     r"after their update, and reads them before)")


def zero_opt(text, *options):
    return subprocess.run(["zero-opt", "-", *options], input=text, capture_output=True, text=True)


class Program:
    """The lines of a module, with the persistent buffers that each operation touches."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.roots = {}  # name of a buffer -> (global, version)
        for line in self.lines:
            reference = re.match(r"\s*(%\w+) = rt.global_ref @(\S+)( updated)?", line)
            view = re.match(r"\s*(%\w+) = rt.view (%\w+) ", line)
            if reference:
                self.roots[reference[1]] = (reference[2], bool(reference[3]))
            elif view and view[2] in self.roots:
                self.roots[view[1]] = self.roots[view[2]]

    def timeline(self):
        return [number for number, line in enumerate(self.lines)
                if re.match(r"\s*%\w+ = rt\.(dispatch|matmul|copy|fill|all_gather|all_reduce|"
                            r"reduce_scatter) ", line)]

    def touched(self, number):
        names = re.findall(r"%\w+", self.lines[number].split("=", 1)[1])
        return {self.roots[name] for name in names if name in self.roots}

    def moved(self, number, behind):
        """With the operation of a line behind, or for a smaller number before, another."""
        lines = list(self.lines)
        lines.insert(behind, lines.pop(number))
        return "\n".join(lines) + "\n"

    def repeated(self, number, at):
        lines = list(self.lines)
        lines.insert(at, re.sub(r"%\w+ =", "%again =", lines[number], count=1))
        return "\n".join(lines) + "\n"


def faults(program):
    """Programs with a fault, and whether the version is all that is wrong."""
    timeline = program.timeline()
    for update in [n for n in timeline if "rt.dispatch @update" in program.lines[n]]:
        changed = {name for name, _ in program.touched(update)}
        for other in timeline:
            reads = {version for name, version in program.touched(other) if name in changed}
            if other < update and False in reads:
                yield program.moved(other, update), False
                yield program.repeated(other, update + 1), True
            elif other > update and True in reads:
                yield program.moved(update, other), False


def main():
    model = open(sys.argv[1]).read()
    for stage in range(4):
        result = zero_opt(model, f"--zero-compile-to-rt=stage={stage} world-size=2")
        if result.returncode:
            sys.exit(result.stderr)
        count = 0
        for text, only_version in faults(Program(result.stdout)):
            result = zero_opt(text, "--rt-plan-memory", "--rt-verify-schedule")
            if result.returncode == 0 or (only_version and not MESSAGE.search(result.stderr)):
                sys.exit(f"stage {stage}: not caught: {result.stderr or count}")
            count += 1
        print(f"stage {stage}: caught {count} of {count}")


if __name__ == "__main__":
    main()
