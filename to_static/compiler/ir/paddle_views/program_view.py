"""Views of a Program with the interface of Paddle's Programs: blocks, operators and values by name."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.paddle_views.operator_view import Operator
from to_static.compiler.ir.var_kinds import BUFFER, PARAM
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from to_static.compiler.ir.program import Block, Program, Var


class ListedVar:
    """A value of a Program: its name, shape and dtype. ``var`` is the `Var` of the Program."""

    lod_level, belong_to_optimizer, is_parameter = 0, False, False

    def __init__(self, var: Var, name: str, block: ListedBlock) -> None:
        self.var, self.name, self.block = var, name, block

    @property
    def shape(self) -> list[int]:
        """The sizes, -1 where they are unknown; [] if it is no tensor."""
        return list(getattr(self.var.spec, "shape", ()))

    @property
    def ndim(self) -> int:
        """The number of dimensions; 0 if it is no tensor."""
        return len(self.shape)

    @property
    def is_data(self) -> bool:
        """True if it is an input of the Program."""
        return self.var in self.block.program.feeds

    @property
    def dtype(self) -> Any:
        """The dtype; None if it is no tensor."""
        return getattr(self.var.spec, "dtype", None)

    @property
    def persistable(self) -> bool:
        """True if it lives outside of runs: a parameter or buffer."""
        return self.var.holder is not None

    @property
    def stop_gradient(self) -> bool:
        """True if no gradient goes through it."""
        return bool(self.var.stop_gradient)

    def __str__(self) -> str:
        return f"var {printable(self.name)} : {self.var.spec}"

    __repr__ = __str__


class ListedBlock:
    """A block of a Program: ``idx`` is its number, ``parent_idx`` that of the block of its operator, -1 for the root block."""

    forward_block_idx = backward_block_idx = -1

    def __init__(self, program: Program, block: Block, idx: int, parent_idx: int, name_of: Callable[[Var], str]) -> None:
        self.program, self.idx, self.parent_idx = program, idx, parent_idx
        self._block, self._name_of = block, name_of

    def name_of(self, var: Var) -> str:
        """The name of a value; values that the user gave none have one of the Program's."""
        return var.name or self._name_of(var)

    @property
    def ops(self) -> list[Operator]:
        """Its operators."""
        return [Operator(op, self, i) for i, op in enumerate(self._block.ops)]

    @property
    def vars(self) -> dict[str, Any]:
        """Its values by name: inputs, parameters (as the tensors that they are), results of operators."""
        roots = self.program.params if self.idx == 0 else []
        results = (var for op in self._block.ops for var in op.outputs)
        return {name: self._listed(var, name) for var in (*self._block.args, *roots, *results) for name in [self.name_of(var)]}

    def _listed(self, var: Var, name: str) -> Any:
        return var.holder if hasattr(var.holder, "stop_gradient") and hasattr(var.holder, "shape") else ListedVar(var, name, self)

    def var(self, name: str) -> Any:
        """The value of that name. Raises ValueError when there is none."""
        variables = self.vars
        if name not in variables:
            names = ", ".join(map(printable, itertools.islice(variables, 20)))
            raise ValueError(f"block {self.idx} has no value {name!r}; it has {names}")
        return variables[name]

    def has_var(self, name: str) -> bool:
        """True if there is a value of that name."""
        return name in self.vars

    def all_parameters(self) -> list[Any]:
        """The trainable parameters of the Program, in the root block; none in another."""
        return self.program.all_parameters() if self.idx == 0 else []

    def iter_parameters(self) -> Iterator[Any]:
        """The same, one by one."""
        return iter(self.all_parameters())

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """The text of the block."""
        return str(self)

    if not TYPE_CHECKING:  # names that are looked up are no mistakes of types

        def __getattr__(self, name: str) -> Any:
            raise _missing(self, name)

    def __str__(self) -> str:
        roots = [f"param {printable(self.name_of(var))} : {var.spec}" for var in (self.program.params if self.idx == 0 else ())]
        values = [str(var) for var in self.vars.values() if isinstance(var, ListedVar)]
        lines = [*roots, *values, *map(str, self.ops)]
        return f"{{ // block_idx:{self.idx}  parent_idx:{self.parent_idx}\n" + "".join(f"    {line}\n" for line in lines) + "}"


