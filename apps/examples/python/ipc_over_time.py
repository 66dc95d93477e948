"""IPC over time of an instruction trace (STF), estimated with a small model of a core.

    python3 ipc_over_time.py FILE.zstf [--window N] [--plot PICTURE.png]

STF states the order of instructions, but no time. The model adds a penalty for each taken branch and for each load and
store that misses in a direct-mapped cache. The trace is read in batches, so memory does not grow with its length. The
cells (# %%) run one by one in an editor that knows notebooks.
"""

# %% Arguments
import argparse

import numpy as np

import hwtrace

parser = argparse.ArgumentParser(description="IPC over time")
parser.add_argument("file")
parser.add_argument("--window", type=int, default=1000, help="instructions per point (default: 1000)")
parser.add_argument("--plot", metavar="PICTURE")
arguments = parser.parse_args()

BRANCH, MISS, LINE, SETS = 2, 20, 64, 32  # cycles, cycles, bytes, lines: a cache of 2 KiB


# %% The model: the cycles that each instruction of a batch takes
class Cache:
    """A direct-mapped cache, simulated for many accesses at a time."""

    def __init__(self):
        self.tags = np.full(SETS, np.iinfo(np.uint64).max, np.uint64)

    def misses(self, addresses: np.ndarray) -> np.ndarray:
        lines = addresses // LINE
        sets = (lines % SETS).astype(np.int64)
        order = np.argsort(sets, kind="stable")  # the accesses of a set stand together, in their order
        sets, lines = sets[order], lines[order]
        is_first = np.r_[True, sets[1:] != sets[:-1]][:len(sets)]
        before = np.r_[np.uint64(0), lines[:-1]][:len(lines)]
        before[is_first] = self.tags[sets[is_first]]
        is_last = np.r_[is_first[1:], True][:len(sets)]
        self.tags[sets[is_last]] = lines[is_last]
        missed = np.empty(len(lines), bool)
        missed[order] = lines != before
        return missed


def cycles_of(batch: hwtrace.Batch, cache: Cache) -> np.ndarray:
    records = batch.records[batch.records["kind"] == hwtrace.Kind.INSTRUCTION]
    instructions = batch.instructions[records["ref"]]
    cycles = np.ones(len(instructions), np.int64)
    cycles += BRANCH * instructions["has_target"]
    misses = np.r_[0, np.cumsum(cache.misses(batch.accesses["address"]))]
    first = instructions["accesses_first"].astype(np.int64)
    last = first + instructions["accesses_count"]
    has_access = instructions["accesses_count"] > 0
    cycles[has_access] += MISS * (misses[last[has_access]] - misses[first[has_access]])
    return cycles


# %% Reading
trace, cache = hwtrace.open(arguments.file), Cache()
parts = [cycles_of(batch, cache) for batch in trace]
cycles = np.concatenate(parts) if parts else np.zeros(0, np.int64)
if not len(cycles):
    raise SystemExit(f"{arguments.file}: there are no instructions")

# %% IPC per window
# The last window takes the rest, so that no short window stands out.
starts = np.arange(0, max(len(cycles) - arguments.window // 2, 1), arguments.window)
length = np.diff(np.r_[starts, len(cycles)])
ipc = length / np.add.reduceat(cycles, starts)
print(f"{len(cycles)} instructions, {cycles.sum()} cycles, IPC {len(cycles) / cycles.sum():.3f}")
slowest = int(np.argmin(ipc))
print(f"slowest window: instructions {starts[slowest]} to {starts[slowest] + length[slowest] - 1}, IPC {ipc[slowest]:.3f}")

# %% A picture
if arguments.plot:
    try:
        import matplotlib
    except ImportError:
        raise SystemExit("no picture: matplotlib is not installed")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 4), constrained_layout=True)
    axes.step(np.cumsum(cycles)[starts], ipc, where="post", linewidth=1)
    axes.axhline(len(cycles) / cycles.sum(), color="tab:orange", linewidth=1, label="mean")
    axes.set(title=f"IPC per {arguments.window} instructions (estimate)", xlabel="cycle", ylabel="IPC", ylim=(0, 1.05))
    axes.legend()
    figure.savefig(arguments.plot, dpi=100)
    print(f"wrote {arguments.plot}")
