"""paddleclas: one small network of each family, its losses, and what networks are made of."""

import numpy as np
import paddle
from suite import case, fill, image, in_double, net, older_python, record, stand_ins

older_python()
stand_ins("faiss visualdl")
in_double()

from paddleclas.ppcls.arch import backbone as B
from paddleclas.ppcls.arch import gears

# name of the model, and the size of its image: each batch norm is to see several numbers of a channel
MODELS = """
PPLCNet_x0_25 96, PPLCNetV2_base 96, MobileNetV3_small_x0_35 96, MobileNetV1_x0_25 96, MobileNetV2_x0_25 96, ESNet_x0_25 96,
PPHGNet_tiny 96, PPHGNetV2_B0 96, ResNet18 96, ResNet50_vd 96, GhostNet_x0_5 96, RedNet26 96, ShuffleNetV2_x0_25 96, SE_ResNet18_vd 96,
Res2Net50_26w_4s 96, EfficientNetB0_small 96, RegNetX_200MF 96, RepVGG_A0 96, SqueezeNet1_1 96, AlexNet 224, DLA34 96, HarDNet39_ds 96,
MobileViT_XXS 96, MobileViTV2_x0_5 64, MixNet_S 64, ReXNet_1_0 96, VAN_B0 96, ConvNeXt_tiny 96, MicroNet_M0 128, MobileNeXt_x0_35 96,
TinyNet_E 96, PeleeNet 96, PVT_V2_B0 224, LeViT_128S 224, MobileFaceNet 112, GoogLeNet 224, ResNeSt50_fast_1s1x64d 96, CSPDarkNet53 96,
CvT_13_224 96, NextViT_small_224 96, DPN68 96, Xception41 96, InceptionV3 160, HRNet_W18_C 96, DenseNet121 96,
SwinTransformer_tiny_patch4_window7_224 224, DeiT_tiny_patch16_224 224, pcpvt_small 96, TNT_small 224, CSWinTransformer_tiny_224 224
"""


INDEXED = ("LeViT_128S", "MicroNet_M0", "SwinTransformer_tiny_patch4_window7_224")  # buffers of theirs are indices


def network(name):
    """A network in double: `nn.BatchNorm`, the old one, is in single precision whatever the default is, so all of it is converted."""
    made = getattr(B, name)(class_num=5)
    return made if name in INDEXED else made.to(dtype="float64")


for name, size in (entry.split() for entry in MODELS.replace("\n", " ").split(",")):
    if hasattr(B, name):
        net(name, lambda name=name: network(name), [image(2, 3, int(size), int(size))])

FEATURES, CLASSES = image(6, 8), np.arange(6) % 5


def gear(name, make, *arguments, **options):
    """A head or neck of `ppcls.arch.gears`."""
    net(f"gear_{name}", lambda: make().to(dtype="float64"), list(arguments), **options)


gear("ArcMargin", lambda: gears.ArcMargin(8, 5), FEATURES, CLASSES)
gear("ArcMargin_easy", lambda: gears.ArcMargin(8, 5, margin=0.3, scale=30.0, easy_margin=True), FEATURES, CLASSES)
gear("CosMargin", lambda: gears.CosMargin(8, 5), FEATURES, CLASSES)
gear("CircleMargin", lambda: gears.CircleMargin(8, 5, 0.35, 64), FEATURES, CLASSES)
gear("FC", lambda: gears.FC(8, 5), FEATURES)
gear("BNNeck", lambda: gears.BNNeck(8), FEATURES)
gear("MetaBNNeck", lambda: gears.MetaBNNeck(8), FEATURES)
gear("FRFNNeck", lambda: gears.FRFNNeck(8, 4), FEATURES)
gear("VehicleNeck", lambda: gears.VehicleNeck(8, 4), image(6, 8, 1, 1))
gear("MLDecoder", lambda: gears.MLDecoder(5, 8, 5, 16, 1, 2, 16), image(2, 8, 4, 4))


@case
def theseus():
    """Layers of a network that others replace, stop at, or take the results of."""
    model = B.PPLCNet_x0_25(class_num=5)
    record("found", lambda: [str(model.upgrade_sublayer("blocks[2]...", lambda layer, pattern: layer) or "")])
    model = B.ResNet18(class_num=5, return_patterns=["blocks[0]", "blocks[4]"]).to(dtype="float64")
    fill(model)
    model.eval()
    results = model(paddle.to_tensor(image(2, 3, 64, 64).astype("float64")))
    record("inner", lambda: [results[name] for name in sorted(results)])
    stopped = B.ResNet18(class_num=5, return_stages=[1, 3]).to(dtype="float64")
    fill(stopped)
    stopped.eval()
    found = stopped(paddle.to_tensor(image(2, 3, 64, 64).astype("float64")))
    record("stages", lambda: [found[name] for name in sorted(found)])
