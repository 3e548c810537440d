"""`Builder`: the mode in which an operator call appends an op to a Program.

The builder also captures eager tensors as root values, makes the blocks of branches and loops closed, and turns in-place changes
inside a branch or loop into results of the control op. Tracing, `static.program_guard` and the readers of model files use it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir import mode, registry
from to_static.compiler.ir.building.block_scope import BlockScope, TracedBlock
from to_static.compiler.ir.building.union_values import first_union, substitute
from to_static.compiler.ir.building.while_builder import WhileLoopBuilder
from to_static.compiler.ir.opdef import OpDef
from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.rewriter import SideEffectQuery
from to_static.compiler.ir.spec import ListSpec, Spec, TensorSpec, join, spec_of
from to_static.compiler.ir.strides import is_row_major
from to_static.compiler.ir.symbolic.sym_number import as_sym_number
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.symbolic.views import Step, layout_of, share
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ir.trace_errors import trace_time_effects
from to_static.compiler.ir.var_kinds import BUFFER, CONST, PARAM
from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.source_location import SourceLocation
from to_static.core.errors import ModeError, ProgramError, ShapeError, ToStaticError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from to_static.compiler.ir.program import Holder
    from to_static.core.array_types import Array


class Builder:
    """A building mode over one Program. Use it as ``with mode.use(Builder(program)) as builder: ...``."""

    building = True
    direct = False
    parameters: Any = None  # name -> parameter, if parameters of the Program are looked up by name
    plain_shapes = False  # True if users read the shapes of tensors as plain ints, with -1 for unknown dimensions
    session: Any = None  # the state of the trace, see `tracing.trace_context`
    gradients: Any = None  # ``.grad`` of tensors while a function is traced, see `tracing.gradients`
    number_inputs: Any = None  # the `NumberInputs` of the trace (`sym_number_inputs.py`); None if no Python number is an input
    layer_writes: Any = None  # attributes of Layers that were set: (id, name) -> weak reference, name, value before, line

    def __init__(self, program: Program | None = None) -> None:
        self.program = program or Program()
        self.frame = self.root = BlockScope(self.program.block, None)
        self.captured: dict[int, tuple[Any, Variable]] = {}  # id of a tensor from outside -> the tensor, its handle
        self._root_handles: dict[int, Variable] = {}  # the handles of what comes from outside, by their ids
        self._names: dict[Var, str] = {}
        self.named = 0  # the number of generated names
        self._roots: set[str | None] = set()  # names of root values
        self.view_values: dict[Var, Any] = {}  # a value that a handle held while it was a view -> the handle's `views`
        self.finished = False
        self.refuses_text = False  # True if the text of a traced value must be refused, because users expect its numbers there
        self.refused: Any = None  # the last error for a read of a tensor's numbers, and its site; library code may hide it
        self.thread = threading.get_ident()
        self.stray: Any = None  # the error for a traced tensor in another thread, where nobody may see it
        self.site: SourceLocation | None = None  # the source location of new ops; None: that of the running user code
        self.side_effects = SideEffectQuery()
        self.records_sites = True  # False if no line of user code makes the ops, as when a file is read
        values = dict(zip(self.program.state, self.program.state_values, strict=True))
        for param in self.program.params:  # an existing Program is extended: its parameters are captured already
            handle = self._handle(param, self.root)
            handle.ssa = values.get(param, param)
            self.captured[id(param.holder)] = (param.holder, handle)
        self.lods: dict[Var, Any] = {}  # the sequence offsets of values (`ops.sequence.offsets`); None for a value without
        self.lod_levels: dict[Var, int] = {}
        self.rates_move = False  # True if the Program changes learning rates, so that the rates at its start may be stale
        self.caller_records = True  # True if the caller of the traced function records gradients
        self.copied: list[Any] = []  # tensors that Python copied from others during the trace

    # -- hooks that a trace overrides, see `function.program.tracing_builder`; Programs built by hand or from files need none -----

    def translate(self, function: Callable[..., Any], /) -> Callable[..., Any]:
        """Called with each user function before a Layer calls it; returns the function to call."""
        return function

    def coalesce(self, result: Any, old: Any, form: Callable[[Any], Any], /) -> Any:
        """The value after a hook returned ``result``: ``form(result)``, or ``old`` where the hook returned None."""
        return mode.coalesce(result, old, form)

    def resolve_list(self, value: Any, /) -> Any:
        """The list of the Program that stands for a list of Python's, else the value itself."""
        return value

    def before_write(self, handle: Tensor, new: Tensor) -> None:
        """Called before a handle or tensor changes in place, with the value that it is to hold."""

    def on_value_read(self, tensor: Tensor) -> None:
        """Called before Python reads the array of a tensor from outside."""

    def on_stop_gradient_read(self, tensor: Tensor) -> None:
        """Called before Python gets the ``stop_gradient`` of a tensor from outside."""

    def on_settings_read(self, settings: dict[str, Any]) -> None:
        """Called with a dict of settings whose contents become constants of the Program."""

    def on_backward(self, ops: list[Op]) -> None:
        """Called with the ops of a backward pass after it was appended."""

    def on_grad_mode_read(self) -> None:
        """Called when the traced function reads the flag for recording gradients."""

    def is_stop_gradient_dynamic(self, tensor: Tensor) -> bool:
        """True if the values of tensors decide if ``tensor`` needs a gradient."""
        return False

    # -- the mode -----------------------------------------------------------------------------------------------------

    def apply(self, opdef: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Append the op and return handles of its results."""
        if (union := first_union(inputs)) is not None:
            return union.each(lambda option: self.apply(opdef, substitute(inputs, union, option), attrs))
        values = tuple(self._value(item) for item in inputs)
        specs = tuple(None if v is None else [u.spec for u in v] if isinstance(v, tuple) else v.spec for v in values)
        if "elementwise" in opdef.traits and any(type(spec) is ListSpec for spec in specs):
            from to_static.compiler.ir.trace_errors import leaked_tracers

            raise leaked_tracers.of_list()
        try:
            out_specs = opdef.infer_specs(specs, attrs)
        except ToStaticError as error:
            raise source_location.located(error, opdef.name) from None
        op = self.append(opdef, values, attrs, out_specs)
        results = tuple(Variable(v, self) for v in op.outputs)
        if opdef.view and self.layer_writes is not None:
            for k, result in enumerate(results):
                share(inputs[0], result, Step(opdef, self._as_now(values[1:]), attrs, k, out_specs[k]))
                self._note_view(result)
        return results if opdef.multi else results[0]

    def _note_view(self, handle: Variable) -> None:
        if handle.views is not None:
            self.view_values[handle.ssa] = handle.views

    def _as_now(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """New handles of these values. Nobody else has them, so nobody changes them in place."""
        def handles(value: Var | tuple[Var, ...] | None) -> Any:
            if isinstance(value, tuple):
                return [Variable(v, self) for v in value]
            return None if value is None else Variable(value, self)

        return tuple(map(handles, values))

    def append(
        self, opdef: OpDef, values: tuple[Any, ...], attrs: dict[str, Any], specs: tuple[Spec, ...], blocks: tuple[Block, ...] = ()
    ) -> Op:
        """Append an op on Vars of the current block; its results have the given ``specs``."""
        if self.finished:
            raise ModeError("this Program is finished: nothing more can be added to it")
        block = self.frame.block
        site = self.site or (source_location.capture(2) if self.records_sites else None)
        op = Op(opdef, values, attrs, specs, block, blocks, site)
        stop = op.stops_gradient() or not (mode.grad_enabled() or "forwards_inputs" in opdef.traits)
        for i, var in enumerate(op.outputs):
            dtype = var.spec.dtype
            var.stop_gradient = stop or i in opdef.auxiliary or not (dtype is None or dtype.is_floating or opdef.integral)
        block.ops.append(op)
        return op

    def move_up(self, handle: Variable, predecessors: Sequence[Variable] = ()) -> None:
        """Move the newest op, which defines ``handle``, up to the first position after its operands and ``predecessors``.

        The caller guarantees that the ops in between do not depend on the effect of the op. (The start of a message exchange is
        such an effect.)
        """
        ops = self.frame.block.ops
        op = ops.pop()
        assert handle.ssa.op is op
        makers = {var.op for var in (*op.operands(), *(prior.ssa for prior in predecessors))}
        position = next((i + 1 for i in range(len(ops) - 1, -1, -1) if ops[i] in makers), 0)
        ops.insert(position, op)

    def constant(self, array: np.ndarray) -> Variable:
        """A constant of the Program."""
        array = np.asarray(array)
        op = self.append(registry.get("constant"), (), {"value": array}, (spec_of(array),))
        return Variable(op.out, self)

    def feed(self, spec: TensorSpec, name: str | None = None, stop_gradient: bool = True) -> Variable:
        """An input of the Program."""
        return self._handle(self.program.block.add_arg(spec, name, stop_gradient), self.root)

    # -- values and handles -------------------------------------------------------------------------------------------

    def _value(self, item: Any) -> Any:
        if item is None:
            return None
        if isinstance(item, (list, tuple)):
            return tuple(self.var(x) for x in item)
        return self.var(item)

    def var(self, tensor: Tensor | Array) -> Var:
        """The current SSA value of a tensor, made available in the current block."""
        if type(tensor) is not Variable and not isinstance(tensor, Variable):
            tensor = self.capture(tensor)
        elif tensor.builder is not self:
            from to_static.compiler.ir.trace_errors import leaked_tracers

            raise leaked_tracers.of_another(tensor)
        return self._lift(tensor.ssa, self.frame)

    def _lift(self, var: Var, frame: BlockScope) -> Var:
        if var.block is frame.block:
            return var
        inner = frame.lifted.get(var)
        if inner is None:
            if frame.parent is None:
                from to_static.compiler.ir.trace_errors import leaked_tracers

                raise leaked_tracers.out_of_block()
            outer = self._lift(var, frame.parent)
            inner = frame.lifted.get(outer)
            if inner is None:
                inner = frame.block.add_arg(outer.spec, None, outer.stop_gradient)
                frame.lifted[outer] = inner
            frame.lifted[var] = inner
        return inner

    def capture(self, value: Tensor | Array) -> Variable:
        """The handle that stands for an eager tensor (parameter, buffer or any tensor closed over) or an array."""
        entry = self.captured.get(id(value))
        if entry is not None:
            return entry[1]
        if not isinstance(value, Tensor):
            return self.constant(np.asarray(value))
        if getattr(value, "is_parameter", False):
            var_kind = PARAM
        else:
            var_kind = BUFFER if value.persistable else CONST  # type: ignore[attr-defined]
        name = None if var_kind == CONST or value.name in self._roots else value.name  # type: ignore[attr-defined]  # a copy has the same
        return self.root_value(value.spec, var_kind, value, name)

    def root_value(self, spec: Spec, var_kind: str, holder: Holder, name: str | None) -> Variable:
        """Return the handle of a new root value that ``holder`` holds. If the handle is rebound, the Program gets state."""
        self._roots.add(name)
        handle = self._handle(self.program.add_param(spec, var_kind, holder, name), self.root)
        self.captured[id(holder)] = (holder, handle)
        return handle

    def _handle(self, var: Var, frame: BlockScope) -> Variable:
        handle = Variable(var, self)
        handle.frame = frame
        self._root_handles[id(handle)] = handle
        return handle

    def open_frames(self) -> Iterator[BlockScope]:
        """The blocks under construction, from the innermost. Only their values can be used now."""
        frame: BlockScope | None = self.frame
        while frame is not None:
            yield frame
            frame = frame.parent

    def is_given(self, handle: Variable) -> bool:
        """True if this is the handle of an argument, or of a tensor from outside."""
        return id(handle) in self._root_handles and handle.frame is self.root

    def rebind(self, handle: Tensor, new: Tensor) -> None:
        """Make ``handle`` hold the value of ``new`` (an in-place change); eager tensors change in the Program's state."""
        self.before_write(handle, new)
        if not isinstance(handle, Variable):
            handle = self.capture(handle)
            self.before_write(handle, new)  # the captured handle may have views that the tensor does not have
        old = handle.ssa
        self.hold(handle, self._as_leaf(handle, new))
        if handle.views is not None:
            if new.views is not None and new.views[0] is handle.views[0]:
                new.views[0].add(handle, new.views[1])  # another view of the same memory: nothing was written
            else:
                handle.views[0].write(self, handle, handle.views[1], old)

    def _as_leaf(self, handle: Variable, new: Tensor) -> Any:
        """The new value of ``handle``. A change inside `no_grad` keeps the place of a differentiable tensor in the graph."""
        if mode.grad_enabled() or handle.ssa.stop_gradient or not self.var(new).stop_gradient:
            return new
        if handle.ssa.spec == self.var(new).spec:
            return self.apply(registry.get("as_leaf"), (new, handle), {})
        leaf = self.detach(new)
        leaf.ssa.stop_gradient = False
        return leaf

    def hold(self, handle: Variable, new: Tensor) -> None:
        """Make this handle hold the value of ``new``, without its views."""
        value = self.var(new)
        if handle.frame is not self.frame:
            self.frame.rebound.setdefault(handle, handle.ssa)
        handle.ssa = value
        self._note_view(handle)

    def detached_view(self, tensor: Tensor) -> Variable:
        """`detach`; while a function is traced, the result shares memory with ``tensor``: in-place changes affect both."""
        view = self.detach(tensor)
        if self.layer_writes is not None:
            share(tensor, view, None)
            self._note_view(view)
        return view

    @staticmethod
    def is_row_major(handle: Variable) -> bool:
        """True if the elements of a handle are in row-major order in dynamic mode."""
        return is_row_major(layout_of(handle))

    def detach(self, tensor: Tensor) -> Variable:
        """The value of ``tensor`` without its gradient."""
        with mode.grad_mode(False):
            return self.apply(registry.get("assign"), (tensor,), {})

    def python_number(self, scalar: Tensor) -> Any:
        """The `SymNumber` that a 0-D tensor stands for, with the dtype of Python's number; a complex one keeps its dtype."""
        traced = as_sym_number(scalar)
        return traced if traced.spec.dtype.kind == "c" else as_sym_number(traced, traced.python_type)

    def symbolic_dim(self, tensor: Variable, axis: int) -> Any:
        """Dimension ``axis`` of ``tensor`` as a traced Python int."""
        return as_sym_number(registry.FUNCTIONS["dim_size"](tensor, axis))

    def lod_level_of(self, x: Variable) -> int:
        """The number of LoD levels of a tensor: 0, except in Programs that are built by hand."""
        return 0

    def name_of(self, var: Var) -> str:
        """A stable name for an unnamed value."""
        if var not in self._names:
            self._names[var] = f"_generated_var_{self.named}"
            self.named += 1
        return self._names[var]

    # -- sub-blocks ---------------------------------------------------------------------------------------------------

    def trace_block(
        self,
        function: Callable[..., Any],
        specs: list[Spec] | tuple[Spec, ...] = (),
        preset: dict[Variable, Spec] | None = None,
        stop_gradients: list[bool] | None = None,
        preset_stops: dict[Variable, bool] | None = None,
    ) -> TracedBlock:
        """Run ``function(*args)`` with its ops going to a new closed block, whose first arguments have ``specs``.

        Handles in ``preset`` hold further arguments of those specs at the start. Handles of outer blocks that the function
        rebinds get their old values back; the new ones are in `TracedBlock.rebound`.
        """
        frame = BlockScope(Block(), self.frame)
        self.frame = frame
        records = mode.grad_enabled()
        try:
            stops = stop_gradients or [False] * len(specs)
            args = [self._handle(frame.block.add_arg(s, None, stop), frame) for s, stop in zip(specs, stops, strict=True)]
            for handle, spec in (preset or {}).items():
                frame.rebound[handle] = handle.ssa
                handle.ssa = frame.block.add_arg(spec, None, bool(preset_stops and preset_stops.get(handle)))
            value = function(*args)
            trace_time_effects.check_grad_mode(records)
            rebound = {handle: self._lift(handle.ssa, frame) for handle in frame.rebound}
        finally:
            for handle, old in frame.rebound.items():
                handle.ssa = old
            mode.set_grad_enabled(records)
            self.frame = frame.parent  # type: ignore[assignment]
        return TracedBlock(frame, value, rebound)

    @contextmanager
    def resume(self, traced: TracedBlock) -> Iterator[None]:
        """Append more ops to a finished sub-block (to cast or promote its results), which may rebind more outer handles."""
        saved, frame = self.frame, traced.frame
        if saved is frame:
            yield
            return
        outer = {handle: handle.ssa for handle in traced.rebound if traced.has(handle)}
        for handle in outer:
            handle.ssa = traced.rebound[handle]
        self.frame, block_rebound, frame.rebound = frame, frame.rebound, {}
        try:
            yield
            traced.rebound.update((handle, self._lift(handle.ssa, frame)) for handle in frame.rebound)
        finally:
            for handle, old in {**frame.rebound, **outer}.items():
                handle.ssa = old
            self.frame, frame.rebound = saved, {**frame.rebound, **block_rebound}

    def result_of(self, traced: TracedBlock, tensor: Tensor) -> Var:
        """Return the Var of a traced function's result. For an outer handle it is the value at the block's end."""
        if not isinstance(tensor, Variable) and id(tensor) in self.captured:
            tensor = self.captured[id(tensor)][1]
        if isinstance(tensor, Variable) and traced.has(tensor):
            return traced.rebound[tensor]
        return self.var(tensor)

    def close(self, traced: list[TracedBlock], skip: int) -> list[Var]:
        """Give all blocks the same lifted operands after their first ``skip`` arguments; returns those operands."""
        operands: dict[Var, None] = {}
        for t in traced:
            for outer in t.frame.lifted:
                if outer.block is self.frame.block:
                    operands.setdefault(outer)
        for t in traced:
            args = t.block.args[:skip]
            for outer in operands:
                inner = t.frame.lifted.get(outer)
                if inner is None:
                    inner = t.block.add_arg(outer.spec, None, outer.stop_gradient)
                args.append(inner)
            t.block.args = args
        return list(operands)

    def emit_cond(
        self, pred: Tensor, true: TracedBlock, false: TracedBlock, true_results: Sequence[Tensor], false_results: Sequence[Tensor]
    ) -> list[Variable]:
        """Append a ``cond`` op over two traced branches whose results (tensors of each branch) pair up.

        Outer handles that either branch rebound hold the merged value afterwards. Raises ShapeError when paired results
        differ in rank or dtype.
        """
        handles = list(dict.fromkeys([*true.rebound, *false.rebound]))
        for branch, results in ((true, true_results), (false, false_results)):
            with self.resume(branch):
                values = [self.result_of(branch, r) for r in [*results, *handles]]
            branch.block.results = values
        specs = []
        for i, (a, b) in enumerate(zip(true.block.results, false.block.results, strict=True)):
            spec = join(a.spec, b.spec)
            if spec is None:
                raise ShapeError(f"result {i} is {a.spec} in one branch and {b.spec} in the other: ranks and dtypes must agree")
            specs.append(spec)
        operands = self.close([true, false], 0)
        op = self.append(registry.get("cond"), (self.var(pred), tuple(operands)), {}, tuple(specs), (true.block, false.block))
        for var, a, b in zip(op.outputs, true.block.results, false.block.results, strict=True):
            # also inside no_grad: a branch may give back a value from outside as it is
            var.stop_gradient = a.stop_gradient and b.stop_gradient
        results = [Variable(v, self) for v in op.outputs]
        count = len(results) - len(handles)
        for handle, result in zip(handles, results[count:], strict=True):
            self.hold(handle, result)
        return results[:count]

    def cond(self, pred: Tensor, true_fn: Callable[[], list[Any]], false_fn: Callable[[], list[Any]]) -> list[Variable]:
        """Trace both branches (functions without arguments that return lists of tensors) and append a ``cond``."""
        true = self.trace_block(true_fn)
        false = self.trace_block(false_fn)
        return self.emit_cond(pred, true, false, true.value, false.value)

    def while_loop(
        self, cond_fn: Callable[..., Any], body_fn: Callable[..., list[Any]], init: list[Any]
    ) -> list[Variable]:
        """Append a ``while_loop`` that carries ``init``: ``cond_fn(*vars)`` gives a boolean, ``body_fn(*vars)`` the new values.

        Both functions are traced again until shapes (widened to -1 where they change) and the set of rebound outer handles
        are stable. Raises ShapeError when a carried value changes its rank or dtype.
        """
        return WhileLoopBuilder(self).traced(cond_fn, body_fn, init)  # type: ignore[return-value]

    def state_updates(self) -> list[tuple[Var, Var]]:
        """Pairs of a root value that was changed in place, and its new value."""
        roots = {id(p.holder): p for p in self.program.params}
        return [(roots[key], h.ssa) for key, (_, h) in self.captured.items() if h.ssa is not roots[key]]

    # -- the end ------------------------------------------------------------------------------------------------------

    def finish(self, outputs: list[Any], output_names: list[str] | None = None, but: Collection[Var] = ()) -> Program:
        """Set the Program's outputs and state, and return it. Nothing can be added afterwards.

        ``but``: root values that are left out of the state although they have new values.
        """
        program = self.program
        if self.frame is not self.root:
            raise ProgramError("the Program can't be finished inside a branch or loop")
        results = [self.var(x) for x in outputs]
        updates = [(param, value) for param, value in self.state_updates() if param not in but]
        program.state = [param for param, _ in updates]
        program.block.results = results + [_without_leaf(value) for _, value in updates]
        program.output_names = output_names
        self.finished = True
        return program

    def end(self) -> None:
        """Drop the handles. They refer to this builder, and the cycle would stay in memory until a garbage collection."""
        self.captured.clear()
        self._root_handles.clear()


def _without_leaf(value: Var) -> Var:
    """The value under its ``as_leaf`` ops. A finished Program needs no ``as_leaf``: no gradient is taken any more."""
    while value.op is not None and value.op.name == "as_leaf":
        value = value.op.inputs[0]  # type: ignore[assignment]
    return value
