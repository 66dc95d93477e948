"""Shared by the tests of the Python module: paths, samples, commands, and the main program.

A test is run as `python3 tests/python/NAME_test.py BIN TESTDATA`, with the module in PYTHONPATH.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SKIPPED = 77

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit(SKIPPED)

BIN, TESTDATA = Path(), Path()


def seed() -> int:
    """Returns the seed of this run and prints it; HWTRACE_SEED repeats a run."""
    chosen = int(os.environ.get("HWTRACE_SEED") or random.SystemRandom().randrange(2**32))
    print(f"HWTRACE_SEED={chosen}", flush=True)
    return chosen


def run_any(command: str, *arguments, code=None) -> str:
    """Runs a command of hwtrace and returns what it prints; `code` is its exit code, None: any."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    result = subprocess.run([str(BIN / command), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env=environment)
    if code is not None and result.returncode != code:
        raise AssertionError(f"{command} {arguments} exits with {result.returncode}, not {code}: {result.stderr}")
    return result.stdout


def run(command: str, *arguments, code: int = 0) -> str:
    """Does the same, and expects that the command succeeds."""
    return run_any(command, *arguments, code=code)


class Case(unittest.TestCase):
    """A test case with a temporary folder."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="hwtrace-python-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def sample(self, path: str) -> str:
        return str(TESTDATA / path)


def main() -> None:
    global BIN, TESTDATA
    BIN, TESTDATA = (Path(argument).resolve() for argument in sys.argv[1:3])
    unittest.main(module="__main__", argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
