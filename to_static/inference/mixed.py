"""`convert_to_mixed_precision`: what makes a model of fewer bits, in PaddlePaddle."""

from __future__ import annotations

import os
import shutil
import warnings
from collections.abc import Iterable
from typing import Any

from to_static.compiler.formats.unsupported_formats import missing_model


def convert_to_mixed_precision(
    model_file: str | os.PathLike[str],
    params_file: str | os.PathLike[str],
    mixed_model_file: str | os.PathLike[str],
    mixed_params_file: str | os.PathLike[str],
    mixed_precision: int,
    backend: Any,
    keep_io_types: bool = True,
    black_list: Iterable[str] = frozenset(),
    **kwargs: Any,
) -> None:
    """Write the model under the new names, as it is: everything is computed in the dtypes that a model has. A UserWarning says so.

    A predictor gives the numbers of the model, which are those that fewer bits come near to. Folders are made. ``params_file`` may
    be '' for a model without parameters. Raises FileNotFoundError when the model is not there.
    ``model_file``, ``mixed_model_file``, ``mixed_params_file``: the other paths. ``mixed_precision``, ``backend``,
    ``keep_io_types``, ``black_list``: not used.

    Example:
        >>> names = 'net.pdmodel', 'net.pdiparams', 'half.pdmodel', 'half.pdiparams'
        >>> convert_to_mixed_precision(*names, PrecisionType.Half, PlaceType.GPU)
    """
    if not os.path.isfile(model_file):
        raise missing_model(os.fspath(model_file).removesuffix(".pdmodel"))
    for source, target in ((model_file, mixed_model_file), (params_file, mixed_params_file)):
        if not os.fspath(source):
            continue
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
        if not (os.path.exists(target) and os.path.samefile(source, target)):
            shutil.copyfile(source, target)
    reason = "its dtypes are those that it is computed in"
    warnings.warn(f"convert_to_mixed_precision: the model is written as it is, since {reason}", stacklevel=2)
