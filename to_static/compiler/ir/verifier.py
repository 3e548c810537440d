"""`verify` checks that a Program is well formed. Passes, gradients, readers of files and plans rely on these properties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.printer import ProgramPrinter
from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.spec import UNKNOWN, ListSpec, TensorSpec
from to_static.compiler.ir.var_kinds import ARG, BUFFER, CONST, PARAM
from to_static.core.errors import ProgramError

if TYPE_CHECKING:
    from to_static.compiler.ir.spec import Spec


def verify(program: Program, producer: str = "") -> None:
    """Raise ProgramError, naming and showing the op, unless the Program is well formed:

    every value is defined once, in its own block, before it is read; slots, attributes and the number and specs of results fit
    the operators' declarations; blocks of ``cond`` and ``while_loop`` fit their operands and results; state, output names and
    names of feeds and parameters are consistent. ``producer`` names in the message what made the Program (a pass).
    """
    _Verifier(program, producer).run()


class _Verifier:
    def __init__(self, program: Program, producer: str) -> None:
        self.program = program
        self.producer = producer
        self.ids: set[int] = set()

    def error(self, message: str, op: Op | None = None) -> ProgramError:
        where = f" after {self.producer}" if self.producer else ""
        text = f"malformed Program{where}: {message}"
        if op is not None:
            site = f"  # {op.site}" if op.site else ""
            text = f"malformed Program{where}: {op.name}: {message}\n    {ProgramPrinter(self.program).op(op)}{site}"
        return ProgramError(text)

    def run(self) -> None:
        program = self.program
        defined: set[Var] = set()
        for var in program.params:
            if var.kind not in (PARAM, BUFFER, CONST):
                raise self.error(f"{var!r} is listed as a parameter but is of kind {var.kind!r}")
            self.define(var, program.block, defined, None)
        names: set[str] = set()
        for var in [*program.feeds, *program.params]:
            if var.name is not None and var.name in names:
                raise self.error(f"two feeds or parameters are called {var.name!r}")
            names.add(var.name or "")
        self.block(program.block, defined, None)
        if len(set(program.state)) != len(program.state):
            raise self.error("a value is listed twice in the state")
        if len(program.block.results) < len(program.state):
            raise self.error(f"{len(program.state)} state values but only {len(program.block.results)} results")
        for var, value in zip(program.state, program.state_values, strict=True):
            if var not in program.params:
                raise self.error(f"state value {var!r} is no parameter, buffer or captured constant of the Program")
            # a buffer may get another shape or dtype: who calls the Program again has to build another one
            if type(var.spec) is not type(value.spec) or (var.kind == PARAM and not compatible(var.spec, value.spec)):
                raise self.error(f"state value {var!r} would become {value.spec}")
        if program.output_names is not None and len(program.output_names) != len(program.outputs):
            raise self.error(f"{len(program.outputs)} outputs but {len(program.output_names)} output names")

    def define(self, var: Var, block: Block, defined: set[Var], op: Op | None) -> None:
        if id(var) in self.ids:
            raise self.error(f"{var!r} is defined twice", op)
        if var.block is not block:
            raise self.error(f"{var!r} does not belong to the block that defines it", op)
        self.ids.add(id(var))
        defined.add(var)

    def block(self, block: Block, defined: set[Var], owner: Op | None) -> None:
        for arg in block.args:
            if arg.kind != ARG:
                raise self.error(f"{arg!r} is an argument but of kind {arg.kind!r}", owner)
            self.define(arg, block, defined, owner)
        for op in block.ops:
            if id(op) in self.ids:
                raise self.error("the op stands in the Program twice", op)
            self.ids.add(id(op))
            self.slots(op)
            for var in op.operands():
                self.readable(var, block, defined, op)
            self.attributes(op)
            for inner in op.blocks:
                self.block(inner, set(), op)
            self.results(op)
            for i, var in enumerate(op.outputs):
                if var.op is not op or var.index != i:
                    raise self.error(f"result {i} does not know its op or its number", op)
                self.define(var, block, defined, op)
        for var in block.results:
            self.readable(var, block, defined, owner)

    def readable(self, var: Var, block: Block, defined: set[Var], op: Op | None) -> None:
        if var in defined:
            return
        if var.block is block:
            raise self.error(f"{var!r} is read before it is defined (or is defined nowhere)", op)
        raise self.error(f"{var!r} belongs to another block: what a block needs must come in as an argument", op)

    # -- one op ---------------------------------------------------------------------------------------------------------

    def slots(self, op: Op) -> None:
        if len(op.inputs) != len(op.opdef.inputs):
            raise self.error(f"expected {len(op.opdef.inputs)} inputs, found {len(op.inputs)}", op)
        for slot, item in zip(op.opdef.inputs, op.inputs, strict=True):
            if slot.variadic and not isinstance(item, tuple):
                raise self.error(f"input {slot.name} takes a tuple of values", op)
            if not slot.variadic and isinstance(item, tuple):
                raise self.error(f"input {slot.name} takes one value, found {len(item)}", op)
            if item is None and not slot.optional:
                raise self.error(f"input {slot.name} is missing", op)

    def attributes(self, op: Op) -> None:
        declared = {a.name for a in op.opdef.attrs}
        if set(op.attrs) != declared:
            raise self.error(f"expected attributes {sorted(declared)}, found {sorted(op.attrs)}", op)

    def results(self, op: Op) -> None:
        if op.name == "cond":
            self.cond(op)
        elif op.name == "while_loop":
            self.while_loop(op)
        elif op.blocks:
            raise self.error("only cond and while_loop own blocks", op)
        else:
            self.inferred(op)

    def inferred(self, op: Op) -> None:
        specs: tuple[Any, ...] = tuple(
            None if v is None else [u.spec for u in v] if isinstance(v, tuple) else v.spec for v in op.inputs
        )
        try:
            inferred = op.opdef.infer_specs(specs, op.attrs)
        except Exception as error:  # attributes of wrong types make rules fail in any way
            raise self.error(f"its shape rule refuses it: {error}", op) from error
        if len(inferred) != len(op.outputs):
            raise self.error(f"its shape rule gives {len(inferred)} results, the op has {len(op.outputs)}", op)
        for var, spec in zip(op.outputs, inferred, strict=True):
            if not compatible(var.spec, spec):
                raise self.error(f"result {var.index} is {var.spec}, but its shape rule says {spec}", op)

    def matches(self, op: Op, what: str, declared: list[Var], actual: list[Var]) -> None:
        """Raise an error unless each actual value is allowed where the declared one is."""
        if len(declared) != len(actual):
            raise self.error(f"{what}: expected {len(declared)}, found {len(actual)}", op)
        for i, (a, b) in enumerate(zip(declared, actual, strict=True)):
            if not compatible(a.spec, b.spec):
                raise self.error(f"{what} {i}: expected {a.spec}, found {b.spec}", op)

    def blocks(self, op: Op) -> tuple[Block, Block]:
        if len(op.blocks) != 2:
            raise self.error(f"expected 2 blocks, found {len(op.blocks)}", op)
        return op.blocks  # type: ignore[return-value]

    def cond(self, op: Op) -> None:
        pred, operands = op.inputs
        if not isinstance(pred.spec, TensorSpec) or pred.spec.size not in (1, UNKNOWN):
            raise self.error(f"the predicate must have one element, found {pred.spec}", op)
        for name, block in zip(("true", "false"), self.blocks(op), strict=True):
            self.matches(op, f"arguments of the {name} block", block.args, list(operands))
            self.matches(op, f"results of the {name} block", op.outputs, block.results)

    def while_loop(self, op: Op) -> None:
        (operands,) = op.inputs
        test, body = self.blocks(op)
        n = op.attrs["carried"]
        if type(n) is not int or not 0 <= n <= len(operands):
            raise self.error(f"it can't carry {n} of {len(operands)} operands", op)
        for name, block in (("condition", test), ("body", body)):
            self.matches(op, f"arguments of the {name}", block.args, list(operands))
        if len(test.results) != 1 or test.results[0].spec.size not in (1, UNKNOWN):
            raise self.error(f"the condition must give one value of one element, found {test.results}", op)
        self.matches(op, "results of the body", body.args[:n], body.results)
        self.matches(op, "results", op.outputs, body.args[:n])


def compatible(declared: Spec, actual: Spec) -> bool:
    """True if the two specs can be true of one value: kind, dtype and rank equal, dimensions equal where both are known."""
    if isinstance(declared, ListSpec) and isinstance(actual, ListSpec):
        return declared.element is None or actual.element is None or compatible(declared.element, actual.element)
    return (
        isinstance(declared, TensorSpec)
        and isinstance(actual, TensorSpec)
        and declared.dtype is actual.dtype
        and declared.ndim == actual.ndim
        and all(a == b or UNKNOWN in (a, b) for a, b in zip(declared.shape, actual.shape, strict=True))
    )
