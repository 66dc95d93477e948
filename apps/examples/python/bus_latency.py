"""Latency of bus transactions: percentiles by kind and over time, from a recording in FTR.

    python3 bus_latency.py [FILE.ftr] [--plot PICTURE.png]

Without a file, a bus with two masters is simulated and recorded. The cells (# %%) run one by one in an editor that
knows notebooks.
"""

# %% Arguments
import argparse
import os
import random
import tempfile

import numpy as np

import hwtrace

parser = argparse.ArgumentParser(description="Latency of bus transactions")
parser.add_argument("file", nargs="?")
parser.add_argument("--plot", metavar="PICTURE")
arguments = parser.parse_args()


# %% A recording, as a test bench in cocotb or pyuvm makes it
def simulate(path: str) -> None:
    """Records 4000 transactions. In the second half, a second master competes for the bus."""
    choose = random.Random(1)
    with hwtrace.record.open(path, unit="ns") as db:
        bus = db.stream("bus", "transactor")
        generators = {kind: bus.generator(kind) for kind in ("read", "write")}
        free_at = time = 0
        for number in range(4000):
            time += choose.randrange(5, 40)
            is_contended = number >= 2000 and choose.random() < 0.6
            begin = max(time, free_at if is_contended else 0)
            kind = "read" if choose.random() < 0.7 else "write"
            transaction = generators[kind].begin(time, addr=0x8000_0000 + 64 * number, master=int(is_contended))
            free_at = begin + (12 if kind == "write" else 20) + int(choose.expovariate(1 / 6)) + 15 * is_contended
            transaction.end(free_at, resp="OKAY")


path = arguments.file
if path is None:
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "bus.ftr")
    simulate(path)

# %% One table per kind of transaction
trace = hwtrace.open(path)
tables = {info.name: trace.table(info.name, ["begin_ns", "duration_ns"])
          for info in trace.tables if info.row == "interval" and any(c.name == "duration_ns" for c in info.columns)}
tables = {name: table for name, table in tables.items() if table.rows}

print(f"{'latency in ns':<16}{'count':>8}{'median':>9}{'p90':>9}{'p99':>9}{'max':>9}")
for name, table in tables.items():
    latency = np.asarray(table["duration_ns"])
    median, p90, p99 = np.percentile(latency, [50, 90, 99])
    print(f"{name:<16}{len(latency):>8}{median:>9.1f}{p90:>9.1f}{p99:>9.1f}{latency.max():>9.1f}")

# %% A picture
if arguments.plot:
    try:
        import matplotlib
    except ImportError:
        raise SystemExit("no picture: matplotlib is not installed")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (over_time, distribution) = pyplot.subplots(2, 1, figsize=(9, 7), constrained_layout=True)
    longest = max(float(np.max(table["duration_ns"])) for table in tables.values())
    bins = np.linspace(0, longest or 1, 60)
    for name, table in tables.items():
        begin, latency = np.asarray(table["begin_ns"]) / 1000, np.asarray(table["duration_ns"])
        over_time.plot(begin, latency, ".", markersize=3, alpha=0.5, label=name)
        distribution.hist(latency, bins, histtype="step", linewidth=1.5, label=name)
    over_time.set(title="Latency of each transaction", xlabel="begin in µs", ylabel="latency in ns")
    distribution.set(title="Distribution of latencies", xlabel="latency in ns", ylabel="transactions", yscale="log")
    over_time.legend(loc="upper left")
    distribution.legend()
    figure.savefig(arguments.plot, dpi=100)
    print(f"wrote {arguments.plot}")
