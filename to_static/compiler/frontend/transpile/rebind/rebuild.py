"""Makes a function like another one with new code, which refers to the cells of the original."""

from __future__ import annotations
import __future__

import ast
import types
from typing import Any

from to_static.compiler.frontend.transpile.rebind.qualnames import with_names_of
from to_static.core.code_generation import compiled

_FUTURES = sum(getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)


def code_like(
    function: types.FunctionType, body: list[Any], file: str, name: str, class_name: str | None = None, more: tuple[str, ...] = ()
) -> types.CodeType:
    """The code of the function ``name`` that ``body`` defines, compiled inside of one that has the closure's names as parameters.

    ``class_name``: of the class around the function, in which Python mangles its private names. ``more``: names of further
    cells. What is inside of it is called as in ``function``.
    """
    cells = [*function.__code__.co_freevars, *more]
    if getattr(body[0], "type_params", None):  # `def f[T](x: T)`: the function's own T is among the cells
        body[0].type_params = []
    outer_name = class_name or name
    if class_name is not None:
        class_body = ast.parse(f"class {class_name}: pass").body
        class_body[0].body = body  # type: ignore[attr-defined]
        body = class_body
    if outer_name not in cells:  # a function that calls itself finds itself in its globals, not in `_make`
        body = [ast.Global([outer_name]), *body]
    module = ast.parse("def _make(): pass")
    module.body[0].args.args = [ast.arg(cell) for cell in cells]  # type: ignore[attr-defined]
    module.body[0].body = body  # type: ignore[attr-defined]
    ast.fix_missing_locations(module)
    outer = compiled(module, file, function.__code__.co_flags & _FUTURES)
    holder = next(c for c in outer.co_consts if isinstance(c, types.CodeType))
    qualname = f"_make.<locals>.{outer_name}" if outer_name in cells else outer_name
    if class_name is not None:
        holder, qualname = _inner_code(holder, class_name), f"{qualname}.{name}"
    return with_names_of(_inner_code(holder, name), qualname, function)


def _inner_code(code: types.CodeType, name: str) -> types.CodeType:
    return next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)


def function_like(function: types.FunctionType, code: types.CodeType, **more: types.CellType) -> types.FunctionType:
    """Return ``function`` with other code; its cells (and ``more``), globals, defaults, names and attributes are the original's."""
    cells = {**dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)), **more}
    closure = tuple(cells[name] for name in code.co_freevars)
    new_function = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    new_function.__kwdefaults__ = function.__kwdefaults__
    new_function.__qualname__ = function.__qualname__
    new_function.__module__ = function.__module__
    new_function.__doc__ = function.__doc__
    new_function.__annotations__ = function.__annotations__
    new_function.__dict__.update(function.__dict__)
    return new_function
