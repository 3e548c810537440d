"""`Program` as Paddle's static API shows it, and which one is being built."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir import program as ir
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.paddle_views.operator_view import XSHAPE, Operator
from to_static.compiler.ir.paddle_views.program_view import ListedBlock, listed_blocks
from to_static.compiler.ir.program import Var
from to_static.compiler.ir.rewriter import prune, remove_unused_params
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.sequence.offsets import level_of, restore
from to_static.core.backend import backend_of
from to_static.core.caching.weak_tables import WeakKeys, WeakValues
from to_static.core.diagnostics.printable import printable
from to_static.core.dtypes import BY_CODE
from to_static.core.errors import ModeError, ProgramError, ShapeError
from to_static.core.random.program_seeds import SEEDS
from to_static.nn.op_helper import OpHelper


class StaticBuilder(Builder):
    """The building mode of a `static.Program`."""

    plain_shapes = True

    def __init__(self, program: ir.Program | None, owner: Program) -> None:
        super().__init__(program)
        self.owner = owner
        self.parameters: WeakValues[str, Any] = WeakValues()
        if program is not None:
            restore(self)
        self.backward: set[ir.Op] = set()  # the ops of backward passes
        self.products: dict[Var, int] = {}  # what `static.nn.fc` computes: how many dimensions stay, for the form of files

    def on_backward(self, ops: list[ir.Op]) -> None:
        """Keep apart what a backward pass appended: Programs for tests and files go without."""
        self.backward.update(ops)

    def training_ops(self) -> set[ir.Op]:
        """The root ops of backward passes, what is computed from these, and what serves them and updates only."""
        ops = self.program.block.ops
        training, gradients = set[ir.Op](), set[Var]()
        for op in ops:
            if op in self.backward or not gradients.isdisjoint(op.operands()):
                training.add(op)
                gradients.update(op.outputs)
        first = next((i for i, op in enumerate(ops) if op in training), len(ops))
        served, used = {value for _, value in self.state_updates()}, set[Var]()  # by what trains; by anything else
        for op in reversed(ops[first:]):
            if op.outputs and served.issuperset(op.outputs) and used.isdisjoint(op.outputs):
                training.add(op)
            (served if op in training else used).update(op.operands())
        return training

    def before_training(self, optimizer: Any, loss: Variable, options: Any) -> None:
        """Told of ``minimize``, before it adds anything: the Program as it is now can be rewritten, and be trained then."""
        self.owner.trained = Trained(self.owner.clone(), optimizer, loss.name, options)

    def lod_level_of(self, x: Variable) -> int:
        """Return the number of levels of sequence offsets that were declared for the input that a tensor comes from."""
        return level_of(x)


class Trained:
    """The arguments of ``minimize`` on a Program, and a copy of the Program from before."""

    def __init__(self, untrained: Program, optimizer: Any, loss: str, options: Any) -> None:
        self.untrained, self.optimizer, self.loss, self.options = untrained, optimizer, loss, options

    def again(self, program: Program) -> None:
        """Tell another Program the same."""
        self.optimizer.minimize(program._public(program.find(self.loss)), **self.options)


class Program:
    """A static Program under construction: operators called while it is current are added to it, and an `Executor` runs it.

    Parameters live in the layers that made them; a Program only refers to them.
    ``program``, ``file``: for use by the compiler.

    Example:
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     x = paddle.static.data('x', [None, 2], 'float32')
        ...     y = x * 2
        >>> [result] = paddle.static.Executor().run(main, feed={'x': np.float32([[1, 2]])}, fetch_list=[y])
    """

    current_block_idx = 0  # only functions build the blocks of branches and loops

    def __init__(self, program: ir.Program | None = None, file: Any = None) -> None:
        self.outputs: list[Var] = [] if program is None else list(program.outputs)
        self.output_names = None if program is None else program.output_names
        self._builder = StaticBuilder(program, self)
        self._file, self._read = file, (0, 0)  # the form that files have of it; what that and the Program were when they were alike
        self.trained: Trained | None = None
        inner = self.builder.program
        if file is not None:
            self._read = file.changes, len(inner.block.ops)
        inner.state, inner.block.results, inner.output_names = [], [], None
        self._source: Program | None = None  # the Program that this one is a copy of
        self._copied: dict[Var, Var] = {}  # its Vars
        self.created: dict[str, Any] = {}  # by `Block.create_var`
        self.starts: WeakKeys[Program, bool] = WeakKeys()  # Programs of which this one was the startup Program
        self.readers: list[Any] = []  # those that feed it once they are started
        self.version: Any = None  # what `runners` were compiled for
        self.runners: dict[Any, Any] = {}

    @property
    def builder(self) -> StaticBuilder:
        """The mode that adds to it."""
        if self._file is not None and self._file.changes != self._read[0] and len(self._builder.program.block.ops) == self._read[1]:
            self._read_again()
        return self._builder

    def _read_again(self) -> None:
        """Follow what was changed in the form that files have of it; parameters and buffers stay."""
        holders = {var.name: var.holder for var in self._builder.program.params}
        self._file.arrays.update({n: backend_of(h._array).to_numpy(h._array) for n, h in holders.items() if n is not None})
        flags = ("trainable", "stop_gradient")
        info = {n: {flag: bool(getattr(h, flag)) for flag in flags} for n, h in holders.items() if n is not None}
        inner = self._file.read(info=info)
        for var in inner.params:
            old = holders.get(var.name)
            if old is not None and old._array.shape == var.holder._array.shape and old._array.dtype == var.holder._array.dtype:
                var.holder = old
        self.outputs, self.output_names = list(inner.outputs), inner.output_names
        inner.state, inner.block.results, inner.output_names = [], [], None
        self._builder, self._read = StaticBuilder(inner, self), (self._file.changes, len(inner.block.ops))
        self.version = None

    @property
    def file(self) -> Any:
        """The form that files have of it, a `FileProgram`; None where it did not come from one, or has grown since."""
        if self._file is None or len(self.builder.program.block.ops) != self._read[1]:
            return None
        return self._file

    def holders(self) -> dict[str, Any]:
        """The parameters and buffers by name."""
        return {var.name: var.holder for var in self.builder.program.params if var.name is not None}

    # -- looking at it --------------------------------------------------------------------------------------------------

    @property
    def random_seed(self) -> int:
        """The seed of initial values and dropout; 0 (the default) leaves them to the global stream.

        That of the default startup Program is for initial values while Programs are built by hand, that of the default main Program
        for initial values otherwise, and for dropout.
        """
        return self.builder.program.random_seed

    @random_seed.setter
    def random_seed(self, value: int) -> None:
        if not isinstance(value, int):
            raise ProgramError(f"random_seed must be an integer, got {value!r}")
        self.builder.program.random_seed = value
        _publish_seeds()

    def all_parameters(self) -> list[Any]:
        """The parameters that the Program uses."""
        return [self._public(v) for v in self.builder.program.all_parameters()]

    def list_vars(self) -> Iterator[Any]:
        """Feeds, parameters and all values of the root block."""
        program = self.builder.program
        for var in [*program.feeds, *program.params, *(v for op in program.block.ops for v in op.outputs)]:
            yield self._public(var)

    def global_block(self) -> Block:
        """The root block."""
        return Block(self)

    def current_block(self) -> Block:
        """The root block: blocks of branches and loops are built by functions, and nobody else sees them meanwhile."""
        return Block(self)

    @property
    def num_blocks(self) -> int:
        """Return the number of blocks, those of branches and loops included."""
        return 1 + sum(len(op.blocks) for op in self.builder.program.block.walk())

    def global_seed(self, seed: int = 0) -> None:
        """Set `random_seed`."""
        self.random_seed = seed

    def block(self, index: int) -> Block | ListedBlock:
        """Block ``index``: the root block is 0, then come those of branches and loops. Raises IndexError for a number too large."""
        if index == 0:
            return Block(self)
        return listed_blocks(self.builder.program, self.builder.name_of)[index]

    @property
    def blocks(self) -> list[Block | ListedBlock]:
        """All blocks: the root block first, then those of branches and loops."""
        return [Block(self), *listed_blocks(self.builder.program, self.builder.name_of)[1:]]

    def _prune(self, targets: Any) -> Program:
        """A copy with only what ``targets`` (tensors or names, or one of them) are computed from; the parameters are shared."""
        target_vars = [self.find(t) for t in (targets if isinstance(targets, (list, tuple)) else [targets])]
        return Program(self.finished(target_vars, updates=False))

    def state_dict(self, mode: str = "all", scope: Any = None) -> dict[str, Any]:
        """Parameters (``mode='param'``), other persistent values (``'opt'``) or both (``'all'``) by name.

        Raises ProgramError for another ``mode``. ``scope``: not used.
        """
        return self.builder.program.state_dict(mode)

    def set_state_dict(self, state_dict: dict[str, Any], scope: Any = None) -> None:
        """Give persistent values of these names new numbers; names that the Program does not have are ignored.

        Raises ShapeError when a value has another shape.
        """
        for name, holder in self.state_dict().items():
            if name in state_dict:
                store(holder, state_dict[name], name)

    @property
    def desc(self) -> ProgramDesc:
        """The Program as Paddle's files have it: ``program.desc.serialize_to_string()``, for `parse_from_string`."""
        return ProgramDesc(self)

    @staticmethod
    def parse_from_string(binary_str: bytes) -> Program:
        """The Program that ``desc.serialize_to_string()`` made bytes of; its parameters are zeros.

        Raises FormatError when the bytes are damaged or not supported.
        """
        from to_static.compiler.formats.paddle.programs.program_reader import (
            parse_program,
            persistable_vars,
            read_program,
        )

        desc = parse_program(binary_str, "<bytes>")
        tensors = {name: var.type.lod_tensor.tensor for name, var in persistable_vars(desc).items()}
        arrays = {name: np.zeros(tuple(t.dims), BY_CODE[t.data_type].np) for name, t in tensors.items()}
        return Program(read_program(desc, "<bytes>", arrays))

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """The text of the Program."""
        return str(self)

    def __str__(self) -> str:
        return str(self._snapshot(self.outputs)[0])

    __repr__ = __str__

    # -- copies ---------------------------------------------------------------------------------------------------------

    def clone(self, for_test: bool = False) -> Program:
        """A copy that shares the parameters; tensors of this Program can be fetched from it.

        ``for_test``: dropout does nothing there, batch normalization uses its running statistics, nothing is updated, and
        operators of `append_backward` and ``minimize`` are left out.
        """
        for op in self.builder.program.block.ops:
            for var in op.outputs:
                self.builder.name_of(var)  # so that values of both have one name
        copied, copies = self._snapshot([])
        training = self.builder.training_ops()
        pairs = list(zip(self.builder.program.block.ops, copied.block.ops, strict=True))
        if for_test:
            copied.state, copied.block.results = [], []
            copied.block.ops[:] = [new for op, new in pairs if op not in training]
            for op in copied.block.walk():
                if "is_test" in op.attrs:
                    op.attrs["is_test"] = True
        clone = Program(copied)
        clone._source = self
        live = {v for op in copied.block.ops for v in op.outputs} | set(copied.feeds) | set(copied.params)
        clone._copied = {a: copies[b] for a, b in self._copied.items() if copies.get(b) in live}
        clone._copied.update({a: b for a, b in copies.items() if b in live})
        clone.builder._names.update({copies[var]: name for var, name in self.builder._names.items() if copies.get(var) in live})
        clone.builder.named = self.builder.named
        clone.outputs = [copies[v] for v in self.outputs]
        clone.output_names = self.output_names
        clone.builder.parameters.update(self.builder.parameters)
        clone.builder.backward = {new for op, new in pairs if op in self.builder.backward and not for_test}
        builder = self.builder
        clone.builder.products = {copies[var]: product for var, product in builder.products.items() if copies.get(var) in live}
        for var, offsets in builder.lods.items():
            if copies.get(var) in live and (offsets is None or copies.get(offsets.ssa) in live):
                clone.builder.lods[copies[var]] = None if offsets is None else Variable(copies[offsets.ssa], clone.builder)
        clone.builder.lod_levels = {copies[var]: level for var, level in builder.lod_levels.items() if copies.get(var) in live}
        return clone

    def _snapshot(self, fetch: list[Var]) -> tuple[ir.Program, dict[Var, Var]]:
        copied, copies = self.builder.program.clone_with_map()
        updates = self.builder.state_updates()
        copied.state = [copies[param] for param, _ in updates]
        copied.block.results = [copies[v] for v in fetch] + [copies[value] for _, value in updates]
        return copied, copies

    def finished(self, fetch: list[Var], updates: bool = True) -> ir.Program:
        """The Program as it is now, with ``fetch`` as outputs and without what they and the updates don't need.

        ``updates=False``: leave out changes of parameters and buffers.
        """
        copied, _ = self._snapshot(fetch)
        if not updates:
            copied.block.results, copied.state = copied.outputs, []
        prune(copied.block, effects=("effect", "random"))  # what may fail and is not asked for does not run
        remove_unused_params(copied)
        return copied

    # -- its values -----------------------------------------------------------------------------------------------------

    def find(self, item: Any) -> Var:
        """The root value that a tensor or a name means in this Program. Raises ProgramError when there is none."""
        values = dict(self.builder.state_updates())
        var = self._lookup(item)
        if var is None:
            name = item if isinstance(item, str) else getattr(item, "name", item)
            hint = "; fetch_list takes tensors, or their names, `y.name`" if isinstance(item, str) else ""
            raise ProgramError(f"this Program has no value {name!r}; was it made by another Program?{hint}")
        if var.block is not self.builder.program.block:
            raise ProgramError(f"{var!r} is inside a branch or loop: make it a result of that to fetch it")
        return values.get(var, var)

    def _lookup(self, item: Any) -> Var | None:
        program = self.builder.program
        if isinstance(item, str):
            var = program.find(item) or next((v for v, name in self.builder._names.items() if name == item), None)
            if var is None and self._source is not None:
                var = self._copied.get(self._source._lookup(item))  # type: ignore[arg-type]
            return var
        if isinstance(item, Var):
            return item if item.block is program.block else self._copied.get(item)
        if isinstance(item, Variable):
            return item.ssa if item.builder is self.builder else self._copied.get(item.ssa) or self._lookup(item.name)
        var = next((p for p in program.params if p.holder is item), None)
        if var is None and isinstance(item, Tensor) and item.persistable:  # type: ignore[attr-defined]
            return self.builder.capture(item).ssa  # a parameter that no operator of the Program reads has a value in it, too
        return var

    def _public(self, var: Var) -> Any:
        return var.holder if isinstance(var.holder, Tensor) else Variable(var, self.builder)


