"""Prints what a pccx file says, one JSON object per line. Written from formats/pccx/README.md alone.

    pccx.py FILE

The key `hwtrace` of the header is not read.
"""
import fractions
import json
import struct
import sys

TYPES = ("UNKNOWN", "MAC_COMPUTE", "DMA_READ", "DMA_WRITE", "SYSTOLIC_STALL", "BARRIER_SYNC", "API_CALL")
NAMES = b"PCC2"


def checksum(data):
    value = 0xCBF29CE484222325  # FNV-1a
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def bincode(data, has_names):
    """Yields the events of five fields, or of four fields without names."""
    _, count = struct.unpack_from("<QQ", data)
    at = 16

    def text():
        nonlocal at
        size, = struct.unpack_from("<Q", data, at)
        at += 8 + size
        return data[at - size:at].decode()

    for _ in range(count):
        core, start, duration = struct.unpack_from("<IQQ", data, at)
        at += 20
        kind, name = text(), None
        if has_names:
            at += 1
            name = text() if data[at - 1] == 1 else None
        yield core, start, duration, kind, name
    if at != len(data):
        raise ValueError(f"{len(data) - at} bytes follow the last event")


def flatbuf(data):
    events = []
    at = 0
    while at < len(data) and data[at:at + 4] != NAMES:
        core, start, duration, kind = struct.unpack_from("<IQQI", data, at)
        events.append([core, start, duration, TYPES[kind] if kind < len(TYPES) else f"UNKNOWN_{kind}", None])
        at += 24
    if at < len(data):
        count, = struct.unpack_from("<I", data, at + 4)
        at += 8
        for _ in range(count):
            event, size = struct.unpack_from("<IH", data, at)
            at += 6 + size
            events[event][4] = data[at - size:at].decode()
    if at != len(data):
        raise ValueError(f"{len(data) - at} bytes follow the last name")
    return events


def events_of(header, data):
    encoding = header.get("payload", {}).get("encoding")
    if encoding == "json":
        return [(event["core_id"], event["start_cycle"], event["duration"], event["event_type"], event.get("api_name"))
                for event in json.loads(data)["events"]]
    if encoding == "flatbuf":
        return flatbuf(data)
    if encoding != "bincode":
        return []  # an opaque payload
    try:
        return list(bincode(data, True))
    except (ValueError, IndexError, struct.error):
        return list(bincode(data, False))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    magic, major, _, _, size = struct.unpack_from("<4sBBHQ", data)
    if magic != b"PCCX" or major != 1:
        raise ValueError("no pccx file of version 1")
    header = json.loads(data[16:16 + size])
    facts = header.get("payload", {})
    payload = data[16 + size:16 + size + facts.get("byte_length", 0)]
    wanted = facts.get("checksum_fnv64")
    if wanted is not None and wanted != checksum(payload):
        raise ValueError(f"the checksum is {wanted} instead of {checksum(payload)}")
    hertz = header.get("trace", {}).get("clock_mhz", 1000) * 10**6

    def exact(cycles):
        return str(fractions.Fraction(cycles * 10**12, hertz)) if hertz else f"{cycles} cycles"

    for core, start, duration, kind, name in events_of(header, payload):
        values = [["core", core], ["duration", exact(duration)], ["name", name]]
        yield dict(kind="event", time=exact(start), scope=None, track=kind, values=values)


def main():
    for fact in read(sys.argv[1]):
        print(json.dumps(fact))


if __name__ == "__main__":
    main()
