"""Static Programs in the form of files, to be rewritten there, and back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.editing import FileProgram
from to_static.compiler.formats.paddle.messages.conventions import OUTPUT_SCALE
from to_static.compiler.formats.paddle.programs.program_writer import write_program
from to_static.compiler.ir.program import Program as Inner
from to_static.compiler.ir.program import Var
from to_static.core.backend import backend_of
from to_static.static.program import Program, program_guard
from to_static.static.scope import Loose


def form_of(program: Program, fetch: Any = None) -> FileProgram:
    """A Program as files have it. ``fetch``: the results, which it has `fetch` operators for then; otherwise all values are there.

    Of a Program that was trained by ``minimize`` it is what was there before: see `program_of`.
    """
    desc = program.file
    if desc is not None and fetch is None:
        copied = desc.copy()
        copied.arrays.update(_arrays(program))
        return copied
    names: dict[Var, str] = {}
    if program.trained is None:
        inner = _whole_program(program, fetch, names)
    else:
        untrained = program.trained.untrained
        origin = {copy: var for var, copy in untrained._copied.items()}
        inner = _whole_program(untrained, fetch, names, lambda var: program.builder.name_of(origin[var]) if var in origin else None)
    written = write_program(inner, "<program>", inference=False, named=names.get)
    file_program = FileProgram.of_message(written.desc, written.arrays)
    if fetch is None:
        _bare(file_program, written.feeds)
    source = program if program.trained is None else program.trained.untrained
    _as_paddle_writes(
        file_program,
        {names[var]: product for var, product in _products(source, inner, written.names).items() if var in names},
    )
    return file_program


def _products(program: Program, inner: Inner, written: dict[Var, str]) -> dict[Var, int]:
    """The products of `static.nn.fc` in a copy of a Program."""
    copies = dict(zip(_outputs_of(program.builder.program), _outputs_of(inner), strict=False))
    return {copies[var]: product for var, product in program.builder.products.items() if copies.get(var) in written}


def _outputs_of(program: Inner) -> list[Var]:
    return [var for op in program.block.ops for var in op.outputs]


def _as_paddle_writes(form: FileProgram, products: dict[str, int]) -> None:
    """Return the operator under the names of Paddle's passes: `mul` of `static.nn.fc`, the bias of a convolution as it is."""
    block = form.blocks[0]
    for op in [op for op in block.ops if op.type == "matmul_v2" and op.output("Out")[0] in products]:
        for name in ("trans_x", "trans_y"):
            op.remove_attr(name)
        writer, x = block.writer_of(op.input("X")[0]), op.input("X")[0]
        if writer is not None and writer.type == "reshape2" and len(block.readers_of(x)) == 1:
            block.ops.remove(writer)
            op.rename_input(x, writer.input("X")[0])
        op.set_type("mul")
        op.set_attr("x_num_col_dims", products[op.output("Out")[0]])
        op.set_attr("y_num_col_dims", 1)
    for op in [op for op in block.ops if op.type == "elementwise_add"]:
        writer = block.writer_of(op.input("Y")[0])
        if writer is None or writer.type != "reshape2" or list(writer.attrs["shape"][:2]) != [1, -1]:
            continue
        bias, readers = block.find(writer.input("X")[0]), block.readers_of(op.input("Y")[0])
        if bias is not None and bias.persistable and len(bias.shape) == 1 and len(readers) == 1:
            op.rename_input(op.input("Y")[0], bias.name)
            op.set_attr("axis", 1)
            block.ops.remove(writer)


def _whole_program(program: Program, fetch: Any, names: dict[Var, str], name_of: Any = None) -> Inner:
    builder = program.builder
    ops = builder.program.block.ops
    if fetch is None:
        read = {var for op in ops for var in op.operands()}
        results = [var for op in ops for var in op.outputs if var not in read]
    else:
        results = [program.find(item) for item in fetch]
    copied, var_map = program._snapshot(results)
    for op in ops:
        for var in op.outputs:
            given_name = name_of(var) if name_of is not None else None
            names[var_map[var]] = given_name or var.name or builder.name_of(var)
    return copied


def _bare(program: FileProgram, feeds: list[str]) -> None:
    """Take away what files have around a Program: `feed`, `fetch`, and a scale of 1 before each result."""
    block = program.blocks[0]
    ends = {op.input("X")[0] for op in block.ops if op.type == "fetch"}
    removed = [op for op in block.ops if op.type in ("feed", "fetch")]
    scales = [op for op in block.ops if op.type == "scale" and OUTPUT_SCALE in op.output("Out")[0]]
    removed += [op for op in scales if op.output("Out")[0] in ends]
    block.ops = [op for op in block.ops if not any(op is op_to_remove for op_to_remove in removed)]
    for name in ("feed", "fetch", *(op.output("Out")[0] for op in removed if op.type == "scale")):
        block.vars.pop(name, None)
    for name in feeds:
        var = block.vars[name]
        var.need_check_feed, var.saved_message = True, None


def _arrays(program: Program) -> dict[str, np.ndarray]:
    state = program.state_dict()
    return {name: backend_of(holder._array).to_numpy(holder._array) for name, holder in state.items()}


def program_of(form: FileProgram, scope: Any, holders: dict[str, Any], trained: Any = None) -> Program:
    """The Program of a form.

    Args:
        form: what it is.
        scope: where its values are; those that are not there are the form's.
        holders: by name parameters and buffers of before, which it shares where they have its shape and dtype.
        trained: what ``minimize`` was told of the Program of before: it is told so of this one.
    """
    parameters = {}
    for var in form.persistables():
        variable, holder = scope.find_var(var.name), holders.get(var.name)
        if variable is not None:
            form.arrays[var.name] = np.array(variable.get_tensor())
            holder = getattr(variable, "holder", holder)
        elif holder is not None:
            form.arrays[var.name] = backend_of(holder._array).to_numpy(holder._array)
        array = form.arrays.get(var.name)
        if array is not None and array.shape != var.shape and array.size == math.prod(var.shape):
            form.arrays[var.name] = array = array.reshape(var.shape)  # scales are set with one dimension more
        if holder is None or isinstance(holder, Loose) or array is None:
            continue
        if holder._array.shape == array.shape and holder._array.dtype == array.dtype:
            parameters[var.name] = holder
    info = {name: {"trainable": bool(getattr(holder, "trainable", False))} for name, holder in parameters.items()}
    for name, holder in parameters.items():
        info[name]["stop_gradient"] = bool(getattr(holder, "stop_gradient", True))
    inner = form.read(info=info, straight=trained is not None)
    for var in inner.params:
        if var.name in parameters:
            var.holder = parameters[var.name]
    program = Program(inner, file=form)
    if hasattr(scope, "name"):
        scope.name(program.builder.program)
    if trained is not None:
        with program_guard(program):
            trained.again(program)
    return program
