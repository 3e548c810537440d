"""The vocabulary: operator families, one module each.

Importing this package registers the operators that nearly every program uses; the tables of `to_static.ir.registry` load all
others when one of them is asked for. A new module needs no entry here; `homes.py` knows where names are.
"""

import importlib

from to_static.ir import registry
from to_static.ops import compare, control, create, elementwise, extremes, power, python, reduce, unary  # noqa: F401
from to_static.ops.homes import HOMES


def _load() -> None:
    import pkgutil  # only where all are loaded: it costs start-up time

    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"to_static.ops.{module.name}")


registry.set_loader(_load, {f"{__name__}.{module}": names for module, names in HOMES.items()})
