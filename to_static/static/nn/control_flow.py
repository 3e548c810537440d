"""Branches and loops written as calls: `cond`, `while_loop`, `case`, `switch_case`.

In dynamic mode they are Python's `if` and `while`. In a Program they become operators; functions that `to_static` translates
can use plain `if` and `while` instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.program import Block
from to_static.compiler.ir.spec import join
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions
from to_static.compiler.runtime.interpret import run_block
from to_static.core import backend, tree
from to_static.core.errors import ProgramError
from to_static.core.importing.paddle_module_aliases import names_around


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
    return_names: Any = None,
) -> Any:
    """The result of ``true_fn()`` when ``pred`` (a boolean of one element) is true, else that of ``false_fn()``.

    Both return the same structure of tensors, numbers and None (a function left out returns None); tensors that pair up agree
    in rank and dtype, unless ``pred`` depends on constants alone, so that one of the branches never runs. Raises ProgramError or
    ShapeError when they don't.
    ``return_names``: accepted, without an effect.

    Example:
        >>> y = paddle.static.nn.cond(x.sum() > 0, lambda: x * 2, lambda: -x)
    """
    for function, label in ((true_fn, "true_fn"), (false_fn, "false_fn")):
        if function is not None and not callable(function):
            raise TypeError(f"cond: {label} must be callable, got {type(function).__name__}")
    true_fn, false_fn = true_fn or _nothing, false_fn or _nothing
    if not isinstance(pred, Variable):
        return true_fn() if bool(pred) else false_fn()
    builder = mode.current()
    branches = [builder.trace_block(true_fn), builder.trace_block(false_fn)]
    (left, left_recipe), (right, right_recipe) = (tree.flatten(branch.value) for branch in branches)
    if left_recipe != right_recipe:
        raise ProgramError("cond: true_fn and false_fn must return the same structure (lengths, keys and kinds)")
    paired = [i for i, (a, b) in enumerate(zip(left, right, strict=True)) if not _same(a, b)]
    for i in paired:
        if left[i] is None or right[i] is None:
            raise ProgramError("cond: one branch returns a tensor where the other returns None")
    results = []
    for branch, leaves in zip(branches, (left, right), strict=True):
        with builder.resume(branch):
            results.append([_tensor(leaves[i]) for i in paired])
    if any(join(a.spec, b.spec) is None for a, b in zip(*results, strict=True)):
        constant = _constant_bool(pred)
        if constant is not None:  # one branch never runs
            return true_fn() if constant else false_fn()
    for i, value in zip(paired, builder.emit_cond(pred, *branches, *results), strict=True):
        left[i] = value
    return tree.unflatten(left_recipe, left)


def while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, is_test: bool = False, name: str | None = None
) -> list[Any]:
    """Repeat ``loop_vars = body(*loop_vars)`` while ``cond(*loop_vars)`` (a boolean of one element) is true; returns them.

    ``loop_vars``: a non-empty list or tuple of tensors, numbers or structures of them; ``body`` returns as many. Raises
    TypeError or ValueError for other arguments, ProgramError when ``body`` changes the structure, ShapeError when it changes a
    rank or dtype.
    ``is_test``: accepted, without an effect.

    Example:
        >>> i, total = paddle.zeros([1], 'int64'), paddle.zeros([1], 'int64')
        >>> i, total = paddle.static.nn.while_loop(lambda i, t: i < 10, lambda i, t: [i + 1, t + i], [i, total])
    """
    if not callable(cond) or not callable(body):
        raise TypeError("while_loop: cond and body must be callable")
    if not isinstance(loop_vars, (list, tuple)):
        raise TypeError(f"while_loop: loop_vars must be a list or tuple, got {type(loop_vars).__name__}")
    if not loop_vars:
        raise ValueError("while_loop: loop_vars must not be empty")
    values = list(loop_vars)
    builder = mode.current()
    if not builder.building:
        while bool(cond(*values)):
            values = _listed(body(*values), len(values))
        return values
    leaves, recipe = tree.flatten(values)

    def test(*tensors: Any) -> Any:
        return _tensor(cond(*tree.unflatten(recipe, list(tensors))))

    def step(*tensors: Any) -> list[Any]:
        new, new_recipe = tree.flatten(_listed(body(*tree.unflatten(recipe, list(tensors))), len(values)))
        if new_recipe != recipe:
            raise ProgramError("while_loop: body must return what loop_vars are: the same structure")
        return [_tensor(x) for x in new]

    return tree.unflatten(recipe, builder.while_loop(test, step, [_tensor(x) for x in leaves]))


def case(pred_fn_pairs: Any, default: Callable[[], Any] | None = None, name: str | None = None) -> Any:
    """The result of the function whose predicate is the first true one of ``[(pred, fn), ...]``.

    Without a true one that of ``default``, which by default is the last function. Raises TypeError for other arguments.
    ``pred_fn_pairs``: these pairs.

    Example:
        >>> y = paddle.static.nn.case([(x.min() > 1, lambda: x * 2), (x.max() < 0, lambda: -x)], default=lambda: x)
    """
    if not isinstance(pred_fn_pairs, (list, tuple)) or not pred_fn_pairs:
        raise TypeError("case: pred_fn_pairs must be a non-empty list of (predicate, function) pairs")
    for pair in pred_fn_pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not callable(pair[1]):
            raise TypeError(f"case: expected a pair of a predicate and a function, got {pair!r}")
    if default is not None and not callable(default):
        raise TypeError(f"case: default must be callable, got {type(default).__name__}")
    pairs = list(pred_fn_pairs)
    if default is None:
        default = pairs.pop()[1]

    def choose(at: int) -> Any:
        if at == len(pairs):
            return default()  # type: ignore[misc]
        return cond(pairs[at][0], pairs[at][1], lambda: choose(at + 1))

    return choose(0)


def switch_case(
    branch_index: Any, branch_fns: Any, default: Callable[[], Any] | None = None, name: str | None = None
) -> Any:
    """The result of the function with the number ``branch_index`` (an integer of one element).

    ``branch_fns``: a dict {number: function}, a list of such pairs, or a list of functions (numbered from 0). A number that is not
    there means ``default``, which by default is the function with the greatest number. Raises TypeError or ValueError.

    Example:
        >>> i = paddle.full([1], 2, 'int64')
        >>> y = paddle.static.nn.switch_case(i, {0: lambda: x, 2: lambda: x * 2}, default=lambda: -x)
    """
    if not isinstance(branch_fns, (list, tuple, dict)) or not branch_fns:
        raise TypeError("switch_case: branch_fns must be a non-empty dict or list")
    if isinstance(branch_fns, dict):
        pairs = list(branch_fns.items())
    else:
        pairs = [item if isinstance(item, tuple) else (i, item) for i, item in enumerate(branch_fns)]
    for key, function in pairs:
        if not isinstance(key, int) or not callable(function):
            raise TypeError(f"switch_case: expected an int and a function, got {key!r} and {function!r}")
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"switch_case: a number appears twice in {keys}")
    pairs.sort(key=lambda pair: pair[0])
    if default is None:
        default = pairs.pop()[1]
    if not pairs:
        return default()
    return case([(branch_index == key, function) for key, function in pairs], default)


def _constant_bool(pred: Any) -> bool | None:
    """Return the value of a condition that depends on constants alone; None for others."""
    needed: list[Any] = []
    todo, visited = [pred.ssa], set()
    while todo:
        var = todo.pop()
        if var in visited:
            continue
        visited.add(var)
        if var.op is None or var.op.blocks or var.op.opdef.traits & {"random", "effect"}:
            return None
        needed.append(var.op)
        todo += var.op.operands()
    block = Block()
    block.ops = [op for op in pred.ssa.block.ops if op in needed]
    block.results = [pred.ssa]
    return bool(run_block(block, [], backend.NUMPY, {})[0])


def _nothing() -> None:
    return None


def _tensor(value: Any) -> Any:
    return value if isinstance(value, Tensor) else functions.to_tensor(value)


def _same(a: Any, b: Any) -> bool:
    """Return whether the branches return one Python value that needs no tensor."""
    if isinstance(a, (Tensor, np.ndarray)) or isinstance(b, (Tensor, np.ndarray)):
        return False
    return a is b or (type(a) is type(b) and bool(a == b))


def _listed(value: Any, count: int) -> list[Any]:
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    if len(values) != count:
        raise ProgramError(f"while_loop: body must return {count} values, it returned {len(values)}")
    return values


__getattr__ = names_around(__name__)
