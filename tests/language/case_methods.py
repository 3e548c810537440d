"""Methods of tensors that compute nothing"""

import numpy as np
from language_table import BOTH, NEG, POS, T, case, refused, scenario

import to_static as paddle


@case("`to()` with a dtype, a device, another tensor", *BOTH)
def converted(x):
    y = x.to("float64")
    return y, x.to(dtype="int32"), x.to("cpu"), x.to(y), x.cpu().to("bool")


@case("`set_value()` and `copy_()`, in a branch and in a loop, of an alias", *BOTH)
def value_set(x):
    y = x * 1
    z = y
    y.set_value(x + 1)
    if x.sum() > 0:
        z.set_value(x * 2)
    for v in x:
        y.copy_(y + v, False)
    return y, z


@case("`set_value()` of another shape is an error, of another dtype is converted", POS)
def value_of_another_shape(x):
    y = x * 1
    y.set_value(np.array([3, 4], "int64"))
    y.set_value(paddle.ones([2], "int32"))
    return y.set_value(paddle.zeros([3]))


@refused("`set_value()` of a tensor that has a gradient", T([1.0, 2.0], stop_gradient=False))
def value_with_gradient(x):
    y = x * 1
    y.set_value(x + 1)
    return y


@scenario("`detach_()` and `trainable`, with gradients")
def detached_in_place(to_static):
    @to_static
    def halves(x):
        y, z = x * 2, x * 3
        if x.sum() > 0:
            y.detach_()
        z.trainable = False
        return y * x + z, z.trainable

    found = []
    for value in (POS, NEG):
        x = value.clone()
        x.stop_gradient = False
        out, kind = halves(x)
        out.sum().backward()
        found.append((out, kind, x.grad))
    return found


@case("`value()`, `get_tensor()`, `pin_memory()` and what a tensor tells of itself", *BOTH)
def told(x):
    same = [x.value() is x, x.get_tensor() is x, x.pin_memory() is x]
    return same, x.element_size(), x.astype("int64").element_size(), x.trainable, x.is_parameter, x.is_leaf, x.dim(), x.numel()


@case("`var()` and `std()` of a tensor", *BOTH)
def variance(x):
    wide = paddle.stack([x, x * 2])
    return x.var(), wide.var(0), wide.var(axis=1, unbiased=False, keepdim=True), x.std()


@case("`clear_gradient()` inside", POS)
def cleared_inside(x):
    y = x * 1
    y.clear_gradient()
    return y


@refused("`strides` inside", POS)
def strides_inside(x):
    return x.strides
