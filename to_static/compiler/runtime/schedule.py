"""`Schedule`: a Program as a list of steps with inlined blocks, and an alias analysis of its values.

Positions number the steps in the order of the generated source. The memory that an op writes is an `Allocation`, called a root.
Views, branch results and loop variables are values that may share the memory of several roots. `Plan` makes a schedule.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.opdef import Prepared
from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.spec import ListSpec, TensorSpec
from to_static.compiler.ir.var_kinds import PARAM
from to_static.compiler.runtime import inline, scalar_elements
from to_static.compiler.runtime.bias_padding import rows_with_tails
from to_static.compiler.runtime.memory_plan.branch_memory import BranchMemory
from to_static.compiler.runtime.weight_preprocessing import Prologue
from to_static.compiler.runtime.writes.inplace_append import grown_lists
from to_static.compiler.runtime.writes.inplace_writes import InPlace
from to_static.compiler.runtime.writes.written_rows import may_be_taken
from to_static.core.backend import Backend

if TYPE_CHECKING:
    from to_static.core.array_types import Array

ARENA = "pool"  # a part of the plan's arena, shared with roots that live at other times
IN_PLACE = "same"  # a part of the arena that every iteration of a loop overwrites, after its last read of the old value
DOUBLE_BUFFER = "pair"  # two parts of the arena that loop iterations use in turn
ESCAPING = "fresh"  # new memory in each execution: for values that callers, lists and unclear loop variables hold

MANY = 64  # if a value may share the memory of more roots, the alias analysis gives up on it
MAX_DEPTH = 16  # CPython refuses more than 20 nested loops; deeper blocks are interpreted


class Allocation:
    """Memory that one op writes. It is live from position ``start`` to ``end``; ``loops``: the loops around the op."""

    __slots__ = ("buffer", "crosses", "end", "loops", "makers", "spec", "start", "storage", "takes_over")

    def __init__(self, spec: TensorSpec, start: int, loops: tuple[LoopStep, ...]) -> None:
        self.spec = spec
        self.start = self.end = start
        self.loops = loops
        self.crosses: list[LoopStep] = []  # loops that carry it from one iteration to the next
        self.makers = 1  # the number of ops that write it: several if branches share it
        self.storage = ARENA
        self.takes_over: Allocation | None = None  # the root whose memory this one takes over (an op that works in place)
        self.buffer: Any = None  # set by memory planning


class Value:
    """A name in the generated function.

    ``allocation``: the memory that its op writes; None for a view, and for a value that may be one of several.
    ``roots``: the allocations whose memory it may share. ``array``: the array of a constant.
    ``defined_at``: the position from which on the name has a value.
    """

    __slots__ = ("allocation", "array", "defined_at", "name", "roots", "spec")

    def __init__(
        self,
        spec: TensorSpec | None,
        name: str,
        allocation: Allocation | None = None,
        array: Array | None = None,
        defined_at: int = 0,
    ) -> None:
        self.spec: Any = spec
        self.name = name
        self.allocation = allocation
        self.roots: set[Allocation] = set() if allocation is None else {allocation}
        self.array = array
        self.defined_at = defined_at


@dataclass(eq=False, slots=True)
class KernelCall:
    """Run a kernel (or, too deep inside other blocks, interpret a control op)."""

    op: Op
    inputs: tuple[Any, ...]  # as `Op.inputs`, with values in place of Vars
    outputs: list[Value]
    position: int
    prepared: Prepared | None = None  # the form with its own memory, if the op has one
    work: list[Any] = field(default_factory=list)  # the buffers of ``prepared.work``
    persistent: list[Any] = field(default_factory=list)  # the buffers of ``prepared.persistent``


@dataclass(eq=False, slots=True)
class BranchStep:
    """``if``: the steps of one block run, then its results become the outputs. ``spans``: first and last position of each side."""

    op: Op
    pred: Value
    outputs: list[Value]
    sides: list[tuple[list[Any], list[Value]]] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class LoopStep:
    """``while``: ``carried`` start as ``first`` and become ``results`` after each iteration."""

    op: Op
    carried: list[Value]
    first: list[Value]
    test_steps: list[Any] = field(default_factory=list)
    test: Any = None
    body: list[Any] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)
    start: int = 0
    end: int = 0


class Schedule:
    """The steps of a Program in the order of a run.

    ``prologue``: its ops are no steps; ``last``: operators that run after all others; ``commits``: True if runs change the
    Program's state.

    Attributes:
        copied: indices of results that must be copied before the caller gets them.
        retained: results of the Program, a branch or a loop body: they are read after all steps around them.
        truths, counters: values that are Python numbers in the source (see `scalar_elements`).
        grown: new list -> carried list that it is appended to in place (see `inplace_append`).
        tails: carried values that are stored with a trailing 1 -> their allocations (see `bias_padding`).
        derived: the values of the ``prologue``.
        in_place: the in-place writes (see `inplace_writes`).
    """

    def __init__(
        self, program: Program, backend: Backend, prologue: Prologue | None = None, last: Sequence[Op] = (), commits: bool = False
    ) -> None:
        self.program = program
        self.last = last
        self.commits = commits
        self.prologue = prologue
        self.backend = backend
        self.roots: list[Allocation] = []
        self.loops: list[LoopStep] = []
        self.calls: list[KernelCall] = []
        self.branches: list[BranchStep] = []  # inner ones first
        self.copied: set[int] = set()
        self.retained: set[Value] = set()
        self.truths: set[Value] = set()
        self.counters: set[Value] = set()
        self.grown: dict[Value, Value] = {}
        self.tails: dict[Value, Allocation] = {}
        self._arrays: set[Value] = set()  # values that some step reads as arrays, not as Python numbers
        self._edges: list[tuple[Value, Value]] = []
        self._uses: list[tuple[Value, int, tuple[LoopStep, ...]]] = []
        self._reads: dict[Value, list[int]] = {}  # value -> positions of its uses, in order
        self._escaping: list[Value] = []
        self._position = 0
        self._count = 0
        env: dict[Var, Value] = {}
        self.feeds = [self._bind(env, v, f"x{i}") for i, v in enumerate(program.feeds)]
        self.params = [self._bind(env, v, f"p{i}") for i, v in enumerate(program.params)]
        self.derived = [self._bind(env, v, f"w{i}") for i, v in enumerate(prologue.values)] if prologue else []
        self.steps = self._block(program.block, env, (), 0)
        self.results = [env[v] for v in program.block.results]
        self.end = self._use(self.results, ())  # the position at which the caller reads them
        self._arrays.update(self.results)
        self.retained.update(self.results)
        self._find_truths()
        self._find_counters()
        self._forget_roots(self.truths | self.counters)
        calls = {call.position: call for call in self.calls}
        for loop in self.loops:
            self.grown.update(grown_lists(loop, self._reads, calls))
        for result, carried in self.grown.items():
            result.name = carried.name
        self._assign_storage(calls)
        self._name_in_place()

    # -- walking ------------------------------------------------------------------------------------------------------

    def _bind(self, env: dict[Var, Value], var: Var, name: str) -> Value:
        env[var] = value = Value(var.spec, name, defined_at=self._position)
        return value

    def _tick(self) -> int:
        self._position += 1
        return self._position

    def _name(self) -> str:
        self._count += 1
        return f"v{self._count - 1}"

    def _use(self, values: list[Value], loops: tuple[LoopStep, ...]) -> int:
        position = self._tick()
        for value in values:
            self._uses.append((value, position, loops))
            self._reads.setdefault(value, []).append(position)
        return position

    def _block(self, block: Block, env: dict[Var, Value], loops: tuple[LoopStep, ...], depth: int) -> list[Any]:
        steps: list[Any] = []
        ops = [*(op for op in block.ops if op not in self.last), *self.last] if self.last and depth == 0 else block.ops
        for op in ops:
            if self.prologue is not None and op in self.prologue.ops:
                continue
            if op.name == "constant":
                env[op.out] = Value(op.out.spec, "", array=op.attrs["value"])
            elif op.name == "cond" and depth < MAX_DEPTH:
                steps.append(self._branch(op, env, loops, depth))
            elif op.name == "while_loop" and depth < MAX_DEPTH:
                steps.append(self._loop(op, env, loops, depth))
            else:
                steps.append(self._call(op, env, loops))
        return steps

    def _call(self, op: Op, env: dict[Var, Value], loops: tuple[LoopStep, ...]) -> KernelCall:
        inputs = tuple(
            None if v is None else tuple(env[u] for u in v) if isinstance(v, tuple) else env[v] for v in op.inputs
        )
        read = [env[v] for v in op.operands()]
        position = self._use(read, loops)
        if op.name not in scalar_elements.LOGICAL:
            self._arrays.update(read)
        ready = prepared(op, self.backend)
        planned = plannable(op, self.backend) if ready is None else op.outputs[0].spec.size > 0  # type: ignore[union-attr]
        outputs = []
        for var in op.outputs:
            root = None
            if planned:
                root = Allocation(var.spec, position, loops)  # type: ignore[arg-type]
                self.roots.append(root)
            env[var] = value = Value(var.spec, self._name(), root, defined_at=position)
            outputs.append(value)
            if "alias" in op.opdef.traits:
                self._edges.append((read[0], value))
        if op.blocks:  # each result may share the memory of each input
            any_of_them = Value(None, "")
            self._edges.extend((v, any_of_them) for v in read)
            self._edges.extend((any_of_them, v) for v in outputs)
        if any(isinstance(v.spec, ListSpec) for v in (*read, *outputs)):
            self._escaping.extend(read)  # a list may hold its elements for any time
        call = KernelCall(op, inputs, outputs, position, ready)
        self.calls.append(call)
        return call

    def _branch(self, op: Op, env: dict[Var, Value], loops: tuple[LoopStep, ...], depth: int) -> BranchStep:
        pred = env[op.inputs[0]]
        self._use([pred], loops)
        branch = BranchStep(op, pred, [self._bind(env, v, self._name()) for v in op.outputs])
        for block in op.blocks:
            inner = dict(zip(block.args, [env[v] for v in op.inputs[1]], strict=True))
            first = self._position + 1
            steps = self._block(block, inner, loops, depth + 1)
            results = [inner[v] for v in block.results]
            branch.spans.append((first, self._use(results, loops)))
            self._arrays.update(results)
            self.retained.update(results)
            self._edges.extend(zip(results, branch.outputs, strict=True))
            produced = {v for s in steps if isinstance(s, KernelCall) for v in s.outputs}
            times = Counter(results)
            for result, output in zip(results, branch.outputs, strict=True):
                if result in produced and times[result] == 1:
                    result.name = output.name  # no assignment is needed
            branch.sides.append((steps, results))
        self.branches.append(branch)
        return branch

    def _loop(self, op: Op, env: dict[Var, Value], loops: tuple[LoopStep, ...], depth: int) -> LoopStep:
        operands = [env[v] for v in op.inputs[0]]
        count = op.attrs["carried"]
        loop = LoopStep(op, [Value(v.spec, self._name(), defined_at=self._position) for v in op.outputs], operands[:count])
        loop.start = self._use(loop.first, loops)
        self._edges.extend(zip(loop.first, loop.carried, strict=True))
        inside = (*loops, loop)
        values = [*loop.carried, *operands[count:]]
        test, body = op.blocks
        inner = dict(zip(test.args, values, strict=True))
        loop.test_steps = self._block(test, inner, inside, depth + 1)
        loop.test = inner[test.results[0]]
        self._use([loop.test], inside)
        inner = dict(zip(body.args, values, strict=True))
        loop.body = self._block(body, inner, inside, depth + 1)
        loop.results = [inner[v] for v in body.results]
        loop.end = self._use(loop.results, inside)
        self._arrays.update((*loop.first, *loop.results))
        self.retained.update((loop.test, *loop.results))
        self._edges.extend(zip(loop.results, loop.carried, strict=True))
        self.loops.append(loop)
        env.update(zip(op.outputs, loop.carried, strict=True))
        return loop

    def uses_of(self, value: Value) -> int:
        """The number of reads of a value."""
        return len(self._reads.get(value, ()))

    def is_used_after(self, value: Value, position: int) -> bool:
        """True if anything after ``position`` reads a value."""
        return self._reads.get(value, [0])[-1] > position

    def _find_truths(self) -> None:
        for call in reversed(self.calls):
            if call.op.name in scalar_elements.TRUTHS and scalar_elements.of_single_elements(call.op):
                if call.outputs[0] in self._arrays:
                    self._arrays.update(call.inputs)
                else:
                    self.truths.add(call.outputs[0])
            else:
                self._arrays.update(v for v in call.inputs if isinstance(v, Value))

    def _find_counters(self) -> None:
        for loop in self.loops:
            calls = {call.outputs[0]: call for call in loop.body if isinstance(call, KernelCall) and call.outputs}
            for carried, first, result in zip(loop.carried, loop.first, loop.results, strict=True):
                if result in calls and scalar_elements.counts(calls[result], carried, first):
                    self.counters.update((carried, result))

    def _forget_roots(self, values: set[Value]) -> None:
        unneeded = {v.allocation for v in values}
        self.roots = [r for r in self.roots if r not in unneeded]
        for value in values:
            value.allocation = None
            value.roots.clear()

    # -- memory -------------------------------------------------------------------------------------------------------

    def _assign_storage(self, calls: dict[int, KernelCall]) -> None:
        """Decide for each root its storage and its live range."""
        self._write_in_place()
        targets: dict[Value, list[Value]] = {}
        for source, target in self._edges:
            targets.setdefault(source, []).append(target)
        self._share_sides(targets)
        self._propagate(targets)
        for value, position, loops in self._uses:
            for root in value.roots:
                root.end = max(root.end, _last(position, loops, root.loops))
        starts = {root: root.start for root in self.roots}
        for loop in self.loops:
            for value in loop.carried:
                for root in value.roots:
                    if loop in root.loops and loop not in root.crosses:
                        root.crosses.append(loop)
                        root.start = min(root.start, loop.start)
        for root in self.roots:
            if root.crosses:
                root.storage = ESCAPING
        for loop in self.loops:
            back = set(zip(loop.results, loop.carried, strict=True))
            for root, carried in _alternating(loop):
                root.storage = IN_PLACE if self._read_before(calls[starts[root]], carried, loop, targets, back) else DOUBLE_BUFFER
        self.tails = rows_with_tails(self.loops, self.calls, IN_PLACE)
        for value in self._escaping:
            for root in value.roots:
                root.storage = ESCAPING
        outputs = len(self.program.outputs)
        holders = zip(self.params, self.program.params, strict=True)
        tensor_values = [v for v, var in holders if var.kind != PARAM or v in self.in_place.written_roots]
        tensor_values += self.in_place.written_roots
        returned_roots = self.in_place.returned_roots
        overwritable = self._in_memory_of(tensor_values, targets)  # values whose memory a later run may overwrite
        returned: set[Value] = set()
        for i, value in enumerate(self.results):
            is_repeated = i >= outputs and value in returned  # holders of state must not share memory
            returned.add(value)
            is_overwritable = i < outputs and not value.roots and value in overwritable and i not in returned_roots
            in_loop_buffer = any(root.storage in (IN_PLACE, DOUBLE_BUFFER) for root in value.roots)
            if is_repeated or is_overwritable or value.array is not None or in_loop_buffer:
                self.copied.add(i)
            else:
                for root in value.roots:
                    root.storage = ESCAPING
        for call in self.calls:
            _work_in_place(call)

    def _write_in_place(self) -> None:
        """Let operators that change a part of an operand write in place, if nothing reads the old value afterwards."""
        state: list[tuple[Value, int]] = []
        if self.commits:
            program, first = self.program, len(self.program.outputs)
            result_index = {id(var.holder): first + i for i, var in enumerate(program.state)}
            result_index.update((id(holder), k) for holder, k in program.carried)
            candidates = [(v, var.holder) for v, var in zip(self.params, program.params, strict=True) if may_be_taken(var.holder)]
            state += [(v, result_index[id(holder)]) for v, holder in candidates if id(holder) in result_index]
            state += [(self.feeds[i], k) for i, k in program.donated_feeds.items()]
        writes = self.in_place = InPlace(self, state if self.backend.name == "numpy" else [])
        for call in (*writes.calls, *writes.elided_copies):
            value = call.outputs[0]
            self._edges.append((call.inputs[0], value))
        self._forget_roots({call.outputs[0] for call in (*writes.calls, *writes.elided_copies)})
        begin = {(loop.first[k], loop.carried[k]) for loop, k in writes.copied_at_entry}
        self._edges = [edge for edge in self._edges if edge not in begin and edge[1] not in writes.early_copies]

    @staticmethod
    def _in_memory_of(values: list[Value], targets: dict[Value, list[Value]]) -> set[Value]:
        """Return the values that may share the memory of one of ``values``, with these."""
        connected, todo = set(values), list(values)
        while todo:
            new = [target for target in targets.get(todo.pop(), ()) if target not in connected]
            connected.update(new)
            todo += new
        return connected

    def _read_before(
        self, call: KernelCall, carried: Value, loop: LoopStep, targets: dict[Value, list[Value]], back: set[tuple[Value, Value]]
    ) -> bool:
        """True if each iteration reads the old value of ``carried`` only before ``call`` writes the new one.

        ``targets``: value -> values that may share its memory; ``back``: the back edges (result, carried) of ``loop``.
        """
        old, todo = {carried}, [carried]
        while todo and len(old) < MANY:
            source = todo.pop()
            for target in targets.get(source, ()):
                if target.defined_at <= loop.end and (source, target) not in back and target not in old:
                    old.add(target)
                    todo.append(target)
        if todo:
            return False  # too many values to check for each variable: two buffers are always right
        in_place = _is_elementwise(call) or call.op.name == "packed_rows"
        last = call.position
        return all(
            p < last or (p == last and v is carried and in_place)
            for v in old
            for p in self._reads.get(v, ())
            if loop.start < p <= loop.end
        )

    def _share_sides(self, targets: dict[Value, list[Value]]) -> None:
        values = [v for call in self.calls for v in call.outputs if v.allocation is not None]
        memory = BranchMemory(values, targets, self._reads, _is_elementwise)
        for branch in self.branches:
            memory.share(branch)
        self.roots = memory.roots

    def _name_in_place(self) -> None:
        """Give the new value of a loop variable the variable's name if the old value is not read any more.

        No assignment is needed then.
        """
        sharing: dict[Allocation, list[Value]] = {}
        steps: list[Any] = [*self.calls, *self.branches]
        for value in (v for step in steps for v in step.outputs):
            if value.allocation is not None and value.allocation.storage == IN_PLACE:
                sharing.setdefault(value.allocation, []).append(value)
        for loop in self.loops:
            makers = {c.outputs[0]: c for c in loop.body if isinstance(c, KernelCall) and c.outputs}
            for carried, result in zip(loop.carried, loop.results, strict=True):
                if result.allocation is not None and result.allocation.storage == IN_PLACE:
                    old = result.name
                    for value in sharing[result.allocation]:
                        if value.name == old:
                            value.name = carried.name
                elif carried in self.counters and result is not carried:
                    position = makers[result].position
                    if not any(position < p <= loop.end for p in self._reads.get(carried, ())):
                        result.name = carried.name

    def _propagate(self, targets: dict[Value, list[Value]]) -> None:
        """Propagate roots along ``targets``, the "may share" edges (with back edges of loops), to a fixed point.

        A value with more than `MANY` roots would make this quadratic. These roots become `ESCAPING` instead, which is right for any
        sharing.
        """
        crowded: set[Value] = set()
        unclear: set[Allocation] = set()
        todo = deque(source for source in targets if source.roots)
        waiting = set(todo)
        while todo:
            source = todo.popleft()
            waiting.discard(source)
            for target in targets[source]:
                if target in crowded:
                    unclear |= source.roots
                    continue
                if source.roots <= target.roots:
                    continue
                target.roots |= source.roots
                if len(target.roots) > MANY:
                    crowded.add(target)
                    unclear |= target.roots
                    target.roots.clear()
                elif target in targets and target not in waiting:
                    waiting.add(target)
                    todo.append(target)
        for root in unclear:
            root.storage = ESCAPING
        if unclear:
            for value in (v for source, sharers in targets.items() for v in (source, *sharers)):
                value.roots -= unclear


def prepared(op: Op, backend: Backend) -> Prepared | None:
    """Return the prepared form of an op of known shapes; None if the op has none."""
    rule = op.opdef.prepare_rule
    if rule is None or backend.name != "numpy" or not all(v.spec.is_static for v in op.operands()):
        return None
    if any(isinstance(v.spec, TensorSpec) and not v.spec.size for v in op.operands()):
        return None  # prepared forms need at least one element
    specs = tuple(None if v is None else [u.spec for u in v] if isinstance(v, tuple) else v.spec for v in op.inputs)
    return rule(specs, **op.attrs)


def plannable(op: Op, backend: Backend) -> bool:
    """True if the op has one result of known size, which its kernel can write into a given buffer."""
    opdef = op.opdef
    inlined = inline.writes(op, backend)
    if opdef.multi or "alias" in opdef.traits or backend.name in opdef.kernels:
        return False
    if not (opdef.takes_out or opdef.ufunc or inlined):
        return False
    spec = op.outputs[0].spec
    # kernels may return NumPy's scalars instead of writing into a 0-D buffer
    scalar = isinstance(spec, TensorSpec) and spec.shape == () and not (opdef.ufunc or inlined)
    return isinstance(spec, TensorSpec) and spec.size > 0 and not scalar


def _last(position: int, loops: tuple[LoopStep, ...], home: tuple[LoopStep, ...]) -> int:
    """The position until which a use at ``position`` keeps memory live that is made in the loops ``home``.

    ``loops``: the loops around the use. An inner loop reads the memory in every iteration, so until its end.
    """
    for i, loop in enumerate(loops):
        if i >= len(home) or home[i] is not loop:
            return loop.end
    return position


def _alternating(loop: LoopStep) -> list[tuple[Allocation, Value]]:
    """Return pairs (root, carried variable) for which two buffers, used in turn, are enough.

    The loop body itself (not a nested branch or loop) computes the root once per iteration, as the new value of this variable.
    No other variable or loop carries it.
    """
    pairs = []
    times = Counter(root for carried in loop.carried for root in carried.roots)
    for result, carried in zip(loop.results, loop.carried, strict=True):
        root = result.allocation
        if root is not None and root.crosses == [loop] and times[root] == 1:
            pairs.append((root, carried))
    return pairs


def _is_elementwise(call: KernelCall) -> bool:
    return call.op.opdef.ufunc is not None or call.op.name in inline.IN_PLACE


def _work_in_place(call: KernelCall) -> None:
    """Let an elementwise op write into an operand that nothing reads afterwards."""
    if not _is_elementwise(call) or not call.outputs or call.outputs[0].allocation is None:
        return
    target = call.outputs[0].allocation
    if target.storage != ARENA or target.makers > 1:
        return
    for value in call.inputs:
        root = value.allocation
        if (
            root is not None
            and root.storage == ARENA
            and root.end == call.position
            and root.loops == target.loops
            and root.spec == target.spec
            and all(operand is value or root not in operand.roots for operand in call.inputs)
        ):
            target.takes_over = root
            return
