"""Recording transactions."""

import dataclasses
import enum
import json
import threading
import unittest
import warnings

import support
import numpy as np
import hwtrace
from hwtrace import record


class Response(enum.Enum):
    OKAY = 0
    ERROR = 2


@dataclasses.dataclass
class Address:
    row: int
    column: int


class LogicArray:  # as that of cocotb
    def __str__(self):
        return "01XZ"

    def __len__(self):
        return 4


def transactions(path):
    """Returns the lines of a trace's transactions and relations."""
    lines = [json.loads(line) for line in
             support.run("hwtrace-dump", path, "--view", "model", "--format", "jsonl").splitlines()]
    return [line for line in lines if line.get("type") in ("interval", "relation")]


def values_of(line):
    return line["attributes"]


class Recording(support.Case):
    def test_transactions_have_their_attributes_and_relations(self):
        path = self.folder / "x.ftr"
        with record.open(path, unit="ns") as db:
            reads = db.stream("bus", "axi").generator("read")
            first = reads.begin(10, addr=0xFFFF_FFFF_8000_0000, size=4)
            first.record(stalls=2)
            first.end(25, resp=Response.OKAY)
            second = reads.begin(30, {"from": "cpu"}, addr=4)
            second.end(31)
            db.relate("follows", first, second)
        lines = transactions(path)
        intervals = [line for line in lines if line["type"] == "interval"]
        self.assertEqual([(line["time"], line["duration"]) for line in intervals], [(10, 15), (30, 1)])
        values = values_of(intervals[0])
        self.assertEqual((values["addr"], values["size"], values["stalls"]), (0xFFFF_FFFF_8000_0000, 4, 2))
        self.assertEqual(values["resp"], "OKAY")
        self.assertEqual(values_of(intervals[1])["from"], "cpu")
        relation = next(line for line in lines if line["type"] == "relation")
        self.assertEqual(relation["track"], "follows")
        self.assertTrue(hwtrace.validate(path))

    def test_values_of_python_get_their_types(self):
        path = self.folder / "x.ftr"
        with record.open(path) as db:
            tx = db.stream("s").generator("g").begin(
                1, none=None, yes=True, negative=-5, share=0.25, text="ä", raw=b"abc", where=Address(1, 2),
                data=[7, 8], array=np.array([9]), small=np.uint8(3), single=np.float32(0.5), flag=np.bool_(True),
                vector=LogicArray(), bits=record.Bits("0101"), label=record.Label("x"), delay=record.Ticks(5),
                pointer=record.Pointer(4096), signed=record.Signed(6), nested={"a": {"b": 1}})
            tx.end(2)
        trace = hwtrace.open(path)
        for _ in trace:
            pass
        types = {field.name: field.type for field in trace.track("g").fields}
        expected = {"yes": "bool", "negative": "i64", "share": "f64", "text": "text", "raw": "text", "where.row": "u64",
                    "where.column": "u64", "data[0]": "u64", "data[1]": "u64", "array[0]": "u64", "small": "u64",
                    "single": "f64", "flag": "bool", "vector": "logic", "bits": "bits", "label": "label",
                    "delay": "time", "pointer": "pointer", "signed": "i64", "nested.a.b": "u64"}
        del types["id"]
        self.assertEqual(types, expected)
        self.assertEqual(values_of(transactions(path)[0])["vector"], "01XZ")

    def test_the_clock_gives_times_that_are_not_stated(self):
        clock = iter([100, 120, 150, 170])
        with record.open(self.folder / "x.ftr", now=lambda: next(clock)) as db:
            generator = db.stream("s").generator("g", events=True)
            with generator.begin() as tx:
                tx.event("stall", reason="full")
            with generator.begin(130):
                pass
        lines = transactions(self.folder / "x.ftr")
        spans = sorted((line["time"], line["duration"]) for line in lines if line["type"] == "interval")
        self.assertEqual(spans, [(100, 50), (120, 0), (130, 40)])

    def test_misuse_is_counted_and_warned_of(self):
        with self.assertWarns(record.MisuseWarning) as caught:
            with record.open(self.folder / "x.ftr") as db:
                tx = db.stream("s").generator("g").begin(1)
                tx.end(2)
                tx.end(3)
        self.assertIn("ended", str(caught.warning))
        self.assertEqual(db.misuses, {"ended": 1})

    def test_values_and_files_that_cannot_be_recorded_are_errors(self):
        with record.open(self.folder / "x.ftr") as db:
            generator = db.stream("s").generator("g")
            for value in (object(), 1 << 64, -(1 << 63) - 1):
                with self.subTest(value=value), self.assertRaises(hwtrace.Error) as caught:
                    generator.begin(1, value=value)
                self.assertEqual(caught.exception.kind, "usage")
            with self.assertRaises(hwtrace.Error):
                generator.begin(1.5)
        with self.assertRaises(hwtrace.Error) as caught:
            record.open(self.folder / "absent" / "x.ftr")
        self.assertEqual(caught.exception.kind, "io")
        with self.assertRaises(hwtrace.Error) as caught:
            record.open(self.folder / "x.nonsense")
        self.assertEqual(caught.exception.kind, "usage")

    def test_values_without_an_end_are_errors(self):
        def nested(levels):
            value = 7
            for _ in range(levels):
                value = [value]
            return value

        endless, dictionary = [], {}
        endless.append(endless)
        dictionary["x"] = dictionary
        wide = []
        for _ in range(60):
            wide = [wide, wide]
        with record.open(self.folder / "x.jsonl") as db:
            generator = db.stream("s").generator("g")
            for value in (endless, dictionary, nested(65), nested(100000), wide):
                with self.assertRaises(hwtrace.Error) as caught:
                    generator.begin(1, x=value)
                self.assertEqual(caught.exception.kind, "usage")
                self.assertIn("attribute x", str(caught.exception))
            generator.begin(1, x=nested(64)).end(2)
        lines = transactions(self.folder / "x.jsonl")
        self.assertEqual([values_of(line)["x" + 64 * "[0]"] for line in lines], [7])

    def test_times_that_are_none_are_errors(self):
        now = iter([-1, 2**64, "x", 7, 9])
        path = self.folder / "x.jsonl"
        with record.open(path, now=lambda: next(now)) as db:
            generator = db.stream("s").generator("g", events=True)
            tx = generator.begin(1)
            for call in (generator.begin, tx.end, lambda time: tx.event("e", time)):
                for time in (-1, 2**64, 10**30, "5", 1.5, np.float64(1.5), float("nan"), float("inf"), [1]):
                    with self.subTest(time=time), self.assertRaises(hwtrace.Error) as caught:
                        call(time)
                    self.assertEqual(caught.exception.kind, "usage")
            for _ in range(3):
                with self.assertRaises(hwtrace.Error) as caught:
                    generator.begin()
                self.assertEqual(caught.exception.kind, "usage")
            tx.end(np.array(5))
            generator.begin().end()
        self.assertEqual([(line["time"], line["duration"]) for line in transactions(path) if line["type"] == "interval"
                          and line["attributes"].get("parent", 0) == 0], [(1, 4), (7, 2)])

    def test_arrays_without_dimensions_are_scalars(self):
        path = self.folder / "x.jsonl"
        with record.open(path) as db:
            generator = db.stream("s").generator("g")
            generator.begin(1, n=np.array(5), f=np.array(0.5), t=np.array("x"), b=np.array(True)).end(2)
            own = np.empty((), object)
            own[()] = own
            for value in (own, record.Ticks(-1), record.Pointer(2**64), record.Signed(2**63), record.Signed("7")):
                with self.subTest(type(value)), self.assertRaises(hwtrace.Error) as caught:
                    generator.begin(1, x=value)
                self.assertEqual(caught.exception.kind, "usage")
        values = values_of(transactions(path)[0])
        self.assertEqual([values[name] for name in "nftb"], [5, 0.5, "x", True])

    def test_every_format_of_transactions_is_recorded(self):
        for extension in ("ftr", "txlog", "uscope", "flux", "jsonl", "pccx"):
            path = self.folder / f"x.{extension}"
            with record.open(path) as db:
                generator = db.stream("s").generator("g")
                for i in range(100):
                    generator.begin(i, n=i).end(i + 10)
            self.assertTrue(hwtrace.validate(path), extension)
            self.assertEqual(bool(db.losses), extension == "pccx")

    def test_a_growing_file_is_read_before_it_is_closed(self):
        path = self.folder / "x.ftr"
        db = record.open(path, growing=True)
        db.stream("s").generator("g").begin(1).end(2)
        db.flush()
        read = sum(len(batch) for batch in hwtrace.open(path))
        self.assertEqual(read, 1)
        db.close()

    def test_threads_record_side_by_side(self):
        path = self.folder / "x.ftr"
        with record.open(path, now=lambda: 5) as db:
            generator = db.stream("s").generator("g")

            def work():
                for i in range(500):
                    generator.begin(i, n=i).end(i + 1)
                    if i % 100 == 0:
                        db.flush()

            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(sum(len(batch) for batch in hwtrace.open(path)), 2000)
        self.assertTrue(hwtrace.validate(path))


if __name__ == "__main__":
    support.main()
