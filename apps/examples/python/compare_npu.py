"""Comparing two runs of an NPU (pccx): the busy time of each core and activity.

    python3 compare_npu.py [BEFORE.pccx AFTER.pccx] [--plot PICTURE.png]

Without files, two runs are made that differ in the speed of DMA. The cells (# %%) run one by one in an editor that
knows notebooks.
"""

# %% Arguments
import argparse
import os
import tempfile

import numpy as np

import hwtrace

parser = argparse.ArgumentParser(description="Comparing two runs of an NPU")
parser.add_argument("files", nargs="*", metavar="FILE")
parser.add_argument("--plot", metavar="PICTURE")
arguments = parser.parse_args()
if len(arguments.files) not in (0, 2):
    parser.error("give two files, or none")


# %% Two runs, if there are no files
def make_run(path: str, dma_cycles: int) -> None:
    """Writes the run of four cores: tiles are read, computed and written back, with a barrier after each tile."""
    with hwtrace.create(path, force=True) as writer:
        names = ("DMA_READ", "MAC_COMPUTE", "DMA_WRITE", "BARRIER_SYNC")
        tracks = {(core, name): writer.track(f"npu/core{core}/{name}", unit="cycles", cycle=1000)
                  for core in range(4) for name in names}
        time = 0
        for tile in range(50):
            ends = []
            for core in range(4):
                at = time
                for name, cycles in zip(names, (dma_cycles + 10 * core, 200 + tile, dma_cycles // 2)):
                    writer.intervals(tracks[core, name], [at], [at + cycles])
                    at += cycles
                ends.append(at)
            time = max(ends)
            for core, end in enumerate(ends):
                writer.intervals(tracks[core, "BARRIER_SYNC"], [end], [time])


paths = arguments.files
if not paths:
    folder = tempfile.TemporaryDirectory()
    paths = [os.path.join(folder.name, name) for name in ("before.pccx", "after.pccx")]
    make_run(paths[0], 160)
    make_run(paths[1], 100)


# %% The busy cycles by activity
def busy_cycles(path: str) -> tuple:
    """Returns the length of a run, and the sum of the durations of each activity over all cores."""
    trace, busy, end = hwtrace.open(path), {}, 0
    for info in trace.tables:
        if info.row == "interval" and "core" in info.path:
            table = trace.table(info.path, ["end", "duration"])
            if table.rows:
                activity = info.path.rsplit("/", 1)[-1]
                busy[activity] = busy.get(activity, 0) + int(np.sum(table["duration"]))
                end = max(end, int(np.max(table["end"])))
    return end, busy


(before_end, before), (after_end, after) = map(busy_cycles, paths)
activities = sorted(set(before) | set(after))
print(f"{'cycles':<16}{'before':>12}{'after':>12}{'change':>9}")
for name, old, new in [("run", before_end, after_end)] + [(a, before.get(a, 0), after.get(a, 0)) for a in activities]:
    change = f"{100 * (new - old) / old:+.1f}%" if old else "new"
    print(f"{name:<16}{old:>12}{new:>12}{change:>9}")

# %% A picture
if arguments.plot:
    try:
        import matplotlib
    except ImportError:
        raise SystemExit("no picture: matplotlib is not installed")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    places = np.arange(len(activities))
    figure, axes = pyplot.subplots(figsize=(9, 4.5), constrained_layout=True)
    for shift, label, busy in ((-0.2, "before", before), (0.2, "after", after)):
        axes.bar(places + shift, [busy.get(activity, 0) for activity in activities], 0.38, label=label)
    axes.set_xticks(places, activities)
    axes.set(title=f"Busy cycles of all cores; the run takes {before_end} and {after_end} cycles", ylabel="cycles")
    axes.legend()
    figure.savefig(arguments.plot, dpi=100)
    print(f"wrote {arguments.plot}")
