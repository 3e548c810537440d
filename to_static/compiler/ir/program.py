"""The static Program: SSA values, operations and blocks.

Blocks are closed: an op reads only values of its own block. A value from outside that a branch or loop body reads is an operand
of the control op. Constants are ``constant`` ops. Parameters, buffers and captured tensors are root values with a holder.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from to_static.compiler.ir.opdef import OpDef
from to_static.compiler.ir.paddle_views.program_view import ListedBlock, Listing, chosen
from to_static.compiler.ir.spec import Spec
from to_static.compiler.ir.var_kinds import ARG, PARAM, TEMP
from to_static.core.diagnostics.printable import MOST, printable
from to_static.core.diagnostics.source_location import SourceLocation

if TYPE_CHECKING:
    from to_static.core.array_types import Array



class Holder(Protocol):
    """The owner of a root value's array: a tensor or a `Stored`."""

    @property
    def name(self) -> Any: ...

    @property
    def stop_gradient(self) -> Any: ...

    @property
    def _array(self) -> Any: ...


class Var:
    """One SSA value.

    ``kind``: 'arg' (block argument, at the root a feed), 'param' / 'buffer' / 'const' (root value with a ``holder``), or
    'temp' (result ``index`` of ``op``). ``block`` is where it is defined.
    """

    __slots__ = ("block", "holder", "index", "kind", "name", "op", "spec", "stop_gradient")

    def __init__(
        self,
        spec: Spec,
        kind: str = TEMP,
        name: str | None = None,
        block: Block | None = None,
        op: Op | None = None,
        index: int = 0,
        holder: Holder | None = None,
        stop_gradient: bool = True,
    ) -> None:
        self.spec: Any = spec  # nearly always a `TensorSpec`, and read as one
        self.kind = kind
        self.name = name
        self.block = block
        self.op = op
        self.index = index
        self.holder: Any = holder
        self.stop_gradient = stop_gradient

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape, -1 where unknown."""
        return self.spec.shape

    @property
    def dtype(self) -> Any:
        """Element type."""
        return self.spec.dtype

    def __repr__(self) -> str:
        return f"%{printable(self.name or '_')}: {self.spec}"


class Op:
    """One operation: ``inputs`` by slot (a Var, None for an absent optional, a tuple for a variadic slot), ``outputs`` flat,
    ``attrs``, the ``blocks`` it owns (control ops only) and the user's ``site``.
    """

    __slots__ = ("attrs", "blocks", "inputs", "opdef", "outputs", "site")

    def __init__(
        self,
        opdef: OpDef,
        inputs: tuple[Any, ...],
        attrs: dict[str, Any],
        specs: tuple[Spec, ...],
        block: Block | None = None,
        blocks: tuple[Block, ...] = (),
        site: SourceLocation | None = None,
    ) -> None:
        self.opdef = opdef
        self.inputs = inputs
        self.attrs = attrs
        self.blocks = blocks
        self.site = site
        self.outputs = [Var(spec, TEMP, block=block, op=self, index=i) for i, spec in enumerate(specs)]

    @property
    def name(self) -> str:
        """The operator's name."""
        return self.opdef.name

    @property
    def out(self) -> Var:
        """The first result."""
        return self.outputs[0]

    def operands(self) -> Sequence[Var]:
        """All input Vars, flat, in order."""
        for item in self.inputs:
            if item is None or type(item) is tuple:
                break
        else:
            return self.inputs
        flat: list[Var] = []
        for item in self.inputs:
            if type(item) is tuple:
                flat += item
            elif item is not None:
                flat.append(item)
        return flat

    def differentiable_flags(self) -> list[bool]:
        """One flag for each operand: True if its operator's declaration lets a gradient flow into it (not `stop_gradient`)."""
        if "nodiff" in self.opdef.traits:
            return [False for _ in self.operands()]
        constants = self.opdef.constants
        if not constants:
            return [True for _ in self.operands()]
        constant_flags: list[bool] = []
        for i, item in enumerate(self.inputs):
            if item is not None:
                constant_flags += [i not in constants] * (len(item) if isinstance(item, tuple) else 1)
        return constant_flags

    def stops_gradient(self) -> bool:
        """True if each differentiable operand has ``stop_gradient``, so that the results have it too."""
        flags = self.differentiable_flags()
        return all(v.stop_gradient or not differentiable for v, differentiable in zip(self.operands(), flags, strict=True))

    def map_operands(self, function: Callable[[Var], Var]) -> None:
        """Replace every input Var ``v`` by ``function(v)``."""
        self.inputs = tuple(
            None if item is None else tuple(map(function, item)) if isinstance(item, tuple) else function(item)
            for item in self.inputs
        )

    def __repr__(self) -> str:
        return f"<{', '.join(map(repr, self.outputs))} = {self.name}>"


