"""`append_backward` and `gradients`: derivatives as ops of the Program being built. `static` and traces call this module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from to_static.compiler.autodiff import control, custom_vjp  # noqa: F401  (the rules of ops that have blocks)
from to_static.compiler.autodiff.reverse import active_vars, add_gradients, reverse
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.spec import UNKNOWN, ListSpec
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import AutogradError, ModeError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Tensors: TypeAlias = "Variable | str | Sequence[Variable | str]"  # values of a Program, or their names


def gradients(
    targets: Tensors,
    inputs: Tensors,
    target_gradients: Tensors | None = None,
    no_grad_set: Tensors | None = None,
    create_graph: bool = True,
) -> list[Any]:
    """Gradients of the sum of ``targets`` with respect to each of ``inputs``, as tensors of the Program being built.

    Args:
        targets, inputs: a tensor or a list of them.
        target_gradients: weights of the targets, tensors of their shapes (None: ones).
        no_grad_set: tensors, or names, that no gradient flows through.
        create_graph: whether the gradients can be differentiated again.

    Returns one entry per input: a tensor of its shape, or None when the targets do not depend on it or it has
    ``stop_gradient=True`` (as `static.data` has, unless changed).
    Raises ModeError outside of a Program being built, ShapeError when a weight does not fit its target.

    Example:
        >>> x = paddle.static.data('points', [None, 2])
        >>> x.stop_gradient = False
        >>> [gx] = paddle.static.gradients([x * x], [x])
    """
    builder = builder_of(targets, "gradients")
    outs, ins = _as_list(targets), _as_list(inputs)
    weights = [None] * len(outs) if target_gradients is None else _as_list(target_gradients)
    if len(weights) != len(outs):
        raise ShapeError(f"gradients: expected one of target_gradients for each of {len(outs)} targets, got {len(weights)}")
    with mode.use(builder), mode.grad_mode(create_graph):
        wanted = [builder.var(x) for x in ins]
        grads = differentiate(builder, list(zip(outs, weights, strict=True)), wanted, _blocked(builder, no_grad_set))
    _name(builder, list(zip(wanted, grads, strict=True)))
    return grads


def append_backward(
    loss: Variable,
    parameter_list: Tensors | None = None,
    no_grad_set: Tensors | None = None,
    callbacks: Sequence[Callable[..., Any]] | None = None,
    checkpoints: object = None,
) -> list[tuple[Any, Any]]:
    """Append the backward pass of ``loss`` to the Program being built; returns ``[(parameter, gradient), ...]``.

    Args:
        loss: a tensor of one element.
        parameter_list: parameters (or their names) to differentiate by; default: all trainable ones of the Program.
        no_grad_set: tensors, or names, that no gradient flows through.
        callbacks: functions called as ``f(block=..., context={'op': op})`` after the backward ops of each op.

    Parameters that ``loss`` does not depend on are left out. Raises ModeError outside of a Program being built, AutogradError
    when ``loss`` depends on nothing that takes a gradient, ShapeError when it has several elements.

    ``checkpoints``: must be None or empty; otherwise AutogradError.

    Example:
        >>> pairs = paddle.static.append_backward(loss)
    """
    builder = builder_of(loss, "append_backward")
    if checkpoints:
        raise AutogradError("append_backward: checkpoints are not supported; leave the argument out")
    if loss.spec.size not in (1, UNKNOWN):
        raise ShapeError(f"append_backward: the loss must have one element, it is {loss.spec}; take its mean() or sum()")
    if loss.stop_gradient:
        name = printable(loss.name)
        raise AutogradError(f"append_backward: {name} depends on nothing that takes a gradient (stop_gradient is True)")
    program = builder.program
    if parameter_list is None:
        params = [p for p in program.all_parameters() if not p.stop_gradient]
    else:
        params = [_named(builder, p) for p in _as_list(parameter_list)]

    def call_callbacks(op: Op) -> None:
        for callback in callbacks or ():
            callback(block=builder.frame.block, context={"op": op})

    with mode.use(builder):
        ops = builder.frame.block.ops
        forward = len(ops)
        grads = differentiate(builder, [(loss, None)], params, _blocked(builder, no_grad_set), call_callbacks)
        builder.on_backward(ops[forward:])
    pairs = [(param, gradient) for param, gradient in zip(params, grads, strict=True) if gradient is not None]
    _name(builder, pairs)
    return [(p.holder if isinstance(p.holder, Tensor) else Variable(p, builder), gradient) for p, gradient in pairs]


def differentiate(
    builder: Builder, targets: list[tuple[Any, Any]], wanted: list[Var], blocked: set[Var], on_reversed: Any = None
) -> list[Any]:
    """Return the gradients of ``wanted``; None for a value without one.

    ``targets``: pairs of a target and its weight (None: ones); ``blocked``: values through which no gradient flows;
    ``on_reversed(op)`` is called after the backward ops of each op.
    """
    block = builder.frame.block
    ops = list(block.ops)
    active = active_vars(ops, wanted, blocked)
    control.check_closed(builder.frame, [builder.var(t) for t, _ in targets], wanted)
    start: dict[Var, Any] = {}
    for target, weight in targets:
        var = builder.var(target)
        if var not in active:
            continue
        if weight is None:
            weight = F.ones_like(target)
        elif not _fits(weight.spec, var.spec):
            raise ShapeError(f"gradients: a target gradient must have the spec of its target, {var.spec}; got {weight.spec}")
        start[var] = add_gradients(start.get(var), weight)
    by_var = reverse(builder, ops, start, active, on_reversed)
    return [by_var.get(v) for v in wanted]


def builder_of(targets: object, what: str) -> Builder:
    """The builder of the Program that the targets belong to; raises ModeError when they are no values of one."""
    first = _as_list(targets)[0]
    if not isinstance(first, Variable):
        raise ModeError(
            f"{what} works on tensors of a static Program being built (after enable_static(), or in a static function); "
            "in dynamic mode use backward() or grad()"
        )
    return first.builder


def _fits(a: Any, b: Any) -> bool:
    if isinstance(a, ListSpec) or isinstance(b, ListSpec):
        return type(a) is type(b)
    return a.ndim == b.ndim and all(p == q or UNKNOWN in (p, q) for p, q in zip(a.shape, b.shape, strict=True))


def _as_list(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]


def _named(builder: Builder, item: Tensor | str) -> Var:
    if not isinstance(item, str):
        return builder.var(item)
    var = builder.program.find(item)
    if var is None:
        raise AutogradError(f"no value of the Program is called {item!r}")
    return var


def _blocked(builder: Builder, items: Any) -> set[Var]:
    return {_named(builder, item) for item in _as_list(items)} if items is not None else set()


def _name(builder: Builder, pairs: list[tuple[Var, Any]]) -> None:
    """Call the gradient of ``x`` ``x@GRAD``, as Paddle does, so that it can be fetched by name."""
    used_names = builder.program.names()
    for var, gradient in pairs:
        if gradient is None or var.name is None or gradient.ssa.name is not None or gradient.ssa.op is None:
            continue
        name = f"{var.name}@GRAD"
        if name not in used_names:
            gradient.ssa.name = name
            used_names.add(name)
