"""`transpile_module`: translates all ``@to_static`` functions in the text of a module, without executing it."""

from __future__ import annotations

import ast
import difflib
import linecache
import os
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from to_static.compiler.frontend.transpile.analysis import properties
from to_static.compiler.frontend.transpile.function_context import SourceModule, enclosing
from to_static.compiler.frontend.transpile.passes.fence import refuse_generator
from to_static.compiler.frontend.transpile.pipeline import translated_text
from to_static.compiler.frontend.transpile.pyct import visiting
from to_static.compiler.frontend.transpile.unparse.printing import Printed
from to_static.core.code_generation import lines_of
from to_static.core.diagnostics.source_location import SourceLocation, report
from to_static.core.errors import TranslationError

IMPORT = "from to_static.compiler.frontend.jst import operators as _jst"


class NothingToTranslate(TranslationError):
    """A module has no function that is decorated with ``@to_static``, or none of the name that was given."""


def transpile_module(source: str, filename: str = "<module>", function: str | None = None) -> str:
    """Translate the text of a module.

    Every function or method decorated with ``@to_static`` (also ``@paddle.jit.to_static``, ``@to_static(...)``) is replaced by its
    translation, decorators included, and the import of the run-time operators is added; all other text stays as it is.
    ``function`` (a name or ``Class.name``) chooses one function instead, decorated or not. Raises TranslationError for
    constructs without translation, for text that is not Python and (`NothingToTranslate`) when there is nothing to translate.
    What is translated already stays as it is.

    Example:
        >>> print(transpile_module(open('net.py').read(), 'net.py'))
    """
    module = prepared(source, filename, function)
    lines = module.lines
    for node in reversed(module.chosen):
        if not is_done(node):
            lines[_first(node) - 1 : node.end_lineno] = _translated(module, node, _indent(lines[node.lineno - 1]))
    if not any(line.strip() == IMPORT for line in lines):
        lines.insert(_import_line(module.tree, lines), IMPORT + "\n")
    return "".join(lines)


def transpile_functions(source: str, filename: str, function: str) -> str:
    """The translation of the function of a module that has this name (or ``Class.name``), by itself; several have a remark each.

    Decorators are kept, the indentation of a class is not. Raises what `transpile_module` raises.

    Example:
        >>> print(transpile_functions(open('net.py').read(), 'net.py', 'Net.forward'))
    """
    module = prepared(source, filename, function)
    pieces = []
    for node in module.chosen:
        if is_done(node):
            text = textwrap.dedent("".join(module.lines[_first(node) - 1 : node.end_lineno]))
        else:
            text = "".join(_translated(module, node, ""))
        name = module.full_name(node)
        pieces.append(text if len(module.chosen) == 1 else f"# {name}, line {node.lineno}\n{text}")
    return "\n".join(pieces)


@dataclass
class TranslatedModule(SourceModule):
    """A module to translate: with the functions ``chosen``."""

    chosen: list[Any] = field(default_factory=list)

    def printed(self, node: ast.FunctionDef) -> Printed:
        """The translation of one of the functions, without its decorators."""
        tree = gast.ast_to_gast(node)
        tree.decorator_list = []
        ctx = self.context(node, tree)
        refuse_generator(tree, ctx)
        return translated_text(tree, ctx, node.lineno, node.end_lineno or node.lineno)

    def class_of(self, node: ast.AST) -> str | None:
        """The name of the class whose method a function is; None for other functions."""
        around = enclosing(self.tree)[id(node)]
        return around[-1].name if around and isinstance(around[-1], ast.ClassDef) else None

    def full_name(self, node: ast.FunctionDef) -> str:
        """The name of a function with that of its class, where it is a method."""
        owner = self.class_of(node)
        return f"{owner}.{node.name}" if owner else node.name


def prepared(source: str, filename: str, function: str | None) -> TranslatedModule:
    """The module with this source, and the functions to translate."""
    lines = lines_of(source)
    if not os.path.exists(filename):  # errors show its lines all the same
        linecache.cache[filename] = (len(source), None, lines, filename)
    try:
        tree = ast.parse(source, filename)
    except (SyntaxError, ValueError) as error:  # a ValueError says that there are null bytes
        line = getattr(error, "lineno", None) or 1
        text = f"{filename}: not valid Python: {getattr(error, 'msg', error)}"
        raise TranslationError(report(text, SourceLocation(filename, line), "correct the line"), filename, line) from None
    chosen = list(_chosen(tree, "", function))
    if not chosen:
        raise NothingToTranslate(_nothing(tree, filename, function), filename)
    if not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return TranslatedModule(filename, lines, tree, properties.of_module(tree, filename), chosen=chosen)


