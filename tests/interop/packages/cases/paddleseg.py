"""paddleseg: one small network of each kind, and the losses."""

import numpy as np
import paddle
from suite import case, image, in_double, net, older_python, record, stand_ins

older_python()
stand_ins("visualdl filelock")
in_double()

from paddleseg import models as M
from paddleseg.models import backbones as B
from paddleseg.models import layers
from paddleseg.models import losses as L
from paddleseg.models.layers import attention

R18 = lambda: B.ResNet18_vd(output_stride=8)
X = image(2, 3, 64, 64)
C = dict(num_classes=3)
with_backbone = {
    "ANN": dict(backbone_indices=(2, 3), key_value_channels=16, inter_channels=16),
    "BiseNetV1": dict(conv_channel=16),
    "CCNet": {},
    "DANet": dict(backbone_indices=(2, 3)),
    "DecoupledSegNet": dict(aspp_out_channels=16),
    "DeepLabV3P": dict(aspp_out_channels=16),
    "DeepLabV3": dict(aspp_out_channels=16),
    "DMNet": dict(mid_channels=16),
    "DNLNet": {},
    "EMANet": dict(ema_channels=16, gc_channels=16, num_bases=4),
    "ENCNet": dict(num_codes=4, mid_channels=16),
    "FastFCN": dict(num_codes=4, mid_channels=16),
    "FCN": {},
    "GCNet": dict(gc_channels=16),
    "GINet": {},
    "GloRe": dict(gru_channels=16, gru_num_state=8, gru_num_node=4),
    "GSCNN": dict(aspp_out_channels=16),
    "ISANet": dict(isa_channels=16, down_factor=(2, 2)),
    "OCRNet": dict(backbone_indices=(2, 3), ocr_mid_channels=16, ocr_key_channels=8),
    "PSPNet": dict(pp_out_channels=16),
    "UPerNet": dict(backbone_indices=(0, 1, 2, 3), channels=16),
    "PFPNNet": dict(backbone_indices=(0, 1, 2, 3), channels=16, fpn_inplanes=[64, 128, 256, 512]),
    "LRASPP": dict(lraspp_head_inter_chs=[8, 8], lraspp_head_out_ch=8, backbone_indices=[0, 1, 3]),
    "SFNet": dict(backbone_indices=(0, 1, 2, 3)),
    "MobileSeg": dict(cm_out_ch=8, arm_out_chs=[8, 8, 8], seg_head_inter_chs=[8, 8, 8]),
}
for name, options in with_backbone.items():
    if hasattr(M, name):
        net(name, lambda name=name, options=options: getattr(M, name)(backbone=R18(), **C, **options), [X])
for name in "AttentionUNet BiSeNetV2 ENet ESPNetV2 ESPNetV1 FastSCNN HarDNet PPHumanSegLite SegNet U2Netp UNet UNet3Plus UNetPlusPlus DDRNet_23 LPSNet RTFormer SINet".split():
    options = (
        dict(depths=[1, 1, 1, 1, 1], channels=[8, 8, 8, 8, 8], scale_ratios=[1.0, 0.25]) if name == "LPSNet" else {}
    )
    if hasattr(M, name):
        net(name, lambda name=name, options=options: getattr(M, name)(**C, **options), [X])
net(
    "PPLiteSeg",
    lambda: M.PPLiteSeg(backbone=B.STDC1(), cm_out_ch=8, arm_out_chs=[8, 8, 8], seg_head_inter_chs=[8, 8, 8], **C),
    [X],
)
net("STDCSeg", lambda: M.STDCSeg(backbone=B.STDC1(), **C), [X])
net("SegFormer", lambda: M.SegFormer(backbone=B.MixVisionTransformer_B0(), embedding_dim=16, **C), [X])
net("TopFormer", lambda: M.TopFormer(backbone=B.TopTransformer_Tiny(), **C), [X])
net("PortraitNet", lambda: M.PortraitNet(backbone=B.MobileNetV2_x0_5(), min_channel=8, channel_ratio=0.5, **C), [X])
net(
    "SegNeXt",
    lambda: M.SegNeXt(
        backbone=B.MSCAN_T(), decoder_cfg=dict(ham_channels=16, dropout_rate=0.0, ham_kwargs=dict(MD_R=4)), **C
    ),
    [X],
    train=False,
)


def mobile_seg():
    """In double, by hand: its `nn.BatchNorm` makes float32 parameters. It divides by deviations of two values, which amplify all.

    Numbers that Paddle rounds to float32 also in double (see docs/differences.md) are rounded on both sides.
    """
    backbone = B.MobileSeg_Tiny(inj_type="AAM", out_feat_chs=[32, 64, 128])
    model = M.PPMobileSeg(backbone=backbone, **C).to(dtype="float64")
    for layer in model.sublayers():
        for name in ("_epsilon", "slope"):
            if hasattr(layer, name):
                setattr(layer, name, float(np.float32(getattr(layer, name))))
    return model


