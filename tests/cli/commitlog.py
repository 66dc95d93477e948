#!/usr/bin/env python3
"""Makes and checks commit logs without hwtrace's reader.

  commitlog.py check LOG DUMP    compares a log of Spike with the instructions that hwtrace-dump prints of its STF trace
                                 (--view instructions --format jsonl): pcs, encodings, registers, accesses, targets
  commitlog.py print DUMP LOG    prints the log that Spike would write for the instructions of such a dump
  commitlog.py same DUMP DUMP    compares pcs, encodings, targets and accesses of two such dumps
  commitlog.py random COUNT SEED LOG    writes a log of a program that was made up, as Spike -l --log-commits prints it
"""
import json
import random
import re
import sys

COMMIT = re.compile(r"^core +(\d+): ([0-3]) 0x([0-9a-f]+) \(0x([0-9a-f]+)\)(.*)$")
LISTED = re.compile(r"^core +(\d+): 0x([0-9a-f]+) \(0x([0-9a-f]+)\)")
TRAP = re.compile(r"^core +(\d+): exception (\S+|interrupt #\d+), epc 0x([0-9a-f]+)$")
RESULT = re.compile(r" ([xfv])(\d+) +0x([0-9a-f]+)| c(\d+)_\S+ +0x([0-9a-f]+)| mem 0x([0-9a-f]+)(?: 0x([0-9a-f]+))?"
                    r"| e\d+ mf?\d+ l\d+")


