"""Writing arrays as a trace."""

import operator
import os
import warnings
from typing import Dict, Optional

import numpy as np

from . import _hwtrace
from ._types import Error, Report, make_report

_UNSIGNED = {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "pointer": np.uint64}
_SIGNED = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "time": np.int64}
_TEXTS = ("text", "label", "bits", "logic", "blob")
_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12, "fs": 10**15}
_KINDS = {"interval": "stream", "event": "event", "signal": "signal", "notes": "notes"}


class WriterEnum:
    """A set of labels, made by :meth:`Writer.enum`."""

    def __init__(self, id: int, name: str, labels: Dict[str, int], owner: object = None):
        self.id, self.name, self.labels, self._owner = id, name, labels, owner


class WriterTrack:
    """A track, made by :meth:`Writer.track`."""

    def __init__(self, id: int, path: str, kind: str, fields: dict, owner: object = None):
        self.id, self.path, self.kind, self.fields, self._owner = id, path, kind, fields, owner


def _masked(values):
    """Returns values and where they are present (None: everywhere) of lists, masked arrays and columns of pandas."""
    if isinstance(values, np.ndarray) and values.ndim == 0:
        values = values.reshape(1)
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        return values.data, None if not mask.any() else ~mask
    if isinstance(values, np.ndarray) and values.dtype != object:
        return values, None
    values = [values] if np.isscalar(values) else list(values)
    present = np.fromiter((value is not None and not _is_na(value) for value in values), bool, len(values))
    return values, None if present.all() else present


def _whole(name: str, value, least: int) -> int:
    """Returns an integer from `least` to 2^64 - 1."""
    try:
        number = int(operator.index(value))
    except TypeError:
        raise Error(f"{name}: {value!r} is no integer", "usage") from None
    if not least <= number < 2**64:
        raise Error(f"{name}: takes integers from {least} to 2^64 - 1, not {number}", "usage")
    return number


def _is_na(value) -> bool:
    return type(value).__name__ in ("NAType", "NaTType")


def _cells(name: str, kind, values, present, writer) -> np.ndarray:
    """Returns values of one field as cells of 64 bits."""
    if present is not None and isinstance(values, list):
        filler = "" if kind in _TEXTS else next(iter(kind.labels)) if isinstance(kind, WriterEnum) else 0
        values = [value if is_there else filler for value, is_there in zip(values, present)]
    if kind in _TEXTS:
        return writer.intern(_texts(name, values))
    if isinstance(kind, WriterEnum):
        numbers = [kind.labels.get(value, value) if isinstance(value, str) else value for value in values]
        wrong = [number for number in numbers if isinstance(number, str)]
        if wrong:
            raise Error(f"{name}: {wrong[0]!r} is no label of {kind.name}", "usage")
        return _integers(name, "u64", numbers, present)
    if kind in ("f64", "fixed", "ufixed"):
        return _floats(name, kind, np.float64, values, present).view(np.uint64)
    if kind == "f32":
        return _floats(name, kind, np.float32, values, present).view(np.uint32).astype(np.uint64)
    if kind == "bool":
        return _booleans(name, values, present)
    return _integers(name, kind, values, present)


def _texts(name: str, values) -> list:
    """Returns texts as bytes. Lone surrogates, as Trace.text makes them, become the bytes that they stand for."""
    try:
        return [bytes(value) if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")
                for value in values]
    except UnicodeEncodeError as error:
        raise Error(f"{name}: {error.object!r} is no text: {error.reason}", "usage") from None


def _numbers(name: str, kind: str, values) -> np.ndarray:
    """Returns numbers as an array; refuses texts and other values that numpy would take for numbers."""
    array = np.asarray(values)
    if array.dtype.kind == "O":
        is_number = all(hasattr(value, "__float__") and not isinstance(value, np.character) for value in array.flat)
    else:
        is_number = array.dtype.kind in "fiub"
    if not is_number:
        raise Error(f"{name}: the type {kind} takes numbers, not {array.dtype}", "usage")
    return array


def _floats(name: str, kind: str, target, values, present) -> np.ndarray:
    array = _numbers(name, kind, values)
    if present is not None:
        array = np.where(present, array, 0)
    try:
        with np.errstate(over="ignore"):
            cells = np.ascontiguousarray(array, target)
            wide = array.astype(np.float64) if array.dtype == object else array
    except (OverflowError, TypeError, ValueError) as error:
        raise Error(f"{name}: a value does not fit into {kind}: {error}", "usage") from None
    wrong = np.isinf(cells) & ~np.isinf(wide)
    if wrong.any():
        raise Error(f"{name}: {array.flat[int(np.argmax(wrong))]} does not fit into {kind}", "usage")
    return cells


