"""Reading traces."""

import os
from typing import Dict, List, Optional, Tuple, Union

from . import _hwtrace
from ._table import Table, TableInfo, list_tables, read_table
from ._types import Clock, Enum, Error, Finding, Scope, Track, make_findings, make_track


class Trace:
    """An open trace. ``hwtrace.open`` makes it.

    A loop over the trace delivers batches; a second loop continues where the first one was left::

        for batch in trace:
            instructions = batch.records[batch.records["kind"] == hwtrace.Kind.INSTRUCTION]

    Each array of a batch is a view of memory that belongs to the batch. The array keeps the batch alive, and nothing
    changes a batch that the program still refers to, so arrays stay valid without a copy. They are read-only.
    """

    def __init__(self, trace: "_hwtrace.Trace", path: str, options: dict):
        self._trace = trace
        self._path = path
        self._options = options

    def __iter__(self):
        return self.batches()

    def batches(self, records: int = 8192):
        """Iterates over batches of about so many records. Smaller batches take less memory, larger ones less time."""
        if records < 1:
            raise Error(f"records={records}: a batch has at least one record", "usage")
        while (batch := self._trace.next(records)) is not None:
            yield batch

    def __repr__(self) -> str:
        return f"<hwtrace.Trace {self.name!r} ({self.format})>"

    @property
    def name(self) -> str:
        """The path of the file, or "<stdin>"."""
        return self._trace.name

    @property
    def format(self) -> str:
        """The name of the format: "stf", "ftr", ..."""
        return self._trace.format

    @property
    def is_schema_complete(self) -> bool:
        """True if tracks, enums, clocks and scopes are all known. Otherwise, more of them appear while reading."""
        return self._trace.is_schema_complete

    @property
    def tracks(self) -> List[Track]:
        """The tracks; ``tracks[i].id == i``, and records refer to them by this number."""
        return [make_track(track) for track in self._trace.tracks()]

    @property
    def enums(self) -> List[Enum]:
        return [Enum(**enum) for enum in self._trace.enums()]

    @property
    def clocks(self) -> List[Clock]:
        return [Clock(**clock) for clock in self._trace.clocks()]

    @property
    def scopes(self) -> List[Scope]:
        return [Scope(**scope) for scope in self._trace.scopes()]

    @property
    def metadata(self) -> List[Tuple[str, str]]:
        """Facts about the whole trace, in order. A key may occur several times."""
        return self._trace.metadata()

    @property
    def facts(self) -> Dict[str, Union[str, int]]:
        """Facts about the file itself, complete after the last batch."""
        return self._trace.facts()

    @property
    def findings(self) -> Tuple[Finding, ...]:
        """The problems of the file that were found so far; the first of each rule."""
        return make_findings(self._trace.findings())

    @property
    def finding_totals(self) -> Dict[str, int]:
        """The number of all findings so far, by rule."""
        return self._trace.totals()

    @property
    def verdict(self) -> str:
        """"valid", "invalid" or "incomplete", for what was read so far."""
        return self._trace.verdict()

    def track(self, name: str) -> Track:
        """Returns the only track with this path, or this name."""
        tracks = self.tracks
        found = [track for track in tracks if track.path == name] or [track for track in tracks if track.name == name]
        if len(found) == 1:
            return found[0]
        known = ", ".join(track.path for track in (found or tracks)[:20])
        raise Error(f"{self.name}: {len(found) or 'no'} tracks are called {name!r}; tracks are {known}", "usage")

    @property
    def tables(self) -> List[TableInfo]:
        """The tables of the trace: one per track, two for a storage with properties."""
        return list_tables(self._path, self._options)

    def table(self, name: Union[str, TableInfo], columns: Optional[List[str]] = None) -> Table:
        """Reads a table as a dict of numpy arrays: one of ``tables``, or the name or path of its track.

        Reads the slice of the trace from its beginning, whatever a loop has read, and keeps all rows in memory.

        :param columns: the names of the columns to read; None: all. Rows with lists of values take the most time.
        """
        return read_table(self._path, self._options, name, columns)

    def text(self, id: int) -> str:
        """Returns a string of the trace: the value of a cell or attribute whose type is text.

        Bytes that are not UTF-8 become lone surrogates, as in ``os.fsdecode``.
        """
        return self._trace.text(id)

    def texts(self, ids) -> List[str]:
        """Returns the strings with these ids."""
        return self._trace.texts(ids)


def elf_files(elf):
    """Returns a choice of ELF files with all paths as str."""
    if elf is None or isinstance(elf, (str, bytes, os.PathLike)):
        return None if elf is None else os.fsdecode(elf)
    return [(os.fsdecode(entry[0]), entry[1]) if isinstance(entry, tuple) else os.fsdecode(entry) for entry in elf]


def open(path, *, format=None, range=None, last=None, select=None, clock=None, threads=None, max_findings=20,
         no_limits=False, elf=None) -> Trace:
    """Opens a trace of any format; "-" is standard input. The arguments have the syntax of the commands.

    :param format: the format, if the content does not decide: "stf"
    :param range: half-open range: "100#:200#" (instructions, else transactions or records), "1000cyc:", "10us:2ms"
    :param last: only the last so many instructions (without instructions: transactions or records)
    :param select: conditions that every record must match: "scope=core0*,kind=event", "addr>=0x1000"; or a list
    :param clock: the clock of a trace that does not state one: "1GHz", "500ps"
    :param threads: the number of threads that decompress; never affects what is read (default: the processors, at most 8)
    :param max_findings: the number of findings that are kept per rule; all are counted
    :param no_limits: lifts the limits that protect from damaged files
    :param elf: the program that ran, or a list of programs and libraries, each a path or a pair (path, base address);
        tables of instructions then have the columns "function", "function_offset" and "source"
    """
    path = os.fsdecode(path)
    options = dict(format=format, range=range, last=last, select=select, clock=clock, threads=threads,
                   max_findings=max_findings, no_limits=no_limits, elf=elf_files(elf))
    return Trace(_hwtrace.open(path, options), path, options)
