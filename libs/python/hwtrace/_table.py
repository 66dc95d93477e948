"""Tables: a track as columns of numpy or pandas."""

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple, Union

import numpy as np

from . import _hwtrace
from ._types import Error

_INTEGERS = {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "pointer": np.uint64,
             "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "time": np.int64}


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    type: str  #: as of Field.type; "i64" for ticks, "f64" for times in ns
    is_nullable: bool  #: a row may lack a value
    is_repeated: bool  #: a row has any number of values
    labels: Optional[Dict[int, str]]  #: the labels of an enum
    field: Optional[int]  #: the index in Track.fields
    phase: Optional[str]  #: "begin", "record" or "end", in which an attribute of an interval was recorded


@dataclass(frozen=True)
class TableInfo:
    """The description of a table."""

    name: str
    path: str  #: scope and name
    row: str  #: what a row stands for: "event", "interval", "instruction", "change", "occupancy", ...
    track_id: int
    columns: Tuple[Column, ...]


def make_info(table: dict) -> TableInfo:
    return TableInfo(**{**table, "columns": tuple(Column(**column) for column in table["columns"])})


def _numbers(type: str, cells: np.ndarray) -> np.ndarray:
    """Returns cells of 64 bits as values of a type."""
    if type in ("f64", "fixed", "ufixed"):
        return cells.view(np.float64)
    if type == "f32":
        return cells.astype(np.uint32).view(np.float32)
    if type == "bool":
        return cells != 0
    target = _INTEGERS[type]
    if np.issubdtype(target, np.signedinteger):
        cells = cells.view(np.int64)
    return cells.astype(target, copy=False)


def _objects(values: list) -> np.ndarray:
    array = np.empty(len(values), object)
    array[:] = values
    return array


class Table(dict):
    """The rows of a track: a dict of numpy arrays, one per column. ``Trace.table`` makes it.

    =============================  ===========================================================================
    column                         array
    =============================  ===========================================================================
    numbers, times, ``bool``       of the same type: u64 stays uint64; read-only
    the same, with missing values  ``numpy.ma.MaskedArray``
    texts, labels of enums         objects: str, None if missing; a number that has no label stays a number
    bytes                          objects: bytes
    several values in a row        objects: a numpy array per row
    =============================  ===========================================================================
    """

    def __init__(self, data: "_hwtrace.TableData"):
        super().__init__()
        self._data = data
        self.info = make_info(data.table())
        self.columns: Tuple[Column, ...] = tuple(Column(**data.column(at)) for at in range(data.columns()))
        self.rows: int = data.rows  #: the number of rows
        #: The number of values without a place: all but the last one of an attribute that an interval states more than
        #: once.
        self.left_out: int = data.left_out
        for at, column in enumerate(self.columns):
            self[column.name] = self._array(at, column)
        del self._data  # arrays that are views keep it

    def __repr__(self) -> str:
        return f"<hwtrace.Table {self.info.name!r}: {self.rows} rows of {', '.join(self)}>"

    def _array(self, at: int, column: Column) -> np.ndarray:
        present = self._data.present(at) if column.is_nullable else None
        if self._data.has_own_text(at):
            values = _objects(self._data.own_texts(at))
            return values if present is None else np.where(present, values, None)
        values = self._values(column, self._data.cells(at), present if not column.is_repeated else None)
        if column.is_repeated:
            ends = self._data.ends(at).tolist()
            return _objects([values[begin:end] for begin, end in zip([0] + ends, ends)])
        if present is None or values.dtype == object:
            return values
        return np.ma.MaskedArray(values, mask=~present)

    def _values(self, column: Column, cells: np.ndarray, present: Optional[np.ndarray]) -> np.ndarray:
        if column.type in _INTEGERS or column.type in ("f32", "f64", "fixed", "ufixed", "bool"):
            return _numbers(column.type, cells)
        # Texts and labels: most repeat, so each is looked up once.
        distinct, places = np.unique(cells if present is None else cells[present], return_inverse=True)
        if column.type == "enum":
            labels = column.labels or {}
            texts = _objects([labels.get(value, value) for value in distinct.tolist()])
        else:
            texts = _objects(self._data.texts(distinct, column.type == "blob"))
        if present is None:
            return texts[places] if len(texts) else np.empty(0, object)
        values = np.full(len(cells), None, object)
        if len(texts):
            values[present] = texts[places]
        return values

    def to_pandas(self):
        """Returns a ``pandas.DataFrame``. Missing numbers use the nullable types of pandas; texts and labels become
        categories; u64 stays UInt64 or uint64."""
        import pandas

        frame = {}
        for column in self.columns:
            values = self[column.name]
            if isinstance(values, np.ma.MaskedArray):
                mask = np.ma.getmaskarray(values)
                kind = (pandas.arrays.BooleanArray if values.dtype == bool
                        else pandas.arrays.FloatingArray if values.dtype.kind == "f" else pandas.arrays.IntegerArray)
                frame[column.name] = kind(values.data.copy(), mask.copy())
            elif column.type in ("text", "label", "enum") and not column.is_repeated:
                frame[column.name] = pandas.Categorical(values)
            else:
                frame[column.name] = values
        return pandas.DataFrame(frame)


def read_table(path: str, options: dict, table: Union[str, TableInfo], columns: Optional[List[str]]) -> Table:
    if isinstance(columns, str):
        raise Error(f"columns: takes a list of names, such as [{columns!r}]", "usage")
    name = table.name if isinstance(table, TableInfo) else table  # the name is unique, but the path may not be
    return Table(_hwtrace.table(path, options, name, columns))


def list_tables(path: str, options: dict) -> List[TableInfo]:
    return [make_info(table) for table in _hwtrace.tables(path, options)]
