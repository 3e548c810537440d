"""ppgan: generators, discriminators, losses and metrics."""

import numpy as np
import paddle
from suite import case, image, in_double, net, older_python, record, stage, stand_ins, tensors

older_python()
stand_ins("paddle.fluid munch imageio_ffmpeg dlib face_alignment")
in_double()

from ppgan.models import criterions, discriminators, generators

G, D, C = generators.builder.GENERATORS, discriminators.builder.DISCRIMINATORS, criterions.builder.CRITERIONS
X = image(1, 3, 32, 32)
VIDEO = image(1, 2, 3, 32, 32)


# These make constants of single precision, or have the old batch norm.
SINGLE = "StarGANv2Mapping StarGANv2Style StarGANv2Generator StyleGANv2Generator StarGANv2Discriminator StyleGANv2Discriminator UnetGenerator LESRCNNGenerator".split()


def made(registry, name, options):
    return registry.get(name)(**options)


for name, options, args in [
    ("DCGenerator", {"input_nz": 8, "input_nc": 1, "output_nc": 1, "ngf": 4}, [image(2, 8, 1, 1)]),
    ("DeepConvGenerator", {"latent_dim": 8, "output_nc": 3, "size": 16, "ngf": 4}, [image(2, 8)]),
    ("DRNGenerator", {"scale": (2, 4), "n_blocks": 2, "n_feats": 4}, [X]),
    ("EDVRNet", {"nf": 16, "nframes": 3, "groups": 4, "front_RBs": 1, "back_RBs": 1}, [image(1, 3, 3, 16, 16)]),
    ("AnimeGeneratorLite", {}, [X]),
    ("AnimeGenerator", {}, [X]),
    ("RevisionNet", {}, [image(1, 6, 32, 32)]),
    ("StarGANv2Mapping", {"latent_dim": 4, "style_dim": 4}, [image(2, 4), np.array([[0], [1]])]),
    ("StarGANv2Style", {"img_size": 32, "style_dim": 4, "max_conv_dim": 16}, [X, np.array([1])]),
    ("StarGANv2Generator", {"img_size": 32, "style_dim": 4, "max_conv_dim": 16, "w_hpf": 0}, [X, image(1, 4)]),
    ("StyleGANv2Generator", {"size": 16, "style_dim": 8, "n_mlp": 2, "channel_multiplier": 1}, []),
    ("LESRCNNGenerator", {"scale": 2}, [X]),
    ("MPRNet", {"n_feat": 8, "scale_unetfeats": 4, "scale_orsnetfeats": 4, "num_cab": 1}, [X]),
    ("PAN", {"in_nc": 3, "out_nc": 3, "nf": 8, "unf": 4, "nb": 2, "scale": 2}, [X]),
    ("ResnetGenerator", {"input_nc": 3, "output_nc": 3, "ngf": 4, "n_blocks": 2}, [X]),
    (
        "ResnetUGATITGenerator",
        {"input_nc": 3, "output_nc": 3, "ngf": 4, "n_blocks": 1, "img_size": 32, "light": True},
        [X],
    ),
    ("ResnetUGATITP2CGenerator", {"ngf": 4, "img_size": 32, "n_blocks": 1}, [X]),
    ("RRDBNet", {"in_nc": 3, "out_nc": 3, "nf": 8, "nb": 1, "gc": 4}, [X]),
    ("UnetGenerator", {"input_nc": 3, "output_nc": 3, "num_downs": 5, "ngf": 4}, [X]),
    (
        "SPADEGenerator",
        {
            "ngf": 4,
            "num_upsampling_layers": "normal",
            "crop_size": 64,
            "aspect_ratio": 1.0,
            "norm_G": "spectralspadebatch3x3",
            "semantic_nc": 4,
            "use_vae": False,
            "nef": 4,
        },
        [image(1, 4, 64, 64)],
    ),
    ("Wav2Lip", {}, [image(6, 1, 80, 16), image(6, 6, 96, 96)]),
]:
    if name in ("StyleGANv2Generator",):
        net(
            name,
            lambda o=options: made(G, "StyleGANv2Generator", o),
            [[image(1, 8)]],
            {"randomize_noise": False},
            save=False,
        )
    else:
        net(name, lambda n=name, o=options: made(G, n, o), args, single=name in SINGLE)
for name, options, args in [
    ("DCDiscriminator", {"input_nc": 3, "ndf": 4}, [image(1, 3, 64, 64)]),
    ("AnimeDiscriminator", {"channel": 4, "nblocks": 2}, [X]),
    ("LapStyleDiscriminator", {}, [X]),
    ("StarGANv2Discriminator", {"img_size": 32, "max_conv_dim": 16}, [X, np.array([0])]),
    ("StyleGANv2Discriminator", {"size": 16, "channel_multiplier": 1}, [image(4, 3, 16, 16)]),
    ("UGATITDiscriminator", {"input_nc": 3, "ndf": 4, "n_layers": 3}, [X]),
    ("NLayerDiscriminator", {"input_nc": 3, "ndf": 4}, [X]),
    ("VGGDiscriminator128", {"in_channels": 3, "num_feat": 4}, [image(1, 3, 128, 128)]),
    ("SyncNetColor", {}, [image(2, 1, 80, 16), image(2, 15, 48, 96)]),
    ("Wav2LipDiscQual", {}, [image(1, 3, 2, 96, 96)]),
]:
    net(name, lambda n=name, o=options: made(D, n, o), args, single=name in SINGLE)


@case
def losses():
    x, y = tensors(X), tensors(image(1, 3, 32, 32, seed=2))
    x.stop_gradient = False

    def run(loss, *args):
        found = loss(*args)
        found.backward()
        gradient = x.grad
        x.clear_gradient()
        return [found, gradient]

    for mode in ("vanilla", "lsgan", "wgan", "hinge", "logistic"):
        record(mode, lambda: run(made(C, "GANLoss", {"gan_mode": mode}), x, True, True))
    for name in (
        "L1Loss",
        "CharbonnierLoss",
        "MSELoss",
        "CalcStyleEmdLoss",
        "CalcContentReltLoss",
        "CalcContentLoss",
        "CalcStyleLoss",
        "EdgeLoss",
    ):
        record(name, lambda: run(made(C, name, {}), x, y))


@case
def metrics():
    from ppgan.metrics.psnr_ssim import calculate_psnr, calculate_ssim

    a, b = ((image(24, 24, 3, seed=s) * 40 + 120).clip(0, 255).astype("uint8") for s in (0, 1))
    stage(
        "psnr", lambda: [calculate_psnr(a, b, 2), calculate_ssim(a, b, 2), calculate_psnr(a, b, 0, test_y_channel=True)]
    )


@case
def modules():
    in_double(False)
    from ppgan.modules.fused_act import FusedLeakyReLU
    from ppgan.modules.nn import Spectralnorm
    from ppgan.modules.upfirdn2d import Upfirdn2dUpsample, upfirdn2d

    x = tensors(image(1, 4, 8, 8))
    record(
        "upfirdn",
        lambda: [Upfirdn2dUpsample([1, 3, 3, 1])(x), upfirdn2d(x, tensors(image(3, 3)), up=2, down=1, pad=(1, 2))],
    )
    record("fused", lambda: [FusedLeakyReLU(4)(x)])

    def spectral():
        paddle.seed(3)
        layer = Spectralnorm(paddle.nn.Conv2D(4, 3, 3))
        return list(layer(x).shape)

    record("spectral", spectral)
