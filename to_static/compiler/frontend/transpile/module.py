"""Source to source: a module's text with every ``@to_static`` function translated. The module is not executed."""

from __future__ import annotations

import ast
import difflib
import linecache
import os
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from to_static.compiler.frontend.transpile.analysis import resolve
from to_static.compiler.frontend.transpile.analysis.activity import identifiers, local_names, parameters
from to_static.compiler.frontend.transpile.analysis.static_values import assigned_attributes
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pipeline import translated_text
from to_static.compiler.frontend.transpile.pyct import visiting
from to_static.compiler.frontend.transpile.unparse.printing import Printed
from to_static.core.code_generation import lines_of
from to_static.core.errors import TranslationError
from to_static.core.source_location import SourceLocation, report

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
    for node, owner in reversed(module.chosen):
        if not is_done(node):
            lines[_first(node) - 1 : node.end_lineno] = _translated(module, node, owner, _indent(lines[node.lineno - 1]))
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
    for node, owner in module.chosen:
        if is_done(node):
            text = textwrap.dedent("".join(module.lines[_first(node) - 1 : node.end_lineno]))
        else:
            text = "".join(_translated(module, node, owner, ""))
        name = f"{owner}.{node.name}" if owner else node.name
        pieces.append(text if len(module.chosen) == 1 else f"# {name}, line {node.lineno}\n{text}")
    return "\n".join(pieces)


@dataclass
class TranslatedModule:
    """A module to translate: its ``lines`` and tree, what its names mean, and the functions chosen, each with its class."""

    file: str
    lines: list[str]
    tree: ast.Module
    meaning: Callable[[set[str]], resolve.Meaning]
    chosen: list[tuple[Any, str | None]]

    def printed(self, node: ast.FunctionDef, owner: str | None) -> Printed:
        """The translation of one of the functions, without its decorators."""
        tree = gast.ast_to_gast(node)
        tree.decorator_list = []
        library, builtin = self.meaning(local_names(tree))
        alone = len(self.chosen) == 1
        ctx = Context(self.file, tree.name, identifiers(tree) | {"_jst"}, library, builtin, called=not alone)
        ctx.lines = self.lines
        ctx.assigned = assigned_attributes(self.tree)
        names = parameters(tree)
        ctx.class_name, ctx.self_name = owner, names[0] if owner and names else None
        ctx.in_class = True
        return translated_text(tree, ctx, node.lineno, node.end_lineno or node.lineno)


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
    return TranslatedModule(filename, lines, tree, resolve.of_module(tree), chosen)


def is_done(function: ast.AST) -> bool:
    """Whether a function is a translation already."""
    return any(isinstance(n, ast.Name) and n.id == "_jst" for n in visiting.walk(function))  # type: ignore[arg-type]


def _chosen(node: ast.AST, path: str, function: str | None) -> Iterator[tuple[Any, str | None]]:
    """The functions to translate with the name of their class, in source order, none inside another."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = f"{path}.{child.name}" if path else child.name
            if function in (name, child.name) if function else any(map(_is_to_static, child.decorator_list)):
                yield child, path.rsplit(".", 1)[-1] if isinstance(node, ast.ClassDef) else None
            else:
                yield from _chosen(child, name, function)
        elif isinstance(child, ast.ClassDef):
            yield from _chosen(child, f"{path}.{child.name}" if path else child.name, function)
        elif isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from _chosen(child, path, function)


def _nothing(tree: ast.Module, filename: str, function: str | None) -> str:
    """What to say when no function is chosen: the ones that were perhaps meant, or that are there."""
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


def _translated(module: TranslatedModule, node: ast.FunctionDef, owner: str | None, indent: str) -> list[str]:
    """The lines of a function, with its decorators, indented by this."""
    old = _indent(module.lines[node.lineno - 1])
    decorators = module.lines[_first(node) - 1 : node.lineno - 1]
    text = module.printed(node, owner).text
    inside = _string_lines(text)
    numbered = enumerate(lines_of(text), 1)
    translated = [
        translated_line if number in inside or not translated_line.strip() else indent + translated_line
        for number, translated_line in numbered
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
    """How many lines come before the added import: comments (one may declare the encoding), the docstring, the first imports."""
    last = next((i for i, line in enumerate(lines) if not line.lstrip("\ufeff").startswith("#")), len(lines))
    for index, node in enumerate(tree.body):
        docstring = index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not docstring and not isinstance(node, (ast.Import, ast.ImportFrom)):
            break
        last = node.end_lineno or last
    return last
