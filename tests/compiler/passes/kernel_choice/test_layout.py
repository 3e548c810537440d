"""Layouts, packed weights and fused steps: random networks give what the reference interpreter gives."""

import numpy as np
import pytest

from tests.compiler.passes.convolutional import network
from tests.compiler.passes.rewriting import becomes, program_of
from to_static.compiler.autodiff.partition import partition_joint
from to_static.compiler.ir.verifier import verify
from to_static.compiler.passes.fusion import fuse_conv
from to_static.compiler.passes.kernel_choice import layout
from to_static.compiler.passes.pipeline import inference_passes, optimize, training_passes
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY
from to_static.core.flags import set_flags


def close(found, wanted, least=1e-3):
    for a, b in zip(found, wanted, strict=True):
        scale = max(float(np.abs(b).max()), least)
        np.testing.assert_allclose(a / scale, b / scale, rtol=0, atol=2e-5)


@pytest.mark.parametrize("seed", range(60))
def test_random_networks(seed):
    program, x = network(seed)
    wanted = interpret(program, [x], NUMPY)
    made = optimize(program.clone(), inference_passes("numpy"))
    close(interpret(made, [x], NUMPY), wanted)
    plan = compile_plan(made, NUMPY, weights_frozen=True)
    first = plan(x)
    close(first, wanted)
    kept = [a.copy() for a in first]
    close(plan(x * np.float32(0.5)), interpret(program, [x * np.float32(0.5)], NUMPY))
    for a, b in zip(first, kept, strict=True):
        np.testing.assert_array_equal(a, b, err_msg="a later call changed an earlier result")


@pytest.mark.parametrize("seed", range(3))
def test_weights_that_change_are_packed_again(seed):
    program, x = network(seed)
    plan = compile_plan(optimize(program.clone(), inference_passes("numpy")), NUMPY, weights_frozen=True)
    plan(x)
    for param in program.params:
        param.holder._array = param.holder._array * np.float32(0.9)
    close(plan(x), interpret(program, [x], NUMPY))


def one(seed=0):
    """A Program with one convolution that is read by an elementwise operator."""
    for s in range(seed, 200):
        program, _ = network(s)
        names = [op.name for op in program.block.ops]
        if "conv2d" in names and "relu" in names:
            return program
    raise AssertionError("no such network")


def test_what_stands_between_gets_the_layout_too():
    program = one()
    count = sum(op.name == "conv2d" for op in program.block.ops)
    assert layout.choose_layout(program) >= count
    verify(program)
    names = [op.name for op in program.block.ops]
    assert "conv2d" not in names and names.count("packed_conv") == count == names.count("pack_filter")


POOLED = """
program(%x: f32[1, 2, 9, 8]) {
  param %w: f32[4, 2, 3, 3]
  %0: f32[1, 4, 9, 8] = conv2d(%x, %w) {stride=[1, 1], padding=[1, 1], padding_algorithm="EXPLICIT", dilation=[1, 1], groups=1, data_format="NCHW"}
  %1: f32[1, 4, 4, 4] = pool2d(%0) {pooling_type="max", kernel_size=[2, 2], stride=[2, 2], padding=[0, 0], padding_algorithm="EXPLICIT", ceil_mode=False, exclusive=True, adaptive=False, global_pooling=False, data_format="NCHW"}
  return %1
}
"""  # noqa: E501


def test_a_convolution_of_one_image_gives_maxima_of_pools():
    becomes(layout.choose_layout, POOLED.replace("[4,", "[14,").replace("[1, 4,", "[1, 14,"), """
    program(%x: f32[1, 2, 9, 8]) {
      param %w: f32[14, 2, 3, 3]
      %0: f32[18, 14] grad = pack_filter(%w, _) {layout="NHWC", method="columns", groups=1, slices=1}
      %1: f32[1, 9, 8, 2] = transpose(%x) {perm=[0, 2, 3, 1]}
      %2: f32[1, 9, 8, 14] grad = packed_conv(%1, %0, _, _) {kernel=(3, 3), stride=(1, 1), pads=(1, 1, 1, 1), dilation=(1, 1), layout="NHWC", method="columns", act=""}
      %3: f32[1, 4, 4, 14] grad = packed_conv(%1, %0, _, _) {kernel=(3, 3), stride=(1, 1), pads=(1, 1, 1, 1), dilation=(1, 1), layout="NHWC", method="pooled2x2", act=""}
      %4: f32[1, 14, 4, 4] = transpose(%3) {perm=[0, 3, 1, 2]}
      return %4
    }
    """)  # fmt: skip  # noqa: E501