_NEAR = 256  # `Block.index_of` first searches so many ops before and after the last index


class Block:
    """A list of ops with arguments and results."""

    __slots__ = ("_last_index", "args", "ops", "results")

    def __init__(self) -> None:
        self.args: list[Var] = []
        self.ops: list[Op] = []
        self.results: list[Var] = []
        self._last_index = 0

    def add_arg(self, spec: Spec, name: str | None = None, stop_gradient: bool = True) -> Var:
        """Append an argument."""
        var = Var(spec, ARG, name, self, stop_gradient=stop_gradient)
        self.args.append(var)
        return var

    def index_of(self, op: Op) -> int:
        """The index of an op in ``ops``. The search starts near the last result, because passes visit ops in order."""
        near = self._last_index
        try:
            position = self.ops.index(op, max(0, near - _NEAR), near + _NEAR)
        except ValueError:
            position = self.ops.index(op)
        self._last_index = position
        return position

    def walk(self) -> Iterator[Op]:
        """All ops of this block and of the blocks inside, outermost first."""
        work = [iter(self.ops)]
        while work:
            for op in work[-1]:
                yield op
                if op.blocks:
                    work += [iter(block.ops) for block in reversed(op.blocks)]
                    break
            else:
                work.pop()


def hold(holder: Any, array: Array) -> None:
    """Store a new array in the holder of a root value. Tensors that share its memory get it too."""
    if hasattr(holder, "hold"):
        holder.hold(array)
    else:
        holder._array = array


class LazyClone:
    """`Program.with_holders` on first call: runs of plans need no Program, so most copies are never made.

    ``replacement``: maps each holder to the new one; None: the result is ``source`` itself.
    """

    __slots__ = ("_generated", "_replacement", "_source")

    def __init__(self, source: Program | LazyClone, replacement: Callable[[Any], Any] | None = None) -> None:
        self._source = source
        self._replacement = replacement
        self._generated: Program | None = source if replacement is None and isinstance(source, Program) else None

    def reseat(self, replacements: dict[int, Any]) -> None:
        """See `Program.reseat`. For a copy that was not made yet the caller changes ``replacement`` instead."""
        if self._generated is not None:
            self._generated.reseat(replacements)

    def __call__(self) -> Program:
        """The Program."""
        program = self._generated
        if program is None:
            source = self._source() if isinstance(self._source, LazyClone) else self._source
            program = self._generated = source if self._replacement is None else source.with_holders(self._replacement)
            self._source, self._replacement = program, None
        return program


_SEATS = "__seats__"  # the key in a namespace under which `reseat` keeps the names of each object, by its id


def reseat(space: dict[str, Any], replacements: dict[int, Any]) -> None:
    """Replace objects in a namespace of generated functions: ``replacements`` maps the id of each object to the new one."""
    by_id = space.get(_SEATS)
    if by_id is None:
        by_id = {}
        for name, value in space.items():
            by_id.setdefault(id(value), []).append(name)
        space[_SEATS] = by_id
    changes = [(by_id.pop(old), new) for old, new in replacements.items() if old in by_id]
    for names, new in changes:
        by_id.setdefault(id(new), []).extend(names)
        for name in names:
            space[name] = new


