"""Names for machines that are not here: there, and refused with the reason, as PaddlePaddle refuses them on a CPU."""

import importlib

import pytest

import to_static as paddle
from to_static.core.errors import DeviceError, DTypeError

REFUSED = {
    "incubate.nn": ["FusedEcMoe", "FusedMultiTransformer"],
    "incubate.nn.functional": ["block_multihead_attention", "fused_ec_moe", "fused_multi_transformer"],
    "nn.functional": ["sparse_attention"],
    "device": ["IPUPlace", "XPUPlace"],
    "framework": ["CustomPlace", "IPUPlace", "XPUPlace"],
    "static": ["IpuCompiledProgram", "IpuStrategy", "xpu_places"],
}
ARGUMENTS = {"CustomPlace": ("npu", 0), "XPUPlace": (0,)}


@pytest.mark.parametrize(("room", "name"), [(room, name) for room, names in REFUSED.items() for name in names])
def test_refused(room, name):
    with pytest.raises(DeviceError, match=rf"(?s){name}.*(GPU|IPU|XPU|CPU)"):
        getattr(importlib.import_module(f"to_static.{room}"), name)(*ARGUMENTS.get(name, ()))


def test_parts_of_programs_for_ipus():
    with pytest.raises(ValueError, match="no IPUs"), paddle.static.ipu_shard_guard(0, 0):
        pass
    with pytest.raises(ValueError, match="no IPUs"):
        paddle.static.set_ipu_shard(abs, 0)(-1)


def test_sampling_of_the_most_likely():
    with pytest.raises(DeviceError, match="multinomial"):
        paddle.ones([2]).top_p_sampling(0.5)


def test_a_dtype_that_no_tensor_has():
    kind = paddle.bfloat16
    assert repr(kind) == "paddle.bfloat16" and kind == "bfloat16" and kind != paddle.float16 and kind.itemsize == 2
    assert paddle.ones([2]).dtype not in (paddle.float16, kind) and {kind: 1}[kind] == 1
    with pytest.raises(DTypeError, match="NumPy has no bfloat16"):
        paddle.ones([2]).astype(kind)
    net = paddle.nn.Linear(2, 2)
    with pytest.warns(UserWarning, match="bfloat16"):
        assert net.bfloat16() is net