class ProgramDesc:
    """A Program as files have it.

    Args:
        program: a `Program`, or the bytes that `serialize_to_string` made of one.

    Raises FormatError for bytes that are damaged or not supported.
    """

    def __init__(self, program: Program | bytes) -> None:
        self.program: Program = Program.parse_from_string(program) if isinstance(program, bytes) else program
        self._data = program if isinstance(program, bytes) else None

    def _form(self) -> Any:
        from to_static.compiler.formats.paddle.editing import FileProgram

        return self.program.file or FileProgram.of_bytes(self._data or self.serialize_to_string(), "<bytes>")

    def num_blocks(self) -> int:
        """Return the number of blocks, those of branches and loops included."""
        return len(self._form().blocks)

    def block(self, index: int) -> Any:
        """Block ``index``: its ``all_vars()``, ``op_size()`` and ``op(i)``."""
        from to_static.compiler.formats.paddle.editing import FileBlockDesc

        return FileBlockDesc(self._form().blocks[index])

    def serialize_to_string(self) -> bytes:
        """The bytes of ``.pdmodel``, with the values that nothing is computed from as results.

        Raises ProgramError or FormatError for what files can't hold: Programs with the operators of a backward pass among it.
        """
        from to_static.compiler.formats.paddle.programs.program_writer import write_program
        from to_static.compiler.passes.pipeline import EXPORT, optimize

        if self.program.builder.training_ops():
            raise ProgramError(
                "this Program trains (`minimize` or `append_backward`), and the operators of its backward pass have no form in "
                "files: write `program.clone(for_test=True)`, and the values of a training with `paddle.static.save`"
            )
        ops = self.program.builder.program.block.ops
        used = {var for op in ops for var in op.operands()}
        leaves = [var for op in ops for var in op.outputs if var not in used]
        return bytes(write_program(optimize(self.program.finished(leaves), EXPORT), "<bytes>").data())


