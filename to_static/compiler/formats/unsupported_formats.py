"""Recognises files of other formats, for error messages that say how to convert them."""

from __future__ import annotations

import os
from collections.abc import Iterable

from to_static.core.diagnostics.printable import printable

_HEAD = 64  # bytes that tell a format
_STATE = "a state without a program: make the network, then net.set_state_dict({})"
_PADDLE_3 = "a program of Paddle 3 (JSON): load it by its name, or call it PREFIX.json"
_LITE = "a model of Paddle Lite, which only Paddle Lite runs: take the .pdmodel that it was made of"
_ONNX = "a model of ONNX: load it with to_static.onnx.load, or write it with `to_static upgrade net.onnx --to pdmodel`"
_TORCH = "a PyTorch file: " + _STATE.format("arrays") + ", with what torch.load gives as arrays"
_PICKLE = "a pickle, as paddle.save() writes it: " + _STATE.format("paddle.load(file)")
_HDF5 = "an HDF5 file, as Keras writes it: " + _STATE.format("arrays") + ", with what h5py reads"
_SAFE = "a safetensors file: " + _STATE.format("paddle.load(file)")
_NPZ = "arrays of NumPy: " + _STATE.format("dict(numpy.load(file))")
_PARAMS = "a file with the parameters of a model: name the .pdmodel file beside it"
_INFO = "a file about the parameters of a model: name the .pdmodel file beside it"
_IMAGE = "an image or sound: no model"
_SOURCE = "a text: no model"
_BY_NAME = {
    ".nb": _LITE, ".onnx": _ONNX, ".pt": _TORCH, ".pth": _TORCH, ".h5": _HDF5, ".hdf5": _HDF5, ".keras": "a model of Keras",
    ".npz": _NPZ, ".npy": _NPZ, ".safetensors": _SAFE, ".pdparams": _PICKLE, ".pdopt": _PICKLE, ".pkl": _PICKLE,
    ".pdiparams": _PARAMS, ".info": _INFO, ".pb": "a model of TensorFlow", ".tflite": "a model of TensorFlow Lite",
    ".gguf": "a GGUF file", ".txt": _SOURCE, ".py": _SOURCE, ".yml": _SOURCE, ".yaml": _SOURCE, ".md": _SOURCE,
    ".engine": "an engine of TensorRT", ".plan": "an engine of TensorRT", ".zip": "a ZIP archive: unpack it",
    ".tar": "a tar archive: unpack it", ".gz": "a compressed file: unpack it", ".tgz": "a tar archive: unpack it",
}  # fmt: skip
_BY_HEAD = (
    (b"\x89HDF", _HDF5), (b"\x93NUMPY", _NPZ), (b"GGUF", "a GGUF file"), (b"\x1f\x8b", "a compressed file: unpack it"),
    (b"\x80\x02", _PICKLE), (b"\x80\x03", _PICKLE), (b"\x80\x04", _PICKLE), (b"\x80\x05", _PICKLE),
    (b"\x89PNG", _IMAGE), (b"\xff\xd8\xff", _IMAGE), (b"GIF8", _IMAGE), (b"RIFF", _IMAGE),
    (b"PK\x03\x04", "a ZIP archive"), (b"<", "XML or HTML: no model"),
    (b"version https://git-lfs", "a pointer of Git LFS: fetch the file itself with git lfs pull"),
)  # fmt: skip
_MODELS = (".pdmodel", ".json", ".nb", ".onnx", ".safetensors", ".pt", ".pth", ".h5", ".pdparams", ".pdopt", ".pdiparams")


def foreign(head: bytes, name: object) -> str | None:
    """The format of a file with that beginning and name, and what to do with it; None for an unknown one.

    Example:
        >>> foreign(b'{"base_code": {}}', "net.json")
        'a program of Paddle 3 (JSON): load it by its name, or call it PREFIX.json'
    """
    suffix = os.path.splitext(str(name))[1].lower()
    if head[:1] == b"{":
        return _PADDLE_3 if b'"base_code"' in head or suffix in (".json", ".pdmodel") else "JSON: no model"
    if head[8:9] == b"{" and not any(head[4:8]):
        return _SAFE
    if head[4:8] == b"TFL3":
        return _BY_NAME[".tflite"]
    by_name = None if suffix == ".pdmodel" else _BY_NAME.get(suffix)
    return by_name or next((what for start, what in _BY_HEAD if head.startswith(start)), None)


def foreign_file(path: str) -> str | None:
    """`foreign` for the file at ``path``; None if it cannot be read."""
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            return foreign(file.read(_HEAD), path)
    except OSError:
        return None


def missing_model(path: str, names: Iterable[str] | None = None) -> FileNotFoundError:
    """Return the error for a path without a `.pdmodel`: it describes the files that are there, and says what to write.

    ``names``: the files of the folder; default: read it.

    Example:
        >>> raise missing_model("model/net.onnx")
    """
    folder, stem = os.path.split(path)
    return FileNotFoundError(f"no saved model at {path!r}: {_describe_path(path, folder, stem, names)}")


def _describe_path(path: str, folder: str, stem: str, names: Iterable[str] | None) -> str:
    """Say what lies at ``path`` instead of a model, and what to write."""
    if os.path.isdir(path):
        inside = _listed(os.listdir(path))
        models = [n for n in inside if n.endswith((".pdmodel", ".json"))]
        example = os.path.join(path, os.path.splitext(models[0])[0] if models else "net")
        file = models[0] if models else "net.pdmodel"
        text = f"that is a folder, and a model has a prefix: {example!r} for {printable(file)} in it"
        foreign_files = [what for n in inside if not models and (what := foreign_file(os.path.join(path, n)))]
        return text + _has(path, inside) + (f"; {printable(inside[0])} is {foreign_files[0]}" if foreign_files else "")
    what = foreign_file(path)
    if what is not None or os.path.isfile(path):
        return f"that is {what or 'a file of no known format'}" + ("" if what else _beside(folder, names))
    if path.startswith("~"):
        return f"a path is taken as it is written; write os.path.expanduser({path!r})"
    if stem.endswith(".pdmodel"):
        return f"there is no such file{_beside(folder, names)}"
    for suffix in (".nb", ".onnx", ".safetensors", ".pt", ".pth", ".h5"):
        what = foreign_file(path + suffix)
        if what is not None:
            return f"expected {printable(stem)}.pdmodel; {printable(stem)}{suffix} is {what}"
    return f"expected {printable(stem) if stem else 'a prefix, such as net, for net'}.pdmodel" + _beside(folder, names)


def _beside(folder: str, names: Iterable[str] | None) -> str:
    if folder and not os.path.isdir(folder):
        return f"; there is no folder {folder!r}" + ("" if os.path.isabs(folder) else f" in {os.getcwd()!r}")
    return _has(folder or "this folder", _listed(os.listdir(folder or ".") if names is None else names))


def in_folder(folder: str) -> str:
    """List the models and states in a folder, ``'; model has net.pdmodel'``, or say that there is no such folder."""
    return _beside(folder, None)


def _listed(names: Iterable[str]) -> list[str]:
    """Return the names of models among files, those of this package's formats first."""
    return sorted((n for n in names if n.endswith(_MODELS)), key=lambda n: (not n.endswith(".pdmodel"), n))[:8]


def _has(folder: str, names: list[str]) -> str:
    return f"; {printable(folder)} has {', '.join(map(printable, names))}" if names else ""
