"""Tracing: running a translated function on symbolic inputs while a Builder records the Program."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from to_static.autodiff import reach
from to_static.core import site, tree
from to_static.core.building import locked
from to_static.core.errors import REFUSALS, SeveralValuesError, TranslationError
from to_static.ir import mode, once, variable
from to_static.ir.build import Builder
from to_static.ir.edit import has
from to_static.ir.input_spec import InputSpec
from to_static.ir.program import Var
from to_static.ir.spec import TensorSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit import layer_writes
from to_static.jit.given import Given
from to_static.jit.handback import Recipes
from to_static.jit.heap import Heap
from to_static.jit.homes import Assigned
from to_static.jit.jst import generators, streams
from to_static.jit.jst.attributes import buffer_set, outliving
from to_static.jit.jst.blocks import BlockRaises, emit_raise
from to_static.jit.jst.catching import Refused
from to_static.jit.jst.collect import repeated
from to_static.jit.jst.convert import call
from to_static.jit.jst.hooked import unless_none
from to_static.jit.jst.joined import numbers
from to_static.jit.jst.lacking import unwatch
from to_static.jit.jst.leaks import is_the_users, leaked
from to_static.jit.jst.levels import CALLS, LEVELS, Exactly, Wider, may_help
from to_static.jit.jst.methods import Methods
from to_static.jit.jst.text import holds_later
from to_static.jit.jst.unpacking import unpacked_by
from to_static.jit.outside import Outside
from to_static.jit.own_lists import OwnLists
from to_static.jit.reached import Reached, check_reached
from to_static.jit.results import Asked, Results, chosen_from, value_of
from to_static.jit.signature import Bound
from to_static.jit.traced_program import Traced
from to_static.nn.layer import Layer

variable.undecided_stop = reach.undecided


@locked
def trace(
    made: Callable[..., Callable[..., Any]],
    bound: Bound,
    specs: dict[int, InputSpec] | None = None,
    outside: Outside | None = None,
    called: bool = False,
) -> Traced:
    """Run a function on symbolic inputs in place of the tensors (and InputSpecs) among the bound arguments.

    ``made(wide)`` is the translated function in one of its forms (see `transpile_function`). ``specs`` replaces the
    spec of a tensor leaf by a declared one (with unknown dimensions). ``outside`` notes what it reads. ``called``: it is for a
    call, whose caller may ask whether a result is one of his tensors.
    """
    outside = outside or Outside()
    refusal: Exception | None = None
    level, asked, exact = 0, None if called else False, False
    while True:
        try:
            return _traced(made(level >= CALLS), bound, specs, outside, level, asked, exact)
        except Asked as found:
            asked, exact = True, found.exact or exact
        except Reached as found:
            bound.leave(found.objects)
            specs = None
        except Exactly:
            pass
        except Wider:
            level += 1
        except Exception as error:
            helps = may_help(error)
            if not helps and not isinstance(error, TranslationError):
                if _is_refusal(error):
                    outside.undo()
                raise  # as it is, if it is Python's
            refusal = refusal or error
            if level == max(LEVELS) or not helps or not outside.can_undo():
                if _is_refusal(refusal):
                    outside.undo()
                raise refusal from None
            level += 1
        outside.undo()


def _is_refusal(error: Exception) -> bool:
    """Whether nothing has run; errors of Python's leave what ran before them, as they do in dynamic mode."""
    return isinstance(error, REFUSALS) and not isinstance(error, SeveralValuesError)


def _traced(
    function: Callable[..., Any],
    bound: Bound,
    specs: dict[int, InputSpec] | None,
    outside: Outside,
    level: int,
    asked: bool | None,
    exact: bool,
) -> Traced:
    """``asked``: whether the trace keeps which tensors the variables are; None when it may ask for that. ``exact``: and in which
    trip of a loop they were made.
    """
    heap = outside.begin([leaf for leaf in bound.leaves if not isinstance(leaf, (Tensor, InputSpec))])
    builder = Builder()
    builder.level, builder.can_begin_again = level, outside.can_undo
    builder.layer_writes = {}
    builder.methods = Methods()
    try:
        return _trace(builder, heap, function, bound, specs, outside, asked, exact)
    except BaseException:
        generators.close_all(builder)
        layer_writes.undo(builder)
        OwnLists(builder, heap, [])
        raise
    finally:
        unwatch(builder.watched)
        builder.methods.restore()


