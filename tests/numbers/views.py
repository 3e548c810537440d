"""Functions that change a tensor in place which shares its memory with others (see `test_shared_memory`)."""


def the_tensor_after_its_reshape_is_scaled(paddle, a):
    b = a.reshape([6])
    b.scale_(3.0)
    return a.sum()


def the_scaled_reshape_itself(paddle, a):
    b = a.reshape([6])
    b.scale_(3.0)
    return b.sum()


def both_after_that(paddle, a):
    b = a.reshape([6])
    b.scale_(3.0)
    return (a.flatten() + b).sum()


def an_item_of_a_reshape(paddle, a):
    b = a.reshape([6])
    b[0] = 10.0
    return (a * a).sum()


def the_reshape_with_that_item(paddle, a):
    b = a.reshape([6])
    b[0] = 10.0
    return (b * b).sum()


def a_reshape_after_its_tensor_is_scaled(paddle, a):
    b = a.reshape([6])
    a.scale_(3.0)
    return b.sum()


def a_product_of_that(paddle, a):
    b = a.reshape([6])
    a.scale_(3.0)
    return (b * b).sum()


def a_row_is_scaled(paddle, a):
    b = a[0]
    b.scale_(3.0)
    return (a * a).sum()


def an_item_of_the_tensor_seen_in_a_row(paddle, a):
    b = a[0]
    a[0, 0] = 10.0
    return (b * b).sum()


def tanh_of_a_reshape(paddle, a):
    b = a.reshape([6])
    b.tanh_()
    return b.sum()


def an_item_of_a_detached_tensor(paddle, a):
    b = a.detach()
    b[0] = 100.0
    return (a * a).sum()


def a_write_under_no_grad(paddle, a):
    with paddle.no_grad():
        b = a.reshape([6])
        b[0] = 100.0
    return (a * a).sum()


def a_row_of_the_transpose(paddle, a):
    b = a.transpose([1, 0])
    b[0] = 10.0
    return (a * a).sum()


def a_chain_of_two(paddle, a):
    b = a.unsqueeze(0)
    c = b.squeeze(0)
    c.scale_(2.0)
    return (a * a).sum() + (b * b).sum()


def a_write_under_a_condition(paddle, a):
    b = a.reshape([6])
    if a.sum() > 0:
        b[0] = 10.0
    return (a * a).sum()


def writes_in_a_loop(paddle, a):
    b = a.reshape([6])
    for i in range(paddle.to_tensor(3)):
        b[i] = b[i] + 1.0
    return (a * a * a).sum()


def slices_of_slices(paddle, a):
    b = a.flatten()[1:3]
    b[0] = 5.0
    c = a[...]
    c[1] = 7.0
    d = a[:]
    d[0, 2] = 8.0
    return (a * a).sum()


def rows_in_a_list(paddle, a):
    rows = [a[0], a[1]]
    rows[0][1] = 4.0
    for r in rows:
        r.scale_(2.0)
    return (a * a).sum()


CASES = [f for name, f in sorted(globals().items()) if getattr(f, "__module__", None) == __name__]
