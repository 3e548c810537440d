"""Writes a Program as the JSON document of Paddle 3: operators are written as for Paddle 2, and converted by the table.

Names of the older form stand for value ids: each output gets a new id. `control_writer` writes branches, loops and arrays;
`op_writers` writes operators that the table cannot express.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.messages.conventions import names_apart, own_names
from to_static.compiler.formats.paddle.programs import divisors, kernel_workarounds, scalars  # noqa: F401  (they add to LOWERED)
from to_static.compiler.formats.paddle.programs.program_writer import ProgramWriter
from to_static.compiler.formats.pir import control_writer
from to_static.compiler.formats.pir.file_values import PLACE, array_of, dtype_of, intarray, number_of, shortest, type_of
from to_static.compiler.formats.pir.older_version import to_oldest_version
from to_static.compiler.formats.pir.op_table import Attribute, Operand, Row, names, row
from to_static.compiler.formats.pir.op_writers import WRITERS, constant
from to_static.compiler.ir.program import Op, Program, Var
from to_static.compiler.ir.spec import Spec, TensorSpec, spec_of
from to_static.compiler.ir.var_kinds import PARAM
from to_static.core import backend
from to_static.core.dtypes import BY_CODE, as_dtype, int64
from to_static.core.errors import FormatError

VERSION = 4  # that of PaddlePaddle 3.3; `to_oldest_version` lowers it
Attributes = Mapping[str, tuple[str, Any]]  # type and value by name
_IN_PLACE = ("batch_norm",)  # which Paddle writes so
_OF_OPERANDS = {"i32": "int32", "i64": "int64", "f32": "float32", "f64": "float64", "strf": "float64"}


class WrittenDocument:
    """A Program in the form of a file: the document, and the arrays of `.pdiparams` by name, in the file's order."""

    def __init__(self, content: dict[str, Any], arrays: dict[str, np.ndarray], names: dict[Var, str]) -> None:
        self.content = content
        self.arrays = arrays
        self.names = names


def write_program(program: Program, path: object, inference: bool = True) -> WrittenDocument:
    """The Program as a document of Paddle 3. ``path`` is for messages.

    With ``inference`` dropout and normalization are marked as in evaluation. Raises FormatError naming the operator and the user's
    line for anything that the files can't hold.
    """
    import to_static.compiler.ops  # noqa: F401  (the tables know where the operators are)

    return PirWriter(program, path, inference).document()


@functools.cache
def _rows_by_type() -> dict[str, str]:
    """The names of operations by the types that they have in files of Paddle 2; of several the one of that name, or the first."""
    by_type: dict[str, str] = {}
    for name in sorted(names(), key=lambda name: name.startswith("legacy_")):
        op_type = row(name).op_type  # type: ignore[union-attr]
        by_type.setdefault(op_type, name)
    return by_type


