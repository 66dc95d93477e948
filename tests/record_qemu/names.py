# names.py TRACE.csv PROGRAM BASE: compares the functions and source lines of each pc of a trace (the view instructions
# with --elf, as CSV) with nm and addr2line. BASE is where the program was loaded.
import bisect
import csv
import subprocess
import sys

trace, program, base = sys.argv[1], sys.argv[2], int(sys.argv[3], 0)
cross = "riscv64-linux-gnu-"


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


ours = {}
with open(trace, newline="") as file:
    for row in csv.DictReader(file):
        if not row["pc"]:
            continue
        here = (row["function"], int(row["offset"], 16) if row["offset"] else None, row["source"])
        if ours.setdefault(int(row["pc"], 16), here) != here:
            sys.exit(f"{row['pc']} has two places: {here} and {ours[int(row['pc'], 16)]}")

# The names at each address: aliases are equally right.
names = {}
sizes = {}
for line in run(cross + "nm", "-C", "-S", "--defined-only", program).splitlines():
    address, rest = line.split(" ", 1)
    parts = rest.split(" ", 1)
    size = 0
    if len(parts[0]) > 1:
        size = int(parts[0], 16)
        parts = parts[1].split(" ", 1)
    if parts[0] not in "tTwWi" or parts[1].startswith("$") or parts[1].startswith(".L"):
        continue
    at = int(address, 16)
    names.setdefault(at, set()).add(parts[1].split("@")[0])
    sizes[at] = max(size, sizes.get(at, 0))
starts = sorted(names)
pcs = sorted(pc for pc in ours if ours[pc][0])
wrong = 0
for pc in pcs:
    function, offset, _ = ours[pc]
    begin = pc - offset - base
    if function not in names.get(begin, ()):
        print(f"{pc:#x}: {function}+{offset:#x}, but nm has {names.get(begin)} at {begin:#x}")
        wrong += 1
        continue
    nearest = starts[bisect.bisect_right(starts, pc - base) - 1]
    if nearest != begin and sizes[nearest] != 0 and nearest + sizes[nearest] > pc - base:
        print(f"{pc:#x}: {function}, but nm has {names[nearest]} nearer")
        wrong += 1

lines = run(cross + "addr2line", "-e", program, text="".join(f"{pc - base:x}\n" for pc in pcs)).splitlines()
with_lines = 0
for pc, line in zip(pcs, lines):
    line = line.split(" (discriminator")[0]
    source = ours[pc][2]
    if line.endswith((":?", ":0")):
        line = ""
    if line != source:
        print(f"{pc:#x}: line '{source}', but addr2line has '{line}'")
        wrong += 1
    with_lines += source != ""
if wrong or len(pcs) < 100 or with_lines < 50:
    sys.exit(f"{wrong} of {len(pcs)} pcs have wrong names, {with_lines} have lines")
print(f"{len(pcs)} pcs, {with_lines} with lines")
