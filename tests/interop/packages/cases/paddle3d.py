"""paddle3d: networks over points, pillars, voxels, range images and pictures, heads, losses, geometry and optimizers."""

import numpy as np
import paddle
from suite import case, fill, image, in_double, net, older_python, record, stage, stand_ins, tensors

older_python()
stand_ins("visualdl nuscenes")
in_double()

import paddle3d
from paddle3d import models as M

INTS = np.random.RandomState(3)
PICTURE = image(2, 3, 64, 64)


class Of(paddle.nn.Layer):
    """A Layer whose arguments come in another form than one by one, and whose results are to be tensors."""

    def __init__(self, layer, call=None, pick=lambda found: found):
        super().__init__()
        self.layer, self.call, self.pick = layer, call or (lambda layer, *args: layer(*args)), pick

    def forward(self, *args):
        return self.pick(self.call(self.layer, *args))


def values(found):
    return [found[name] for name in sorted(found)] if isinstance(found, dict) else found


# ---- what sees pictures ----

net("DLA34", lambda: M.DLA34(norm_type="bn", down_ratio=4, last_level=5), [PICTURE])
net("DLABase34", lambda: M.DLABase34(norm_type="bn"), [PICTURE])
net("VoVNetCP", lambda: M.VoVNetCP("V-19-slim-dw-eSE", out_features=["stage3", "stage5"]), [PICTURE])
net("ResNet18", lambda: M.ResNet(layers=18, output_stride=16, return_idx=[1, 3]), [PICTURE])
net("HRNet_W18", lambda: M.HRNet_W18(stage3_num_modules=1, stage4_num_modules=1), [PICTURE])
net("SecondBackbone", lambda: M.SecondBackbone(8, [8, 16, 16], [1, 1, 1], [2, 2, 2]), [image(2, 8, 16, 16)])
net(
    "SecondFPN",
    lambda: Of(M.SecondFPN([8, 16, 16], [8, 8, 8], [1, 2, 4]), lambda layer, *levels: layer(list(levels))),
    [image(1, 8, 16, 16), image(1, 16, 8, 8), image(1, 16, 4, 4)],
)
net(
    "CPFPN",
    lambda: Of(M.CPFPN([8, 16], 8, 2), lambda layer, *levels: layer(list(levels))),
    [image(1, 8, 16, 16), image(1, 16, 8, 8)],
)
net(
    "FPN",
    lambda: Of(
        M.FPN([8, 16], [8, 16], 8, "BN", M.LastLevelP6(8, 8, "p4")), lambda layer, *levels: layer(list(levels)), values
    ),
    [image(1, 8, 16, 16), image(1, 16, 8, 8)],
)
net("SACRangeNet21", lambda: M.SACRangeNet21(in_channels=5), [image(1, 5, 16, 64)], train=False, save=False)

# ---- layers ----

net("ASPPModule", lambda: M.ASPPModule((1, 2), 8, 4, False, image_pooling=True), [image(2, 8, 12, 12)])
net("PPModule", lambda: M.PPModule(8, 4, (1, 2), True, False), [image(2, 8, 12, 12)])
net("SeparableConvBNReLU", lambda: M.SeparableConvBNReLU(4, 8, 3), [image(2, 4, 8, 8)])
net("FrozenBatchNorm2d", lambda: M.FrozenBatchNorm2d(4), [image(2, 4, 8, 8)], train=False)
net("LayerListDial", lambda: M.LayerListDial([M.Scale(2.0), M.Offset(1.0)]), [image(2, 4)])
net("SpatialOCRModule", lambda: M.SpatialOCRModule(8, 4, 6, 0.0), [image(1, 8, 6, 6), image(1, 8, 3, 1)])
net("SpatialGatherBlock", lambda: M.SpatialGatherBlock(8, 3), [image(1, 8, 6, 6), image(1, 3, 6, 6)], train=False)
MASK = np.zeros([1, 2, 6, 7], "int32")
net("SinePositionalEncoding3D", lambda: M.SinePositionalEncoding3D(8, normalize=True), [MASK], train=False)
net("LearnedPositionalEncoding", lambda: M.LearnedPositionalEncoding(4, 8, 8), [np.zeros([2, 6, 7], "int32")])
net("FFN", lambda: M.FFN(8, 16), [image(3, 2, 8)])
net("MultiheadAttention", lambda: M.MultiheadAttention(8, 2), [image(3, 2, 8), image(4, 2, 8, seed=1)])

# ---- heads ----