class PirWriter(ProgramWriter):
    """The writer that ``to_file`` hooks see, as of `ProgramWriter`, writing operations of Paddle 3."""

    around_onednn = False

    def __init__(self, program: Program, path: object, inference: bool) -> None:
        super().__init__(program, path, inference)
        self.operations: list[dict[str, Any]] = []
        self.value_ids: dict[str, int] = {}
        self.specs: dict[str, Any] = {}
        self.last = 0
        self.created: dict[int, dict[str, Any]] = {}  # the operations that make arrays, by the numbers of these
        self.last_argument = 0
        self.parameter_ids: dict[str, int] = {}  # apart from `value_ids`: an in-place op gives its name a new value

    # what hooks use --------------------------------------------------------------------------------------------------

    def write(self, op_type: str, inputs: dict[str, Any], outputs: dict[str, Any], attrs: dict[str, tuple[str, Any]]) -> None:
        """Append the operation that an operator of Paddle 2 is."""
        ins = {slot: [self.name(v) for v in _items(value)] for slot, value in inputs.items()}
        outs = {slot: [self._named_output(v, op_type) for v in _items(value)] for slot, value in outputs.items()}
        if self.inference and "is_test" in attrs:
            attrs = {**attrs, "is_test": ("bool", True)}
        special = WRITERS.get(op_type)
        if special is not None:
            special(self, ins, outs, attrs)
            return
        name = _rows_by_type().get(op_type)
        if name is None:
            self.refuse(f"Paddle 3 has no operator that {op_type!r} is")
        self.by_row(name, ins, outs, attrs)

    def by_row(self, name: str, ins: dict[str, list[str]], outs: dict[str, list[str]], attrs: Attributes) -> None:
        """Append an operation by its row of the table."""
        entry = row(name)
        assert entry is not None
        self._check_slots(entry, ins)
        operands = [self._operand(operand, ins, attrs) for operand in entry.operands]
        # what goes in and comes out under one name is not written in evaluation: later uses read what went in
        unchanged = {source for names in ins.values() for source in names} if attrs.get("is_test", ("bool", False))[1] else set()
        results: list[tuple[str | None, Any]] = []
        lists: list[tuple[str, list[str]]] = []
        for result in entry.results:
            targets = outs.get(result.slot, [])
            if result.several and targets:
                results.append((self.unique_name("list"), [self.specs[target] for target in targets]))
                lists.append((str(results[-1][0]), targets))
            else:
                target = targets[0] if targets and targets[0] not in unchanged else None
                results.append((target, self.specs[targets[0]] if targets else _unread(name)))
        attributes = {a.name: self._attribute(a, attrs) for a in entry.attributes}
        self.emit(name + "_" * (name in _IN_PLACE), operands, results, attributes)
        for source, targets in lists:
            self.emit("0.split", [self.value_ids[source]], [(target, self.specs[target]) for target in targets])

    def emit(
        self,
        name: str,
        operands: Sequence[int],
        results: Sequence[tuple[str | None, Any]] = (),
        attributes: Mapping[str, Any] | None = None,
        regions: Sequence[Any] = (),
    ) -> None:
        """Append an operation. ``results`` are names with specs (None: not there); ``attributes`` are in the file's form."""
        results_out = []
        for target, spec in results:
            value_id = self.next_id()
            if target is not None:
                self.value_ids[target] = value_id
                self.specs[target] = spec
            results_out.append({"%": value_id, "TT": type_of(spec)})
        operation = {
            "#": name if name[:1].isdigit() else f"1.{name}",
            "A": [{"N": key, "AT": value} for key, value in (attributes or {}).items()],
            "I": [{"%": value_id} for value_id in operands],
            "O": results_out,
            "OA": [_stop_gradients(len(results_out))] if results_out else [],
        }
        if regions:
            operation["regions"] = list(regions)
        self.operations.append(operation)

    def next_id(self) -> int:
        """The number of a new value."""
        self.last += 1
        return self.last

    def combined(self, sources: Sequence[str]) -> int:
        """The number of a list of values."""
        name = self.unique_name("combined")
        self.emit("0.combine", [self.value_ids[source] for source in sources], [(name, [self.specs[source] for source in sources])])
        return self.value_ids[name]

    def full(self, value: Any, dtype: Any, shape: Sequence[int] = (1,)) -> str:
        """The name of a tensor of one number.

        PaddlePaddle 3.3 can't read the infinities and NaNs that it writes: these are quotients.
        """
        if isinstance(value, float) and not math.isfinite(value):
            sign = 0.0 if math.isnan(value) else math.copysign(1.0, value)
            name = self.temp(TensorSpec(tuple(shape), as_dtype(dtype)))
            self.by_row("divide", {"X": [self.full(sign, dtype, shape)], "Y": [self.full(0.0, dtype, shape)]}, {"Out": [name]}, {})
            return name
        name = self.unique_name("full")
        spec = TensorSpec(tuple(shape), as_dtype(dtype))
        attributes = {
            "shape": intarray(shape), "value": number_of("f64", value), "dtype": dtype_of(spec.dtype), "place": PLACE,
        }  # fmt: skip
        self.emit("full", [], [(name, spec)], attributes)
        return name

    def int_array(self, values: Sequence[int]) -> str:
        """The name of a 1-D int64 constant."""
        name = self.unique_name("int_array")
        spec = TensorSpec((len(values),), int64)
        attributes = {"value": array_of("i64", values), "dtype": dtype_of(int64), "place": PLACE}
        self.emit("full_int_array", [], [(name, spec)], attributes)
        return name

    # the older form --------------------------------------------------------------------------------------------------

    def declare(self, name: str, spec: Spec | str, persistable: bool = False) -> str:
        """Store the spec of a name."""
        self.specs[name] = spec
        return name

    def _named_output(self, value: Any, op_type: str) -> str:
        if isinstance(value, str):
            return value
        self.names[value] = name = self.declare(self.claim(self.named(value), op_type), value.spec)
        return name

    def param(self, array: np.ndarray, name: str | None) -> str:
        """A value that is in `.pdiparams`; its operation is put before all others."""
        claimed = self.claim(name, "constant")
        self.specs[claimed] = spec_of(array)
        self.arrays[claimed] = array
        self.value_ids[claimed] = self.parameter_ids[claimed] = self.next_id()
        return claimed

    def constant(self, value: Any) -> str:
        """The name of a new constant."""
        array = np.asarray(value)
        return constant(self, array, self.temp(spec_of(array), "constant"))

    def _check_slots(self, entry: Row, ins: dict[str, list[str]]) -> None:
        slots = entry.slots
        unknown = [slot for slot, sources in ins.items() if sources and slot not in slots]
        if unknown:
            self.refuse(f"an input {unknown[0]} of {entry.op_type!r}, which Paddle 3 has no operand for")

    def _operand(self, operand: Operand, ins: dict[str, list[str]], attrs: Attributes) -> int:
        if operand.slot is not None or not operand.attr_type:
            sources = ins.get(operand.slot or "", [])
            if operand.several:
                return self.combined(sources) if sources else 0
            return self.value_ids[sources[0]] if sources else 0
        sources = next((ins[slot] for slot in operand.tensor_slots if ins.get(slot)), [])
        if len(sources) == 1:
            return self.value_ids[sources[0]]
        if sources:
            return self.value_ids[self.joined(sources)]
        if operand.attr is None or operand.attr not in attrs:
            self.refuse(f"no {operand.name}, which Paddle 3 wants")
        value = attrs[operand.attr][1]
        if attrs.get("reduce_all", ("", False))[1] and operand.attr in ("dim", "axis"):
            value = []
        if operand.attr_type.endswith("s"):
            return self.value_ids[self.int_array(list(value))]
        value = value[0] if isinstance(value, (list, tuple)) else value
        return self.value_ids[self.full(float(value), _OF_OPERANDS[operand.attr_type])]

    def joined(self, sources: Sequence[str]) -> str:
        """The name of a 1-D int64 tensor of several of one element."""
        parts = []
        for source in sources:
            flat = self.temp(TensorSpec((1,), int64))
            int64_source = source if self.specs[source].dtype is int64 else self.cast(source, self.specs[source], int64)
            self.by_row("reshape", {"X": [int64_source]}, {"Out": [flat]}, {"shape": ("ints", [1])})
            parts.append(flat)
        joined = self.temp(TensorSpec((len(parts),), int64))
        self.by_row("concat", {"X": parts}, {"Out": [joined]}, {"axis": ("int", 0)})
        return joined

    def _attribute(self, attribute: Attribute, attrs: Attributes) -> Any:
        """An attribute in the file's form; where the older form has none, the value that it stands for."""
        if attribute.type == "place":
            return PLACE
        value: Any
        attr_type, value = attrs.get(attribute.attr or "", ("", attribute.default))
        if attribute.type.startswith("f64") and attr_type in ("float", "floats"):
            value = [shortest(v) for v in value] if isinstance(value, (list, tuple)) else shortest(value)
        if attribute.type == "dtype":
            return dtype_of(None if value in (None, -1) else as_dtype(value) if attr_type == "dtype" else BY_CODE[int(value)])
        if attribute.type == "intarray":
            return intarray(value or [])
        if attribute.type.endswith("s"):
            return array_of(attribute.type[:-1], value if isinstance(value, (list, tuple)) else [] if value is None else [value])
        if value is None:
            value = {"bool": False, "str": ""}.get(attribute.type, 0)
        return number_of(attribute.type, value)

    # the parts of a document -----------------------------------------------------------------------------------------

    def document(self) -> WrittenDocument:
        """Write everything."""
        program = self.program
        for var in program.params:
            self.names[var] = self.param(backend.backend_of(var.holder._array).to_numpy(var.holder._array), var.name)
        for i, var in enumerate(program.feeds):
            self._feed(var, i)
        self.ops(program.block)
        self.current = None
        fetches = [self.names[var] for var in program.outputs]
        self.state()
        copies: dict[int, str] = {}
        apart = names_apart(program.output_names or (), [var.name for var in program.feeds])
        labels = own_names(apart) or [f"fetch_name_{i}" for i in range(len(fetches))]
        for i, (name, var) in enumerate(zip(fetches, program.outputs, strict=True)):
            if not isinstance(var.spec, TensorSpec):
                raise FormatError(self.path, "outputs that are tensors", f"output {i}, a list of tensors: stack or concat it first")
            attributes = {"name": number_of("str", labels[i]), "col": number_of("i32", i)}
            source = self.value_ids[name]
            if source in copies:  # PaddlePaddle's engine makes one output of equal values, and does not find the other
                name = self.temp(var.spec)
                self.emit("assign", [self.value_ids[copies[source]]], [(name, var.spec)])
            copies[source] = name
            self.emit("fetch", [self.value_ids[name]], [(self.unique_name("fetch"), var.spec)], attributes)
        block = {"#": "block_0", "args": [], "ops": [*self._parameters(), *self.operations]}
        content = {
            "base_code": {"magic": "pir", "trainable": True, "version": VERSION},
            "program": {"regions": [{"#": "region_0", "blocks": [block]}]},
        }
        to_oldest_version(content)
        return WrittenDocument(content, {name: self.arrays[name] for name in sorted(self.arrays)}, self.names)

    def lowering(self, name: str) -> Callable[[Any, Op], None] | None:
        """The function that writes an operator in another form than its declaration says; None for most."""
        return control_writer.LOWERED.get(name) or super().lowering(name)

    def _feed(self, var: Var, i: int) -> None:
        name = self.names[var] = self.claim(var.name, f"input{i}")
        assert isinstance(var.spec, TensorSpec)
        attributes = {
            "name": number_of("str", name), "shape": intarray(var.spec.shape), "dtype": dtype_of(var.spec.dtype), "place": PLACE,
        }  # fmt: skip
        self.emit("data", [], [(name, var.spec)], attributes)

    def state(self) -> None:
        """Write the new values of parameters and buffers over the old ones."""
        for target, value in zip(self.program.state, self.program.state_values, strict=True):
            source, target_name = self.names[value], self.names[target]
            if source != target_name:
                self.emit(
                    "assign_out_",
                    [self.value_ids[source], self.value_ids[target_name]],
                    [(self.unique_name("state"), target.spec)],
                )

    def _parameters(self) -> list[dict[str, Any]]:
        by_name = {self.names[var]: var for var in self.program.params}
        operations = []
        for name in self.arrays:
            var = by_name.get(name)
            trainable = var is not None and var.kind == PARAM and bool(getattr(var.holder, "trainable", True))
            stops = bool(var.stop_gradient) if var is not None else True
            operations.append({
                "#": "p", "A": [0, 1, 1, name], "DA": [], "QA": [], "OA": [1, int(stops), int(trainable)],
                "O": {"%": self.parameter_ids[name], "TT": type_of(self.specs[name])},
            })  # fmt: skip
        return operations


def _unread(name: str) -> Any:
    """Return the type of an unused result; None if Paddle writes no such result."""
    return None if name in ("unique", "unique_consecutive") else TensorSpec((), as_dtype("float32"))


def _items(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _stop_gradients(count: int) -> dict[str, Any]:
    return {"N": "stop_gradient", "AT": array_of("bool", [True] * count)}
