"""Predictions for many rows: `predict` over files, and `BatchPredictor` for ``map_batches`` of Ray Data and others.

Paddle has a function of this name, ``paddle.batch(reader, batch_size)``: the module can be called as that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from to_static.core.importing.lazy_module import attach
from to_static.io import readers

__getattr__, __dir__, __all__ = attach(
    __name__, {"to_static.batch.job": "JobReport predict", "to_static.batch.row_model": "BatchPredictor"}
)


class _CallableModule(ModuleType):
    """This module, which is Paddle's function, too."""

    def __call__(
        self, reader: Callable[[], Any], batch_size: int, drop_last: bool = False
    ) -> Callable[[], Iterator[list[Any]]]:
        """See `to_static.io.readers.batch`."""
        return readers.batch(reader, batch_size, drop_last)


sys.modules[__name__].__class__ = _CallableModule
