"""Writes a Program as a ProgramDesc: values get names, and each op is written as its declaration says.

The result has everything that Paddle's reader requires: feed and fetch ops, an identity `scale` before each output, sorted slots,
attributes and variables, and the common attributes. Equal Programs give equal bytes.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from to_static.compiler.formats.paddle.messages import schema
from to_static.compiler.formats.paddle.messages.conventions import OUTPUT_SCALE, own_names
from to_static.compiler.formats.paddle.messages.desc import attr_message, var_message
from to_static.compiler.formats.paddle.messages.versions import version_map
from to_static.compiler.formats.paddle.programs import divisors, kernel_workarounds, scalars  # noqa: F401  (they add to LOWERED)
from to_static.compiler.formats.paddle.programs.control_writer import LOWERED
from to_static.compiler.ir.building.composition import composed
from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.spec import UNKNOWN, Spec, TensorSpec, spec_of
from to_static.core import backend
from to_static.core.dtypes import bool_, int32, int64
from to_static.core.errors import FormatError

if TYPE_CHECKING:
    from to_static.core.array_types import Array
    from to_static.core.dtypes import DType

SMALL = 1024  # elements up to which a constant is stored in the program itself
_VALUE_ATTRS = {
    "bool": ("bool_values", "ints"), "float32": ("fp32_values", "floats"), "float64": ("fp64_values", "float64s"),
    "int32": ("int32_values", "ints"), "int64": ("int64_values", "longs"),
}  # fmt: skip
# attributes that Paddle's gradient makers insist on: without them a loaded model can't be trained on
_EVERY: dict[str, dict[str, tuple[str, Any]]] = {"cast": {"use_mkldnn": ("bool", False)}}
_CONSTANTS = ("fill_constant", "assign_value")


_ELSEWHERE = ". Return the tensors that it needs, and do it with what the loaded function gives back"
_SEQUENCES = (
    "; it belongs to sequences of different lengths (LoD), with which no Program is written: let the Program take padded "
    "sequences and their lengths. A model of a file is copied as it is by `to_static upgrade MODEL --to pdmodel`"
)
_BELONGS_TO = {  # what users know an operator as that has no form in a file
    "sequence_rows": _SEQUENCES,
    "crf_path": _SEQUENCES,
    "list_find": f"; it looks up what is in a dict or set, or a list, whose contents tensors decide{_ELSEWHERE}",
    "list_insert": f"; it is `insert()`, or a slice that is set, of a list whose length tensors decide{_ELSEWHERE}",
    "python_order": f"; it sorts numbers as Python's `sorted()` does{_ELSEWHERE}, or use `paddle.sort`",
    "python": f"; it computes with numbers as Python's own operators and `math` do{_ELSEWHERE}, or use tensors",
    "write": f"; it writes text to a log or stream{_ELSEWHERE}",
}


class WrittenProgram:
    """A Program in file form: the ProgramDesc message, and the arrays of `.pdiparams` by name, in file order."""

    def __init__(self, desc: Any, arrays: dict[str, np.ndarray], feeds: list[str], names: dict[Var, str]) -> None:
        self.desc = desc
        self.arrays = arrays
        self.feeds = feeds
        self.names = names

    def data(self) -> bytes:
        """The bytes of `.pdmodel`."""
        return self.desc.SerializeToString(deterministic=True)


def write_program(
    program: Program, path: object, inference: bool = True, named: Callable[[Var], str | None] | None = None
) -> WrittenProgram:
    """The Program as Paddle's ProgramDesc. ``path`` is for messages.

    With ``inference`` (Paddle always saves models so) dropout and normalization are marked as in evaluation, whatever mode they
    were traced in; a reader's ``train()`` switches them back.

    Inputs keep their names; results are called as ``program.output_names`` says; ``named`` tells what other values are called
    (None: as the operator is). Raises FormatError naming the operator and
    the user's line for anything that Paddle's files can't hold.
    """
    import to_static.compiler.ops  # noqa: F401  (the tables know where the operators are)

    return ProgramWriter(program, path, inference, named or (lambda var: None)).written()


class BlockWriter:
    """One block of the file under construction."""

    def __init__(self, index: int, parent: BlockWriter | None) -> None:
        self.index = index
        self.parent = parent
        self.ops: list[Any] = []
        self.vars: dict[str, Any] = {}
        self.outer: dict[str, None] = {}  # names of outer blocks that its ops read

    def message(self) -> Any:
        """The BlockDesc, variables sorted by name."""
        parent = -1 if self.parent is None else self.parent.index
        holders = [v for v in ("feed", "fetch") if v in self.vars and self.parent is None]
        names = [*sorted(n for n in self.vars if n not in holders), *holders]
        return schema.new("BlockDesc", idx=self.index, parent_idx=parent, vars=[self.vars[n] for n in names], ops=self.ops)


class ProgramWriter:
    """The interface of ``to_file`` hooks: `write`, `default`, `temp`, `unused`, `constant`, `cast`, `size`, `refuse`."""

    around_onednn = True  # whether operators are written so that Paddle 2's oneDNN kernels compute them right

    def __init__(
        self, program: Program, path: object, inference: bool = True, named: Callable[[Var], str | None] = lambda var: None
    ) -> None:
        self.program = program
        self.named = named
        self.inference = inference
        self.path = path
        self.names: dict[Var, str] = {}
        self.used = {"feed", "fetch", "empty_list"}
        self.counts: dict[str, int] = {}
        self.arrays: dict[str, np.ndarray] = {}
        self.block = BlockWriter(0, None)
        self.blocks = [self.block]
        self.current: Op | None = None
        self._reads: dict[Block, Counter[Var]] = {}
        self.owned: set[Var] = set()  # lists whose variable may be changed in place: no other value has that name

    # what hooks use --------------------------------------------------------------------------------------------------

    def write(self, op_type: str, inputs: dict[str, Any], outputs: dict[str, Any], attrs: dict[str, tuple[str, Any]]) -> None:
        """Append a file op. Slots map to a Var, a name, a list of those, or None; attributes to ``(type, value)``."""
        ins = {slot: [self.name(v) for v in _items(value)] for slot, value in inputs.items()}
        for names in ins.values():
            for name in names:
                if name not in self.block.vars:
                    self.block.outer.setdefault(name)
        outs = {slot: [self._output(v, op_type) for v in _items(value)] for slot, value in outputs.items()}
        everywhere = {"op_role": ("int", 0), "op_role_var": ("strs", []), "op_namescope": ("str", "/"), "op_device": ("str", "")}
        values = {**everywhere, **_EVERY.get(op_type, {}), **attrs}
        if self.inference and "is_test" in values:
            values["is_test"] = ("bool", True)
        try:
            messages = [attr_message(name, *values[name]) for name in sorted(values)]
        except (ValueError, TypeError, OverflowError) as error:
            self.refuse(f"an attribute of {op_type} does not fit: {error}")
        self.block.ops.append(schema.new("OpDesc", type=op_type, inputs=_slots(ins), outputs=_slots(outs), attrs=messages))

    def default(
        self,
        op: Op,
        op_type: str | None = None,
        inputs: dict[str, Any] | None = None,
        outputs: dict[str, Any] | None = None,
        attrs: dict[str, tuple[str, Any]] | None = None,
    ) -> None:
        """Write an op as its declaration says, with these parts replaced or added."""
        opdef = op.opdef
        op_type = op_type or opdef.file
        if op_type is None:
            self.refuse(f"Paddle has no such operator{_BELONGS_TO.get(op.name, '')}")
        ins = {slot.name: value for slot, value in zip(opdef.inputs, op.inputs, strict=True)}
        outs: dict[str, Any] = {}
        for i, slot in enumerate(opdef.outputs):
            outs[slot.name] = op.outputs[i:] if slot.variadic else op.outputs[i]
        values = dict(opdef.file_attrs)
        values.update({a.file_name: (a.type, op.attrs[a.name]) for a in opdef.attrs if a.type})
        self.write(op_type, {**ins, **(inputs or {})}, {**outs, **(outputs or {})}, {**values, **(attrs or {})})

    def temp(self, spec: Spec | str, hint: str = "tmp") -> str:
        """The name of a new variable."""
        return self.declare(self.unique_name(hint), spec)

    def unused(self, dtype: DType | None = None) -> str:
        """Return the name of a new variable for an unused result."""
        return self.temp(TensorSpec((), dtype or self._dtype()), "unused")

    def constant(self, value: Array) -> str:
        """The name of a new variable that holds an array."""
        array = np.asarray(value)
        out = self.temp(spec_of(array), "constant")
        self._constant(array, out)
        return out

    def cast(self, value: Var | str, spec: TensorSpec, dtype: DType) -> str:
        """The name of the value cast to another dtype."""
        out = self.temp(spec.with_dtype(dtype), "cast")
        self.write("cast", {"X": value}, {"Out": out}, {"in_dtype": ("dtype", spec.dtype), "out_dtype": ("dtype", dtype)})
        return out

    def size(self, var: Var, axis: int) -> str:
        """The name of a dimension of ``var`` as an int64 value of shape [1]."""
        spec = var.spec
        assert isinstance(spec, TensorSpec)
        axis %= spec.ndim
        if spec.shape[axis] != UNKNOWN:
            return self.constant(np.asarray([spec.shape[axis]], "int64"))
        sizes, one = self.temp(TensorSpec((spec.ndim,), int32)), self.temp(TensorSpec((1,), int32))
        self.write("shape", {"Input": var}, {"Out": sizes}, {})
        attrs = {"axes": [0], "starts": [axis], "ends": [axis + 1], "decrease_axis": [], "infer_flags": [1]}
        self.write("slice", {"Input": sizes}, {"Out": one}, {k: ("ints", v) for k, v in attrs.items()})
        return self.cast(one, TensorSpec((1,), int32), int64)

    def refuse(self, why: str) -> NoReturn:
        """Raise the error that names the operator, the user's line and the file."""
        op = self.current
        where = f" at {op.site}" if op is not None and op.site is not None else ""
        name = "?" if op is None else op.name
        raise FormatError(self.path, "operators that Paddle's files can hold", f"{name!r}{where}: {why}")

    # names -----------------------------------------------------------------------------------------------------------

    def unique_name(self, hint: str) -> str:
        """A name that nothing has yet."""
        while True:
            count = self.counts.get(hint, 0)
            self.counts[hint] = count + 1
            name = f"{hint}_{count}.tmp_0"
            if name not in self.used:
                self.used.add(name)
                return name

    def claim(self, name: str | None, hint: str) -> str:
        """``name`` if it is free, else a fresh one."""
        if not name or name in self.used:
            return self.unique_name(hint)
        self.used.add(name)
        return name

    def declare(self, name: str, spec: Spec | str, persistable: bool = False) -> str:
        """Declare a variable in the current block; returns its name."""
        self.block.vars[name] = var_message(name, spec, persistable)
        return name

    def name(self, value: Var | str) -> str:
        """The name of a value."""
        return value if isinstance(value, str) else self.names[value]

    def reads(self, var: Var) -> int:
        """The number of reads of a value by the operators and results of its block."""
        block = var.block
        assert block is not None
        if block not in self._reads:
            read = itertools.chain.from_iterable(op.operands() for op in block.ops)
            self._reads[block] = Counter(itertools.chain(read, block.results))
        return self._reads[block][var]

    def _output(self, value: Var, op_type: str) -> str:
        if isinstance(value, str):
            return value
        self.names[value] = name = self.declare(self.claim(self.named(value), op_type), value.spec)
        return name

    def _dtype(self) -> Any:
        dtypes = [v.spec.dtype for v in self.current.outputs] if self.current is not None else []
        return next((d for d in dtypes if d is not None), bool_)

    # the parts of a program ------------------------------------------------------------------------------------------

    def written(self) -> WrittenProgram:
        """Write everything."""
        program = self.program
        for i, var in enumerate(program.feeds):
            self.names[var] = self.declare(self.claim(var.name, f"input{i}"), var.spec)
        for var in program.params:
            self.names[var] = self.param(backend.backend_of(var.holder._array).to_numpy(var.holder._array), var.name)
        self.ops(program.block)
        outputs = self.outputs()
        self.state()
        self.frame([self.names[v] for v in program.feeds], outputs)
        self.drop_unread_constants()
        desc = schema.new(
            "ProgramDesc",
            blocks=[b.message() for b in self.blocks],
            version=schema.new("Version", version=schema.VERSION),
            op_version_map=version_map(),
        )
        arrays = {name: self.arrays[name] for name in sorted(self.arrays)}
        return WrittenProgram(desc, arrays, [self.names[v] for v in program.feeds], self.names)

    def param(self, array: np.ndarray, name: str | None) -> str:
        """A variable whose value is in `.pdiparams`."""
        claimed = self.claim(name, "constant")
        self.blocks[0].vars[claimed] = var_message(claimed, spec_of(array), persistable=True)
        self.arrays[claimed] = array
        return claimed

    def open_block(self) -> BlockWriter:
        """Begin a sub-block, into which operators are written from here on."""
        block = BlockWriter(len(self.blocks), self.block)
        self.blocks.append(block)
        self.block = block
        return block

    def ops(self, block: Block) -> None:
        """Write the ops of a block into the current one."""
        for op in block.ops:
            self.current = op
            if "effect" in op.opdef.traits and not op.outputs:
                continue  # print and assert: Paddle drops them from saved programs too
            special = self.lowering(op.name)
            if special is not None:
                special(self, op)
            else:
                self.as_declared(op)
        self.current = None

    def lowering(self, name: str) -> Callable[[Any, Op], None] | None:
        """The function that writes an operator in another form than its declaration says; None for most."""
        return LOWERED.get(name)

    def as_declared(self, op: Op) -> None:
        """Write an op as its declaration says: by its hook, its signature, or its composition."""
        if op.opdef.to_file_hook is not None:
            op.opdef.to_file_hook(self, op)
        elif op.opdef.file is None and op.opdef.composition_rule is not None:
            block = composed(op)
            self.ops(block)
            for out, var in zip(op.outputs, block.results, strict=True):
                self.names[out] = self.names[var]  # which differ where the composition gives an input, or one value twice
        else:
            self.default(op)

    def outputs(self) -> list[str]:
        """Give each result a variable of its own, as Paddle does; returns their names."""
        results = self.program.outputs
        declared = self.program.output_names or [None] * len(results)  # type: ignore[list-item]
        own_output_names = own_names(self.program.output_names)
        # Paddle's jit.load returns scaled outputs before others: where a boolean rules out a scale, none is written
        scaled = own_output_names is None and all(v.spec.dtype is not bool_ for v in results)
        names: list[str] = []
        written_before: set[Var] = set()
        for i, (var, wanted) in enumerate(zip(results, declared, strict=True)):
            if not isinstance(var.spec, TensorSpec):
                raise FormatError(self.path, "outputs that are tensors", f"output {i}, a list of tensors: stack or concat it first")
            source = self.names[var]
            if own_output_names is not None:
                source = self.declare(self.claim(own_output_names[i], own_output_names[i]), var.spec)
                self.write("assign", {"X": var}, {"Out": source}, {})
            elif var.kind != "temp" or var in written_before:
                source = self.temp(var.spec, "assign")  # a feed, a parameter or a repeated result
                self.write("assign", {"X": var}, {"Out": source}, {})
            written_before.add(var)
            if not scaled:
                names.append(source)
                continue
            name = wanted if wanted and wanted.startswith(OUTPUT_SCALE) else f"{OUTPUT_SCALE}{i}.tmp_0"
            out = self.declare(self.claim(name, f"{OUTPUT_SCALE}{i}"), var.spec)
            attrs = {"scale": ("float", 1.0), "bias": ("float", 0.0), "bias_after_scale": ("bool", True)}
            self.write("scale", {"X": source, "ScaleTensor": None}, {"Out": out}, attrs)
            names.append(out)
        return names

    def state(self) -> None:
        """Write the new values of parameters and buffers back under their names, all at once."""
        pairs = list(zip(self.program.state, self.program.state_values, strict=True))
        sources = []
        for _, value in pairs:
            source = self.names[value]
            if value.kind != "temp":  # another parameter, perhaps overwritten below
                source = self.temp(value.spec, "assign")
                self.write("assign", {"X": value}, {"Out": source}, {})
            sources.append(source)
        for (target, _), source in zip(pairs, sources, strict=True):
            self.write("assign", {"X": source}, {"Out": self.names[target]}, {})

    def frame(self, feeds: list[str], outputs: list[str]) -> None:
        """Put feed ops before the others (the last input first, as Paddle does) and fetch ops after them."""
        self.declare("feed", "FEED_MINIBATCH", persistable=True)
        self.declare("fetch", "FETCH_LIST", persistable=True)
        body, self.block.ops = self.block.ops, []
        for i, name in reversed(list(enumerate(feeds))):
            self.write("feed", {"X": "feed"}, {"Out": name}, {"col": ("int", i)})
        self.block.ops += body
        for i, name in enumerate(outputs):
            self.write("fetch", {"X": name}, {"Out": "fetch"}, {"col": ("int", i)})

    def drop_unread_constants(self) -> None:
        """Leave out constants that no op reads: Paddle's inference passes crash on them."""
        read = {name for b in self.blocks for op in b.ops for entry in op.inputs for name in entry.arguments}
        for block in self.blocks:
            dead = [op for op in block.ops if op.type in _CONSTANTS and op.outputs[0].arguments[0] not in read]
            for op in dead:
                block.vars.pop(op.outputs[0].arguments[0], None)
            if dead:
                gone = set(map(id, dead))
                block.ops = [op for op in block.ops if id(op) not in gone]

    def _constant(self, array: np.ndarray, out: str) -> None:
        dtype = spec_of(array).dtype
        if array.size and dtype.kind != "c" and _all_one(array):
            value = array.reshape(-1)[0].item()
            attrs = {
                "shape": ("longs", array.shape), "dtype": ("dtype", dtype), "str_value": ("str", repr(value)),
                "value": ("float", min(max(float(value), -3e38), 3e38)), "force_cpu": ("bool", False), "place_type": ("int", -1),
            }  # fmt: skip
            if dtype is bool_:
                attrs["str_value"] = ("str", str(float(value)))
            slots = dict.fromkeys(("ShapeTensor", "ShapeTensorList", "ValueTensor"))
            self.write("fill_constant", slots, {"Out": out}, attrs)
        elif array.size and array.size <= SMALL and dtype.name in _VALUE_ATTRS:
            values: dict[str, tuple[str, Any]] = {name: (convert, []) for name, convert in _VALUE_ATTRS.values()}
            name, convert = _VALUE_ATTRS[dtype.name]
            values[name] = (convert, array.reshape(-1).tolist())
            attrs = {"shape": ("ints", array.shape), "dtype": ("dtype", dtype)}
            self.write("assign_value", {}, {"Out": out}, {**values, **attrs})
        else:
            self.write("assign", {"X": self.param(array, None)}, {"Out": out}, {})


def _all_one(array: np.ndarray) -> bool:
    """True if all elements are one number, which may be nan."""
    one = array.reshape(-1)[0]
    return bool((array == one).all() or (one != one and (array != array).all()))


def _items(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _slots(named: dict[str, list[str]]) -> list[Any]:
    return [schema.new("Var", parameter=slot, arguments=named[slot]) for slot in sorted(named)]

