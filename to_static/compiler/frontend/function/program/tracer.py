"""Traces a function: runs it once with symbolic tensors, and returns the Program."""

from __future__ import annotations

import collections
import enum
import functools
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.aliasing.kept_views import Memories, View, chosen_views
from to_static.compiler.frontend.function.program.aliasing.result_choice import TensorIdentities, choose
from to_static.compiler.frontend.function.program.buffer_slots import Binding, BufferSlot
from to_static.compiler.frontend.function.program.containers import containers
from to_static.compiler.frontend.function.program.trace_result import TraceResult, Write
from to_static.compiler.frontend.function.program.tracing_builder import TracingBuilder
from to_static.compiler.frontend.function.signature import Bound
from to_static.compiler.frontend.jst.calls.drawing import note_hidden_drawing
from to_static.compiler.frontend.jst.calls.side_effects import check_classes
from to_static.compiler.frontend.jst.control.block import is_user_error, may_be_ours
from to_static.compiler.frontend.jst.control.merge_writes import as_value
from to_static.compiler.frontend.jst.control.raising import BlockRaisesError, emit_raise, of_stand_in
from to_static.compiler.frontend.jst.iteration.indexed import IndexedIterable
from to_static.compiler.frontend.jst.objects.variables import Cells
from to_static.compiler.frontend.jst.protocol import ConstantSpec, ValueSpec, value_spec_of
from to_static.compiler.frontend.jst.values.container import (
    Anew,
    Container,
    is_container,
    is_plain_object,
    keys_of,
    parts_of,
)
from to_static.compiler.frontend.jst.values.dict_object import DictObject, is_dict_object
from to_static.compiler.frontend.jst.values.tensor import OneTensor
from to_static.compiler.frontend.jst.values.text import Text, may_hold
from to_static.compiler.frontend.jst.values.undefined import MaybeUndefined, Undefined
from to_static.compiler.frontend.tracing.gradient_writes import GradientWrite
from to_static.compiler.frontend.tracing.graph_break import GraphBreak, broken
from to_static.compiler.frontend.tracing.guards import Guards
from to_static.compiler.frontend.tracing.input_places import standing_in
from to_static.compiler.frontend.tracing.object_graph import names_in
from to_static.compiler.frontend.tracing.side_effects import (
    BUFFERS,
    CONTAINERS,
    MISSING,
    POISON,
    AttributeTarget,
    ItemsTarget,
    reachable,
)
from to_static.compiler.frontend.tracing.trace_context import TraceContext
from to_static.compiler.ir import mode
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.leaves import differentiated
from to_static.compiler.ir.program import Program, Var
from to_static.compiler.ir.rewriter import has, prune
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.symbolic.scalar_arithmetic import DTYPES
from to_static.compiler.ir.symbolic.sym_number import as_sym_number
from to_static.compiler.ir.symbolic.sym_number_inputs import NumberInputs
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ir.trace_errors import trace_time_effects
from to_static.compiler.ir.uses import Uses
from to_static.core import backend as backends
from to_static.core import tree
from to_static.core.diagnostics import source_expressions, source_location
from to_static.core.errors import ToStaticError, TranslationError
from to_static.core.importing.skiplist import SKIPPED_PACKAGES, package_of
from to_static.core.random.host_random_state import Drawn
from to_static.nn.layer import Layer


def trace(
    function: Callable[..., Any],
    bound: Bound,
    specs: dict[int, InputSpec] | None,
    roots: Iterable[Any],
    guards: Guards,
    for_file: bool = False,
) -> TraceResult:
    """Run a translated function on symbolic inputs in place of the tensors (and InputSpecs) among the bound arguments.

    specs: declared inputs, by leaf position.
    roots: the function and its object, from which all objects of the function can be reached.
    guards: the guards of the static function, which record the reads of the trace.
    for_file: random numbers that Python or NumPy draw become constants, and their generators keep their new state.

    Returns the Program, and how arguments, results and writes map to it. Raises the error of the trace if the function cannot be
    a Program. In both cases all writes of the trace to the user's objects have been undone.
    """
    roots = list(roots)
    knew_of_grad_mode = guards.follows_grad
    try:
        return _traced(function, bound, specs, roots, guards, for_file)
    except TranslationError:
        if knew_of_grad_mode or not guards.follows_grad or mode.grad_enabled():
            raise
    # the caller is inside no_grad, and the function tests that: now its Program is for calls inside no_grad only
    return _traced(function, bound, specs, roots, guards, for_file)


