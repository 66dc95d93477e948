#!/usr/bin/env python3
"""Runs gcov for tests/coverage.sh and keeps only the branches that the source decides.

GCC also counts the two exits of each call that may throw, and the branches of the clean-up after a throw. The source
decides none of these branches, and tests rarely take them. The listing shows which blocks only exceptions reach. The
JSON shows which branches are throws (the listing shows this only for branches that ran). Both have the same order.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Headers of other projects, which are most of a program's code, are left out.
OURS = ["--relative-only", "--source-prefix", ROOT]


def run(arguments):
    return subprocess.run(["gcov", *OURS, *arguments], capture_output=True, text=True, errors="replace")


def throws_of_lines(arguments):
    """Returns, by source file, line and function with branches there, which branches belong to a call that may throw."""
    found = {}
    for text in run(["--json-format", "--stdout", *arguments]).stdout.splitlines():
        for file in json.loads(text)["files"]:
            lines = found.setdefault(file["file"], {})
            for line in file["lines"]:
                throws = [branch["throw"] for branch in line["branches"]]
                if throws:
                    lines.setdefault(line["line_number"], []).append(throws)
    return found


def is_of_call(throws, index):
    return throws[index] or (index + 1 < len(throws) and throws[index + 1])


def branches_of_source(listing, lines):
    """Returns the lines of a listing without the branches of calls that may throw and of their clean-up."""
    kept, branches = [], []  # branches: (index in kept, is in a block of the clean-up)
    asked = {}  # by line: number of functions whose branches were listed

    def settle(number):
        if not branches:
            return
        functions = lines.get(number, [])
        place = asked[number] = asked.get(number, -1) + 1
        throws = functions[place] if place < len(functions) else []
        if len(throws) != len(branches):
            throws = [False] * len(branches)
        for index, (at, cleans_up) in enumerate(branches):
            if cleans_up or is_of_call(throws, index):
                kept[at] = None
        branches.clear()

    number, cleans_up = 0, False
    for text in listing:
        block = re.match(r"\s*([^:]+):\s*\d+-block", text)
        if block:
            cleans_up = "$" in block[1]
            continue
        line = re.match(r"\s*[^:]+:\s*(\d+):", text)
        if line:
            settle(number)
            number, cleans_up = int(line[1]), False
        if text.startswith("branch"):
            branches.append((len(kept), cleans_up))
        kept.append(text)
    settle(number)
    return [text for text in kept if text is not None]


def without_races(text):
    """Sets negative counts to 0. gcov derives such counts if threads that count at the same time lose counts."""
    text = re.sub(r"^\s*-\d+\*?:", "    #####:", text)
    return re.sub(r" (taken|returned) -\d+", r" \1 0", text)


def main(arguments):
    done = run(["--all-blocks", *arguments])
    listings = re.findall(r"^Creating '(.*)'$", done.stdout, re.MULTILINE)
    throws = throws_of_lines(arguments) if listings else {}
    for name in listings:
        with open(name, encoding="utf-8", errors="surrogateescape") as file:
            listing = [without_races(text) for text in file]
        source = re.sub(r".*?:Source:", "", listing[0]).rstrip("\n")
        with open(name, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines(branches_of_source(listing, throws.get(os.path.join(ROOT, source), {})))
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    return done.returncode


sys.exit(main(sys.argv[1:]))
