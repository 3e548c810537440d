"""Files of weights by their address (``paddle.utils.download``): those that are here already. Nothing is fetched."""

from __future__ import annotations

import hashlib
import logging
import os
import tarfile
import zipfile
from typing import Any
from urllib.parse import urlparse

from to_static.core.errors import FormatError

__all__ = ["get_path_from_url", "get_weights_path_from_url", "is_url"]

DATA_HOME = os.path.expanduser("~/.cache/paddle/dataset")
logger = logging.getLogger("to_static")
WEIGHTS_HOME = os.path.expanduser("~/.cache/paddle/hapi/weights")


def get_weights_path_from_url(url: str, md5sum: str | None = None) -> str:
    """The path of a file of weights: of ``url`` itself when it is a path, else of the file of its name in ``WEIGHTS_HOME``.

    Raises FileNotFoundError when it is not there, saying where to put it, and ValueError when its MD5 sum is another.

    Example:
        >>> paddle.utils.download.get_weights_path_from_url('resnet18.pdparams')
    """
    return get_path_from_url(url, WEIGHTS_HOME, md5sum)


def get_path_from_url(
    url: str, root_dir: str, md5sum: str | None = None, check_exist: bool = True, decompress: bool = True, method: str = "get"
) -> str:
    """The path of the file that ``url`` names: a path itself, or in ``root_dir``; see `get_weights_path_from_url`.

    ``decompress``, ``method``: how it would be fetched; not used.
    """
    parts = urlparse(url)
    local = parts.path if parts.scheme in ("", "file") else os.path.join(root_dir, os.path.basename(parts.path))
    if not os.path.exists(local):
        hint = "" if parts.scheme in ("", "file") else f"; nothing is fetched: get {url} yourself, and put it there"
        raise FileNotFoundError(f"there is no file {local!r}{hint}")
    if md5sum is not None and md5file(local) != md5sum:
        raise ValueError(f"the MD5 sum of {local!r} is {md5file(local)}, expected {md5sum}: it may be damaged")
    return local


def is_url(path: str) -> bool:
    """Return whether this is an address of the web.

    Example:
        >>> paddle.utils.download.is_url('https://example.org/a.pdparams')
        True
    """
    return path.startswith(("http://", "https://"))


def _decompress(fname: str) -> str:
    """Unpack a tar or zip file beside itself, and tell where: its one file or folder, else a folder of the archive's name.

    Raises TypeError for other files, FormatError for a damaged archive, and for members of a tar file that would be put elsewhere.
    """
    is_tar = tarfile.is_tarfile(fname)
    if not is_tar and not zipfile.is_zipfile(fname):
        raise TypeError(f"Unsupport compress file type {fname}")
    opened: Any = tarfile.open if is_tar else zipfile.ZipFile
    with opened(fname) as archive:
        if is_tar:  # a filter that the first releases of Python 3.10 and 3.11 don't have
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
        names = {name.removeprefix("./").split("/")[0] for name in (archive.getnames() if is_tar else archive.namelist())}
        folder, one = os.path.dirname(fname), len(names) == 1
        target = os.path.join(folder, names.pop()) if one else os.path.splitext(fname)[0]
        try:
            archive.extractall(folder if one else target)
        except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
            raise FormatError(fname, "an archive of files for its own folder", str(error)) from error
    return target


def _get_unique_endpoints(trainer_endpoints: list[str]) -> set[str]:
    """One address of each machine, which code of model collections asks for: the first in order."""
    endpoints: dict[str, str] = {}
    for endpoint in sorted(trainer_endpoints):
        endpoints.setdefault(endpoint.split(":")[0], endpoint)
    return set(endpoints.values())


def md5file(path: str) -> str:
    """The MD5 sum of a file, in hexadecimal digits."""
    digest = hashlib.md5(usedforsecurity=False)
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()
