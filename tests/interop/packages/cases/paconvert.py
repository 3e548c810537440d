"""paconvert: code for PyTorch as code for Paddle, which runs."""

import os
import tempfile

import numpy as np
import paddle
from suite import case, image, older_python, record, stand_ins

older_python()
stand_ins("torch_")
from paconvert.converter import Converter

SNIPPETS = {
    "arithmetic": "x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])\nresult = [torch.add(x, x, alpha=2), x @ x.t(), torch.mul(x, 3)]",
    "shapes": "x = torch.arange(24).reshape(2, 3, 4)\n"
    "result = [x.permute(2, 0, 1), x.view(6, 4), x.unsqueeze(0), torch.cat([x, x], dim=1), x.flatten(1)]",
    "reductions": "x = torch.tensor([[1.0, 5.0], [3.0, 2.0]])\n"
    "result = [x.sum(dim=1), x.mean(), torch.max(x, dim=0)[0], x.argmax(dim=1), x.std(dim=0, keepdim=True)]",
    "indexing": "x = torch.arange(12.0).reshape(3, 4)\n"
    "i = torch.tensor([2, 0])\n"
    "result = [torch.index_select(x, 0, i), x[i], torch.gather(x, 1, torch.tensor([[0], [1], [3]])), x.masked_fill(x > 5, 0.0)]",
    "functional": "x = torch.tensor([[0.5, -1.0, 2.0]])\n"
    "result = [F.relu(x), F.softmax(x, dim=1), F.gelu(x), F.log_softmax(x, dim=-1), F.leaky_relu(x, 0.2)]",
    "losses": "x, y = torch.tensor([[0.5, -1.0, 2.0], [0.1, 0.2, 0.3]]), torch.tensor([2, 0])\n"
    "result = [F.cross_entropy(x, y), F.mse_loss(x, x * 2), F.nll_loss(F.log_softmax(x, 1), y), F.smooth_l1_loss(x, x + 1)]",
    "comparisons": "x = torch.tensor([1.0, -2.0, 0.0])\n"
    "result = [torch.where(x > 0, x, torch.zeros_like(x)), x.clamp(min=-1, max=0.5), torch.isnan(x), torch.topk(x, 2)[0], x.sort()[0]]",
    "linear_algebra": "x = torch.tensor([[4.0, 1.0], [1.0, 3.0]])\n"
    "result = [torch.linalg.inv(x), torch.linalg.norm(x), torch.einsum('ij,jk->ik', x, x), torch.bmm(x[None], x[None])]",
    "gradients": "x = torch.tensor([2.0, 3.0], requires_grad=True)\n"
    "y = (x ** 3).sum()\n"
    "y.backward()\n"
    "with torch.no_grad():\n"
    "    z = x * 2\n"
    "result = [x.grad, z, x.detach()]",
    "random_shapes": "torch.manual_seed(0)\n"
    "x = torch.randn(2, 3)\n"
    "result = [torch.tensor(list(x.size())), torch.ones(2, 3, dtype=torch.float64), torch.full((2,), 7), torch.eye(3), torch.linspace(0, 1, 5)]",
}
SNIPPETS |= {
    "more_creation": "result = [torch.zeros(2, 3), torch.arange(1, 7, 2), torch.full([2], 3.5), torch.eye(2), torch.ones_like(torch.zeros(2))]",
    "more_shapes": "x = torch.arange(6.0).reshape(2, 3)\n"
    "result = [torch.stack([x, x], 0), torch.chunk(x, 3, 1)[1], torch.split(x, 2, dim=1)[0], x.expand(4, 2, 3), x.repeat(2, 1), torch.squeeze(x[None], 0)]",
    "more_math": "x = torch.tensor([0.2, 0.7, 1.5])\n"
    "result = [torch.exp(x), torch.log1p(x), torch.sqrt(x), torch.sin(x), torch.floor(x), torch.round(x), torch.pow(x, 3), torch.rsqrt(x)]",
    "more_logic": "x, y = torch.tensor([True, False]), torch.tensor([True, True])\n"
    "result = [torch.logical_and(x, y), torch.logical_not(x), torch.any(x), torch.all(y), torch.eq(x, y)]",
    "more_sorting": "x = torch.tensor([[3.0, 1.0, 2.0]])\nresult = [torch.argsort(x, dim=1), torch.cumsum(x, 1), torch.flip(x, [1]), torch.roll(x, 1, 1), torch.unique(x)]",
    "more_activations": "x = torch.tensor([-1.0, 0.5, 2.0])\nresult = [F.elu(x), F.silu(x), F.hardtanh(x), F.softplus(x), torch.sigmoid(x), torch.tanh(x)]",
    "more_layers": "layer = nn.LayerNorm(3)\nx = torch.tensor([[0.5, -1.0, 2.0]])\nresult = [layer(x), nn.Dropout(0.0)(x), nn.Identity()(x), nn.Flatten()(x[None])]",
    "more_types": "x = torch.tensor([1, 2, 3])\nresult = [x.float(), x.to(torch.int32), x.double(), torch.tensor(x.dim()), torch.numel(x) + x]",
}
NETWORK = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Linear(4 * 4 * 4, 3, bias=False)

    def forward(self, x):
        x = self.body(x)
        return self.head(torch.flatten(x, start_dim=1))

    def parts(self):
        return [name for name, _ in self.named_parameters()]
"""


def converted(code):
    """The text that code becomes."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "code.py"), os.path.join(folder, "out", "code.py")
        os.mkdir(os.path.dirname(target))
        with open(source, "w") as file:
            file.write(f"import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n{code}\n")
        Converter(log_dir="disable").run(source, target)
        with open(target) as file:
            return file.read()


def values(text):
    names = {"__name__": "converted"}
    exec(compile(text, "converted.py", "exec"), names)
    return names


def snippet(name, code):
    def run():
        texts = []
        if record("text", lambda: texts.append(converted(code)) or texts):
            record("results", lambda: values(texts[0])["result"])

    case(run, name)


for name, code in SNIPPETS.items():
    snippet(name, code)


@case
def network():
    texts = [converted(NETWORK)]
    record("text", lambda: texts)

    def results():
        net = values(texts[0])["Net"]()
        for index, parameter in enumerate(net.parameters()):
            parameter.set_value(np.random.RandomState(index).standard_normal(parameter.shape).astype("float32"))
        net.eval()
        return [net(paddle.to_tensor(image(2, 3, 8, 8))), *net.parts()]

    record("results", results)


@case
def training():
    texts = [converted(NETWORK)]

    def losses():
        net, found = values(texts[0])["Net"](), []
        for index, parameter in enumerate(net.parameters()):
            parameter.set_value(np.random.RandomState(index).standard_normal(parameter.shape).astype("float32") * 0.1)
        sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
        for _ in range(4):
            loss = paddle.nn.functional.cross_entropy(net(paddle.to_tensor(image(4, 3, 8, 8))), paddle.to_tensor([0, 1, 2, 0]))
            loss.backward()
            sgd.step()
            sgd.clear_grad()
            found.append(float(loss))
        return found

    record("losses", losses)
