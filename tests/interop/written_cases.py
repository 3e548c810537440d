"""Small static Programs that both libraries write: one source for the comparison of files, of operators and of numbers.

A case is a piece of text over ``paddle``, ``nn``, ``F`` and ``T(array)`` (an input of the Program; ``D(array)``: one of unknown
sizes), and what it gives is saved. They are the expressions, functions and layers that other tests compare by
their numbers, and `MORE`: what only files show.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "golden"), str(TESTS / "compiler" / "ops")]
import functional_cases  # noqa: E402
import layer_cases  # noqa: E402
import record_paddle_expressions as expressions  # noqa: E402

MORE = """
F.interpolate(T(r(1,2,5)),size=[7],mode='linear',data_format='NCW')
paddle.geometric.segment_max(T(r(5,3)),T([0,0,1,3,3]))
paddle.geometric.segment_min(T(r(5,3)),T([0,0,1,3,3],dtype='int32'))
paddle.geometric.segment_sum(D(r(5,3)),D([0,0,1,3,3]))
paddle.geometric.segment_mean(D(r(5,3)),D([0,0,1,3,3]))
paddle.geometric.segment_max(D(r(5,3)),D([0,0,1,3,3]))
paddle.geometric.send_u_recv(D(r(5,3)),D([0,1,2,0]),D([1,2,0,0]),'max')
paddle.geometric.send_u_recv(D(r(5,3)),D([0,1,2,0]),D([1,2,0,0]),'min',out_size=7)
paddle.geometric.send_u_recv(T(r(5,3)),T([0,1,2,0]),T([1,2,0,0]),'mean')
paddle.geometric.send_ue_recv(T(r(5,3)),T(r(4,1)),T([0,1,2,0]),T([1,2,0,0]),'mul','max',out_size=4)
paddle.geometric.send_ue_recv(D(r(5,3)),D(r(4,3)),D([0,1,2,0]),D([1,2,0,0]),'add','sum')
paddle.geometric.send_uv(T(r(5,3)),T(r(5,3)),T([0,1,2,0]),T([1,2,0,0]),'sub')
F.interpolate(T(r(1,2,5)),scale_factor=[0.9],mode='linear',data_format='NCW')
F.interpolate(T(r(1,2,10)),scale_factor=0.9,mode='linear',align_corners=True,data_format='NCW')
F.interpolate(T(r(1,2,10,10)),scale_factor=0.9,mode='bilinear')
F.interpolate(T(r(1,2,10,10)),scale_factor=[0.7,1.3],mode='nearest')
F.interpolate(T(r(1,10,10,2)),scale_factor=[0.7,1.3],mode='nearest',data_format='NHWC')
F.interpolate(T(r(1,2,10,10)),size=[5,7],mode='bilinear',align_corners=True)
F.interpolate(T(r(1,10,10,2)),size=[5,7],mode='bilinear',align_mode=1,data_format='NHWC')
F.interpolate(T(r(1,2,10,10)),scale_factor=1.7,mode='bicubic')
F.interpolate(T(r(1,10,10,2)),size=[13,7],mode='bicubic',data_format='NHWC')
F.interpolate(T(r(1,2,10,10)),size=[4,7],mode='area')
F.interpolate(T(r(1,2,4,5,6)),scale_factor=0.9,mode='trilinear',data_format='NCDHW')
F.interpolate(T(r(1,2,4,5,6)),size=[3,7,6],mode='trilinear',align_mode=1,data_format='NCDHW')
F.interpolate(T(r(1,4,5,6,2)),size=[3,7,6],mode='trilinear',data_format='NDHWC')
F.interpolate(T(r(1,2,4,5,6)),scale_factor=[2,1,1.5],mode='nearest',data_format='NCDHW')
F.interpolate(T(r(1,4,5,6,2)),size=[3,7,6],mode='nearest',data_format='NDHWC')
F.interpolate(T(r(1,2,10,10)),size=paddle.shape(T(r(1,2,4,7)))[2:],mode='bilinear')
F.interpolate(T(r(1,2,10,10)),size=[paddle.shape(T(r(1,2,4,7)))[2],7],mode='nearest')
nn.UpsamplingNearest2D(scale_factor=2)(T(r(1,2,3,4)))
nn.UpsamplingBilinear2D(size=[5,3])(T(r(1,2,3,4)))
paddle.vision.ops.distribute_fpn_proposals(T([[0.,0.,40.,40.],[1.,1.,7.,5.],[2.,.5,300.,70.5]]),3,4,3,56,rois_num=T([2,1],dtype='int32'))[1:]
nn.Upsample(scale_factor=1.1,mode='linear',data_format='NCW')(T(r(1,2,11)))
nn.Upsample(scale_factor=[1.1,2,0.7],mode='trilinear',data_format='NCDHW')(T(r(1,2,11,3,10)))
nn.Conv3DTranspose(2,3,2,stride=2,data_format='NDHWC')(T(r(1,3,4,5,2)))
nn.Conv3DTranspose(2,4,3,padding=1,groups=2,dilation=2)(T(r(1,2,6,6,6)))
nn.Conv3DTranspose(2,2,2,stride=2,output_padding=1)(T(r(1,2,3,3,3)))
nn.Conv2DTranspose(2,3,2,stride=2,data_format='NHWC')(T(r(1,4,5,2)))
nn.Conv1DTranspose(2,3,2,stride=2,data_format='NLC')(T(r(1,5,2)))
nn.Conv3D(2,3,2,data_format='NDHWC',padding=1)(T(r(1,3,4,5,2)))
nn.Conv3D(2,4,2,groups=2,padding='SAME')(T(r(1,2,4,5,3)))
nn.Conv3D(2,4,2,groups=2,padding=[1,0,0,1,1,0])(T(r(1,2,4,5,3)))
nn.Conv2D(4,4,3,groups=4,padding=[1,2],dilation=2,data_format='NHWC')(T(r(1,8,7,4)))
nn.Conv1D(4,6,3,padding='SAME',groups=2,data_format='NLC')(T(r(1,8,4)))
nn.Conv1D(4,6,3,padding=[2],padding_mode='replicate')(T(r(1,4,8)))
nn.BatchNorm1D(4,data_format='NLC')(T(r(2,3,4)))
nn.BatchNorm3D(2,data_format='NDHWC')(T(r(2,3,2,3,2)))
nn.SyncBatchNorm(3)(T(r(2,3,4,5)))
nn.InstanceNorm3D(2)(T(r(2,2,3,4,5)))
nn.GroupNorm(2,4,data_format='NHWC')(T(r(2,3,3,4)))
nn.LocalResponseNorm(3,data_format='NHWC')(T(r(2,5,5,4)))
nn.SpectralNorm([4,3],dim=0,power_iters=2)(T(r(4,3)))
nn.MaxPool3D(2,stride=1,padding=1,ceil_mode=True)(T(r(1,2,4,5,4)))
nn.AvgPool3D(2,stride=1,padding=1,exclusive=False)(T(r(1,2,4,5,4)))
nn.MaxPool3D(2,data_format='NDHWC')(T(r(1,4,5,4,2)))
nn.AvgPool2D(3,stride=2,padding=1,data_format='NHWC')(T(r(1,7,7,2)))
nn.AdaptiveAvgPool3D([2,3,2])(T(r(1,2,4,5,4)))
nn.AdaptiveMaxPool3D(2)(T(r(1,2,4,5,4)))
nn.AdaptiveMaxPool2D(2,return_mask=True)(T(r(1,2,5,5)))
nn.Pad3D([1,0,2,1,0,1],mode='replicate')(T(r(1,2,3,4,5)))
nn.Pad2D([1,0,2,1],mode='circular',data_format='NHWC')(T(r(1,4,5,2)))
nn.Pad1D(2,mode='reflect',data_format='NLC')(T(r(1,5,2)))
F.pad(T(r(2,3,4)),[1,0,0,2,1,1],value=0.5)
F.pad(T(r(2,3,4,5)),[1,0,0,2],mode='constant',value=2.5)
nn.PixelShuffle(2,data_format='NHWC')(T(r(1,2,3,8)))
nn.PixelUnshuffle(2,data_format='NHWC')(T(r(1,4,6,2)))
nn.ChannelShuffle(2,data_format='NHWC')(T(r(1,2,2,6)))
nn.PReLU(4,data_format='NHWC')(T(r(1,2,3,4)))
nn.Embedding(7,3,sparse=True)(T(np.array([[1,2],[6,0]])))
F.one_hot(T(np.array([1,2])),4)
F.label_smooth(T(pr(3,4)),epsilon=0.2)
F.sequence_mask(T(np.array([1,3,2])),maxlen=4)
F.temporal_shift(T(r(4,4,2,2)),2,0.25)
F.affine_grid(T(r(1,2,3)),[1,1,3,4],align_corners=False)
F.grid_sample(T(r(1,2,4,5)),T(r(1,3,4,2)),mode='nearest',padding_mode='border',align_corners=False)
F.normalize(T(r(3,4)),p=3,axis=0)
F.cosine_similarity(T(r(3,4)),T(r(3,4)),axis=0)
F.dropout(T(r(3,4)),0.3,axis=0)
F.alpha_dropout(T(r(3,4)),0.3)
F.rrelu(T(r(3,4)))
F.dropout2d(T(r(2,3,4,5)),0.3)
paddle.concat([T(r(2,3)),T(r(2,2))],axis=paddle.full([1],1,'int32'))
paddle.scale(T(r(2,3)),2.5,1.0,False)
paddle.scale(T(r(2,3)),T(np.float32([2.5])),1.0)
paddle.clip(T(r(2,3)),T(np.float32([-.5])),0.7)
paddle.arange(T(np.array(1)),T(np.array(9)),T(np.array(3)))
paddle.linspace(T(np.float32(1)),T(np.float32(9)),5)
paddle.text.viterbi_decode(T(r(2,3,4)),T(r(4,4)),T(np.array([3,2])))
paddle.text.viterbi_decode(T(r(2,3,4)),T(r(4,4)),T(np.array([3,2])),False)
paddle.full([2,paddle.shape(T(r(4,2)))[0]],2.5)
paddle.expand(T(r(1,3)),[paddle.shape(T(r(4,2)))[0],3])
paddle.tile(T(r(1,3)),[paddle.shape(T(r(4,2)))[0],2])
paddle.reshape(T(r(4,3)),[paddle.shape(T(r(2,2)))[0],-1])
paddle.slice(T(r(4,5)),[0,1],[paddle.full([1],1,'int32'),-3],[3,1000])
paddle.strided_slice(T(r(4,5)),[0,1],[3,0],[-5,5],[-1,2])
paddle.split(T(r(4,6)),[2,-1,1],axis=1)
paddle.split(T(r(4,6)),3,axis=-1)
paddle.topk(T(r(4,6)),paddle.full([1],2,'int32'),axis=0,largest=False)
paddle.argmax(T(r(4,6)),axis=1,keepdim=True,dtype='int32')
paddle.norm(T(r(2,3,4)),p=3,axis=1,keepdim=True)
paddle.norm(T(r(2,3,4)),p='fro',axis=[0,1])
paddle.norm(T(r(3,4)),p=float('inf'))
paddle.nn.functional.softmax_with_cross_entropy(T(r(3,4)),T(np.array([[1],[2],[0]])),return_softmax=True)
paddle.unique(T(np.array([3,1,1,2])),return_index=True,return_inverse=True,return_counts=True)
paddle.scatter(T(r(4,3)),T(np.array([2,0])),T(r(2,3)),overwrite=False)
paddle.gather(T(r(4,3)),T(np.array([2,0])),axis=T(np.array([1])))
paddle.allclose(T(r(4,3)),T(r(4,3)),rtol=1e-4,atol=1e-6,equal_nan=True)
paddle.flatten(T(r(2,3,4)),1,2)
paddle.cumsum(T(r(2,3,4)))
paddle.std(T(r(2,3,4)),axis=1,unbiased=False)
paddle.logsumexp(T(r(2,3,4)),axis=[0,2],keepdim=True)
paddle.quantile(T(r(2,3,4)),0.3,axis=1)
paddle.meshgrid(T(r(2)),T(r(3)))
paddle.unbind(T(r(2,3)),axis=0)
paddle.unstack(T(r(2,3)),axis=1)
paddle.roll(T(r(2,3,4)),[1,-1],[0,2])
paddle.flip(T(r(2,3,4)),[0,-1])
paddle.repeat_interleave(T(r(2,3)),3,axis=1)
paddle.diag(T(r(3)),offset=1,padding_value=2.5)
paddle.diagonal(T(r(2,3,4)),1,0,2)
paddle.diag_embed(T(r(2,3)),1,0,2)
paddle.put_along_axis(T(r(3,4)),T(np.array([[1],[0],[2]])),2.5,axis=1,reduce='add')
paddle.where(T(r(3,4))>0,T(r(3,4)),T(r(3,1)))
paddle.where(D(r(3,4))>0,T(r(1,4)),D(r(3,1)))
paddle.histogram(T(r(20)),bins=5,min=-1,max=2)
paddle.bincount(T(np.array([1,4,1])),minlength=7)
paddle.searchsorted(T(np.float32([1,2,4])),T(r(2,3)),out_int32=True,right=True)
paddle.kthvalue(T(r(3,4)),2,axis=0,keepdim=True)
paddle.einsum('ij,kj->ik',T(r(3,4)),T(r(2,4)))
paddle.addmm(T(r(3,2)),T(r(3,4)),T(r(4,2)),beta=0.5,alpha=2)
paddle.matmul(T(r(2,4,3)),T(r(2,4,5)),transpose_x=True)
paddle.linalg.triangular_solve(T(np.triu(r(3,3))+3*np.eye(3,dtype='float32')),T(r(3,2)),upper=True)
paddle.nan_to_num(T(r(3,4)),1.5,2.5,3.5)
paddle.lerp(T(r(3,4)),T(r(3,4)),0.3)
paddle.logit(T(pr(3,4)),eps=1e-3)
paddle.stanh(T(r(3,4)),0.5,1.5)
paddle.multiplex([T(r(3,4)),T(r(3,4))],T(np.array([[0],[1],[0]],'int32')))
paddle.add_n([T(r(3,4)),T(r(3,4)),T(r(3,4))])
paddle.index_add(T(r(3,4)),T(np.array([0,2])),0,T(r(2,4)))
paddle.index_put(T(r(3,4)),(T(np.array([0,2])),T(np.array([1,1]))),T(r(2)),accumulate=True)
paddle.cast(T(r(3,4)),'float64')
paddle.increment(T(np.float32([2])),1.5)
paddle.static.nn.fc(T(r(2,3,4)),5,num_flatten_dims=2)
paddle.acosh(1+T(pr(3,4)))
paddle.atan2(T(r(3,4)),T(r(3,4)))
paddle.fmax(T(r(3,4)),T(r(4)))
paddle.full_like(T(r(3,4)),2.5,'int32')
paddle.linalg.cholesky(T(np.eye(3,dtype='float32')*2+0.1),upper=True)
paddle.amax(T(r(3,4)),axis=[0,1],keepdim=True)
paddle.amin(T(r(3,4)),axis=1)
paddle.min(T(r(3,4)),axis=0,keepdim=True)
paddle.max(T(r(3,4)))
paddle.take_along_axis(T(r(3,4)),T(np.array([[1],[0],[2]])),axis=1)
paddle.static.setitem(T(r(3,4)),(slice(0,2),1),2.5)
paddle.static.setitem(T(r(3,4)),(slice(None,None,-1),slice(1,3)),T(r(3,2)))
paddle.shape(T(r(3,4)))+1
paddle.numel(T(r(3,4)))+1
[f(T(np.array([True,False])),T(np.array([True,True]))) for f in (paddle.logical_and,paddle.logical_or,paddle.logical_xor)]
[f(T(np.array([6,3])),T(np.array([5,1]))) for f in (paddle.bitwise_and,paddle.bitwise_or,paddle.bitwise_xor)]
[paddle.logical_not(T(r(3))>0),paddle.bitwise_not(T(np.array([6,3])))]
[f(T(r(3,4)),T(r(3,4))) for f in (paddle.greater_equal,paddle.less_equal,paddle.greater_than,paddle.less_than)]
[f(T(r(3,4))) for f in (paddle.isfinite,paddle.isinf,paddle.isnan)]
paddle.eye(paddle.shape(T(r(3,4)))[0],4)
paddle.shape(D(r(3,4)))
paddle.numel(D(r(3,4)))
paddle.full_like(D(r(3,4)),2.5,'int64')
paddle.zeros_like(D(r(3,4)))
F.interpolate(D(r(1,2,10,10)),scale_factor=0.9,mode='bilinear')
F.interpolate(D(r(1,2,4,5,6)),scale_factor=[0.9,2,1.1],mode='trilinear',data_format='NCDHW')
paddle.reshape(D(r(3,4)),[paddle.shape(D(r(4,2)))[0],-1])
paddle.mean(D(r(3,4)),axis=-1)
D(r(3,4))[1:,paddle.shape(D(r(3,2)))[1]]
F.ctc_loss(T(r(5,2,4)),T([[1,1],[3,2]],'int32'),T([5,4],'int64'),T([2,1],'int64'),reduction='none')
F.rnnt_loss(T(r(2,4,3,5)),T([[1,2],[3,1]],'int32'),T([4,4],'int32'),T([2,2],'int32'),fastemit_lambda=0.25,reduction='none')
F.gather_tree(T([[[2,2],[6,1]],[[3,9],[6,1]],[[0,1],[9,0]]]),T([[[0,0],[1,1]],[[1,0],[1,0]],[[0,0],[0,1]]]))
nn.Linear(4,5)(D(r(3,4)))
nn.Conv2D(3,4,3,padding='SAME')(D(r(1,3,5,6)))
F.softmax(D(r(3,4)))+D(r(3,4))
paddle.concat([D(r(3,4)),D(r(2,4))])
paddle.split(D(r(4,6)),3,axis=-1)
""".strip().splitlines()
ELEMENTWISE = (
    "abs acos asin asinh atan atanh ceil cos cosh deg2rad erf erfinv exp expm1 floor log log10 log1p log2 rad2deg reciprocal round "
    "rsqrt sign sin sinh sqrt square tan tanh trunc lgamma digamma"
).split()
RANDOM = """
paddle.bernoulli(T(pr(3,4)))
paddle.poisson(T(pr(3,4)))
paddle.multinomial(T(pr(3,4)),2)
paddle.randint(0,5,[2,3])
paddle.randperm(5)
paddle.uniform([2,3],min=-0.5,max=0.5)
paddle.normal(0.5,2.0,[2,3])
paddle.randn([2,paddle.shape(T(r(3,4)))[0]])
F.gumbel_softmax(T(r(3,4)))
F.dropout(T(r(3,4)),0.3)
paddle.distribution.Dirichlet(T(pr(3,4))).sample([2])
F.class_center_sample(T([1,5]),20,6)
""".strip().splitlines()  # their numbers are not compared


def texts() -> list[str]:
    """All cases."""
    layers = [f"layer({name!r})" for name in (*layer_cases.LAYERS, *layer_cases.CALLS)]
    written = (TESTS / "compiler" / "ops" / "paddle_expressions.txt").read_text().splitlines()
    elementwise = [f"paddle.{name}(T(pr(3,4)))" for name in ELEMENTWISE]
    return list(dict.fromkeys([*MORE, *elementwise, *RANDOM, *layers, *functional_cases.CASES, *written]))


def flat(value: Any, kind: type) -> list[Any]:
    """The tensors in nested results."""
    if isinstance(value, (list, tuple)):
        return [v for item in value for v in flat(item, kind)]
    return [value] if isinstance(value, kind) else []


def build(paddle: Any, text: str) -> tuple[Any, Any, list[Any], list[np.ndarray], list[Any]]:
    """Main and startup Program of a case, its inputs and their arrays, and its results. Static mode must be on."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    arrays: list[np.ndarray] = []
    inputs: list[Any] = []
    changes = "_(" in text or "setit" in text or "batch_norm(" in text  # in place, which no input may be
    with paddle.static.program_guard(paddle.static.Program()):
        kind = type(paddle.static.data("kind", [1]))

    def tensor(value: Any, dtype: Any = None, shape: Any = None, **kwargs: Any) -> Any:
        array = np.asarray(value)
        if dtype is None and array.dtype == np.float64 and not isinstance(value, np.ndarray):
            dtype = "float32"
        array = array if dtype is None else array.astype(str(dtype).replace("paddle.", ""))
        arrays.append(array)
        inputs.append(paddle.static.data(f"x{len(arrays)}", shape or list(array.shape), str(array.dtype)))
        return paddle.assign(inputs[-1]) if changes else inputs[-1]

    def open_sizes(value: Any) -> Any:
        return tensor(value, shape=[-1] * np.ndim(value))

    def call(function: Any, *values: Any) -> Any:
        return function(*[tensor(v) for v in values])

    def layer(name: str) -> Any:
        if name in layer_cases.LAYERS:
            made, *shapes = layer_cases.LAYERS[name]
            return evaluated(made)(*[tensor(a) for a in layer_cases.draw(shapes)])
        made, how, *shapes = layer_cases.CALLS[name]
        return how(evaluated(made), [tensor(a) for a in layer_cases.draw(shapes)])

    def evaluated(made: str) -> Any:
        found = eval(made, names)
        found.eval()
        return found

    names = {
        **expressions.namespace(paddle), **functional_cases.drawn(), "nn": paddle.nn, "F": paddle.nn.functional,
        "T": tensor, "D": open_sizes,
        "G": call, "layer": layer,
    }  # fmt: skip
    if "T(F(" in text or re.search(r"(?<![.\w])F\(", text):  # expressions draw numbers with F
        names["F"] = expressions.namespace(paddle)["F"]
    with paddle.static.program_guard(main, startup), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = flat(eval(text, names), kind)
    return main, startup, inputs, arrays, results


