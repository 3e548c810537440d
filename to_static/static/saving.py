"""Saving and loading static Programs in Paddle's files."""

from __future__ import annotations

import errno
import io
import itertools
import os
import warnings
from typing import Any

import numpy as np

from to_static.compiler.formats.atomic_write import writing
from to_static.compiler.formats.hub import NAMES, find_model, open_model, prefix_of, write_models
from to_static.compiler.formats.paddle.editing import FileOp, FileProgram
from to_static.compiler.formats.paddle.messages.conventions import OUTPUT_SCALE
from to_static.compiler.formats.paddle.model_reader import SavedModel
from to_static.compiler.formats.paddle.pickles.state import read_opened, write_objects
from to_static.compiler.formats.paddle.weights.params_reader import read_params
from to_static.compiler.formats.paddle.weights.params_writer import put_params
from to_static.compiler.formats.snapshot import opened
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops.sequence.offsets import SUFFIX, inputs_of
from to_static.compiler.passes.pipeline import EXPORT, optimize
from to_static.core.backend import backend_of
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import ProgramError
from to_static.static.file_program import form_of
from to_static.static.program import Program, default_main_program


def normalize_program(program: Program, feed_vars: Any, fetch_vars: Any, **kwargs: Any) -> Program:
    """A copy of ``program`` for inference: what ``fetch_vars`` need of it, fed by ``feed_vars`` in this order.

    Dropout and batch normalization are as in `Program.clone` with ``for_test``. Raises ProgramError when ``fetch_vars`` need an
    input that is not in ``feed_vars``, or there are none.

    Example:
        >>> program = static.normalize_program(static.default_main_program(), [x], [x * 2])
    """
    feeds, fetches = _as_list(feed_vars), _as_list(fetch_vars)
    if not fetches:
        raise ProgramError("fetch_vars must not be empty")
    test = program.clone(for_test=True)
    finished = test.finished([test.find(v) for v in fetches], updates=False)
    names = [v.name for v in finished.feeds]
    chosen = [test.find(v).name for v in feeds]
    unknown = [name for name in chosen if name not in names]
    if unknown:
        raise ProgramError(f"feed_vars has {unknown[0]!r}, which is no input of the Program; its inputs: {names}")
    used = {v for op in finished.block.ops for v in op.operands()} | set(finished.block.results)
    missing = [v.name for v in finished.feeds if v in used and v.name not in chosen]
    if any(str(name).endswith(SUFFIX) for name in missing):
        raise ProgramError(
            "fetch_vars come from sequences of different lengths (LoD), with which no Program is written: "
            "let the Program take padded sequences and their lengths"
        )
    if missing:
        raise ProgramError(f"fetch_vars need the inputs {missing}, which are not in feed_vars")
    finished.block.args = [finished.feeds[names.index(name)] for name in chosen]
    return Program(finished)


def save_inference_model(
    path_prefix: str | os.PathLike[str], feed_vars: Any, fetch_vars: Any, executor: Any = None, **kwargs: Any
) -> None:
    """Save what computes ``fetch_vars`` from ``feed_vars`` as ``PREFIX.pdmodel`` and ``PREFIX.pdiparams``.

    ``program`` (keyword): the Program, by default `default_main_program()`. ``format`` (keyword): as in `jit.save`. The files load
    with `load_inference_model`, `jit.load` and Paddle. Raises ProgramError as `normalize_program` does, FormatError for what the
    files can't hold.
    ``path_prefix``: of the files; ``executor``: not used.

    Example:
        >>> paddle.static.save_inference_model('model', [x], [y], exe)
    """
    chosen = kwargs.get("format", NAMES[0])
    program = kwargs.pop("program", None) or _owner(fetch_vars) or default_main_program()
    _make_folder(path_prefix)
    if program.file is not None and chosen == NAMES[0]:
        _write_form(os.fspath(path_prefix), program, _as_list(feed_vars), _as_list(fetch_vars))
        return
    normal = normalize_program(program, feed_vars, fetch_vars)
    write_models({os.fspath(path_prefix): optimize(normal.finished(normal.outputs), EXPORT)}, chosen)


def _write_form(prefix: str, program: Program, feeds: list[Any], fetches: list[Any]) -> None:
    """Save a Program that came from files as it is there, with whatever its operators say."""
    if not fetches:
        raise ProgramError("fetch_vars must not be empty")
    form = form_of(program)
    block = form.blocks[0]
    names = [v if isinstance(v, str) else v.name for v in feeds], [v if isinstance(v, str) else v.name for v in fetches]
    for name in (*names[0], *names[1]):
        if block.find(name) is None:
            raise ProgramError(f"the Program has no value {name!r}")
    block.ops = [op for op in block.ops if op.type not in ("feed", "fetch")]
    for op in form.ops():
        if op.has_attr("is_test"):
            op.set_attr("is_test", True, "BOOLEAN")
    for name, type_name in (("feed", "FEED_MINIBATCH"), ("fetch", "FETCH_LIST")):
        if name not in block.vars:
            block.add(name, var_type=type_name, persistable=True)
    every = {"op_role": 0, "op_role_var": [], "op_namescope": "/", "op_device": ""}
    for i, name in enumerate(names[1]):
        new = _scaled(form, name, every)
        block.ops.append(FileOp(block, "fetch", {"X": [new]}, {"Out": ["fetch"]}, {**every, "col": i}))
    for i, name in enumerate(names[0]):
        block.ops.insert(0, FileOp(block, "feed", {"X": ["feed"]}, {"Out": [name]}, {**every, "col": i}))
    form.prune()
    form.save(prefix)


