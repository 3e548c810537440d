"""paddlefsl: backbones and the pieces of few-shot learning."""

import numpy as np
import paddle
from suite import case, fill, image, net, older_python, record, stage, stand_ins, tensors

older_python()
stand_ins("rdkit pahelix")
from paddlefsl import backbones, utils

X = image(2, 1, 28, 28)
net("Conv", lambda: backbones.Conv((1, 28, 28), 5), [X])
net("MLP", lambda: backbones.MLP((1, 28, 28), 5, hidden_sizes=[16, 8]), [X])
net(
    "RelationNet",
    lambda: backbones.RelationNet(input_size=(16, 5, 5), hidden_size=8, output_size=1),
    [image(2, 16, 5, 5)],
)


@case
def steps():
    def run():
        net = backbones.MLP((1, 28, 28), 5, hidden_sizes=[8])
        fill(net)
        other = utils.clone_model(net)
        loss = paddle.nn.functional.cross_entropy(other(tensors(X)), tensors(np.array([1, 3])))
        utils.manual_gradient_descent(other, 0.1, loss)
        return [p.numpy() for p in other.parameters()] + [utils.count_model_params(net)]

    stage("descent", run)


@case
def prototypes():
    from paddlefsl.model_zoo import protonet

    def run():
        net = backbones.Conv((1, 28, 28), 5)
        fill(net)
        net.eval()
        support, query = net(tensors(image(10, 1, 28, 28))), net(tensors(image(4, 1, 28, 28, seed=1)))
        labels = np.repeat(np.arange(5), 2)
        means = protonet.get_prototypes(support, tensors(labels), 5, 2)
        return [means, ((query.unsqueeze(1) - means.unsqueeze(0)) ** 2).sum(-1)]

    record("distances", run)
