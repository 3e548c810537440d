"""Readers and writers of sound files (``paddle.audio.backends``): Python's own ``wave``."""

from __future__ import annotations

from to_static.core.diagnostics.missing_names import names_missing

__all__ = ["get_current_backend", "list_available_backends", "set_backend"]

_ONLY = "wave_backend"


def list_available_backends() -> list[str]:
    """The names that `set_backend` takes.

    Example:
        >>> paddle.audio.backends.list_available_backends()
        ['wave_backend']
    """
    return [_ONLY]


def get_current_backend() -> str:
    """The name of what `paddle.audio.load`, `save` and `info` use.

    Example:
        >>> paddle.audio.backends.get_current_backend()
        'wave_backend'
    """
    return _ONLY


def set_backend(backend_name: str) -> None:
    """Choose what reads and writes sound files, one of `list_available_backends`.

    Raises:
        NotImplementedError: there is no such backend here.

    Example:
        >>> paddle.audio.backends.set_backend('wave_backend')
    """
    if backend_name != _ONLY:
        raise NotImplementedError(
            f"set_backend: expected one of {list_available_backends()}, got {backend_name!r}; read other formats with the package "
            "of your choice, and give the numbers to paddle.to_tensor"
        )


__getattr__ = names_missing(__name__)
