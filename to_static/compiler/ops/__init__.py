"""The operators: one module per family, in folders of related families.

Importing this package registers the operators that nearly every program uses; the tables of `to_static.compiler.ir.registry` import
the others on first use. A new module needs no entry here; `op_index.py` has the modules of names.
"""

import importlib

from to_static.compiler.ir import registry
from to_static.compiler.ops import python_scalar  # noqa: F401
from to_static.compiler.ops.control import control  # noqa: F401
from to_static.compiler.ops.op_index import HOMES
from to_static.compiler.ops.pointwise import compare, elementwise, min_max, power, unary  # noqa: F401
from to_static.compiler.ops.reductions import reduce  # noqa: F401
from to_static.compiler.ops.shapes import create  # noqa: F401


def _load() -> None:
    import pkgutil  # only where all are loaded: it costs start-up time

    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        importlib.import_module(module.name)


registry.set_loader(_load, {f"{__name__}.{module}": names for module, names in HOMES.items()})
