"""Opening and reading traces."""

import gc
import json
import os
import pickle
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

import support
import numpy as np
import hwtrace
from hwtrace import Kind


def records(trace, size=65536):
    return np.concatenate([batch.records.copy() for batch in trace.batches(size)] or [np.zeros(0)])


class Opening(support.Case):
    def test_the_description_is_that_of_the_schema_view(self):
        trace = hwtrace.open(self.sample("ftr/valid/soc.ftr"))
        self.assertEqual(trace.format, "ftr")
        for _ in trace:
            pass
        lines = support.run("hwtrace-dump", self.sample("ftr/valid/soc.ftr"), "--view", "schema", "--format", "jsonl")
        views = [json.loads(line) for line in lines.splitlines()]
        tracks = [view for view in views if view.get("type") == "track"]
        self.assertEqual([(track.name, track.scope, track.kind) for track in trace.tracks],
                         [(track["name"], track["scope"], track["kind"]) for track in tracks])
        self.assertEqual([[(field.name, field.type) for field in track.fields] for track in trace.tracks],
                         [[(field["name"], field["type"]) for field in track.get("fields", [])] for track in tracks])
        self.assertEqual(trace.metadata,
                         [(view["key"], view["value"]) for view in views if view.get("type") == "metadata"])
        read = trace.track("read")
        self.assertEqual(read.kind, "stream")
        self.assertEqual(read.time_base.nanoseconds, 0.001)
        self.assertIn("addr", [field.name for field in read.fields])
        self.assertEqual(trace.scopes[read.scope_id].path, read.scope)

    def test_a_missing_file_and_another_file_are_errors_of_their_kinds(self):
        with self.assertRaises(hwtrace.Error) as caught:
            hwtrace.open(self.folder / "absent.ftr")
        self.assertEqual(caught.exception.kind, "io")
        self.assertIn("absent.ftr", str(caught.exception))
        (self.folder / "x.txt").write_text("no trace")
        with self.assertRaises(hwtrace.Error) as caught:
            hwtrace.open(self.folder / "x.txt")
        self.assertEqual(caught.exception.kind, "input")
        self.assertNotIn("--from", str(caught.exception))  # Python has no such option
        copy = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((copy.kind, str(copy)), ("input", str(caught.exception)))

    def test_wrong_arguments_are_errors_of_kind_usage(self):
        for arguments in ({"range": "3"}, {"select": "kind"}, {"last": "x"}, {"clock": "fast"}, {"format": "elf"},
                          {"range": "0#:1#", "last": 1}, {"format": "perfetto"}):
            with self.subTest(arguments), self.assertRaises(hwtrace.Error) as caught:
                hwtrace.open(self.sample("stf/valid/sum.zstf"), **arguments)
            self.assertEqual(caught.exception.kind, "usage")

    def test_a_limit_is_an_error_of_kind_limit(self):
        track = '{"format":"hwtrace-model/2"}'
        (self.folder / "deep.jsonl").write_text(track + "\n" + "[" * 100 + "]" * 100 + "\n")
        trace = None
        try:
            trace = hwtrace.open(self.folder / "deep.jsonl", format="jsonl")
            for _ in trace:
                pass
        except hwtrace.Error as error:
            self.assertIn(error.kind, ("limit", "input"))
        else:
            self.assertNotEqual(trace.verdict, "valid")

    def test_findings_are_objects(self):
        whole = Path(self.sample("ftr/valid/soc.ftr")).read_bytes()
        (self.folder / "cut.ftr").write_bytes(whole[:-20])
        trace = hwtrace.open(self.folder / "cut.ftr")
        for _ in trace:
            pass
        self.assertEqual(trace.verdict, "incomplete")
        finding = trace.findings[0]
        self.assertEqual(trace.finding_totals[finding.rule], 1)
        self.assertGreater(finding.offset, 0)
        self.assertTrue(finding.rule.startswith("FTR") and finding.hint and finding.message)


class Slices(support.Case):
    def test_slices_are_those_of_hwtrace_dump(self):
        for path, slices in {
            "stf/valid/sum.zstf": [("range", "100#:200#"), ("last", 7), ("select", "kind=instruction"),
                                   ("select", "pc>=0x1100"), ("range", ":50#")],
            "ftr/valid/soc.ftr": [("range", "1ns:2500ps"), ("last", 2), ("select", "track=read"),
                                  ("select", "addr>=0x1000")],
            "uscope/valid/pipeline.uscope": [("range", "2ns:400ns"), ("select", "kind=event")],
        }.items():
            for option, value in slices:
                with self.subTest(path=path, option=option, value=value):
                    lines = support.run("hwtrace-dump", self.sample(path), "--view", "model", "--format", "jsonl",
                                        f"--{option}", value).splitlines()
                    dumped = [json.loads(line) for line in lines]
                    kinds = {kind.name.lower() for kind in Kind}
                    times = [line["time"] for line in dumped if line.get("type") in kinds and "time" in line]
                    read = records(hwtrace.open(self.sample(path), **{option: value}))
                    self.assertEqual(sorted(read["time"].tolist()), sorted(times))
                    self.assertGreater(len(times), 0)

    def test_conditions_in_a_list_must_all_match(self):
        path = self.sample("ftr/valid/soc.ftr")
        both = records(hwtrace.open(path, select=["kind=interval", "track=read"]))
        self.assertEqual(len(both), len(records(hwtrace.open(path, select="kind=interval,track=read"))))


