"""`install_as_paddle`: programs that say ``import paddle`` run as they are."""

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import importlib.util
import sys
import types
from typing import TYPE_CHECKING, Any

from to_static.core.errors import ToStaticError
from to_static.core.importing.moved_modules import ROOMS
from to_static.core.importing.paddle_module_aliases import ROOT, AliasModule, has_inner_modules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

NAME = "paddle"
_NOT_OF_PADDLE = {f"{NAME}.compiler", *(f"{NAME}.{room}" for room in ROOMS)}
_BUILD_TOOLS = ("pip", "distutils")  # imported before setuptools, each makes a later import of setuptools fail
_HIDDEN = ("amp.auto_cast", "distributed.communication.reduce")  # modules of Paddle that have the name of a function beside them


class _Loader:
    """Puts the module that is there already, or is imported now, in the place of the empty one that Python made."""

    def __init__(self, module: types.ModuleType | str) -> None:
        self._module = module

    def create_module(self, spec: ModuleSpec) -> None:
        """Nothing: Python's own empty module, which goes again."""

    def get_code(self, name: str) -> Any:
        """The code of our module, for ``python -m``."""
        ours = self._module if isinstance(self._module, str) else self._module.__name__
        spec = importlib.util.find_spec(ours)
        return None if spec is None or spec.loader is None else spec.loader.get_code(ours)  # type: ignore[attr-defined]

    def exec_module(self, module: types.ModuleType) -> None:
        """Register our module in ``sys.modules`` under Paddle's name, too."""
        target = importlib.import_module(self._module) if isinstance(self._module, str) else self._module
        if has_inner_modules(target.__name__) and not hasattr(target, "__path__"):
            target.__path__ = []  # Python asks only packages for the modules inside of them
        sys.modules[module.__name__] = target


class _Finder:
    """Leads ``paddle.nn`` to ``to_static.nn`` and so on, when it is asked for: one copy of each module under both names."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        """The spec of one of Paddle's modules that is here; None for others, so that Python says that there is none."""
        if not name.startswith(f"{NAME}."):
            if name in _BUILD_TOOLS:
                _import_setuptools()
            return None
        if name in _NOT_OF_PADDLE:  # Python would find the folder, and load the compiler a second time
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        module = _module(name)
        if module is None and name == f"{NAME}.fluid":
            words = f"No module named {name!r}: PaddlePaddle 2.5 took it away; its names are in paddle, paddle.nn and paddle.static"
            raise ModuleNotFoundError(words, name=name)
        if module is None:
            return None
        loader: Any = _Loader(module)
        return importlib.machinery.ModuleSpec(name, loader, is_package=_is_package(module))  # `python -m` looks for its __main__


def _is_package(module: types.ModuleType | str) -> bool:
    spec = importlib.util.find_spec(module) if isinstance(module, str) else module.__spec__
    return spec is not None and spec.submodule_search_locations is not None


def _import_setuptools() -> None:
    """Import setuptools, if it is installed, as ``import paddle`` does with PaddlePaddle.

    Packages rely on that: they import pip, which switches setuptools' own distutils off, and setuptools afterwards. Doing it only
    when somebody asks for one of these keeps ``import to_static`` quick.
    """
    if "setuptools" in sys.modules or "pip" in sys.modules:
        return
    with contextlib.suppress(ImportError):  # not installed: then whoever needs it says so
        importlib.import_module("setuptools")


def _module(name: str) -> types.ModuleType | str | None:
    """The module that ``paddle...`` leads to, or the name under which it has to be imported."""
    parent, _, last = name.rpartition(".")
    parent_module = sys.modules[parent]
    ours = f"{parent_module.__name__}.{last}"
    if not isinstance(parent_module, AliasModule) and importlib.util.find_spec(ours) is not None:
        return ours
    member = getattr(parent_module, last, None)
    return member if isinstance(member, types.ModuleType) else None


def install_as_paddle() -> None:
    """Make ``import paddle`` import this package in this process.

    ``import paddle.nn.functional as F``, ``from paddle.nn import Linear``, ``paddle.tensor.math.add`` and the other module paths of
    PaddlePaddle 2.6 find the modules of this package: one copy of each, so that classes are the same under both names. To be called
    before the first ``import paddle``; a second call changes nothing. From then on ``__version__`` is that of the interface,
    `version.full_version`, with which programs compare versions of PaddlePaddle. ``python -m to_static run script.py`` calls it
    first.

    Raises ToStaticError when PaddlePaddle itself is imported already.

    Example:
        >>> import to_static
        >>> to_static.install_as_paddle()
        >>> import paddle
        >>> paddle is to_static
        True
    """
    imported = sys.modules.get(NAME)
    package = sys.modules[ROOT]
    if imported is package:
        return
    if imported is not None:
        origin = getattr(imported, "__file__", None) or "a module made in memory"
        words = f"{NAME} is imported already, from {origin}; call install_as_paddle() before the first `import {NAME}`"
        raise ToStaticError(f"install_as_paddle: {words}")
    finder: Any = _Finder()
    sys.meta_path.insert(0, finder)
    sys.modules[NAME] = package
    for path in _HIDDEN:  # there before anybody imports them, else Python would put them in the place of the functions
        sys.modules[f"{NAME}.{path}"] = sys.modules[f"{ROOT}.{path}"] = AliasModule(f"{ROOT}.{path}")
    vars(package)["__version__"] = package.version.full_version  # programs compare it with versions of PaddlePaddle
