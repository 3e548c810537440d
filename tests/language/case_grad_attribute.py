"""Gradients of tensors from outside, and switches of training: what a static function reads of them, and what it may not change"""

import warnings

from language_table import BOTH, POS, T, case, refused, scenario

import to_static as paddle
from to_static import nn


@scenario("`.grad` of tensors and parameters from outside, read in every call anew")
def grad_from_outside(to_static):
    w, net = T([1.0, 2.0], stop_gradient=False), nn.Linear(2, 1)
    net.weight.set_value(paddle.ones([2, 1]))

    def gradient():
        return w.grad

    def norm():
        return sum((p.grad**2).sum() for p in net.parameters() if p.grad is not None)

    def branch(x):
        if x.sum() > 0 and w.grad is not None:
            x = x * w.grad
        return x

    seen, calls = [], [to_static(gradient), to_static(norm), lambda: to_static(branch)(POS)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for factor in (1, 2):
            seen += [call() for call in calls]
            (w * factor).sum().backward()
            net(POS[:2] * factor).sum().backward()
        seen += [call() for call in calls]
        w.clear_gradient(set_to_zero=False)
        net.clear_gradients()
        return [*seen, *(call() for call in calls), calls[0]() is w.grad]


WEIGHT, LINEAR = T([1.0, 2.0], stop_gradient=False), nn.Linear(2, 2)
STEPS = paddle.optimizer.SGD(0.5, parameters=LINEAR.parameters())


@case("`clear_grad()` of a tensor from outside", *BOTH)
def clear_of_tensor(x):
    WEIGHT.clear_grad()
    return x * WEIGHT


@case("`clear_gradients()` of a Layer, though a `try` is around it", *BOTH)
def clear_of_layer(x):
    try:
        LINEAR.clear_gradients()
    except Exception:
        x = x + 1
    return x


@refused("`clear_grad()` of an optimizer in a branch", *BOTH)
def clear_of_optimizer(x):
    if x.sum() < 0:
        STEPS.clear_grad()
    return x


@case("`.grad` of a tensor from outside set", *BOTH)
def grad_set(x):
    WEIGHT.grad = x[:2] * 2
    return x


@scenario("the default dtype set between calls")
def default_dtype(to_static):
    def f(x):
        return paddle.zeros([2]) + x.mean(), paddle.get_default_dtype()

    call = to_static(f)
    seen = [call(POS), call(POS)]
    try:
        for name in ("float64", "float32", "float64"):
            paddle.set_default_dtype(name)
            seen += [call(POS), call(POS)]
    finally:
        paddle.set_default_dtype("float32")
    return [*seen, call(POS)]


@refused("`set_default_dtype()` inside", *BOTH)
def default_dtype_inside(x):
    if x.sum() < 0:
        paddle.set_default_dtype("float64")
    return x


@refused("`eval()` of a Layer in a branch", *BOTH)
def eval_in_branch(x):
    if x.sum() < 0:
        LINEAR.eval()
    return LINEAR(x[:2])


@refused("`train()` of a Layer in a loop", *BOTH)
def train_in_loop(x):
    while x.sum() < 0:
        LINEAR.train()
        x = x + 1
    return LINEAR(x[:2])


@scenario("`stop_gradient` and `trainable` of parameters, set between calls")
def stops_from_outside(to_static):
    net = nn.Linear(2, 1)

    def free():
        return [name for name, p in net.named_parameters() if not p.stop_gradient]

    def scaled(x):
        y = net(x).sum() * 0
        return y + 2 if net.weight.trainable else y + 3

    def asked():
        return getattr(net.bias, "stop_gradient")  # noqa: B009

    calls = [to_static(free), lambda: to_static(scaled)(POS).item(), to_static(asked)]
    seen = []
    for weight, bias in ((False, False), (True, False), (True, True), (False, True), (False, False)):
        net.weight.stop_gradient, net.bias.trainable = weight, not bias
        seen += [call() for call in calls * 2]
    return seen


@case("`stop_gradient` of parameters set inside", *BOTH)
def freeze_inside(x):
    for p in LINEAR.parameters():
        p.stop_gradient = True
    return LINEAR(x[:2])


@case("`stop_gradient` of a tensor from outside set at the top of a function", *BOTH)
def stop_inside(x):
    WEIGHT.stop_gradient = True
    return x * WEIGHT


@case("`trainable` set by `setattr` in a branch", *BOTH)
def trainable_in_branch(x):
    if x.sum() < 0:
        setattr(LINEAR.weight, "trainable", False)  # noqa: B010
    return LINEAR(x[:2])


@scenario("`is_grad_enabled()` and `stop_gradient` of a result, in and outside of `no_grad` around the call")
def grad_mode(to_static):
    w = T([1.0, 2.0], stop_gradient=False)

    def enabled(x):
        with paddle.no_grad():
            inner = paddle.is_grad_enabled()
        return (x * 2 if paddle.is_grad_enabled() else x * 3), inner

    def stopped(x):
        y = x * w
        return y if y.stop_gradient else y * 100

    seen = []
    for first in (paddle.no_grad, paddle.enable_grad):
        calls = [to_static(enabled), to_static(stopped)]
        for around in (first, paddle.enable_grad, paddle.no_grad, paddle.enable_grad):
            with around():
                seen += [call(POS) for call in calls * 2]
        for frozen in (True, False):
            w.stop_gradient = frozen
            seen += [call(POS) for call in calls]
    return seen
