"""The objects that describe traces, problems and results."""

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from typing import Dict, List, Optional, Tuple


class Error(Exception):
    """A failure of hwtrace.

    ``kind`` is its cause: ``"usage"`` (the request is impossible), ``"input"`` (the file cannot be processed),
    ``"io"`` (open, read, write, disk full), ``"limit"`` (the file exceeds a limit) or ``"internal"`` (a bug).
    """

    def __init__(self, message: str, kind: str = "internal"):
        super().__init__(message)
        self.kind = kind

    def __reduce__(self):
        return (Error, (self.args[0], self.kind))


@dataclass(frozen=True)
class TimeBase:
    """The meaning of one tick: ``num/den`` seconds, a clock cycle of that length, or a position in the stream."""

    kind: str  #: "seconds", "cycles" or "ordinal"
    num: int
    den: int  #: 0: the length of the cycle is unknown

    @property
    def seconds(self) -> Optional[Fraction]:
        """The exact length of a tick in seconds; None if a tick has no length."""
        if self.kind == "ordinal" or self.den == 0:
            return None
        return Fraction(self.num, self.den)

    @property
    def nanoseconds(self) -> Optional[float]:
        """The length of a tick in nanoseconds; None if a tick has no length."""
        seconds = self.seconds
        return None if seconds is None else float(seconds * 10**9)


@dataclass(frozen=True)
class Enum:
    """A set of labelled values."""

    id: int
    name: str
    labels: Dict[int, str]


@dataclass(frozen=True)
class Field:
    """A field of an event, an interval, a slot or a signal."""

    name: str
    type: str  #: "u8" ... "f64", "bool", "enum", "text", "bits", "logic", "time", ...
    enum: Optional[int]  #: the id of the enum
    repeated: bool  #: the field may occur any number of times
    phase: Optional[str]  #: "begin", "record" or "end", in which an attribute of an interval was recorded
    width: int  #: the number of bits of a bit vector; 0: no bit vector


@dataclass(frozen=True)
class Track:
    """A source of records: an event type, a table, a signal, a stream of transactions, a hart."""

    id: int
    kind: str  #: "event", "storage", "signal", "stream", "relation", "hart", "notes" or "native"
    name: str
    scope: str  #: the path of the scope: "soc/bus"; empty: none
    scope_id: Optional[int]
    time_base: TimeBase
    fields: Tuple[Field, ...]
    properties: Tuple[Field, ...]
    slots: int
    native_id: Optional[int]

    @property
    def path(self) -> str:
        """The scope and the name: "soc/bus/read"."""
        return f"{self.scope}/{self.name}" if self.scope else self.name


@dataclass(frozen=True)
class Clock:
    """A clock domain."""

    id: int
    name: str
    period_ps: Optional[int]  #: None: unknown


@dataclass(frozen=True)
class Scope:
    """A node of the design hierarchy."""

    id: int
    name: str
    path: str
    parent: Optional[int]
    protocol: str  #: what the source calls this kind of scope: "cpu"; empty: unknown
    clock: Optional[int]


@dataclass(frozen=True)
class Finding:
    """A violation of a rule of a format. Offsets are bytes from the start of the file."""

    rule: str  #: a stable id, such as "FTR005"
    severity: str  #: "note", "warning" or "error"
    title: str
    message: str  #: the place, the title, what was expected and what was found
    offset: int
    length: int
    inner_offset: Optional[int]  #: the offset in the decompressed data
    ordinal: Optional[int]  #: the index of the record
    time: Optional[int]
    where: str
    expected: str
    found: str
    hint: str  #: what follows for users of the file, and what to do

    def __str__(self) -> str:
        return f"{self.severity} {self.rule} at {self.message}"


@dataclass(frozen=True)
class Loss:
    """Information that the target of a conversion cannot hold."""

    kind: str  #: a stable code, such as "time-rounded"
    subject: str  #: the name of a track, field, scope or fact
    count: int
    first: str  #: the first example

    def __str__(self) -> str:
        return f"lost: {self.kind} {self.subject}, {self.count} times, first {self.first}"


@dataclass(frozen=True)
class Assumption:
    """Something that a conversion had to invent, such as the length of a clock cycle."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Verification:
    """The result of reading an output back."""

    done: bool
    passed: bool
    not_compared: str  #: why the traces were not compared; empty: they were


@dataclass(frozen=True)
class Report:
    """The result of a conversion."""

    source: str
    target: str
    source_format: Optional[str]
    target_format: str
    written: bool  #: the output exists
    is_whole: bool  #: nothing was lost, and the input has no errors
    size: int  #: of the output, in bytes
    records_read: int
    records_written: int
    losses: Tuple[Loss, ...]
    assumptions: Tuple[Assumption, ...]
    warnings: Tuple[str, ...]  #: what other programs cannot read of the output
    findings: Tuple[Finding, ...]  #: problems of the input; the first of each rule
    totals: Dict[str, int]  #: the number of all findings by rule
    verification: Verification


@dataclass(frozen=True)
class Validation:
    """The result of checking a file. It is true if the file is valid."""

    file: str
    format: Optional[str]  #: None: unknown
    verdict: Optional[str]  #: "valid", "invalid" or "incomplete"; None: ``fault`` ended the check
    findings: Tuple[Finding, ...]  #: the first of each rule
    totals: Dict[str, int]  #: the number of all findings by rule
    records: int
    records_by_kind: Dict[str, int]
    size: Optional[int]  #: of the file, in bytes
    fault: str  #: why the check ended early: a limit, a missing file, ...

    @property
    def is_valid(self) -> bool:
        return self.verdict == "valid"

    def __bool__(self) -> bool:
        return self.is_valid


@dataclass(frozen=True)
class Format:
    """A file format."""

    name: str
    title: str
    extensions: Tuple[str, ...]
    can_read: bool
    can_write: bool
    is_picture: bool  #: files for viewers, which do not read back as the trace that was written


def make_findings(findings: List[dict]) -> Tuple[Finding, ...]:
    return tuple(Finding(**finding) for finding in findings)


def make_track(track: dict) -> Track:
    track["time_base"] = TimeBase(**track["time_base"])
    for fields in ("fields", "properties"):
        track[fields] = tuple(Field(**field) for field in track[fields])
    return Track(**track)


def make_report(report: dict) -> Report:
    report["losses"] = tuple(Loss(**loss) for loss in report["losses"])
    report["assumptions"] = tuple(Assumption(text) for text in report["assumptions"])
    report["warnings"] = tuple(report["warnings"])
    report["findings"] = make_findings(report["findings"])
    report["verification"] = Verification(**report["verification"])
    return Report(**report)


def make_validation(validation: dict) -> Validation:
    validation["findings"] = make_findings(validation["findings"])
    return Validation(**validation)


def make_kinds(name: str, names: List[str]) -> type:
    """Makes an enumeration of the names of the library, in their order."""
    return IntEnum(name, {text.upper(): value for value, text in enumerate(names)}, module="hwtrace")
