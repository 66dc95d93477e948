# replay.py MODEL.JSONL: checks that each load reads what the last store to these bytes wrote.
import json
import sys

memory = {}
loads = known = 0
for line in open(sys.argv[1]):
    record = json.loads(line)
    for access in record.get("accesses", []):
        size, address = access["size"], access["address"]
        data = [word >> (8 * i) & 255 for word in access["data"] for i in range(8)][:size]
        for at, byte in enumerate(data):
            if access["type"] == "write":
                memory[address + at] = byte
            elif address + at in memory:
                known += 1
                if memory[address + at] != byte:
                    sys.exit(f"pc {record['pc']}: address {address + at:#x} holds {memory[address + at]}, not {byte}")
        loads += access["type"] == "read"
if known < 1000:
    sys.exit(f"only {known} bytes of {loads} loads were compared")
