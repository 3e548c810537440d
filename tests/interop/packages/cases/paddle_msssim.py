"""paddle-msssim: similarity of images, its gradient, and the layers."""

import numpy as np
import paddle
from paddle_msssim.ssim import MS_SSIM, SSIM, ms_ssim, ssim
from suite import case, image, net, record, tensors

X = np.abs(image(2, 3, 40, 40)) * 60
Y = np.abs(image(2, 3, 40, 40, seed=1)) * 60
LARGE = [np.abs(image(1, 3, 180, 180, seed=s)) * 60 for s in (2, 3)]
net("SSIM", lambda: SSIM(data_range=255), [X, Y], train=False)
net("SSIM_size", lambda: SSIM(win_size=7, win_sigma=1.0, data_range=255, size_average=False), [X, Y], train=False)
net("MS_SSIM", lambda: MS_SSIM(data_range=255), LARGE, train=False)


@case
def functions():
    x = tensors(X)
    x.stop_gradient = False

    def gradient():
        value = 1 - ssim(x, tensors(Y), data_range=255)
        value.backward()
        return [value, x.grad]

    record("gradient", gradient)
    record("each", lambda: [ssim(tensors(X), tensors(Y), data_range=255, size_average=False, nonnegative_ssim=True)])
    record("several scales", lambda: [ms_ssim(*tensors(LARGE), data_range=255, size_average=False)])


@case
def training():
    def run():
        layer = paddle.nn.Conv2D(3, 3, 3, padding=1)
        from suite import fill

        fill(layer)
        adam = paddle.optimizer.Adam(1e-2, parameters=layer.parameters())
        found = []
        for _ in range(3):
            loss = 1 - SSIM(data_range=255)(layer(tensors(X)), tensors(Y))
            loss.backward()
            adam.step()
            adam.clear_grad()
            found.append(float(loss))
        return [np.array(found)]

    record("losses", run)
