"""`save` and `load`: tensors in nested containers, to and from the files that `formats.paddle.pickles.state` defines."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.formats.atomic_write import writing
from to_static.compiler.formats.hub import find_model, formats, open_model
from to_static.compiler.formats.paddle.pickles.consent import Consent, by_name
from to_static.compiler.formats.paddle.pickles.state import (
    NAME_TABLE,
    NamedArray,
    put_object,
    read_object,
    take_object,
    write_object,
)
from to_static.compiler.formats.regular_files import open_regular, read_all
from to_static.compiler.formats.safetensors import SUFFIX, is_safetensors, read_safetensors, safetensors_parts
from to_static.compiler.formats.snapshot import is_there
from to_static.compiler.formats.unsupported_formats import in_folder
from to_static.compiler.ir.tensor import Tensor
from to_static.core import backend
from to_static.core.errors import FormatError, ToStaticError
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.core.tree import graph_leaves, map_graph
from to_static.framework.lod_tensor import LoDTensor
from to_static.nn.layer import Layer

__getattr__ = names_around(__name__)  # the classes of parameters, which Paddle's module imports
_PROGRAM = b"\n"  # the first byte of a Program in a file: the tag of its blocks


def _to_LodTensor(ndarray: Any) -> LoDTensor:
    """An array as a `LoDTensor`."""
    tensor = LoDTensor()
    tensor.set(np.asarray(ndarray))
    return tensor


def _transformed_from_lodtensor(obj: Any) -> bool:
    """Return whether Paddle writes an object in the place of a `LoDTensor`: an array does stand for one."""
    return isinstance(obj, np.ndarray)


def _parse_every_object(obj: Any, condition_func: Any, convert_func: Any) -> Any:
    """``obj`` with ``convert_func`` of each part that ``condition_func`` says yes of; lists and dicts are changed themselves."""
    if condition_func(obj):
        return convert_func(obj)
    if isinstance(obj, (list, dict)):
        for key in range(len(obj)) if isinstance(obj, list) else list(obj):
            obj[key] = _parse_every_object(obj[key], condition_func, convert_func)
        return obj
    if isinstance(obj, (tuple, set)):
        return type(obj)(_parse_every_object(list(obj), condition_func, convert_func))
    return obj


def save(obj: Any, path: str | os.PathLike[str] | io.BytesIO, protocol: int = 4, **configs: Any) -> None:
    """Write ``obj`` to a file that Paddle's ``paddle.load`` reads too; folders on the way are made.

    Args:
        obj: a state dict, a tensor, or dicts, lists and tuples of tensors, arrays, numbers and text; or a static Program, of
            which the file has the operators and no values (``*.pdmodel``). Other objects that Python's pickle takes (of
            dataclasses, of enumerations, a ``Namespace``, a date) are stored with their classes' names: see ``allow`` of `load`.
        path: by convention ``*.pdparams`` for a layer's state and ``*.pdopt`` for an optimizer's; or a `BytesIO`; tensors by name
            are written in the format of safetensors to a ``*.safetensors``.
        protocol: of the pickle in the file: 2, 3 or 4.
        use_binary_format: True to write one tensor as raw bytes instead.

    Raises TypeError for what can't be saved (a Layer: save its ``state_dict()``; lambdas, open files).

    Example:
        >>> paddle.save(net.state_dict(), 'net.pdparams')
        >>> paddle.save(opt.state_dict(), 'net.pdopt')
    """
    binary = configs.pop("use_binary_format", False)
    if configs:
        raise TypeError(f"save: unknown options {sorted(configs)}; known: use_binary_format")
    if binary and not isinstance(obj, Tensor):
        raise TypeError(f"save: use_binary_format=True takes one tensor, got {type(obj).__name__}")
    program = getattr(obj, "desc", None)
    if hasattr(program, "serialize_to_string"):
        _save_program(program, path)
        return
    if not isinstance(path, io.BytesIO) and os.fspath(path).endswith(SUFFIX):
        _save_safetensors(obj, path)
        return
    content = _content(obj, binary)
    if isinstance(path, io.BytesIO):
        put_object(path, content, protocol, binary, _picklable)
    else:
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_object(target, content, protocol, binary, _picklable)


def _save_safetensors(obj: Any, path: str | os.PathLike[str]) -> None:
    if not isinstance(obj, dict) or not all(isinstance(value, (Tensor, np.ndarray, np.generic)) for value in obj.values()):
        raise TypeError(f"save: a {SUFFIX} file holds tensors by name; got {type(obj).__name__}: give net.state_dict()")
    arrays = {str(key): _host(value) if isinstance(value, Tensor) else np.asarray(value) for key, value in obj.items()}
    head, parts = safetensors_parts(arrays)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with writing(path) as file:
        file.write(head)
        for part in parts:
            file.write(part.tobytes())


def _save_program(program: Any, path: str | os.PathLike[str] | io.BytesIO) -> None:
    data = program.serialize_to_string()
    if isinstance(path, io.BytesIO):
        path.write(data)
        return
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with writing(path) as file:
        file.write(data)


def _content(obj: Any, binary: bool) -> Any:
    """Return the content of the file for an object."""
    if binary:
        return _host(obj)
    if not _is_state(obj):
        return obj
    arrays = {key: _host(value) if isinstance(value, Tensor) else value for key, value in obj.items()}
    names = {key: value.name for key, value in obj.items() if isinstance(value, Tensor)}
    return {**arrays, NAME_TABLE: names}


def load(path: str | os.PathLike[str] | io.BytesIO, **configs: Any) -> Any:
    """Read what `save` (or Paddle) wrote; tensors come back as tensors with their names.

    Args:
        path: the file, with its suffix; a `BytesIO`, from where it is on; or the prefix of a model that `jit.save` wrote, whose
            parameters are then returned as a state dict.
        return_numpy: True for arrays in place of tensors (default False).
        keep_name_table: True to keep the table of parameter names in a state dict (default False).
        allow: classes of which the file may have objects, such as ``[Settings]``, or a dict of them by their names in the
            file, such as ``{"__main__.Settings": Settings}`` (default none). Their code runs then, with what is in the file: for
            files that you trust. Whatever else a file names is refused as before.

    A file of safetensors gives its tensors by name, and a file of a Program (``*.pdmodel``) one whose parameters are zeros.
    Raises FileNotFoundError, TypeError where ``allow`` has something that is no class, and FormatError for a damaged or foreign
    file and for one with objects of classes that are not in ``allow``. No code in a file is ever executed.

    Example:
        >>> net.set_state_dict(paddle.load('net.pdparams'))
    """
    as_numpy = configs.pop("return_numpy", False)
    keep_table = configs.pop("keep_name_table", False)
    allow = configs.pop("allow", ())
    if configs:
        raise TypeError(f"load: unknown options {sorted(configs)}; known: allow, keep_name_table, return_numpy")
    consent = Consent(by_name(allow), lambda named: _tensor(named.array, named.name, as_numpy)) if allow else None
    if isinstance(path, io.BytesIO):
        return _tensors(take_object(path, consent), as_numpy, keep_table)
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"load: expected the path of a file, or a BytesIO, got {type(path).__name__}")
    if not is_there(path) and any(is_there(str(path) + form.suffix) for form in formats()):
        return {key: _tensor(array, None, as_numpy) for key, array in open_model(find_model(path)).state().items()}
    if not is_there(path):
        if os.path.exists(path) and not os.path.isdir(path):
            open_regular(path).close()  # says what it is instead
        near = [str(path) + suffix for suffix in (".pdparams", ".pdopt") if os.path.isfile(str(path) + suffix)]
        advice = f"; give the full name: {near[0]}" if near else ""
        if os.path.isdir(path):
            raise FileNotFoundError(f"load: {os.fspath(path)!r} is a folder; name a file{in_folder(os.fspath(path))}")
        advice = advice or in_folder(os.path.dirname(os.fspath(path)))
        raise FileNotFoundError(f"load: there is no file {os.fspath(path)!r}{advice}")
    with open_regular(path) as file:
        if is_safetensors(file.peek(16)[:16]):  # type: ignore[attr-defined]
            arrays = read_safetensors(file, path, os.fstat(file.fileno()).st_size)
            return {key: _tensor(array, None, as_numpy) for key, array in arrays.items()}
        data = read_all(file, path) if file.peek(1)[:1] == _PROGRAM else b""  # type: ignore[attr-defined]
    if data:
        return __getattr__("Program").parse_from_string(data)
    return _tensors(read_object(path, consent), as_numpy, keep_table, path)


def _tensors(value: Any, as_numpy: bool, keep_table: bool, path: Any = "memory") -> Any:
    """Return the content of a file with tensors in place of arrays."""
    if isinstance(value, dict) and NAME_TABLE in value:
        names = value[NAME_TABLE]
        if not isinstance(names, dict):
            raise FormatError(path, f"a dict as {NAME_TABLE}", type(names).__name__)
        state = {
            key: _tensor(entry, names.get(key), as_numpy) if isinstance(entry, np.ndarray) else entry
            for key, entry in value.items()
        }
        if not keep_table:
            del state[NAME_TABLE]
        return state
    leaf_types = NamedArray if any(isinstance(entry, (NamedArray, Tensor)) for entry in graph_leaves(value)) else np.ndarray

    if not any(isinstance(entry, leaf_types) for entry in graph_leaves(value)):
        return value  # of which objects in it may have the very containers

    def tensor(entry: Any) -> Any:
        if not isinstance(entry, leaf_types):  # bare arrays were tensors only where the file names none (as Paddle decides it)
            return entry
        return _tensor(entry.array, entry.name, as_numpy) if isinstance(entry, NamedArray) else _tensor(entry, None, as_numpy)

    return map_graph(value, tensor)


def _host(tensor: Any) -> np.ndarray:
    if not isinstance(tensor, EagerTensor):
        raise ToStaticError("save: a traced tensor has no numbers to save; call save() outside of the static function")
    return tensor.numpy()


def _is_state(obj: Any) -> bool:
    """Return whether Paddle would write it as a state dict: tensors, and dicts (such as a scheduler's state) without any."""
    return isinstance(obj, dict) and all(
        isinstance(value, Tensor) or (isinstance(value, dict) and not _has_tensor(value)) for value in obj.values()
    )


def _has_tensor(value: Any) -> bool:
    return any(isinstance(entry, (Tensor, Layer)) for entry in graph_leaves(value))


def _picklable(value: Any) -> Any:
    """A tensor as `NamedArray`; anything else as it is."""
    if isinstance(value, Tensor):
        array = _host(value)
        return NamedArray(value.name, array)  # type: ignore[attr-defined]
    if isinstance(value, Layer):
        raise TypeError("save: a Layer can't be saved; save its state_dict(), or use jit.save")
    if hasattr(type(value), "dygraph_function"):
        raise TypeError("save: a static function can't be saved; save the state_dict() of its Layer, or use jit.save")
    return value


def _tensor(array: np.ndarray, name: str | None, as_numpy: bool) -> Any:
    if as_numpy or array.dtype.kind in "USO":  # text and objects are no tensors
        return array
    return EagerTensor(backend.current().asarray(array), name=name or None)