@pytest.mark.parametrize(
    ("stride", "rows", "method", "shape"),
    [(1, 16, "winograd4", (36, 16, 128)), (2, 16, "columns", (144, 128)), (1, 8, "winograd2", (16, 16, 128))],
)
def test_groups_are_joined_until_they_are_worth_a_product(stride, rows, method, shape):
    outs = rows // stride
    program = program_of(f"""
    program(%x: f32[1, 64, {rows}, {rows}]) {{
      param %w: f32[128, 4, 3, 3]
      %0: f32[1, 128, {outs}, {outs}] = conv2d(%x, %w) {{stride=[{stride}, {stride}], padding=[1, 1], padding_algorithm="EXPLICIT", dilation=[1, 1], groups=16, data_format="NCHW"}}
      return %0
    }}
    """)  # fmt: skip  # noqa: E501
    assert layout.choose_layout(program) == 1
    packed, _, convolution, _ = program.block.ops
    assert packed.attrs == {"layout": "NHWC", "method": method, "groups": 16, "slices": 4} and packed.out.spec.shape == shape
    assert (convolution.name, convolution.attrs["method"]) == ("packed_conv", method)


def test_with_few_filters_what_a_pool_sees_is_copied_once():
    becomes(layout.choose_layout, POOLED, """
    program(%x: f32[1, 2, 9, 8]) {
      param %w: f32[4, 2, 3, 3]
      %0: f32[18, 4] grad = pack_filter(%w, _) {layout="NHWC", method="columns", groups=1, slices=1}
      %1: f32[1, 9, 8, 2] = transpose(%x) {perm=[0, 2, 3, 1]}
      %2: f32[1, 9, 8, 4] grad = packed_conv(%1, %0, _, _) {kernel=(3, 3), stride=(1, 1), pads=(1, 1, 1, 1), dilation=(1, 1), layout="NHWC", method="columns", act=""}
      %3: f32[32, 16] grad = pack_filter(%w, _) {layout="NHWC", method="patches2x2", groups=1, slices=1}
      %4: f32[1, 4, 4, 4] grad = packed_conv(%1, %3, _, _) {kernel=(3, 3), stride=(1, 1), pads=(1, 1, 1, 1), dilation=(1, 1), layout="NHWC", method="patches2x2", act=""}
      %5: f32[1, 4, 4, 4] = transpose(%4) {perm=[0, 3, 1, 2]}
      return %5
    }
    """)  # fmt: skip  # noqa: E501


@pytest.mark.parametrize("setting", ["stride=[2, 2]", "dilation=[2, 2]"])
def test_windows_apart_are_copied_one_by_one(setting):
    text = POOLED.replace(setting.replace("2", "1"), setting, 1)
    if "dilation" in setting:
        text = text.replace("padding=[1, 1]", "padding=[2, 2]")
    else:
        text = text.replace("f32[1, 4, 9, 8]", "f32[1, 4, 5, 4]").replace("f32[1, 4, 4, 4]", "f32[1, 4, 2, 2]")
    program = program_of(text)
    layout.choose_layout(program)
    verify(program)
    assert "pooled2x2" in str(program) and "patches" not in str(program)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return %1", "return %1, %0"),
        ("f32[1", "f32[2"),
        ("kernel_size=[2, 2], stride=[2, 2], padding=[0, 0]", "kernel_size=[3, 3], stride=[2, 2], padding=[0, 0]"),
        ("kernel_size=[2, 2], stride=[2, 2], padding=[0, 0]", "kernel_size=[2, 3], stride=[2, 3], padding=[0, 1]"),
        ('"max"', '"avg"'),
    ],
    ids=["read by others", "two images", "overlapping", "padded", "averages"],
)
def test_other_pools_stay_behind_convolutions(old, new):
    text = POOLED.replace(old, new)
    if "3]" in new:
        text = text.replace("%1: f32[1, 4, 4, 4]", "%1: f32[1, 4, 4, 3]")
    program = program_of(text)
    layout.choose_layout(program)
    verify(program)
    assert "packed_pool(" in str(program) and "pooled" not in str(program) and "patches" not in str(program)