def _booleans(name: str, values, present) -> np.ndarray:
    array = _numbers(name, "bool", values)
    if present is not None:
        array = np.where(present, array, 0)
    wrong = (array != 0) & (array != 1)
    if wrong.any():
        raise Error(f"{name}: {array.flat[int(np.argmax(wrong))]} is neither true nor false", "usage")
    return (array != 0).astype(np.uint64)


def _integers(name: str, kind: str, values, present) -> np.ndarray:
    target = _UNSIGNED.get(kind) or _SIGNED.get(kind)
    if target is None:
        raise Error(f"{name}: unknown type {kind!r}", "usage")
    limits = np.iinfo(target)
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(0, np.uint64)
    if array.dtype.kind == "f" and not isinstance(values, np.ndarray):  # numpy makes floats of large and small numbers
        array = np.array(values, object)
    if array.dtype.kind not in "iubO" or (array.dtype == object and not all(isinstance(v, (int, np.integer)) for v in array)):
        raise Error(f"{name}: the type {kind} takes integers, not {array.dtype}", "usage")
    there = array if present is None else array[present]
    if there.size and (int(there.min()) < limits.min or int(there.max()) > limits.max):
        raise Error(f"{name}: values from {there.min()} to {there.max()} do not fit into {kind}", "usage")
    wide = np.int64 if limits.min < 0 else np.uint64
    if present is not None:
        array = np.where(present, array, 0)
    return np.ascontiguousarray(array.astype(wide)).view(np.uint64)


