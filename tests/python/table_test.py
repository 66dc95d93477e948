"""Tables, compared with what hwtrace-dump prints."""

import json
import math
import random
import unittest
from collections import defaultdict

import support
import numpy as np
import hwtrace

try:
    import pandas
except ImportError:
    pandas = None


def dumped(path):
    """Returns the records of a trace by track id, as hwtrace-dump prints them."""
    lines = support.run("hwtrace-dump", path, "--view", "model", "--format", "jsonl", "--allow-incomplete").splitlines()
    records = defaultdict(list)
    for line in map(json.loads, lines):
        if "track_id" in line and "time" in line:
            records[line["track_id"]].append(line)
    return records


def number(value):
    """Returns a value of JSON as Python has it: not-a-number and infinities are texts there."""
    if isinstance(value, str) and value.lower().startswith(("0x7f", "0xff")):  # a NaN with other bits than the usual ones
        return float("nan")
    if isinstance(value, str) and value in ("NaN", "Infinity", "-Infinity"):
        return float(value.replace("Infinity", "inf"))
    return value


def plain(column, value):
    """Returns a value of a table as JSON has it."""
    if value is np.ma.masked or value is None:
        return None
    if isinstance(value, np.ndarray):
        return [plain(column, item) for item in value]
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, np.generic):
        return value.item()
    return value


