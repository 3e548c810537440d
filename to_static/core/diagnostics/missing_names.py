"""The error for a name that is not there: it says whether PaddlePaddle has it, or what it is called here.

Nothing of this is looked up before somebody reads the message, so that `hasattr` stays cheap.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from to_static.core.importing.paddle_module_aliases import ROOT, inner_module

if TYPE_CHECKING:
    from types import FrameType

# where a name is looked for that was asked of another module or of a tensor, the likeliest first
_ELSEWHERE = ("paddle", "nn.functional", "nn", "optimizer", "optimizer.lr", "linalg", "static", "io", "metric", "vision.transforms")


class MissingName(AttributeError):
    """An AttributeError whose text is made when it is read."""

    def __init__(self, *args: object, tell: Callable[[], str] | None = None) -> None:
        super().__init__(*args)
        self._tell = tell

    @property
    def args(self) -> tuple[Any, ...]:  # type: ignore[override]
        """The text, as in any AttributeError."""
        if self._tell is not None:
            self._text, self._tell = (self._tell(),), None
        return getattr(self, "_text", None) or super().args

    def __str__(self) -> str:
        return str(self.args[0]) if len(self.args) == 1 else super().__str__()

    def __repr__(self) -> str:
        return repr(AttributeError(*self.args))

    def __reduce__(self) -> tuple[type[AttributeError], tuple[Any, ...]]:
        return AttributeError, self.args


MissingName.__name__ = MissingName.__qualname__ = "AttributeError"  # what users read
MissingName.__module__ = "builtins"


def names_missing(module: str) -> Callable[[str], Any]:
    """A ``__getattr__`` for a module that has no further names but Paddle's inner modules: else the error of `of_module`.

    Example:
        >>> __getattr__ = names_missing(__name__)
    """

    def __getattr__(name: str) -> Any:
        value = inner_module(module, name)
        if value is None:
            raise of_module(module, name)
        return value

    return __getattr__


def of_module(module: str, name: str) -> Exception:
    """The error for a name that a module does not have: an ImportError for ``from module import name``, else an AttributeError.

    To be called by the module's ``__getattr__`` itself: the frame above that one tells which.
    """
    message = f"module {module!r} has no attribute {name!r}"
    if name.startswith("_"):
        return AttributeError(message)
    scope = module.removeprefix(ROOT).lstrip(".") or "paddle"
    existing_names = [n for n in dir(sys.modules[module]) if not n.startswith("_")]
    if _is_import(sys._getframe(2)):
        file = getattr(sys.modules[module], "__file__", None)
        text = f"cannot import name {name!r} from {module!r}{_advice(scope, name, existing_names)}"
        return ImportError(text, name=module, path=file)
    return MissingName(tell=lambda: message + _advice(scope, name, existing_names))


def of_object(class_name: str, value: object, name: str) -> AttributeError:
    """The AttributeError for an attribute that an object of this class ('Tensor', 'Layer', 'Optimizer', ...) does not have."""
    type_name = type(value).__name__
    message = f"{type_name!r} object has no attribute {name!r}"
    if name.startswith("_"):
        return AttributeError(message)
    return MissingName(tell=lambda: message + _advice(class_name, name, [n for n in dir(value) if not n.startswith("_")]))


def _is_import(frame: FrameType) -> bool:
    """Return whether a frame is at ``from module import name``."""
    from to_static.core.diagnostics.bytecode_positions import instruction  # only for errors: it costs start-up time

    return instruction(frame.f_code, frame.f_lasti)[0] == "IMPORT_FROM"


def _advice(scope: str, name: str, existing_names: list[str]) -> str:
    """': did you mean ...?' or the like; '' where nothing is known."""
    from to_static.core.diagnostics.framework_aliases import MODULE, OBJECT
    from to_static.core.diagnostics.paddle_names import NAMES

    is_module = scope not in OBJECT and scope != "Program"
    paddles = NAMES.get(scope, frozenset())
    lacks = "PaddlePaddle 2.6 has {}, to_static does not yet"
    if name in paddles:
        qualified_name = f"{scope}.{name}" if not is_module else _full(scope, name)
        return f": {lacks.format(qualified_name)}"
    spelled = (MODULE if is_module else OBJECT).get(scope, {}).get(name)
    if spelled is not None:
        replacement = spelled if "`" in spelled else f"`{spelled}`"
        return f": did you mean {spelled}?" if spelled.isidentifier() else f": write {replacement}"
    for namespace in _ELSEWHERE:
        if namespace != scope and name in NAMES[namespace] and (is_module or namespace in ("paddle", "nn.functional", "linalg")):
            return f": did you mean {_full(namespace, name)}{'' if is_module else '(x)'}?"
    same = [n for n in (*existing_names, *sorted(paddles)) if n.lower() == name.lower()]
    if same and same[0] in existing_names:
        return f": did you mean {same[0]}?"
    if same:
        return f": did you mean {same[0]}? {lacks.format('it')}"
    return _close(name, existing_names, paddles)


def _close(name: str, existing_names: Iterable[str], paddles: Iterable[str]) -> str:
    import difflib  # only for errors: it costs start-up time

    matches = difflib.get_close_matches(name, [*existing_names, *paddles], 1, 0.75)
    if not matches:
        return ""
    absent = "" if matches[0] in existing_names else " PaddlePaddle 2.6 has it, to_static does not yet"
    return f": did you mean {matches[0]}?{absent}"


def _full(scope: str, name: str) -> str:
    return f"paddle.{name}" if scope == "paddle" else f"paddle.{scope}.{name}"
