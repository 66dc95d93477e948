from enum import IntEnum
from os import PathLike
from typing import Any, List, Optional, Sequence, Tuple, Union

from . import record as record
from ._hwtrace import Batch as Batch
from ._table import Column as Column, Table as Table, TableInfo as TableInfo
from ._trace import Trace as Trace
from ._types import (
    Assumption as Assumption, Clock as Clock, Enum as Enum, Error as Error, Field as Field, Finding as Finding,
    Format as Format, Loss as Loss, Report as Report, Scope as Scope, TimeBase as TimeBase, Track as Track,
    Validation as Validation, Verification as Verification,
)
from ._writer import Writer as Writer, WriterEnum as WriterEnum, WriterTrack as WriterTrack

_Path = Union[str, bytes, "PathLike[str]", "PathLike[bytes]"]
_Elf = Union[_Path, Sequence[Union[_Path, Tuple[_Path, int]]]]
_Count = Union[int, str]

__version__: str

class Kind(IntEnum):
    EVENT = 0
    SET = 1
    CLEAR = 2
    ADD = 3
    CHANGE = 4
    INTERVAL = 5
    RELATION = 6
    INSTRUCTION = 7
    NOTE = 8
    NATIVE = 9

class RegisterClass(IntEnum):
    X = 0
    F = 1
    V = 2
    CSR = 3

class OperandRole(IntEnum):
    STATE = 0
    SOURCE = 1
    DESTINATION = 2

class AccessType(IntEnum):
    INVALID = 0
    READ = 1
    WRITE = 2

def open(path: _Path, *, format: Optional[str] = None, range: Optional[str] = None, last: Optional[_Count] = None,
         select: Union[str, Sequence[str], None] = None, clock: Optional[str] = None, threads: Optional[int] = None,
         max_findings: int = 20, no_limits: bool = False, elf: Optional[_Elf] = None) -> Trace: ...
def convert(source: _Path, target: _Path, *, from_format: Optional[str] = None, to_format: Optional[str] = None,
            range: Optional[str] = None, last: Optional[_Count] = None, select: Union[str, Sequence[str], None] = None,
            clock: Optional[str] = None, ipc: Union[int, str, None] = None, verify: bool = False, strict: bool = False,
            force: bool = False, threads: Optional[int] = None, max_findings: int = 20, no_limits: bool = False,
            elf: Optional[_Elf] = None, **format_options: Any) -> Report: ...
def validate(path: _Path, *, format: Optional[str] = None, level: str = "full", threads: Optional[int] = None,
             max_findings: int = 20, no_limits: bool = False) -> Validation: ...
def create(path: _Path, *, to_format: Optional[str] = None, clock: Optional[str] = None, ipc: Union[int, str, None] = None,
           strict: bool = False, force: bool = False, threads: Optional[int] = None, time_ordered: bool = False,
           **format_options: Any) -> Writer: ...
def formats() -> List[Format]: ...
