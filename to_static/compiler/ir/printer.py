"""Programs as text. `ir.parser` reads it back: the two are exact inverses.

::

    program(%x: f32[?, 4]) {
      param %w: f32[4, 3]
      buffer %seen: i64[]
      %0: f32[?, 3] = matmul(%x, %w) {transpose_x=False, transpose_y=False}  # net.py:12
      %1: i64[] = constant() {value=i64[](1)}
      %2: i64[] = add(%seen, %1)
      state %seen = %2
      return %0
    }

Unnamed values are numbered in order of definition; names are made unique by a suffix; a name that is no plain word is quoted
(``%"a b"``). An absent optional input is ``_``, a list input ``[%a, %b]``. After a spec stands ``grad`` or ``stop`` when the
value's ``stop_gradient`` is not what its kind, or the inputs of its op, imply. Blocks follow their op::

      %3: f32[2] = cond(%p, [%x])
        true(%4: f32[2]) {
          return %4
        }
        false(%5: f32[2]) {
          ...
        }

Numbers and arrays are exact: an array is its spec and its elements in order, ``f32[2](0.1, nan)`` (complex elements are two
numbers each), or in base64 when there are more than 16.
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.spec import ListSpec, TensorSpec, spec_of
from to_static.compiler.ir.var_kinds import PARAM
from to_static.core.diagnostics.printable import cut, quoted
from to_static.core.dtypes import DType, as_dtype
from to_static.core.errors import ProgramError

if TYPE_CHECKING:
    from to_static.compiler.ir.program import Block, Op, Program, Var

INLINE = 16  # arrays of up to so many elements are written as numbers
WORD = re.compile(r"[A-Za-z_][\w.@$]*")
BLOCK_LABELS = {"cond": ("true", "false"), "while_loop": ("while", "do")}
_SITE_COLUMN = 60


def print_program(program: Program, abbreviate: bool = False, max_text_length: int | None = None) -> str:
    """The text of a Program.

    ``abbreviate``: leave out the elements of large constants; the text then begins with a line that says so, and can't be parsed.
    ``max_text_length``: longer names and strings are cut to so many characters; None: none is cut, and the parser gives the same
    Program.
    Raises ProgramError when an attribute has a type that the text form does not know.
    """
    writer = ProgramPrinter(program, abbreviate, max_text_length)
    return "\n".join(writer.program_lines()) + "\n"


def _quoted(text: str) -> str:
    import json  # only for names and texts that need quotes: it costs start-up time

    escaped = json.dumps(text, ensure_ascii=False)
    return escaped if escaped.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in escaped)


class ProgramPrinter:
    """Gives a name to each value of a Program, and makes the lines of its text."""

    def __init__(self, program: Program, abbreviate: bool = False, max_text_length: int | None = None) -> None:
        self.program = program
        self.abbreviate = abbreviate
        self.max_text_length = max_text_length
        self.names: dict[Var, str] = {}
        self._used_names: set[str] = set()
        self._count = 0
        for var in [*program.feeds, *program.params]:
            self._define(var)
        self._define_ops(program.block)

    def _define_ops(self, block: Block) -> None:
        for op in block.ops:
            for var in op.outputs:
                self._define(var)
            for inner in op.blocks:
                for arg in inner.args:
                    self._define(arg)
                self._define_ops(inner)

    def _define(self, var: Var) -> None:
        if var.name is None:
            self.names[var] = f"%{self._count}"
            self._count += 1
            return
        base = name = self._cut(var.name)
        suffix = 0
        while name in self._used_names:
            suffix += 1
            name = f"{base}_{suffix}"
        self._used_names.add(name)
        self.names[var] = "%" + (name if WORD.fullmatch(name) else _quoted(name))

    def _cut(self, text: str) -> str:
        return text if self.max_text_length is None else cut(text, self.max_text_length)

    # -- lines ----------------------------------------------------------------------------------------------------------

    def program_lines(self) -> list[str]:
        """All lines of the Program."""
        program = self.program
        lines = ["# large constants are abbreviated: this text can't be parsed"] if self.abbreviate else []
        lines.append(f"program({', '.join(self.declaration(v) for v in program.feeds)}) {{")
        if program.random_seed:
            lines.append(f"  seed {program.random_seed}")
        lines += [f"  {var.kind} {self.declaration(var)}" for var in program.params]
        lines += self.op_lines(program.block, "  ")
        pairs = zip(program.state, program.state_values, strict=False)
        lines += [f"  state {self.ref(var)} = {self.ref(value)}" for var, value in pairs]
        results = [self.ref(v) for v in program.outputs]
        if program.output_names is not None:
            results = [f"{r} as {_quoted(self._cut(n))}" for r, n in zip(results, program.output_names, strict=False)]
        lines += [f"  return {', '.join(results)}".rstrip(), "}"]
        return lines

    def op_lines(self, block: Block, indent: str) -> list[str]:
        """Lines of the ops of a block, with their blocks."""
        lines = []
        for op in block.ops:
            line = indent + self.op(op)
            lines.append(line if op.site is None else f"{line:<{_SITE_COLUMN}}  # {op.site}")
            labels = BLOCK_LABELS.get(op.name, ("block",) * len(op.blocks))
            for label, inner in zip(labels, op.blocks, strict=False):
                lines.append(f"{indent}  {label}({', '.join(self._block_args(op, inner))}) {{")
                lines += self.op_lines(inner, indent + "    ")
                lines.append(f"{indent}    return {', '.join(map(self.ref, inner.results))}".rstrip())
                lines.append(indent + "  }")
        return lines

    def op(self, op: Op) -> str:
        """One op on one line, without its blocks and site."""
        expected = implied_stops(op)
        outputs = ", ".join(self.declaration(v, e) for v, e in zip(op.outputs, expected, strict=False))
        inputs = ", ".join(self._operand(item) for item in op.inputs)
        text = f"{outputs} = {op.name}({inputs})" if op.outputs else f"{op.name}({inputs})"
        if op.attrs:
            text += " {" + ", ".join(f"{k}={self.value(v)}" for k, v in op.attrs.items()) + "}"
        return text

    def _block_args(self, op: Op, block: Block) -> list[str]:
        return [self.declaration(v, e) for v, e in zip(block.args, implied_arg_stops(op, block), strict=True)]

    def declaration(self, var: Var, implied: bool | None = None) -> str:
        """``%name: spec``, with ``grad`` or ``stop`` when that is not implied."""
        if implied is None:
            implied = var.kind != PARAM
        mark = "" if var.stop_gradient == implied else " stop" if var.stop_gradient else " grad"
        return f"{self.ref(var)}: {var.spec}{mark}"

    def ref(self, var: Var) -> str:
        """The value's name in the text; ``%?`` for one that no part of the Program defines."""
        return self.names.get(var, "%?")

    def _operand(self, item: Var | tuple[Var, ...] | None) -> str:
        if item is None:
            return "_"
        return f"[{', '.join(map(self.ref, item))}]" if isinstance(item, tuple) else self.ref(item)

    # -- attribute values -----------------------------------------------------------------------------------------------

    def value(self, value: Any) -> str:
        """An attribute value. Raises ProgramError for a type that the text form does not know."""
        cls = type(value)
        if value is None or cls in (bool, int):
            return str(value)
        if cls is float:
            return repr(value)
        if isinstance(value, str):
            return _quoted(self._cut(value))
        if cls is list:
            return f"[{', '.join(map(self.value, value))}]"
        if cls is tuple:
            return f"({', '.join(map(self.value, value))}{',' if len(value) == 1 else ''})"
        if cls is complex:
            return f"complex({value.real!r}, {value.imag!r})"
        if cls is slice:
            return f"slice({', '.join(map(self.value, (value.start, value.stop, value.step)))})"
        if value is Ellipsis:
            return "..."
        if cls is DType:
            return value.short
        if cls in (TensorSpec, ListSpec):
            return str(value)
        if isinstance(value, np.generic):
            return f"{as_dtype(value.dtype).short}{self._elements(np.asarray(value))}"
        if hasattr(value, "dtype") and hasattr(value, "shape"):
            host = value if isinstance(value, np.ndarray) else value.get()
            return f"{spec_of(host)}{self._elements(host)}"
        raise ProgramError(f"an attribute of type {cls.__name__} has no text form: {quoted(repr(value))}")

    def _elements(self, array: np.ndarray) -> str:
        array = np.ascontiguousarray(array)
        if array.size > INLINE:
            if self.abbreviate:
                return "(...)"
        else:
            flat = array.ravel()
            text = ", ".join(map(str, flat.view(f"f{array.itemsize // 2}") if array.dtype.kind == "c" else flat))
            if array.dtype.kind not in "fc" or not np.isnan(flat).any() or _plain_nans(flat):
                return f"({text})"
        return f'("{base64.b64encode(array.astype(array.dtype.newbyteorder("<")).tobytes()).decode()}")'


