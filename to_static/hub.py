"""Models of a folder that has a ``hubconf.py`` (Paddle's ``paddle.hub``).

The functions of that file that begin with no underscore are entry points: each makes a model. Its list ``dependencies`` names
modules that must be there.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import types
from typing import Any

from to_static.core.diagnostics.missing_names import names_missing

__all__ = ["help", "list", "load"]

_CONFIG = "hubconf.py"
_SOURCES = ("github", "gitee", "local")


def _module(repo_dir: str, source: str) -> types.ModuleType:
    """The module that ``hubconf.py`` is, run anew."""
    if source not in _SOURCES:
        raise ValueError(f'hub: unknown source "{source}"; allowed: {", ".join(_SOURCES)}')
    if source != "local":
        raise RuntimeError(f"hub: {source} is not asked: get {repo_dir!r} yourself, and give its folder with source='local'")
    path = os.path.join(os.path.expanduser(repo_dir), _CONFIG)
    if not os.path.isfile(path):
        raise FileNotFoundError(f"hub: there is no file {path!r}")
    folder = os.path.dirname(os.path.abspath(path))
    spec = importlib.util.spec_from_file_location("hubconf", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, folder)  # it may import what lies beside it
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(folder)
    missing = [name for name in getattr(module, "dependencies", ()) if importlib.util.find_spec(name) is None]
    if missing:
        raise RuntimeError(f"hub: {path} needs modules that are not there: {', '.join(missing)}")
    return module


def _entry(repo_dir: str, model: str, source: str) -> Any:
    if not isinstance(model, str):
        raise ValueError(f"hub: expected the name of an entry point, got {model!r}")
    entry = getattr(_module(repo_dir, source), model, None)
    if not callable(entry):
        raise RuntimeError(f"hub: there is no entry point {model!r} in {_CONFIG} of {repo_dir!r}")
    return entry


def _names(repo_dir: str, source: str) -> Any:
    module = _module(repo_dir, source)
    return [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]


def list(repo_dir: str, source: str = "github", force_reload: bool = False) -> Any:
    """The names of the entry points of a folder.

    ``source``: 'local'; 'github' and 'gitee' are refused (RuntimeError): this package fetches nothing. ``force_reload`` is of no
    use then. Raises FileNotFoundError, and RuntimeError for dependencies that are not there.
    ``repo_dir``: the folder, with a ``hubconf.py``.

    Example:
        >>> paddle.hub.list('my_models', source='local')
    """
    return _names(repo_dir, source)


def help(repo_dir: str, model: str, source: str = "github", force_reload: bool = False) -> Any:
    """The docstring of an entry point; see `list`.

    ``repo_dir``: the folder; ``model``: the entry point; ``source``, ``force_reload``: as there.

    Example:
        >>> paddle.hub.help('my_models', 'MM', source='local')
    """
    return _entry(repo_dir, model, source).__doc__


def load(repo_dir: str, model: str, source: str = "github", force_reload: bool = False, **kwargs: Any) -> Any:
    """Call an entry point with the further arguments, and return its result; see `list`.

    Example:
        >>> net = paddle.hub.load('my_models', 'MM', source='local', out_channels=8)
    """
    return _entry(repo_dir, model, source)(**kwargs)


__getattr__ = names_missing(__name__)