def is_done(function: ast.AST) -> bool:
    """True if a function is a translation already."""
    return any(isinstance(n, ast.Name) and n.id == "_jst" for n in visiting.walk(function))  # type: ignore[arg-type]


def _chosen(node: ast.AST, path: str, function: str | None) -> Iterator[Any]:
    """The functions to translate, in source order, none inside another."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = f"{path}.{child.name}" if path else child.name
            if function in (name, child.name) if function else any(map(_is_to_static, child.decorator_list)):
                yield child
            else:
                yield from _chosen(child, name, function)
        elif isinstance(child, ast.ClassDef):
            yield from _chosen(child, f"{path}.{child.name}" if path else child.name, function)
        elif isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from _chosen(child, path, function)


def _nothing(tree: ast.Module, filename: str, function: str | None) -> str:
    """The message for no chosen function. It names similar functions, or those that the module has."""
    if not function:
        rewrite = "put @to_static above the function, or name one: `to_static convert net.py --function Net.forward`"
        return report(f"{filename} has no function decorated with @to_static", None, rewrite)
    names = list(dict.fromkeys(_names(tree, "")))
    short = {name.rpartition(".")[2].lower(): name for name in reversed(names)} | {name.lower(): name for name in reversed(names)}
    close = [name for name in names if name.startswith(f"{function}.")]  # a class
    close = close or list(dict.fromkeys(short[match] for match in difflib.get_close_matches(function.lower(), short, 3)))
    if close:
        rewrite = f"name {' or '.join(close[:_MANY])}" if len(close) > 1 else f"did you mean {close[0]}?"
    else:
        rewrite = f"it has {', '.join(names[:_MANY])}{', ...' if len(names) > _MANY else ''}" if names else "it has no functions"
    return report(f"{filename} has no function {function!r}", None, rewrite)


_MANY = 12  # names that are listed


def _names(node: ast.AST, path: str) -> Iterator[str]:
    """The functions in a module, each with the classes and functions around it."""
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        inner = f"{path}.{child.name}".lstrip(".") if named else path  # type: ignore[attr-defined]
        if named and not isinstance(child, ast.ClassDef):
            yield inner
        if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from _names(child, inner)


def _is_to_static(decorator: ast.expr) -> bool:
    if isinstance(decorator, ast.Call):
        decorator = decorator.func
    name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
    return name == "to_static"


def _first(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _translated(module: TranslatedModule, node: ast.FunctionDef, indent: str) -> list[str]:
    """The lines of a function, with its decorators, indented by this."""
    old = _indent(module.lines[node.lineno - 1])
    decorators = module.lines[_first(node) - 1 : node.lineno - 1]
    text = module.printed(node).text
    inside = _string_lines(text)
    numbered = enumerate(lines_of(text), 1)
    translated = [
        translated_line if line_number in inside or not translated_line.strip() else indent + translated_line
        for line_number, translated_line in numbered
    ]
    return [indent + line.removeprefix(old) if line.startswith(old) else line for line in decorators] + translated


def _string_lines(text: str) -> set[int]:
    """Lines that continue a multi-line string, whose leading blanks are part of it."""
    rows: set[int] = set()
    if "\\\n" not in text and not any(line.count('"""') % 2 or line.count("'''") % 2 for line in text.splitlines()):
        return rows
    for node in visiting.walk(ast.parse(text)):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node.end_lineno is not None:
            rows.update(range(node.lineno + 1, node.end_lineno + 1))
    return rows


def _import_line(tree: ast.Module, lines: list[str]) -> int:
    """The number of lines before the added import: comments (one may declare the encoding), the docstring, the first imports."""
    last = next((i for i, line in enumerate(lines) if not line.lstrip("\ufeff").startswith("#")), len(lines))
    for index, node in enumerate(tree.body):
        docstring = index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not isinstance(node, (ast.Import, ast.ImportFrom)):
            break
        last = node.end_lineno or last
    return last