def _traced(
    function: Callable[..., Any],
    bound: Bound,
    specs: dict[int, InputSpec] | None,
    roots: Iterable[Any],
    guards: Guards,
    for_file: bool,
) -> TraceResult:
    """One attempt of `trace`."""
    builder = TracingBuilder(guards, for_file)
    session = builder.session
    python_random: Drawn | None = None
    framework_draws: Any = None
    try:
        python_random = Drawn()
        framework_draws = backends.current().draws
        result = _trace(builder, function, bound, specs or {}, roots, guards)
        if python_random.has_advanced():
            note_hidden_drawing(session, next(iter(roots)))
        result.random_calls = session.random_calls
        framework_draws = None
        if for_file:
            python_random = None
        return result
    except GraphBreak as end:
        raise end.error from None
    except RecursionError as error:
        where = source_location.of_recursion(error)
        name = "a function" if where is None else f"`{where.function}()`"
        why = "as those of a function that calls itself until a tensor says stop"
        text = f"calls of {name} nest too deeply while they are traced, {why}"
        raise TranslationError(source_location.report(text, where, "a loop: `while x > 1: x = x / 2`")) from None
    except Exception as error:
        if type(error) is AttributeError:  # Python's own: ours name the public class
            error.args = tuple(a.replace("'Variable' object", "'Tensor' object") if type(a) is str else a for a in error.args)
        if isinstance(error, ToStaticError) or not of_stand_in(error):
            raise
        expression = source_expressions.of_error(error)[0]
        words = f" in `{expression}`" if expression else ""
        why = f"{type(error).__name__}: {error}"
        text = f"a value that depends on tensors is used{words} as only Python's own values can be ({why})"
        rewrite = "return it, and do this with the result of the static function"
        raise TranslationError(source_location.report(text, source_location.of_error(error), rewrite)) from None
    finally:
        if framework_draws is not None:  # the trace failed: Python runs in its place, and draws the same random numbers
            backends.current().draws = framework_draws
        if python_random is not None:
            python_random.go_back()
        session.effects.finish()
        session.stand_ins.close()
        builder.end()


def _trace(
    builder: TracingBuilder,
    function: Callable[..., Any],
    bound: Bound,
    specs: dict[int, InputSpec],
    roots: Iterable[Any],
    guards: Guards,
) -> TraceResult:
    """Do the steps of a trace: make the inputs, run the function, collect outputs, remove unused operators and inputs."""
    roots, session = list(roots), builder.session
    feeds = _feed_arguments(builder, bound, specs, guards)
    args, kwargs = bound.rebuild(feeds.leaves)
    container_copies = _container_copies(bound, args, kwargs)
    session.effects.record_reachable((args, kwargs))
    session.roots = [*roots, args, kwargs]
    # a Program traced inside no_grad may be called outside of it later: each call decides whether it records
    builder.caller_records = mode.grad_enabled()
    builder.records = builder.caller_records or not guards.follows_grad
    with mode.use(builder), mode.grad_mode(builder.records):
        value = _call_function(builder, function, args, kwargs, feeds, roots)
        outputs = _collect_outputs(builder, value, bound, feeds, roots, container_copies)
        program = builder.finish(outputs.tensors, but=[param for param, _ in outputs.carried])
    prune(program.block)  # the first tests of loops, and sizes that nothing reads
    _drop_unread(program, bound, feeds, outputs, session.compared)
    result = _trace_result(builder, program, bound, feeds, outputs)
    _add_choices(result, bound, feeds, outputs)
    return result


