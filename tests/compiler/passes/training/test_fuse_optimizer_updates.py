"""Steps on small parameters are taken together, with the numbers of steps taken one by one."""

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.passes.rewriting import becomes, stays
from to_static import nn
from to_static.compiler.passes.training import fuse_optimizer_updates

HEAD = """
program(%g: f32[2, 3], %h: f32[3]) {
  param %w: f32[2, 3]
  param %b: f32[3]
  buffer %v: f32[2, 3]
  buffer %u: f32[3]
  buffer %lr: f32[]
"""
ATTRS = (
    '{mu=0.9, use_nesterov=False, regularization_method="", regularization_coeff=0.0, rescale_grad=1.0}'
)
STEPS = f"""  %0: f32[2, 3], %1: f32[2, 3] = momentum(%w, %g, %v, %lr) {ATTRS}
  %2: f32[3], %3: f32[3] = momentum(%b, %h, %u, %lr) {ATTRS}
"""
TAIL = """  state %w = %0
  state %b = %2
  state %v = %1
  state %u = %3
  return
}
"""


def test_two_steps_are_one():
    becomes(
        fuse_optimizer_updates.fuse_optimizer_updates,
        HEAD + STEPS + TAIL,
        HEAD + """  %0: f32[2, 3], %1: f32[3], %2: f32[2, 3], %3: f32[3] = """
        """packed_update([%w, %b], [%g, %h], [%v, %u], %lr) {rule="momentum", settings=(("mu", 0.9), ("use_nesterov", False), """
        """("regularization_method", ""), ("regularization_coeff", 0.0), ("rescale_grad", 1.0))}
  state %w = %0
  state %b = %1
  state %v = %2
  state %u = %3
  return
}
""",
    )


_KEPT = ("m", "v", "p", "q")
LAZY = """
program(%g: f32[2, 3]) {
  param %w: f32[2, 3]
  param %b: f32[2, 3]
KEPT
  buffer %r: f32[]
  %0: f32[2, 3], %1: f32[2, 3], %2: f32[2, 3], %3: f32[1], %4: f32[1] = adam(%w, %g, %m0, %v0, %p0, %q0, %r) ATTRS
  %5: f32[2, 3], %6: f32[2, 3], %7: f32[2, 3], %8: f32[1], %9: f32[1] = adam(%b, %g, %m1, %v1, %p1, %q1, %r) ATTRS
  state %w = %0
  state %b = %5
STATE
  return
}
""".replace("ATTRS", "{beta1=0.9, beta2=0.99, epsilon=1e-08, lazy_mode=True}")
LAZY = LAZY.replace("KEPT", "\n".join(f"  buffer %{k}{i}: f32[{'2, 3' if k in 'mv' else '1'}]" for i in (0, 1) for k in _KEPT))
LAZY = LAZY.replace("STATE", "\n".join(f"  state %{k}{i} = %{n + 5 * i}" for i in (0, 1) for n, k in enumerate(_KEPT, 1)))
LARGE = (HEAD + STEPS + TAIL).replace("f32[3]", f"f32[{fuse_optimizer_updates.SMALL + 1}]")


@pytest.mark.parametrize(
    "text",
    [
        HEAD + STEPS.replace("0.9", "0.8", 1) + TAIL,
        HEAD + STEPS + TAIL.replace("return", "return %1"),
        HEAD + STEPS + "  %4: f32[3] = exp(%2)\n" + TAIL.replace("return", "return %4"),
        HEAD.replace("%lr: f32[]", "%lr: f32[]\n  buffer %s: f32[]") + STEPS.replace("%u, %lr", "%u, %s") + TAIL,
        LARGE,
        LAZY,
    ],
    ids=["other settings", "returned as well", "read again", "another rate", "large", "rows"],
)
def test_what_stays(text):
    stays(fuse_optimizer_updates.fuse_optimizer_updates, text)


def trained(optimizer, joined, between=None, steps=4, **options):
    """Parameters and what the optimizer keeps for them after some steps of one static function."""
    paddle.seed(7)
    net = nn.Sequential(nn.Linear(5, 4), nn.Tanh(), nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1))
    opt = getattr(paddle.optimizer, optimizer)(learning_rate=0.1, parameters=net.parameters(), **options)

    @paddle.jit.to_static
    def step(x):
        loss = (net(x) ** 2).mean()
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    found = []
    for i in range(steps):
        found.append(step(paddle.full([2, 5], 0.3 + i)).numpy())
        if between is not None:
            between(i, net, opt)
    assert any(op.name == "packed_update" for op in step.optimized_program.block.ops) == joined
    kept = {k: v.numpy() for k, v in opt.state_dict().items() if isinstance(v, paddle.Tensor)}
    return found, [p.numpy() for p in net.parameters()], [kept[k] for k in kept]


def same_with_and_without(monkeypatch, *args, **options):
    with monkeypatch.context() as patched:
        patched.setattr(fuse_optimizer_updates, "SMALL", 0)
        one_by_one = trained(*args, joined=False, **options)
    together = trained(*args, joined=True, **options)
    for first, second in zip(one_by_one, together, strict=True):
        assert len(first) == len(second) > 0
        for a, b in zip(first, second, strict=True):
            np.testing.assert_array_equal(a, b)


def decays(name):
    return ".b_" not in name


@pytest.mark.parametrize(
    ("optimizer", "options"),
    [
        ("Momentum", {}), ("Momentum", {"use_nesterov": True, "weight_decay": 0.01}), ("Adam", {}),
        ("Adam", {"weight_decay": 0.01}),
        ("AdamW", {"apply_decay_param_fun": decays}), ("Adam", {"grad_clip": nn.ClipGradByGlobalNorm(0.01)}),
    ],
    ids=["momentum", "nesterov", "adam", "decay", "adamw in two groups", "clipped"],
)  # fmt: skip
def test_every_bit_is_that_of_steps_one_by_one(monkeypatch, optimizer, options):
    same_with_and_without(monkeypatch, optimizer, **options)


def sets_a_weight(i, net, opt):
    if i == 1:
        net[2].weight.set_value(np.full((4, 3), 0.25, "float32"))
    if i == 2:
        with paddle.no_grad():
            net[0].bias.add_(paddle.ones([4]))


def starts_one_again(i, net, opt):
    """One parameter's powers of beta are those of its first step again: its numbers are no longer those of the others."""
    if i == 1:
        state = opt.state_dict()
        key = next(k for k in state if k.endswith("beta1_pow_acc_0"))
        opt.set_state_dict({**state, key: paddle.to_tensor(np.asarray([0.9], "float32"))})


def takes_a_step_outside(i, net, opt):
    net(paddle.ones([2, 5])).sum().backward()
    opt.step()
    opt.clear_grad()


@pytest.mark.parametrize("between", [sets_a_weight, starts_one_again, takes_a_step_outside])
def test_what_others_do_between_steps_counts(monkeypatch, between):
    same_with_and_without(monkeypatch, "Adam", between=between)


def test_arrays_of_weights_are_never_written_to():
    held = []

    def keep(i, net, opt):
        held.extend((p.numpy(), p.numpy().copy(), p._array, p._array.copy()) for p in net.parameters())

    trained("Adam", True, between=keep)
    for numbers, were, array, was in held:
        np.testing.assert_array_equal(numbers, were)
        np.testing.assert_array_equal(array, was)
