"""Prints what a transaction log says, one JSON object per line. Written from formats/txlog/README.md alone.

    txlog.py FILE
"""
import fractions
import json
import re
import sys

UNITS = {"fs": -15, "ps": -12, "ns": -9, "us": -6, "ms": -3, "s": 0}
ANONYMOUS = "<anonymous>"
STREAM = re.compile(r'scv_tr_stream \(ID (\d+), name "(.*)", kind "(.*)"\)$', re.S)
GENERATOR = re.compile(r'scv_tr_generator \(ID (\d+), name "(.*)", scv_tr_stream (\d+),$', re.S)
ATTRIBUTE = re.compile(r'(begin|end)_attribute \(ID \d+, name "(.*)", type "(.*)"\)$', re.S)
TIME = re.compile(r"tx_(begin|end) (\d+) (\d+) (\S+) (\S+)$")
RECORD = re.compile(r'tx_record_attribute (\d+) "(.*?)" ([A-Z_]+(?:\[\d+\])?) = (.*)$', re.S)
RELATION = re.compile(r'tx_relation "(.*)" (\d+) (\d+)$', re.S)
STATEMENT = re.compile(r"scv_tr_|begin_attribute|end_attribute|\)|tx_|a ")


def statements(text):
    """Yields the statements. A string may continue on the next lines."""
    parts = []
    for line in text.split("\n"):
        if STATEMENT.match(line) and parts:
            yield "\n".join(parts)
            parts = []
        if line or parts:
            parts.append(line)
    if parts:
        yield "\n".join(parts).rstrip("\n")


def value_of(kind, text):
    kind = kind.split("[")[0]
    if text.startswith('"'):
        return text[1:text.rindex('"')]
    if kind == "BOOLEAN":
        return text in ("true", "1")
    if kind in ("FLOATING_POINT_NUMBER", "FIXED_POINT_INTEGER", "UNSIGNED_FIXED_POINT_INTEGER"):
        return float(text)
    return int(text, 0)


class Log:
    def __init__(self):
        self.streams, self.generators, self.open, self.last = {}, {}, {}, None
        self.time = fractions.Fraction(0)

    def generator(self, number, name, stream):
        self.last = self.generators[number] = dict(name=name, stream=stream, begin=[], end=[])

    def at(self, phase, number, generator, time, unit):
        self.time = fractions.Fraction(time) * fractions.Fraction(10) ** (UNITS[unit] + 12)
        if phase == "begin":
            self.open[number] = dict(begin=self.time, generator=generator, values=[["id", int(number)]])
        else:
            self.open[number]["end"] = self.time
        self.last, self.declared = self.open[number], iter(self.generators[generator][phase])

    def fact(self, one):
        generator = self.generators[one["generator"]]
        values = one["values"] + [["duration", str(one["end"] - one["begin"])]]
        return dict(kind="interval", time=str(one["begin"]), scope=self.streams[generator["stream"]],
                    track=generator["name"], values=values)

    def facts(self, text):
        for line in statements(text):
            if match := STREAM.match(line):
                self.streams[match[1]] = match[2]
            elif match := GENERATOR.match(line):
                self.generator(*match.groups())
            elif match := ATTRIBUTE.match(line):
                self.last[match[1]].append(("" if match[2] == ANONYMOUS else match[2], match[3]))
            elif match := TIME.match(line):
                self.at(*match.groups())
            elif line.startswith("a "):
                name, kind = next(self.declared)
                if line != "a UNDEFINED":
                    self.last["values"].append([name, value_of(kind, line[2:])])
            elif match := RECORD.match(line):
                name = "" if match[2] == ANONYMOUS else match[2]
                self.open[match[1]]["values"].append([name, value_of(match[3], match[4])])
            elif match := RELATION.match(line):
                yield dict(kind="relation", time=None, scope=None, track=match[1],
                           values=[["from", int(match[3])], ["to", int(match[2])]])
            elif line != ")":
                raise ValueError(f"unknown statement {line}")
        for one in self.open.values():
            yield self.fact(one)


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        return Log().facts(file.read())


def main():
    for fact in read(sys.argv[1]):
        print(json.dumps(fact))


if __name__ == "__main__":
    main()
