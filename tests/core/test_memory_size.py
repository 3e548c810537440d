import math
import os

import pytest

from to_static.cli import arrays
from to_static.compiler.formats import regular_files
from to_static.core.memory_size import physical_memory


def test_it_is_the_number_of_pages_times_their_size(monkeypatch):
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": 3, "SC_PAGE_SIZE": 65536}.__getitem__, raising=False)
    assert physical_memory() == 3 * 65536


@pytest.mark.parametrize("pages", [-1, 0])
def test_a_machine_without_a_number_of_pages_has_any(monkeypatch, pages):
    monkeypatch.setattr(os, "sysconf", {"SC_PHYS_PAGES": pages, "SC_PAGE_SIZE": 65536}.__getitem__, raising=False)
    assert physical_memory() == math.inf
    regular_files.check_size(1 << 40, "net.pdmodel")


@pytest.mark.parametrize("error", [ValueError, OSError])
def test_a_name_that_the_system_lacks_is_no_error(monkeypatch, error):
    def sysconf(name):
        raise error(name)

    monkeypatch.setattr(os, "sysconf", sysconf, raising=False)
    assert physical_memory() == math.inf


def test_windows_has_no_sysconf(monkeypatch):
    monkeypatch.delattr(os, "sysconf", raising=False)
    assert physical_memory() == math.inf


def test_both_readers_of_files_ask_it():
    assert arrays.physical_memory is regular_files.physical_memory is physical_memory
