"""paddle-lpips: the perceptual distance by each of its networks, without the weights that it downloads."""

import paddle_lpips
from suite import case, image, net, older_python, record, tensors

older_python()
X, Y = image(1, 3, 64, 64), image(1, 3, 64, 64, seed=1)
for name in ("alex", "vgg", "squeeze"):
    make = lambda n=name: paddle_lpips.LPIPS(net=n, pretrained=False, pnet_rand=True)
    net(name, make, [X, Y], train=name != "vgg")
    net(
        f"{name}_spatial",
        lambda n=name: paddle_lpips.LPIPS(net=n, pretrained=False, pnet_rand=True, spatial=True),
        [X, Y],
        train=False,
    )
net("without_layers", lambda: paddle_lpips.LPIPS(net="alex", pretrained=False, pnet_rand=True, lpips=False), [X, Y])
net(
    "ranking",
    lambda: paddle_lpips.lpips.Dist2LogitLayer(),
    [abs(image(2, 1, 1, 1)), abs(image(2, 1, 1, 1, seed=1))],
    save=False,
)
net("scaling", lambda: paddle_lpips.lpips.ScalingLayer(), [X], train=False)


@case
def helpers():
    record(
        "numbers", lambda: [paddle_lpips.normalize_tensor(tensors(X)), paddle_lpips.l2(X, Y), paddle_lpips.psnr(X, Y)]
    )
