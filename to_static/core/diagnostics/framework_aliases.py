"""Names of other frameworks, PyTorch above all: by module or class, the name and what to write here.

Names that differ only in upper and lower case (`Conv2d`) are found without this table. Read only when an error is made.
"""

from __future__ import annotations

MODULE: dict[str, dict[str, str]] = {
    "paddle": {
        "tensor": "paddle.to_tensor(...)", "as_tensor": "paddle.to_tensor(...)",
        "from_numpy": "paddle.to_tensor(array)", "cat": "paddle.concat([...])", "concatenate": "paddle.concat([...])",
        "manual_seed": "paddle.seed(n)", "permute": "paddle.transpose(x, [...])",
        "swapaxes": "paddle.transpose(x, [...])", "movedim": "paddle.moveaxis", "clamp": "paddle.clip",
        "absolute": "paddle.abs", "mul": "paddle.multiply", "sub": "paddle.subtract", "div": "paddle.divide",
        "true_divide": "paddle.divide", "negative": "paddle.neg", "eq": "paddle.equal", "ne": "paddle.not_equal",
        "gt": "paddle.greater_than", "ge": "paddle.greater_equal", "lt": "paddle.less_than", "le": "paddle.less_equal",
        "float": "'float32'", "double": "'float64'", "long": "'int64'", "int": "'int32'", "half": "'float16'",
        "short": "'int16'", "FloatTensor": "paddle.to_tensor(x, 'float32')",
        "LongTensor": "paddle.to_tensor(x, 'int64')", "IntTensor": "paddle.to_tensor(x, 'int32')",
        "BoolTensor": "paddle.to_tensor(x, 'bool')", "DoubleTensor": "paddle.to_tensor(x, 'float64')",
        "optim": "paddle.optimizer", "randn_like": "paddle.randn(x.shape)", "rand_like": "paddle.rand(x.shape)",
        "Size": "a list: `[2, 3]`", "argwhere": "paddle.nonzero", "range": "paddle.arange",
        "inference_mode": "paddle.no_grad()", "compile": "paddle.jit.to_static",
        "set_default_tensor_type": "paddle.set_default_dtype", "cuda": "paddle.set_device('gpu:0')",
        "fliplr": "paddle.flip(x, 1)", "flipud": "paddle.flip(x, 0)", "data": "paddle.io",
        "is_floating": "paddle.is_floating_point", "tensor_split": "paddle.split",
        "column_stack": "paddle.stack(xs, 1)", "dstack": "paddle.concat", "expand_dims": "paddle.unsqueeze",
        "matrix_power": "paddle.linalg.matrix_power", "relu": "paddle.nn.functional.relu",
    },
    "nn": {
        "Module": "Layer", "ModuleList": "LayerList", "ModuleDict": "LayerDict", "ConvTranspose1d": "Conv1DTranspose",
        "ConvTranspose2d": "Conv2DTranspose", "ConvTranspose3d": "Conv3DTranspose", "init": "initializer",
        "ReflectionPad1d": "Pad1D(padding, mode='reflect')", "ReflectionPad2d": "Pad2D(padding, mode='reflect')",
        "ReplicationPad2d": "Pad2D(padding, mode='replicate')", "ConstantPad2d": "Pad2D(padding, value=...)",
        "MultiheadAttention": "MultiHeadAttention", "HuberLoss": "SmoothL1Loss", "RNNCell": "SimpleRNNCell",
        "DataParallel": "the layer itself: `net`",
    },
    "nn.functional": {
        "conv_transpose1d": "conv1d_transpose", "conv_transpose2d": "conv2d_transpose",
        "conv_transpose3d": "conv3d_transpose", "huber_loss": "smooth_l1_loss", "hard_sigmoid": "hardsigmoid",
        "hard_swish": "hardswish", "upsample_bilinear": "upsample", "logsigmoid": "log_sigmoid",
        "multilabel_soft_margin_loss": "multi_label_soft_margin_loss",
    },
    "nn.initializer": {
        "xavier_uniform_": "XavierUniform()", "xavier_normal_": "XavierNormal()",
        "kaiming_uniform_": "KaimingUniform()", "kaiming_normal_": "KaimingNormal()", "normal_": "Normal()",
        "uniform_": "Uniform()", "constant_": "Constant(value)", "zeros_": "Constant(0.0)", "ones_": "Constant(1.0)",
        "trunc_normal_": "TruncatedNormal()", "orthogonal_": "Orthogonal()",
    },
    "optimizer": {
        "lr_scheduler": "lr", "StepLR": "lr.StepDecay", "Nadam": "Adam",
    },
    "optimizer.lr": {
        "StepLR": "StepDecay", "MultiStepLR": "MultiStepDecay", "ExponentialLR": "ExponentialDecay",
        "LambdaLR": "LambdaDecay", "CosineAnnealingLR": "CosineAnnealingDecay", "ReduceLROnPlateau": "ReduceOnPlateau",
        "PolynomialLR": "PolynomialDecay", "MultiplicativeLR": "MultiplicativeDecay", "ConstantLR": "PiecewiseDecay",
    },
    "jit": {
        "script": "to_static", "trace": "to_static", "compile": "to_static",
    },
    "autograd": {"Function": "paddle.autograd.PyLayer"},
    "io": {
        "default_collate": "default_collate_fn", "DistributedSampler": "DistributedBatchSampler",
    },
    "utils": {
        "data": "paddle.io",
    },
}  # fmt: skip
OBJECT: dict[str, dict[str, str]] = {
    "Tensor": {
        "permute": "x.transpose([...])", "swapaxes": "x.transpose([...])",
        "requires_grad": "its opposite, `x.stop_gradient`", "requires_grad_": "x.stop_gradient = False",
        "retain_grad": "x.retain_grads()", "mul": "x.multiply(y)", "mul_": "x.multiply_(y)", "sub": "x.subtract(y)",
        "sub_": "x.subtract_(y)", "div": "x.divide(y)", "div_": "x.divide_(y)", "eq": "x.equal(y)",
        "ne": "x.not_equal(y)", "gt": "x.greater_than(y)", "ge": "x.greater_equal(y)", "lt": "x.less_than(y)",
        "le": "x.less_equal(y)", "clamp": "x.clip(min, max)", "clamp_": "x.clip_(min, max)",
        "float": "x.astype('float32')", "double": "x.astype('float64')", "half": "x.astype('float16')",
        "long": "x.astype('int64')", "int": "x.astype('int32')", "short": "x.astype('int16')",
        "bool": "x.astype('bool')", "byte": "x.astype('uint8')", "type_as": "x.astype(y.dtype)",
        "repeat": "x.tile([...])", "device": "x.place", "is_cuda": "x.place", "nelement": "x.numel()",
        "new_zeros": "paddle.zeros([...], x.dtype)", "new_ones": "paddle.ones([...], x.dtype)",
        "new_tensor": "paddle.to_tensor(...)", "new_full": "paddle.full([...], value, x.dtype)",
        "cat": "paddle.concat([x, y])", "movedim": "x.moveaxis(i, j)", "absolute": "x.abs()", "argwhere": "x.nonzero()",
        "detach_": "x.detach()", "index_fill": "paddle.where", "negative": "x.neg()", "true_divide": "x.divide(y)",
        "masked_scatter": "paddle.where", "softmax": "paddle.nn.functional.softmax(x)",
        "relu": "paddle.nn.functional.relu(x)", "log_softmax": "paddle.nn.functional.log_softmax(x)",
        "copy": "x.clone()", "asnumpy": "x.numpy()", "as_in_context": "x.to(device)",
        "attach_grad": "x.stop_gradient = False", "ravel": "x.flatten()",
    },
    "Layer": {
        "zero_grad": "clear_gradients()", "load_state_dict": "set_state_dict(state)", "modules": "sublayers()",
        "named_modules": "named_sublayers()", "register_parameter": "add_parameter(name, parameter)",
        "add_module": "add_sublayer(name, layer)", "register_forward_hook": "register_forward_post_hook(hook)",
        "cuda": "to('gpu:0')", "cpu": "to('cpu')", "half": "to(dtype='float16')", "double": "to(dtype='float64')",
        "requires_grad_": "`p.stop_gradient = False` for each parameter", "hybridize": "paddle.jit.to_static(net)",
        "collect_params": "parameters()", "in_features": "weight.shape[0]", "out_features": "weight.shape[1]",
    },
    "Optimizer": {
        "zero_grad": "clear_grad()", "load_state_dict": "set_state_dict(state)",
        "param_groups": "`get_lr()` and `set_lr(value)`",
        "add_param_group": "a list of dicts, `parameters=[{'params': ...}]`", "lr": "get_lr()",
        "learning_rate": "get_lr()",
    },
    "Model": {
        "compile": "prepare(optimizer, loss, metrics)", "fit_generator": "fit(loader)", "evaluate_generator": "evaluate(loader)",
        "predict_generator": "predict(loader)", "train_on_batch": "train_batch([x], [y])", "test_on_batch": "eval_batch([x], [y])",
        "predict_on_batch": "predict_batch([x])", "load_weights": "load(path)", "save_weights": "save(path)",
        "get_weights": "network.state_dict()", "set_weights": "network.set_state_dict(state)", "trainable_weights": "parameters()",
        "layers": "network.sublayers()", "add": "`paddle.nn.Sequential(...)` of all layers, before `paddle.Model(net)`",
        "eval": "network.eval()", "train": "network.train()", "state_dict": "network.state_dict()",
    },
    "LRScheduler": {
        "load_state_dict": "set_state_dict(state)", "get_last_lr": "get_lr()",
    },
}  # fmt: skip