class Block:
    """The root block of a Program, as Paddle's code asks for it."""

    forward_block_idx = backward_block_idx = -1

    def __init__(self, program: Program) -> None:
        self.program = program
        self.idx = 0
        self.parent_idx = -1
        self._created = program.created

    @property
    def ops(self) -> list[Any]:
        """Its operators; those of a Program that came from a file are as they are there."""
        if self.program.file is not None:
            return list(self.program.file.blocks[0].ops)
        return [Operator(op, self, i) for i, op in enumerate(self.program.builder.program.block.ops)]

    @property
    def vars(self) -> dict[str, Any]:
        """Its values by name."""
        return {**{v.name: v for v in self.program.list_vars()}, **self._created}

    def var(self, name: str) -> Any:
        """The value of that name. Raises ProgramError when there is none."""
        if name.endswith(XSHAPE) and name not in self._created:
            return self._shape_before(name)
        root = None if name in self._created else self.program._lookup(name)
        if root is not None and isinstance(root.holder, Tensor):
            return root.holder
        return self._created[name] if name in self._created else self.program._public(self.program.find(name))

    def create_var(
        self, name: str | None = None, shape: Any = (), dtype: Any = "float32", persistable: bool = False,
        stop_gradient: bool = False, **ignored: Any,
    ) -> Any:  # fmt: skip
        """A tensor that nothing computes yet: what `py_func` is told to fill. Using it before that is an error of the Program.

        ``ignored``: what Paddle keeps besides (``type``, ``lod_level``, ...); not used.
        """
        spec = InputSpec(shape, dtype, name).tensor_spec
        builder = self.program.builder
        variable = Variable(Var(spec, ir.TEMP, name, builder.program.block, stop_gradient=stop_gradient), builder)
        variable.persistable = persistable
        if name is not None:
            self._created[name] = variable
        return variable

    def append_op(
        self, type: str, inputs: Any = None, outputs: Any = None, attrs: Any = None, stop_gradient: bool | None = None
    ) -> None:
        """Call an operator by the type that it has in Paddle's files; see `OpHelper.append_op`."""
        with mode.use(self.program.builder):
            OpHelper("").append_op(type, inputs, outputs, attrs, stop_gradient)

    def has_var(self, name: str) -> bool:
        """Return whether there is a value of that name."""
        return name in self._created or self.program._lookup(name.removesuffix(XSHAPE)) is not None

    def _shape_before(self, name: str) -> Any:
        """Return the second result that files have beside a change of shape: no numbers, the shape before with a 0 first."""
        tensor = self.program.find(name.removesuffix(XSHAPE))
        source = tensor if tensor.op is None else tensor.op.operands()[0]
        spec = TensorSpec((0, *getattr(source.spec, "shape", ())), source.spec.dtype)
        return Variable(Var(spec, ir.TEMP, name, self.program.builder.program.block), self.program.builder)

    def all_parameters(self) -> list[Any]:
        """The parameters that the Program uses."""
        return self.program.all_parameters()

    def iter_parameters(self) -> Iterator[Any]:
        """The same, one by one."""
        return iter(self.all_parameters())

    def name_of(self, var: Var) -> str:
        """The name of a value; values that the user gave none have one of the Program's."""
        return var.name or self.program.builder.name_of(var)

    def __str__(self) -> str:
        return str(self.program)


