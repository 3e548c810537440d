"""What `convert` prints of every case of the table is a module of its own that gives the same results, and is static where the
case is."""

import ast
import contextlib
import importlib.util
import re
import sys

import daily
import pytest
from language_table import HERE, ROWS, by_default, outcome, rows
from record_language import written

import to_static as paddle
from to_static import to_static
from to_static.compiler.frontend.transpile import transpile_functions, transpile_module
from to_static.core.code_generation import lines_of
from to_static.core.errors import TranslationError

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:.*a graph break:UserWarning")]
DECORATOR = "@to_static\n"
RECORDED = written()


def marked(source, section):
    """The source with each case made static, but for those that have no translation."""
    lines = lines_of(source)
    for node in reversed(ast.parse(source).body):
        if isinstance(node, ast.FunctionDef) and any(getattr(d.func, "id", "") == "case" for d in decorators(node)):
            if not RECORDED[f"{section}-{node.name}"].get("breaks", "").startswith("cannot translate"):
                lines.insert(node.lineno - 1, DECORATOR)
    return "".join(lines)


def decorators(node):
    return [d for d in node.decorator_list if isinstance(d, ast.Call)]


def loaded(text, name, folder):
    """The functions of the cases in a module with this text."""
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module, before = importlib.util.module_from_spec(spec), ROWS[:]
    sys.modules[name], module.to_static = module, to_static
    paddle.seed(3)  # for Layers that the module makes
    try:
        spec.loader.exec_module(module)
        return {row.function.__name__: row for row in ROWS[len(before) :] if row.kind == "case"}
    finally:
        ROWS[:] = before


SECTIONS = sorted({row.section for row in rows() if row.kind == "case"})


@pytest.mark.parametrize("section", daily.some("converted", SECTIONS, 8))
def test_the_print_gives_the_same(section, tmp_path):
    source = (HERE / f"case_{section}.py").read_text()
    old = loaded(source, f"dynamic_{section}", tmp_path)
    new = loaded(transpile_module(marked(source, section), f"case_{section}.py"), f"converted_{section}", tmp_path)
    assert set(new) == set(old)
    for name, row in new.items():
        recorded = RECORDED[f"{section}-{name}"]
        if "differs" in recorded:  # as it should not: test_language asks for it
            continue
        static, args = row.function, old[name].calls[0]
        wanted = outcome(old[name].function, args)
        with contextlib.nullcontext() if "static" in recorded else by_default():
            got = outcome(static, args)
        if wanted[0] == "error":
            wanted, got = wanted[:3], got[:3]
        assert readable(wanted) == readable(got), getattr(static, "code", name)


def readable(seen):
    """Without the members that enumerations keep of their classes, which are two here."""
    return re.sub(r"<\w+\.\w+: \d+>|<class '[^']*'>|mappingproxy\(.*", "", repr(seen))


@pytest.mark.parametrize("section", daily.some("code", SECTIONS, 8))
def test_the_print_is_the_code_that_runs(section):
    """``f.code`` of each case, and what ``to_static convert`` prints of it but for decorators."""
    source = (HERE / f"case_{section}.py").read_text()
    for row in rows():
        if row.kind == "case" and row.section == section:
            name = row.function.__name__
            try:
                code = to_static(row.function).code
            except TranslationError:
                with pytest.raises(TranslationError):
                    transpile_functions(source, f"case_{section}.py", name)
                continue
            printed = transpile_functions(source, f"case_{section}.py", name)
            assert printed[printed.index(f"def {name}(") :].strip() == code.strip(), name