def test_bias_and_activation_become_part_of_the_convolution():
    conv = (
        "packed_conv({}) {{kernel=(1, 1), stride=(1, 1), pads=(0, 0, 0, 0), dilation=(1, 1), "
        'layout="NHWC", method="columns", act="{}"}}'
    )
    head = "program(%x: f32[1, 2, 2, 3], %w: f32[3, 4], %b: f32[1, 1, 1, 4], %z: f32[1, 2, 2, 4]) {"
    becomes(fuse_conv.fuse_conv, f"""
    {head}
      %0: f32[1, 2, 2, 4] stop = {conv.format("%x, %w, _, _", "")}
      %1: f32[1, 2, 2, 4] stop = add(%0, %b)
      %2: f32[1, 2, 2, 4] stop = add(%z, %1)
      %3: f32[1, 2, 2, 4] stop = relu(%2)
      return %3
    }}
    """, f"""
    {head}
      %0: f32[4] stop = reshape(%b, []) {{shape=[4]}}
      %1: f32[1, 2, 2, 4] stop = {conv.format("%x, %w, %0, %z", "relu")}
      return %1
    }}
    """)  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_random_networks_in_training(seed):
    program, x = network(seed, images=17)
    split = partition_joint(program, list(program.params))
    count = len(split.forward.outputs) - split.residual_count
    results = interpret(split.forward, [x], NUMPY)
    forward = compile_plan(optimize(split.forward.clone(), training_passes("numpy")), NUMPY)
    found = forward(x)
    close(found, results)
    rng = np.random.default_rng(seed)
    slopes = [rng.normal(size=np.shape(results[i])).astype("float32") for i in split.output_index]
    given = [*results[count:], *slopes]
    made = optimize(split.backward.clone(), training_passes("numpy"))
    gradients = interpret(split.backward, given, NUMPY)
    # those of scales and biases before a batch norm are 0 but for rounding
    least = max((float(np.abs(g).max()) for g in gradients), default=0) / 100
    close(compile_plan(made, NUMPY)(*found[count:], *slopes), gradients, least)
    close(interpret(made, given, NUMPY), gradients, least)


def test_gradients_of_many_small_images_have_the_images_last():
    names = set()
    for seed in range(40):
        program, _ = network(seed, images=17)
        split = partition_joint(program, list(program.params))
        names |= {op.name for op in optimize(split.backward.clone(), training_passes("numpy")).block.ops}
    assert {"packed_conv_filter", "packed_conv_input", "packed_pool_grad"} <= names


def test_batch_norms_between_convolutions_stay_in_the_layout():
    head = "program(%x: f32[16, 3, 8, 8]) {\n" + "".join(f"  param %{n}: f32[{s}]\n" for n, s in {
        "w": "4, 3, 3, 3", "v": "5, 4, 1, 1", "s": "4", "b": "4", "m": "4", "r": "4"}.items())  # fmt: skip
    conv = 'stride=[1, 1], padding=[0, 0], padding_algorithm="EXPLICIT", dilation=[1, 1], groups=1, data_format="NCHW"'
    norm = "momentum=0.9, epsilon=1e-05, is_test=False, use_global_stats=False, trainable_statistics=False, data_format="
    program = program_of(head + f"""  %0: f32[16, 4, 6, 6] = conv2d(%x, %w) {{{conv}}}
  %1: f32[16, 4, 6, 6], %2: f32[4], %3: f32[4], %4: f32[4], %5: f32[4] = batch_norm(%0, %s, %b, %m, %r) {{{norm}"NCHW"}}
  %6: f32[16, 4, 6, 6] = relu(%1)
  %7: f32[16, 5, 6, 6] = conv2d(%6, %v) {{{conv}}}
  return %7, %2, %5
}}
""")  # fmt: skip
    assert layout.choose_training_layout(program) == 2
    ops = program.block.ops
    assert [op.name for op in ops].count("transpose") == 2  # of the feed and of the result
    (made,) = (op for op in ops if op.name == "batch_norm")
    assert made.attrs["data_format"] == "CHWN" and made.outputs[0].shape == (4, 6, 6, 16) and made.outputs[1].shape == (4,)


def test_strict_keeps_every_bit():
    program, x = network(1)
    set_flags({"TO_STATIC_STRICT": True})
    try:
        made = optimize(program.clone(), inference_passes("numpy"))
    finally:
        set_flags({"TO_STATIC_STRICT": False})
    assert not any(op.name.startswith("packed") for op in made.block.ops)
    for a, b in zip(compile_plan(made, NUMPY, weights_frozen=True)(x), interpret(program, [x], NUMPY), strict=True):
        np.testing.assert_array_equal(a, b)


def test_other_devices_keep_their_kernels():
    program, _ = network(1)
    assert not any(op.name.startswith("packed") for op in optimize(program.clone(), inference_passes("cupy")).block.ops)
