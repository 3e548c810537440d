"""Files of weights by their address (``paddle.utils.download``): those that are here already. Nothing is fetched."""

from __future__ import annotations

import hashlib
import os
from urllib.parse import urlparse

__all__ = ["get_path_from_url", "get_weights_path_from_url"]

WEIGHTS_HOME = os.path.expanduser("~/.cache/paddle/hapi/weights")


def get_weights_path_from_url(url: str, md5sum: str | None = None) -> str:
    """The path of a file of weights: of ``url`` itself when it is a path, else of the file of its name in ``WEIGHTS_HOME``.

    Raises FileNotFoundError when it is not there, saying where to put it, and ValueError when its MD5 sum is another.

    Example:
        >>> paddle.utils.download.get_weights_path_from_url('resnet18.pdparams')
    """
    return get_path_from_url(url, WEIGHTS_HOME, md5sum)


def get_path_from_url(url: str, root_dir: str, md5sum: str | None = None, check_exist: bool = True) -> str:
    """The path of the file that ``url`` names: a path itself, or in ``root_dir``; see `get_weights_path_from_url`."""
    parts = urlparse(url)
    local = parts.path if parts.scheme in ("", "file") else os.path.join(root_dir, os.path.basename(parts.path))
    if not os.path.exists(local):
        hint = "" if parts.scheme in ("", "file") else f"; nothing is fetched: get {url} yourself, and put it there"
        raise FileNotFoundError(f"there is no file {local!r}{hint}")
    if md5sum is not None and _md5(local) != md5sum:
        raise ValueError(f"the MD5 sum of {local!r} is {_md5(local)}, expected {md5sum}: it may be damaged")
    return local


def _get_unique_endpoints(trainer_endpoints: list[str]) -> set[str]:
    """One address of each machine, which code of model collections asks for: the first in order."""
    found: dict[str, str] = {}
    for endpoint in sorted(trainer_endpoints):
        found.setdefault(endpoint.split(":")[0], endpoint)
    return set(found.values())


def _md5(path: str) -> str:
    found = hashlib.md5(usedforsecurity=False)
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            found.update(block)
    return found.hexdigest()