def save(paddle: Any, prefix: Path, text: str) -> None:
    """Write the model of a case, and its inputs and outputs."""
    main, startup, inputs, arrays, results = build(paddle, text)
    scope = paddle.static.Scope()
    with paddle.static.scope_guard(scope):
        executor = paddle.static.Executor(paddle.CPUPlace())
        executor.run(startup)
        test = main.clone(for_test=True)
        names = [v.name for v in inputs]
        outputs = executor.run(test, feed=dict(zip(names, arrays)), fetch_list=[v.name for v in results])  # noqa: B905
        paddle.static.save_inference_model(str(prefix), inputs, results, executor, program=main)
    record = {f"in_{i}": a for i, a in enumerate(arrays)} | {f"out_{i}": np.asarray(a) for i, a in enumerate(outputs)}
    np.savez(f"{prefix}.npz", **record)


def save_all(paddle: Any, folder: Path) -> Iterator[tuple[int, str, str]]:
    """Write every case that the library can; yields number, text and error ('' when it is written)."""
    paddle.enable_static()
    try:
        for i, text in enumerate(texts()):
            try:
                save(paddle, folder / f"case{i:04}", text)
                yield i, text, ""
            except Exception as error:
                yield i, text, f"{type(error).__name__}: {error}"
    finally:
        paddle.disable_static()