def listed_blocks(program: Program, name_of: Callable[[Var], str] | None = None) -> list[ListedBlock]:
    """The blocks of a Program, the root block first, those inside in the order of their operators.

    ``name_of`` gives a name to a value that has none; by default they are ``tmp_0``, ``tmp_1``, ... in order.
    """
    blocks: list[ListedBlock] = []
    named = _names(program).__getitem__ if name_of is None else name_of

    def add(block: Block, parent: int) -> None:
        idx = len(blocks)
        blocks.append(ListedBlock(program, block, idx, parent, named))
        for op in block.ops:
            for inner in op.blocks:
                add(inner, idx)

    add(program.block, -1)
    return blocks


def _names(program: Program) -> dict[Var, str]:
    used_names = program.names()
    free = (name for i in itertools.count() if (name := f"tmp_{i}") not in used_names)
    unnamed = (var for var in _values(program.block) if not var.name)
    return {var: next(free) for var in itertools.chain((v for v in program.params if not v.name), unnamed)}


def _values(block: Block) -> Iterator[Var]:
    yield from block.args
    for op in block.ops:
        for inner in op.blocks:
            yield from _values(inner)
        yield from op.outputs


class Listing:
    """The part of a Program that answers Paddle's names."""

    current_block_idx = 0

    def global_block(self) -> ListedBlock:
        """The root block."""
        return self.blocks[0]

    current_block = global_block

    @property
    def blocks(self) -> list[ListedBlock]:
        """All blocks: the root block first, then those of branches and loops."""
        return listed_blocks(self)  # type: ignore[arg-type]

    @property
    def num_blocks(self) -> int:
        """The number of blocks, with those of branches and loops."""
        return len(self.blocks)

    def list_vars(self) -> Iterator[Any]:
        """The values of all blocks."""
        return itertools.chain.from_iterable(block.vars.values() for block in self.blocks)

    def state_dict(self, mode: str = "all", scope: Any = None) -> dict[str, Any]:
        """Parameters (``mode='param'``), other persistent values (``'opt'``) or both (``'all'``) by name.

        Raises ProgramError for another ``mode``. ``scope``: not used.
        """
        if mode not in _MODES:
            raise ProgramError(f"state_dict: mode must be 'all', 'param' or 'opt', got {mode!r}")
        params: list[Var] = self.params  # type: ignore[attr-defined]
        return {var.name: var.holder for var in params if var.kind in _MODES[mode] and var.name is not None}

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """The text of the Program."""
        return str(self)

    if not TYPE_CHECKING:  # names that are looked up are no mistakes of types

        def __getattr__(self, name: str) -> Any:
            raise _missing(self, name)


_MODES = {"all": (PARAM, BUFFER), "param": (PARAM,), "opt": (BUFFER,)}
_OF_STATIC_PROGRAMS = frozenset((
    "append_op", "create_parameter", "create_var", "desc", "parse_from_string", "set_state_dict", "_insert_op", "_prepend_op",
    "_remove_op",
))  # fmt: skip


def _missing(view: object, name: str) -> AttributeError:
    """Return the error for an unknown attribute. For those that change or serialize a Program it says what to use instead."""
    if name not in _OF_STATIC_PROGRAMS:
        return AttributeError(f"{type(view).__name__!r} object has no attribute {name!r}", name=name, obj=view)
    return AttributeError(
        f"{name}: the Program of a static function or of a loaded model is for reading: save it with paddle.jit.save, and take "
        "the static.Program that paddle.static.load_inference_model reads from the files",
        name=name, obj=view,
    )  # fmt: skip


def chosen(program: Program, targets: Var | str | Sequence[Var | str]) -> list[Var]:
    """Return the root values for ``targets`` (values, views of values, or names). Raises ProgramError for an unknown one."""
    by_name = {name: getattr(value, "var", None) for name, value in program.global_block().vars.items()}
    by_name.update({var.name: var for var in program.params if var.name})
    candidates = {*program.feeds, *program.params, *(var for op in program.block.ops for var in op.outputs)}
    selected = []
    for target in targets if isinstance(targets, (list, tuple)) else [targets]:
        var = getattr(target, "var", target)
        if var not in candidates:
            var = by_name.get(target if isinstance(target, str) else str(getattr(target, "name", "")))
        if var is None:
            raise ProgramError(f"this Program has no value {getattr(target, 'name', None) or target!r} in its root block")
        selected.append(var)
    return selected
