"""Tracing: running a translated function on symbolic inputs while a Builder records the Program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core import site, tree
from to_static.core.errors import TranslationError
from to_static.ir import mode
from to_static.ir.build import Builder
from to_static.ir.input_spec import InputSpec
from to_static.ir.number import Number
from to_static.ir.program import Program, Var
from to_static.ir.spec import ListSpec, TensorSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit import jst, layer_writes
from to_static.jit.jst import streams
from to_static.jit.jst.alternatives import as_tensor
from to_static.jit.jst.attributes import outliving
from to_static.jit.jst.blocks import BlockRaises, Refused, emit_raise, is_the_users
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.text import Piece, Text, holds_later
from to_static.jit.layer_writes import Effect, Kept
from to_static.jit.signature import Bound
from to_static.nn.layer import Layer


class Traced:
    """A traced function: its Program and how arguments and results map onto it.

    ``feeds``: positions (in the flattened arguments) of the tensors that the Program takes, in order; ``result``: recipe of
    the returned structure; ``leaves``: for each returned leaf ('out', i) = output i, ('number', i) = output i as a Python
    number, ('list', (i, numbers)) = output i as a list of tensors or Python numbers, ('arg', i) = argument leaf i itself,
    ('py', value), ('text', (pieces, outputs in them)), or ('choice', (i, options, j)): of these (recipe, leaves) the one whose
    number output i is, and for files output j, a tensor in any case; ``changed``: (argument leaf, output index) of tensors that
    the function changes in place; ``layers``: the Layers that were called; ``kept``: attributes of Layers that every call sets;
    ``effects``: what tracing changed of Layers, so that the next call has to trace again.
    """

    __slots__ = ("changed", "effects", "feeds", "kept", "layers", "leaves", "names", "program", "result")

    def __init__(
        self, program: Program, feeds: list[int], names: list[str], result: Any, leaves: list[Any], changed: list[Any]
    ) -> None:
        self.program = program
        self.feeds = feeds
        self.names = names
        self.result = result
        self.leaves = leaves
        self.changed = changed
        self.layers: list[Layer] = []
        self.kept: list[Kept] = []
        self.effects: list[Effect] = []


def trace(function: Callable[..., Any], bound: Bound, specs: dict[int, InputSpec] | None = None) -> Traced:
    """Run ``function`` on symbolic inputs in place of the tensors (and InputSpecs) among the bound arguments.

    ``specs`` replaces the spec of a tensor leaf by a declared one (with unknown dimensions).
    """
    builder = Builder()
    builder.layer_writes = {}
    try:
        return _trace(builder, function, bound, specs)
    except BaseException:
        layer_writes.undo(builder)
        raise


def _trace(builder: Builder, function: Callable[..., Any], bound: Bound, specs: dict[int, InputSpec] | None) -> Traced:
    streams.begin(builder)
    layers: dict[int, Layer] = {}

    def translate(function: Any) -> Any:
        owner = getattr(function, "__self__", None) or getattr(function, "_instance", None)
        if isinstance(owner, Layer):
            layers[id(owner)] = owner
        return jst.call(function)

    builder.translate = translate
    builder.refuses_text = True
    leaves = list(bound.leaves)
    feeds: list[int] = []
    names: list[str] = []
    handles: list[tuple[int, Variable, Var]] = []
    seen: dict[int, Variable] = {}
    for i, leaf in enumerate(bound.leaves):
        declared = leaf if isinstance(leaf, InputSpec) else (specs or {}).get(i)
        if declared is None and not isinstance(leaf, Tensor):
            continue
        if isinstance(leaf, Tensor) and id(leaf) in seen:
            leaves[i] = seen[id(leaf)]
            continue
        spec = declared.tensor_spec if declared is not None else leaf.spec
        stop = leaf.stop_gradient
        name = unique(declared.name if declared is not None and declared.name else bound.paths[i], names)
        handle = builder.feed(TensorSpec(*spec), name, stop)
        feeds.append(i)
        names.append(name)
        handles.append((i, handle, handle.var))
        leaves[i] = handle
        if isinstance(leaf, Tensor):
            seen[id(leaf)] = handle
    args, kwargs = bound.rebuild(leaves)
    builder.entry = trace.__code__
    builder.given = _lists_in([args, kwargs])[1:]
    # a Program traced inside no_grad may be called outside of it later: each call decides whether it records
    with mode.use(builder), mode.grad_mode(True):
        try:
            value = function(*args, **kwargs)
        except Refused as refusal:  # came past the `except` clauses of the function
            raise refusal.error from None
        except BlockRaises:  # all paths end in an error, which the Program raises
            value = None
        except Exception as error:
            effects = any(op.opdef.traits & {"effect", "fails"} for op in builder.program.block.walk())
            if not (effects or holds_later(error.args)) or not is_the_users(error):
                raise
            emit_raise(error)  # after what the function prints and checks before
            value = None
        _same_arguments(function, bound, leaves, (args, kwargs))
        found, recipe = tree.flatten(value)
        outputs: list[Any] = []
        kinds: list[Any] = []
        # the handle of an untouched argument is returned as the caller's own object, as the dynamic function does
        arguments = {id(handle): i for i, handle, var in handles if handle.var is var}
        for leaf in found:
            kinds.append(_leaf(leaf, arguments, outputs))
        changed = []
        for i, handle, var in handles:
            if handle.var is not var:
                changed.append((i, len(outputs)))
                outputs.append(handle)
        value = found = None
        kept, effects = layer_writes.settle(builder, lambda leaf: _leaf(leaf, arguments, outputs))
        outliving(builder)
        program = builder.finish(outputs)
    traced = Traced(program, feeds, names, recipe, kinds, changed)
    traced.layers = list(layers.values())
    traced.kept, traced.effects = kept, effects
    return traced


def _lists_in(value: Any) -> list[Any]:
    """All lists in the containers of the arguments."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [*([value] if isinstance(value, list) else []), *(found for item in items for found in _lists_in(item))]


