"""``explain``: what the static functions of a program have become when it has run."""

from __future__ import annotations

import argparse
import contextlib
import sys
from typing import Any

from to_static.cli import run as running
from to_static.core.diagnostics.source_location import report
from to_static.core.errors import TranslationError

SUMMARY = "run a program and tell what its static functions have become"

DESCRIPTION = """Run a Python program, as `to_static run` does, and then tell of each static function that it called: for which
kinds of calls there is a Program, what decides, prints and checks when it runs, which Python values are built into it, and where
and why calls run in Python. A function with an input_spec that was not called is traced for that. What the program itself prints
goes to standard error."""

EPILOG = """examples:
  to_static explain train.py                       all static functions
  to_static explain train.py --function Net.forward
  to_static explain train.py --plan                with the Python that runs in place of each
  to_static explain train.py --program             with each Program as it was traced
  to_static explain train.py --check               exit with 1 if a call of one runs in Python
  to_static explain train.py --plan -- --epochs 1  with words of the program's own"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("program", metavar="FILE.py", help="the program: a script, a folder with a __main__.py, or -")
    parser.add_argument("words", nargs="*", metavar="...", help="the program's own arguments, after --")
    parser.add_argument("--function", metavar="NAME", help="tell of this function (or Class.method) only")
    parser.add_argument("--plan", action="store_true", help="show the plans: the Python that runs")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a static function has a graph break")
    parser.add_argument("--program", dest="with_program", action="store_true", help="show the Programs as they were traced")


def run(args: argparse.Namespace) -> int:
    """Run the program, then tell; see ``DESCRIPTION``."""
    from to_static.compiler.frontend.function.settings import Settings  # the translator, which predicting does without

    outer_functions, Settings.created = Settings.created, []
    try:
        with contextlib.redirect_stdout(sys.stderr):
            code = running.run(argparse.Namespace(module=False, program=args.program, words=args.words))
        traced_functions = Settings.created or []
    finally:
        Settings.created = outer_functions
    reported = [
        static
        for static in traced_functions
        if args.function in (None, static.__name__, name_of(static)) and _is_worth(static)
    ]
    if not reported:
        requested = f"static function {args.function!r}" if args.function else "static function"
        rewrite = "call it, or give it an input_spec: `to_static(input_spec=[InputSpec([None, 8], 'float32', 'x')])`"
        names = ", ".join(dict.fromkeys(name_of(static) for static in traced_functions))
        available = f"; it has {names}" if names else ""
        if code:
            raise TranslationError(f"{args.program} ended with exit code {code} before it called a {requested}{available}")
        raise TranslationError(report(f"{args.program} calls no {requested}{available}", None, rewrite))
    print("\n\n".join(_text(static, args) for static in reported))
    return 1 if args.check and any(static.graph_breaks for static in reported) else code


def name_of(static: Any) -> str:
    """``Net.forward``, or the name of a function, without the functions around it."""
    return str(getattr(static, "__qualname__", static.__name__)).rpartition("<locals>.")[2]


def _is_worth(static: Any) -> bool:
    """True if a static function has Programs or graph breaks to show. That of its input_spec is made now."""
    if not static.program_cache and not static.graph_breaks and static.function_spec.input_spec is not None:
        assert static.main_program is not None
    return bool(static.program_cache or static.graph_breaks)


def _text(static: Any, args: argparse.Namespace) -> str:
    from to_static.compiler.frontend.function.inspection import python_function  # as above

    function = python_function(static.dygraph_function)
    code = None if function is None else function.__code__
    lines = [f"# {name_of(static)}" + ("" if code is None else f", {code.co_filename}:{code.co_firstlineno}")]
    lines.append(static.explain(plan=args.plan))
    if args.with_program:
        lines += [str(program.main_program).rstrip("\n") for program in static.program_cache.concrete_programs()]
    return "\n".join(lines)
