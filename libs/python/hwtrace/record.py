"""Records transactions with attributes, events and relations: FTR, transaction logs, or another format.

    with hwtrace.record.open("bus.ftr", unit="ns", now=lambda: get_sim_time("ns")) as db:
        reads = db.stream("bus").generator("read")
        tx = reads.begin(addr=0x1000)            # now; reads.begin(1200, addr=0x1000) states the time
        tx.end(resp="OKAY")
        db.relate("follows", earlier, tx)

Attributes are Python values: bool, int (of 64 bits), float, str, bytes, members of ``enum.Enum``, vectors of cocotb,
numbers of numpy. Dicts, lists and data classes become one attribute per part: ``address.row``, ``data[0]``. None is left
out. Times are integers in the database's unit.

Misuse, such as a second end of a transaction, raises nothing in a running simulation: it is counted, and warned of.
"""

import os
import warnings
from typing import Callable, Dict, List, Optional

import numpy as np

from . import _hwtrace
from ._types import Error

_EXPONENTS = {"s": 0, "ms": -3, "us": -6, "ns": -9, "ps": -12, "fs": -15, "as": -18}


class _Typed:
    hwtrace_type = ""

    def __init__(self, value):
        self.value = value

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"


class Label(_Typed):
    """The label of an enumeration."""
    hwtrace_type = "label"


class Bits(_Typed):
    """A vector of "0" and "1", most significant bit first."""
    hwtrace_type = "bits"


class Logic(_Typed):
    """A vector of "0", "1", "X" and "Z", most significant bit first."""
    hwtrace_type = "logic"


class Ticks(_Typed):
    """A time in the database's unit."""
    hwtrace_type = "ticks"


class Pointer(_Typed):
    """An address."""
    hwtrace_type = "pointer"


class Signed(_Typed):
    """A signed integer. Other integers are unsigned unless they are negative."""
    hwtrace_type = "signed"


class MisuseWarning(UserWarning):
    """A call that recorded nothing or something else, such as a second end of a transaction."""


class Database:
    """A recording. :func:`open` makes it. Use it in a ``with`` block, or call :meth:`close`.

    The file is completed even if the block is left by an exception, because a failed simulation is worth looking at.
    """

    def __init__(self, path: str, now: Optional[Callable[[], int]], options: dict):
        self._database = _hwtrace.RecordDatabase(path, options)
        self._now = now
        self._path = path

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, type, value, traceback) -> None:
        self.close()

    def stream(self, name: str, kind: str = "") -> "Stream":
        """Creates a stream, such as a bus. Viewers show it as a row."""
        return Stream(self, self._database.stream(name, kind))

    def relate(self, relation: str, source: "Transaction", sink: "Transaction") -> None:
        """Records a relation between two transactions, which may have ended."""
        sink.relate(relation, source)

    def set_recording(self, on: bool) -> None:
        """Switches the recording of new transactions on or off."""
        self._database.set_recording(on)

    def flush(self) -> None:
        """Writes all ended transactions to the disk; with ``growing``, other programs can read them."""
        self._database.flush()
        self._warn()

    def close(self) -> None:
        """Ends open transactions with the attribute ``unfinished``, and completes the file."""
        self._database.close()
        self._warn()

    @property
    def misuses(self) -> Dict[str, int]:
        """How often calls were misused, by kind."""
        return self._database.misuses()

    @property
    def losses(self) -> List[str]:
        """What the format of the file cannot hold, after :meth:`close`."""
        return self._database.losses()

    def _time(self, time: Optional[int]) -> Optional[int]:
        if time is None:
            if self._now is None:
                return None
            time = self._now()
        elif isinstance(time, (float, np.floating)) and not float(time).is_integer():
            raise Error(f"time {time}: times are integers in the unit of the database", "usage")
        try:
            ticks = None if isinstance(time, (str, bytes)) else int(time)
        except (OverflowError, TypeError, ValueError):
            ticks = None
        if ticks is None or not 0 <= ticks < 2**64:
            raise Error(f"time {time!r}: times are integers from 0 to 2^64 - 1 in the unit of the database", "usage")
        return ticks

    def _warn(self) -> None:
        if self._database.has_misuses():
            for misuse, transaction, generator, what in self._database.take_misuses():
                where = f"transaction {transaction} of {generator}" if transaction else "a call"
                name = f" ({what})" if what else ""
                warnings.warn(f"{self._path}: {misuse}: {where}{name}", MisuseWarning, stacklevel=3)


