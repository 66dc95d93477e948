"""Prints what an O3PipeView trace says, one JSON object per line. Written from formats/o3pipeview/README.md alone.

    o3pipeview.py FILE
    o3pipeview.py FILE LOG [CYCLE]    compares FILE with a Kanata log made of it

With LOG, the program compares what a viewer shows: the cycles of each instruction in each stage, whether it was
flushed, and its label. A cycle has CYCLE ticks (default 1000).
"""
import fractions
import json
import re
import sys

import kanata

STAGES = {"fetch": "F", "decode": "Dc", "rename": "Rn", "dispatch": "Ds", "issue": "Is", "complete": "Cm", "retire": "Rt"}
LINE = re.compile(r"(?:\s*\d+: (?:(\S+): )?)?O3PipeView:(\w+):(.*)", re.DOTALL)


def number(text):
    return int(text) if text.strip() else 0


def instructions(path):
    """Yields each instruction of a file as a dictionary."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        lines = file.read().split("\n")
    instruction = None
    for line in lines:
        match = LINE.fullmatch(line.rstrip("\r"))
        if not match:
            continue
        cpu, word, rest = match.groups()
        if word == "fetch":
            tick, pc, upc, seq, label = rest.split(":", 4)
            instruction = dict(cpu=cpu or "core0", seq=int(seq), pc=int(pc, 16), upc=int(upc), label=label, thread=0,
                               ticks={"fetch": number(tick)}, store=0)
        elif word == "thread":
            instruction["thread"] = number(rest.split(":")[1])
        else:
            columns = rest.split(":")
            instruction["ticks"][word] = number(columns[0])
            if word == "retire":
                instruction["store"] = number(columns[2]) if columns[1:2] == ["store"] else 0
                yield instruction


def reached(instruction):
    return [(word, tick) for word, tick in instruction["ticks"].items() if tick or word == "fetch"]


def tick_length(path):
    """Returns the length of a tick in picoseconds."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        rate = re.search(r"^#hwtrace: ticks_per_second (\d+)$", file.read(), re.MULTILINE)
    return fractions.Fraction(10**12, int(rate[1])) if rate else 1


def read(path):
    length = tick_length(path)
    for one in instructions(path):
        values = [[key, one[key]] for key in ("seq", "pc", "upc", "thread", "label")]
        values += [[word, str(tick * length)] for word, tick in reached(one)]
        values += [["store", str(one["store"] * length)]] if one["store"] else []
        yield dict(kind="event", time=str(one["ticks"]["fetch"] * length), scope=one["cpu"], track="instruction",
                   values=values)


def shown_by_trace(path, cycle):
    """Returns {sequence number: (stages, flushed, label)}; a stage is its name, first cycle and cycles."""
    shown = {}
    for one in instructions(path):
        begins = [(STAGES[word], tick // cycle) for word, tick in reached(one)]
        ends = [begin for _, begin in begins[1:]] + [begins[-1][1] + 1]
        stages = [(name, begin, end - begin) for (name, begin), end in zip(begins, ends)]
        shown[one["seq"]] = stages, one["ticks"].get("retire", 0) == 0, f"{one['pc']:08x}: {one['label']}"
    return shown


def shown_by_log(path):
    ops, shown = {}, {}
    for fact in kanata.read(path):
        cycle, command, values = int(fact["time"].split()[0]), fact["track"], dict(fact["values"])
        if command == "W":
            continue
        op = ops.setdefault(values["id"], dict(stages=[], open=False, label=""))

        def end():
            if op["open"]:
                name, begin, _ = op["stages"][-1]
                op["stages"][-1] = name, begin, cycle - begin
            op["open"] = False

        if command == "I":
            op["seq"] = values["sim"]
        elif command == "L" and values["type"] == 0:
            op["label"] += values["text"]
        elif command == "S" and values["lane"] == 0:
            end()
            op["stages"].append((values["stage"], cycle, 0))
            op["open"] = True
        elif command == "E" and values["lane"] == 0:
            end()
        elif command == "R":
            end()
            shown[op["seq"]] = op["stages"], values["type"] != 0, op["label"]
            del ops[values["id"]]
    return shown


def compare(trace, log, cycle):
    wanted, found = shown_by_trace(trace, cycle), shown_by_log(log)
    different = [seq for seq in wanted.keys() | found.keys() if wanted.get(seq) != found.get(seq)]
    for seq in sorted(different)[:5]:
        print(f"instruction {seq}: {found.get(seq)} instead of {wanted.get(seq)}")
    print(f"{len(wanted)} instructions, {sum(flushed for _, flushed, _ in wanted.values())} flushed, "
          f"{len(different)} different")
    return 1 if different or not wanted else 0


def main():
    if len(sys.argv) > 2:
        sys.exit(compare(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1000))
    for fact in read(sys.argv[1]):
        print(json.dumps(fact))


if __name__ == "__main__":
    main()