def _trace(
    builder: Builder,
    heap: Heap,
    function: Callable[..., Any],
    bound: Bound,
    specs: dict[int, InputSpec] | None,
    outside: Outside,
    asked: bool | None,
    exact: bool,
) -> Traced:
    streams.begin(builder)
    layers: dict[int, Layer] = {}

    def translate(function: Any) -> Any:
        owner = getattr(function, "__self__", getattr(function, "_instance", None))
        if isinstance(owner, Layer):
            layers[id(owner)] = owner
        return call(function)

    builder.translate = translate
    builder.unless_none = unless_none
    builder.unpacked, builder.repeats = unpacked_by, repeated
    for value in (function, *bound.leaves):
        builder.methods.see(value)
    builder.refuses_text = True
    builder.replaces = buffer_set

    def reads(tensor: Any) -> None:
        known = builder.captured.get(id(tensor))
        if known is not None and known[1].ssa.holder is not tensor:
            known[1].numpy()  # the function changed it before: it has no numbers yet
        outside.reads(tensor)

    builder.reads, builder.reads_grad, builder.reads_stop = reads, outside.reads_grad, outside.reads_stop
    leaves = list(bound.leaves)
    feeds: list[int] = []
    names: list[str] = []
    handles: list[tuple[int, Variable, Var]] = []
    seen: dict[int, Variable] = {}
    for i, leaf in enumerate(bound.leaves):
        declared = leaf if isinstance(leaf, InputSpec) else (specs or {}).get(i)
        if id(leaf) in bound.reached:
            continue
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
        handles.append((i, handle, handle.ssa))
        leaves[i] = handle
        if isinstance(leaf, Tensor):
            seen[id(leaf)] = handle
    args, kwargs = bound.rebuild(leaves)
    builder.entry = _trace.__code__
    given = Given((args, kwargs), bound.reached)
    builder.outlives = lambda value: heap.has(value) or given.has(value)
    # a Program traced inside no_grad may be called outside of it later: each call decides whether it records
    builder.caller_records = mode.grad_enabled()
    records = builder.caller_records or not outside.follows_grad

    def asks_grad() -> None:
        outside.asks_grad()
        for tensor, _ in builder.captured.values():  # which the result may be computed from
            outside.reads_stop(tensor)
        if records and not builder.caller_records:
            raise Exactly if outside.can_undo() else _unknown()

    builder.asks_grad = asks_grad
    with mode.use(builder), mode.grad_mode(records):
        numbers().asked, numbers().exact = bool(asked), exact
        try:
            value = function(*args, **kwargs)
            once.settled_grad_mode(records)
        except Refused as refusal:  # came past the `except` clauses of the function
            raise refusal.error from None
        except BlockRaises:  # all paths end in an error, which the Program raises
            value = None
        except (Exception, SystemExit) as error:
            if (refusal := leaked(error)) is not None:
                raise refusal from None
            before = any(has(op, "effect") or has(op, "fails") for op in builder.program.block.walk())
            if not (before or holds_later(error.args)) or not is_the_users(error):
                raise
            emit_raise(error)  # after what the function prints and checks before
            value = None
        if builder.stray is not None:
            raise builder.stray
        # what is returned and what is left in objects: the handle of an argument is the caller's own object, as in Python
        chosen = functools.partial(chosen_from, [handle for _, handle, _ in handles], builder)
        old, homes = layer_writes.write_back(builder, heap.holders, None if asked is False else lambda x: list(chosen(x).values()))
        results = Results(builder, handles, chosen, old)
        results.homes = {id(x): home for home, x in homes if type(home) is Assigned}
        results.asked, results.exact, results.can_ask = asked, exact, outside.can_undo
        recipes = Recipes(results.leaf, heap.has, given.containers)
        recipes.where = site.of_function(function)
        own = OwnLists(builder, heap, given.containers)
        back = own.effects(recipes)
        result = recipes.part(value)
        kept, effects = layer_writes.settle(builder, recipes, [home for home, _ in homes])
        effects += layer_writes.copies_changed(builder)
        puts = given.effects(recipes) + outside.effects(recipes)
        found, goes_on = heap.effects(recipes, lambda tensor: id(tensor) in builder.captured)
        puts += [*found, *back]
        goes_on |= own.goes_on
        value = None
        builder.methods.restore()  # which lets go of the function's own classes
        outliving(builder, lambda owner, value: not recipes.makes(owner) and recipes.holds(value) and not given.has(owner))
        results.join()
        check_reached(bound, builder, outside)
        carried = [] if asked is False else results.carried()
        program = builder.finish(results.outputs, but=[param for param, _ in carried])
    traced = Traced(program, feeds, names, results.leaves, results.changed)
    traced.result, traced.recipes, traced.puts, traced.goes_on = result, recipes.finished(), puts, goes_on
    traced.uses_given = recipes.uses_given or any(put.given is not None for put in puts)
    traced.holds_errors = builder.holds_errors
    traced.reached = bound.reached
    traced.order = tree.by_key(bound.recipe)
    traced.layers = list(layers.values())
    traced.kept, traced.effects, traced.carried = kept, effects, carried
    traced.homes = [home for home, _ in homes]
    for i, handle, var in handles:
        stop = isinstance(bound.leaves[i], Tensor) and bound.leaves[i].stop_gradient
        if stop and not var.stop_gradient:
            traced.opened.append(i)
        closed = not (stop or var.stop_gradient) and handle.ssa.stop_gradient
        if closed or (handle.ssa is not var and value_of(handle.ssa) is var):
            traced.stops.append((i, handle.ssa.stop_gradient))
    return traced


def _unknown() -> TranslationError:
    text = "whether gradients are recorded is asked inside of a static function that is called under no_grad, after it took items"
    return TranslationError(site.report(f"{text} of an iterator", site.capture(), "ask before the call, and pass the answer"))


def unique(name: str, taken: list[str]) -> str:
    """``name``, or ``name_1`` ... when it is taken."""
    candidate, n = name, 0
    while candidate in taken:
        n += 1
        candidate = f"{name}_{n}"
    return candidate