@dataclass
class _Feeds:
    """The arguments of a call in a trace.

    Attributes:
        leaves: the leaves, with symbolic values in place of inputs.
        indices: the leaves that are inputs of the Program. names: their names.
        handles: for each tensor the leaf, the symbolic tensor, and its Var at the start.
        stand_ins: the places from outside that are inputs, with the symbolic values that they hold during the trace.
    """

    leaves: list[Any]
    indices: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    handles: list[tuple[int, Variable, Var]] = field(default_factory=list)
    stand_ins: list[tuple[Any, Any]] = field(default_factory=list)

    def add(self, index: int, name: str) -> str:
        """Add an input; return its name, made unique."""
        self.indices.append(index)
        self.names.append(unique(name, self.names))
        return self.names[-1]


def _feed_arguments(builder: TracingBuilder, bound: Bound, specs: dict[int, InputSpec], guards: Guards) -> _Feeds:
    """Make an input of the Program for each tensor among the arguments, and for each number input."""
    feeds = _Feeds(list(bound.leaves))
    outside = dict(enumerate(guards.inputs, len(bound.leaves) - bound.outside_count)) if bound.outside_count else {}
    if bound.inputs:
        builder.number_inputs = NumberInputs()
    same: dict[int, Variable] = {}  # one tensor that is passed twice is one input
    for i, leaf in enumerate(bound.leaves):
        declared = leaf if isinstance(leaf, InputSpec) else specs.get(i)
        if i in bound.inputs:
            handle = builder.feed(TensorSpec((), DTYPES[type(leaf)]), feeds.add(i, bound.paths[i]), True)
            feeds.leaves[i] = as_sym_number(handle)
            builder.number_inputs.add(handle.ssa, i, leaf, bound.paths[i])
        elif isinstance(leaf, Tensor) and id(leaf) in same:
            feeds.leaves[i] = same[id(leaf)]
        elif declared is not None or isinstance(leaf, Tensor):
            spec = declared.tensor_spec if declared is not None else leaf.spec
            name = feeds.add(i, declared.name if declared is not None and declared.name else bound.paths[i])
            handle = feeds.leaves[i] = builder.feed(TensorSpec(*spec), name, leaf.stop_gradient)
            feeds.handles.append((i, handle, handle.ssa))
            builder.gradients.arguments[handle.ssa] = i, leaf
            if isinstance(leaf, Tensor):
                same[id(leaf)] = handle
                builder.session.arguments[id(handle)] = i, leaf
        if i in outside:
            feeds.stand_ins.append((outside[i], feeds.leaves[i]))
            builder.session.outside_inputs.add(id(feeds.leaves[i]))
    if bound.container_aliases:
        raise broken("a list, dict or object is passed for two arguments", "pass a copy, `list(items)`")
    return feeds


def _drop_unread(
    program: Program, bound: Bound, feeds: _Feeds, outputs: _Outputs, compared: list[tuple[int, Any, bool]]
) -> None:
    """Remove inputs that nothing reads: the backward pass would keep these tensors and their graphs alive."""
    first_outside = len(bound.leaves) - bound.outside_count
    required = {i for i, *_ in (*outputs.changed_arguments, *compared)}
    uses = Uses(program.block)
    for handle in [handle for handle in feeds.handles if handle[0] >= first_outside]:
        i, _, var = handle
        if var not in uses and i not in required:
            feed_index = feeds.indices.index(i)
            del feeds.indices[feed_index], feeds.names[feed_index], program.block.args[feed_index]
            feeds.handles.remove(handle)


