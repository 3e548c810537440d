"""tensorlayerx with its Paddle backend: layers, a network that is trained, losses, metrics and initializers."""

import former_fluid
import numpy as np
import paddle
from suite import case, fill, gradients, leaves, loss_of, older_python, record, stand_ins, tensors

older_python()
former_fluid.install()
stand_ins("pymongo gridfs h5py")
import tensorlayerx as tlx
from tensorlayerx import nn

R = np.random.RandomState(0)
IMAGE = R.standard_normal([2, 8, 8, 3]).astype("float32")
ROWS = R.standard_normal([4, 6]).astype("float32")
SEQUENCE = R.standard_normal([2, 5, 6]).astype("float32")
WORDS = R.randint(0, 10, [2, 5])


def layer(name, make, *args):
    """A case of one layer: what it gives, and gradients."""

    def run():
        net = make()

        def results():
            fill(net)
            net.set_eval()
            return [leaf.detach() for leaf in leaves(net(*tensors(list(args))))]

        def trained():
            net.set_train()
            loss_of(net(*tensors(list(args)))).backward()
            return gradients(net)

        if record("results", results) and net.parameters():
            record("gradients", trained)

    case(run, name)


layer("linear", lambda: nn.Linear(out_features=4, in_features=6, act=tlx.nn.ReLU), ROWS)
layer("conv1d", lambda: nn.Conv1d(out_channels=4, kernel_size=3, stride=2, in_channels=6), SEQUENCE)
layer("conv2d", lambda: nn.Conv2d(out_channels=4, kernel_size=(3, 3), stride=(1, 1), in_channels=3, padding="SAME"), IMAGE)
layer("conv2d_valid", lambda: nn.Conv2d(out_channels=4, kernel_size=(3, 3), stride=(2, 2), in_channels=3, padding="VALID"), IMAGE)
layer("transposed", lambda: nn.ConvTranspose2d(out_channels=4, kernel_size=(3, 3), stride=(2, 2), in_channels=3, padding="SAME"), IMAGE)
layer("depthwise", lambda: nn.DepthwiseConv2d(kernel_size=(3, 3), stride=(1, 1), in_channels=3, depth_multiplier=2), IMAGE)
layer("separable", lambda: nn.SeparableConv2d(in_channels=3, out_channels=4, kernel_size=(3, 3), stride=(1, 1)), IMAGE)
layer("batch_norm", lambda: nn.BatchNorm2d(num_features=3), IMAGE)
layer("layer_norm", lambda: nn.LayerNorm(6), ROWS)
layer("max_pool", lambda: nn.MaxPool2d(kernel_size=(2, 2), stride=(2, 2), padding="SAME"), IMAGE)
layer("avg_pool", lambda: nn.AvgPool2d(kernel_size=(3, 3), stride=(2, 2), padding="SAME"), IMAGE)
layer("global_pool", lambda: nn.GlobalAvgPool2d(), IMAGE)
layer("adaptive_pool", lambda: nn.AdaptiveAvgPool2d(output_size=[3, 2]), IMAGE)
layer("embedding", lambda: nn.Embedding(num_embeddings=10, embedding_dim=4), WORDS)
layer("pad", lambda: nn.ZeroPad2d(padding=((1, 1), (2, 0))), IMAGE)
layer("upsample", lambda: nn.UpSampling2d(scale=(2, 2), method="bilinear"), IMAGE)
layer("prelu", lambda: nn.PRelu(num_parameters=3, data_format="channels_last"), IMAGE)
layer("flatten", lambda: nn.Flatten(), IMAGE)
layer("attention", lambda: nn.MultiheadAttention(embed_dim=6, num_heads=2, batch_first=True), SEQUENCE, SEQUENCE, SEQUENCE)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(out_channels=4, kernel_size=(3, 3), stride=(2, 2), in_channels=3, act=tlx.nn.ReLU)
        self.flat = nn.Flatten()
        self.out = nn.Linear(out_features=3, in_features=64)

    def forward(self, x):
        return self.out(self.flat(self.conv(x)))


@case
def training():
    net = Classifier()
    fill(net)
    optimizer = tlx.optimizers.Adam(lr=0.01)
    step = tlx.model.TrainOneStep(
        tlx.model.WithLoss(net, tlx.losses.softmax_cross_entropy_with_logits), optimizer, net.trainable_weights
    )
    labels = paddle.to_tensor([0, 2])
    record("losses", lambda: [float(step(paddle.to_tensor(IMAGE), labels)) for _ in range(4)])


@case
def losses():
    x, y = paddle.to_tensor(ROWS), paddle.to_tensor(np.flip(ROWS, 0).copy())
    record("mean squared", lambda: [tlx.losses.mean_squared_error(x, y)])
    record("absolute", lambda: [tlx.losses.absolute_difference_error(x, y)])
    record("sigmoid", lambda: [tlx.losses.sigmoid_cross_entropy(x, paddle.cast(y > 0, "float32"))])
    record("cosine", lambda: [tlx.losses.cosine_similarity(x, y)])


@case
def operations():
    x = paddle.to_tensor(ROWS)
    for name in ("relu", "sigmoid", "tanh", "exp", "abs", "square", "softplus", "floor", "sign", "reduce_sum", "reduce_mean", "reduce_max"):
        record(name, lambda name=name: [getattr(tlx.ops, name)(x)])
    record("matmul", lambda: [tlx.ops.matmul(x, tlx.ops.transpose(x))])
    record("concat", lambda: [tlx.ops.concat([x, x], 1)])
    record("one hot", lambda: [tlx.ops.OneHot(depth=4)(paddle.to_tensor([0, 3]))])
    record("topk", lambda: list(tlx.ops.topk(x, 2)))
    record("gather", lambda: [tlx.ops.gather(x, paddle.to_tensor([2, 0]))])


layer("conv3d", lambda: nn.Conv3d(out_channels=2, kernel_size=(2, 2, 2), stride=(1, 1, 1), in_channels=3, padding="SAME"), IMAGE[:, :, :, None, :])
layer("group_conv", lambda: nn.GroupConv2d(out_channels=6, kernel_size=(3, 3), stride=(1, 1), n_group=3, in_channels=3), IMAGE)
layer("dilated", lambda: nn.Conv2d(out_channels=4, kernel_size=(3, 3), dilation=(2, 2), in_channels=3, padding="SAME"), IMAGE)
layer("lstm_cell", lambda: nn.LSTMCell(input_size=6, hidden_size=4), ROWS)
layer("gru_cell", lambda: nn.GRUCell(input_size=6, hidden_size=4), ROWS)
layer("encoder", lambda: nn.TransformerEncoderLayer(6, 2, 8, dropout=0.0), SEQUENCE)
layer("max_pool1d", lambda: nn.MaxPool1d(kernel_size=2, stride=2), SEQUENCE)


@case
def optimizers():
    for name, options in {"SGD": {}, "Momentum": {"momentum": 0.9}, "Adagrad": {}, "Adamax": {}, "RMSprop": {}}.items():

        def run(name=name, options=options):
            net = Classifier()
            fill(net)
            optimizer = getattr(tlx.optimizers, name)(lr=0.01, **options)
            loss = tlx.model.WithLoss(net, tlx.losses.softmax_cross_entropy_with_logits)
            step = tlx.model.TrainOneStep(loss, optimizer, net.trainable_weights)
            return [float(step(paddle.to_tensor(IMAGE), paddle.to_tensor([0, 2]))) for _ in range(3)]

        record(name, run)