net("PPMobileSeg", mobile_seg, [X])
net("HRFormer", lambda: B.HRFormer_small(), [image(1, 3, 64, 64)])
net("HRNet", lambda: M.FCN(backbone=B.HRNet_W18_Small_V1(), **C), [X])
net("LiteHRNet", lambda: M.FCN(backbone=B.Lite_HRNet_18(), **C), [X])
net("ShuffleNet", lambda: M.FCN(backbone=B.ShuffleNetV2_x0_25(), **C), [X])
net("GhostNet", lambda: M.FCN(backbone=B.GhostNet_x0_5(), **C), [X])
net("Xception", lambda: M.FCN(backbone=B.Xception41_deeplab(), backbone_indices=(1,), channels=8, **C), [X])
net(
    "Swin",
    lambda: M.UPerNet(
        backbone=B.SwinTransformer_tiny_patch4_window7_224(), backbone_indices=(0, 1, 2, 3), channels=8, **C
    ),
    [X],
    single=True,
)
net("MaskFormer", lambda: M.MaskFormer(backbone=B.SwinTransformer_tiny_patch4_window7_224(), **C), [X], single=True)
VIT = dict(patch_size=16, embed_dim=16, depth=2, num_heads=2, img_size=64)
net("LinearSegmenter", lambda: M.LinearSegmenter(backbone=B.VisionTransformer(**VIT), **C), [X], single=True)
net(
    "MaskSegmenter",
    lambda: M.MaskSegmenter(backbone=B.VisionTransformer(**VIT), h_embed_dim=16, h_depth=1, h_num_heads=2, **C),
    [X],
    single=True,
)
net(
    "SegmentationTransformer",
    lambda: M.SegmentationTransformer(backbone=B.VisionTransformer(**VIT), backbone_indices=(0, 1, 1, 1), **C),
    [X],
    single=True,
)

LOGIT, LABEL = image(2, 3, 8, 8), np.random.RandomState(1).randint(0, 3, [2, 8, 8]).astype("int64")
LABEL[0, 0, :2] = 255
EDGE = (LABEL == 1).astype("int64")


def loss(name, make, logit=LOGIT, label=LABEL, **options):
    @case
    def run():
        x = paddle.to_tensor(logit.astype("float64"))
        x.stop_gradient = False

        def both(call):
            found = call(x, paddle.to_tensor(label), **{k: paddle.to_tensor(v) for k, v in options.items()})
            found = found[0] if isinstance(found, (list, tuple)) else found
            found.sum().backward()
            gradient = x.grad
            x.clear_gradient()
            return [found, gradient]

        record("value and gradient", lambda: both(make()))
        record("static", lambda: both(paddle.jit.to_static(make())))

    return case(run, name)


loss("BCELoss", lambda: L.BCELoss(), image(2, 1, 8, 8), (LABEL == 1).astype("int64"))
loss(
    "BCELossEdge",
    lambda: L.BCELoss(pos_weight="dynamic", edge_label=True),
    image(2, 1, 8, 8),
    (LABEL == 1).astype("int64"),
)
loss("Bootstrapped", lambda: L.BootstrappedCrossEntropyLoss(min_K=8, loss_th=0.3))
loss("CrossEntropyLoss", lambda: L.CrossEntropyLoss(weight=[0.5, 1.0, 2.0]))
loss("CrossEntropyTopK", lambda: L.CrossEntropyLoss(top_k_percent_pixels=0.5))
loss(
    "Distill", lambda: L.DistillCrossEntropyLoss(), LOGIT, image(2, 3, 8, 8, seed=3).astype("float64")
) if False else None
loss("DiceLoss", lambda: L.DiceLoss())
loss("FocalLoss", lambda: L.FocalLoss(), image(2, 2, 8, 8), EDGE)
loss("MultiClassFocalLoss", lambda: L.MultiClassFocalLoss(3))
loss("KLLoss", lambda: L.KLLoss(), LOGIT, image(2, 3, 8, 8, seed=3).astype("float64"))
loss("L1Loss", lambda: L.L1Loss(), LOGIT, image(2, 3, 8, 8, seed=3).astype("float64"))
loss("MSELoss", lambda: L.MSELoss(), LOGIT, image(2, 3, 8, 8, seed=3).astype("float64"))
loss("LovaszSoftmaxLoss", lambda: L.LovaszSoftmaxLoss(), np.abs(LOGIT))
loss("LovaszHingeLoss", lambda: L.LovaszHingeLoss(), image(2, 2, 8, 8), EDGE)
loss("MixedLoss", lambda: L.MixedLoss([L.CrossEntropyLoss(), L.DiceLoss()], [0.3, 0.7]))
loss("OhemCrossEntropyLoss", lambda: L.OhemCrossEntropyLoss(min_kept=20))
loss(
    "RMILoss",
    lambda: L.RMILoss(num_classes=3),
    image(1, 3, 24, 24),
    np.random.RandomState(1).randint(0, 3, [1, 24, 24]),
)
loss("SemanticConnectivityLoss", lambda: L.SemanticConnectivityLoss())
loss("SECrossEntropyLoss", lambda: L.SECrossEntropyLoss(), image(2, 3))
loss(
    "DetailAggregateLoss",
    lambda: L.DetailAggregateLoss(),
    image(2, 1, 16, 16),
    np.random.RandomState(1).randint(0, 3, [2, 16, 16]),
)
loss("RelaxBoundaryLoss", lambda: L.RelaxBoundaryLoss(border=1))
loss("PixelContrast", lambda: L.PixelContrastCrossEntropyLoss(), image(1, 8, 8, 8), LABEL[:1]) if False else None