class Writer:
    """Writes arrays as a trace. ``hwtrace.create`` makes it.

    Declare scopes, enums and tracks first, then write records. The file appears when the writer is closed, which the end
    of a ``with`` block does; after an exception, nothing is written. Records may be written in any order of times::

        with hwtrace.create("dma.ftr") as writer:
            track = writer.track("soc/dma/transfer", fields={"address": "u64", "command": "text"}, unit="ns")
            writer.intervals(track, begins, ends, {"address": addresses, "command": commands})
    """

    def __init__(self, path: str, options: dict):
        self._writer = _hwtrace.Writer(path, options)
        self._path = path
        self._is_open = True
        self._report: Optional[Report] = None
        self._mark = object()  # known to the tracks and enums of this writer, which do not keep it alive

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, type, value, traceback) -> None:
        if type is None and self._report is None:
            self.close()
        else:
            self._is_open = False
            self._writer.abandon()

    def __del__(self) -> None:
        if getattr(self, "_is_open", False):  # False: __init__ failed
            warnings.warn(f"{self._path}: the writer was not closed, so nothing was written", ResourceWarning,
                          source=self)

    def enum(self, name: str, labels) -> WriterEnum:
        """Declares an enum, from a dict of labels to numbers, a list of labels, or a class of ``enum.Enum``."""
        if hasattr(labels, "__members__"):
            labels = {label: member.value for label, member in labels.__members__.items()}
        elif not isinstance(labels, dict):
            labels = {label: number for number, label in enumerate(labels)}
        labels = {str(label): _whole(f"enum {name}: {label}", number, 0) for label, number in labels.items()}
        id = self._writer.enumeration(name, [(number, label) for label, number in labels.items()])
        return WriterEnum(id, name, labels, self._mark)

    def track(self, path: str, *, kind: str = "interval", fields=None, unit: str = "ps", cycle=None) -> WriterTrack:
        """Declares a track.

        :param path: scopes and name: "soc/bus/read"
        :param kind: "interval", "event", "signal" or "notes"
        :param fields: a dict of names to types: "u8" ... "u64", "i8" ... "i64", "f32", "f64", "bool", "text", "bits",
            "logic", "pointer", "time", "blob", or an enum of this writer. A signal with one value has one field.
        :param unit: the unit of times: "s" ... "fs", "cycles" or "ordinal" (positions)
        :param cycle: with "cycles", the length of a cycle in picoseconds; None: unknown
        """
        if kind not in _KINDS:
            raise Error(f"kind={kind}: takes {', '.join(_KINDS)}", "usage")
        if unit in _UNITS:
            base = ("seconds", 1, _UNITS[unit])
        elif unit == "cycles":
            length = 1 if cycle is None else _whole("cycle", cycle, 1)
            base = ("cycles", length, 0 if cycle is None else 10**12)
        elif unit == "ordinal":
            base = ("ordinal", 1, 1)
        else:
            raise Error(f"unit={unit}: takes {', '.join(_UNITS)}, cycles or ordinal", "usage")
        fields = dict(fields or {})
        for type in fields.values():
            if isinstance(type, WriterEnum) and type._owner is not self._mark:
                raise Error(f"{path}: the enum {type.name} belongs to another writer", "usage")
        declared = [(name, "enum", type.id) if isinstance(type, WriterEnum) else (name, type, 0)
                    for name, type in fields.items()]
        scope, _, name = path.rpartition("/")
        return WriterTrack(self._writer.track(_KINDS[kind], scope, name, *base, declared), path, kind, fields,
                           self._mark)

    def describe(self, key: str, value: str) -> None:
        """Adds a fact about the whole trace."""
        self._writer.describe(key, value)

    def events(self, track: WriterTrack, times, fields=None) -> None:
        """Writes one event per time; ``fields`` maps each field to an array of values."""
        self._expect(track, "event")
        self._write(track, self._times(track, times), None, fields, False)

    def intervals(self, track: WriterTrack, begins, ends, fields=None) -> None:
        """Writes one interval per begin and end. Masked values and None are attributes that an interval does not have."""
        self._expect(track, "interval")
        begins, ends = self._times(track, begins), self._times(track, ends)
        if begins.shape != ends.shape:
            raise Error(f"{track.path}: {begins.size} begins, but {ends.size} ends", "usage")
        if (ends < begins).any():
            raise Error(f"{track.path}: interval {int(np.argmax(ends < begins))} ends before it begins", "usage")
        durations = ends.view(np.uint64) - begins.view(np.uint64)  # modulo 2^64, so no difference overflows
        self._write(track, begins, durations, fields, True)

    def changes(self, track: WriterTrack, times, values) -> None:
        """Writes the values that a signal takes at the times. A masked value and None: the signal has no value."""
        self._expect(track, "signal")
        if not isinstance(values, dict):
            if len(track.fields) != 1:
                raise Error(f"{track.path}: a signal of several fields takes a dict of arrays", "usage")
            values = {next(iter(track.fields)): values}
        self._write(track, self._times(track, times), None, values, True)

    def notes(self, track: WriterTrack, times, texts) -> None:
        """Writes one text per time."""
        self._expect(track, "notes")
        self._writer.write_notes(track.id, self._times(track, times), _texts(track.path, texts))

    def close(self) -> Report:
        """Completes the file. The report lists what the format cannot hold."""
        if self._report is None:
            self._is_open = False
            self._report = make_report(self._writer.close())
        return self._report

    @property
    def report(self) -> Optional[Report]:
        """The report of :meth:`close`; None before."""
        return self._report

    def _expect(self, track: WriterTrack, kind: str) -> None:
        if track._owner is not self._mark:
            raise Error(f"{track.path}: the track belongs to another writer", "usage")
        if track.kind != kind:
            raise Error(f"{track.path}: the track is of kind {track.kind}, not {kind}", "usage")

    def _times(self, track: WriterTrack, times) -> np.ndarray:
        is_single = np.isscalar(times) or getattr(times, "ndim", 1) == 0
        cells = _integers(f"{track.path}: times", "i64", np.atleast_1d(times) if is_single else times, None)
        return cells.view(np.int64)

    def _write(self, track: WriterTrack, times, durations, fields, may_miss: bool) -> None:
        fields = dict(fields or {})
        unknown = [name for name in fields if name not in track.fields]
        if unknown:
            raise Error(f"{track.path} has no field {unknown[0]}; fields are {', '.join(track.fields)}", "usage")
        columns, presences = [], []
        for name, kind in track.fields.items():
            where = f"{track.path}.{name}"
            if name not in fields:
                if not may_miss:
                    raise Error(f"{where}: every event has a value; give an array", "usage")
                columns.append(np.zeros(times.size, np.uint64))
                presences.append(np.zeros(times.size, bool))
                continue
            values, present = _masked(fields[name])
            if present is not None and not may_miss:
                raise Error(f"{where}: every event has a value, but value {int(np.argmin(present))} is missing", "usage")
            columns.append(_cells(where, kind, values, present, self._writer))
            presences.append(present)
        self._writer.write(track.id, times, durations, columns, presences)


def create(path, *, to_format=None, clock=None, ipc=None, strict=False, force=False, threads=None,
           time_ordered=False, **format_options) -> Writer:
    """Returns a writer for a file; the extension names the format. See :func:`hwtrace.convert` for the arguments.

    :param time_ordered: the times of all records never decrease, so they need not be sorted
    """
    options = dict(to_format=to_format, clock=clock, ipc=ipc, strict=strict, force=force, threads=threads,
                   time_ordered=time_ordered, format_options=format_options)
    return Writer(os.fsdecode(path), options)
