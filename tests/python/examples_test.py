"""The examples in apps/examples/python: their numbers and pictures."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import support
import numpy as np
import hwtrace

EXAMPLES = Path(__file__).resolve().parents[2] / "apps" / "examples" / "python"
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
if not HAS_MATPLOTLIB:
    print("pictures of the examples are skipped: matplotlib is not installed")


class Examples(support.Case):
    def run_example(self, name, *arguments):
        """Runs an example with a picture, and returns the lines that it prints."""
        picture = self.folder / "picture.png"
        plot = ["--plot", str(picture)] if HAS_MATPLOTLIB else []
        result = subprocess.run([sys.executable, str(EXAMPLES / name), *map(str, arguments), *plot], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**os.environ, "MPLCONFIGDIR": str(self.folder)})
        self.assertEqual(result.returncode, 0, result.stderr)
        if HAS_MATPLOTLIB:
            self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
            self.assertGreater(picture.stat().st_size, 5000)
        return result.stdout.splitlines()

    def test_latencies_are_those_of_the_recording(self):
        path = self.folder / "bus.ftr"
        latencies = list(range(1, 101))
        with hwtrace.record.open(path, unit="ns") as db:
            generator = db.stream("bus").generator("read")
            for latency in latencies:
                generator.begin(10 * latency).end(11 * latency)
        lines = self.run_example("bus_latency.py", path)
        self.assertEqual(lines[1].split(), ["read", "100", "50.5", "90.1", "99.0", "100.0"])
        self.assertEqual(len(self.run_example("bus_latency.py")), 4 if HAS_MATPLOTLIB else 3)

    def test_the_model_of_a_core_agrees_with_a_slow_one(self):
        path = self.sample("stf/valid/sum.zstf")
        cycles, tags = 0, {}
        table = hwtrace.open(path).table("core0", ["target", "address"])
        for target, addresses in zip(np.ma.getmaskarray(table["target"]), table["address"]):
            cycles += 1 + 2 * (not target)
            for address in addresses.tolist():
                line = address // 64
                cycles += 20 * (tags.get(line % 32) != line)
                tags[line % 32] = line
        lines = self.run_example("ipc_over_time.py", path, "--window", 100)
        self.assertEqual(lines[0], f"{table.rows} instructions, {cycles} cycles, IPC {table.rows / cycles:.3f}")

    def test_two_runs_are_compared(self):
        lines = self.run_example("compare_npu.py")
        rows = {line.split()[0]: line.split()[1:] for line in lines[1:6]}
        self.assertEqual(rows["DMA_READ"], ["35000", "23000", "-34.3%"])
        self.assertEqual(rows["MAC_COMPUTE"], ["44900", "44900", "+0.0%"])
        same = self.run_example("compare_npu.py", self.sample("pccx/valid/npu.pccx"), self.sample("pccx/valid/npu.pccx"))
        self.assertTrue(all(line.endswith("+0.0%") for line in same[1:6]), same)


if __name__ == "__main__":
    support.main()
