"""Checks the traces of apps/examples/live: live.py PROGRAM COUNTS SYSTEM.jsonl [WAVE.vcd]

PROGRAM is requests.hex. COUNTS is the sum of the records of the merged traces. SYSTEM.jsonl is the model of the merged
trace (hwtrace-dump --view model --format jsonl). Each request must be an event of the RTL, a transaction of the model,
and an edge of the signal `valid`, all at the same time, with the same address and data; so must each response. WAVE.vcd
is read independently of hwtrace.
"""
import collections
import json
import sys

RECORDS = ("event", "set", "clear", "add", "change", "interval", "relation", "instruction", "note", "native")


def simulate(path):
    """The requests, computed from the program: (begin, end, address, write, data) in picoseconds."""
    words, now, memory = [], 5000, {}
    with open(path) as file:
        for line in file:
            if not line.startswith("//"):
                words.append(int(line, 16))
    for number, word in enumerate(words):
        gap, write, address = word >> 24, word >> 20 & 1, word & 0xFFFFF
        begin = now + 10000 * (1 + gap)
        latency = 1 if write else 7 if address >> 6 & 3 == 3 else 3
        now = begin + 10000 * (2 + latency)
        if write:
            memory[address] = address * 3 + number
        yield begin, now, address, write, memory.get(address, 0)


def edges_of_vcd(path):
    """The times at which the signal `valid` of the scope `bus` rises and falls."""
    code, scope, now, rises, falls = None, [], 0, [], []
    with open(path) as file:
        for line in file:
            words = line.split()
            if not words:
                continue
            if words[0] == "$scope":
                scope.append(words[2])
            elif words[0] == "$upscope":
                scope.pop()
            elif words[0] == "$var" and words[4] == "valid" and scope[-1] == "bus":
                code = words[3]
            elif words[0] == "$timescale":
                assert line.replace(" ", "").startswith("$timescale1ps"), line
            elif words[0][0] == "#":
                now = int(words[0][1:])
            elif code and words[0] in ("0" + code, "1" + code):
                (rises if words[0][0] == "1" else falls).append(now)
    return rises, falls[1:]  # it is 0 at first


def main(program, count, system, vcd=None):
    requests, responses, transactions = [], [], []
    edges, counts, last, levels = {0: [], 1: []}, collections.Counter(), None, []
    with open(system) as file:
        for line in file:
            row = json.loads(line)
            if row.get("type") not in RECORDS:
                continue
            counts[row["type"]] += 1
            assert last is None or row["time"] >= last, "times decrease at %d" % row["time"]
            last = row["time"]
            fields = row.get("fields", row.get("attributes", {}))
            if row["type"] == "event" and row["track"] == "request":
                requests.append((row["time"], fields["address"], int(fields["write"])))
            elif row["type"] == "event" and row["track"] == "response":
                responses.append((row["time"], fields["data"]))
            elif row["type"] == "interval":
                data = int.from_bytes(bytes.fromhex(fields["trans.data"]), "little")
                transactions.append((row["time"], row["time"] + row["duration"], fields["trans.address"],
                                     int(row["track"] == "write"), data))
            elif row["type"] == "change" and row["track"] == "valid" and row["scope"] == "bus":
                levels.append((row["time"], row["values"]["value"]))
    for time, level in levels[1:]:
        edges[level].append(time)
    expected = list(simulate(program))
    assert transactions == expected, "the model's transactions differ from the program"
    assert requests == [(begin, address, write) for begin, _, address, write, _ in expected], "requests of the RTL"
    assert responses == [(end, data) for _, end, _, _, data in expected], "responses of the RTL"
    assert edges[1] == [one[0] for one in expected], "valid rises at other times"
    assert edges[0] == [one[1] for one in expected], "valid falls at other times"
    if vcd:
        assert edges_of_vcd(vcd) == (edges[1], edges[0]), "the waveform of Verilator differs"
    total = sum(counts.values())
    assert total == int(count), "%d records of %s" % (total, count)
    print("%d requests at the same times in all three traces; %d records" % (len(expected), total))


main(*sys.argv[1:])
