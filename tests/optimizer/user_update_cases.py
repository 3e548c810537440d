"""Optimizer classes of a user that update parameters themselves, written for Paddle: both sides run them."""

import numpy as np


def cases(paddle):
    """By name a function from a network to an optimizer."""
    optimizer = paddle.optimizer

    class Scaled(optimizer.AdamW):  # as the `AdamWDL` of paddleseg
        def _append_optimize_op(self, block, param_and_grad):
            param = param_and_grad[0]
            before = param.optimize_attr["learning_rate"]
            param.optimize_attr["learning_rate"] *= 0.1 if len(param.shape) == 1 else 0.5
            result = super()._append_optimize_op(block, param_and_grad)
            param.optimize_attr["learning_rate"] = before
            return result

    class ShrinkingMomentum(optimizer.Momentum):
        def _append_optimize_op(self, block, param_and_grad):
            super()._append_optimize_op(block, param_and_grad)
            param_and_grad[0].set_value(param_and_grad[0] * 0.9)  # of the new parameter

    class Velocity(optimizer.Optimizer):
        def __init__(self, *args, **settings):
            super().__init__(*args, **settings)
            self.type = "velocity"

        def _create_accumulators(self, block, parameters):
            assert isinstance(block, paddle.framework.Block)
            for param in parameters["params"] if isinstance(parameters, dict) else parameters:
                self._add_accumulator("velocity", param)

        def _append_optimize_op(self, block, param_and_grad):
            param, grad = param_and_grad
            velocity = self._get_accumulator("velocity", param)
            velocity.set_value(velocity * 0.5 + grad)
            param.set_value(param - self._create_param_lr(param_and_grad) * velocity)

        def _finish_update(self, block, parameters_and_grads):
            self._set_auxiliary_var("steps", (self._get_auxiliary_var("steps") or 0) + 1)
            if self._get_auxiliary_var("steps") == 3:
                param = parameters_and_grads[0][0]
                param.set_value(param + 1)

    clip = paddle.nn.ClipGradByGlobalNorm(0.5)
    schedule = lambda: optimizer.lr.ExponentialDecay(0.05, 0.9)
    return {
        "layer-wise rates": lambda net: Scaled(0.05, parameters=net.parameters()),
        "layer-wise rates with a schedule": lambda net: Scaled(schedule(), parameters=net.parameters()),
        "layer-wise rates with some decayed": lambda net: Scaled(
            0.05, parameters=net.parameters(), weight_decay=0.3, apply_decay_param_fun=lambda name: ".w" in name
        ),
        "after the base's update": lambda net: ShrinkingMomentum(0.05, 0.9, net.parameters(), weight_decay=0.1, grad_clip=clip),
        "an optimizer of one's own": lambda net: Velocity(0.05, net.parameters()),
        "with decay and clipping": lambda net: Velocity(0.05, net.parameters(), weight_decay=0.2, grad_clip=clip),
    }


def trained(paddle, make, steps=4):
    """The parameters after some steps, and the names of the state."""
    net = paddle.nn.Sequential(paddle.nn.Linear(3, 4), paddle.nn.Linear(4, 2))
    for index, param in enumerate(net.parameters()):
        param.set_value(np.random.RandomState(index).standard_normal(param.shape).astype("float32"))
    optimizer = make(net)
    for step in range(steps):
        rows = paddle.to_tensor(np.random.RandomState(50 + step).standard_normal([5, 3]).astype("float32"))
        (net(rows) ** 2).mean().backward()
        optimizer.step()
        optimizer.clear_grad()
        if not isinstance(optimizer._learning_rate, float):
            optimizer._learning_rate.step()
    kinds = {name.split(".")[1].split("_", 2)[2] for name in optimizer.state_dict() if "." in name}
    return [param.numpy().ravel().tolist() for param in net.parameters()], sorted(kinds)
