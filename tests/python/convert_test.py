"""Converting and validating."""

import json
import random
from pathlib import Path

import support
import hwtrace


class Converting(support.Case):
    def test_the_report_has_the_losses_of_the_command(self):
        report = hwtrace.convert(self.sample("ftr/valid/soc.ftr"), self.folder / "a.pccx")
        self.assertTrue(report.written)
        self.assertFalse(report.is_whole)
        support.run("hwtrace-convert", self.sample("ftr/valid/soc.ftr"), self.folder / "b.pccx", "--loss-report",
                    self.folder / "losses.json", code=3)
        expected = json.loads((self.folder / "losses.json").read_text())
        self.assertEqual([(loss.kind, loss.subject, loss.count, loss.first) for loss in report.losses],
                         [(loss["loss"], loss["subject"], loss["count"], loss["first"]) for loss in expected["losses"]])
        self.assertEqual([str(assumption) for assumption in report.assumptions], expected["assumptions"])
        self.assertEqual(report.records_read, expected["records_read"])
        self.assertEqual((self.folder / "a.pccx").read_bytes(), (self.folder / "b.pccx").read_bytes())

    def test_options_are_those_of_the_command(self):
        source = self.sample("stf/valid/sum.zstf")
        for index, (arguments, options) in enumerate([
            (dict(range="100#:200#"), ["--range", "100#:200#"]),
            (dict(last=10), ["--last", "10"]),
            (dict(select="pc>=0x1010"), ["--select", "pc>=0x1010"]),
            (dict(clock="500MHz", ipc="1/2"), ["--clock", "500MHz", "--ipc", "1/2"]),
            (dict(uscope_compression="zstd"), ["--uscope-compression", "zstd"]),
            (dict(threads=1), []),
        ]):
            with self.subTest(arguments):
                a, b = self.folder / f"a{index}.uscope", self.folder / f"b{index}.uscope"
                hwtrace.convert(source, a, **arguments)
                support.run("hwtrace-convert", source, b, "--allow-loss", *options)
                self.assertEqual(a.read_bytes(), b.read_bytes())

    def test_an_existing_file_is_replaced_only_by_force(self):
        target = self.folder / "x.uscope"
        target.write_text("precious")
        with self.assertRaises(hwtrace.Error) as caught:
            hwtrace.convert(self.sample("stf/valid/sum.zstf"), target)
        self.assertEqual(caught.exception.kind, "usage")
        self.assertEqual(target.read_text(), "precious")
        self.assertTrue(hwtrace.convert(self.sample("stf/valid/sum.zstf"), target, force=True).written)

    def test_strict_writes_nothing_and_verify_compares(self):
        target = self.folder / "x.pccx"
        report = hwtrace.convert(self.sample("ftr/valid/soc.ftr"), target, strict=True)
        self.assertFalse(report.written or target.exists())
        report = hwtrace.convert(self.sample("ftr/valid/soc.ftr"), self.folder / "x.uscope", verify=True)
        self.assertTrue(report.verification.done and report.verification.passed)
        self.assertEqual(report.verification.not_compared, "")

    def test_wrong_arguments_are_errors_of_kind_usage(self):
        source = self.sample("ftr/valid/soc.ftr")
        for target, arguments in [("x.uscope", dict(pccx_encoding="json")), ("x.uscope", dict(nonsense=1)),
                                  ("x.nonsense", {}), ("x.pccx", dict(pccx_encoding="nonsense"))]:
            with self.subTest(target=target, arguments=arguments), self.assertRaises(hwtrace.Error) as caught:
                hwtrace.convert(source, self.folder / target, **arguments)
            self.assertEqual(caught.exception.kind, "usage")
            self.assertEqual(list(self.folder.iterdir()), [])


class Validating(support.Case):
    def test_findings_are_those_of_the_command(self):
        choose = random.Random(support.seed())
        for name in ("ftr/valid/soc.ftr", "uscope/valid/queue.uscope", "stf/valid/sum_small.stf", "pccx/valid/npu.pccx",
                     "jsonl/valid/bus.jsonl", "txlog/valid/bus.txlog"):
            whole = bytearray(Path(self.sample(name)).read_bytes())
            whole[choose.randrange(len(whole))] ^= 1 << choose.randrange(8)
            path = self.folder / Path(name).name
            path.write_bytes(whole[:choose.randrange(len(whole) // 2, len(whole) + 1)])
            with self.subTest(path.name):
                validation = hwtrace.validate(path)
                text = support.run_any("hwtrace-validate", path, "--report", "json")
                expected = json.loads(text)["files"][0]
                self.assertEqual(validation.verdict, expected["verdict"])
                self.assertEqual(bool(validation), validation.verdict == "valid")
                self.assertEqual([(finding.rule, finding.offset, finding.severity) for finding in validation.findings],
                                 [(finding["rule"], finding["offset"], finding["severity"])
                                  for finding in expected["findings"]])

    def test_a_valid_file_is_true_and_counted(self):
        validation = hwtrace.validate(self.sample("ftr/valid/soc.ftr"), level="semantic")
        self.assertTrue(validation)
        self.assertEqual(validation.records, sum(validation.records_by_kind.values()))
        self.assertEqual(validation.size, Path(self.sample("ftr/valid/soc.ftr")).stat().st_size)

    def test_a_missing_file_has_a_fault_and_no_verdict(self):
        validation = hwtrace.validate(self.folder / "absent")
        self.assertIsNone(validation.verdict)
        self.assertFalse(validation)
        self.assertIn("cannot open", validation.fault)
        self.assertIn("absent", validation.file)

    def test_formats_are_listed(self):
        names = [format.name for format in hwtrace.formats()]
        listed = support.run("hwtrace-convert", "--list-formats", "--json")
        self.assertEqual(names, [format["name"] for format in json.loads(listed)["formats"]])


if __name__ == "__main__":
    support.main()
