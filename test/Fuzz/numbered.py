"""Checks that are numbered, run by several processes: --NAME=A..B --keep=DIR --jobs=N."""
import argparse
import concurrent.futures
import os


def parse(description, name, default):
    """The numbers to check, a folder for failing inputs, and the processes to use."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument(f"--{name}", dest="numbers", default=default,
                        help="A..B: numbers from A to B - 1")
    parser.add_argument("--keep", help="a folder for the inputs of failing numbers")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    first, last = (int(part) for part in options.numbers.split(".."))
    return range(first, last), options.keep, options.jobs


def run(check, numbers, keep, jobs, chunk=1):
    """What `check(number, keep)` gives for each number, in order."""
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(check, numbers, [keep] * len(numbers), chunksize=chunk)
