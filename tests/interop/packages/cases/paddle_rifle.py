"""paddle-rifle: layers that are initialised again between epochs."""

import numpy as np
import paddle
from paddle_rifle.rifle import RIFLE, RIFLECallback
from suite import case, fill, image, stage


@case
def by_hand():
    def run():
        net = paddle.nn.Linear(4, 3)
        fill(net)
        before = net.weight.numpy()
        rifle = RIFLE([net], re_init_epoch=1, max_re_num=2)
        changed = []
        for epoch in range(4):
            rifle.re_init(epoch) if hasattr(rifle, "re_init") else rifle.rifle(epoch)
            changed.append(bool(np.any(net.weight.numpy() != before)))
            before = net.weight.numpy()
        return [np.array(changed)]

    stage("changed", run)


@case
def callback():
    class Rows(paddle.io.Dataset):
        def __len__(self):
            return 8

        def __getitem__(self, index):
            return image(4, seed=index), np.array([index % 2])

    def run():
        net = paddle.nn.Linear(4, 2)
        model = paddle.Model(net)
        model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), paddle.nn.CrossEntropyLoss())
        model.fit(
            Rows(), batch_size=4, epochs=3, verbose=0, callbacks=[RIFLECallback([net], re_init_epoch=1, max_re_num=1)]
        )
        return [bool(np.isfinite(net.weight.numpy()).all())]

    stage("fitted", run)
