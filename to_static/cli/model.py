"""Finding a saved model from what was typed."""

from __future__ import annotations

from typing import Any

from to_static.core.diagnostics.printable import printable, quoted
from to_static.core.errors import ToStaticError

BESIDE = (".pdiparams", ".pdiparams.info")  # files of a model that are not its Program


class UnusableInput(ToStaticError):
    """The arguments of the command line do not fit the model."""


def prefix_of(model: str) -> str:
    """Return the prefix for the hub of formats: the text itself, or the prefix of a file that lies beside a model."""
    for suffix in reversed(BESIDE):
        if model.endswith(suffix):
            return model[: -len(suffix)]
    return model


def method_of(methods: dict[str, Any], name: str, prefix: str) -> Any:
    """The entry of method ``name``. Raises UnusableInput when the model has none."""
    if name not in methods:
        raise UnusableInput(f"{prefix} has no method {quoted(name)}; it has {', '.join(map(printable, methods))}")
    return methods[name]