def store(holder: Any, value: Any, name: str) -> None:
    """Give a holder a new array of the same shape, converted to its dtype and moved to its device."""
    old = holder._array
    array_backend = backend_of(old)
    array = getattr(value, "_array", value)
    if hasattr(array, "dtype") and not isinstance(array, array_backend.array_type):
        array = backend_of(array).to_numpy(array)
    array = array_backend.xp.array(array, dtype=old.dtype)
    if array.shape != old.shape:
        raise ShapeError(f"{printable(name)} has shape {list(old.shape)}; the value must have it, too, got {list(array.shape)}")
    holder._array = array


_defaults: list[Program] = []


def _default(index: int) -> Program:
    if not _defaults:
        _defaults[:] = [Program(), Program()]
        _defaults[1].starts[_defaults[0]] = True
    return _defaults[index]


def _publish_seeds() -> None:
    SEEDS[:] = [program.random_seed for program in _defaults] if _defaults else [0, 0]


def default_main_program() -> Program:
    """The Program that operators are added to after `enable_static`.

    Example:
        >>> main = static.Program()
        >>> with static.program_guard(main):
        ...     print(static.default_main_program() is main)
        ...
        True
    """
    return _default(0)


def default_startup_program() -> Program:
    """Paddle's Program of initial values. Here parameters have theirs when they are made, and this Program is empty.

    Example:
        >>> static.Executor().run(static.default_startup_program())
        []
    """
    return _default(1)


