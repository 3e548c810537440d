"""``run``: a Python program that says ``import paddle``, as it is."""

from __future__ import annotations

import argparse
import importlib.util
import linecache
import os
import pkgutil
import runpy
import sys
import types

import to_static
from to_static.cli.model import UnusableInput
from to_static.compiler.formats.unsupported_formats import foreign
from to_static.core.code_generation import lines_of
from to_static.core.diagnostics.printable import printable
from to_static.core.diagnostics.source_location import leave_out_ours

SUMMARY = "run a program that imports paddle, as it is"

DESCRIPTION = """Run a Python program as `python` would, with `import paddle` leading to to_static.

`import paddle.nn.functional as F`, `from paddle.nn import Linear` and the other module paths of PaddlePaddle 2.6 find
this package. The program sees its own words in sys.argv and its folder first in sys.path; what it raises is shown as
Python shows it, and what it exits with is the exit code. Of a folder or zip archive its __main__.py is run."""

EPILOG = """examples:
  to_static run train.py                       run a script
  to_static run train.py --epochs 3            with words of its own
  to_static run -m tools.train --epochs 3      run a module, found from the current folder
  to_static run training --epochs 3            run training/__main__.py
  to_static run - --epochs 3 < train.py        run standard input"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("-m", dest="module", action="store_true", help="the program is the name of a module")
    parser.add_argument("program", metavar="PROGRAM", help="a script, a folder with a __main__.py, or - (with -m a module)")
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="...", help="the program's own arguments")


def run(args: argparse.Namespace) -> int:
    """Run the program; 1 when it ends with an error, which is shown as Python shows it.

    Raises OSError when there is no such file, UnusableInput for a folder without a ``__main__.py``, and for what is no text.
    """
    archive = not args.module and args.program != "-" and _is_archive(args.program)
    source = b"" if args.module or archive else _read(args.program)
    to_static.install_as_paddle()
    sys.argv = [args.program, *args.words]
    try:
        if args.module:
            sys.path.insert(0, os.getcwd())
            runpy.run_module(args.program, run_name="__main__", alter_sys=True)
        elif archive:
            runpy.run_path(args.program, run_name="__main__")
        else:
            _run_text(source, args.program)
    except (SystemExit, KeyboardInterrupt):
        raise
    except BaseException as error:
        leave_out_ours(error)
        error.__traceback__ = _behind_runpy(error.__traceback__) or error.__traceback__
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    return 0


def _behind_runpy(step: types.TracebackType | None) -> types.TracebackType | None:
    """Return the first frame of the program: up to Python 3.10 `runpy` is a file like others."""
    while step is not None and step.tb_frame.f_code.co_filename == runpy.run_path.__code__.co_filename:
        step = step.tb_next
    return step


def _is_archive(path: str) -> bool:
    """Return whether Python would run the ``__main__.py`` that a folder or zip archive holds."""
    importer = pkgutil.get_importer(path) if os.path.exists(path) else None
    if importer is None:
        return False
    if importer.find_spec("__main__") is None:
        raise UnusableInput(f"{printable(path)}: expected a script, or a folder or archive with a __main__.py; there is none")
    return True


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        source = file.read()
    if b"\0" in source or path.endswith(".pdmodel"):
        form = foreign(source[:64], path)
        advice = f"that is {form}" if form else "a program is a text; `to_static predict` runs saved models"
        raise UnusableInput(f"{printable(path)}: expected Python source; {advice}")
    return source


def _is_pipe(path: str) -> bool:
    """Return whether a program is to be read once only: from standard input, ``/dev/stdin`` or another pipe."""
    return path == "-" or not os.path.isfile(path)


def _run_text(source: bytes, path: str) -> None:
    main = types.ModuleType("__main__")
    if _is_pipe(path):
        sys.path.insert(0, "")
        path = "<stdin>"
        text = importlib.util.decode_source(source)
        linecache.cache[path] = (len(source), None, lines_of(text), path)  # the text of static functions, and tracebacks
    else:
        sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
        main.__file__ = path
    main.__dict__.update(__builtins__=__builtins__)
    sys.modules["__main__"] = main
    exec(compile(source, path, "exec"), main.__dict__)
