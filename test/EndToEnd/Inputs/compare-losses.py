"""Fails unless the losses that two runs of zero-run printed agree to 2e-6, relative."""
import re
import sys

first, second = ([float(loss) for loss in re.findall(r"loss (\S+)", open(path).read())]
                 for path in sys.argv[1:])
assert len(first) == len(second) > 0, (len(first), len(second))
for step, (a, b) in enumerate(zip(first, second), 1):
    assert abs(a - b) <= 2e-6 * abs(a), "step %d: %r and %r" % (step, a, b)
assert first[-1] != first[0], "nothing was trained"
