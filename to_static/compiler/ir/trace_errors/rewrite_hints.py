"""Hints for error messages: how to rewrite a call of a library function that needs the value of a traced tensor.

It is imported only when an error is made.
"""

from __future__ import annotations

import ast
import builtins
import copy
import types
from typing import Any

from to_static.compiler.ir.registry import FUNCTIONS
from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.source_expressions import running_expression, users_frame

_MADE = ("zeros", "ones", "empty", "full", "eye", "arange", "linspace")  # of numbers, by paddle and by NumPy
_NAMES = {"array": "to_tensor", "asarray": "to_tensor", "concatenate": "concat", "absolute": "abs", "amax": "max", "amin": "min"}
_PLAIN = ("hex", "bin", "oct", "chr", "bytes", "bytearray", "open", "getattr", "setattr")  # builtins that are called as they are


def library(among: str, is_number: bool, text: str = "", frame: types.FrameType | None = None) -> tuple[str, str] | None:
    """Return the library function that the user's running expression calls, such as ``hex()``, and what to write instead; else
    None.

    ``among``: names of libraries, or '*'; ``is_number``: True if the traced value is a number; ``text`` and ``frame``: those of the
    expression if it is not running any more.
    """
    text, frame = text or running_expression(), frame or users_frame()
    call = _call(text)
    if call is None or frame is None:
        return None
    name, function = ast.unparse(call.func), _value(call.func, frame)
    module = str(getattr(function, "__module__", None) or "").partition(".")[0]
    if isinstance(function, types.FunctionType) and source_location.is_user_file(function.__code__.co_filename):
        return None
    if among != "*" and module not in among.split():
        return None
    if module == "numpy":
        instead = _of_numpy(call, is_number)
        return None if instead is None else ("NumPy", instead)
    if module == "random":
        return f"{name}()", "`paddle.rand([1])`, `(paddle.rand([1]) * n).floor()` for numbers below n; or draw outside"
    if module in ("", "to_static") or (module == "builtins" and name not in _PLAIN):
        return None
    if name in ("getattr", "setattr"):
        return f"{name}()", "the names written out: `y = obj.a if n == 1 else obj.b`"
    return f"{name}()", f"return what it needs, and call `{name}` on the result, outside of the static function"


def _call(text: str) -> ast.Call | None:
    """The call that a text is; of one that was cut, without its arguments."""
    if text.endswith("..."):
        text = f"{text.partition('(')[0]}()"
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    return node if isinstance(node, ast.Call) else None


def _value(node: ast.expr, frame: types.FrameType) -> Any:
    """The object behind ``json.dumps``: a name, or an attribute of a module or class; None for anything else."""
    if isinstance(node, ast.Name):
        for names in (frame.f_locals, frame.f_globals, vars(builtins)):
            if node.id in names:
                return names[node.id]
    if isinstance(node, ast.Attribute):
        owner = _value(node.value, frame)
        return getattr(owner, node.attr, None) if isinstance(owner, (types.ModuleType, type)) else None
    return None


def _of_numpy(call: ast.Call, is_number: bool) -> str | None:
    """``paddle.where(x > 2)`` for ``np.where(x > 2)``, where paddle has such a function."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if not is_number and call.args and name.startswith(("float", "int", "uint", "bool")):
        return f"`{_operand(call.args[0])}.astype('{name.rstrip('_')}')`"
    name = _NAMES.get(name, name)
    if name not in _MADE and (is_number or name not in FUNCTIONS):
        return None
    rewritten = copy.deepcopy(call)
    rewritten.func = ast.Attribute(ast.Name("paddle", ast.Load()), name, ast.Load())
    return f"`{ast.unparse(rewritten)}`, or another function of paddle"


def _operand(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)) else f"({text})"
