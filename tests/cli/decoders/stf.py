"""Prints what an STF stream says, one JSON object per line. Written from formats/stf/README.md alone.

    stf.py FILE

Reads plain streams. Header records are not printed, and neither are records with undefined codes.
"""
import json
import struct
import sys

EVENT64 = 0x80000  # feature bit
ROLES = {1: "state", 2: "source", 3: "destination"}
REGISTERS = {1: "x", 2: "f", 3: "v", 4: "csr"}
ACCESSES = {1: "read", 2: "write"}
FLAT = {5: ("inst_iem", "H", ["mode"]), 8: ("process_id", "III", ["hw_thread", "pid", "tid"]),
        9: ("force_pc", "Q", ["pc"]), 41: ("ready_register", "H", ["number"]), 101: ("event_target", "Q", ["pc"]),
        230: ("microop", "BI", ["size", "opcode"])}


class Stream:
    def __init__(self, data):
        self.data, self.at = data, 0
        self.features, self.words, self.clocks, self.of_transactions = 0, 0, {}, False
        self.index, self.cycle, self.pc = 0, 0, None
        self.next_pc = None
        self.in_header = True
        self.group, self.accesses, self.contents = [], [], None
        self.target = None
        self.dependencies = []

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def bytes(self, count):
        self.at += count
        if self.at > len(self.data):
            raise ValueError("the stream ends inside a record")
        return self.data[self.at - count:self.at]

    def event(self, name, values, kind="event"):
        return dict(kind=kind, time=self.position(), scope=None, track="stf." + name, values=values)

    def position(self):
        return f"{self.cycle} cycles" if self.of_transactions else str(self.index)

    def facts(self):
        if self.take("B3s") != (1, b"STF"):
            raise ValueError("no STF stream")
        while self.at < len(self.data):
            yield from self.record(self.take("B"))

    def record(self, descriptor):
        if descriptor in (60, 62):
            yield from self.access(descriptor)
            return
        if descriptor in (61, 63):
            word = self.take("Q")
            if self.contents is not None:
                self.contents.append(word)
            return
        self.contents = None
        if descriptor in HEADER:
            HEADER[descriptor](self)
        elif descriptor in FLAT:
            yield from self.flat(*FLAT[descriptor])
        elif descriptor == 3:
            text = self.bytes(self.take("I")).decode("utf-8", "surrogateescape")
            if not self.in_header:
                yield self.event("comment", [["text", text]], "note")
        elif descriptor == 31:
            self.target = self.next_pc = self.take("Q")
        elif descriptor == 40:
            self.register()
        elif descriptor == 50:
            address, first, size, count = self.take("QQIB")
            entries = [self.take("QQ") for _ in range(count)]
            yield self.event("page_table_walk", [["address", address], ["first_access", first], ["page_size", size]] + [
                pair for table, entry in entries for pair in (["pte_address", table], ["pte", entry])])
        elif descriptor == 100:
            number, count = self.take("QB" if self.features & EVENT64 else "IB")
            yield self.event("event", [["id", number]] + [["field", self.take("Q")] for _ in range(count)])
        elif descriptor in (240, 241):
            yield self.instruction(4 if descriptor == 240 else 2)
        elif descriptor == 250:
            yield self.transaction()
        elif descriptor == 251:
            self.dependencies.append(self.take("QQB"))
        elif descriptor != 255 or self.at != len(self.data):
            raise ValueError(f"unknown descriptor {descriptor} at {self.at - 1}")

    def end_header(self):
        self.in_header = False

    def protocol(self):
        self.take("B")
        self.of_transactions = True

    def clock(self):
        number = self.take("B")
        self.clocks.setdefault(number, self.bytes(self.take("H")).decode())
        self.of_transactions = True

    def flat(self, name, form, fields):
        values = self.take(form)
        values = list(values) if isinstance(values, tuple) else [values]
        if name == "force_pc":
            self.pc = values[0]
        elif name == "event_target":
            self.next_pc = values[0]
        if not self.in_header:
            yield self.event(name, [list(pair) for pair in zip(fields, values)])

    def register(self):
        number, meta = self.take("HB")
        role, kind = ROLES.get(meta >> 4), REGISTERS.get(meta & 15)
        value = [self.take("Q") for _ in range(self.words if kind == "v" else 1)]
        if role and kind:
            self.group.append([f"{role} {kind}{number}", value if kind == "v" else value[0]])

    def access(self, descriptor):
        self.contents = []
        if descriptor == 60:
            address, size, attributes, kind = self.take("QHHB")
            self.accesses.append([ACCESSES.get(kind, "invalid"), [address, size, attributes, self.contents]])
        else:
            names = ("address", "size", "master", "index", "attributes", "type")
            values = [list(pair) for pair in zip(names, self.take("QHBBIB"))]
            while self.at < len(self.data) and self.data[self.at] == 63:
                self.at += 1
                values.append(["data", self.take("Q")])
            yield self.event("bus_access", values)

    def instruction(self, size):
        encoding = self.take("I" if size == 4 else "H")
        values = [["pc", self.pc], ["encoding", encoding], ["size", size]] + self.group + self.accesses
        if self.target is not None:
            values.append(["target", self.target])
        fact = dict(kind="instruction", time=self.position(), scope=None, track=None, values=values)
        self.pc = (self.pc + size) % 2**64 if self.next_pc is None else self.next_pc
        self.index += 1
        self.next_pc = self.target = None
        self.group, self.accesses = [], []
        return fact

    def transaction(self):
        number, delta, clock, count = self.take("QQBH")
        self.cycle += delta
        values = [["id", number]]
        for _ in range(count):
            kind = self.take("B")
            values += [["metadata_type", f"u{8 << kind}"], ["metadata", self.take("BHIQ"[kind])]]
        channel = "?ABCDE"[self.take("B")]
        values.append(["channel", channel])
        if channel != "E":
            code, param, size, source, length = self.take("BBBQH")
            values += [["code", code], ["param", param], ["size", size], ["source", source], ["data_size", length]]
            values += [["data", word] for word in words_of(self.bytes(length))]
        if channel in "ABC":
            values.append(["address", self.take("Q")])
        if channel in "AB":
            length = self.take("H")
            values.append(["mask_bits", length])
            values += [["mask", word] for word in words_of(self.bytes((length + 7) // 8))]
        if channel in "DE":
            values.append(["sink", self.take("Q")])
        for source, cycles, own in self.dependencies:
            values.append(["after", [source, cycles, own]])
        self.dependencies = []
        return dict(kind="interval", time=self.position(), scope=self.clocks[clock], track="stf.transaction",
                    values=values)


def words_of(data):
    return [int.from_bytes(data[at:at + 8], "little") for at in range(0, len(data), 8)]


def set_features(stream):
    stream.features = stream.take("Q")


def set_vector_length(stream):
    stream.words = (stream.take("I") + 63) // 64


HEADER = {2: lambda stream: stream.take("II"), 4: lambda stream: stream.take("H"),
          6: lambda stream: (stream.take("4B"), stream.bytes(stream.take("H"))), 7: set_features, 10: set_vector_length,
          11: Stream.protocol, 12: Stream.clock, 13: lambda stream: stream.bytes(stream.take("I")),
          19: Stream.end_header}


def read(path):
    with open(path, "rb") as file:
        return Stream(file.read()).facts()


def main():
    for fact in read(sys.argv[1]):
        print(json.dumps(fact))


if __name__ == "__main__":
    main()
