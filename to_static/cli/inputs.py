"""Inputs of a model from the words after ``--input``."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

from to_static.cli.arrays import sources
from to_static.cli.model import UnusableInput
from to_static.core.diagnostics.printable import printable, quoted


def names_text(names: list[str]) -> str:
    """Names, for a message."""
    return ", ".join(map(printable, names))


def input_arrays(words: list[str], inputs: list[str]) -> dict[str, np.ndarray]:
    """Arrays by input name, from the words after ``--input``. Raises UnusableInput for words that fit no input, FormatError."""
    arrays: dict[str, np.ndarray] = {}
    for word in words:
        name, _, path = word.partition("=")
        if name not in inputs and (not path or os.path.exists(word)):
            name, path = "", word  # no name, or a file whose own name has a "="
        readers = sources(path)
        if "" in readers:
            if not name and len(inputs) != 1:
                raise UnusableInput(
                    f"--input {word}: say which input it is, NAME={path}; the inputs are {names_text(inputs)}"
                )
            readers = {name or inputs[0]: readers[""]}
        elif name:
            raise UnusableInput(f"--input {word}: a .npz archive names its arrays itself; leave out {name}=")
        for key, read in readers.items():
            if key not in inputs:
                raise UnusableInput(
                    f"--input {word}: the model has no input {quoted(key)}; its inputs are {names_text(inputs) or 'none'}"
                )
            if key in arrays:
                raise UnusableInput(f"--input {word}: input {key!r} is given twice")
            arrays[key] = read()
    return arrays


def fitting(array: np.ndarray, dtype: Any, name: str, command: str) -> np.ndarray:
    """The array in the dtype of the model's input. The shape is checked by the model itself. ``command`` is for messages."""
    input_dtype = dtype.np
    if array.dtype == input_dtype:
        return array
    if not np.can_cast(array.dtype, input_dtype, "same_kind"):
        raise UnusableInput(f"input {name!r} is {array.dtype}, the model takes {input_dtype}")
    print(f"to_static {command}: input {quoted(name)} is {array.dtype}, used as {input_dtype}", file=sys.stderr)
    return array.astype(input_dtype)
