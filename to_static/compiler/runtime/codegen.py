"""Python source for a schedule: one flat function of array-module calls that write into preallocated buffers.

The source defines ``make(b0, b1, ...)``, which binds one set of buffers and returns ``run(x0, x1, ...)``.
Everything else the code names (kernels, constants, holders of parameters) is in ``Generated.namespace``. `Plan` calls this module.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.program import Block, Op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.var_kinds import PARAM
from to_static.compiler.runtime import inline, scalar_elements
from to_static.compiler.runtime.diagnostics.runtime_shape_check import kernel_of
from to_static.compiler.runtime.interpret import run_block
from to_static.compiler.runtime.memory_plan.arena import Buffer, MemoryPlan
from to_static.compiler.runtime.memory_plan.buffer_reuse import LARGE, Recycler
from to_static.compiler.runtime.memory_plan.buffer_views import PlanViews
from to_static.compiler.runtime.schedule import (
    DOUBLE_BUFFER,
    ESCAPING,
    Allocation,
    BranchStep,
    KernelCall,
    LoopStep,
    Schedule,
    Value,
)
from to_static.compiler.runtime.weight_preprocessing import must_fit
from to_static.compiler.runtime.writes.donation import donates_param
from to_static.compiler.runtime.writes.written_rows import Rows, put_back
from to_static.core.arrays.array_ownership import is_sole_owner
from to_static.core.backend import Backend
from to_static.core.code_generation import word
from to_static.core.dtypes import DType

if TYPE_CHECKING:
    from to_static.compiler.runtime.diagnostics.debug_probe import Probe
    from to_static.compiler.runtime.diagnostics.op_profiler import Recorder
    from to_static.compiler.runtime.weight_preprocessing import Prologue
    from to_static.core.array_types import Array

SHARED = 1000  # `run` closes over at most so many names of `make` one by one
FEW = 16  # a plan with at most so many weights compares their arrays in its own lines
BIG = 1 << 16  # unplanned results of at least so many bytes (or of unknown size) are dropped after their last use


class Generated:
    """The source of a plan, and what belongs to it.

    ``source``: the text; ``namespace``: the objects that it names; ``lines``: the op that each line computes; ``remarks``: comments
    on lines. The source consists of names that are made here and numbers. It holds no text from a file or a user: see
    `core/code_generation.py`.
    """

    def __init__(
        self, schedule: Schedule, memory: MemoryPlan, probe: Probe | Recorder | None = None, update_state: bool = True
    ) -> None:
        self.schedule = schedule
        self.backend: Backend = schedule.backend
        self.namespace: dict[str, Any] = {"xp": self.backend.xp, "asarray": self.backend.xp.asarray}
        self.lines: dict[int, Op] = {}
        self.remarks: dict[int, str] = {}
        self._text: list[str] = []
        self._bound: dict[tuple[str, int], str] = {}
        self._name_counts: dict[str, int] = {}  # hint -> the last number that was appended to it
        self._constants: list[Any] = []
        self._probe = probe
        self._buffers = {id(b): f"b{i}" for i, b in enumerate(memory.buffers)}
        self._padded_names = {id(root.buffer): f"wide_{self._buffers[id(root.buffer)]}" for root in schedule.tails.values()}
        self._owning = donates_param(schedule.program, schedule.last)
        self.commits = update_state and bool(schedule.program.state or schedule.in_place.logged)
        self._in_place = schedule.in_place
        self._views = PlanViews(
            schedule, self._buffers, self.namespace, lambda call, source: inline.RULES[call.op.name](self, call, [source], "")
        )
        self._double_buffers: dict[Allocation, tuple[str, str]] = {}  # names of the two buffers that iterations use in turn
        self._scalar_names: dict[Value, str] = {}  # names of Python numbers that enclosing loops have read from arrays
        self.result_text: str = ""  # the expression of a call's result, if a rule of `inline` sets it: the call is then a statement
        self._prebuilt_calls = self._name_views() if probe is None else set()
        self._write(update_state)
        del self._views  # it refers to this object: the cycle would keep the schedule until a garbage collection
        self.source = "\n".join(self._text) + "\n"

    # -- text and names -----------------------------------------------------------------------------------------------

    def _line(self, indent: int, text: str, op: Op | None = None, remark: str = "") -> None:
        if op is not None:
            self.lines[len(self._text) + 1] = op
            remark = remark or str(op.site or "")
        if remark:
            self.remarks[len(self._text) + 1] = remark
        self._text.append("    " * indent + text)

    def bind(self, value: object, hint: str) -> str:
        """Return the name of an object that the code uses; the first call adds it to the namespace under a name like ``hint``."""
        # each read of a method of a function, such as add.reduce, makes a new object
        key = (hint, hash(value) if isinstance(value, types.BuiltinMethodType) else id(value))
        name = self._bound.get(key)
        if name is None:
            name, n = word(hint), self._name_counts.get(hint, 1)
            while name in self.namespace:
                n += 1
                name = f"{hint}_{n}"
            self._name_counts[hint] = n
            self._bound[key] = name
            self.namespace[name] = value
        return name

    def ref(self, value: Value) -> str:
        """Return the expression for a value; constants get a name in the namespace."""
        if value in self.schedule.counters:
            return f"asarray({value.name}, {self.dtype(value.spec.dtype)})"
        if value.array is None:
            return value.name
        key = ("constant", id(value))
        if key not in self._bound:
            name = f"c{len(self._constants)}"
            self._constants.append(value)
            self._bound[key] = name
            self.namespace[name] = self.backend.asarray(value.array)
        return self._bound[key]

    def dtype(self, dtype: DType) -> str:
        """Return the name of an array module's dtype."""
        return self.bind(dtype.np, dtype.name)

    def constant(self, array: Array, hint: str) -> str:
        """Return the name of a constant array that a rule needs; equal arrays have one name."""
        key = (f"{hint}_{array.dtype}_{array.tobytes().hex()}", 0)
        if key not in self._bound:
            value = self.backend.asarray(array)
            self._bound[key] = self.bind(value, hint)
        return self._bound[key]

    def memoized(self, make: Callable[..., Any], *args: Any) -> str:
        """Return the name of the object ``make(*args)``, which is made once for equal (hashable) arguments."""
        key = (f"{make.__name__} {args}", 0)
        if key not in self._bound:
            self._bound[key] = self.bind(make(*args), make.__name__)
        return self._bound[key]

    def literal(self, value: object) -> str:
        """Return the expression for an attribute: a literal for numbers, None and tuples of ints, else the name of a constant."""
        if value is None or type(value) in (bool, int) or (type(value) is float and math.isfinite(value)):
            return repr(value)
        if type(value) is tuple and all(type(v) in (bool, int) or v is None for v in value):
            return repr(value)
        return self.bind(value, "a")

    # -- the function -------------------------------------------------------------------------------------------------

    def _write(self, update_state: bool) -> None:
        schedule = self.schedule
        memory_args = ", ".join(self._padded_names.get(b, name) for b, name in self._buffers.items())
        packs_arguments = len(self._buffers) > SHARED
        self._line(0, f"def make({'*all_given' if packs_arguments else memory_args}):")
        if packs_arguments:
            self._line(1, f"({memory_args},) = all_given")
        for buffer, padded_name in self._padded_names.items():
            self._line(1, f"{self._buffers[buffer]} = {padded_name}[:, :-1]")
        recycled = [c for c in schedule.calls if c.prepared is None and c.outputs and _is_recycled(c.outputs[0].allocation)]
        self._recyclers = {id(call): f"n{i}" for i, call in enumerate(recycled if self.backend.name == "numpy" else ())}
        for name in self._recyclers.values():
            self._line(1, f"{name} = {self.bind(Recycler, 'Recycler')}()")
        view_position = len(self._text)
        self._runs = {id(call): f"k{i}" for i, call in enumerate(c for c in schedule.calls if c.prepared is not None)}
        for call in schedule.calls:
            if call.prepared is not None:
                self._bind_prepared(call)
        run_position = len(self._text)
        self._line(1, f"def run({', '.join(v.name for v in schedule.feeds)}):")
        if self._in_place.logged:
            self._line(2, f"rows = {self.bind(Rows, 'Rows')}()")
        for i in schedule.program.donated_feeds:
            feed = schedule.feeds[i]
            self._line(2, f"{feed.name} = {self._writable_array(feed, f'{feed.name}.tensor') or f'{feed.name}.array'}")
        used = _names_read(schedule)
        if schedule.derived and schedule.prologue is not None:
            self._write_prologue_values(schedule.prologue, "".join(f"{v.name}, " for v in schedule.derived))
        for value, var in zip(schedule.params, schedule.program.params, strict=True):
            if value.name in used:
                holder = f"h{value.name[1:]}"
                self.namespace[holder] = var.holder
                self._line(2, f"{value.name} = {self._writable_array(value, holder) or f'{holder}._array'}", remark=var.name or "")
                if var.kind != PARAM and isinstance(var.spec, TensorSpec):
                    # a buffer may have another shape or dtype by now; the plan would then compute wrong numbers
                    shape = f"{value.name}.shape != {self.literal(var.spec.shape)} or " if var.spec.is_static else ""
                    self._line(2, f"if {shape}{value.name}.dtype is not {self.bind(var.spec.dtype.np, 'dtype')}:")
                    self._line(3, f"{self.bind(must_fit, 'must_fit')}({self.bind(var, 'var')}, {value.name})")
        if schedule.last:
            self._line(2, "deferred_writes = []")
        inside = 2
        if self._in_place.logged:
            self._line(2, "try:")
            inside = 3
        self._steps(schedule.steps, inside)
        results = [self._fetched(i, v) for i, v in enumerate(schedule.results)]
        state = schedule.program.state
        count = len(results) - len(state)
        items = f"({', '.join(results[:count])},)" if count else "()"
        if self.commits:
            values = "".join(f"{name}, " for name in results[count:])
            deferred_writes = "deferred_writes" if schedule.last else "[]"
            deferred_writes = f"[*{deferred_writes}, *rows.deferred_writes()]" if self._in_place.logged else deferred_writes
            self._line(inside, f"return {items}, ({values}), {deferred_writes}")
        else:
            self._line(inside, f"return {items}")
        if self._in_place.logged:
            self._line(2, "finally:")
            self._line(3, f"{self.bind(put_back, 'put_back')}(rows.undo)")
        self._line(1, "return run")
        self._pack_closure_names(run_position)
        view_lines = [f"    {line}" for line in self._views.lines]
        self._text[view_position:view_position] = view_lines
        self.lines = {line_number + len(view_lines): op for line_number, op in self.lines.items()}
        self.remarks = {line_number + len(view_lines): text for line_number, text in self.remarks.items()}

    def _writable_array(self, value: Value, holder: str) -> str:
        """Return the expression for the array of a tensor that the run writes to; '' for other tensors."""
        in_loop = self._in_place.written_roots.get(value)
        return "" if in_loop is None else f"rows.take({holder}{', True' * in_loop})"

    def _pack_closure_names(self, run_position: int) -> None:
        """Pass very many names of ``make`` to ``run`` as one tuple. The first line of ``run`` is at ``run_position``.

        Python compiles a nested function in time quadratic in the number of names that it closes over.
        """
        names = [
            *self._buffers.values(),
            *self._padded_names.values(),
            *self._recyclers.values(),
            *self._runs.values(),
            *self._views.definitions,
        ]
        if len(names) <= SHARED:
            return
        name_list = ", ".join(names)
        self._text[run_position + 1 : run_position + 1] = [f"        ({name_list},) = all_kept"]
        self._text[run_position:run_position] = [f"    all_kept = ({name_list},)"]
        self.lines = {line + 2: op for line, op in self.lines.items()}  # all of them are lines of `run`

    def _name_views(self) -> set[KernelCall]:
        """Name views of buffers as the code that binds buffers does; return the calls that therefore need no line."""
        named = {c for c in self.schedule.calls if c.outputs and "alias" in c.op.opdef.traits and self._views.name_of(c.outputs[0])}
        for call in named:
            call.outputs[0].name = str(self._views.name_of(call.outputs[0]))
        return named

    def _write_prologue_values(self, prologue: Prologue, values: str) -> None:
        """Write the lines that read the values computed from weights.

        With at most `FEW` weights the lines themselves compare the arrays with those of the last run, which costs less than a call.
        """
        name = self.bind(prologue, "prologue")
        if len(prologue.holders) > FEW:
            self._line(2, f"({values.strip()}) = {name}()")
            return
        arguments = [f"a{i}" for i in range(len(prologue.holders))]
        stale_tests = [f"{self.bind(holder, 'h')}._array is not {a}" for holder, a in zip(prologue.holders, arguments, strict=True)]
        stale_tests = stale_tests or [f"{self.schedule.derived[0].name} is None"]
        self._line(2, f"({values}{' '.join(f'{a},' for a in arguments)}) = {name}.now")
        self._line(2, f"if {' or '.join(stale_tests)}:")
        self._line(3, f"({values.strip()}) = {name}()")

    def _fetched(self, i: int, value: Value) -> str:
        name = self.ref(value)
        return f"{name}.copy()" if i in self.schedule.copied else name

    def _steps(self, steps: list[Any], indent: int) -> None:
        if not steps:
            self._line(indent, "pass")
        dropped = _last_uses(steps)
        for i, step in enumerate(steps):
            if isinstance(step, KernelCall):
                self._call(step, indent)
            elif isinstance(step, BranchStep):
                self._branch(step, indent)
            else:
                self._loop(step, indent)
            names = [v.name for v in dropped.get(i, ()) if v not in self.schedule.retained and self._views.name_of(v) is None]
            if names:
                self._line(indent, f"{' = '.join(names)} = None")

    def _call(self, call: KernelCall, indent: int) -> None:
        if call.outputs and call.outputs[0] in self.schedule.grown:
            self._line(indent, f"{call.inputs[0].name}.append({self.ref(call.inputs[1])})", call.op)
            return
        if call in self._prebuilt_calls:
            return
        names = [v.name for v in call.outputs]
        self.result_text = ""
        if call.op in self._owning:  # on its own line: the arguments of a running call would count as owners
            self._line(indent, f"donated = {self.bind(is_sole_owner, 'alone')}(h{call.inputs[0].name[1:]}, 1)")
        text = self._expression(call)
        if call.outputs and call.outputs[0] in self._in_place.early_copies:
            text = f"({text}).copy()"
        arguments = self.result_text
        if call.op.opdef.multi or call.op.blocks:
            target = f"({', '.join(names)}{',' if len(names) == 1 else ''}) = " if names else ""
            self._line(indent, target + text, call.op)
            for value in call.outputs if call.prepared is None else ():
                if _may_be_scalar(value):
                    self._line(indent, f"{value.name} = asarray({value.name})", call.op)
        elif arguments:
            self._line(indent, text, call.op)
            self._line(indent, f"{names[0]} = {arguments}")
        else:
            self._line(indent, f"{names[0]} = {text}", call.op)
        if self._probe is not None:
            probe, op = self.bind(self._probe, "probe"), self.bind(call.op, "op")
            self._line(indent, f"{probe}({op}, [{', '.join(names)}])", call.op)

    def _expression(self, call: KernelCall) -> str:
        op = call.op
        args = [
            "None" if v is None else f"[{', '.join(map(self.ref, v))}]" if isinstance(v, tuple) else self.ref(v)
            for v in call.inputs
        ]
        if op.blocks:
            return self._interpreted(op, args)
        if call.outputs and (call.outputs[0] in self.schedule.truths or call.outputs[0] in self.schedule.counters):
            return scalar_elements.expression(op.name, [self.python_scalar(v) for v in call.inputs])
        if call.prepared is not None:
            if op in self.schedule.last:
                args.append("deferred_writes=deferred_writes")
            return f"{self._runs[id(call)]}({', '.join(args)})"
        if call in self._in_place.elided_copies:
            return args[0]
        if call in self._in_place.calls:
            words = [*args, *(f"{word(k)}={self.literal(v)}" for k, v in op.attrs.items())]
            words.append("donated=rows" if call in self._in_place.logged else "donated=True")
            return f"{self.bind(kernel_of(op, self.backend.name), f'{op.name}_kernel')}(xp, {', '.join(words)})"
        out = self._out(call)
        view = self._views.name_of(call.outputs[0]) if call.outputs and "alias" in op.opdef.traits else None
        if view is not None:
            return view
        special = inline.RULES.get(op.name)
        if special is not None and self.backend.name not in op.opdef.kernels:
            text = special(self, call, args, out)
            if text is not None:
                return self._scalar_safe(call, text, out)
        if op.opdef.ufunc is not None and self.backend.name not in op.opdef.kernels:
            return self._scalar_safe(call, inline.ufunc(self, op.opdef.ufunc, args, out), out)
        kernel = self.bind(kernel_of(op, self.backend.name), f"{op.name}_kernel")
        words = [*args, *(f"{word(k)}={self.literal(v)}" for k, v in op.attrs.items())]
        if out:
            words.append(f"out={out}")
        if op in self.schedule.last:
            words.append("deferred_writes=deferred_writes")
        if op in self._owning:
            words.append("donated=donated")
        return self._scalar_safe(call, f"{kernel}(xp{''.join(', ' + w for w in words)})", out)

    def _scalar_safe(self, call: KernelCall, text: str, out: str) -> str:
        """Return ``text`` as an expression of an array: NumPy's functions return scalars instead of new 0-D arrays."""
        if not out and not call.op.opdef.multi and _may_be_scalar(call.outputs[0]):
            return f"asarray({text})"
        return text

    def python_scalar(self, value: Value) -> str:
        """Return an expression for the element of a one-element value as a Python number."""
        if value in self.schedule.truths or value in self.schedule.counters:
            return value.name
        if value in self._scalar_names:
            return self._scalar_names[value]
        if value.array is not None:
            scalar = value.array.item()
            if not isinstance(scalar, float) or math.isfinite(scalar):
                return self.literal(scalar)
        return f"{self.ref(value)}.item()"

    def _bind_prepared(self, call: KernelCall) -> None:
        """Write the line that binds a prepared operation to its memory and to the arrays that are the same in every run."""
        fixed = ["None" if v is None else self._fixed(v) for v in call.inputs]
        root = call.outputs[0].allocation
        outs = [self._fixed(v) for v in call.outputs]
        out = f"[{', '.join(outs)}]" if call.op.opdef.multi else outs[0]
        empty = f", {self.bind(Recycler, 'Recycler')}()" if out == "None" and _is_recycled(root) else ""
        work, zeros = (", ".join(map(self._buffer, buffers)) for buffers in (call.work, call.persistent))
        bind = self.bind(call.prepared.bind, f"bind_{call.op.name}")  # type: ignore[union-attr]
        self._line(1, f"{self._runs[id(call)]} = {bind}([{', '.join(fixed)}], {out}, [{work}], [{zeros}]{empty})")

    def _fixed(self, value: Value) -> str:
        """Return the name of the buffer that a value always is (a list of names for several values), or the text None."""
        if isinstance(value, tuple):
            return f"[{', '.join(map(self._fixed, value))}]"
        name = self._views.name_of(value)
        if name is None or not self._views.in_one_piece(name):  # a reshape of a strided view would copy
            return "None"
        return name

    def seen_as(self, value: Value, text: str, shape: tuple[int, ...]) -> str:
        """Return the expression for a value in another shape. If the value is always the same memory, the view is made once."""
        return self._views.reshaped(self._views.name_of(value), shape) or f"{text}.reshape({self.literal(shape)})"

    def _out(self, call: KernelCall) -> str:
        """Return the ``out`` argument of a call: a buffer's name, or '' for new memory."""
        root = call.outputs[0].allocation if call.outputs else None
        if root is None or root.storage == ESCAPING:
            return self._recycled(call) if id(call) in self._recyclers else ""
        if root.storage == DOUBLE_BUFFER:
            return self._double_buffers[root][0]
        return self._buffer(root.buffer)

    def _recycled(self, call: KernelCall) -> str:
        """Return the expression of the ``out`` array for a large result. It reuses memory to which nothing else refers."""
        spec = call.outputs[0].spec
        return f"{self._recyclers[id(call)]}({self.literal(spec.shape)}, {self.dtype(spec.dtype)})"

    def with_tail(self, value: Value) -> str:
        """Return the name of the buffer of a row that is followed by a 1 (for a bias in the last weight row), or ''."""
        root = self.schedule.tails.get(value)
        return self._padded_names[id(root.buffer)] if root is not None else ""

    def _buffer(self, buffer: Buffer) -> str:
        return self._buffers[id(buffer)]

    def _interpreted(self, op: Op, args: list[str]) -> str:
        """Return a call of the interpreter, for a control op that is nested too deep for Python's syntax."""
        backend = self.backend

        def run(*values: Any) -> list[Any]:
            block = Block()
            flat = iter(values)
            env = {v: next(flat) for v in op.operands()}
            block.ops = [op]
            block.results = list(op.outputs)
            return run_block(block, [], backend, env)

        flat = ", ".join(a.strip("[]") for a in args if a != "[]")
        return f"{self.bind(run, 'interpreted_' + op.name)}({flat})"

    # -- control flow -------------------------------------------------------------------------------------------------

    def _branch(self, branch: BranchStep, indent: int) -> None:
        test = self._inline_truth(branch.pred, indent) or self.ref(branch.pred)
        for line, (steps, results) in zip((f"if {test}:", "else:"), branch.sides, strict=True):
            if line == "else:" and not steps and all(o.name == self.ref(r) for o, r in zip(branch.outputs, results, strict=True)):
                break
            self._line(indent, line, branch.op)
            if steps:
                self._steps(steps, indent + 1)
            moves = [(o.name, self.ref(r)) for o, r in zip(branch.outputs, results, strict=True)]
            self._assign(moves, indent + 1, branch.op)

    def _loop(self, loop: LoopStep, indent: int) -> None:
        grown = set(self.schedule.grown.values())
        starts = self._moves(loop.carried, loop.first)
        starts = [(a, f"list({b})") if c in grown else (a, b) for c, (a, b) in zip(loop.carried, starts, strict=True)]
        for i, (carried, first) in enumerate(zip(loop.carried, loop.first, strict=True)):
            if (loop, i) in self._in_place.copied_at_entry:
                starts[i] = (carried.name, f"{self.ref(first)}.copy()")
            padded_name = self.with_tail(carried)
            if padded_name:
                one = self.constant(np.ones((1, 1), carried.spec.dtype.np), "one")
                concatenate = self.bind(self.backend.xp.concatenate, "concatenate")
                self._line(indent, f"{concatenate}(({self.ref(first)}, {one}), 1, {padded_name})", loop.op)
                starts[i] = (carried.name, self._buffer(self.schedule.tails[carried].buffer))
        self._assign(starts, indent, loop.op)
        outer_scalar_names = self._scalar_names
        self._scalar_names = {**outer_scalar_names, **self._hoist_scalars(loop, indent)}
        swaps = []
        for result in loop.results:
            root = result.allocation
            if root is not None and root.storage == DOUBLE_BUFFER:
                current, spare = self._double_buffers[root] = f"next_{result.name}", f"spare_{result.name}"
                self._line(indent, f"{current}, {spare} = {self._buffer(root.buffer[0])}, {self._buffer(root.buffer[1])}")
                swaps.append(f"{current}, {spare} = {spare}, {current}")
        steps, body, counter = loop.test_steps, loop.body, self._range(loop)
        if counter is not None:
            carried, text, step = counter
            self._line(indent, f"for {carried.name} in {text}:", loop.op)
            body = [s for s in body if s is not step]
        elif self._probe is None and len(steps) == 1 and isinstance(steps[0], KernelCall) and steps[0].outputs == [loop.test]:
            self._line(indent, f"while {self._expression(steps[0])}:", steps[0].op)
        elif not steps:
            self._line(indent, f"while {self.ref(loop.test)}:", loop.op)
        else:
            self._line(indent, "while True:", loop.op)
            self._steps(steps, indent + 1)
            test = self._inline_truth(loop.test, indent + 1)
            self._line(indent + 1, f"if not ({test}):" if test else f"if not {self.ref(loop.test)}:", loop.op)
            self._line(indent + 2, "break")
        moves = self._moves(loop.carried, loop.results)
        if counter is not None:
            moves = [(a, b) for a, b in moves if a != carried.name]
        if body:
            self._steps(body, indent + 1)
        self._assign(moves, indent + 1, loop.op)
        for swap in swaps:
            self._line(indent + 1, swap)
        self._scalar_names = outer_scalar_names

    def _range(self, loop: LoopStep) -> tuple[Value, str, KernelCall | None] | None:
        """Return (counter, range text, step) if the loop can be a ``for`` over `range`: nothing else reads the counter."""
        test = loop.test_steps[0] if len(loop.test_steps) == 1 and self._probe is None else None
        if not isinstance(test, KernelCall) or test.outputs != [loop.test] or self.schedule.uses_of(loop.test) > 1:
            return None
        calls = {call.outputs[0]: call for call in loop.body if isinstance(call, KernelCall) and call.outputs}
        for carried, result in zip(loop.carried, loop.results, strict=True):
            if carried not in self.schedule.counters or result is carried or self.schedule.is_used_after(carried, loop.end):
                continue
            by = scalar_elements.step(calls[result])
            end = scalar_elements.limit(test, carried, by)
            if end is None or end[0] in loop.carried:
                continue
            last, more = end
            if last.array is None and last not in self._scalar_names and last not in self.schedule.counters:
                continue
            text = f"range({carried.name}, {self.python_scalar(last)}{more}{f', {by}' * (by != 1)})"
            return carried, text, calls[result] if self.schedule.uses_of(result) == 1 else None
        return None

    def _hoist_scalars(self, loop: LoopStep, indent: int) -> dict[Value, str]:
        """Write lines before a loop that read the scalars which each iteration would read from the same arrays.

        Returns the names of these scalars.
        """
        steps = list(_with_nested_steps(loop))
        produced = {v for step in steps for v in (step.carried if isinstance(step, LoopStep) else step.outputs)}
        numeric = self.schedule.truths | self.schedule.counters
        scalars: dict[Value, str] = {}
        for call in steps:
            if not isinstance(call, KernelCall) or not call.outputs or call.outputs[0] not in numeric:
                continue
            for value in call.inputs:
                inside = value in produced or value in numeric or value in scalars
                if not inside and value.array is None and value not in self._scalar_names:
                    scalars[value] = f"number_{value.name}"
                    self._line(indent, f"{scalars[value]} = {self.ref(value)}.item()", call.op)
        return scalars

    def _inline_truth(self, value: Value, indent: int) -> str:
        """If the last line computes the truth ``value`` and only the next line reads it, remove the line; return its expression.

        Otherwise return ''.
        """
        start = "    " * indent + f"{value.name} = "
        if value not in self.schedule.truths or self.schedule.uses_of(value) > 1 or not self._text[-1].startswith(start):
            return ""
        self.lines.pop(len(self._text), None)
        self.remarks.pop(len(self._text), None)
        return self._text.pop()[len(start) :]

    def _moves(self, carried: list[Value], values: list[Value]) -> list[tuple[str, str]]:
        counters = self.schedule.counters
        pairs = zip(carried, values, strict=True)
        return [(c.name, self.python_scalar(v) if c in counters else self.ref(v)) for c, v in pairs]

    def _assign(self, moves: list[tuple[str, str]], indent: int, op: Op) -> None:
        """Write one parallel assignment of the pairs (target, expression); pairs with equal texts are left out."""
        moves = [(a, b) for a, b in moves if a != b]
        if moves:
            self._line(indent, f"{', '.join(a for a, _ in moves)} = {', '.join(b for _, b in moves)}", op)
        elif not self._text[-1].startswith("    " * indent):
            self._line(indent, "pass")