def _plain_nans(flat: np.ndarray) -> bool:
    """True if every NaN has the default bit pattern: the word ``nan`` would lose another sign or payload."""
    parts = flat.view(f"f{flat.itemsize // 2}") if flat.dtype.kind == "c" else flat
    bits = parts.view(f"u{parts.itemsize}")
    return bool((bits[np.isnan(parts)] == np.array(np.nan, parts.dtype).view(bits.dtype)).all())


def implied_stops(op: Op) -> list[bool]:
    """``stop_gradient`` that an op's inputs (for control ops: what their blocks return) give to its results."""
    if op.blocks and all(len(b.results) >= len(op.outputs) for b in op.blocks[op.name == "while_loop" :]):
        starts = list(op.operands()) if op.name == "while_loop" else []
        return [
            all(b.results[i].stop_gradient for b in op.blocks[op.name == "while_loop" :])
            and (i >= len(starts) or starts[i].stop_gradient)
            for i in range(len(op.outputs))
        ]
    stop = op.stops_gradient()
    auxiliary = op.opdef.auxiliary
    return [
        stop or i in auxiliary or not (v.spec.dtype is None or v.spec.dtype.is_floating) for i, v in enumerate(op.outputs)
    ]


def implied_arg_stops(op: Op, block: Block) -> list[bool]:
    """``stop_gradient`` that the operands of a control op give to the arguments of its blocks."""
    operands = list(op.operands())[op.name == "cond" :]
    return [operands[i].stop_gradient if i < len(operands) else True for i in range(len(block.args))]


__all__ = ["BLOCK_LABELS", "ProgramPrinter", "implied_arg_stops", "implied_stops", "print_program"]