@case
def edge_losses():
    edge = paddle.to_tensor(1 / (1 + np.exp(-image(2, 1, 8, 8).astype("float64"))))
    logit = paddle.to_tensor(LOGIT.astype("float64"))
    label = paddle.to_tensor(LABEL)
    record("EdgeAttention", lambda: [L.EdgeAttentionLoss()((logit, edge), label)])
    record("OhemEdgeAttention", lambda: [L.OhemEdgeAttentionLoss(min_kept=20)((logit, edge), label)])


@case
def metrics():
    from paddleseg.utils import metrics

    prediction = paddle.to_tensor(np.random.RandomState(2).randint(0, 3, [2, 1, 8, 8]))
    label = paddle.to_tensor(LABEL[:, None])

    def areas():
        found = metrics.calculate_area(prediction, label, 3)
        iou = metrics.mean_iou(*found)
        return [
            *found,
            iou[0],
            iou[1],
            metrics.accuracy(found[0], found[1])[0],
            metrics.kappa(*found),
            metrics.dice(*found)[1],
        ]

    record("areas", areas)


@case
def transforms():
    import paddleseg.transforms as T

    def run():
        np.random.seed(3)
        steps = [T.Resize((16, 16)), T.RandomHorizontalFlip(), T.RandomPaddingCrop((12, 12)), T.Normalize()]
        found = T.Compose(steps)(
            {
                "img": (image(20, 20, 3) * 40 + 100).astype("uint8"),
                "label": np.zeros([20, 20], "uint8"),
                "gt_fields": ["label"],
                "trans_info": [],
            }
        )
        return [found["img"], found["label"]]

    record("training", run)


@case
def inference():
    from paddleseg.core import infer

    model = M.PPHumanSegLite(num_classes=2)
    model.eval()
    record(
        "shapes",
        lambda: [
            list(t.shape) for t in [infer.inference(model, paddle.to_tensor(X.astype("float64")), trans_info=None)[0]]
        ],
    )
    record(
        "slide",
        lambda: [list(infer.slide_inference(model, paddle.to_tensor(X.astype("float64")), (32, 32), (16, 16)).shape)],
    )

# what networks are made of
FEATURES, FINER = image(2, 8, 8, 8), image(2, 8, 16, 16, seed=1)


def part(name, make, *features):
    """A layer of `paddleseg.models.layers`; some of its parameters are in single precision whatever the default is."""
    net(f"part_{name}", lambda: make().to(dtype="float64"), list(features))


part("PAM", lambda: attention.PAM(8), FEATURES)
part("CAM", lambda: attention.CAM(8), FEATURES)
part("DualAttention", lambda: attention.DualAttentionModule(32, 8), image(2, 32, 8, 8))
part("NonLocal", lambda: layers.NonLocal2D(8), FEATURES)
part("NonLocal_dot", lambda: layers.NonLocal2D(8, mode="dot_product", sub_sample=True), FEATURES)
part("ASPP", lambda: layers.ASPPModule((1, 2), 8, 4, align_corners=False, use_sep_conv=True, image_pooling=True), FEATURES)
part("PP", lambda: layers.PPModule(8, 4, (1, 2, 4), True, False), FEATURES)
part("Polarized", lambda: layers.PolarizedSelfAttentionModule(8, 8), FEATURES)
part("UAFM", lambda: layers.UAFM(8, 8, 4), FINER, FEATURES)
part("UAFM_channels", lambda: layers.UAFM_ChAtten(8, 8, 4), FINER, FEATURES)
part("UAFM_space", lambda: layers.UAFM_SpAtten(8, 8, 4), FINER, FEATURES)
part("Separable", lambda: layers.SeparableConvBNReLU(8, 4, 3), FEATURES)
