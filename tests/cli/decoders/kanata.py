"""Prints what a Kanata log says, one JSON object per line. Written from formats/kanata/README.md alone.

    kanata.py FILE

Comments and the third column of the first line are not read.
"""
import json
import sys

NAMES = {"I": ("id", "sim", "thread"), "L": ("id", "type", "text"), "S": ("id", "lane", "stage"),
         "E": ("id", "lane", "stage"), "R": ("id", "retire", "type"), "W": ("consumer", "producer", "type")}
TEXTS = ("text", "stage")


def facts(lines):
    cycle = 0
    for line in lines:
        command, *columns = line.replace("\r", "").split("\t")
        if command == "C=":
            cycle = int(columns[0])
        elif command == "C":
            cycle += int(columns[0])
        elif command in NAMES:
            if command == "L":
                columns[2:] = ["\t".join(columns[2:]).replace("\\n", "\n")]
            values = [[name, value if name in TEXTS else int(value)] for name, value in zip(NAMES[command], columns)]
            yield dict(kind="event", time=f"{cycle} cycles", scope=None, track=command, values=values)
        elif command and not command.startswith("#"):
            raise ValueError(f"unknown command {command}")


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        first, *lines = file.read().split("\n")
    if first.split("\t")[:2] != ["Kanata", "0004"]:
        raise ValueError("no Kanata log of version 0004")
    return facts(lines)


def main():
    for fact in read(sys.argv[1]):
        print(json.dumps(fact))


if __name__ == "__main__":
    main()