# on every op, and computes nothing
HOW = ("op_role", "op_role_var", "op_namescope", "op_device", "op_callstack", "with_quant_attr")


def operators(desc: Any) -> list[tuple[str, dict[str, Any], dict[str, int]]]:
    """Type, attributes (with their types) and slots (with the number of their values) of all operators of a file."""
    from to_static.compiler.formats.paddle.messages.desc import attr_value

    found = []
    for block in desc.blocks:
        for op in block.ops:
            if op.type in ("feed", "fetch") or any(n.startswith("save_infer_model/") for e in op.outputs for n in e.arguments):
                continue
            attrs = {a.name: [a.type, attr_value(a)] for a in op.attrs if a.name not in HOW}
            slots = {e.parameter: len(e.arguments) for e in (*op.inputs, *op.outputs) if e.arguments}
            found.append((op.type, attrs, slots))
    return found


def record(folder: Path) -> list[Any]:
    """``[text, operators]`` of every case in a folder, of those that show an operator in a way that no case before did."""
    from to_static.compiler.formats.paddle.programs.program_reader import parse_program

    seen: set[str] = set()
    found = []
    paths = [(folder / f"case{i:04}.pdmodel", text) for i, text in enumerate(texts())]
    cases = [(text, operators(parse_program(path.read_bytes(), path))) for path, text in paths if path.exists()]
    for text, ops in sorted(cases, key=lambda case: len(case[1])):  # what shows one operator first
        shown = {repr((kind, sorted(attrs.items()), sorted(slots))) for kind, attrs, slots in ops}
        if shown - seen:
            found.append([text, ops])
            seen |= shown
    return found
