"""Fetch a dataset's file once and keep it."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import os
import tempfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

from to_static.core.errors import DownloadError, FormatError
from to_static.core.file_replacement import replace_file
from to_static.core.flags import declare

data_home = declare(
    "TO_STATIC_DATA", "", "Directory that downloaded datasets are kept in (~/.cache/to_static/dataset when empty)"
)
TIMEOUT = 10.0  # seconds without an answer or a byte
CHUNK = 1 << 18


def cache_directory(name: str) -> Path:
    """Return the folder of the files of dataset ``name``."""
    return Path(data_home.value or Path.home() / ".cache" / "to_static" / "dataset") / name


def located(path: Any, argument: str, name: str, url: str, md5: str, download: bool) -> Any:
    """The file of a dataset: ``path``, or the local copy of ``url``.

    Args:
        path: a path or None. argument: what it is called, for messages. name: of the dataset. download: whether that is allowed.

    Raises:
        DownloadError: nothing is given and the file is neither there nor to be had.
    """
    if path is not None:
        return path
    directory = cache_directory(name)
    local = directory / url.rpartition("/")[2]
    if not download and not local.exists():
        raise DownloadError(f"{local} is not there, {argument} is not given, and download is False")
    return fetch(url, md5, directory)


def fetch(url: str, md5: str, directory: Path) -> Path:
    """The local copy of ``url``; downloaded when it is not there or not whole.

    The file appears under its name only when it is complete and its checksum is right.

    Raises:
        DownloadError: the file cannot be had, or is not the one expected.
    """
    path = directory / url.rpartition("/")[2]
    if path.exists() and _md5(path) == md5:
        return path
    partial = ""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        digest = hashlib.md5(usedforsecurity=False)
        handle, partial = tempfile.mkstemp(dir=directory, prefix=path.name, suffix=".part")
        with os.fdopen(handle, "wb") as file, urllib.request.urlopen(url, timeout=TIMEOUT) as answer:
            while chunk := answer.read(CHUNK):
                digest.update(chunk)
                file.write(chunk)
        if digest.hexdigest() != md5:
            raise DownloadError(f"{url}: expected a file with MD5 {md5}, got {digest.hexdigest()}; not kept")
        replace_file(partial, path)
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, DownloadError):
            raise
        if isinstance(error, urllib.error.HTTPError):
            error.close()  # it holds the server's answer open
        raise DownloadError(
            f"cannot download {url}: {error}. If this machine is offline, get the file elsewhere and put it into {directory}"
        ) from error
    finally:
        if partial:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(partial)
    return path


def unpacked(name: str, url: str, md5: str) -> Path:
    """The directory of dataset ``name``, with what is in the ZIP archive ``url``, which is fetched unless it was unpacked before.

    Raises:
        DownloadError: the archive cannot be had, or is not the one expected.
        FormatError: it is damaged.
    """
    directory = cache_directory(name)
    done = directory / f"{url.rpartition('/')[2]}.unpacked"
    if not done.exists():
        archive = fetch(url, md5, directory)
        try:
            with zipfile.ZipFile(archive) as file:
                file.extractall(directory)
        except (zipfile.BadZipFile, EOFError) as error:
            raise FormatError(archive, "a ZIP archive", f"damaged data ({error})") from error
        done.touch()
    return directory


def _md5(path: Path) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
