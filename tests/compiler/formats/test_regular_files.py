import os

import pytest

from to_static.compiler.formats.regular_files import check_size
from to_static.core.errors import FormatError


def test_a_file_larger_than_memory_is_refused(monkeypatch):
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 2, "SC_PAGE_SIZE": 4096}.get, raising=False)
    check_size(8192, "net.pdmodel")
    with pytest.raises(FormatError, match="fits into memory"):
        check_size(8193, "net.pdmodel")