class Stored:
    """Holder of a root value outside eager mode: an array with the attributes that files store."""

    __slots__ = ("_array", "name", "persistable", "stop_gradient", "structured_name", "trainable")
    _memory = None  # no other holder shares the array

    def __init__(
        self,
        array: Array | None,  # None: the file has no array for it
        name: str | None = None,
        stop_gradient: bool = True,
        trainable: bool = False,
        structured_name: str | None = None,
    ) -> None:
        self._array = array
        self.name = name
        self.stop_gradient = stop_gradient
        self.trainable = trainable
        self.structured_name = structured_name
        self.persistable = True


class RootBlock(Block):
    """The root block of a Program. It can be called, because Paddle's code writes ``program.block(0)``."""

    __slots__ = ("_program",)

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = weakref.ref(program)

    def __call__(self, index: int) -> ListedBlock:
        """Block ``index`` of the Program: 0 is the root block. Raises IndexError."""
        program = self._program()
        assert program is not None
        return program.blocks[index]


class Program(Listing):
    """A root block with its parameters and state.

    ``block.args`` are the feeds. ``params`` are root Vars with a ``holder`` (an object whose ``_array`` is the value).
    ``state`` lists the root Vars that a run changes: the last ``len(state)`` results of the root block are their new values;
    ``outputs`` are the results before them. ``output_names`` name the outputs for files and predictors.
    ``donated_feeds``: feed index -> output index. The fed tensor holds this output after a run, so a run may write to its array.
    ``carried``: pairs of the holder of a root value and the index of the output that it holds after a run.
    """

    def __init__(self) -> None:
        self.block: Block = RootBlock(self)
        self._by_holder: dict[int, Var] | None = None  # id of a holder -> its root value; made by the first `reseat`
        self.params: list[Var] = []
        self.state: list[Var] = []
        self.output_names: list[str] | None = None
        self.random_seed = 0
        self.donated_feeds: dict[int, int] = {}
        self.carried: list[tuple[Any, int]] = []
        self.aliases: dict[str, Var] = {}  # further names of root values, as files have them

    @property
    def feeds(self) -> list[Var]:
        """The inputs of the Program."""
        return self.block.args

    @property
    def writes_outside(self) -> bool:
        """True if a run may give new values to tensors from outside."""
        return bool(self.state or self.donated_feeds or self.carried)

    @property
    def outputs(self) -> list[Var]:
        """The results a caller gets."""
        results = self.block.results
        return results[: len(results) - len(self.state)]

    @property
    def state_values(self) -> list[Var]:
        """New values of ``state``, in the same order."""
        results = self.block.results
        return results[len(results) - len(self.state) :]

    def add_param(self, spec: Spec, var_kind: str, holder: Holder, name: str | None = None) -> Var:
        """Append a root value that lives outside the Program."""
        var = Var(spec, var_kind, name, self.block, holder=holder)
        var.stop_gradient = bool(getattr(holder, "stop_gradient", True))
        self.params.append(var)
        return var

    def all_parameters(self) -> list[Var]:
        """The trainable root values."""
        return [p for p in self.params if p.kind == PARAM]

    def find(self, name: str) -> Var | None:
        """The feed, parameter or root value of that name, or None."""
        return next((var for var in self._named() if var.name == name), None) or self.aliases.get(name)

    def names(self) -> set[str | None]:
        """The names that `find` knows."""
        return {var.name for var in self._named()}

    def _named(self) -> Iterator[Var]:
        results = itertools.chain.from_iterable(op.outputs for op in self.block.ops)
        return itertools.chain(self.feeds, self.params, results)

    def clone(self, for_test: bool = False) -> Program:
        """A deep copy that shares the holders (and so the parameters' values).

        ``for_test``: dropout does nothing there, batch normalization uses its running statistics, and nothing is updated.
        """
        copy = self.clone_with_map()[0]
        if for_test:
            copy.block.results, copy.state = copy.outputs, []
            for op in copy.block.walk():
                if "is_test" in op.attrs:
                    op.attrs["is_test"] = True
        return copy

    def with_holders(self, replacement: Callable[[Any], Any]) -> Program:
        """A deep copy whose root values have other holders: ``replacement`` maps each holder to the new one.

        A root value that has the name of its holder gets the name of the new one.
        """
        copy = self.clone()
        for var in copy.params:
            old, var.holder = var.holder, replacement(var.holder)
            var.name = getattr(var.holder, "name", var.name) if var.name == getattr(old, "name", None) else var.name
        copy.carried = [(replacement(holder), index) for holder, index in self.carried]
        return copy

    def reseat(self, replacements: dict[int, Any]) -> None:
        """Replace holders in place: ``replacements`` maps the id of each holder to the new one."""
        by_id = self._by_holder
        if by_id is None:
            by_id = self._by_holder = {id(var.holder): var for var in self.params}
        changes = [(by_id.pop(old), new) for old, new in replacements.items() if old in by_id]
        for root, new in changes:
            root.holder = new
            by_id[id(new)] = root

    def _prune(self, targets: Var | str | Sequence[Var | str]) -> Program:
        """A copy with only what ``targets`` (root values or their names, or one of them) are computed from.

        The name is Paddle's. Parameters that are still read are shared. Raises ProgramError for a target that is not there.
        """
        copy, var_map = self.clone_with_map()
        block = copy.block
        block.results, copy.state, copy.output_names = [var_map[var] for var in chosen(self, targets)], [], None
        live, live_ops = set(block.results), []
        for op in reversed(block.ops):
            if not live.isdisjoint(op.outputs):
                live_ops.append(op)
                live.update(op.operands())
        block.ops = live_ops[::-1]
        copy.params = [var for var in copy.params if var in live]
        return copy

    def clone_with_map(self) -> tuple[Program, dict[Var, Var]]:
        """`clone`, and the map from each Var of this Program to its copy."""
        copy = Program()
        var_map: dict[Var, Var] = {}
        for var in self.params:
            var_map[var] = new = copy.add_param(var.spec, var.kind, var.holder, var.name)
            new.stop_gradient = var.stop_gradient
        _copy_block(self.block, copy.block, var_map)
        copy.state = [var_map[v] for v in self.state]
        copy.output_names = None if self.output_names is None else list(self.output_names)
        copy.random_seed = self.random_seed
        copy.donated_feeds, copy.carried = dict(self.donated_feeds), list(self.carried)
        copy.aliases = {name: var_map[var] for name, var in self.aliases.items() if var in var_map}
        return copy, var_map

    def __str__(self) -> str:
        from to_static.compiler.ir.printer import print_program

        return print_program(self, max_text_length=MOST)

    __repr__ = __str__


def _copy_block(source: Block, target: Block, var_map: dict[Var, Var]) -> None:
    for arg in source.args:
        var_map[arg] = target.add_arg(arg.spec, arg.name, arg.stop_gradient)
    for op in source.ops:
        copy_op(op, target, var_map)
    target.results = [var_map[v] for v in source.results]


def copy_block(source: Block) -> Block:
    """A deep copy of a closed block."""
    target = Block()
    _copy_block(source, target, {})
    return target


def copy_op(op: Op, target: Block, var_map: dict[Var, Var]) -> Op:
    """Append a deep copy of ``op`` to ``target``; ``var_map`` maps old Vars to new ones and is extended."""
    inputs = tuple(
        None if item is None else tuple(var_map[v] for v in item) if isinstance(item, tuple) else var_map[item]
        for item in op.inputs
    )
    blocks = tuple(copy_block(b) for b in op.blocks)
    new = Op(op.opdef, inputs, dict(op.attrs), tuple(v.spec for v in op.outputs), target, blocks, op.site)
    for old_var, new_var in zip(op.outputs, new.outputs, strict=True):
        new_var.name = old_var.name
        new_var.stop_gradient = old_var.stop_gradient
        var_map[old_var] = new_var
    target.ops.append(new)
    return new
