"""Writing arrays."""

import enum
import fractions
import os
import random
import signal
import threading
import time
import unittest
import warnings

import support
import numpy as np
import hwtrace
from hwtrace import Kind


def attributes_of(trace, track, record, batch):
    """Returns the attributes of a record by name, as Python values."""
    values = {}
    for field, cell in batch.attributes[record["ref"]:record["ref"] + record["count"]].tolist():
        described = track.fields[field]
        if described.type == "text":
            values[described.name] = trace.text(cell)
        elif described.type == "f64":
            values[described.name] = np.uint64(cell).view(np.float64).item()
        elif described.type.startswith("i"):
            values[described.name] = np.uint64(cell).view(np.int64).item()
        else:
            values[described.name] = cell
    return values


class Writing(support.Case):
    def test_what_is_written_is_read(self):
        choose = random.Random(support.seed())
        count = choose.randrange(1, 5000)
        begins = [choose.randrange(-1000, 10**12) for _ in range(count)]
        ends = [begin + choose.randrange(0, 10**9) for begin in begins]
        address = [choose.randrange(2**64) for _ in range(count)]
        delta = [choose.choice([None, choose.randrange(-2**63, 2**63)]) for _ in range(count)]
        text = [choose.choice(["", "read", "ä\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"), None])
                for _ in range(count)]
        share = [choose.choice([0.0, -1.5, 1e300]) for _ in range(count)]
        path = self.folder / "x.jsonl"
        with hwtrace.create(path) as writer:
            track = writer.track("soc/dma/transfer", unit="ns",
                                 fields={"address": "u64", "delta": "i64", "text": "text", "share": "f64"})
            middle = count // 2
            for part in (slice(0, middle), slice(middle, count)):
                writer.intervals(track, begins[part], ends[part],
                                 {"address": address[part], "delta": delta[part], "text": text[part],
                                  "share": np.array(share[part])})
        self.assertTrue(writer.report.is_whole)
        self.assertEqual(writer.report.records_written, count)

        trace = hwtrace.open(path)
        track, row = trace.track("soc/dma/transfer"), 0
        self.assertEqual(track.time_base.den, 10**9)
        for batch in trace:
            for record in batch.records:
                self.assertEqual(int(record["time"]), begins[row])
                self.assertEqual(int(record["value"]), ends[row] - begins[row])
                expected = {"address": address[row], "delta": delta[row], "text": text[row], "share": share[row]}
                self.assertEqual(attributes_of(trace, track, record, batch),
                                 {name: value for name, value in expected.items() if value is not None})
                row += 1
        self.assertEqual(row, count)

    def test_every_format_takes_intervals_or_says_what_is_lost(self):
        for format in hwtrace.formats():
            if format.name in ("stf", "kanata", "o3pipeview", "champsim") or not format.can_write:
                continue
            path = self.folder / ("x" + format.extensions[0])
            with hwtrace.create(path, to_format=format.name) as writer:
                track = writer.track("a/b", fields={"n": "u32"})
                writer.intervals(track, np.arange(3000), np.arange(3000) + 7, {"n": np.arange(3000)})
            self.assertTrue(writer.report.written, format.name)
            if not format.is_picture:  # pictures may be folders
                self.assertEqual(writer.report.size, path.stat().st_size)
            self.assertTrue(writer.report.is_whole or format.is_picture or writer.report.losses, format.name)
            if format.can_read and not format.is_picture:
                self.assertTrue(hwtrace.validate(path), format.name)

    def test_events_signals_notes_and_enums(self):
        class State(enum.Enum):
            IDLE = 0
            BUSY = 3

        path = self.folder / "x.jsonl"
        with hwtrace.create(path) as writer:
            state = writer.enum("state", State)
            irq = writer.track("soc/irq", kind="event", fields={"line": "u8", "on": "bool"})
            signal = writer.track("soc/state", kind="signal", fields={"value": state})
            notes = writer.track("log", kind="notes")
            writer.describe("tool", "test")
            writer.events(irq, [5, 6], {"line": np.array([1, 255], np.uint8), "on": [True, False]})
            writer.changes(signal, [1, 2, 3], ["IDLE", None, "BUSY"])
            writer.notes(notes, [4], ["hello"])
        trace = hwtrace.open(path)
        batch = next(iter(trace))
        records = batch.records
        self.assertEqual([Kind(kind).name for kind in records["kind"]],
                         ["EVENT", "EVENT", "CHANGE", "CHANGE", "CHANGE", "NOTE"])
        self.assertEqual(batch.cells.tolist(), [1, 1, 255, 0])
        self.assertEqual(records["count"][2:5].tolist(), [1, 0, 1])
        self.assertEqual(batch.attributes["value"].tolist(), [0, 3])
        self.assertEqual(bytes(batch.bytes), b"hello")
        self.assertEqual(trace.enums[0].labels, {0: "IDLE", 3: "BUSY"})
        self.assertIn(("tool", "test"), trace.metadata)

    def test_impossible_requests_are_errors_and_leave_no_file(self):
        path = self.folder / "x.ftr"
        requests = {
            "do not fit": lambda w, t: w.intervals(t, [1], [2], {"n": [256]}),
            "takes integers": lambda w, t: w.intervals(t, [1], [2], {"n": [1.5]}),
            "no field": lambda w, t: w.intervals(t, [1], [2], {"m": [1]}),
            "values for": lambda w, t: w.intervals(t, [1, 2], [2, 3], {"n": [1]}),
            "before it begins": lambda w, t: w.intervals(t, [3], [2]),
            "not event": lambda w, t: w.events(t, [3]),
            "declared before": lambda w, t: (w.intervals(t, [1], [2]), w.track("c")),
            "unknown type": lambda w, t: (w.track("d", fields={"n": "u7"})),
            "no label": lambda w, t: w.intervals(w.track("e", fields={"s": w.enum("s", ["a"])}), [1], [2], {"s": ["b"]}),
        }
        for message, request in requests.items():
            with self.subTest(message), self.assertRaises(hwtrace.Error) as caught:
                with hwtrace.create(path) as writer:
                    request(writer, writer.track("a/b", fields={"n": "u8"}))
            self.assertEqual(caught.exception.kind, "usage")
            self.assertIn(message, str(caught.exception))
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_writer_that_is_not_closed_warns(self):
        with self.assertWarnsRegex(ResourceWarning, "left.ftr: the writer was not closed, so nothing was written"):
            hwtrace.create(self.folder / "left.ftr")
        self.assertFalse((self.folder / "left.ftr").exists())
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with hwtrace.create(self.folder / "closed.ftr"):
                pass

    def test_tracks_and_enums_of_another_writer_are_errors(self):
        other, writer = (hwtrace.create(self.folder / name) for name in ("x.jsonl", "y.jsonl"))
        track, labels = other.track("a"), other.enum("e", ["a"])
        writer.track("b")
        writer.enum("f", ["b"])
        for request in (lambda: writer.intervals(track, [1], [2]), lambda: writer.track("c", fields={"s": labels})):
            with self.assertRaises(hwtrace.Error) as caught:
                request()
            self.assertEqual(caught.exception.kind, "usage")
            self.assertIn("another writer", str(caught.exception))

    def test_a_failure_of_the_output_is_raised(self):
        with self.assertRaises(hwtrace.Error) as caught:
            with hwtrace.create(self.folder / "absent" / "x.ftr") as writer:
                track = writer.track("a")
                writer.intervals(track, np.arange(10000), np.arange(10000))
        self.assertEqual(caught.exception.kind, "io")
        with self.assertRaises(hwtrace.Error):  # nothing more can be written
            writer.intervals(track, [1], [2])

    def test_an_abandoned_writer_ends(self):
        writer = hwtrace.create(self.folder / "x.ftr")
        writer.intervals(writer.track("a"), np.arange(10000), np.arange(10000))
        del writer
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_nothing_is_written_if_close_is_interrupted(self):
        class Alarm(Exception):
            pass

        def ring(*_):
            raise Alarm

        writer, count = hwtrace.create(self.folder / "x.uscope"), 300000
        times = np.random.default_rng(1).integers(0, 10 * count, count)
        writer.intervals(writer.track("a", fields={"n": "u64"}), times, times + 5, {"n": times})
        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, ring))
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        with self.assertRaises(Alarm):
            writer.close()
        self.assertEqual(list(self.folder.iterdir()), [])
        with self.assertRaises(hwtrace.Error):
            writer.close()

    def test_many_scopes_take_no_quadratic_time(self):
        writer, begin = hwtrace.create(self.folder / "x.jsonl"), time.process_time()
        for i in range(20000):
            writer.track(f"top/{i}/a", kind="notes")
        self.assertLess(time.process_time() - begin, 5)
        writer.track("top/7/b", kind="notes")
        writer.close()
        trace = hwtrace.open(self.folder / "x.jsonl")
        self.assertEqual(len(trace.scopes), 20001)
        self.assertEqual(trace.track("b").scope, "top/7")

    def test_values_that_would_be_stored_as_others_are_errors(self):
        cases = {
            "u8": [-1, 256, 1.5, "7", 2**64], "i64": [2**63, "7"], "f32": [1e300, "7", np.float64(-1e39), 1j],
            "f64": ["7", 10**400], "bool": [2, "no", 0.5], "text": ["\ud800"],
        }
        for kind, values in cases.items():
            writer = hwtrace.create(self.folder / "x.jsonl")
            track = writer.track("a", kind="event", fields={"n": kind})
            for value in values:
                for given in ([value], np.array(value)):
                    with self.subTest(kind=kind, value=value), self.assertRaises(hwtrace.Error) as caught:
                        writer.events(track, [1], {"n": given})
                    self.assertEqual(caught.exception.kind, "usage")
        writer = hwtrace.create(self.folder / "x.jsonl")
        state = writer.enum("state", ["idle", "busy"])
        track = writer.track("a", kind="event", fields={"n": state})
        for value in (-1, 2**64, 1.5, "gone"):
            with self.subTest(value), self.assertRaises(hwtrace.Error) as caught:
                writer.events(track, [1], {"n": [value]})
            self.assertEqual(caught.exception.kind, "usage")
        requests = [lambda: writer.enum("e", {"a": -1}), lambda: writer.enum("e", {"a": 2**64}),
                    lambda: writer.enum("e", {"a": "1"}), lambda: writer.track("b", unit="cycles", cycle=-1),
                    lambda: writer.track("b", unit="cycles", cycle=1.5), lambda: writer.events(track, [2**63], {"n": [0]}),
                    lambda: writer.events(track, 2**63, {"n": [0]}), lambda: writer.events(track, "1", {"n": [0]})]
        for request in requests:
            with self.assertRaises(hwtrace.Error) as caught:
                request()
            self.assertEqual(caught.exception.kind, "usage")
        writer.close()

    def test_numbers_of_all_kinds_and_single_values_are_stored(self):
        path = self.folder / "x.jsonl"
        with hwtrace.create(path) as writer:
            state = writer.enum("state", {"idle": 0, "busy": 2**64 - 1})
            track = writer.track("a", fields={"u": "u64", "f": "f32", "d": "f64", "b": "bool", "e": state})
            writer.intervals(track, np.array(5), np.array(6),
                             {"u": 2**64 - 1, "f": np.array(0.5), "d": fractions.Fraction(1, 4), "b": True, "e": "busy"})
            writer.intervals(track, [7], [8], {"u": [None], "f": [float("inf")], "d": np.ma.array([1e300], mask=[True]),
                                               "b": np.ma.array([7], mask=[True]), "e": [2**64 - 1]})
        batch = next(iter(hwtrace.open(path)))
        self.assertEqual(batch.records["time"].tolist(), [5, 7])
        self.assertEqual(batch.attributes["field"].tolist(), [0, 1, 2, 3, 4, 1, 4])
        self.assertEqual(batch.attributes["value"].tolist(),
                         [2**64 - 1, 0x3F000000, int(np.float64(0.25).view(np.uint64)), 1, 2**64 - 1, 0x7F800000,
                          2**64 - 1])

    def test_notes_that_are_no_utf8_are_written_as_they_were_read(self):
        path = self.folder / "x.jsonl"
        with hwtrace.create(path) as writer:
            track = writer.track("log", kind="notes")
            with self.assertRaises(hwtrace.Error) as caught:
                writer.notes(track, [1, 2], ["a", "\ud800"])
            self.assertEqual(caught.exception.kind, "usage")
            writer.notes(track, [3, 4], ["x\udcff", b"y\xfe"])
        batch = next(iter(hwtrace.open(path)))
        self.assertEqual(batch.records["time"].tolist(), [3, 4])  # nothing of the call that failed
        self.assertEqual(bytes(batch.bytes), b"x\xffy\xfe")
        texts = hwtrace.open(path).table("log")
        with hwtrace.create(self.folder / "y.jsonl") as writer:
            writer.notes(writer.track("log", kind="notes"), [3, 4], texts["text"])
        self.assertEqual(bytes(next(iter(hwtrace.open(self.folder / "y.jsonl"))).bytes), b"x\xffy\xfe")


