"""Kinds of numbers and devices, and several predictors of one model."""

import numpy as np
import pytest

import to_static as paddle
from to_static import inference, nn


def test_numbers_of_paddle():
    kinds = [(kind.name, int(kind), inference.get_num_bytes_of_data_type(kind)) for kind in inference.DataType]
    assert kinds == [
        ("FLOAT32", 0, 4), ("INT64", 1, 8), ("INT32", 2, 4), ("UINT8", 3, 1), ("INT8", 4, 1), ("FLOAT16", 5, 2), ("BOOL", 6, 1),
        ("FLOAT64", 7, 8),
    ]  # fmt: skip
    assert {kind.name: int(kind) for kind in inference.PlaceType} == {"UNK": -1, "CPU": 0, "GPU": 1, "XPU": 2, "CUSTOM": 4}
    assert str(inference.DataType.INT64) == "DataType.INT64" and f"{inference.PrecisionType.Half}" == "PrecisionType.Half"
    assert inference.get_version().startswith("version: 2.6") and inference.get_trt_compile_version() == (0, 0, 0)
    assert inference.get_trt_runtime_version() == (0, 0, 0) and inference.XpuConfig()


def test_a_pool(tmp_path):
    path = str(tmp_path / "net")
    paddle.jit.save(nn.Linear(3, 2), path, [paddle.static.InputSpec([None, 3])])
    pool = inference.PredictorPool(inference.Config(path), 2)
    x = np.ones((1, 3), "float32")
    np.testing.assert_array_equal(pool.retrive(0).run([x])[0], pool.retrive(1).run([x])[0])
    assert pool.retrive(0) is not pool.retrive(1)
    with pytest.raises(IndexError, match="predictors 0 to 1, got 2"):
        pool.retrive(2)
    with pytest.raises(ValueError, match="at least one"):
        inference.PredictorPool(inference.Config(path), 0)
