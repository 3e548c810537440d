"""Scopes: values of Programs by name."""

import numpy as np

import to_static as paddle


def test_names_are_known_once_the_startup_program_ran():
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            hidden = paddle.static.nn.fc(paddle.static.data("x", [None, 3]), 2)
            name = main.all_parameters()[0].name
            scope = paddle.static.Scope()
            assert scope.find_var(name) is None
            executor = paddle.static.Executor()
            executor.run(startup, scope=scope)
            scope.find_var(name).get_tensor().set(np.ones((3, 2), "float32"), paddle.CPUPlace())
            (out,) = executor.run(main, feed={"x": np.ones((1, 3), "float32")}, fetch_list=[hidden], scope=scope)
            assert out.tolist() == [[3, 3]]
    finally:
        paddle.disable_static()
