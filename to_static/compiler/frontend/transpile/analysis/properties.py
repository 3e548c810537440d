"""Names of the properties of the user's classes: reading such an attribute runs code, which is translated, too."""

from __future__ import annotations

import ast
import os
import types

from to_static.compiler.frontend.transpile.analysis.imported_source import resolved_name, source_file, tree_of
from to_static.compiler.frontend.transpile.analysis.resolve import dotted, is_library, module_bindings


def of_function(function: types.FunctionType) -> frozenset[str]:
    """Names of the properties of the classes that a live function can name, and of the classes above them."""
    cells = [cell.cell_contents for cell in function.__closure__ or () if cell != types.CellType()]
    classes = [value for value in [*function.__globals__.values(), *cells] if isinstance(value, type)]
    user_classes = {base for value in classes for base in value.__mro__ if not is_library(base)}
    return frozenset(name for cls in user_classes for name, member in vars(cls).items() if type(member) is property)


def of_module(tree: ast.Module, file: str) -> frozenset[str]:
    """Return the names of the properties of the classes that a module defines or imports, from its text and theirs."""
    names: set[str] = set()
    visited: set[tuple[str, str]] = set()
    classes = _classes(tree)
    for name in {*classes, *module_bindings(tree).imports}:
        _add(name, tree, file, names, visited)
    return frozenset(names)


def _add(name: str, tree: ast.Module, file: str, names: set[str], visited: set[tuple[str, str]]) -> None:
    """Add the properties of the class that a module has by this name, and those of the classes above it."""
    if (file, name) in visited:
        return
    visited.add((file, name))
    cls = _classes(tree).get(name)
    if cls is not None:
        for member in cls.body:
            if isinstance(member, ast.FunctionDef) and any(_is_property(d) for d in member.decorator_list):
                names.add(member.name)
            elif isinstance(member, ast.Assign) and dotted(getattr(member.value, "func", None)) == ["property"]:
                names.update(target.id for target in member.targets if isinstance(target, ast.Name))
        for base in cls.bases:
            if isinstance(base, ast.Name):
                _add(base.id, tree, file, names, visited)
        return
    for binding in module_bindings(tree).imports.get(name, ()):
        if not binding.member or binding.is_library or not os.path.isfile(file):
            continue
        module, beside = resolved_name(binding.module, file)
        origin = source_file(module, beside)
        source_tree = tree_of(origin) if origin is not None else None
        if origin is not None and source_tree is not None:
            _add(binding.member, source_tree, origin, names, visited)


def _is_property(decorator: ast.expr) -> bool:
    if isinstance(decorator, ast.Attribute):  # `@size.setter`
        return decorator.attr in ("setter", "getter", "deleter")
    return isinstance(decorator, ast.Name) and decorator.id == "property"


def _classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    """The classes of a module's own scope, by name."""
    classes: dict[str, ast.ClassDef] = {}

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                classes[child.name] = child
            elif not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.expr)):
                visit(child)

    visit(tree)
    return classes
