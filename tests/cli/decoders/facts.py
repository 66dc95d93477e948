"""Compares what a decoder reads from converted files with the facts of the sources.

    facts.py FORMAT LIST

Each line of LIST is SOURCE, MODEL and FILE, separated by tabs. MODEL is the source as printed by `hwtrace-dump --view
model --format jsonl`; FORMAT.py reads FILE. Facts are the kind, time, track and plain values of records. The decoded
file may say more: a conversion adds objects, such as a table of the intervals in progress. Prints a line for each file
whose facts are not those of the source, then the number of files and facts that are.
"""
import collections
import fractions
import importlib
import json
import math
import re
import struct
import sys

ASSUMED_TICK = fractions.Fraction(1, 10**9)  # of ticks without a known length
REAL = ("f32", "f64", "fixed", "ufixed")
PICOSECOND = fractions.Fraction(1, 10**12)


class Model:
    """The objects and records of a source."""

    def __init__(self, path):
        self.scopes, self.tracks, self.records, self.metadata = [], [], [], {}
        self.enums, self.clocks = [], []
        with open(path, encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                self.add(json.loads(line))

    def add(self, line):
        kind = line.get("type")
        if kind == "scope":
            self.scopes.append(line)
        elif kind == "track":
            self.tracks.append(line)
        elif kind == "attribute":
            self.tracks[line["track_id"]].setdefault("fields", []).append(line["field"])
        elif kind == "enum":
            self.enums.append(line)
        elif kind == "clock":
            self.clocks.append(line)
        elif kind == "metadata":
            self.metadata[line["key"]] = line["value"]
        elif "time" in line and "track_id" in line:
            self.records.append(line)

    def scope(self, record):
        scope = self.tracks[record["track_id"]].get("scope")
        return None if scope is None else self.scopes[scope]["name"]

    def name(self, record):
        return self.tracks[record["track_id"]]["name"]

    def seconds(self, record, ticks):
        base = self.tracks[record["track_id"]]["time"]
        if base["base"] == "ordinal" or not base["den"]:
            return ticks * ASSUMED_TICK
        return ticks * fractions.Fraction(base["num"], base["den"])

    def values(self, record, member):
        """Returns pairs of field name and plain value, in order. Lists become several pairs."""
        fields = {field.get("key", field["name"]): field for field in self.tracks[record["track_id"]].get("fields", [])}
        pairs = record.get(member, {})
        pairs = pairs.items() if isinstance(pairs, dict) else pairs
        return [(fields[key]["name"], float(one) if fields[key]["type"] in REAL else one) for key, value in pairs
                for one in (value if isinstance(value, list) else [value])]

    def cycle(self, record):
        """Returns the time in cycles of the scope's clock."""
        scope = self.scopes[self.tracks[record["track_id"]]["scope"]]
        while "clock" not in scope and "parent" in scope:
            scope = self.scopes[scope["parent"]]
        period = self.clocks[scope["clock"]]["period_ps"] if "clock" in scope else 0
        in_cycles = self.tracks[record["track_id"]]["time"]["base"] != "seconds"
        return record["time"] if in_cycles else record["time"] // period

    def number(self, record, name, label):
        """Returns the number of a label."""
        field = next(field for field in self.tracks[record["track_id"]]["fields"] if field["name"] == name)
        if "enum" not in field:
            return label
        return next((one["value"] for one in self.enums[field["enum"]]["values"] if one["name"] == label), label)

    def single_values(self, record, member):
        """Returns the values whose names occur once in the track."""
        names = [field["name"] for field in self.tracks[record["track_id"]].get("fields", [])]
        return [pair for pair in self.values(record, member) if names.count(pair[0]) == 1 and
                [name for name, _ in self.values(record, member)].count(pair[0]) == 1]


def fact(kind, time, scope, track, values, slot=None):
    return dict(kind=kind, time=str(time), scope=scope, track=track,
                values=[list(pair) for pair in values], slot=slot)


def of_uscope(model):
    """An interval is an event of its name at its begin, and an event NAME.end at its end (README.md, Intervals)."""
    for record in model.records:
        kind, time = record["type"], model.seconds(record, record["time"]) / PICOSECOND
        where = model.scope(record), model.name(record)
        if kind == "event":
            yield fact(kind, time, *where, model.values(record, "fields"))
            for row in record.get("rows", []):
                yield fact(kind, time, where[0], where[1] + ".row", model.values(dict(record, fields=row), "fields"))
        elif kind in ("set", "add"):
            member = record.get("field", record.get("property"))
            yield fact(kind, time, *where, [(member, record["value"])], record.get("slot"))
        elif kind == "clear":
            yield fact(kind, time, *where, [], record["slot"])
        elif kind == "interval" and "start_cycle" not in record.get("attributes", {}):
            values = model.single_values(record, "attributes")
            times = [("begin", record["time"]), ("duration", record["duration"])]
            yield fact("event", math.floor(time), *where, times + [(name, bits(value)) for name, value in values])
            end = model.seconds(record, record["time"] + record["duration"]) / PICOSECOND
            yield fact("event", math.floor(end), where[0], where[1] + ".end", [one for one in values if one[0] == "id"])


def bits(value):
    """Returns the bits of a double as a number. Other values are returned unchanged."""
    return struct.unpack("<Q", struct.pack("<d", value))[0] if isinstance(value, float) else value


def of_pccx(model):
    """A value of a signal and an interval are events. The name of an event states their values."""
    for record in model.records:
        if record["type"] not in ("interval", "change") or record.get("no_value"):
            continue
        values = model.values(record, "attributes" if record["type"] == "interval" else "values")
        if any(name == "start_cycle" for name, _ in values):
            continue
        core = re.fullmatch("core([0-9]+)", model.scope(record) or "")
        pairs = [("core", int(core[1]))] if core else []
        if record["type"] == "interval":
            pairs.append(("duration", exact(model, record, record["duration"])))
        own = dict(values).get("api_name")
        if own is not None or not values:
            pairs.append(("name", own))
        else:
            pairs += [("name", forms(name, value)) for name, value in values if not isinstance(value, float)]
        track = model.tracks[record["track_id"]]
        namesakes = [other for other in model.tracks
                     if (other["name"], other.get("scope")) == (track["name"], track.get("scope"))]
        name = track["name"] + (f"#{record['track_id']}" if len(namesakes) > 1 else "")
        yield fact("event", exact(model, record, record["time"]), None, name, pairs)


def exact(model, record, ticks):
    """Returns ticks in picoseconds, or in cycles if their length is unknown, as text."""
    base = model.tracks[record["track_id"]]["time"]
    has_length = base["base"] != "ordinal" and base["den"]
    return str(model.seconds(record, ticks) / PICOSECOND) if has_length else f"{ticks} cycles"


def forms(name, value):
    """Returns a pattern of the forms in which a text may state a value. Namesakes have their types as suffixes."""
    if isinstance(value, bool):
        texts = [str(value).lower(), str(int(value))]
    elif isinstance(value, int):
        texts = [str(value), hex(value)]
    else:
        texts = [json.dumps(value, ensure_ascii=False), json.dumps(value), value]
    return {"matches": rf"(^| ){re.escape(name)}([.#]\w+)*=({'|'.join(map(re.escape, texts))})( |$)"}


def of_kanata(model):
    """The records of the protocol `cpu` are commands."""
    first = min(int(model.metadata.get("kanata.first_cycle", 0)), 0)
    label_types, dependency_types = {}, {}
    for at, record in enumerate(model.records):
        name, values = model.name(record), dict(model.values(record, "fields"))
        ids = values.get("entity_id")

        def command(letter, **columns):
            cycle = model.cycle(record) + first
            return fact("event", f"{cycle} cycles", None, letter, columns.items())

        if name == "entities" and record.get("field") == "entity_id":
            same = ("time", "track_id", "slot")
            more = {other["field"]: other["value"] for other in model.records[at + 1:at + 4]
                    if "field" in other and all(other.get(key) == record[key] for key in same)}
            yield command("I", id=record["value"], sim=more["simulator_id"], thread=more["thread_id"])
        elif name == "label_type":
            label_types[ids] = values["type"]
        elif name == "annotate":
            yield command("L", id=ids, type=label_types.pop(ids, 0), text=values["text"])
        elif name in ("stage_transition", "lane_stage"):
            yield command("S", id=ids, lane=values.get("lane", 0), stage=values["stage"])
        elif name == "stage_end":
            yield command("E", id=ids, lane=values["lane"], stage=values["stage"])
        elif name == "retire":
            yield command("R", id=ids, retire=values["retire_id"], type=values["type"])
        elif name == "dependency_type":
            dependency_types[values["src_entity"], values["dst_entity"]] = values["type"]
        elif name == "dependency":
            ends = values["src_entity"], values["dst_entity"]
            kind = dependency_types.pop(ends, model.number(record, "type", values["type"]))
            yield command("W", consumer=ends[1], producer=ends[0], type=kind)


def of_o3pipeview(model):
    """The records of an instruction, from its fetch until it retires or is flushed, are its lines."""
    words = {"F": "fetch", "Dc": "decode", "Rn": "rename", "Ds": "dispatch", "Is": "issue", "Cm": "complete",
             "Rt": "retire"}
    columns = {"simulator_id": "seq", "pc": "pc", "upc": "upc", "thread_id": "thread"}
    slots, ids = {}, {}
    for record in model.records:
        name, values = model.name(record), dict(model.values(record, "fields"))
        core, time = model.scope(record), exact(model, record, record["time"])
        one = ids.get((core, values.get("entity_id")))
        if name == "entities" and record.get("field") == "entity_id":
            one = slots[core, record["slot"]] = ids[core, record["value"]] = dict(upc=0, thread=0, label="", begin=time)
        elif name == "entities" and record.get("field") in columns:
            slots[core, record["slot"]][columns[record["field"]]] = record["value"]
        elif name == "annotate":
            one["label"] = values["text"]
        elif name == "stage_transition":
            one[words[values["stage"]]] = time
        elif name == "stage_end" and values["lane"] == 1:
            one["store"] = time
        elif name == "retire":
            del ids[core, values["entity_id"]]
            yield fact("event", one.pop("begin"), core, "instruction", one.items())


def of_txlog(model):
    for record in model.records:
        if record["type"] == "interval":
            values = model.values(record, "attributes") + [("duration", exact(model, record, record["duration"]))]
            begin = exact(model, record, record["time"])
            yield fact("interval", begin, model.scope(record), model.name(record), values)
        elif record["type"] == "relation":
            yield fact("relation", None, None, model.name(record), model.values(record, "fields"))


def of_stf(model):
    """Rows follow the fields of their event. A dependency follows its transaction."""
    after = collections.defaultdict(list)
    for record in model.records:
        if model.name(record) == "stf.dependency":
            ends = dict(model.values(record, "fields"))
            after[ends["to"]].append(("after", [ends["from"], ends["cycle_delta"], ends["clock"]]))
    for record in model.records:
        kind, name = record["type"], model.name(record)
        in_cycles = model.tracks[record["track_id"]]["time"]["base"] == "cycles"
        time = f"{record['time']} cycles" if in_cycles else str(record["time"])
        if kind == "instruction":
            yield fact(kind, time, None, None, values_of_instruction(record))
        elif kind == "event":
            rows = [pair for row in record.get("rows", [])
                    for pair in model.values({**record, "fields": row}, "fields")]
            yield fact(kind, time, None, name, model.values(record, "fields") + rows)
        elif kind == "note":
            yield fact(kind, time, None, name, [("text", record.get("text", ""))])
        elif kind == "interval":
            values = model.values(record, "attributes")
            yield fact(kind, time, model.scope(record), name, values + after[dict(values)["id"]])


def values_of_instruction(record):
    values = [(key, record[key]) for key in ("pc", "encoding", "size", "target") if key in record]
    for operand in record.get("operands", []):
        values.append((f"{operand['role']} {operand['register']}", operand.get("value", operand.get("words"))))
    for access in record.get("accesses", []):
        values.append((access["type"], [access["address"], access["size"], access.get("attributes", 0),
                                        access.get("data", [])]))
    return values


EXPECTED = {"uscope": of_uscope, "pccx": of_pccx, "kanata": of_kanata, "o3pipeview": of_o3pipeview, "txlog": of_txlog, "stf": of_stf}
COMPLETE = ("kanata", "o3pipeview", "txlog", "stf")  # conversions to these formats add nothing
ADDED = ("stf.force_pc",)  # states a change of the pc that the source does not explain


def holds(decoded, wanted, all_of_them):
    """Returns true if the decoded values contain the wanted ones, or are the wanted ones. NaN equals NaN."""
    def is_like(value, other):
        if isinstance(value, dict):
            return other is not None and re.search(value["matches"], other) is not None
        return value == other or (value != value and other != other)

    rest = list(decoded)
    for name, value in wanted:
        at = next((at for at, (other, like) in enumerate(rest) if names(name, other) and is_like(value, like)), None)
        if at is None:
            return False
        if not isinstance(value, dict):  # one text may state several values
            del rest[at]
    return not (all_of_them and rest)


def names(name, other):
    """Returns true if `other` is the name. A namesake has its phase as a suffix."""
    return name == other or other.startswith(name + ".")


class Difference(Exception):
    """A decoded file does not say what its source says."""


def compare(form, source, target):
    """Returns the number of facts of the model `source` that the file `target` states."""
    decoded = [json.loads(json.dumps(one)) for one in importlib.import_module(form).read(target)]
    by_place = collections.defaultdict(list)

    def place(one):
        return one["kind"], str(one["time"]), one["scope"], one["track"], one.get("slot")

    for one in decoded:
        by_place[place(one)].append(one["values"])
    model = Model(source)
    if any(key.startswith("hwtrace.") for key in model.metadata):
        return 0  # the source was converted itself, and its records are restored before they are converted again
    count = 0
    for wanted in EXPECTED[form](model):
        count += 1
        candidates = by_place[place(wanted)]
        found = next((values for values in candidates if holds(values, wanted["values"], form in COMPLETE)), None)
        if found is None:
            raise Difference(f"missing: {json.dumps(wanted)}; at this place: {json.dumps(candidates)[:500]}")
        candidates.remove(found)
    rest = [(where, values) for where, values in by_place.items() if values and where[3] not in ADDED]
    if form in COMPLETE and rest:
        raise Difference(f"not in the source: {rest[0]}")
    return count


def main():
    form, pairs = sys.argv[1:]
    files = facts = 0
    with open(pairs, encoding="utf-8") as lines:
        for line in lines:
            source, model, target = line.rstrip("\n").split("\t")
            try:
                facts += compare(form, model, target)
                files += 1
            except Exception as error:  # the decoder does not read the file, or the facts differ
                print(f"{source} as {form}: {type(error).__name__}: {error}")
    print(f"{files} files, {facts} facts")


if __name__ == "__main__":
    main()
