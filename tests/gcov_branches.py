#!/usr/bin/env python3
"""gcov, for tests/coverage.sh, with the branches of the source alone.

GCC also counts both ways out of each call that may throw, and what the clean-up behind a throw branches on. The source
decides nothing there, and no test takes the second way of the first. The listing tells which blocks only exceptions
reach, the JSON which branches are throws (the listing does so only of those that ran); both have them in one order.
"""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Headers of other projects, most of a program's text, are left out.
OURS = ["--relative-only", "--source-prefix", ROOT]


def run(arguments):
    return subprocess.run(["gcov", *OURS, *arguments], capture_output=True, text=True, errors="replace")


def throws_of_lines(arguments):
    """Source file -> line -> for each function that has branches there, which of them a call takes that may throw."""
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
    """The lines of a listing without the branches that only calls that may throw, and their clean-up, have."""
    kept, branches = [], []  # branches: (place in kept, is in a block of the clean-up)
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
    """Threads that count at once lose counts, so that those which gcov derives come out negative: as if it never ran."""
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