class Tables(support.Case):
    def assert_equal_values(self, expected, value, where):
        expected = number(expected)
        if isinstance(expected, dict):  # bytes that JSON cannot hold as a text
            self.assertEqual(bytes.fromhex(expected["bytes"]),
                             bytes.fromhex(value) if where.count("blob") else value.encode(errors="surrogateescape"), where)
        elif isinstance(expected, float) and isinstance(value, float):
            same = math.isnan(expected) and math.isnan(value) or expected == value \
                or np.float32(expected) == np.float32(value)
            self.assertTrue(same, f"{where}: {expected} {value}")
        elif isinstance(expected, int) and isinstance(value, int):  # a sample states -1 as 2^64 - 1
            self.assertEqual(expected % 2**64, value % 2**64, where)
        elif isinstance(expected, list) and not isinstance(value, list):
            self.fail(f"{where}: {expected} {value}")
        else:
            self.assertEqual(expected, value, where)

    def compare(self, path):
        """Compares the tables of events, relations and intervals of a trace with its records."""
        records = dumped(path)
        trace = hwtrace.open(path)
        for _ in trace:
            pass  # more tracks appear while reading
        compared = 0
        for info in trace.tables:
            if info.row not in ("event", "relation", "interval"):
                continue
            table = trace.table(info.name)
            lines = records.get(info.track_id, [])
            self.assertEqual(table.rows, len(lines), info.name)
            times = table["begin" if info.row == "interval" else "time"]
            self.assertEqual(times.tolist(), [line["time"] for line in lines], info.name)
            self.assertEqual(times.dtype, np.int64)
            if info.row == "interval":
                self.assertEqual([duration % 2**64 for duration in table["duration"].tolist()],
                                 [line["duration"] for line in lines])
            members = "attributes" if info.row == "interval" else "fields"
            names = [field.name for field in trace.tracks[info.track_id].fields]
            columns = {names[column.field]: column for column in info.columns
                       if column.field is not None and names.count(names[column.field]) == 1}
            for row, line in enumerate(lines):
                values = line.get(members, {})
                if isinstance(values, list):  # a value occurs more than once
                    stated = [name for name, _ in values]
                    values = {name: value for name, value in values if stated.count(name) == 1}
                for name, expected in values.items():
                    if name in columns:
                        column = columns[name]
                        value = plain(column, table[column.name][row])
                        if column.is_repeated and not isinstance(expected, list):
                            expected = [expected]
                        if column.type == "enum" and isinstance(expected, int):  # of a label that several numbers have
                            expected = column.labels.get(expected, expected)
                        if column.type == "bool" and isinstance(expected, int):  # more than a bool can hold
                            expected = expected != 0
                        self.assert_equal_values(expected, value, f"{path} {info.name}.{name}[{row}]")
                        compared += 1
        return compared

    def test_the_rows_are_those_of_hwtrace_dump(self):
        for path in ("ftr/valid/soc.ftr", "ftr/valid/sum_small.ftr", "pccx/valid/npu.pccx", "txlog/valid/soc.txlog",
                     "txlog/valid/traffic.txlog", "stf/valid/traffic.stf", "uscope/valid/pipeline.uscope",
                     "jsonl/valid/bus.jsonl", "jsonl/valid/everything.jsonl", "jsonl/valid/growing.jsonl"):
            with self.subTest(path):
                self.assertGreater(self.compare(self.sample(path)), 0)

    def test_random_recordings_have_their_rows(self):
        choose = random.Random(support.seed())
        path = self.folder / "x.ftr"
        with hwtrace.record.open(path) as db:
            generators = [db.stream(f"s{i}").generator(f"g{i}") for i in range(3)]
            for i in range(300):
                attributes = {name: value for name, value in {
                    "n": choose.randrange(2**64), "t": choose.choice(["", "a", "ß"]), "f": choose.random(),
                    "b": choose.random() < 0.5, "i": hwtrace.record.Signed(-choose.randrange(2**63)),
                    "l": hwtrace.record.Label(choose.choice("xyz")), "v": hwtrace.record.Logic("01XZ"),
                }.items() if choose.random() < 0.7}
                begin = choose.randrange(10**6)
                choose.choice(generators).begin(begin, attributes).end(begin + choose.randrange(100))
        self.assertGreater(self.compare(path), 500)

    def test_instructions_are_columns(self):
        path = self.sample("stf/valid/sum.zstf")
        lines = [line for line in dumped(path)[0] if line["type"] == "instruction"]
        trace = hwtrace.open(path)
        table = trace.table("core0")
        self.assertEqual(table["pc"].tolist(), [line["pc"] for line in lines])
        self.assertEqual(table["inst_bits"].tolist(), [line["encoding"] for line in lines])
        self.assertEqual(table["target"].tolist(), [line.get("target") for line in lines])
        self.assertIsInstance(table["target"], np.ma.MaskedArray)
        self.assertEqual([addresses.tolist() for addresses in table["address"]],
                         [[access["address"] for access in line.get("accesses", [])] for line in lines])
        few = trace.table("core0", ["pc", "position"])
        self.assertEqual(list(few), ["pc", "position"])
        with self.assertRaisesRegex(hwtrace.Error, r"columns: takes a list of names, such as \['pc'\]"):
            trace.table("core0", "pc")
        np.testing.assert_array_equal(few["pc"], table["pc"])

    def test_a_table_is_read_by_its_description(self):
        path = self.folder / "x.jsonl"
        with hwtrace.create(path) as writer:  # two tracks of one path; their tables have different names
            for value, track in enumerate([writer.track("e", kind="event", fields={"v": "u64"}) for _ in range(2)]):
                writer.events(track, [value], {"v": [value]})
        trace = hwtrace.open(path)
        self.assertEqual([trace.table(info)["v"].tolist() for info in trace.tables], [[0], [1]])
        self.assertEqual([list(trace.table(info, ["v"])) for info in trace.tables], [["v"], ["v"]])
        core = hwtrace.open(self.sample("stf/valid/sum.zstf"))
        self.assertEqual([core.table(info).info for info in core.tables], core.tables)

    def test_slices_apply_to_tables(self):
        path = self.sample("stf/valid/sum.zstf")
        whole = hwtrace.open(path).table("core0", ["pc"])["pc"]
        np.testing.assert_array_equal(hwtrace.open(path, range="100#:200#").table("core0", ["pc"])["pc"], whole[100:200])
        np.testing.assert_array_equal(hwtrace.open(path, last=5).table("core0", ["pc"])["pc"], whole[-5:])
        few = hwtrace.open(path, select="pc>=0x1010").table("core0", ["pc"])["pc"]
        np.testing.assert_array_equal(few, whole[whole >= 0x1010])

    def test_every_table_of_every_sample_has_columns_of_one_length(self):
        tables = 0
        for path in sorted(support.TESTDATA.glob("*/valid/*")):
            if path.suffix in (".hex", ".md"):
                continue
            trace = hwtrace.open(path)
            for info in trace.tables:
                table = trace.table(info.path if info.name == info.path else info.name)
                self.assertEqual({len(column) for column in table.values()}, {table.rows}, f"{path} {info.name}")
                self.assertEqual(list(table), [column.name for column in info.columns])
                if path.parts[-3] not in ("jsonl", "stf", "txlog"):  # there, attributes occur repeatedly
                    self.assertEqual(table.left_out, 0, f"{path} {info.name}")
                if pandas is not None:
                    self.assertEqual(table.to_pandas().shape, (table.rows, len(info.columns)))
                tables += 1
        self.assertGreater(tables, 100)

    def test_values_survive_writing_and_reading(self):
        choose = np.random.default_rng(support.seed())
        count = 1000
        columns = {
            "u8": choose.integers(0, 2**8, count, np.uint8), "u64": choose.integers(0, 2**64, count, np.uint64),
            "i8": choose.integers(-2**7, 2**7, count, np.int8), "i64": choose.integers(-2**63, 2**63, count, np.int64),
            "f32": choose.random(count, np.float32), "f64": choose.random(count), "bool": choose.random(count) < 0.5,
        }
        path = self.folder / "x.jsonl"
        with hwtrace.create(path) as writer:
            fields = {name: name for name in columns}
            events = writer.track("e", kind="event", fields=fields)
            missing = {name: np.ma.MaskedArray(values, choose.random(count) < 0.5) for name, values in columns.items()}
            intervals = writer.track("i", fields=fields)
            writer.events(events, np.arange(count), columns)
            writer.intervals(intervals, np.arange(count), np.arange(count), missing)
        trace = hwtrace.open(path)
        table = trace.table("e")
        for name, values in columns.items():
            self.assertEqual(table[name].dtype, values.dtype)
            np.testing.assert_array_equal(table[name], values)
            self.assertFalse(table[name].flags.writeable and table[name].base is not None and name == "u64")
        table = trace.table("i")
        for name, values in missing.items():
            self.assertEqual(table[name].dtype, values.dtype)
            np.testing.assert_array_equal(np.ma.getmaskarray(table[name]), np.ma.getmaskarray(values))
            np.testing.assert_array_equal(table[name].compressed(), values.compressed())

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_frames_of_pandas_keep_types_and_missing_values(self):
        path = self.folder / "x.jsonl"
        with hwtrace.create(path) as writer:
            state = writer.enum("state", ["idle", "busy"])
            track = writer.track("t", fields={"n": "u64", "f": "f64", "b": "bool", "t": "text", "s": state})
            writer.intervals(track, [1, 2], [3, 4], {"n": [2**64 - 1, None], "f": [None, 0.5], "b": [True, None],
                                                     "t": ["x", None], "s": ["busy", None]})
        frame = hwtrace.open(path).table("t").to_pandas()
        self.assertEqual({name: str(frame[name].dtype) for name in "nfbts"},
                         {"n": "UInt64", "f": "Float64", "b": "boolean", "t": "category", "s": "category"})
        self.assertEqual(frame["n"][0], 2**64 - 1)
        self.assertEqual(frame["s"][0], "busy")
        self.assertEqual([bool(pandas.isna(frame[name][row])) for name, row in
                          [("n", 1), ("f", 0), ("b", 1), ("t", 1), ("s", 1)]], [True] * 5)

    def test_unknown_tables_and_columns_are_errors_that_list_the_known_ones(self):
        trace = hwtrace.open(self.sample("ftr/valid/soc.ftr"))
        for call, known in ((lambda: trace.table("nonsense"), "read"),
                            (lambda: trace.table("read", ["nonsense"]), "addr")):
            with self.assertRaises(hwtrace.Error) as caught:
                call()
            self.assertEqual(caught.exception.kind, "usage")
            self.assertIn(known, str(caught.exception))

    def test_symbols_add_columns_behind_the_others(self):
        path = self.sample("stf/valid/sum.zstf")
        plain = hwtrace.open(path).table("core0")
        # Any ELF file will do: at this address, nothing of it runs.
        program = str(support.BIN / "hwtrace-dump")
        try:
            named = hwtrace.open(path, elf=[(program, 1 << 40)]).table("core0")
        except hwtrace.Error as error:
            if "libdw was missing" in str(error):
                self.skipTest("this build cannot read ELF files")
            raise
        self.assertEqual(list(named), [*plain, "function", "function_offset", "source"])
        self.assertEqual(set(named["function"]) | set(named["source"]), {None})
        self.assertTrue(np.ma.getmaskarray(named["function_offset"]).all())
        self.assertEqual(named["pc"].tolist(), plain["pc"].tolist())
        with self.assertRaises(hwtrace.Error) as caught:
            hwtrace.open(path, elf="absent.elf")
        self.assertIn("absent.elf", str(caught.exception))
        for wrong in (5, [("program", "base")]):
            with self.assertRaises(TypeError):
                hwtrace.open(path, elf=wrong)


if __name__ == "__main__":
    support.main()