net(
    "SeparateHead",
    lambda: Of(M.SeparateHead(8, {"reg": (2, 2), "hm": (3, 2)}, 8, 3), None, values),
    [image(2, 8, 8, 8)],
)
net("SMOKEPredictor", lambda: M.SMOKEPredictor(num_chanels=16, norm_type="bn", in_channels=8), [image(2, 8, 8, 8)])
net("SSDHead", lambda: Of(M.SSDHead(2, 8), None, values), [image(2, 8, 8, 8)])
net(
    "FCOS2DHead",
    lambda: Of(
        M.FCOS2DHead([8, 16], [8, 8], num_cls_convs=1, num_box_convs=1), lambda layer, *levels: layer(list(levels))
    ),
    [image(1, 8, 8, 8), image(1, 8, 4, 4)],
    save=False,
)
net(
    "FCOS3DHead",
    lambda: Of(M.FCOS3DHead([8, 16], [8, 8], num_convs=1), lambda layer, *levels: layer(list(levels))),
    [image(1, 8, 8, 8), image(1, 8, 4, 4)],
    save=False,
)

# ---- points, pillars, voxels ----

RANGE = (0, -4, -3, 8, 4, 1)
COORDS = np.concatenate([np.repeat([[0], [1]], 5, 0), np.zeros([10, 1]), INTS.permutation(64)[:10, None] % 8,
                         INTS.permutation(64)[:10, None] % 8], 1).astype("int32")  # fmt: skip
COUNTS = INTS.randint(1, 6, [10]).astype("int32")
net(
    "PillarFeatureNet",
    lambda: M.PillarFeatureNet(4, (8,), max_num_points_in_voxel=5, voxel_size=(1, 1, 4), point_cloud_range=RANGE),
    [image(10, 5, 4), COUNTS, COORDS],
    save=False,
)
net("VoxelMean", lambda: M.VoxelMean(4), [image(10, 5, 4), COUNTS], train=False)
net("PointPillarsScatter", lambda: Of(
    M.PointPillarsScatter(8, (1, 1, 4), RANGE), lambda layer, x, coords: layer(x, coords, 2)
), [image(10, 8), COORDS], train=False, save=False)  # fmt: skip


@case
def sparse():
    in_double(False)
    coords = np.stack([np.zeros(6), np.arange(6) % 3, np.arange(6), np.arange(6)[::-1]], 1).astype("int32")
    for name, make in {"sparse_resnet": M.SparseResNet3D, "sparsenet": M.SparseNet3D}.items():

        def run(make=make):
            layer = make(4, (0.5, 0.5, 0.1), (0, 0, 0, 8, 8, 4))
            fill(layer)
            layer.eval()
            found = layer(tensors(image(6, 4)), tensors(coords), 1)
            return (
                [part.numpy() for part in values(found) if hasattr(part, "numpy")]
                if isinstance(found, dict)
                else [found.numpy()]
            )

        stage(name, run)


# ---- losses ----


def positive(*shape, seed=0):
    return 1 / (1 + np.exp(-image(*shape, seed=seed)))


@case
def losses():
    in_double(False)  # they cast to float32

    def of(layer, *args, **kwargs):
        def run():
            given = [tensors(arg) for arg in args]
            given[0].stop_gradient = False
            found = layer(*given, **{name: tensors(value) for name, value in kwargs.items()})
            found = found if isinstance(found, paddle.Tensor) else found[0]
            found.sum().backward()
            return [found, given[0].grad]

        return run

    heat, target = positive(2, 4, 6, 6), np.where(positive(2, 4, 6, 6, seed=1) > 0.8, 1, 0.3).astype("float32")
    record("focal", of(M.FocalLoss(), heat, target))
    record("several focal", of(M.MultiFocalLoss(), image(2, 4, 6, 6), INTS.randint(0, 4, [2, 6, 6])))
    index, mask = INTS.randint(0, 36, [2, 5]), np.array([[1, 1, 0, 1, 0]] * 2, "float32")
    record("fast focal", of(M.FastFocalLoss(), heat, target, index, mask, INTS.randint(0, 4, [2, 5])))
    record("regression", of(M.RegLoss(), image(2, 4, 6, 6), mask, index, image(2, 5, 4, seed=2)))
    record("weighted focal", of(M.WeightedFocalLoss(), image(6, 3), INTS.randint(0, 4, [6])))
    record(
        "sigmoid focal",
        of(
            M.SigmoidFocalClassificationLoss(),
            image(2, 6, 3),
            (positive(2, 6, 3) > 0.5).astype("float32"),
            positive(2, 6),
        ),
    )
    boxes = np.sort(np.abs(image(6, 4)) * 5, 1)
    others = np.sort(np.abs(image(6, 4, seed=4)) * 5, 1)
    for name in ("iou", "linear_iou", "giou"):
        record(f"sides {name}", of(M.IOULoss(name), boxes + 0.1, others + 0.1))
    record("l1", of(M.L1Loss(), image(6, 4), image(6, 4, seed=5)))
    record("smooth l1", of(M.smooth_l1_loss, image(6, 4), image(6, 4, seed=5), beta=0.1))
    record("weighted smooth l1", of(M.WeightedSmoothL1Loss(code_weights=[1.0, 2.0, 1.0]), image(2, 5, 3), image(2, 5, 3, seed=6),
                                    positive(2, 5)))  # fmt: skip
    classes = np.eye(3, dtype="float32")[INTS.randint(0, 3, [2, 5])]
    record("weighted entropy", of(M.WeightedCrossEntropyLoss(), image(2, 5, 3), classes, positive(2, 5)))