class Threads(support.Case):
    def start_writing(self, rows=400000):
        """Returns a writer, a track, and a thread that writes, and a list of its errors."""
        writer, errors = hwtrace.create(self.folder / "x.jsonl"), []
        track, times = writer.track("a/b", fields={"n": "u64"}), np.arange(rows)

        def work():
            try:
                writer.intervals(track, times, times + 5, {"n": times})
            except BaseException as error:
                errors.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive() and not list(self.folder.iterdir()):  # the first records open the output
            time.sleep(0.001)
        return writer, track, thread, errors

    def test_a_block_that_is_left_ends_the_call_of_another_thread(self):
        writer, track, thread, errors = self.start_writing()
        writer.__exit__(ValueError, ValueError(), None)
        thread.join()
        self.assertEqual([(type(error), error.kind) for error in errors], [(hwtrace.Error, "usage")])
        self.assertEqual(list(self.folder.iterdir()), [])
        for call in (writer.close, lambda: writer.intervals(track, [1], [2]), lambda: writer.describe("a", "b")):
            with self.assertRaises(hwtrace.Error) as caught:
                call()
            self.assertEqual(caught.exception.kind, "usage")

    def test_one_thread_at_a_time_uses_a_writer(self):
        writer, track, thread, errors = self.start_writing()
        for call in (writer.close, lambda: writer.intervals(track, [1], [2]), lambda: writer.describe("a", "b"),
                     lambda: writer.track("c"), lambda: writer.enum("e", ["a"])):
            with self.assertRaises(hwtrace.Error) as caught:
                call()
            self.assertIn("in use by another thread", str(caught.exception))
        thread.join()
        self.assertEqual(errors, [])
        self.assertEqual(writer.close().records_written, 400000)

    def test_a_child_process_can_drop_a_writer_but_not_use_it(self):
        writer = hwtrace.create(self.folder / "x.ftr")
        track = writer.track("a/b")
        writer.intervals(track, np.arange(3000), np.arange(3000))
        child = os.fork()
        if child == 0:
            code = 1
            try:
                writer.intervals(track, [1], [2])
            except hwtrace.Error as error:
                code = 0 if "process" in str(error) else 2
            writer.__exit__(ValueError, ValueError(), None)
            del writer
            os._exit(code)
        end = time.monotonic() + 20
        ended, status = 0, None
        while ended == 0 and time.monotonic() < end:
            ended, status = os.waitpid(child, os.WNOHANG)
            time.sleep(0.01)
        if ended == 0:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        self.assertEqual((ended, status), (child, 0))
        self.assertEqual(writer.close().records_written, 3000)
        self.assertTrue(hwtrace.validate(self.folder / "x.ftr"))


if __name__ == "__main__":
    support.main()
