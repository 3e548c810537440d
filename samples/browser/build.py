"""Put together a folder of files that any file server can offer: a page that looks at an image and says which digit it is.

    python samples/digits.py                                       # trains and saves the model
    python samples/browser/build.py out/page                       # Python comes from Pyodide's servers
    python samples/browser/build.py out/page --pyodide FOLDER      # or from a folder that holds Pyodide with NumPy
    python -m http.server -d out/page                              # open http://localhost:8000/

Nothing is computed on the server: the page loads Python and NumPy for WebAssembly, the wheel `to_static-runtime` and the model.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import sys
import zipfile
from pathlib import Path

import google.protobuf

HERE = Path(__file__).resolve().parent
PYODIDE = "https://cdn.jsdelivr.net/pyodide/v0.27.7/full"
OF_PYODIDE = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "numpy-*.whl")
FORMATS = (".pdmodel", ".pdiparams", ".json", ".onnx")


def runtime_wheel(folder: Path) -> Path:
    """Build the wheel of what prediction needs."""
    spec = importlib.util.spec_from_file_location("runtime_wheel", HERE.parents[1] / "wheels" / "runtime_wheel.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Path(module.build(folder))


def protobuf_wheel(folder: Path) -> Path:
    """The Python files of the protobuf package that is installed here; it works without its compiled part."""
    package = Path(google.protobuf.__path__[0])
    path = folder / f"protobuf-{google.protobuf.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file in sorted(package.rglob("*.py")):
            wheel.write(file, file.relative_to(package.parents[1]).as_posix())
    return path


def build(folder: Path, model: Path, pyodide: str = PYODIDE) -> None:
    """Write the page, the wheels and the model. Raises FileNotFoundError for a model or a Pyodide that is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("index.html", "page.js"):
        shutil.copy(HERE / name, folder)
    parts = [model.with_name(model.name + suffix) for suffix in FORMATS]
    parts = [part for part in parts if part.exists()]
    if not parts:
        raise FileNotFoundError(f"there is no model {model}: `python samples/digits.py` saves one")
    for part in parts:
        shutil.copy(part, folder / f"model{part.suffix}")
    if Path(pyodide).is_dir():
        (folder / "pyodide").mkdir(exist_ok=True)
        for pattern in OF_PYODIDE:
            files = sorted(Path(pyodide).glob(pattern))
            if not files:
                raise FileNotFoundError(f"{pyodide} has no {pattern}")
            shutil.copy(files[-1], folder / "pyodide")
        pyodide = "pyodide"
    wheels = [runtime_wheel(folder), protobuf_wheel(folder)]
    names = {"pyodide": pyodide, "wheels": [w.name for w in wheels], "model": [f"model{part.suffix}" for part in parts]}
    (folder / "files.json").write_text(json.dumps(names, indent=1))


def main(words: list[str]) -> int:
    """Build what the words ask for."""
    parser = argparse.ArgumentParser(description="A page that says which digit an image shows.")
    parser.add_argument("folder", type=Path, help="the folder to write")
    parser.add_argument("--model", type=Path, default=Path("out/digits/digits"), help="prefix of the model (default %(default)s)")
    parser.add_argument("--pyodide", default=PYODIDE, help="a folder, or an address (default %(default)s)")
    args = parser.parse_args(words)
    try:
        build(args.folder, args.model, args.pyodide)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in args.folder.rglob("*") if path.is_file())
    print(f"{args.folder}: {size / 1e6:.1f} MB; python -m http.server -d {args.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
