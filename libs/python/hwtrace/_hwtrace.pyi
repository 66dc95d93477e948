"""The extension module. Use the package hwtrace."""

from typing import Any, Dict, List

import numpy as np
from numpy.typing import NDArray

version: str
kinds: List[str]
register_classes: List[str]
operand_roles: List[str]
access_types: List[str]

class Batch:
    """Records of a trace, with the data that they refer to, as read-only arrays. Each array keeps the batch alive."""

    @property
    def records(self) -> NDArray[np.void]:
        """kind, flags, field, track, time, ref, count, value."""
    @property
    def cells(self) -> NDArray[np.uint64]: ...
    @property
    def attributes(self) -> NDArray[np.void]:
        """field, value."""
    @property
    def instructions(self) -> NDArray[np.void]:
        """encoding, target, has_target, size, operands_first, operands_count, accesses_first, accesses_count."""
    @property
    def operands(self) -> NDArray[np.void]:
        """number, register_class, role, value, words_first, words_count."""
    @property
    def accesses(self) -> NDArray[np.void]:
        """address, size, attributes, type, data_first, data_count."""
    @property
    def bytes(self) -> NDArray[np.uint8]: ...
    @property
    def lost_positions(self) -> int: ...
    def __len__(self) -> int: ...

def __getattr__(name: str) -> Any: ...