def parse(path):
    """Returns the instructions of a log of one hart as dictionaries. Knows nothing of hwtrace."""
    steps, listed, trapped = [], None, None
    for line in open(path, encoding="utf-8", errors="replace"):
        line = line.rstrip("\r\n")
        if match := COMMIT.match(line):
            listed = None
            step = {"pc": int(match[3], 16), "bits": int(match[4], 16), "registers": [], "accesses": []}
            rest, at = match[5], 0
            while rest[at:].strip():
                found = RESULT.match(rest, at)
                assert found, "cannot parse: " + rest[at:]
                at = found.end()
                if found[1]:
                    step["registers"].append((found[1], int(found[2]), int(found[3], 16)))
                elif found[4]:
                    step["registers"].append(("c", int(found[4]), int(found[5], 16)))
                elif found[6]:
                    data = None if found[7] is None else int(found[7], 16)
                    step["accesses"].append((int(found[6], 16), data, len(found[7]) // 2 if found[7] else None))
            steps.append(step)
        elif match := LISTED.match(line):
            listed = {"pc": int(match[2], 16), "bits": int(match[3], 16), "registers": [], "accesses": []}
        elif match := TRAP.match(line):
            if listed and listed["pc"] == int(match[3], 16):
                steps.append(dict(listed, trapped=True))
                listed = None
            elif steps:
                steps[-1]["trapped"] = True
    return steps


def number_of(register):
    """Returns the letter and the number of a register's name in a dump; None for CSRs, which have names."""
    match = re.match(r"^REG_([FV]?)(\d+)$", register["register"])
    return ({"": "x", "F": "f", "V": "v"}[match[1]], int(match[2])) if match else None


def value_of(register):
    if "words" in register:
        return sum(word << 64 * at for at, word in enumerate(register["words"]))
    return register["value"]


def instructions(path):
    with open(path, encoding="utf-8") as lines:
        return [entry for entry in map(json.loads, lines) if "instruction" in entry]


def check(log, dump):
    wanted, got = parse(log), instructions(dump)
    assert len(wanted) == len(got), f"{len(wanted)} instructions in the log, {len(got)} in the trace"
    for at, (step, entry) in enumerate(zip(wanted, got)):
        where = f"instruction {at}: {step} {entry}"
        assert step["pc"] == entry["pc"], where
        size = 4 if step["bits"] & 3 == 3 else 2
        assert entry["size"] == size and entry["encoding"] == step["bits"] & (1 << 8 * size) - 1, where
        registers = entry.get("registers", [])
        assert all(each["role"] == "dst" for each in registers), where
        named = sorted((*number_of(each), value_of(each)) for each in registers if number_of(each))
        assert named == sorted(each for each in step["registers"] if each[0] != "c"), where
        csrs = sorted(each["value"] for each in registers if not number_of(each))
        assert csrs == sorted(each[2] for each in step["registers"] if each[0] == "c"), where
        accesses = entry.get("accesses", [])
        assert sorted(each["address"] for each in accesses) == sorted(each[0] for each in step["accesses"]), where
        stores = [(each["address"], each["data"][0], each["size"]) for each in accesses if each["type"] == "WRITE"]
        assert sorted(stores) == sorted(each for each in step["accesses"] if each[1] is not None), where
        for each in accesses:
            if each["type"] != "READ" or entry.get("events"):
                continue
            low = [value & (1 << 8 * each["size"]) - 1 for letter, _, value in step["registers"] if letter in "xf"]
            assert each["data"][0] in low or not low, where
        if at + 1 < len(wanted) and not step.get("trapped"):
            following = wanted[at + 1]["pc"]
            assert following == entry.get("target", step["pc"] + size), where
    print(f"{len(got)} instructions are equal")


# --- logs of traces --------------------------------------------------------------------------------------------------

def load_of(bits, size):
    """Returns the destination of a load: its letter, its number and whether it is extended with its sign."""
    if size == 4:
        opcode, funct3 = bits & 0x7F, bits >> 12 & 7
        if opcode == 0x03:
            return "x", bits >> 7 & 31, funct3 < 4
        if opcode == 0x07 and funct3 in (2, 3):
            return "f", bits >> 7 & 31, False
        if opcode == 0x2F:
            return "x", bits >> 7 & 31, True
        return None
    quadrant, funct3 = bits & 3, bits >> 13
    if quadrant == 0 and funct3 in (1, 2, 3):
        return "f" if funct3 == 1 else "x", 8 + (bits >> 2 & 7), True
    if quadrant == 2 and funct3 in (1, 2, 3):
        return "f" if funct3 == 1 else "x", bits >> 7 & 31, True
    if quadrant == 0 and funct3 == 4 and bits >> 10 & 7 < 2:  # Zcb
        return "x", 8 + (bits >> 2 & 7), bits >> 10 & 7 == 1 and bits >> 6 & 1
    return None


def print_log(dump, path):
    with open(path, "w", encoding="utf-8") as out:
        for entry in instructions(dump):
            bits, size = entry["encoding"], entry["size"]
            place = f"0x{entry['pc']:016x} (0x{bits:0{2 * size}x})"
            out.write(f"core   0: 0x{entry['pc']:016x} (0x{bits:08x}) {entry.get('disassembly', '')}\n")
            if any(each["event"] == "USER_ECALL" for each in entry.get("events", [])):
                out.write(f"core   0: exception trap_user_ecall, epc 0x{entry['pc']:016x}\n")
                continue
            results, accesses = "", ""
            for each in entry.get("accesses", []):
                data = each["data"][0]
                if each["type"] == "WRITE":
                    accesses += f" mem 0x{each['address']:016x} 0x{data:0{2 * each['size']}x}"
                    continue
                accesses += f" mem 0x{each['address']:016x}"
                destination = load_of(bits, size)
                if destination is None or destination[:2] == ("x", 0):
                    continue
                letter, number, is_signed = destination
                width = 8 * each["size"]
                if letter == "f" and width == 32:
                    data |= 0xFFFFFFFF << 32
                elif is_signed and data >> width - 1 & 1:
                    data |= (1 << 64) - (1 << width)
                results = f" {letter}{number:<2} 0x{data:016x}"
            out.write(f"core   0: 0 {place}{results}{accesses}\n")


def same(first, second):
    a, b = instructions(first), instructions(second)
    assert len(a) == len(b), f"{len(a)} and {len(b)} instructions"

    def of(entry):
        # The log does not say what a load to x0 has read.
        is_dropped = (load_of(entry["encoding"], entry["size"]) or ())[:2] == ("x", 0)
        accesses = [(each["type"], each["address"], each["size"],
                     0 if is_dropped and each["type"] == "READ" else each["data"][0])
                    for each in entry.get("accesses", [])]
        return entry["pc"], entry["encoding"], entry["size"], entry.get("target"), accesses

    for at, (one, other) in enumerate(zip(a, b)):
        if at + 1 == len(a):  # nothing shows where the last instruction leads
            one, other = dict(one, target=None), dict(other, target=None)
        assert of(one) == of(other), f"instruction {at}: {of(one)} and {of(other)}"
    print(f"{len(a)} instructions are equal")


# --- made-up programs ------------------------------------------------------------------------------------------------

def random_log(count, seed, path):
    """Executes random instructions and logs them. A loop keeps the number of different lines small."""
    choose = random.Random(seed)
    with open(path, "w", encoding="utf-8") as out:
        pc, base = 0x80000000, 0x80000000
        for _ in range(count):
            rd, rs = choose.randrange(1, 32), choose.randrange(1, 32)
            value = choose.getrandbits(64)
            address = 0x80100000 + 8 * choose.randrange(4096)
            kind, following, results = choose.randrange(10), pc + 4, ""
            if kind < 4:
                bits, results = 0x13 | rd << 7 | rs << 15, f" x{rd:<2} 0x{value:016x}"
            elif kind < 6:
                bits = 0x3003 | rd << 7 | rs << 15
                results = f" x{rd:<2} 0x{value:016x} mem 0x{address:016x}"
            elif kind == 6:
                width = choose.randrange(4)
                bits = 0x23 | width << 12 | rs << 15 | rd << 20
                results = f" mem 0x{address:016x} 0x{value & (1 << (8 << width)) - 1:0{2 << width}x}"
            elif kind == 7:
                bits = 0x063 | rs << 15 | rd << 20 | 8 << 8  # beq to pc + 16
                following = pc + choose.choice((4, 16))
            elif kind == 8:
                bits, following = 0x4501 | rd << 7, pc + 2
                results = f" x{rd:<2} 0x{0:016x}"
            else:
                bits, results = 0x302F | rd << 7 | rs << 15, f" x{rd:<2} 0x{value:016x} mem 0x{address:016x}" \
                    f" mem 0x{address:016x} 0x{value + 1 & (1 << 64) - 1:016x}"
            if pc - base > 0x4000:
                bits, following, results = 0x8067, base, ""
            size = 2 if bits & 3 != 3 else 4
            out.write(f"core   0: 0x{pc:016x} (0x{bits:08x}) made up\n"
                      f"core   0: 3 0x{pc:016x} (0x{bits:0{2 * size}x}){results}\n")
            pc = following
        out.write(f"core   0: 3 0x{pc:016x} (0x00000013)\n")


def main(command, *arguments):
    if command == "check":
        check(*arguments)
    elif command == "print":
        print_log(*arguments)
    elif command == "same":
        same(*arguments)
    else:
        random_log(int(arguments[0]), int(arguments[1]), arguments[2])


if __name__ == "__main__":
    main(*sys.argv[1:])