def _container_copies(bound: Bound, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[int, int]:
    """Return the copies of containers among the arguments that the trace gets: id -> index of the container."""
    rebuilt = containers((args, kwargs))
    return {id(new): i for i, new in enumerate(rebuilt)} if len(rebuilt) == len(containers(bound.arguments)) else {}


def _call_function(
    builder: TracingBuilder,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    feeds: _Feeds,
    roots: list[Any],
) -> Any:
    """Run the function and return its result. An error that the user raises becomes an operator of the Program."""
    session = builder.session
    entry = function.func if isinstance(function, functools.partial) else function
    entry = getattr(entry, "__func__", entry)
    session.effects.untranslated_reads.mention(names_in(entry.__code__) if isinstance(entry, types.FunctionType) else ())
    for root in [*roots, *args, *kwargs.values()]:
        check_classes([root])
    try:
        session.stand_ins.enter_context(standing_in(feeds.stand_ins))
        value = function(*args, **kwargs)
        trace_time_effects.check_grad_mode(builder.records)
    except BlockRaisesError as end:  # all paths end in an error, which the Program raises
        if end.frame is not builder.root:  # library code called the function that raises, so the block continues
            raise _leaves_block(end.error) from None
        value = None
    except (Exception, SystemExit) as error:
        if not _raises_when_run(builder, error):
            raise
        value = None
    if builder.stray is not None:
        raise builder.stray
    if builder.refused is not None:
        raise builder.refused[0]
    session.effects.check()
    return _plain_dicts(value) if session.for_file else value


def _raises_when_run(builder: TracingBuilder, error: BaseException) -> bool:
    """Add an operator that raises the error which ended the function, if the Program must print or check something before it.

    Returns False if it need not: then the error ends the trace.
    """
    if builder.refused is not None and not isinstance(error, ToStaticError):  # library code replaced the first error
        raise builder.refused[0] from None
    holds_tensors, is_users = any(map(may_hold, error.args)), is_user_error(error)
    if holds_tensors and not is_users:
        words = f"a {type(error).__name__} that holds tensors ends the function"
        raise broken(words, "an `assert` with a message") from None
    if not is_users:
        return False
    if not holds_tensors and not any(has(op, "effect") or has(op, "may_raise") for op in builder.program.block.walk()):
        return False
    builder.session.errors_carry_tensors = builder.session.errors_carry_tensors or may_be_ours(error)
    emit_raise(error)
    return True


@dataclass
class _Outputs:
    """The outputs of a Program, and what each kind of output is for; the fields are those of `TraceResult`.

    ``tensors``: the outputs in this order: parts of the result and of written values (``stored_count`` of them), arguments that
    changed in place, gradients, and the values that are ``carried``.
    """

    tensors: list[Any]
    result: ValueSpec
    writes: list[Write]
    bindings: list[Binding]
    same: list[tuple[int, Any]]
    memories: Memories
    views: dict[int, View]
    stored_count: int
    changed_arguments: list[tuple[int, int]]
    grads: list[GradientWrite]
    carried: list[tuple[Var, Var]]
    consumed_graphs: list[int]


def _collect_outputs(
    builder: TracingBuilder, value: Any, bound: Bound, feeds: _Feeds, roots: list[Any], container_copies: dict[int, int]
) -> _Outputs:
    """Flatten the result, writes and changes of the function into outputs of the Program."""
    session, gradients = builder.session, builder.gradients
    lives = functools.cache(lambda: reachable([*session.roots, *bound.arguments, *session.functions]))
    result = _spec_of(value, lives)
    tensors = list(result.flatten(value))
    bindings: list[Binding] = []
    writes = _writes(builder, lives, container_copies, tensors, bindings)
    same = _same_objects(builder, tensors, feeds.handles)
    memories = Memories(builder, feeds.handles, tensors)
    views = memories.among(i for i, _ in same)
    stored_count = len(tensors)
    changed_arguments = []
    for i, handle, var in feeds.handles:
        if handle.ssa is not var:
            changed_arguments.append((i, len(tensors)))
            tensors.append(handle)
    consumed_graphs = gradients.spend()
    grads = gradients.writes(tensors)
    _check_writes_existing_tensors(builder, (*roots, *bound.arguments, *session.functions, *session.effects.values_before_trace()))
    carried = [(p, end) for p, end in builder.state_updates() if flows(end) and not getattr(p.holder, "is_parameter", False)]
    tensors += [Variable(end, builder) for _, end in carried]
    freed = [i for i, x in enumerate(tensors) if isinstance(x, Variable) and x.ssa in consumed_graphs] if consumed_graphs else []
    return _Outputs(
        tensors, result, writes, bindings, same, memories, views, stored_count, changed_arguments, grads, carried, freed
    )


def _trace_result(builder: TracingBuilder, program: Program, bound: Bound, feeds: _Feeds, outputs: _Outputs) -> TraceResult:
    """Make the `TraceResult`, which says how arguments, results and effects map onto the Program."""
    session, gradients, first_carried = builder.session, builder.gradients, len(outputs.tensors) - len(outputs.carried)
    result = TraceResult(program, feeds.indices, feeds.names, outputs.result, outputs.writes)
    result.changed_arguments, result.same = outputs.changed_arguments, outputs.same
    result.bindings, result.views, result.grads, result.consumed_graphs = (
        outputs.bindings,
        outputs.views,
        outputs.grads,
        outputs.consumed_graphs,
    )
    result.grad_inputs, result.trains = gradients.grad_inputs, gradients.ran
    result.carried = [(param, first_carried + i) for i, (param, _) in enumerate(outputs.carried)]
    result.layers, result.errors_carry_tensors = list(builder.layers.values()), session.errors_carry_tensors
    result.inputs, result.types = list(bound.inputs), [type(bound.leaves[i]) for i in bound.inputs]
    result.asked = [] if builder.number_inputs is None else builder.number_inputs.asked
    result.compared = session.compared
    result.outside = list(range(len(bound.leaves) - bound.outside_count, len(bound.leaves)))
    result.order = tree.by_key(bound.recipe)
    for i, handle, var in feeds.handles:
        stop = isinstance(bound.leaves[i], Tensor) and bound.leaves[i].stop_gradient
        if stop and not var.stop_gradient:
            result.inputs_requiring_grad.append(i)
        if not var.stop_gradient and handle.ssa.stop_gradient:
            result.stop_gradient_sets.append((i, True))
    return result


def _add_choices(result: TraceResult, bound: Bound, feeds: _Feeds, outputs: _Outputs) -> None:
    """Make the Program return the identities of its outputs, if a branch or loop decides which tensors they are."""
    program, fixed = result.program, {index for index, _ in outputs.same}
    open_outputs = [i for i in range(outputs.stored_count) if type(outputs.tensors[i]) is Variable and i not in fixed]
    if not any((op := program.outputs[i].op) is not None and op.blocks for i in open_outputs):
        return
    feed_values = {i: var for i, _, var in feeds.handles}
    candidates, steps = outputs.memories.candidates()
    changes = [*zip(program.state, program.state_values, strict=True), *outputs.carried]
    changes += [(feed_values[i], program.outputs[index]) for i, index in outputs.changed_arguments]
    tensor_identities = TensorIdentities(program, changes, candidates, steps)
    for i in outputs.views:
        tensor_identities.assign_identity(program.outputs[i])
    arguments = [feed_index for feed_index, i in enumerate(feeds.indices) if i not in bound.inputs]
    result.choices, result.new_identities = choose(tensor_identities, open_outputs, outputs.views, arguments)
    result.roots = [*feeds.indices, *program.params]
    chosen_outputs = [program.outputs[choice.output] for choice in result.choices]
    result.viewed, result.derived = chosen_views(tensor_identities, chosen_outputs, candidates, result.roots)


def _leaves_block(error: BaseException) -> GraphBreak:
    """The graph break for a function that library code calls, and that always raises."""
    words = f"{type(error).__name__} always ends a function that is called later, or under a tensor condition"
    return broken(
        words,
        "raise it under a condition, `if loss.isnan(): raise ...`, or before",
        where=source_location.of_error(error),
    )


def _check_writes_existing_tensors(builder: TracingBuilder, roots: Iterable[Any]) -> None:
    """Break the graph if the function writes a tensor that it creates itself in each call, such as one of a copied Layer."""
    changed_arguments = [param.holder for param, _ in builder.state_updates() if type(param.holder) is EagerTensor]
    if changed_arguments:
        lives = reachable(roots)
        for holder in changed_arguments:
            if id(holder) not in lives:
                raise broken(
                    f"a tensor of shape {list(holder.shape)} changes in place, but the function creates it in every call",
                    "a new tensor: `x = x + 1` in place of `x.add_(1)`; or make it, or the Layer that has it, outside",
                )


def _same_objects(builder: TracingBuilder, outputs: list[Any], handles: list[tuple[int, Variable, Var]]) -> list[tuple[int, Any]]:
    """Return the outputs that are an argument (its leaf), a tensor from outside (its root value), or an earlier output."""
    for output in outputs:
        if isinstance(output, EagerTensor):
            builder.capture(output)
    leaves = {id(handle): i for i, handle, _ in handles}
    roots = {id(param.holder): param for param in builder.program.params}
    outside: dict[int, Any] = {}
    for key, (holder, handle) in builder.captured.items():
        if isinstance(holder, EagerTensor) and key in roots:
            outside[id(handle)] = outside[id(holder)] = roots[key]
    same: list[tuple[int, Any]] = []
    first: dict[int, int] = {}
    for index, output in enumerate(outputs):
        if id(output) in leaves:
            same.append((index, leaves[id(output)]))
        elif id(output) in outside:
            same.append((index, outside[id(output)]))
        elif isinstance(output, Tensor) and first.setdefault(id(output), index) != index:
            same.append((index, (first[id(output)],)))
    return same


def flows(value: Var) -> bool:
    """True if gradients flow through the new value of a tensor from outside, that is, if the tensor does not stay a leaf."""
    return not value.stop_gradient and (value.op is None or differentiated(value).op is not None)


def unique(name: str, names_in_use: list[str]) -> str:
    """Return ``name``, or the first of ``name_0``, ``name_1``, ... that is not in use."""
    candidate, count = name, 0
    while candidate in names_in_use:
        candidate, count = f"{name}_{count}", count + 1
    return candidate


def holds_traced(value: Any, visited: set[int] | None = None) -> bool:
    """True if a value is symbolic, or contains a symbolic value."""
    visited = set() if visited is None else visited
    if isinstance(value, (Variable, MaybeUndefined, Text, IndexedIterable, Undefined)) or value is POISON:
        return True
    is_static = hasattr(type(value), "dygraph_function")  # (a static function refers to Layers and Programs)
    if id(value) in visited or is_static or isinstance(value, (Layer, type, types.ModuleType, Tensor)):
        return False
    visited.add(id(value))
    if isinstance(value, dict):
        return any(holds_traced(x, visited) for pair in value.items() for x in pair)
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        parts = parts_of(value) if type(value) in (list, tuple) else value
        return isinstance(parts, Variable) or any(holds_traced(x, visited) for x in parts)
    if isinstance(value, types.FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if cell != _EMPTY]
        return any(holds_traced(x, visited) or isinstance(x, Cells) for x in cells)
    if isinstance(value, functools.partial):
        return holds_traced((value.func, value.args, value.keywords), visited)
    if isinstance(value, types.MethodType):
        return holds_traced(value.__self__, visited)
    if isinstance(value, types.GeneratorType) or hasattr(type(value), "__next__"):
        return True
    attributes = getattr(value, "__dict__", None)
    return isinstance(attributes, dict) and any(holds_traced(x, visited) for x in attributes.values())


def _plain_dicts(value: Any, around: tuple[Any, ...] = ()) -> Any:
    """Return a result with dicts in place of dict subclasses (outputs of models), because a file has only the items."""
    if any(value is outer for outer in around) or not (isinstance(value, dict) or type(value) in (list, tuple)):
        return value
    old = [value[key] for key in value] if isinstance(value, dict) else list(value)
    new = [_plain_dicts(item, (*around, value)) for item in old]
    if is_container(value) and all(x is y for x, y in zip(new, old, strict=True)):
        return value
    return dict(zip(value, new, strict=True)) if isinstance(value, dict) else type(value)(new)


def _spec_of(value: Any, lives: Callable[[], Any]) -> ValueSpec:
    """Return the spec of a result or written value: runs create containers and new objects; old objects stay themselves.

    ``lives()`` returns the ids of the objects that existed before the call.
    """
    if isinstance(value, IndexedIterable):
        raise broken("a range or iterator whose length depends on tensors is returned", "its bounds, or a list of its items")
    if isinstance(value, Tensor) or type(value) is Text:
        return value_spec_of(value)
    if (
        type(value) in (list, dict, collections.OrderedDict)
        or (isinstance(value, tuple) and value)
        or holds_traced(value)
        or (is_plain_object(value) and id(value) not in lives())
    ):
        if not is_container(value):
            if isinstance(value, (MaybeUndefined, Undefined, Variable)) or value is POISON:
                return value_spec_of(value)
            if isinstance(value, types.GeneratorType):
                raise broken(
                    f"a generator is returned or stored (`{value.__name__}`): its items would be computed after the call has ended",
                    "return `list(...)` of it; in a static function, `items.append(x)` for `yield x`, and `return items`",
                )
            if is_dict_object(value) and id(value) not in lives():
                return DictObject.spec_of_object(value, functools.partial(_spec_of, lives=lives))
            raise broken(
                f"a {type(value).__name__} that contains traced tensors is returned, or is stored beyond the call",
                "return the tensors: in a tuple, list, dict or dataclass",
            )
        parts = parts_of(value)
        if isinstance(parts, Variable):
            return value_spec_of(value)
        stays = [is_plain_object(value) and id(part) in lives() and not holds_traced(part) for part in parts]
        specs = [ConstantSpec(part) if stay else _spec_of(part, lives) for part, stay in zip(parts, stays, strict=True)]
        return Container(type(value), keys_of(value), specs)
    if _can_change(value) and id(value) not in lives():
        return _anew(value)
    return ConstantSpec(value)


def _can_change(value: Any) -> bool:
    """True if every call must create the object anew: it is a container, or of a user's class."""
    if isinstance(value, (type, types.FunctionType, types.ModuleType, enum.Enum, BaseException, Tensor)):
        return False
    return isinstance(value, (*CONTAINERS, *BUFFERS, Layer)) or package_of(type(value)) not in SKIPPED_PACKAGES


def _anew(value: Any) -> ValueSpec:
    """Return the spec of a container without traced values that every run creates. Breaks the graph for other objects."""
    items = value.values() if isinstance(value, dict) else () if isinstance(value, BUFFERS) else value
    modules = ("builtins", "collections", "numpy", "array")
    is_builtin_container = isinstance(value, (*CONTAINERS, *BUFFERS)) and type(value).__module__ in modules
    if is_builtin_container and not any(map(_can_change, items)):
        return Anew(value)
    raise broken(
        f"a {type(value).__name__} that the function creates in every call is returned, or is stored beyond the call",
        "return its contents: tensors, in a tuple, list, dict or dataclass; or create it outside of the function",
    )


def _writes(
    builder: TracingBuilder, lives: Callable[[], Any], container_copies: dict[int, int], outputs: list[Any], bindings: list[Binding]
) -> list[Write]:
    """Return the writes of every run to targets that exist after it, and append the written values to ``outputs``.

    Assignments of tensors to buffers are appended to ``bindings`` instead.
    """
    session = builder.session
    layers = [*builder.layers.values(), *(root for root in session.roots if isinstance(root, Layer))]
    if session.guards is not None:
        for name in session.effects.depends_on():
            session.guards.track_name(name)
    states = session.effects.states()
    if not states:
        return []
    writes: list[Write] = []
    bound: list[tuple[BufferSlot, Any]] = []
    written = {target.key for target, _ in states}
    for target, state in states:
        owner = target.owner
        if isinstance(target, AttributeTarget) and ("items", id(getattr(owner, "__dict__", None))) in written:
            continue  # the write to the items of the object's `__dict__` includes it
        is_old = id(owner) in lives() or id(owner) in container_copies or isinstance(owner, types.ModuleType)
        if target.key[0] in ("items", "attribute") and not is_old:
            continue
        appends, value_before = False, session.effects.value_before_trace(target)
        if isinstance(owner, BUFFERS):
            raise broken(
                f"{target.label} that existed before the call changes, and a Program would contain its present "
                "numbers as constants",
                "a tensor in its place, or change it outside of the static function",
            )
        if isinstance(target, ItemsTarget):
            state = as_value(target, state)
            is_longer = isinstance(owner, list) and isinstance(state, list) and len(value_before) < len(state)
            if is_longer and all(a is b for a, b in zip(value_before, state, strict=False)):
                appends, state = True, state[len(value_before) :]
        stays = state is MISSING or _existed_before(session, layers, state)
        spec = ConstantSpec(state) if stays else _spec_of(state, lives)
        if isinstance(target, ItemsTarget) and type(spec) is Container:
            _keep_items(session, spec, state, value_before)
        if type(spec) is OneTensor and isinstance(target, AttributeTarget) and _is_buffer(target, value_before, state):
            bound.append((BufferSlot(target.owner, target.name), state))
            continue
        outputs += spec.flatten(state)
        writes.append(Write(target, spec, appends, container_copies.get(id(target.owner))))
    for slot, state in bound:
        bindings.append(Binding(slot, len(outputs)))
        outputs.append(state)
    return writes


def _keep_items(session: TraceContext, spec: Container, state: Any, value_before: Any) -> None:
    """Restore the identity of lists and dicts that a container held before the call and still holds."""
    old_ids = {id(item) for item in (dict(value_before).values() if isinstance(state, dict) else value_before)}
    for k, item in enumerate(parts_of(state)):
        is_old = type(item) in (list, dict, collections.OrderedDict) and id(item) in old_ids
        if is_old and id(item) not in session.effects.traced_lists:
            spec.parts[k] = ConstantSpec(item)


def _existed_before(session: TraceContext, layers: Iterable[Layer], value: Any) -> bool:
    """True if a list or dict was the value of a variable or attribute before the call, so that guards compare it by identity."""
    if session.guards is None or id(value) in session.effects.traced_lists:
        return False
    if type(value) not in (list, dict, collections.OrderedDict):
        return False
    for source in session.guards.variables():
        space, is_cell = source.owner, isinstance(source.owner, types.CellType)
        key = ("cell", id(space)) if is_cell else ("global", id(space), source.name)
        written = session.effects.is_written(key) or session.effects.is_written(("items", id(space)))
        if not written and source.read is not None and source.read() is value:
            return True
    for layer in layers:
        attributes = vars(layer)
        for name in session.guards.names_of(type(layer)).intersection(attributes):
            if _holds(attributes[name], value) and not session.effects.is_written(("attribute", id(layer), name)):
                return True
    return False


def _holds(container: Any, value: Any, depth: int = 0) -> bool:
    """True if a value is a container itself, or in it, also in nested containers."""
    if container is value:
        return True
    if depth > _DEEP or type(container) not in (list, tuple, dict, collections.OrderedDict):
        return False
    items = container.values() if isinstance(container, dict) else container
    return any(_holds(item, value, depth + 1) for item in items)


def _is_buffer(target: AttributeTarget, value_before: object, state: Tensor) -> bool:
    """True if the write assigns a tensor of the same dtype to a buffer of a Layer."""
    if not (isinstance(target.owner, Layer) and isinstance(value_before, EagerTensor) and target.name in target.owner._buffers):
        return False
    has_parameter = getattr(value_before, "is_parameter", False) or getattr(state, "is_parameter", False)
    return not has_parameter and value_before.dtype == state.dtype


_EMPTY = types.CellType()
_DEEP = 3  # how deep containers are nested, at most
