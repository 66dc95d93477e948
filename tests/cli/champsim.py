"""Checks ChampSim traces without hwtrace's code: reads the records, classifies branches by ChampSim's public rules
(inc/instruction.h), and compares everything with the trace as jsonl (hwtrace-dump --view model --format jsonl).

champsim.py records MODEL.jsonl TRACE.champsim [--layout input|cloudsuite] [--branches registers|flags] [--hart N]
champsim.py objdump MODEL.jsonl DISASSEMBLY TRACE.champsim: classes and registers of each instruction of a program
champsim.py lines DISASSEMBLY [rv32]: prints a jsonl trace of the distinct instructions of a disassembly
champsim.py registers DISASSEMBLY TRACE.champsim: compares the registers with those in the disassembly

DISASSEMBLY is the output of objdump -d -M no-aliases,numeric.
"""
import collections
import json
import re
import struct
import sys

SP, FLAGS, IP = 6, 25, 26
LAYOUTS = {"input": (2, 4, 64), "cloudsuite": (4, 4, 96)}
JUMP, INDIRECT, CONDITIONAL, CALL, INDIRECT_CALL, RETURN, OTHER, NO_BRANCH = (
    "jump", "indirect jump", "conditional", "call", "indirect call", "return", "other", "no branch")

Record = collections.namedtuple("Record", "ip is_branch taken destinations sources writes reads asid")


def records(path, layout="input"):
    destinations, sources, size = LAYOUTS[layout]
    form = struct.Struct("<QBB%dB%dB" % (destinations, sources))
    addresses = struct.Struct("<%dQ%dQ" % (destinations, sources))
    at = (form.size + 7) // 8 * 8
    with open(path, "rb") as file:
        data = file.read()
    assert len(data) % size == 0, "%s: %d bytes are not whole records" % (path, len(data))
    for begin in range(0, len(data), size):
        head = form.unpack_from(data, begin)
        tail = addresses.unpack_from(data, begin + at)
        end = begin + at + addresses.size
        assert not any(data[begin + form.size:begin + at]), "padding is not zero"
        asid = tuple(data[end:end + 2]) if layout == "cloudsuite" else None
        assert not any(data[end + (2 if asid else 0):begin + size]), "padding is not zero"
        yield Record(head[0], head[1], head[2], head[3:3 + destinations], head[3 + destinations:],
                     tail[:destinations], tail[destinations:], asid)


def classify(record, version):
    """The type of a branch by the rules of ChampSim before ("old") and after ("new") August 2023."""
    written, read = set(record.destinations) - {0}, set(record.sources) - {0}
    reads_sp, reads_flags, reads_ip = SP in read, FLAGS in read, IP in read
    writes_sp, writes_ip = SP in written, IP in written
    reads_other = bool(read - {SP, FLAGS, IP})
    if not reads_sp and not reads_flags and writes_ip and not reads_other:
        return JUMP
    if not reads_sp and not reads_flags and writes_ip and reads_other and (version == "old" or not reads_ip):
        return INDIRECT
    compares = (reads_flags or reads_other) if version == "new" else (reads_flags and not reads_other)
    if not reads_sp and reads_ip and not writes_sp and writes_ip and compares:
        return CONDITIONAL
    if reads_sp and reads_ip and writes_sp and writes_ip and not reads_flags:
        return INDIRECT_CALL if reads_other else CALL
    if reads_sp and not reads_ip and writes_sp and writes_ip:
        return RETURN
    return OTHER if writes_ip else NO_BRANCH


def class_of(bits, size, wide):
    """The type of branch of an encoding (The RISC-V Instruction Set Manual, Volume I)."""
    links = (1, 5)
    if size == 4:
        rd, rs1, opcode = bits >> 7 & 31, bits >> 15 & 31, bits & 0x7F
        if opcode == 0x63:
            return CONDITIONAL
        if opcode == 0x6F:
            return CALL if rd in links else JUMP
        if opcode == 0x67:
            if rd in links:
                return INDIRECT_CALL if rs1 else CALL
            return RETURN if rs1 in links else INDIRECT if rs1 else JUMP
        return NO_BRANCH
    place, rd = (bits & 3, bits >> 13 & 7), bits >> 7 & 31
    if place in ((1, 6), (1, 7)):
        return CONDITIONAL
    if place == (1, 5):
        return JUMP
    if place == (1, 1) and not wide:
        return CALL
    if place == (2, 4) and bits >> 2 & 31 == 0 and rd:
        if bits >> 12 & 1:
            return INDIRECT_CALL
        return RETURN if rd in links else INDIRECT
    return NO_BRANCH


