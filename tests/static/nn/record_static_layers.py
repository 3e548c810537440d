"""Record what real Paddle 2.6.2 computes for layers of `static.nn`, with the names and shapes of their parameters.

Run with a Python that has paddlepaddle==2.6.2:  python tests/static/nn/record_static_layers.py
"""

import json
import sys
from pathlib import Path

import numpy as np

CASES = """
nn.fc(x(4), 3)
nn.fc(x(2, 3), 3, 1, activation='tanh', name='mine')
nn.fc([x(4), y(5)], 3, bias_attr=False)
nn.fc(nn.fc(x(4), 3, name='mine'), 2, name='mine')
nn.embedding(ids(3), [7, 2])
nn.conv2d(x(2, 5, 5), 4, 3, padding=1, act='relu')
nn.conv2d(x(5, 5, 4), 4, 3, stride=2, groups=2, bias_attr=False, data_format='NHWC')
nn.conv3d(x(2, 4, 4, 4), 3, 2, name='deep')
nn.conv2d_transpose(x(2, 4, 4), 3, filter_size=3, stride=2, padding=1)
nn.conv2d_transpose(x(2, 4, 4), 4, output_size=[9, 8], stride=2, groups=2)
nn.conv3d_transpose(x(2, 3, 3, 3), 3, filter_size=2, act='sigmoid')
nn.batch_norm(x(3, 2, 2), is_test=True)
nn.batch_norm(x(3, 2, 2), act='relu', moving_mean_name='m', moving_variance_name='v', is_test=True)
nn.layer_norm(x(3, 4))
nn.layer_norm(x(3, 4), begin_norm_axis=2, shift=False, act='tanh')
nn.group_norm(x(4, 3, 3), 2)
nn.group_norm(x(4, 3, 3), 2, param_attr=attr('a'), bias_attr=attr('b'), act='relu')
nn.instance_norm(x(2, 3, 3))
nn.instance_norm(x(2, 3, 3), param_attr=attr('a'), bias_attr=attr('b'))
nn.data_norm(x(3))
nn.data_norm(x(3), act='tanh', name='d', enable_scale_and_shift=True, param_attr={'batch_size': 5.0})
nn.prelu(x(3, 4, 4), 'all')
nn.prelu(x(3, 4, 4), 'channel')
nn.prelu(x(4, 4, 3), 'channel', data_format='NHWC')
nn.prelu(x(3, 2), 'element')
nn.bilinear_tensor_product(x(3), y(4), 5, act='relu')
nn.spectral_norm(weight(3, 4), 1, 2)
nn.deform_conv2d(x(2, 4, 4), y(18, 4, 4), None, 3, 3, padding=1)
""".strip().splitlines()


def numbers(shape, seed):
    """The same numbers everywhere."""
    return np.sin(np.arange(np.prod(shape)) * 0.7 + seed).reshape(shape).astype("float32")


def evaluate(paddle, text):
    """The result and the parameters ([name, shape]) of a case in a Program of its own; parameters get numbers of ours."""
    feeds = {}

    def fed(name, seed):
        def make(*shape):
            feeds[name] = numbers((2, *shape), seed)
            return paddle.static.data(name, [None, *shape], "float32")

        return make

    def ids(count):
        feeds["ids"] = np.asarray([[1, 6, 0], [2, 2, 5]], "int64")[:, :count]
        return paddle.static.data("ids", [None, count], "int64")

    names = {
        "nn": paddle.static.nn, "x": fed("x", 0), "y": fed("y", 1), "ids": ids,
        "attr": lambda name: paddle.ParamAttr(name=name),
        "weight": lambda *shape: paddle.static.create_parameter(list(shape), "float32"),
    }  # fmt: skip
    main, start = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, start), paddle.utils.unique_name.guard():
        out = eval(text, names)
        executor = paddle.static.Executor()
        executor.run(start)
        parameters = sorted(main.all_parameters(), key=lambda p: p.name)
        state = {p.name: abs(numbers(p.shape, i)) + 0.1 for i, p in enumerate(parameters)}
        main.set_state_dict(state)
        [result] = executor.run(main, feed=feeds, fetch_list=[out])
    return result, [[p.name, list(p.shape)] for p in parameters]


def main():
    """Write ``paddle_static_layers.json`` beside this file, a case a line."""
    import paddle

    paddle.enable_static()
    lines = []
    for text in CASES:
        try:
            result, parameters = evaluate(paddle, text)
        except Exception as error:
            print(f"left out: {text}: {type(error).__name__} {str(error)[-200:]}", file=sys.stderr)
            continue
        lines.append(json.dumps([text, parameters, list(result.shape), np.asarray(result, "float64").round(7).ravel().tolist()]))
    Path(__file__).with_name("paddle_static_layers.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(len(lines), "cases")


if __name__ == "__main__":
    main()
