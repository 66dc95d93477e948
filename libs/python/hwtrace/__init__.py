"""Reads, writes, converts and validates hardware traces.

    import hwtrace

    trace = hwtrace.open("core.zstf", range="1000#:2000#")
    for batch in trace:
        print(batch.records["value"])            # a numpy array: the pc of each instruction

    report = hwtrace.convert("core.zstf", "core.uscope")
    validation = hwtrace.validate("soc.ftr")

``hwtrace.record`` records transactions, and ``hwtrace.create`` writes arrays as a trace.
"""

import os

from . import _hwtrace, record
from ._hwtrace import Batch
from ._table import Column, Table, TableInfo
from ._trace import Trace, elf_files, open
from ._types import (Assumption, Clock, Enum, Error, Field, Finding, Format, Loss, Report, Scope, TimeBase, Track,
                     Validation, Verification, make_kinds, make_report, make_validation)
from ._writer import Writer, create

for _type in (Assumption, Clock, Column, Enum, Error, Field, Finding, Format, Loss, Report, Scope, Table, TableInfo, TimeBase,
              Trace, Track, Validation, Verification, Writer):
    _type.__module__ = "hwtrace"  # where users find them

__version__ = _hwtrace.version

#: The kinds of records.
Kind = make_kinds("Kind", _hwtrace.kinds)
#: The register files of a hart, in ``Batch.operands["register_class"]``.
RegisterClass = make_kinds("RegisterClass", _hwtrace.register_classes)
#: The roles of register values, in ``Batch.operands["role"]``.
OperandRole = make_kinds("OperandRole", _hwtrace.operand_roles)
#: The directions of memory accesses, in ``Batch.accesses["type"]``.
AccessType = make_kinds("AccessType", _hwtrace.access_types)


def convert(source, target, *, from_format=None, to_format=None, range=None, last=None, select=None, clock=None,
            ipc=None, verify=False, strict=False, force=False, threads=None, max_findings=20, no_limits=False,
            elf=None, **format_options) -> Report:
    """Converts a trace; the extension of ``target`` names its format. The target is written atomically.

    :param from_format: the format of the source, if its content does not decide
    :param to_format: the format of the target, if its extension does not decide
    :param range: see :func:`open`, as ``last``, ``select``, ``clock``, ``threads`` and ``elf``
    :param ipc: instructions per cycle of a trace without time: 2, "3/4"
    :param verify: reads the target back and compares it with the source; see ``Report.verification``
    :param strict: writes nothing if data would be lost or is missing
    :param force: replaces a target that exists
    :param format_options: options of the target's format, with "_" in the place of "-": ``pccx_encoding="json"``
    """
    options = dict(from_format=from_format, to_format=to_format, range=range, last=last, select=select, clock=clock,
                   ipc=ipc, verify=verify, strict=strict, force=force, threads=threads, max_findings=max_findings,
                   no_limits=no_limits, elf=elf_files(elf), format_options=format_options)
    return make_report(_hwtrace.convert(os.fsdecode(source), os.fsdecode(target), options))


def validate(path, *, format=None, level="full", threads=None, max_findings=20, no_limits=False) -> Validation:
    """Checks a file against the rules of its format. Every problem is in the result, even a missing file.

    :param level: "quick", "structure", "full" or "semantic"; each includes those before it
    """
    options = dict(format=format, level=level, threads=threads, max_findings=max_findings, no_limits=no_limits)
    return make_validation(_hwtrace.validate(os.fsdecode(path), options))


def formats() -> list:
    """Returns the formats that are known."""
    return [Format(**{**format, "extensions": tuple(format["extensions"])}) for format in _hwtrace.formats()]


__all__ = ["AccessType", "Assumption", "Batch", "Clock", "Column", "Enum", "Error", "Field", "Finding", "Format", "Kind",
           "Loss", "OperandRole", "RegisterClass", "Report", "Scope", "Table", "TableInfo", "TimeBase", "Trace", "Track",
           "Validation", "Verification", "Writer", "convert", "create", "formats", "open", "record", "validate"]