def model(path):
    """Yields (pc, encoding, size, target, accesses, hart, wide) of each instruction."""
    hart, wide = 0, True
    with open(path) as file:
        for line in file:
            row = json.loads(line)
            if row.get("type") == "metadata" and row.get("key") == "stf.process_id":
                hart = int(row["value"].split()[0])
            elif row.get("type") == "metadata" and row.get("key") == "stf.inst_iem":
                wide = row["value"] != "1"
            elif row.get("type") == "event" and row.get("track") == "stf.process_id":
                hart = row["fields"]["hw_thread"] if "fields" in row else row["hw_thread"]
            elif row.get("type") == "instruction":
                yield (int(row["pc"]), int(row["encoding"]), row["size"], row.get("target"),
                       row.get("accesses", []), hart, wide)


def check(wanted, got, where):
    if wanted != got:
        raise SystemExit("%s: expected %s, found %s" % (where, wanted, got))


def compare(model_path, trace, layout="input", branches="registers", hart=None):
    counts, versions = collections.Counter(), ("new", "old") if branches == "flags" else ("new",)
    found = records(trace, layout)
    destinations, sources, _ = LAYOUTS[layout]
    number = 0
    for pc, encoding, size, target, accesses, on, wide in model(model_path):
        if hart is not None and on != hart:
            continue
        record = next(found, None)
        if record is None:
            raise SystemExit("%s: ends after record %d" % (trace, number))
        where = "%s: record %d, pc %#x, encoding %#x" % (trace, number, pc, encoding)
        number += 1
        check(pc, record.ip, where + ": ip")
        kind = class_of(encoding, size, wide)
        for version in versions:
            check(kind, classify(record, version), where + ": type")
        if branches == "registers" and kind not in (CONDITIONAL, NO_BRANCH):
            check(kind, classify(record, "old"), where + ": type for old versions")
        counts[kind] += 1
        check(int(kind != NO_BRANCH), record.is_branch, where + ": is_branch")
        taken = kind not in (NO_BRANCH, CONDITIONAL) or (kind == CONDITIONAL and target is not None)
        check(int(taken), record.taken, where + ": branch_taken")
        for slots, type_ in ((record.writes, "write"), (record.reads, "read")):
            addresses = [int(one["address"]) for one in accesses if one["type"] == type_ and int(one["address"])]
            count = destinations if type_ == "write" else sources
            check((addresses + [0] * count)[:count], list(slots), where + ": addresses")
        for numbers in (record.destinations, record.sources):
            present = [one for one in numbers if one]
            check(list(numbers), present + [0] * (len(numbers) - len(present)), where + ": free slots come last")
            check([], [one for one in present if one not in (SP, FLAGS, IP) and not 33 <= one <= 127], where)
            if kind == NO_BRANCH:
                check(set(), {SP, FLAGS, IP} & set(present), where + ": special registers")
        if record.asid:
            check((on & 255, on & 255), record.asid, where + ": asid")
    check(None, next(found, None), "%s: a record after the last instruction" % trace)
    print(number, " ".join("%s=%d" % (kind.replace(" ", "_"), counts[kind]) for kind in sorted(counts)))


# --- disassemblies ---
LINE = re.compile(r"^ *([0-9a-f]+):\t([0-9a-f]{4}|[0-9a-f]{8}) *\t(\S+)(?:\t([^#<]*))?")
ALL_READ = re.compile(r"^(c\.)?f?s[bhwdq](sp)?$|^(b|c\.b)(eq|ne|lt|ge)|^sfence|^hfence|^c\.jr$")
UPDATES = re.compile(r"^c\.(addi|addiw|addi16sp|slli|srli|srai|andi|add|sub|and|or|xor|addw|subw|mul|not|zext\.[bhw]|sext\.[bh])$")
HAS_TARGET = re.compile(r"^(c\.)?(b(eq|ne|lt|ge)|jal?$)")
WRITES_ONLY = re.compile(r"^(c\.li|c\.lui|lui|auipc|jal)$")


