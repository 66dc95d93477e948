# stacks.py TRACE.csv PROGRAM FOLDED: compares folded stacks with those that follow from objdump's mnemonics and the pcs
# of a trace. The program has no debug information, so that no call is shown as inlined.
import collections
import csv
import re
import subprocess
import sys

trace, program, folded = sys.argv[1:]
listing = subprocess.run(["riscv64-linux-gnu-objdump", "-d", "-M", "no-aliases", program], capture_output=True, text=True, check=True).stdout
mnemonics = {}
for address, size, mnemonic, operands in re.findall(r"^ *([0-9a-f]+):\t([0-9a-f]+) +\t([a-z.]+)\t?([^ \n]*)", listing, re.M):
    mnemonics[int(address, 16)] = (len(size) // 2, mnemonic, operands.split(","))

links = ("ra", "t0")


def kind_of(pc):
    """Returns the size of an instruction, and "call", "return", "jump" or "" for all others."""
    size, mnemonic, operands = mnemonics[pc]
    if mnemonic in ("jal", "c.jal"):
        return size, "call" if mnemonic == "c.jal" or operands[0] in links else "jump"
    if mnemonic == "c.jalr":
        return size, "call"
    if mnemonic == "c.jr":
        return size, "return" if operands[0] in links else "jump"
    if mnemonic == "jalr":
        base = re.sub(r".*\(|\)", "", operands[-1])
        return size, "call" if operands[0] in links else "return" if base in links else "jump"
    return size, "jump" if mnemonic == "c.j" or mnemonic.startswith(("b", "c.b")) else ""


stack = []  # [function, address of return]
counts = collections.Counter()
last = None
with open(trace, newline="") as file:
    for row in csv.DictReader(file):
        pc, function = int(row["pc"], 16), row["function"] or "[unknown]"
        at_begin = row["offset"] in ("0", "0x0")
        if last is None:
            stack = [[function, None]]
        else:
            size, kind = kind_of(last)
            if kind == "call":
                stack.append([function, last + size])
            elif kind == "return":
                depth = next((i for i in range(len(stack) - 1, 0, -1) if stack[i][1] == pc), None)
                if depth is not None:
                    del stack[depth:]
                elif function in [name for name, _ in stack]:  # longjmp
                    while stack[-1][0] != function:
                        stack.pop()
                else:
                    stack[-1][0] = function
            elif kind == "" and pc != last + size:
                if at_begin:  # a signal
                    stack.append([function, last + size])
                else:
                    depth = next((i for i in range(len(stack) - 1, 0, -1) if stack[i][1] == pc), None)
                    del stack[depth:]
            elif stack[-1][0] != function:
                stack[-1][0] = function
        counts[";".join(name for name, _ in stack)] += 1
        last = pc
        if last not in mnemonics:  # the page of the kernel that ends signals
            mnemonics[last] = (4, "", [""])

theirs = collections.Counter()
with open(folded) as file:
    for line in file:
        text, count = line.rstrip("\n").rsplit(" ", 1)
        theirs[text] += int(count)
different = [(text, counts[text], theirs[text]) for text in sorted(counts | theirs) if counts[text] != theirs[text]]
for text, ours, found in different[:10]:
    print(f"{text}: {ours} expected, {found} found")
if different or len(counts) < 30:
    sys.exit(f"{len(different)} of {len(counts)} stacks differ")
print(f"{len(counts)} stacks")
