"""The list of commands, their common conduct, and `main`.

A command is a module with ``SUMMARY`` (one line), ``DESCRIPTION``, ``EPILOG``, ``arguments(parser)`` and ``run(args)``.
Results go to standard output, errors to standard error. Exit codes: 0 done, 1 the input cannot be used, 2 wrong usage,
130 interrupted.
"""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections.abc import Sequence
from typing import Any

from to_static.cli import convert, explain, inspection, predict, quantize, run, serve, upgrade
from to_static.core.diagnostics.printable import harmless, printable
from to_static.core.errors import ToStaticError
from to_static.core.release import RELEASE

COMMANDS = {
    "convert": convert, "explain": explain, "inspect": inspection, "predict": predict, "quantize": quantize, "run": run,
    "serve": serve, "upgrade": upgrade,
}  # fmt: skip

DESCRIPTION = """Turn Python functions over tensors into static programs, and look into and run saved ones.

A model is a file of PaddlePaddle 1 to 3 or of ONNX, or a prefix: model/net stands for model/net.pdmodel (the
program) and model/net.pdiparams (its parameters), as written by to_static.jit.save and paddle.jit.save."""

EPILOG = """a first walk:
  to_static convert net.py                     read what @to_static makes of the functions in net.py
  to_static convert net.py --check             tell which of them can't be static as a whole
  to_static explain net.py --plan              see what they become when net.py runs, down to the Python that is run
  to_static inspect model/net                  see inputs, outputs, parameters and operations of a saved model
  to_static predict model/net --input x=x.npy  run it
  to_static quantize model/net --weights int8  store its weights in fewer bytes
  to_static run train.py                       run a program that says `import paddle`
  to_static serve model/net                    answer requests for it over HTTP

to_static COMMAND --help tells more about each. Exit codes: 0 done, 1 the input cannot be used, 2 wrong usage."""


class Command(argparse.ArgumentParser):
    """The parser of one command: what it does not know is wrong usage of this command, not of the whole."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments as `argparse` does, with an error for words that are left over."""
        parsed, extra = super().parse_known_args(args, namespace)
        if extra:
            options = [option for action in self._actions for option in action.option_strings if option.startswith("--")]
            close = [match for word in extra for match in difflib.get_close_matches(word.partition("=")[0], options, 1, 0.75)]
            hint = f"; did you mean {', '.join(dict.fromkeys(close))}?" if close else ""
            if "--input" in options and not extra[0].startswith("-"):
                hint = f"; inputs have a word before them, --input {harmless(extra[0])}"
            self.error(f"unrecognized arguments: {harmless(' '.join(extra))}{hint}")
        return parsed, extra


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="to_static", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    top.add_argument("--version", action="version", version=f"to_static {RELEASE}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands", parser_class=Command)
    for name, module in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=module.SUMMARY,
            description=module.DESCRIPTION,
            epilog=module.EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(command)
        command.set_defaults(run=module.run)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code.

    Args:
        argv: the words after the program's name (default: those of this process).

    Example:
        >>> main(["inspect", "model/net"])
        0
    """
    args = parser().parse_args(argv)
    try:
        code = args.run(args)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except ModuleNotFoundError as error:
        if not str(error.name).startswith("to_static."):
            raise
        advice = "to_static-runtime has only what predicts: pip uninstall to_static-runtime; pip install to_static"
        print(f"to_static {args.command}: {error}; {advice}", file=sys.stderr)
        return 1
    except (ToStaticError, OSError) as error:
        print(f"to_static {args.command}: {_error_text(error)}", file=sys.stderr)
        return 1
    except MemoryError as error:
        print(f"to_static {args.command}: out of memory: {harmless(str(error))}", file=sys.stderr)
        return 1


def _error_text(error: BaseException) -> str:
    if isinstance(error, OSError) and not isinstance(error, ToStaticError) and error.strerror:
        return f"{printable(error.filename)}: {error.strerror}" if error.filename else error.strerror
    return harmless(str(error))
