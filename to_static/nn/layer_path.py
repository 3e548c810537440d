"""The path of the layer that raised an error, as a note on it: ``in net.features.3 (Conv2D)``.

A layer does not know its name. So each call that an error passes through says what its own layer calls the one that the error came
from; nothing is done before there is an error.
"""

from __future__ import annotations

import sys
from typing import Any

from to_static.core.diagnostics.exception_notes import add_note
from to_static.core.diagnostics.source_location import is_user_file
from to_static.core.errors import ToStaticError


def note_layer(layer: Any, error: BaseException) -> None:
    """Note on an error that passes through a call of ``layer`` where in its tree of layers it was raised."""
    if type(error).__module__.startswith("to_static.") and not isinstance(error, ToStaticError):
        return  # a signal of ours, on its way to who waits for it
    class_name, child, path = error.__dict__.get("__layer__", (type(layer).__name__, layer, ""))
    if child is not layer:
        name = next((name for name, each in layer.named_sublayers() if each is child), None)
        if name is None:
            return  # called from outside of the tree: its own path says more
        path = f"{name}.{path}" if path else name
    error.__dict__["__layer__"] = class_name, layer, path
    if path:
        add_note(error, "layer", f"in {_name_of(layer)}.{path} ({class_name})")


def _name_of(layer: Any) -> str:
    """The caller's variable that is the layer, else the name of its class."""
    frame: Any = sys._getframe(2)
    while frame is not None and not is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    spaces = () if frame is None else (frame.f_locals, frame.f_globals)
    names = (name for space in spaces for name, value in list(space.items()) if value is layer and name != "self")
    return next(names, type(layer).__name__)
