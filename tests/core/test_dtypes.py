from __future__ import annotations

import pickle

import numpy as np
import pytest

from to_static.core import dtypes
from to_static.core.errors import DTypeError


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_every_spelling_means_the_same_object(dtype):
    for spelling in (dtype, dtype.name, f"paddle.{dtype.name}", dtype.np, dtype.np.type, dtype.np.newbyteorder()):
        assert dtypes.as_dtype(spelling) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert dtype == dtype.name and hash(dtype) == hash(dtypes.as_dtype(dtype.name))
    assert dtypes.BY_CODE[dtype.code] is dtype and dtypes.BY_SHORT[dtype.short] is dtype
    assert int(dtype) == dtype.value == dtype.code


def test_python_types():
    assert [dtypes.as_dtype(k).name for k in (bool, int, float, complex)] == ["bool", "int64", "float64", "complex128"]


@pytest.mark.parametrize("bad", ["float31", object(), np.dtype("U3"), np.dtype("u4"), [1]])
def test_unknown_dtypes_are_refused(bad):
    with pytest.raises(DTypeError, match="supported"):
        dtypes.as_dtype(bad)


def test_default_dtype():
    assert dtypes.get_default_dtype() == "float32"
    dtypes.set_default_dtype("float64")
    try:
        assert dtypes.scalar_dtype(1.5) is dtypes.float64 and dtypes.scalar_dtype(1j) is dtypes.complex128
    finally:
        dtypes.set_default_dtype("float32")
    with pytest.raises(DTypeError, match="float16, float32 or float64"):
        dtypes.set_default_dtype("int64")


def test_promotion_is_commutative_and_holds_both():
    for a in dtypes.ALL:
        for b in dtypes.ALL:
            c = dtypes.promote(a, b)
            assert c is dtypes.promote(b, a)
            if c.kind in "biu":
                assert np.can_cast(a.np, c.np) and np.can_cast(b.np, c.np)


def test_a_misspelled_name_is_told():
    with pytest.raises(TypeError, match="unknown or unsupported dtype 'flaot32'.*; did you mean 'float32'[?]"):
        dtypes.as_dtype("flaot32")


def test_pytorch_s_keepdim_by_its_place():
    with pytest.raises(TypeError, match="dtype True.*; keepdim is given by its name, `keepdim=True`"):
        dtypes.as_dtype(True)
