"""Prints what a µScope file says, one JSON object per line. Written from formats/uscope/README.md alone.

    uscope.py FILE

Metadata and checkpoints are not printed.
"""
import json
import struct
import sys

import lz4

COMPLETE, COMPRESSED, INTERLEAVED = 1, 2, 0x80
TYPES = {1: "<B", 2: "<H", 3: "<I", 4: "<Q", 5: "<b", 6: "<h", 7: "<i", 8: "<q", 9: "<B", 10: "<I", 11: "<B"}
BOOL, STRING, ENUM = 9, 10, 11


class Bytes:
    """Reads little-endian numbers one after the other."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def leb128(self):
        value = shift = 0
        while True:
            byte = self.take("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value


class Schema:
    def __init__(self, data):
        at = Bytes(data)
        enums, clocks, scopes, storages, events, summaries, pool = at.take("BBHHHHH")
        self.pool = data[pool:]
        at.take(f"{clocks * 8}s") if clocks else None
        self.scopes = [self.name(at.take("HHHHBBBB")[0]) for _ in range(scopes)]
        self.enums = []
        self.storages, self.events = [], []
        for _ in range(enums):
            _, values, _ = at.take("HBB")
            labels = [at.take("BBH") for _ in range(values)]
            self.enums.append({value: self.name(label) for value, _, label in labels})
        for _ in range(storages):
            name, _, slots, fields, flags, scope, properties, _ = at.take("8H")
            self.storages.append((self.name(name), scope, self.fields(at, fields), self.fields(at, properties)))
        for _ in range(events):
            name, _, fields, scope = at.take("4H")
            self.events.append((self.name(name), scope, self.fields(at, fields)))

    def name(self, offset):
        return self.pool[offset:self.pool.index(0, offset)].decode()

    def fields(self, at, count):
        fields = [at.take("HBBBBH") for _ in range(count)]
        return [(self.name(name), kind if kind in TYPES else 1, enum) for name, kind, enum, *_ in fields]


class File:
    def __init__(self, data):
        self.data = data
        at = Bytes(data)
        magic, major, minor, self.flags, _, _, preamble_end, sections, self.tail = at.take("4sHHQQIIQQ")
        if magic != b"uSCP" or (major, minor) != (0, 3) or not self.flags & COMPLETE:
            raise ValueError("no closed µScope file of version 0.3")
        self.strings = []
        while at.at < preamble_end:
            kind, _, size = at.take("HHI")
            if kind == 2:
                self.schema = Schema(data[at.at:at.at + size])
            at.at += (size + 7) // 8 * 8
            if kind == 0:
                break
        at = Bytes(data, sections)
        while True:
            kind, _, _, offset, _ = at.take("HHIQQ")
            if kind == 2:
                self.read_strings(Bytes(data, offset))
            if kind == 0:
                break

    def read_strings(self, at):
        count, _ = at.take("II")
        places = [at.take("II") for _ in range(count)]
        self.strings = [self.data[at.at + offset:at.at + offset + size].decode("utf-8", "replace")
                        for offset, size in places]

    def segments(self):
        """Returns the offsets of the segments, from the first to the last."""
        offsets = []
        offset = self.tail
        while offset:
            offsets.insert(0, offset)
            offset = struct.unpack_from("<Q", self.data, offset + 24)[0]
        return offsets

    def facts(self):
        for offset in self.segments():
            magic, _, time, _, _, checkpoint, size, raw, frames, _, _ = Bytes(self.data, offset).take("4sIQQQIIIIII")
            if magic != b"uSEG":
                raise ValueError(f"no segment at {offset}")
            start = offset + 56 + checkpoint
            content = self.data[start:start + size]
            if self.flags & COMPRESSED:
                if self.flags >> 3 & 7:
                    raise ValueError("the segments are not compressed with LZ4")
                content = lz4.block(content[4:], struct.unpack_from("<I", content)[0])
            at = Bytes(content)
            for _ in range(frames):
                time += at.leb128()
                for _ in range(at.take("H")):
                    yield self.item(at, time)
            if at.at != raw:
                raise ValueError(f"segment at {offset}: {raw - at.at} bytes follow the last frame")

    def value(self, field, raw):
        _, kind, enum = field
        size = struct.calcsize(TYPES[kind])
        value = struct.unpack(TYPES[kind], (raw & (1 << size * 8) - 1).to_bytes(size, "little"))[0]
        if kind == BOOL:
            return bool(value)
        if kind == STRING:
            return self.strings[value]
        if kind == ENUM and enum < len(self.schema.enums):
            return self.schema.enums[enum].get(raw, raw)
        return value if kind > 4 else raw

    def item(self, at, time):
        tag = at.take("B")
        if tag == 3:
            _, number, size = at.take("BHI")
            name, scope, fields = self.schema.events[number]
            end = at.at + size
            values = [(field[0], self.value(field, at.take(TYPES[field[1]][1].upper()))) for field in fields]
            if at.at != end:
                raise ValueError(f"an event {name} of {size} bytes at {time} ps")
            return dict(kind="event", time=time, scope=self.schema.scopes[scope], track=name, values=values)
        action, number, slot, index, raw = at.take("BHHHQ" if tag == 1 else "BBHHH")
        name, scope, fields, properties = self.schema.storages[number]
        fact = dict(kind={1: "set", 2: "clear", 3: "add", 4: "set"}[action], time=time,
                    scope=self.schema.scopes[scope], track=name)
        if action == 4:
            return dict(fact, values=[(properties[index][0], self.value(properties[index], raw))])
        if action == 2:
            return dict(fact, slot=slot, values=[])
        return dict(fact, slot=slot, values=[(fields[index][0], self.value(fields[index], raw))])


def read(path):
    with open(path, "rb") as file:
        return File(file.read()).facts()


def main():
    for fact in read(sys.argv[1]):
        print(json.dumps(fact))


if __name__ == "__main__":
    main()