def _scaled(form: FileProgram, name: str, every: dict[str, Any]) -> str:
    """The name of a result behind a scale of 1, which Paddle puts there; booleans have none."""
    block = form.blocks[0]
    var = block.var(name)
    if var.dtype.name == "bool":
        return name
    suffix = next(i for i in itertools.count() if f"{OUTPUT_SCALE}{i}.tmp_0" not in block.vars)
    new = block.add(f"{OUTPUT_SCALE}{suffix}.tmp_0", dtype=var.dtype.code, shape=var.shape).name
    attrs = {**every, "scale": 1.0, "bias": 0.0, "bias_after_scale": True}
    block.ops.append(FileOp(block, "scale", {"ScaleTensor": [], "X": [name]}, {"Out": [new]}, attrs))
    return new


def load_inference_model(path_prefix: str | os.PathLike[str], executor: Any = None, **kwargs: Any) -> list[Any]:
    """``[program, feed names, fetch targets]`` of a saved model.

    ``model_filename``, ``params_filename`` (keywords): names of the files in the directory ``path_prefix``, or suffixes of
    their own. Raises FileNotFoundError, or FormatError when a file is damaged, foreign or not supported.
    ``executor``: not used.

    Example:
        >>> program, feeds, fetches = paddle.static.load_inference_model('model', exe)
        >>> [y] = exe.run(program, feed={feeds[0]: x}, fetch_list=fetches)
    """
    prefix = os.fspath(path_prefix)
    model, params = kwargs.get("model_filename"), kwargs.get("params_filename")
    path = os.path.join(prefix, model) if model else find_model(prefix)
    parameter_prefix = prefix if model and prefix_of(path) == path else None  # a folder of Paddle 1 has a file for each parameter
    saved = open_model(path, os.path.join(prefix, params) if params else parameter_prefix)
    form = FileProgram.of_message(saved.desc, saved.arrays) if isinstance(saved, SavedModel) else None
    program = Program(saved.program(named=True), file=form)
    targets = [Variable(v, program.builder) for v in program.outputs]
    return [program, [v.name for v in inputs_of(program.builder.program)], targets]


def save(program: Program, model_path: str | os.PathLike[str], protocol: int = 4, **configs: Any) -> None:
    """Save the values that a Program keeps: parameters in ``.pdparams``, optimizer state and buffers in ``.pdopt``.

    The Program itself is in the code that builds it (`save_inference_model` saves one for inference). Raises ValueError for a path
    that names no file.
    ``model_path``: the prefix of the files; ``protocol``: of the pickles, 2 to 4.
    ``program``: the Program.

    Example:
        >>> static.save(static.default_main_program(), "prog/net")
    """
    prefix = os.fspath(model_path)
    if not os.path.basename(prefix):
        raise ValueError("static.save: the path must not end with a separator")
    _make_folder(prefix)
    write_objects(
        {prefix + ".pdparams": _arrays(program, "param"), prefix + ".pdopt": _arrays(program, "opt")}, protocol
    )


def load(program: Program, model_path: str | os.PathLike[str], executor: Any = None, var_list: Any = None) -> None:
    """Give the parameters and the state of ``program`` the values saved by `save`.

    Raises FileNotFoundError when there is no ``.pdparams``, ProgramError when a parameter is not in it, ShapeError when one does
    not fit.
    ``model_path``: the prefix of the files; ``executor``: not used; ``var_list``: these values only.

    Example:
        >>> static.save(static.default_main_program(), "prog/net")
        >>> static.load(static.default_main_program(), "prog/net")
    """
    state = load_program_state(model_path)
    missing = [v.name for v in program.builder.program.all_parameters() if v.name not in state]
    if missing:
        raise ProgramError(f"what is saved at {os.fspath(model_path)!r} has no value for {missing[0]!r}")
    names = None if var_list is None else {v.name for v in var_list}
    program.set_state_dict({k: v for k, v in state.items() if names is None or k in names})


def serialize_program(feed_vars: Any, fetch_vars: Any, **kwargs: Any) -> bytes:
    """Return the bytes that `save_inference_model` writes as ``.pdmodel``.

    ``program`` (keyword): the Program, by default `default_main_program()`. Raises as `save_inference_model` does.
    ``feed_vars``, ``fetch_vars``: as there.

    Example:
        >>> data = paddle.static.serialize_program([x], [y])
    """
    return bytes(_written(feed_vars, fetch_vars, kwargs).data())


