"""``python -m paddle.distributed.launch --nproc_per_node 2 train.py``: see `to_static.distributed.launching.launch`.

``paddle.distributed.launch()`` is a function, too: the module can be called as that.
"""

from __future__ import annotations

import sys
from types import ModuleType

from to_static.distributed import launching


class _CallableModule(ModuleType):
    """This module, which is Paddle's function, too."""

    def __call__(self) -> None:
        """See `to_static.distributed.launching.launch`."""
        launching.launch()


sys.modules[__name__].__class__ = _CallableModule