def _manual_program_seed(seed: int) -> None:
    """Set the random_seed of both default Programs."""
    for program in (default_main_program(), default_startup_program()):
        program.global_seed(seed)


@contextmanager
def program_guard(main_program: Program, startup_program: Program | None = None) -> Iterator[None]:
    """Make ``main_program`` (and ``startup_program``) the default within a ``with`` block.

    Raises ProgramError when they are no Programs.

    Example:
        >>> main = static.Program()
        >>> with static.program_guard(main):
        ...     y = static.data("a", [2], "float32") * 2
        ...
    """
    for program in (main_program, startup_program or main_program):
        if not isinstance(program, Program):
            raise ProgramError(f"program_guard takes a static.Program, got {type(program).__name__}")
    saved = [_default(0), _default(1)]
    _defaults[:] = [main_program, startup_program or saved[1]]
    _defaults[1].starts[main_program] = True
    _publish_seeds()
    if isinstance(mode.current(), StaticBuilder):
        mode.switch_to(main_program.builder)
    try:
        yield
    finally:
        _defaults[:] = saved
        _publish_seeds()
        if mode.current() is main_program.builder:  # the mode itself may have been changed inside
            mode.switch_to(saved[0].builder)


def static_builder(what: str) -> StaticBuilder:
    """The builder of the Program being built in static mode; raises ModeError in dynamic mode."""
    builder = mode.current()
    if not isinstance(builder, StaticBuilder):
        raise ModeError(f"static.{what} adds to a static Program: call paddle.enable_static() first")
    return builder