class Stream:
    """A stream of transactions. :meth:`Database.stream` makes it."""

    def __init__(self, database: Database, stream):
        self._database, self._stream = database, stream

    def generator(self, name: str, *, begin_name: str = "", end_name: str = "", events: bool = False) -> "Generator":
        """Creates a generator: a kind of transactions.

        :param begin_name: a prefix of the attributes at the begin: "request" makes ``request.addr`` of ``addr``
        :param end_name: the same of the attributes at the end
        :param events: its transactions can have events
        """
        return Generator(self._database, self._stream.generator(name, begin_name, end_name, events))

    def set_recording(self, on: bool) -> None:
        self._stream.set_recording(on)


class Generator:
    """Begins transactions of one kind. :meth:`Stream.generator` makes it."""

    def __init__(self, database: Database, generator):
        self._database, self._generator = database, generator

    def begin(self, time: Optional[int] = None, attributes: Optional[dict] = None, /, **more) -> "Transaction":
        """Begins a transaction at ``time``, or now. ``attributes`` is for names that are no identifiers of Python."""
        transaction = self._generator.begin(self._database._time(time), {**(attributes or {}), **more})
        self._database._warn()
        return Transaction(self._database, transaction)

    def set_recording(self, on: bool) -> None:
        self._generator.set_recording(on)


class Transaction:
    """One transaction. :meth:`Generator.begin` makes it. The end of a ``with`` block ends it now."""

    def __init__(self, database: Database, transaction):
        self._database, self._transaction = database, transaction

    def __enter__(self) -> "Transaction":
        return self

    def __exit__(self, type, value, traceback) -> None:
        if self.is_open:
            self.end()

    @property
    def id(self) -> int:
        """The id in the file, from 1; 0 if the transaction is not recorded."""
        return self._transaction.id

    @property
    def is_open(self) -> bool:
        return self._transaction.is_open

    def record(self, attributes: Optional[dict] = None, /, **more) -> "Transaction":
        """Records attributes while the transaction lasts."""
        self._transaction.record({**(attributes or {}), **more})
        self._database._warn()
        return self

    def event(self, name: str, time: Optional[int] = None, attributes: Optional[dict] = None, /, **more) -> "Transaction":
        """Records an event inside the transaction; its generator needs ``events=True``."""
        self._transaction.event(name, self._database._time(time), {**(attributes or {}), **more})
        self._database._warn()
        return self

    def relate(self, relation: str, source: "Transaction") -> "Transaction":
        """Records a relation from ``source`` to this transaction."""
        self._transaction.relate(relation, source._transaction)
        self._database._warn()
        return self

    def end(self, time: Optional[int] = None, attributes: Optional[dict] = None, /, **more) -> None:
        """Ends the transaction at ``time``, or now."""
        self._transaction.end(self._database._time(time), {**(attributes or {}), **more})
        self._database._warn()


def open(path, *, unit: str = "ps", now: Optional[Callable[[], int]] = None, format: Optional[str] = None,
         growing: bool = False, flush_every: int = 0, force: bool = True, epoch: Optional[int] = None,
         **format_options) -> Database:
    """Opens a recording; the extension names the format: .ftr, .txlog, .uscope, ...

    :param unit: the unit of times: "s", "ms", "us", "ns", "ps", "fs" or "as"
    :param now: returns the current time, for calls that state none; None: the latest time that a call has stated
    :param growing: the file has its name from the start, so that a crash leaves what was flushed (FTR, jsonl)
    :param flush_every: with ``growing``, flushes after so many ended transactions; 0: never
    :param force: replaces a file that exists
    :param epoch: the time of creation in seconds since 1970, for formats that store it
    """
    if unit not in _EXPONENTS:
        raise Error(f"unit={unit}: takes {', '.join(_EXPONENTS)}", "usage")
    options = dict(exponent=_EXPONENTS[unit], format=format, growing=growing, flush_every=flush_every, force=force,
                   epoch=epoch, format_options=format_options)
    return Database(os.fsdecode(path), now, options)
