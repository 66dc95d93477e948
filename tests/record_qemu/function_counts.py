"""Compares the instructions of functions with a count that knows only addresses and symbols.

usage: function_counts.py NM PCS NAMED [LEAST]
NM: the output of nm -S. PCS: a line "0x..." per executed instruction. NAMED: lines "function<TAB>instructions"; "-",
"[unknown]" and an empty name stand for code without a function. Every function is named, or at least LEAST are.
"""
import bisect
import collections
import sys

sizes, names = {}, collections.defaultdict(set)
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        words = line.split()
        if len(words) == 4 and words[2] in "tTwW":
            begin = int(words[0], 16)
            sizes[begin] = max(sizes.get(begin, 0), int(words[1], 16))
            names[words[3]].add(begin)
begins = sorted(sizes)
by_pc = collections.Counter()
with open(sys.argv[2], encoding="utf-8") as lines:
    for line in lines:
        by_pc[int(line, 16)] += 1
executed = collections.Counter()
for pc, times in by_pc.items():
    at = bisect.bisect_right(begins, pc) - 1
    if at >= 0 and pc < begins[at] + sizes[begins[at]]:
        executed[begins[at]] += times
faults, compared, covered = 0, 0, set()
with open(sys.argv[3], encoding="utf-8") as lines:
    for line in lines:
        name, stated = line.rstrip("\n").split("\t")
        # nm has no sizes of labels in assembly language, so their code is compared only as a whole.
        if name not in names:
            continue
        compared += 1
        covered |= names[name]
        wanted = sum(executed[begin] for begin in names[name])
        if wanted != int(stated):
            print(f"{name}: {stated} instructions instead of {wanted}")
            faults += 1
least = int(sys.argv[4]) if len(sys.argv) > 4 else None
if least is None and (missing := [begin for begin in executed if begin not in covered]):
    print("functions without a name:", " ".join(map(hex, missing)))
    faults += 1
if compared < (least or 50):
    print(f"only {compared} functions were compared")
    faults += 1
print(f"{compared} functions were compared")
sys.exit(1 if faults else 0)
