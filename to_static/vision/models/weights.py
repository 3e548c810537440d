"""Weights of `paddle.vision.models`: Paddle's own files, found on this machine or fetched."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar

from to_static.compiler.formats.paddle.pickles.state import NAME_TABLE, NamedArray, read_object
from to_static.core.errors import DownloadError, FormatError
from to_static.io.download import cache_directory, fetch
from to_static.nn.layer import Layer

Net = TypeVar("Net", bound=Layer)
PADDLES = Path("~/.cache/paddle/hapi/weights")  # where Paddle keeps what it has downloaded


def with_weights(net: Net, arch: str, published: dict[str, tuple[str, str]], pretrained: Any) -> Net:
    """``net`` with the weights that were asked for.

    Args:
        net: the network. arch: its name in ``published``: names to addresses and MD5 checksums of Paddle's files.
        pretrained: False for none; the path of a ``.pdparams`` file; True for what Paddle publishes: from its own cache, ours
            (``~/.cache/to_static/dataset/weights``), or downloaded into ours.

    Raises:
        ValueError: Paddle publishes no weights for ``arch``.
        DownloadError: they are not on this machine and cannot be downloaded; it says where to put the file.
        FileNotFoundError: there is no file at the path given. FormatError: the file has none of the network's names.
    """
    if pretrained is False or pretrained is None:
        return net
    weights = read_object(_file(arch, published) if pretrained is True else pretrained)
    if not isinstance(weights, dict) or not set(weights) & set(net.state_dict()):
        first = next(iter(net.state_dict()))
        raise FormatError(pretrained, f"weights of {arch}, by names such as {first!r}", _summary(weights))
    weights.pop(NAME_TABLE, None)
    net.set_state_dict({key: value.array if isinstance(value, NamedArray) else value for key, value in weights.items()})
    return net


def _file(arch: str, published: dict[str, tuple[str, str]]) -> Path:
    if arch not in published:
        names = ", ".join(sorted(published)) or "none of this family"
        raise ValueError(
            f"{arch}: Paddle publishes no weights for it, only for {names}; "
            "use pretrained=False, or pretrained='file.pdparams' with weights of your own"
        )
    address, checksum = published[arch]
    name = address.rpartition("/")[2]
    paddle_copy = PADDLES.expanduser() / name
    if paddle_copy.exists():
        return paddle_copy
    directory = cache_directory("weights")
    try:
        return fetch(address, checksum, directory)
    except DownloadError as error:
        raise DownloadError(
            f"{arch}: its weights are neither {paddle_copy} nor {directory / name}, and could not be downloaded: get {address} "
            f"elsewhere and give its path, {arch}(pretrained={os.fspath(Path('path') / name)!r}) ({error})"
        ) from error


def _summary(value: object) -> str:
    return f"a dict with {', '.join(map(repr, list(value)[:3])) or 'nothing'}" if isinstance(value, dict) else type(value).__name__
