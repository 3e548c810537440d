"""Module paths of former releases that documents named: they lead to where the modules are now, with a DeprecationWarning.

They go with the release after 0.1.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
import types
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

ROOT = "to_static"
MOVED = {
    "ir.opdef": "compiler.ir.opdef",
    "ir.parser": "compiler.ir.parser",
    "passes.pipeline": "compiler.passes.pipeline",
    "runtime.interpret": "compiler.runtime.interpret",
    "runtime.plan": "compiler.runtime.plan",
}
ROOMS = frozenset(name.partition(".")[0] for name in MOVED)


class _Loader:
    """Puts the module that is there now under its former name."""

    def create_module(self, spec: ModuleSpec) -> None:
        """Nothing: Python's own empty module, which goes again, or stays as the package of a room."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Register the present module in ``sys.modules`` under the former name."""
        name = module.__name__.removeprefix(f"{ROOT}.")
        if name not in ROOMS:
            warnings.warn(f"{module.__name__} is {ROOT}.{MOVED[name]} now", DeprecationWarning, stacklevel=2)
            sys.modules[module.__name__] = importlib.import_module(f"{ROOT}.{MOVED[name]}")


class _MovedModules:
    """The last finder of Python's: nobody waits for it unless no module of the name is there."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        """The spec of a module that has moved, or None."""
        root, _, subpath = name.partition(".")
        if root != ROOT or (subpath not in MOVED and subpath not in ROOMS):
            return None
        loader: Any = _Loader()
        return importlib.machinery.ModuleSpec(name, loader, is_package=subpath in ROOMS)


def install() -> None:
    """Add the finder of moved modules as the last one."""
    finder: Any = _MovedModules()
    sys.meta_path.append(finder)
