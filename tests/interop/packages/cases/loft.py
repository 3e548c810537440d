"""loft: trees of settings, files of them, and Layers that settings make."""

import itertools

import numpy as np
import paddle
from loft import BaseMethod, BaseModel, Lofter
from suite import case, check, fill, image, older_python, stage

older_python()


def text(value):
    return [np.array(str(value))]


class Encoder(BaseModel):
    @staticmethod
    def register(config):
        config.register_value("width", 6, default_as="width")
        config.register_value("layers", [4, 6])

    def __init__(self, config):
        super().__init__()
        sizes = [*config.layers, config.width]
        self.parts = paddle.nn.LayerList([paddle.nn.Linear(a, b) for a, b in itertools.pairwise(sizes)])

    def forward(self, x):
        for part in self.parts:
            x = paddle.nn.functional.relu(part(x))
        return x


def settings():
    root = Lofter()
    root.register_value("name", "net")
    root.register_value("training", {"rate": 0.1, "steps": 5})
    root.register_value("encoder", Encoder)
    return root


@case
def trees():
    stage("dictionary", lambda: text(settings().to_dict()))
    stage("with defaults", lambda: text(settings().to_dict(save_default=True, save_func=False)))
    stage("one level", lambda: text(sorted(settings().to_dict(level=1)["training"].to_dict())))

    def merged():
        root = settings()
        root.merge({"training": {"rate": 0.5, "unknown": 1}, "name": "other"})
        return text([root.training.rate, root.name, root.training.to_dict()])

    stage("merged", merged)


@case
def files():
    def again(split):
        def run():
            root = settings()
            root.save(split=split)
            other = Lofter()
            other.from_dict(root.load())
            return text([other.encoder.layers, other.training.rate])

        return run

    stage("one file", again(False))
    stage("a file each", again(True))

    def named():
        settings().save("all.json")
        return text(sorted(settings().load()))

    stage("json", named)


@case
def networks():
    check(Encoder(settings().encoder), [image(3, 4)])


@case
def methods():
    def run():
        tool = BaseMethod()
        tool.add_attr("part", {"rate": 0.2, "inner": {"x": 1}})
        tool.new_func("double", lambda self, x: x * 2)
        return text([tool.part.rate, tool.part.inner.x, tool.double(tool, 4), sorted(tool.to_dict())])

    stage("attributes", run)
    stage("what is missing", lambda: text(refused(BaseMethod.register)) + text(refused(BaseModel.register, None)))


def refused(function, *args):
    try:
        return function(*args)
    except NotImplementedError as error:
        return error


@case
def training():
    def run():
        root = settings()
        net = Encoder(root.encoder)
        fill(net)
        sgd = paddle.optimizer.SGD(root.training.rate, parameters=net.parameters())
        losses = []
        for _ in range(root.training.steps):
            loss = ((net(paddle.to_tensor(image(3, 4))) - 1) ** 2).mean()
            loss.backward()
            sgd.step()
            sgd.clear_grad()
            losses.append(float(loss))
        return [np.array(losses)]

    stage("losses", run)
    stage(
        "layers of a model",
        lambda: [np.array([type(part).__name__ for part in Encoder(settings().encoder).sublayers()])],
    )