def _is_recycled(root: Allocation | None) -> bool:
    """True if a result has new memory in each run, and is so large that reusing the memory pays."""
    return root is not None and root.storage == ESCAPING and root.spec.size * root.spec.dtype.itemsize >= LARGE


def _may_be_scalar(value: Value) -> bool:
    return getattr(value.spec, "shape", None) == ()


def _last_uses(steps: list[Any]) -> dict[int, list[Value]]:
    """Step index -> large values of these steps that no later step reads: their memory can be freed after the step."""
    last: dict[Value, int] = {}
    for i, step in enumerate(steps):
        for value in _values([step]):
            if value in last:
                last[value] = i
        if isinstance(step, KernelCall):
            last.update((v, i) for v in step.outputs if _is_large(v))
    last_uses: dict[int, list[Value]] = {}
    for value, i in last.items():
        last_uses.setdefault(i, []).append(value)
    return last_uses


def _is_large(value: Value) -> bool:
    if value.allocation is not None and value.allocation.storage != ESCAPING:
        return False
    spec = value.spec
    return not isinstance(spec, TensorSpec) or not spec.is_static or spec.size * spec.dtype.itemsize >= BIG


def _with_nested_steps(step: Any) -> Iterator[Any]:
    """A step and all steps nested in it."""
    yield step
    if isinstance(step, BranchStep):
        inner = [s for side, _ in step.sides for s in side]
    else:
        inner = [*step.test_steps, *step.body] if isinstance(step, LoopStep) else []
    for nested in inner:
        yield from _with_nested_steps(nested)


def _names_read(schedule: Schedule) -> set[str]:
    return {v.name for v in _values(schedule.steps)} | {v.name for v in schedule.results}


def _values(steps: list[Any]) -> Iterator[Value]:
    for step in steps:
        if isinstance(step, KernelCall):
            for item in step.inputs:
                if isinstance(item, tuple):
                    yield from item
                elif item is not None:
                    yield item
        elif isinstance(step, BranchStep):
            yield step.pred
            for inner, results in step.sides:
                yield from _values(inner)
                yield from results
        else:
            yield from (*step.first, step.test, *step.results)
            yield from _values(step.test_steps)
            yield from _values(step.body)
