"""``convert``: Python source to Python source."""

from __future__ import annotations

import argparse
import ast
import difflib
import io
import os
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from to_static.cli.model import UnusableInput
from to_static.core.code_generation import lines_of
from to_static.core.diagnostics.printable import harmless, printable
from to_static.core.diagnostics.source_location import report
from to_static.core.errors import ToStaticError, TranslationError

if TYPE_CHECKING:
    from to_static.compiler.frontend.transpile.module import TranslatedModule

SUMMARY = "print a module with its @to_static functions translated"

DESCRIPTION = """Translate a module, or all modules of a folder, from source to source. Files are read, not executed.

Every function or method that is decorated with @to_static is replaced by its translation: each `if`, `while`,
`for`, `and`, `assert`, `print` and call that may meet a tensor becomes a call of a run-time operator (_jst.if_,
_jst.while_, ...), which decides while running between plain Python and an operation of the static program. All
other text stays as it is. The output is a module that imports, runs and gives the same results; to convert it
again changes nothing.

With --function only that function is printed (its decorators with it); with -o, which writes a module all the same, it is
the one that is translated.

With --check nothing is written: each function is translated, and the exit code is 1 if the text of one holds what
no Program can, or that of a function or method of the module that it names, with file, line, reason and rewrite for
each. The last line counts them. Of a folder the exit code is 1 if that of one of its files is. What depends on values
(x.numpy(), say) shows only when the program runs: `to_static explain net.py --check`."""

EPILOG = """examples:
  to_static convert net.py                           print to standard output
  to_static convert net.py -o net_static.py          write a file
  to_static convert models -o models_static          write all modules of a folder into another
  to_static convert net.py --function Net.forward    print one function, decorated or not
  to_static convert net.py --explain                 tell what became of each line, and why
  to_static convert net.py --diff                    show only what changes
  to_static convert net.py --check                   tell which functions can't be static as a whole
  cat net.py | to_static convert -                   read standard input"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", metavar="FILE.py", help="the module, a folder, or - for standard input")
    parser.add_argument("--function", metavar="NAME", help="print this function (or Class.method) only, decorated or not")
    output_choice = parser.add_mutually_exclusive_group()
    output_choice.add_argument("--diff", action="store_true", help="show what changes, as a unified diff, instead of the module")
    output_choice.add_argument("--explain", action="store_true", help="tell line by line what each construct became, and why")
    output_choice.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if a function can't be static as a whole"
    )
    parser.add_argument("-o", "--output", metavar="OUT", help="write to this file (or folder) instead of standard output")


@dataclass
class SourceFile:
    """The text of a source file, and how its bytes say it."""

    name: str
    text: str
    encoding: str
    ends: str  # of its lines

    def bytes_of(self, text: str) -> bytes:
        """Text as this file would have it."""
        return text.replace("\n", self.ends).encode(self.encoding, "backslashreplace")


def run(args: argparse.Namespace) -> int:
    """Translate and print; see ``DESCRIPTION``."""
    if args.check:
        return _check(args)
    if os.path.isdir(args.file):
        return _folder(args)
    module = _read("<stdin>", sys.stdin.buffer.read()) if args.file == "-" else _read(args.file)
    data = module.bytes_of(_converted(module, args))
    if args.output is None:
        _print(data, module)
        return 0
    if args.file != "-" and os.path.exists(args.output) and os.path.samefile(args.file, args.output):
        raise TranslationError(f"{args.output}: the output would replace the source; choose another file")
    _write(args.output, data)
    return 0


def _check(args: argparse.Namespace) -> int:
    """Say of each function whether its text has a translation, and how many have one; 1 when one has none."""
    from to_static.compiler.frontend.transpile import NothingToTranslate
    from to_static.compiler.frontend.transpile.module import is_done, prepared

    if args.output is not None:
        raise UnusableInput("--check writes nothing: leave out -o, or --check")
    static, with_breaks, unread, folder = 0, 0, 0, os.path.isdir(args.file)
    for path in _modules(args.file, None) if folder else [args.file]:
        try:
            read = _read("<stdin>", sys.stdin.buffer.read()) if path == "-" else _read(path)
            module = prepared(read.text, read.name, args.function)
        except NothingToTranslate:
            if args.function and not folder:
                raise
            continue
        except (ToStaticError, OSError) as error:
            if not folder:
                raise
            print(f"to_static convert: {error}", file=sys.stderr)
            unread += 1
            continue
        for node in _reached(module):
            name = module.full_name(node)
            name += "" if any(node is chosen for chosen in module.chosen) else " (named by a static function)"
            try:
                if not is_done(node):
                    module.printed(node)
            except TranslationError as error:
                print(f"to_static convert: {name}: {error}", file=sys.stderr)
                with_breaks += 1
            else:
                print(f"{printable(module.file)}:{node.lineno}: {name} has a translation")
                static += 1
    if args.function and not static + with_breaks + unread:
        raise _missing(args)
    sys.stderr.flush()
    print(f"{'<stdin>' if args.file == '-' else printable(args.file)}: {_counted(static, with_breaks, unread)}")
    return 1 if with_breaks or unread else 0


def _counted(static: int, with_breaks: int, unread: int) -> str:
    """Return the text that counts functions and their outcomes."""
    if not static + with_breaks:
        text = "no function is decorated with @to_static (--function NAME checks one that is not)"
    else:
        functions = f"{static + with_breaks} function{'s' if static + with_breaks > 1 else ''}"
        text = f"{functions}: {static} static, {with_breaks} {'breaks' if with_breaks == 1 else 'break'}"
    return text + (f"; {unread} file{'s' if unread > 1 else ''} can't be read" if unread else "")


def _missing(args: argparse.Namespace) -> TranslationError:
    """No module of a folder has the function."""
    from to_static.compiler.frontend.transpile.module import NothingToTranslate

    rewrite = f"`to_static convert {args.file} --check` tells which static functions there are"
    return NothingToTranslate(report(f"{args.file} has no module with a function {args.function!r}", None, rewrite))


def _reached(module: TranslatedModule) -> list[Any]:
    """The chosen functions, and functions of the module that they name, methods as ``self.name``."""
    unvisited = {}
    for node in module.tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)) and not _is_left_alone(inner):
                unvisited[module.class_of(inner), inner.name] = inner
    reached, pending = list(module.chosen), list(module.chosen)
    while pending:
        function = pending.pop()
        for part in ast.walk(function):
            key: Any = None
            if isinstance(part, ast.Name):
                key = None, part.id
            elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == "self":
                key = module.class_of(function), part.attr
            callee = unvisited.pop(key, None)
            if callee is not None and all(callee is not node for node in reached):
                reached.append(callee)
                pending.append(callee)
    return reached


def _is_left_alone(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function is a generator, which Python runs, or is not to be translated."""
    names = {getattr(d, "attr", getattr(d, "id", "")) for d in function.decorator_list}
    return "not_to_static" in names or any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in ast.walk(function))