class Batches(support.Case):
    def test_batches_of_every_size_hold_the_same_records(self):
        path = self.sample("stf/valid/sum.zstf")
        whole = records(hwtrace.open(path))
        for size in (1, 100, 1000, 10**9):
            parts = records(hwtrace.open(path), size)
            for name in ("kind", "track", "time", "value", "count"):
                np.testing.assert_array_equal(parts[name], whole[name])

    def test_parts_of_instructions_are_those_of_the_instruction(self):
        path = self.sample("stf/valid/sum.zstf")
        dumped = [json.loads(line) for line in support.run(
            "hwtrace-dump", path, "--view", "model", "--select", "kind=instruction", "--format", "jsonl").splitlines()]
        dumped = [line for line in dumped if line.get("type") == "instruction"]
        for size in (700, 10**6):
            index = 0
            for batch in hwtrace.open(path, select="kind=instruction").batches(size):
                for record in batch.records:
                    instruction = batch.instructions[record["ref"]]
                    line = dumped[index]
                    self.assertEqual(int(record["value"]), line["pc"])
                    self.assertEqual(int(instruction["encoding"]), line["encoding"])
                    first, count = int(instruction["operands_first"]), int(instruction["operands_count"])
                    values = batch.operands["value"][first:first + count].tolist()
                    self.assertEqual(values, [operand["value"] for operand in line.get("operands", [])])
                    first, count = int(instruction["accesses_first"]), int(instruction["accesses_count"])
                    addresses = batch.accesses["address"][first:first + count].tolist()
                    self.assertEqual(addresses, [access["address"] for access in line.get("accesses", [])])
                    index += 1
            self.assertEqual(index, len(dumped))
            self.assertGreater(index, 1000)

    def test_arrays_keep_their_batch_and_nobody_overwrites_it(self):
        trace = hwtrace.open(self.sample("stf/valid/sum.zstf"))
        kept = [batch.records for batch in trace.batches(200)]
        gc.collect()
        whole = records(hwtrace.open(self.sample("stf/valid/sum.zstf")))
        del trace
        gc.collect()
        np.testing.assert_array_equal(np.concatenate(kept)["time"], whole["time"])
        with self.assertRaises(ValueError):
            kept[0]["time"] = 0

    def test_a_loop_continues_where_another_one_was_left(self):
        trace = hwtrace.open(self.sample("stf/valid/sum.zstf"))
        first = next(trace.batches(100)).records.copy()
        rest = records(trace)
        whole = records(hwtrace.open(self.sample("stf/valid/sum.zstf")))
        np.testing.assert_array_equal(np.concatenate([first, rest])["time"], whole["time"])

    def test_texts_are_looked_up(self):
        trace = hwtrace.open(self.sample("ftr/valid/soc.ftr"))
        transfer = None
        for batch in trace:
            track = trace.track("transfer")
            field = [field.name for field in track.fields].index("command")
            for record in batch.records[batch.records["track"] == track.id]:
                attributes = batch.attributes[record["ref"]:record["ref"] + record["count"]]
                ids = attributes["value"][attributes["field"] == field]
                transfer = trace.texts(ids)
                self.assertEqual(transfer[0], trace.text(int(ids[0])))
        self.assertEqual(transfer, ["WRITE"])
        with self.assertRaises(IndexError):
            trace.text(10**6)


class Threads(support.Case):
    @classmethod
    def setUpClass(cls):
        """Makes a trace that takes a while to read."""
        cls.big_folder = tempfile.TemporaryDirectory(prefix="hwtrace-python-")
        cls.addClassCleanup(cls.big_folder.cleanup)
        cls.big = str(Path(cls.big_folder.name) / "big.jsonl")
        with hwtrace.create(cls.big) as writer:
            track = writer.track("a/b", fields={"n": "u64", "m": "u64", "t": "text"})
            times = np.arange(100000)
            writer.intervals(track, times, times + 5, {"n": times, "m": times, "t": np.full(100000, "x")})

    def test_other_threads_run_while_a_trace_is_read(self):
        path, ticks, stop = self.big, [], threading.Event()

        def tick():
            while not stop.wait(0.001):
                ticks.append(time.monotonic())

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()
        for _ in hwtrace.open(path).batches(10**9):
            pass
        end = time.monotonic()
        stop.set()
        thread.join()
        self.assertGreater(sum(begin < tick < end for tick in ticks), 10)

    def test_two_threads_cannot_read_one_trace_at_a_time(self):
        trace, errors = hwtrace.open(self.big), []

        def read():
            try:
                while trace._trace.next(10**9) is not None:
                    pass
            except hwtrace.Error as error:
                errors.append(error)

        threads = [threading.Thread(target=read) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([error.kind for error in errors], ["usage"])

    def test_an_interrupted_loop_loses_no_record(self):
        class Alarm(Exception):
            pass

        def ring(*_):
            raise Alarm

        trace, parts = hwtrace.open(self.big), []
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, ring))
        signal.setitimer(signal.ITIMER_REAL, 0.002)
        with self.assertRaises(Alarm):
            for batch in trace.batches(10**9):
                parts.append(batch)
        self.assertEqual(parts, [])
        np.testing.assert_array_equal(records(trace)["time"], np.arange(100000))

    def test_an_interrupt_ends_long_work(self):
        path = self.big
        for name, work in {"read": lambda: list(hwtrace.open(path).batches(10**9)),
                           "convert": lambda: hwtrace.convert(path, self.folder / "x.ftr", force=True),
                           "validate": lambda: hwtrace.validate(path)}.items():
            with self.subTest(name):
                timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
                timer.start()
                with self.assertRaises(KeyboardInterrupt):
                    work()
                    work()  # if the first one was faster than the timer
                    self.fail("the work was not interrupted")
                timer.join()
        # A conversion that ends early leaves no file; an earlier one may have been complete.
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name != "x.ftr"], [])


if __name__ == "__main__":
    support.main()
