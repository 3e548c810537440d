"""``convert``: Python source to Python source."""

from __future__ import annotations

import argparse
import io
import os
import sys
import tokenize

from to_static.core.errors import TranslationError
from to_static.core.site import report

SUMMARY = "print a module with its @to_static functions translated"

DESCRIPTION = """Translate a module from source to source. The file is read, not executed.

Every function or method that is decorated with @to_static is replaced by its translation: each `if`, `while`,
`for`, `and`, `assert`, `print` and call that may meet a tensor becomes a call of a run-time operator (_jst.if_,
_jst.while_, ...), which decides while running between plain Python and an operation of the static program. All
other text stays as it is. The output is a module that imports, runs and gives the same results."""

EPILOG = """examples:
  to_static convert net.py                           print to standard output
  to_static convert net.py -o net_static.py          write a file
  to_static convert net.py --function Net.forward    one function, decorated or not
  to_static convert net.py --explain                 tell what became of each line, and why
  to_static convert net.py --diff                    show only what changes
  cat net.py | to_static convert -                   read standard input"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", metavar="FILE.py", help="the module, or - for standard input")
    parser.add_argument("--function", metavar="NAME", help="translate this function (or Class.method) instead")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--diff", action="store_true", help="show what changes, as a unified diff, instead of the module")
    kind.add_argument("--explain", action="store_true", help="tell line by line what each construct became, and why")
    parser.add_argument("-o", "--output", metavar="OUT.py", help="write to this file instead of standard output")


def run(args: argparse.Namespace) -> int:
    """Translate and print; see ``DESCRIPTION``."""
    import difflib

    from to_static.transpile import explain_module, transpile_module
    from to_static.transpile.module import source_lines

    name = "<stdin>" if args.file == "-" else args.file
    if os.path.isdir(args.file):
        raise TranslationError(report(f"{name} is a folder", None, "name one file: `to_static convert net.py -o net_static.py`"))
    data = sys.stdin.buffer.read() if args.file == "-" else _read(args.file)
    source, encoding = _decoded(data, name)
    if args.explain:
        text = explain_module(source, name, args.function)
    else:
        text = transpile_module(source, name, args.function)
        if args.diff:
            pair = source_lines(source), source_lines(text)
            text = "".join(difflib.unified_diff(*pair, name, f"{name} translated"))
    if args.output is None:
        sys.stdout.write(text)
        return 0
    if args.file != "-" and os.path.exists(args.output) and os.path.samefile(args.file, args.output):
        raise TranslationError(f"{args.output}: the output would replace the source; choose another file")
    from to_static.formats.atomic import writing

    with writing(args.output) as file:
        file.write(text.encode(encoding, "backslashreplace"))
    return 0


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _decoded(data: bytes, name: str) -> tuple[str, str]:
    """The text of Python source, and the encoding that it declares."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return io.TextIOWrapper(io.BytesIO(data), encoding).read(), encoding
    except (SyntaxError, UnicodeDecodeError) as error:
        raise TranslationError(f"{name}: not Python source: {error}", name) from None