@case
def costs():
    record("l1 3d", lambda: [M.BBox3DL1Cost(0.5)(tensors(image(5, 8)), tensors(image(3, 8, seed=2)))])
    record("focal", lambda: [M.FocalLossCost()(tensors(image(5, 4)), tensors(np.array([1, 0, 3])))])
    record("classes", lambda: [M.ClassificationCost()(tensors(image(5, 4)), tensors(np.array([1, 0, 3])))])


# ---- geometry ----


@case
def boxes():
    from paddle3d.geometries import bbox

    data = np.abs(image(4, 7)) + 0.5
    made = paddle3d.geometries.BBoxes3D(data.copy())
    stage("corners", lambda: [np.asarray(made.corners_3d), np.asarray(made.corners_2d)])

    def moved():
        other = paddle3d.geometries.BBoxes3D(data.copy())
        other.rotate_around_z(np.array(0.3))
        other.translate(np.array([1.0, 2.0, 3.0]))
        other.scale(1.5)
        other.horizontal_flip()
        other.vertical_flip()
        return [np.asarray(other)]

    stage("moved", moved)
    stage("encoded", lambda: [bbox.second_box_decode(bbox.second_box_encode(data, data[::-1]), data[::-1])])
    stage("near", lambda: [bbox.rbbox2d_to_near_bbox(data[:, :5])])
    stage("corners of boxes", lambda: [bbox.boxes_to_corners_3d(data)])


# ---- optimizers and schedulers ----


@case
def training():
    in_double(False)  # clipping in double is not for CPUs in Paddle

    def run(make):
        def compute():
            layer = paddle.nn.Linear(4, 3)
            fill(layer)
            optimizer = make(layer.parameters())
            found = []
            for _ in range(8):
                loss = ((layer(tensors(image(6, 4))) - 1) ** 2).mean()
                loss.backward()
                optimizer.step()
                optimizer.clear_grad()
                rate = getattr(optimizer, "_learning_rate", None)
                if hasattr(rate, "step"):
                    rate.step()
                found.append(float(loss))
            return [np.array(found), *(value.numpy() for value in layer.parameters())]

        return compute

    def one_cycle():
        layer = paddle.nn.Linear(4, 3)
        fill(layer)
        optimizer = M.OneCycleAdam(
            M.OneCycleWarmupDecayLr(0.01),
            M.OneCycleDecayWarmupMomentum(),
            parameters=layer.parameters(),
            weight_decay=0.01,
            grad_clip=paddle.nn.ClipGradByGlobalNorm(0.5),
        )
        optimizer.before_run(max_iters=8)
        found = []
        for number in range(8):
            optimizer.before_iter(number)
            loss = ((layer(tensors(image(6, 4))) - 1) ** 2).mean()
            loss.backward()
            optimizer.after_iter()
            found.append([float(loss), optimizer.get_lr()])
        return [np.array(found), *(value.numpy() for value in layer.parameters())]

    stage("adam of one cycle", one_cycle)

    def adamw(parameters):
        return M.AdamWOnecycle(
            M.OneCycle(8, 0.1, [0.95, 0.85], 10.0, 0.4), parameters=parameters, clip_grad_by_norm=0.5
        )

    stage("adamw", run(adamw))
    decay = lambda: M.CosineAnnealingDecayByEpoch(0.1, 5)
    stage("annealing", run(lambda parameters: paddle.optimizer.SGD(decay(), parameters=parameters)))