def listed(path):
    """Yields (pc, encoding, size, mnemonic, operands) of each line."""
    with open(path) as file:
        for line in file:
            match = LINE.match(line)
            if match:
                yield (int(match[1], 16), int(match[2], 16), len(match[2]) // 2, match[3], (match[4] or "").strip())


def registers(mnemonic, text, wide):
    """The registers that are written and read, by the order of operands in assembly language."""
    if HAS_TARGET.match(mnemonic):
        text = text.rpartition(",")[0]  # a target may look like a register: f19
    named = [(one[0], int(one[1:])) for one in re.findall(r"\b[xf](?:[12]?[0-9]|3[01])\b", text)]
    if mnemonic in ("fence", "fence.i", "c.nop", "c.j", "ecall", "ebreak", "c.ebreak", "mret", "sret", "wfi", "unimp"):
        named = []
    if ALL_READ.match(mnemonic):
        written, read = [], named
    elif mnemonic == "c.jalr":
        written, read = [("x", 1)], named
    elif mnemonic == "c.jal":
        written, read = [("x", 1)], []
    elif UPDATES.match(mnemonic):
        written, read = named[:1], named
    elif WRITES_ONLY.match(mnemonic):
        written, read = named[:1], []
    else:
        written, read = named[:1], named[1:]
        if mnemonic.startswith("amocas"):
            read = named
    return {one for one in written if one != ("x", 0)}, {one for one in read if one != ("x", 0)}


def numbers(which):
    return {(32 if file == "x" else 64) + number for file, number in which}


def check_registers(record, mnemonic, text, bits, size, wide, where):
    written, read = map(numbers, registers(mnemonic, text, wide))
    kind = class_of(bits, size, wide)
    if kind != NO_BRANCH:
        written.add(IP)
    if kind in (CALL, INDIRECT_CALL, RETURN):
        written.add(SP)
        read.add(SP)
    if kind in (CALL, INDIRECT_CALL, CONDITIONAL, JUMP):
        if kind == CONDITIONAL and not read:
            read.add(FLAGS)
        read.add(IP)
    where += " %s %s" % (mnemonic, text)
    if len(record.destinations) >= len(written):
        check(written, set(record.destinations) - {0}, where + ": destinations")
    else:
        check(True, set(record.destinations) < written, where + ": destinations")
    check(read, set(record.sources) - {0}, where + ": sources")


def known(mnemonic, text):
    """False for data and for what an old disassembler does not know."""
    return not mnemonic.startswith((".", "0x", "v")) and "unknown" not in text and mnemonic != "unimp"


def distinct(path):
    seen = set()
    for pc, bits, size, mnemonic, text in listed(path):
        if bits not in seen and known(mnemonic, text):
            seen.add(bits)
            yield bits, size, mnemonic, text


def print_lines(path, wide):
    print(json.dumps({"schema": "hwtrace-jsonl/1"}))
    print(json.dumps({"type": "metadata", "key": "stf.isa", "value": "1"}))
    print(json.dumps({"type": "metadata", "key": "stf.inst_iem", "value": "2" if wide else "1"}))
    print(json.dumps({"type": "scope", "id": 0, "name": "/"}))
    print(json.dumps({"type": "scope", "id": 1, "name": "core0", "parent": 0}))
    print(json.dumps({"type": "track", "id": 0, "kind": "hart", "name": "core0", "scope": 1,
                      "time": {"base": "ordinal"}}))
    for number, (bits, size, _, _) in enumerate(distinct(path)):
        print(json.dumps({"type": "instruction", "time": number, "track_id": 0, "pc": number * 4, "encoding": bits,
                          "size": size}))


def main(arguments):
    command, arguments = arguments[0], arguments[1:]
    if command == "records":
        options = dict(zip((one[2:] for one in arguments[2::2]), arguments[3::2]))
        if "hart" in options:
            options["hart"] = int(options["hart"])
        compare(arguments[0], arguments[1], **options)
    elif command == "objdump":
        program = {pc: rest for pc, *rest in listed(arguments[1])}
        for (pc, encoding, size, _, _, _, wide), record in zip(model(arguments[0]), records(arguments[2])):
            if pc not in program:
                continue
            bits, _, mnemonic, text = program[pc]
            check(encoding, bits, "pc %#x" % pc)
            check_registers(record, mnemonic, text, bits, size, wide, "pc %#x" % pc)
    elif command == "lines":
        print_lines(arguments[0], arguments[1:] != ["rv32"])
    elif command == "registers":
        wide = arguments[2:] != ["rv32"]
        count, mnemonics = 0, set()
        found = records(arguments[1], "cloudsuite")
        for (bits, size, mnemonic, text), record in zip(distinct(arguments[0]), found):
            check_registers(record, mnemonic, text, bits, size, wide, "%#x" % bits)
            mnemonics.add(mnemonic)
            count += 1
        check(None, next(found, None), "a record too many")
        print(count, "encodings of", len(mnemonics), "mnemonics")


main(sys.argv[1:])
