"""The command line: ``to_static`` and ``python -m to_static``."""

from to_static.cli.commands import main

__all__ = ["main"]
