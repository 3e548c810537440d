"""Functions that change a tensor in place which shares its memory with others (see `test_shared_memory`)."""


def reshaped_and_scaled(a):
    b = a.reshape([6])
    b.scale_(3.0)
    return b


def reshaped_with_ten(a):
    b = a.reshape([6])
    b[0] = 10.0
    return b


def reshaped_before_a_scale(a):
    b = a.reshape([6])
    a.scale_(3.0)
    return b


def the_tensor_after_its_reshape_is_scaled(paddle, a):
    b = reshaped_and_scaled(a)
    return a.sum() + 0 * b[0]


def the_scaled_reshape_itself(paddle, a):
    return reshaped_and_scaled(a).sum()


def both_after_that(paddle, a):
    b = reshaped_and_scaled(a)
    return (a.flatten() + b).sum()


def an_item_of_a_reshape(paddle, a):
    reshaped_with_ten(a)
    return (a * a).sum()


def the_reshape_with_that_item(paddle, a):
    b = reshaped_with_ten(a)
    return (b * b).sum()


def a_reshape_after_its_tensor_is_scaled(paddle, a):
    return reshaped_before_a_scale(a).sum()


def a_product_of_that(paddle, a):
    b = reshaped_before_a_scale(a)
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


def a_part_of_an_unbind(paddle, a):
    first, second = paddle.unbind(a)
    second[1] = 9.0
    first.scale_(2.0)
    return (a * a).sum() + second.sum()


def columns_of_an_unbind(paddle, a):
    columns = a.unbind(1)
    a[1, 2] = 9.0
    return (columns[2] * columns[2]).sum()


def a_diagonal(paddle, a):
    d = paddle.diagonal(a)
    d[1] = 9.0
    return (a * a).sum()


def an_outer_diagonal_of_three_dimensions(paddle, a):
    d = a.unsqueeze(1).diagonal(1, 0, 2)
    d.scale_(5.0)
    return (a * a).sum() + d.sum()


def the_diagonal_of_what_changes(paddle, a):
    d = a.diagonal()
    a[0] = 4.0
    return (d * d).sum()


def bits_of_numbers(paddle, a):
    bits = a.detach().view("int32")
    bits[0, 1] = 1065353216
    return (a * a).sum()


def halves_of_numbers(paddle, a):
    halves = paddle.view(a.detach(), "int16")
    a[1, 2] = 1.0
    return a.sum() + halves.astype("float32").sum()


def parts_of_complex_numbers(paddle, a):
    b = a.reshape([3, 2])
    c = paddle.as_complex(b)
    paddle.as_real(c)[0, 1] = 7.0
    paddle.real(c)[1] = 8.0
    paddle.imag(c)[2] = 9.0
    return (a * a).sum()


def unstacked_rows_are_copies(paddle, a):
    rows = paddle.unstack(a.detach())
    rows[0][1] = 9.0
    return (a * a).sum() + rows[0].sum()


HELPERS = (reshaped_and_scaled, reshaped_with_ten, reshaped_before_a_scale)
CASES = [f for name, f in sorted(globals().items()) if getattr(f, "__module__", None) == __name__ and f not in HELPERS]
