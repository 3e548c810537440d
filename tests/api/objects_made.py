"""An object of each public class that users subclass, by the expression that makes it: for the recorded table and its test.

Layers are in `layers_made.py`.
"""

_PARTS = "paddle.io.TensorDataset([paddle.ones([2, 2])])"
_NORMAL = "paddle.distribution.Normal(0., 1.)"
_MANY_NORMAL = "paddle.distribution.Normal(paddle.zeros([2]), paddle.ones([2]))"
_EXP = "paddle.distribution.ExpTransform()"
_SGD = "paddle.optimizer.SGD(parameters=paddle.nn.Linear(2, 3).parameters())"
_QUANTIZER = "paddle.quantization.imperative.AbsmaxQuantizer()"
_OPTIMIZER = {  # by the arguments
    "parameters=paddle.nn.Linear(2, 3).parameters()": "SGD Momentum Adam AdamW Adamax Adadelta Lamb LBFGS",
    "learning_rate=.1, parameters=paddle.nn.Linear(2, 3).parameters()": "Adagrad RMSProp",
}
_ROWS = {  # by the module
    "nn": (
        "Sequential(paddle.nn.Linear(2, 3))", "LayerList()", "LayerDict()", "ParameterList()", "ClipGradByGlobalNorm(1.)",
        "ClipGradByNorm(1.)", "ClipGradByValue(1.)",
    ),
    "optimizer": tuple(f"{name}({given})" for given, names in _OPTIMIZER.items() for name in names.split()),
    "optimizer.lr": (
        "NoamDecay(2, 3)", "PiecewiseDecay([1], [.1, .2])", "NaturalExpDecay(.1, .1)", "InverseTimeDecay(.1, .1)",
        "PolynomialDecay(.1, 3)", "LinearWarmup(.1, 3, 0., .1)", "ExponentialDecay(.1, .1)", "MultiStepDecay(.1, [1, 2])",
        "StepDecay(.1, 2)", "LambdaDecay(.1, lambda x: x)", "ReduceOnPlateau(.1)", "CosineAnnealingDecay(.1, 3)",
        "MultiplicativeDecay(.1, lambda x: x)", "OneCycleLR(.1, 10)", "CyclicLR(.1, .2, 3)", "LinearLR(.1, 3)",
        "CosineAnnealingWarmRestarts(.1, 3)",
    ),
    "nn.initializer": (
        "Constant(1.)", "Normal()", "TruncatedNormal()", "Uniform()", "XavierNormal()", "XavierUniform()", "KaimingNormal()",
        "KaimingUniform()", "Assign([1.])", "Bilinear()", "Dirac()", "Orthogonal()",
    ),
    "callbacks": ("Callback()", "ProgBarLogger()", "ModelCheckpoint()", "VisualDL('x')", "LRScheduler()", "EarlyStopping()",
                  "ReduceLROnPlateau()"),
    "regularizer": ("L1Decay(.1)", "L2Decay(.1)"),
    "io": (
        "BatchSampler(dataset=[1, 2, 3], batch_size=2)", "DistributedBatchSampler([1, 2, 3], 2)", "RandomSampler([1, 2])",
        "SequenceSampler([1, 2])", "WeightedRandomSampler([.1, .2], 2)", "SubsetRandomSampler([1, 2])", "Sampler([1])",
        "TensorDataset([paddle.ones([2, 2])])", f"ComposeDataset([{_PARTS}])", f"ConcatDataset([{_PARTS}])", "Dataset()",
        "ChainDataset([paddle.io.IterableDataset()])", "Subset([1, 2], [0])", f"DataLoader({_PARTS})", "IterableDataset()",
    ),
    "amp": ("GradScaler()", "grad_scaler.AmpScaler()"),
    "quantization": (
        "QuantConfig(activation=None, weight=None)",
        "QAT(paddle.quantization.QuantConfig(activation=None, weight=None))",
        "PTQ(paddle.quantization.QuantConfig(activation=None, weight=None))",
        "imperative.ImperativeQuantAware()", "imperative.ImperativePTQ()", f"imperative.PTQConfig({_QUANTIZER}, {_QUANTIZER})",
        "imperative.AbsmaxQuantizer()", "imperative.PerChannelAbsmaxQuantizer()", "imperative.HistQuantizer()",
        "imperative.KLQuantizer()",
    ),
    "metric": ("Accuracy()", "Precision()", "Recall()", "Auc()"),
    "distribution": (
        "Normal(0., 1.)", "Uniform(0., 1.)", "Bernoulli(.5)", "Beta(1., 2.)", "Categorical(paddle.ones([3]))",
        "Cauchy(0., 1.)", "Dirichlet(paddle.ones([3]))", "Geometric(.5)", "Gumbel(0., 1.)", "Laplace(0., 1.)",
        "LogNormal(0., 1.)", "Multinomial(3, paddle.ones([3]) / 3)", f"Independent({_MANY_NORMAL}, 1)", "Distribution()",
        f"TransformedDistribution({_NORMAL}, [{_EXP}])", "AbsTransform()",
        "AffineTransform(paddle.zeros([1]), paddle.ones([1]))", f"ChainTransform([{_EXP}])", "ExpTransform()",
        f"IndependentTransform({_EXP}, 1)", "PowerTransform(paddle.ones([1]))", "ReshapeTransform((2,), (1, 2))",
        "SigmoidTransform()", "SoftmaxTransform()", f"StackTransform([{_EXP}])", "StickBreakingTransform()", "TanhTransform()",
    ),
    "vision.transforms": (
        "BrightnessTransform(.1)", "CenterCrop(2)", "ColorJitter()", "Compose([])", "ContrastTransform(.1)", "Grayscale()",
        "HueTransform(.1)", "Normalize()", "Pad(2)", "RandomAffine(2)", "RandomCrop(2)", "RandomErasing()",
        "RandomHorizontalFlip()", "RandomPerspective()", "RandomResizedCrop(2)", "RandomRotation(2)", "RandomVerticalFlip()",
        "Resize(2)", "SaturationTransform(.1)", "ToTensor()", "Transpose()",
    ),
    "audio.features": ("Spectrogram()", "MelSpectrogram()", "LogMelSpectrogram()", "MFCC()"),
    "vision.ops": ("RoIAlign(2, 1.)", "RoIPool(2, 1.)", "PSRoIPool(2, 1.)", "DeformConv2D(2, 3, 3)"),
    "vision.models": ("LeNet()", "AlexNet()", "MobileNetV1(.25)", "MobileNetV2(.25)", "SqueezeNet('1.1')"),
    "incubate": (f"LookAhead({_SGD})", "ModelAverage(.1, parameters=paddle.nn.Linear(2, 3).parameters())"),
    "incubate.nn": ("FusedLinear(2, 3)", "FusedFeedForward(2, 4)", "FusedMultiHeadAttention(4, 2)",
                    "FusedTransformerEncoderLayer(4, 2, 8)"),
    "text": ("ViterbiDecoder(paddle.ones([4, 4]))",),
    "sparse.nn": ("ReLU()", "BatchNorm(3)", "Conv3D(2, 3, 3)", "MaxPool3D(2)", "Softmax()"),
}  # fmt: skip
EXPRESSIONS = tuple(f"paddle.{module}.{row}" for module, rows in _ROWS.items() for row in rows)


def public_attributes(thing):
    """The names of what an object holds, without private ones."""
    return sorted(name for name in vars(thing) if not name.startswith("_"))