def _same_arguments(function: Any, bound: Bound, leaves: list[Any], now: Any) -> None:
    """Refuse a function that changes a list or dict of the caller's: static calls hand in copies."""
    found, recipe = tree.flatten(now)
    if recipe != bound.recipe or any(a is not b for a, b in zip(found, leaves, strict=True)):
        code = getattr(getattr(function, "func", function), "__code__", None)
        what = _changed_argument(code, bound.rebuild(leaves), now)
        raise TranslationError(
            site.report(
                f"this function changes {what}, a list or dict that it got as an argument: the caller of a static function would "
                "not see that",
                site.of_function(function),
                "return the new list, or change a copy: `items = list(items)`",
            )
        )


def _changed_argument(code: Any, before: Any, now: Any) -> str:
    """The first argument that is not what it was, by its name where there is one."""
    names = code.co_varnames[: code.co_argcount] if code is not None else ()
    positional = zip(names[len(names) - len(before[0]) :] or before[0], before[0], now[0], strict=False)
    for name, old, new in [*positional, *((k, before[1][k], now[1].get(k)) for k in before[1])]:
        (a, first), (b, second) = tree.flatten(old), tree.flatten(new)
        if first != second or any(x is not y for x, y in zip(a, b, strict=True)):
            return f"{name!r}" if isinstance(name, str) else "an argument"
    return "an argument"


def _leaf(leaf: Any, arguments: dict[int, int], outputs: list[Any]) -> tuple[str, Any]:
    """How one leaf of the result comes back; the tensors that it needs are appended to ``outputs``."""
    if isinstance(leaf, Choice):
        outputs.append(leaf.which)
        place, options = len(outputs) - 1, []
        for option in leaf.options:
            found, recipe = tree.flatten(option)
            options.append((recipe, [_leaf(x, {}, outputs) for x in found]))
        joined = as_tensor(leaf)
        if joined is not None:
            outputs.append(joined)
        return "choice", (place, options, None if joined is None else len(outputs) - 1)
    if isinstance(leaf, Text):
        places = []
        for piece in leaf.pieces:
            if isinstance(piece, Piece):
                places.append(len(outputs))
                outputs.append(piece.value)
        return "text", (leaf.pieces, places)
    if not isinstance(leaf, Tensor):
        return "py", leaf
    if id(leaf) in arguments:
        return "arg", arguments[id(leaf)]
    outputs.append(leaf)
    kind = _kind(leaf)
    return kind, (len(outputs) - 1, getattr(leaf, "holds", None) in (bool, int, float)) if kind == "list" else len(outputs) - 1


def _kind(leaf: Tensor) -> str:
    """How a result comes back: as a tensor, as a Python number, or as a list of tensors."""
    if isinstance(leaf, Number):
        return "number"
    return "list" if isinstance(leaf.spec, ListSpec) else "out"


def unique(name: str, taken: list[str]) -> str:
    """``name``, or ``name_1`` ... when it is taken."""
    candidate, n = name, 0
    while candidate in taken:
        n += 1
        candidate = f"{name}_{n}"
    return candidate