def serialize_persistables(feed_vars: Any, fetch_vars: Any, executor: Any, **kwargs: Any) -> bytes:
    """Return the bytes that `save_inference_model` writes as ``.pdiparams``; empty for a Program without parameters.

    ``program`` (keyword): the Program, by default `default_main_program()`. Raises as `save_inference_model` does.
    ``feed_vars``, ``fetch_vars``: as there; ``executor``: not used.

    Example:
        >>> data = paddle.static.serialize_persistables([x], [y], exe)
    """
    file = io.BytesIO()
    put_params(file, _written(feed_vars, fetch_vars, kwargs).arrays.values())
    return file.getvalue()


def deserialize_program(data: bytes) -> Program:
    """The Program that `serialize_program` made bytes of; its parameters are zeros until `deserialize_persistables`.

    Raises FormatError when the bytes are damaged or not supported.

    Example:
        >>> data = paddle.static.serialize_program([x], [y])
        >>> program = paddle.static.deserialize_program(data)
    """
    return Program.parse_from_string(data)


def deserialize_persistables(program: Program, data: bytes, executor: Any) -> None:
    """Give the parameters of ``program`` the values that `serialize_persistables` made bytes of.

    Raises FormatError when the bytes are damaged, or hold more or fewer values; ShapeError when one does not fit.
    ``executor``: not used.

    Example:
        >>> paddle.static.deserialize_persistables(program, data, exe)
    """
    names = sorted(program.state_dict())
    program.set_state_dict(read_params("<bytes>", names, io.BytesIO(data)) if names or data else {})


def save_to_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write bytes to a file, which is whole or not there at all. Raises TypeError for anything but bytes.

    ``path``, ``content``: the file and its bytes.

    Example:
        >>> paddle.static.save_to_file('model.pdmodel', paddle.static.serialize_program([x], [y]))
    """
    if not isinstance(content, bytes):
        raise TypeError(f"save_to_file: 'content' type should be bytes, got {type(content).__name__}")
    with writing(path) as file:
        file.write(content)


def load_from_file(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file. Raises OSError.

    ``path``: the file.

    Example:
        >>> static.save_to_file("data.bin", b"1234")
        >>> static.load_from_file("data.bin")
        b'1234'
    """
    with open(path, "rb") as file:
        return file.read()


def load_program_state(model_path: str | os.PathLike[str], var_list: Any = None) -> dict[str, Any]:
    """The values that `save` wrote, arrays by name; of ``var_list`` only, where it is given.

    Raises FileNotFoundError when there is no ``.pdparams``.
    ``model_path``: the prefix of the files.

    Example:
        >>> state = paddle.static.load_program_state('model')
    """
    prefix = os.fspath(model_path).removesuffix(".pdparams").removesuffix(".pdmodel").removesuffix(".pdopt")
    paths = [prefix + ".pdparams", prefix + ".pdopt"]
    with opened(lambda: paths) as files:
        if paths[0] not in files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), paths[0])
        state: dict[str, Any] = {}
        for path in paths:
            if path in files:
                state.update(read_opened(files[path], path))
    names = None if var_list is None else {v.name for v in var_list}
    return {key: np.asarray(value) for key, value in state.items() if names is None or key in names}


def set_program_state(program: Program, state_dict: dict[str, Any]) -> None:
    """Give the values that ``program`` keeps those of `load_program_state`; a warning tells names that it does not have.

    Raises ShapeError when one does not fit.
    ``state_dict``: values by name.

    Example:
        >>> paddle.static.set_program_state(program, state)
    """
    unknown = sorted(set(state_dict) - set(program.state_dict()))
    if unknown:
        warnings.warn(f"set_program_state: the Program has no {', '.join(map(printable, unknown))}", stacklevel=2)
    program.set_state_dict(state_dict)


def _written(feed_vars: Any, fetch_vars: Any, options: dict[str, Any]) -> Any:
    from to_static.compiler.formats.paddle.programs.program_writer import write_program

    program = options.get("program") or _owner(fetch_vars) or default_main_program()
    normal = normalize_program(program, feed_vars, fetch_vars)
    return write_program(optimize(normal.finished(normal.outputs), EXPORT), "<bytes>")


def _arrays(program: Program, var_kind: str) -> dict[str, Any]:
    return {
        name: backend_of(holder._array).to_numpy(holder._array) for name, holder in program.state_dict(var_kind).items()
    }


def _owner(fetch_vars: Any) -> Program | None:
    owners = [v.builder.owner for v in _as_list(fetch_vars) if isinstance(v, Variable) and hasattr(v.builder, "owner")]
    return owners[0] if owners else None


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _make_folder(prefix: str | os.PathLike[str]) -> None:
    folder = os.path.dirname(os.fspath(prefix))
    if folder:
        os.makedirs(folder, exist_ok=True)

