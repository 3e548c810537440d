"""paddleclas: one small network of each family, its losses, and what networks are made of."""

from suite import image, in_double, net, older_python, stand_ins

older_python()
stand_ins("faiss visualdl")
in_double()

from paddleclas.ppcls.arch import backbone as B

# name of the model, and the size of its image
MODELS = """
PPLCNet_x0_25 32, PPLCNetV2_base 32, MobileNetV3_small_x0_35 32, MobileNetV1_x0_25 32, MobileNetV2_x0_25 32, ESNet_x0_25 32,
PPHGNet_tiny 32, PPHGNetV2_B0 32, ResNet18 32, ResNet50_vd 32, GhostNet_x0_5 32, RedNet26 32, ShuffleNetV2_x0_25 32, SE_ResNet18_vd 32,
Res2Net50_26w_4s 32, EfficientNetB0_small 32, RegNetX_200MF 32, RepVGG_A0 32, SqueezeNet1_1 64, AlexNet 224, DLA34 32, HarDNet39_ds 64,
MobileViT_XXS 64, MobileViTV2_x0_5 64, MixNet_S 64, ReXNet_1_0 32, VAN_B0 32, ConvNeXt_tiny 32, MicroNet_M0 64, MobileNeXt_x0_35 32,
TinyNet_E 32, PeleeNet 64, PVT_V2_B0 224, LeViT_128S 224, MobileFaceNet 112, GoogLeNet 224, ResNeSt50_fast_1s1x64d 32, CSPDarkNet53 32,
CvT_13_224 64, NextViT_small_224 64, DPN68 32, Xception41 64, InceptionV3 96, HRNet_W18_C 64, DenseNet121 32,
SwinTransformer_tiny_patch4_window7_224 224, DeiT_tiny_patch16_224 224, pcpvt_small 64, TNT_small 224, CSWinTransformer_tiny_224 224
"""
# `nn.BatchNorm`, the old one, is in single precision whatever the default is.
SINGLE = """
DPN68 DenseNet121 ESNet_x0_25 EfficientNetB0_small GhostNet_x0_5 HRNet_W18_C InceptionV3 MobileNetV1_x0_25 MobileNetV2_x0_25
MobileNetV3_small_x0_35 RegNetX_200MF Res2Net50_26w_4s ResNeSt50_fast_1s1x64d ResNet18 ResNet50_vd SE_ResNet18_vd ShuffleNetV2_x0_25
TinyNet_E Xception41
"""
for name, size in (entry.split() for entry in MODELS.replace("\n", " ").split(",")):
    if hasattr(B, name):
        net(
            name,
            lambda name=name: getattr(B, name)(class_num=5),
            [image(2, 3, int(size), int(size))],
            single=name in SINGLE.split(),
        )