def _folder(args: argparse.Namespace) -> int:
    """Every module below a folder: translated, or copied where there is nothing to translate."""
    from to_static.compiler.frontend.transpile import NothingToTranslate

    rewrite = f"`to_static convert {args.file} -o {os.path.normpath(args.file)}_static`"
    if args.output is None and not args.diff and not args.explain and not args.function:
        raise TranslationError(report(f"{args.file} is a folder: what is made of its modules needs a place", None, rewrite))
    if args.output is not None and os.path.abspath(args.output) == os.path.abspath(args.file):
        raise TranslationError(report(f"{args.output}: the output would replace the source", None, rewrite))
    code, translated = 0, 0
    for path in _modules(args.file, args.output):
        try:
            module = _read(path)
            done, text = "translated", _converted(module, args)
            translated += 1
        except NothingToTranslate:
            done, text = "copied", module.text
        except (ToStaticError, OSError) as error:
            print(f"to_static convert: {error}", file=sys.stderr)
            code = 1
            continue
        if args.output is not None:
            target = os.path.join(args.output, os.path.relpath(path, args.file))
            _write(target, module.bytes_of(text))
            print(f"{printable(target)}: {done}")
        elif done == "translated":
            _print(module.bytes_of(text), module)
    if args.function and not translated and not code:
        raise _missing(args)
    return code


def _modules(folder: str, output: str | None) -> Iterator[str]:
    """The modules below ``folder``, none of ``output``, in order."""
    for directory, folders, files in os.walk(folder):
        subfolders = [f for f in folders if not f.startswith(".") and f != "__pycache__"]
        target = None if output is None else os.path.abspath(output)
        folders[:] = sorted(f for f in subfolders if os.path.abspath(os.path.join(directory, f)) != target)
        yield from (os.path.join(directory, file) for file in sorted(files) if file.endswith(".py"))


def _converted(module: SourceFile, args: argparse.Namespace) -> str:
    """Return the text to show of a module."""
    from to_static.compiler.frontend.transpile import explain_module, transpile_functions, transpile_module

    if args.explain:
        return explain_module(module.text, module.name, args.function)
    if args.function and args.output is None and not args.diff:
        return transpile_functions(module.text, module.name, args.function)
    text = transpile_module(module.text, module.name, args.function)
    if not args.diff:
        return text
    return "".join(difflib.unified_diff(lines_of(module.text), lines_of(text), module.name, f"{module.name} translated"))


def _print(data: bytes, module: SourceFile) -> None:
    """Print a text: to a terminal as text, to a file or another command in the encoding that the text declares."""
    buffer = getattr(sys.stdout, "buffer", None)  # notebooks have none
    if buffer is None or sys.stdout.isatty():
        sys.stdout.write(harmless(data.decode(module.encoding).replace(module.ends, "\n"), len(data)))
    else:
        sys.stdout.flush()
        buffer.write(data)


def _write(path: str, data: bytes) -> None:
    from to_static.compiler.formats.atomic_write import writing

    with writing(path) as file:
        file.write(data)


def _read(name: str, data: bytes | None = None) -> SourceFile:
    """The module in a file, or in ``data``."""
    if data is None:
        with open(name, "rb") as file:
            data = file.read()
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = io.TextIOWrapper(io.BytesIO(data), encoding).read()
    except (SyntaxError, LookupError, UnicodeError) as error:
        raise TranslationError(f"{name}: not Python source: {error}", name) from None
    return SourceFile(name, text, encoding, "\r\n" if b"\r\n" in data else "\n")
