# ruff: noqa
# The attributes of functions.py. Generated: python -m tests.compiler.ops.record_functions

from to_static.compiler.ops.control.control import as_leaf as as_leaf
from to_static.compiler.ops.control.control import assert_op as assert_
from to_static.compiler.ops.control.control import assign as assign
from to_static.compiler.ops.control.control import clone as clone
from to_static.compiler.ops.control.control import constant as constant
from to_static.compiler.ops.control.control import print_op as print
from to_static.compiler.ops.control.control import while_loop as while_loop
from to_static.compiler.ops.control.custom_gradient import custom_gradient as custom_gradient
from to_static.compiler.ops.control.host_scalar import current_number as current_number
from to_static.compiler.ops.control.log_write import write as write
from to_static.compiler.ops.control.py_func import py_func as py_func
from to_static.compiler.ops.detection.boxes import anchor_generator as anchor_generator
from to_static.compiler.ops.detection.boxes import box_coder_op as box_coder
from to_static.compiler.ops.detection.boxes import prior_box_op as prior_box
from to_static.compiler.ops.detection.boxes import yolo_box as yolo_box
from to_static.compiler.ops.detection.density import density_prior_box as density_prior_box
from to_static.compiler.ops.detection.matches import bipartite_match as bipartite_match
from to_static.compiler.ops.detection.matches import mine_hard_examples as mine_hard_examples
from to_static.compiler.ops.detection.matrix_nms import matrix_nms_op as matrix_nms
from to_static.compiler.ops.detection.nms import multiclass_nms as multiclass_nms3
from to_static.compiler.ops.detection.nms import nms_op as nms
from to_static.compiler.ops.detection.perspective import roi_perspective_transform as roi_perspective_transform
from to_static.compiler.ops.detection.proposals import distribute_fpn_proposals_op as distribute_fpn_proposals
from to_static.compiler.ops.detection.proposals import generate_proposals_op as generate_proposals
from to_static.compiler.ops.detection.psroi import psroi_pool_grad as psroi_pool_grad
from to_static.compiler.ops.detection.psroi import psroi_pool_op as psroi_pool
from to_static.compiler.ops.detection.regions import roi_align_grad as roi_align_grad
from to_static.compiler.ops.detection.regions import roi_align_op as roi_align
from to_static.compiler.ops.detection.regions import roi_pool_grad as roi_pool_grad
from to_static.compiler.ops.detection.regions import roi_pool_op as roi_pool
from to_static.compiler.ops.detection.regions import roi_pool_pick as roi_pool_pick
from to_static.compiler.ops.dtype_queries import is_complex as is_complex
from to_static.compiler.ops.dtype_queries import is_floating_point as is_floating_point
from to_static.compiler.ops.dtype_queries import is_integer as is_integer
from to_static.compiler.ops.dynamic_sizes import need_alike as need_alike
from to_static.compiler.ops.fused.cross_entropy import label_loss as label_loss
from to_static.compiler.ops.fused.elementwise_chain import chain as chain
from to_static.compiler.ops.fused.foreach_update import packed_update as packed_update
from to_static.compiler.ops.fused.packed_conv import pack_filter as pack_filter
from to_static.compiler.ops.fused.packed_conv import packed_conv as packed_conv
from to_static.compiler.ops.fused.packed_grad import packed_conv_filter as packed_conv_filter
from to_static.compiler.ops.fused.packed_grad import packed_conv_input as packed_conv_input
from to_static.compiler.ops.fused.packed_grad import packed_pool_grad as packed_pool_grad
from to_static.compiler.ops.fused.packed_norm import packed_norm as packed_norm
from to_static.compiler.ops.fused.packed_pool import packed_pool as packed_pool
from to_static.compiler.ops.fused.packed_rnn import pack_gates as pack_gates
from to_static.compiler.ops.fused.packed_rnn import packed_lstm as packed_lstm
from to_static.compiler.ops.fused.packed_rows import packed_rows as packed_rows
from to_static.compiler.ops.fused.packed_softmax import packed_softmax as packed_softmax
from to_static.compiler.ops.graph.graph import graph_reindex as graph_reindex
from to_static.compiler.ops.graph.graph import graph_sample_neighbors as graph_sample_neighbors
from to_static.compiler.ops.graph.graph import segment_extreme as segment_extreme
from to_static.compiler.ops.graph.message_passing import message as message
from to_static.compiler.ops.graph.message_passing import reduced_rows as reduced_rows
from to_static.compiler.ops.indexing.along_axis import index_sample as index_sample
from to_static.compiler.ops.indexing.along_axis import put_along_axis as put_along_axis
from to_static.compiler.ops.indexing.along_axis import take_along_axis as take_along_axis
from to_static.compiler.ops.indexing.embedding import embedding as embedding
from to_static.compiler.ops.indexing.embedding import embedding_grad as embedding_grad
from to_static.compiler.ops.indexing.embedding import one_hot as one_hot
from to_static.compiler.ops.indexing.functional_scatter import diagonal_scatter as diagonal_scatter
from to_static.compiler.ops.indexing.functional_scatter import index_fill as index_fill
from to_static.compiler.ops.indexing.functional_scatter import select_scatter as select_scatter
from to_static.compiler.ops.indexing.gather import gather as gather
from to_static.compiler.ops.indexing.gather import gather_nd as gather_nd
from to_static.compiler.ops.indexing.gather import index_add as index_add
from to_static.compiler.ops.indexing.gather import index_select as index_select
from to_static.compiler.ops.indexing.gather import scatter as scatter
from to_static.compiler.ops.indexing.gather import scatter_nd_add as scatter_nd_add
from to_static.compiler.ops.indexing.gather import take as take
from to_static.compiler.ops.indexing.index import index as index
from to_static.compiler.ops.indexing.index import index_put as index_put
from to_static.compiler.ops.indexing.masked import masked_fill as masked_fill
from to_static.compiler.ops.indexing.masked import masked_select as masked_select
from to_static.compiler.ops.indexing.masked import masked_select_grad as masked_select_grad
from to_static.compiler.ops.indexing.mode import mode as mode
from to_static.compiler.ops.indexing.sort import argmax as argmax
from to_static.compiler.ops.indexing.sort import argmin as argmin
from to_static.compiler.ops.indexing.sort import argsort as argsort
from to_static.compiler.ops.indexing.sort import bucketize as bucketize
from to_static.compiler.ops.indexing.sort import kthvalue as kthvalue
from to_static.compiler.ops.indexing.sort import searchsorted as searchsorted
from to_static.compiler.ops.indexing.sort import sort as sort
from to_static.compiler.ops.indexing.sort import topk as topk
from to_static.compiler.ops.indexing.sort import unique as unique
from to_static.compiler.ops.indexing.sort import unique_consecutive as unique_consecutive
from to_static.compiler.ops.indexing.sort import unique_counts as unique_counts
from to_static.compiler.ops.indexing.sort import unique_values as unique_values
from to_static.compiler.ops.indexing.subscript import cuts_of as cuts_of
from to_static.compiler.ops.indexing.subscript import getitem as getitem
from to_static.compiler.ops.indexing.subscript import setitem as setitem
from to_static.compiler.ops.indexing.where import nonzero as nonzero
from to_static.compiler.ops.indexing.where import where as where
from to_static.compiler.ops.layers.conv import conv2d as conv2d
from to_static.compiler.ops.layers.conv import conv2d_grad_filter as conv2d_grad_filter
from to_static.compiler.ops.layers.conv import conv2d_grad_filter as conv3d_grad_filter
from to_static.compiler.ops.layers.conv import conv2d_grad_input as conv2d_grad_input
from to_static.compiler.ops.layers.conv import conv2d_grad_input as conv3d_grad_input
from to_static.compiler.ops.layers.conv import conv3d as conv3d
from to_static.compiler.ops.layers.conv_transpose import conv2d_transpose as conv2d_transpose
from to_static.compiler.ops.layers.conv_transpose import conv3d_transpose as conv3d_transpose
from to_static.compiler.ops.layers.deform import deformable_conv as deformable_conv
from to_static.compiler.ops.layers.deform import deformable_conv_grad as deformable_conv_grad
from to_static.compiler.ops.layers.dropout import dropout_grad as dropout_grad
from to_static.compiler.ops.layers.dropout import dropout_op as dropout
from to_static.compiler.ops.layers.fold_batch_norm import fold_norm as fold_norm
from to_static.compiler.ops.layers.grid_sample import grid_sample as grid_sample
from to_static.compiler.ops.layers.group_norm import group_norm_op as group_norm
from to_static.compiler.ops.layers.group_norm import instance_norm_op as instance_norm
from to_static.compiler.ops.layers.interpolate import _front as bicubic_interp
from to_static.compiler.ops.layers.interpolate import _front as bilinear_interp
from to_static.compiler.ops.layers.interpolate import _front as linear_interp
from to_static.compiler.ops.layers.interpolate import _front as nearest_interp
from to_static.compiler.ops.layers.interpolate import _front as trilinear_interp
from to_static.compiler.ops.layers.interpolate import interp_grad as interp_grad
from to_static.compiler.ops.layers.norm import batch_norm as batch_norm
from to_static.compiler.ops.layers.norm import layer_norm as layer_norm
from to_static.compiler.ops.layers.norm import standardize_grad as standardize_grad
from to_static.compiler.ops.layers.pool import max_pool2d_with_index as max_pool2d_with_index
from to_static.compiler.ops.layers.pool import max_pool2d_with_index as max_pool3d_with_index
from to_static.compiler.ops.layers.pool import pool2d as pool2d
from to_static.compiler.ops.layers.pool import pool2d_grad as pool2d_grad
from to_static.compiler.ops.layers.pool import pool2d_grad as pool3d_grad
from to_static.compiler.ops.layers.pool import pool2d_pick as pool2d_pick
from to_static.compiler.ops.layers.pool import pool2d_pick as pool3d_pick
from to_static.compiler.ops.layers.pool import pool3d as pool3d
from to_static.compiler.ops.layers.rnn import rnn as rnn
from to_static.compiler.ops.layers.rnn import rnn_grad as rnn_grad
from to_static.compiler.ops.layers.sampling import affine_grid as affine_grid
from to_static.compiler.ops.layers.sampling import max_unpool2d as max_unpool2d
from to_static.compiler.ops.layers.sampling import max_unpool3d as max_unpool3d
from to_static.compiler.ops.layers.softmax import log_softmax as log_softmax
from to_static.compiler.ops.layers.softmax import maxout as maxout
from to_static.compiler.ops.layers.softmax import softmax as softmax
from to_static.compiler.ops.layers.softmax import softmax_grad as softmax_grad
from to_static.compiler.ops.linalg.composite import cholesky_solve as cholesky_solve
from to_static.compiler.ops.linalg.composite import cond as cond
from to_static.compiler.ops.linalg.composite import corrcoef as corrcoef
from to_static.compiler.ops.linalg.composite import cov as cov
from to_static.compiler.ops.linalg.composite import matrix_rank as matrix_rank
from to_static.compiler.ops.linalg.composite import multi_dot as multi_dot
from to_static.compiler.ops.linalg.composite import pinv as pinv
from to_static.compiler.ops.linalg.decompose import eigh as eigh
from to_static.compiler.ops.linalg.decompose import eigvalsh as eigvalsh
from to_static.compiler.ops.linalg.decompose import svd as svd
from to_static.compiler.ops.linalg.eigen import eig as eig
from to_static.compiler.ops.linalg.eigen import eigvals as eigvals
from to_static.compiler.ops.linalg.einsum import einsum as einsum
from to_static.compiler.ops.linalg.factor import lu as lu
from to_static.compiler.ops.linalg.factor import lu_unpack as lu_unpack
from to_static.compiler.ops.linalg.factor import permutation as lu_permutation
from to_static.compiler.ops.linalg.factor import qr as qr
from to_static.compiler.ops.linalg.least_squares import householder_product as householder_product
from to_static.compiler.ops.linalg.least_squares import lstsq as lstsq
from to_static.compiler.ops.linalg.least_squares import pca_lowrank as pca_lowrank
from to_static.compiler.ops.linalg.matmul import addmm as addmm
from to_static.compiler.ops.linalg.matmul import bmm as bmm
from to_static.compiler.ops.linalg.matmul import dot as dot
from to_static.compiler.ops.linalg.matmul import inner as inner
from to_static.compiler.ops.linalg.matmul import kron as kron
from to_static.compiler.ops.linalg.matmul import matmul as matmul
from to_static.compiler.ops.linalg.matmul import mm as mm
from to_static.compiler.ops.linalg.matmul import mv as mv
from to_static.compiler.ops.linalg.matmul import operator_matmul as operator_matmul
from to_static.compiler.ops.linalg.matmul import outer as outer
from to_static.compiler.ops.linalg.solve import cholesky as cholesky
from to_static.compiler.ops.linalg.solve import det as determinant
from to_static.compiler.ops.linalg.solve import inverse as inverse
from to_static.compiler.ops.linalg.solve import matrix_power as matrix_power
from to_static.compiler.ops.linalg.solve import slogdet as slogdeterminant
from to_static.compiler.ops.linalg.solve import solve as solve
from to_static.compiler.ops.linalg.solve import triangular_solve as triangular_solve
from to_static.compiler.ops.losses.beam_search import class_center_sample_op as class_center_sample
from to_static.compiler.ops.losses.beam_search import gather_tree as gather_tree
from to_static.compiler.ops.losses.cross_entropy import count_labels as count_labels
from to_static.compiler.ops.losses.cross_entropy import cross_entropy_grad as cross_entropy_grad
from to_static.compiler.ops.losses.cross_entropy import cross_entropy_op as cross_entropy
from to_static.compiler.ops.losses.nll_loss import nll_loss_op as nll_loss
from to_static.compiler.ops.losses.pointwise_loss import bce_loss as bce_loss
from to_static.compiler.ops.losses.pointwise_loss import huber_loss as huber_loss
from to_static.compiler.ops.losses.pointwise_loss import kldiv_loss as kldiv_loss
from to_static.compiler.ops.losses.pointwise_loss import label_smooth as label_smooth
from to_static.compiler.ops.losses.pointwise_loss import log_loss as log_loss
from to_static.compiler.ops.losses.pointwise_loss import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from to_static.compiler.ops.losses.sequence_loss import alignment_gradient as alignment_gradient
from to_static.compiler.ops.losses.sequence_loss import warpctc as warpctc
from to_static.compiler.ops.losses.sequence_loss import warprnnt as warprnnt
from to_static.compiler.ops.losses.viterbi import viterbi_decode as viterbi_decode
from to_static.compiler.ops.losses.yolo_loss import yolo_loss_grad as yolo_loss_grad
from to_static.compiler.ops.losses.yolo_loss import yolo_loss_op as yolo_loss
from to_static.compiler.ops.optimizer.sparse_updates import row_adam as row_adam
from to_static.compiler.ops.optimizer.sparse_updates import row_adamw as row_adamw
from to_static.compiler.ops.optimizer.sparse_updates import row_sgd as row_sgd
from to_static.compiler.ops.optimizer.updates import adam as adam
from to_static.compiler.ops.optimizer.updates import adamw as adamw
from to_static.compiler.ops.optimizer.updates import momentum as momentum
from to_static.compiler.ops.optimizer.updates import sgd as sgd
from to_static.compiler.ops.pointwise.activation import celu as celu
from to_static.compiler.ops.pointwise.activation import elu as elu
from to_static.compiler.ops.pointwise.activation import hardshrink as hardshrink
from to_static.compiler.ops.pointwise.activation import hardtanh as hardtanh
from to_static.compiler.ops.pointwise.activation import leaky_relu as leaky_relu
from to_static.compiler.ops.pointwise.activation import prelu as prelu
from to_static.compiler.ops.pointwise.activation import relu as relu
from to_static.compiler.ops.pointwise.activation import relu6 as relu6
from to_static.compiler.ops.pointwise.activation import relu_grad as relu_grad
from to_static.compiler.ops.pointwise.activation import selu as selu
from to_static.compiler.ops.pointwise.activation import softshrink as softshrink
from to_static.compiler.ops.pointwise.activation import thresholded_relu as thresholded_relu
from to_static.compiler.ops.pointwise.bessel import i0 as i0
from to_static.compiler.ops.pointwise.bessel import i0e as i0e
from to_static.compiler.ops.pointwise.bessel import i1 as i1
from to_static.compiler.ops.pointwise.bessel import i1e as i1e
from to_static.compiler.ops.pointwise.binary_special import atan2 as atan2
from to_static.compiler.ops.pointwise.binary_special import gcd as gcd
from to_static.compiler.ops.pointwise.binary_special import heaviside as heaviside
from to_static.compiler.ops.pointwise.binary_special import hypot as hypot
from to_static.compiler.ops.pointwise.binary_special import lcm as lcm
from to_static.compiler.ops.pointwise.binary_special import logaddexp as logaddexp
from to_static.compiler.ops.pointwise.compare import allclose as allclose
from to_static.compiler.ops.pointwise.compare import equal as equal
from to_static.compiler.ops.pointwise.compare import equal_all as equal_all
from to_static.compiler.ops.pointwise.compare import greater_equal as greater_equal
from to_static.compiler.ops.pointwise.compare import greater_than as greater_than
from to_static.compiler.ops.pointwise.compare import isclose as isclose
from to_static.compiler.ops.pointwise.compare import less_equal as less_equal
from to_static.compiler.ops.pointwise.compare import less_than as less_than
from to_static.compiler.ops.pointwise.compare import not_equal as not_equal
from to_static.compiler.ops.pointwise.complex import angle as angle
from to_static.compiler.ops.pointwise.complex import as_complex as as_complex
from to_static.compiler.ops.pointwise.complex import as_real as as_real
from to_static.compiler.ops.pointwise.complex import complex as complex
from to_static.compiler.ops.pointwise.complex import conj as conj
from to_static.compiler.ops.pointwise.complex import imag as imag
from to_static.compiler.ops.pointwise.complex import polar as polar
from to_static.compiler.ops.pointwise.complex import real as real
from to_static.compiler.ops.pointwise.complex import sgn as sgn
from to_static.compiler.ops.pointwise.elementwise import _integer_quotient as integer_divide
from to_static.compiler.ops.pointwise.elementwise import add as add
from to_static.compiler.ops.pointwise.elementwise import divide as divide
from to_static.compiler.ops.pointwise.elementwise import floor_divide as floor_divide
from to_static.compiler.ops.pointwise.elementwise import mod as mod
from to_static.compiler.ops.pointwise.elementwise import multiply as multiply
from to_static.compiler.ops.pointwise.elementwise import remainder as floor_mod
from to_static.compiler.ops.pointwise.elementwise import remainder as remainder
from to_static.compiler.ops.pointwise.elementwise import subtract as subtract
from to_static.compiler.ops.pointwise.elementwise import sum_to as sum_to
from to_static.compiler.ops.pointwise.elementwise import truediv as truediv
from to_static.compiler.ops.pointwise.exponents import frexp as frexp
from to_static.compiler.ops.pointwise.exponents import frexp_exponent as frexp_exponent
from to_static.compiler.ops.pointwise.exponents import ldexp as ldexp
from to_static.compiler.ops.pointwise.exponents import nextafter as nextafter
from to_static.compiler.ops.pointwise.gamma import digamma as digamma
from to_static.compiler.ops.pointwise.gamma import lgamma as lgamma
from to_static.compiler.ops.pointwise.gamma import multigammaln as multigammaln
from to_static.compiler.ops.pointwise.gamma import polygamma as polygamma
from to_static.compiler.ops.pointwise.logic import bitwise_and as bitwise_and
from to_static.compiler.ops.pointwise.logic import bitwise_not as bitwise_not
from to_static.compiler.ops.pointwise.logic import bitwise_or as bitwise_or
from to_static.compiler.ops.pointwise.logic import bitwise_xor as bitwise_xor
from to_static.compiler.ops.pointwise.logic import isfinite as isfinite
from to_static.compiler.ops.pointwise.logic import isinf as isinf
from to_static.compiler.ops.pointwise.logic import isnan as isnan
from to_static.compiler.ops.pointwise.logic import logical_and as logical_and
from to_static.compiler.ops.pointwise.logic import logical_not as logical_not
from to_static.compiler.ops.pointwise.logic import logical_or as logical_or
from to_static.compiler.ops.pointwise.logic import logical_xor as logical_xor
from to_static.compiler.ops.pointwise.min_max import fmax as fmax
from to_static.compiler.ops.pointwise.min_max import fmin as fmin
from to_static.compiler.ops.pointwise.min_max import maximum as maximum
from to_static.compiler.ops.pointwise.min_max import minimum as minimum
from to_static.compiler.ops.pointwise.power import operator_pow as operator_pow
from to_static.compiler.ops.pointwise.power import pow as pow
from to_static.compiler.ops.pointwise.scale import clip as clip
from to_static.compiler.ops.pointwise.scale import frac as frac
from to_static.compiler.ops.pointwise.scale import increment as increment
from to_static.compiler.ops.pointwise.scale import lerp as lerp
from to_static.compiler.ops.pointwise.scale import logit as logit
from to_static.compiler.ops.pointwise.scale import nan_to_num as nan_to_num
from to_static.compiler.ops.pointwise.scale import scale as scale
from to_static.compiler.ops.pointwise.scale import stanh as stanh
from to_static.compiler.ops.pointwise.sigmoidal import gelu as gelu
from to_static.compiler.ops.pointwise.sigmoidal import hardsigmoid as hardsigmoid
from to_static.compiler.ops.pointwise.sigmoidal import hardswish as hardswish
from to_static.compiler.ops.pointwise.sigmoidal import log_sigmoid as log_sigmoid
from to_static.compiler.ops.pointwise.sigmoidal import mish as mish
from to_static.compiler.ops.pointwise.sigmoidal import silu as silu
from to_static.compiler.ops.pointwise.sigmoidal import softplus as softplus
from to_static.compiler.ops.pointwise.sigmoidal import softsign as softsign
from to_static.compiler.ops.pointwise.sigmoidal import swish as swish
from to_static.compiler.ops.pointwise.sigmoidal import tanhshrink as tanhshrink
from to_static.compiler.ops.pointwise.special import erf as erf
from to_static.compiler.ops.pointwise.special import erfinv as erfinv
from to_static.compiler.ops.pointwise.unary import abs as abs
from to_static.compiler.ops.pointwise.unary import acos as acos
from to_static.compiler.ops.pointwise.unary import acosh as acosh
from to_static.compiler.ops.pointwise.unary import asin as asin
from to_static.compiler.ops.pointwise.unary import asinh as asinh
from to_static.compiler.ops.pointwise.unary import atan as atan
from to_static.compiler.ops.pointwise.unary import atanh as atanh
from to_static.compiler.ops.pointwise.unary import ceil as ceil
from to_static.compiler.ops.pointwise.unary import cos as cos
from to_static.compiler.ops.pointwise.unary import cosh as cosh
from to_static.compiler.ops.pointwise.unary import deg2rad as deg2rad
from to_static.compiler.ops.pointwise.unary import exp as exp
from to_static.compiler.ops.pointwise.unary import expm1 as expm1
from to_static.compiler.ops.pointwise.unary import floor as floor
from to_static.compiler.ops.pointwise.unary import log as log
from to_static.compiler.ops.pointwise.unary import log10 as log10
from to_static.compiler.ops.pointwise.unary import log1p as log1p
from to_static.compiler.ops.pointwise.unary import log2 as log2
from to_static.compiler.ops.pointwise.unary import neg as neg
from to_static.compiler.ops.pointwise.unary import rad2deg as rad2deg
from to_static.compiler.ops.pointwise.unary import reciprocal as reciprocal
from to_static.compiler.ops.pointwise.unary import round as round
from to_static.compiler.ops.pointwise.unary import rsqrt as rsqrt
from to_static.compiler.ops.pointwise.unary import sigmoid as sigmoid
from to_static.compiler.ops.pointwise.unary import sign as sign
from to_static.compiler.ops.pointwise.unary import sin as sin
from to_static.compiler.ops.pointwise.unary import sinh as sinh
from to_static.compiler.ops.pointwise.unary import sqrt as sqrt
from to_static.compiler.ops.pointwise.unary import square as square
from to_static.compiler.ops.pointwise.unary import tan as tan
from to_static.compiler.ops.pointwise.unary import tanh as tanh
from to_static.compiler.ops.pointwise.unary import trunc as trunc
from to_static.compiler.ops.python_scalar import python as python
from to_static.compiler.ops.python_scalar import python_order as python_order
from to_static.compiler.ops.quantized.fake import fake_channel_wise_quantize_abs_max as fake_channel_wise_quantize_abs_max
from to_static.compiler.ops.quantized.fake import fake_channel_wise_quantize_dequantize_abs_max as fake_channel_wise_quantize_dequantize_abs_max
from to_static.compiler.ops.quantized.fake import fake_quantize_abs_max as fake_quantize_abs_max
from to_static.compiler.ops.quantized.fake import fake_quantize_dequantize_abs_max as fake_quantize_dequantize_abs_max
from to_static.compiler.ops.quantized.fake import fake_quantize_dequantize_moving_average_abs_max as fake_quantize_dequantize_moving_average_abs_max
from to_static.compiler.ops.quantized.fake import fake_quantize_moving_average_abs_max as fake_quantize_moving_average_abs_max
from to_static.compiler.ops.quantized.linear import dequantize_linear as dequantize_linear
from to_static.compiler.ops.quantized.linear import quantize_linear as quantize_linear
from to_static.compiler.ops.quantized.observing import moving_average_abs_max_scale as moving_average_abs_max_scale
from to_static.compiler.ops.random.dirichlet import dirichlet as dirichlet
from to_static.compiler.ops.random.random import bernoulli as bernoulli
from to_static.compiler.ops.random.random import gaussian as gaussian
from to_static.compiler.ops.random.random import multinomial as multinomial
from to_static.compiler.ops.random.random import normal_in_place as normal_
from to_static.compiler.ops.random.random import randint as randint
from to_static.compiler.ops.random.random import randperm as randperm
from to_static.compiler.ops.random.random import set_seed as set_seed
from to_static.compiler.ops.random.random import uniform as uniform
from to_static.compiler.ops.random.random import uniform_in_place as uniform_
from to_static.compiler.ops.random.samplers import cauchy_ as cauchy_
from to_static.compiler.ops.random.samplers import exponential_ as exponential_
from to_static.compiler.ops.random.samplers import geometric_ as geometric_
from to_static.compiler.ops.random.samplers import gumbel_quantile as gumbel_quantile
from to_static.compiler.ops.random.samplers import poisson as poisson
from to_static.compiler.ops.random.samplers import random_slope as rrelu
from to_static.compiler.ops.reductions.distances import cdist as cdist
from to_static.compiler.ops.reductions.distances import renorm as renorm
from to_static.compiler.ops.reductions.norms import cross as cross
from to_static.compiler.ops.reductions.norms import dist as dist
from to_static.compiler.ops.reductions.norms import norm as norm
from to_static.compiler.ops.reductions.norms import p_norm as p_norm
from to_static.compiler.ops.reductions.reduce import all as all
from to_static.compiler.ops.reductions.reduce import amax as amax
from to_static.compiler.ops.reductions.reduce import amin as amin
from to_static.compiler.ops.reductions.reduce import any as any
from to_static.compiler.ops.reductions.reduce import logsumexp as logsumexp
from to_static.compiler.ops.reductions.reduce import max as max
from to_static.compiler.ops.reductions.reduce import mean as mean
from to_static.compiler.ops.reductions.reduce import min as min
from to_static.compiler.ops.reductions.reduce import sum as sum
from to_static.compiler.ops.reductions.scan import cummax as cummax
from to_static.compiler.ops.reductions.scan import cummin as cummin
from to_static.compiler.ops.reductions.scan import cumprod as cumprod
from to_static.compiler.ops.reductions.scan import cumsum as cumsum
from to_static.compiler.ops.reductions.scan import logcumsumexp as logcumsumexp
from to_static.compiler.ops.reductions.scan import prod as prod
from to_static.compiler.ops.reductions.statistics import bincount as bincount
from to_static.compiler.ops.reductions.statistics import count_nonzero as count_nonzero
from to_static.compiler.ops.reductions.statistics import histogram as histogram
from to_static.compiler.ops.reductions.statistics import median as median
from to_static.compiler.ops.reductions.statistics import nanmean as nanmean
from to_static.compiler.ops.reductions.statistics import nanmedian as nanmedian
from to_static.compiler.ops.reductions.statistics import nanquantile as nanquantile
from to_static.compiler.ops.reductions.statistics import nansum as nansum
from to_static.compiler.ops.reductions.statistics import quantile as quantile
from to_static.compiler.ops.reductions.statistics import std as std
from to_static.compiler.ops.reductions.statistics import var as var
from to_static.compiler.ops.reductions.trapezoids import cumulative_trapezoid as cumulative_trapezoid
from to_static.compiler.ops.reductions.trapezoids import trapezoid as trapezoid
from to_static.compiler.ops.sequence.crf import crf_path as crf_path
from to_static.compiler.ops.sequence.lod import sequence_rows as sequence_rows
from to_static.compiler.ops.shapes.atleast_nd import atleast_1d as atleast_1d
from to_static.compiler.ops.shapes.atleast_nd import atleast_2d as atleast_2d
from to_static.compiler.ops.shapes.atleast_nd import atleast_3d as atleast_3d
from to_static.compiler.ops.shapes.combinations import combinations as combinations
from to_static.compiler.ops.shapes.combinations import vander as vander
from to_static.compiler.ops.shapes.concat_split import chunk as chunk
from to_static.compiler.ops.shapes.concat_split import concat as concat
from to_static.compiler.ops.shapes.concat_split import meshgrid as meshgrid
from to_static.compiler.ops.shapes.concat_split import split as split
from to_static.compiler.ops.shapes.concat_split import stack as stack
from to_static.compiler.ops.shapes.concat_split import unbind as unbind
from to_static.compiler.ops.shapes.concat_split import unstack as unstack
from to_static.compiler.ops.shapes.concat_split import vsplit as vsplit
from to_static.compiler.ops.shapes.create import cast as astype
from to_static.compiler.ops.shapes.create import converted as cast
from to_static.compiler.ops.shapes.create import fill_in_place as fill_
from to_static.compiler.ops.shapes.create import full as full
from to_static.compiler.ops.shapes.create import full_like as full_like
from to_static.compiler.ops.shapes.create import is_tensor as is_tensor
from to_static.compiler.ops.shapes.create import narrow as narrow
from to_static.compiler.ops.shapes.create import ones_like as ones_like
from to_static.compiler.ops.shapes.create import to_tensor as to_tensor
from to_static.compiler.ops.shapes.create import zero_in_place as zero_
from to_static.compiler.ops.shapes.create import zeros_like as zeros_like
from to_static.compiler.ops.shapes.diagonal import diag as diag
from to_static.compiler.ops.shapes.diagonal import diag_embed as diag_embed
from to_static.compiler.ops.shapes.diagonal import diag_op as diag_v2
from to_static.compiler.ops.shapes.diagonal import diagflat as diagflat
from to_static.compiler.ops.shapes.diagonal import diagonal as diagonal
from to_static.compiler.ops.shapes.diagonal import fill_diagonal_in_place as fill_diagonal_
from to_static.compiler.ops.shapes.diagonal import fill_diagonal_tensor as fill_diagonal_tensor
from to_static.compiler.ops.shapes.diagonal import fill_diagonal_tensor_ as fill_diagonal_tensor_
from to_static.compiler.ops.shapes.diagonal import trace as trace
from to_static.compiler.ops.shapes.diagonal import tril as tril
from to_static.compiler.ops.shapes.diagonal import tril_triu as tril_triu
from to_static.compiler.ops.shapes.diagonal import triu as triu
from to_static.compiler.ops.shapes.expand import broadcast_tensors as broadcast_tensors
from to_static.compiler.ops.shapes.expand import broadcast_to as broadcast_to
from to_static.compiler.ops.shapes.expand import expand as expand
from to_static.compiler.ops.shapes.expand import expand_as as expand_as
from to_static.compiler.ops.shapes.expand import repeat_interleave as repeat_interleave
from to_static.compiler.ops.shapes.expand import tile as tile
from to_static.compiler.ops.shapes.flip_roll import flip as flip
from to_static.compiler.ops.shapes.flip_roll import roll as roll
from to_static.compiler.ops.shapes.flip_roll import rot90 as rot90
from to_static.compiler.ops.shapes.im2col import channel_shuffle as channel_shuffle
from to_static.compiler.ops.shapes.im2col import fold as fold
from to_static.compiler.ops.shapes.im2col import pixel_shuffle as pixel_shuffle
from to_static.compiler.ops.shapes.im2col import pixel_unshuffle as pixel_unshuffle
from to_static.compiler.ops.shapes.im2col import temporal_shift as temporal_shift
from to_static.compiler.ops.shapes.im2col import temporal_shift_grad as temporal_shift_grad
from to_static.compiler.ops.shapes.im2col import unfold as unfold
from to_static.compiler.ops.shapes.im2col import unfold_grad as unfold_grad
from to_static.compiler.ops.shapes.pad import pad3d as pad3d
from to_static.compiler.ops.shapes.pad import pad3d_grad as pad3d_grad
from to_static.compiler.ops.shapes.pad import pad_op as pad
from to_static.compiler.ops.shapes.reshape import bits as bits
from to_static.compiler.ops.shapes.reshape import contiguous as contiguous
from to_static.compiler.ops.shapes.reshape import flatten as flatten
from to_static.compiler.ops.shapes.reshape import is_contiguous as is_contiguous
from to_static.compiler.ops.shapes.reshape import moveaxis as moveaxis
from to_static.compiler.ops.shapes.reshape import reshape as reshape
from to_static.compiler.ops.shapes.reshape import reshape_as as reshape_as
from to_static.compiler.ops.shapes.reshape import squeeze as squeeze
from to_static.compiler.ops.shapes.reshape import swapaxes as swapaxes
from to_static.compiler.ops.shapes.reshape import t as t
from to_static.compiler.ops.shapes.reshape import transpose as transpose
from to_static.compiler.ops.shapes.reshape import unflatten as unflatten
from to_static.compiler.ops.shapes.reshape import unsqueeze as unsqueeze
from to_static.compiler.ops.shapes.reshape import view as view
from to_static.compiler.ops.shapes.reshape import view_as as view_as
from to_static.compiler.ops.shapes.sequence import arange as arange
from to_static.compiler.ops.shapes.sequence import eye as eye
from to_static.compiler.ops.shapes.sequence import linspace as linspace
from to_static.compiler.ops.shapes.sequence import logspace as logspace
from to_static.compiler.ops.shapes.sequence import range_op as range
from to_static.compiler.ops.shapes.shard_index import shard_index as shard_index
from to_static.compiler.ops.shapes.sizes import dim_size as dim_size
from to_static.compiler.ops.shapes.sizes import is_empty as is_empty
from to_static.compiler.ops.shapes.sizes import numel as numel
from to_static.compiler.ops.shapes.sizes import rank as rank
from to_static.compiler.ops.shapes.sizes import shape as shape
from to_static.compiler.ops.shapes.slice import set_value as set_value
from to_static.compiler.ops.shapes.slice import slice_op as slice
from to_static.compiler.ops.shapes.slice_functions import crop as crop
from to_static.compiler.ops.shapes.slice_functions import diff as diff
from to_static.compiler.ops.shapes.slice_functions import strided_slice as strided_slice
from to_static.compiler.ops.shapes.slice_functions import tensordot as tensordot
from to_static.compiler.ops.shapes.strided import as_strided as as_strided
from to_static.compiler.ops.spectral.fourier import c2c as fft_c2c
from to_static.compiler.ops.spectral.fourier import c2r as fft_c2r
from to_static.compiler.ops.spectral.fourier import r2c as fft_r2c
from to_static.compiler.ops.spectral.frames import frame as frame
from to_static.compiler.ops.spectral.frames import frame_grad as frame_grad
from to_static.compiler.ops.spectral.frames import overlap_add as overlap_add
from to_static.compiler.ops.spectral.stft import istft as istft
from to_static.compiler.ops.spectral.stft import stft as stft
from to_static.compiler.ops.tensor_list.lists import list_add as list_add
from to_static.compiler.ops.tensor_list.lists import list_append as list_append
from to_static.compiler.ops.tensor_list.lists import list_concat as list_concat
from to_static.compiler.ops.tensor_list.lists import list_find as list_find
from to_static.compiler.ops.tensor_list.lists import list_get as list_get
from to_static.compiler.ops.tensor_list.lists import list_insert as list_insert
from to_static.compiler.ops.tensor_list.lists import list_len as list_len
from to_static.compiler.ops.tensor_list.lists import list_new as list_new
from to_static.compiler.ops.tensor_list.lists import list_pop as list_pop
from to_static.compiler.ops.tensor_list.lists import list_set as list_set
from to_static.compiler.ops.tensor_list.lists import list_split as list_split
from to_static.compiler.ops.tensor_list.lists import list_stack as list_stack
from to_static.compiler.ops.tensor_list.lists import list_unstack as list_unstack
from to_static.compiler.ops.tensor_list.lists import list_zeros as list_zeros
from to_static.compiler.ops.tensor_methods import where_ as where_

__all__ = [
    'abs',
    'acos',
    'acosh',
    'adam',
    'adamw',
    'add',
    'addmm',
    'affine_grid',
    'alignment_gradient',
    'all',
    'allclose',
    'amax',
    'amin',
    'anchor_generator',
    'angle',
    'any',
    'arange',
    'argmax',
    'argmin',
    'argsort',
    'as_complex',
    'as_leaf',
    'as_real',
    'as_strided',
    'asin',
    'asinh',
    'assert_',
    'assign',
    'astype',
    'atan',
    'atan2',
    'atanh',
    'atleast_1d',
    'atleast_2d',
    'atleast_3d',
    'batch_norm',
    'bce_loss',
    'bernoulli',
    'bicubic_interp',
    'bilinear_interp',
    'bincount',
    'bipartite_match',
    'bits',
    'bitwise_and',
    'bitwise_not',
    'bitwise_or',
    'bitwise_xor',
    'bmm',
    'box_coder',
    'broadcast_tensors',
    'broadcast_to',
    'bucketize',
    'cast',
    'cauchy_',
    'cdist',
    'ceil',
    'celu',
    'chain',
    'channel_shuffle',
    'cholesky',
    'cholesky_solve',
    'chunk',
    'class_center_sample',
    'clip',
    'clone',
    'combinations',
    'complex',
    'concat',
    'cond',
    'conj',
    'constant',
    'contiguous',
    'conv2d',
    'conv2d_grad_filter',
    'conv2d_grad_input',
    'conv2d_transpose',
    'conv3d',
    'conv3d_grad_filter',
    'conv3d_grad_input',
    'conv3d_transpose',
    'corrcoef',
    'cos',
    'cosh',
    'count_labels',
    'count_nonzero',
    'cov',
    'crf_path',
    'crop',
    'cross',
    'cross_entropy',
    'cross_entropy_grad',
    'cummax',
    'cummin',
    'cumprod',
    'cumsum',
    'cumulative_trapezoid',
    'current_number',
    'custom_gradient',
    'cuts_of',
    'deformable_conv',
    'deformable_conv_grad',
    'deg2rad',
    'density_prior_box',
    'dequantize_linear',
    'determinant',
    'diag',
    'diag_embed',
    'diag_v2',
    'diagflat',
    'diagonal',
    'diagonal_scatter',
    'diff',
    'digamma',
    'dim_size',
    'dirichlet',
    'dist',
    'distribute_fpn_proposals',
    'divide',
    'dot',
    'dropout',
    'dropout_grad',
    'eig',
    'eigh',
    'eigvals',
    'eigvalsh',
    'einsum',
    'elu',
    'embedding',
    'embedding_grad',
    'equal',
    'equal_all',
    'erf',
    'erfinv',
    'exp',
    'expand',
    'expand_as',
    'expm1',
    'exponential_',
    'eye',
    'fake_channel_wise_quantize_abs_max',
    'fake_channel_wise_quantize_dequantize_abs_max',
    'fake_quantize_abs_max',
    'fake_quantize_dequantize_abs_max',
    'fake_quantize_dequantize_moving_average_abs_max',
    'fake_quantize_moving_average_abs_max',
    'fft_c2c',
    'fft_c2r',
    'fft_r2c',
    'fill_',
    'fill_diagonal_',
    'fill_diagonal_tensor',
    'fill_diagonal_tensor_',
    'flatten',
    'flip',
    'floor',
    'floor_divide',
    'floor_mod',
    'fmax',
    'fmin',
    'fold',
    'fold_norm',
    'frac',
    'frame',
    'frame_grad',
    'frexp',
    'frexp_exponent',
    'full',
    'full_like',
    'gather',
    'gather_nd',
    'gather_tree',
    'gaussian',
    'gcd',
    'gelu',
    'generate_proposals',
    'geometric_',
    'getitem',
    'graph_reindex',
    'graph_sample_neighbors',
    'greater_equal',
    'greater_than',
    'grid_sample',
    'group_norm',
    'gumbel_quantile',
    'hardshrink',
    'hardsigmoid',
    'hardswish',
    'hardtanh',
    'heaviside',
    'histogram',
    'householder_product',
    'huber_loss',
    'hypot',
    'i0',
    'i0e',
    'i1',
    'i1e',
    'imag',
    'increment',
    'index',
    'index_add',
    'index_fill',
    'index_put',
    'index_sample',
    'index_select',
    'inner',
    'instance_norm',
    'integer_divide',
    'interp_grad',
    'inverse',
    'is_complex',
    'is_contiguous',
    'is_empty',
    'is_floating_point',
    'is_integer',
    'is_tensor',
    'isclose',
    'isfinite',
    'isinf',
    'isnan',
    'istft',
    'kldiv_loss',
    'kron',
    'kthvalue',
    'label_loss',
    'label_smooth',
    'layer_norm',
    'lcm',
    'ldexp',
    'leaky_relu',
    'lerp',
    'less_equal',
    'less_than',
    'lgamma',
    'linear_interp',
    'linspace',
    'list_add',
    'list_append',
    'list_concat',
    'list_find',
    'list_get',
    'list_insert',
    'list_len',
    'list_new',
    'list_pop',
    'list_set',
    'list_split',
    'list_stack',
    'list_unstack',
    'list_zeros',
    'log',
    'log10',
    'log1p',
    'log2',
    'log_loss',
    'log_sigmoid',
    'log_softmax',
    'logaddexp',
    'logcumsumexp',
    'logical_and',
    'logical_not',
    'logical_or',
    'logical_xor',
    'logit',
    'logspace',
    'logsumexp',
    'lstsq',
    'lu',
    'lu_permutation',
    'lu_unpack',
    'masked_fill',
    'masked_select',
    'masked_select_grad',
    'matmul',
    'matrix_nms',
    'matrix_power',
    'matrix_rank',
    'max',
    'max_pool2d_with_index',
    'max_pool3d_with_index',
    'max_unpool2d',
    'max_unpool3d',
    'maximum',
    'maxout',
    'mean',
    'median',
    'meshgrid',
    'message',
    'min',
    'mine_hard_examples',
    'minimum',
    'mish',
    'mm',
    'mod',
    'mode',
    'momentum',
    'moveaxis',
    'moving_average_abs_max_scale',
    'multi_dot',
    'multiclass_nms3',
    'multigammaln',
    'multinomial',
    'multiply',
    'mv',
    'nan_to_num',
    'nanmean',
    'nanmedian',
    'nanquantile',
    'nansum',
    'narrow',
    'nearest_interp',
    'need_alike',
    'neg',
    'nextafter',
    'nll_loss',
    'nms',
    'nonzero',
    'norm',
    'normal_',
    'not_equal',
    'numel',
    'one_hot',
    'ones_like',
    'operator_matmul',
    'operator_pow',
    'outer',
    'overlap_add',
    'p_norm',
    'pack_filter',
    'pack_gates',
    'packed_conv',
    'packed_conv_filter',
    'packed_conv_input',
    'packed_lstm',
    'packed_norm',
    'packed_pool',
    'packed_pool_grad',
    'packed_rows',
    'packed_softmax',
    'packed_update',
    'pad',
    'pad3d',
    'pad3d_grad',
    'pca_lowrank',
    'pinv',
    'pixel_shuffle',
    'pixel_unshuffle',
    'poisson',
    'polar',
    'polygamma',
    'pool2d',
    'pool2d_grad',
    'pool2d_pick',
    'pool3d',
    'pool3d_grad',
    'pool3d_pick',
    'pow',
    'prelu',
    'print',
    'prior_box',
    'prod',
    'psroi_pool',
    'psroi_pool_grad',
    'put_along_axis',
    'py_func',
    'python',
    'python_order',
    'qr',
    'quantile',
    'quantize_linear',
    'rad2deg',
    'randint',
    'randperm',
    'range',
    'rank',
    'real',
    'reciprocal',
    'reduced_rows',
    'relu',
    'relu6',
    'relu_grad',
    'remainder',
    'renorm',
    'repeat_interleave',
    'reshape',
    'reshape_as',
    'rnn',
    'rnn_grad',
    'roi_align',
    'roi_align_grad',
    'roi_perspective_transform',
    'roi_pool',
    'roi_pool_grad',
    'roi_pool_pick',
    'roll',
    'rot90',
    'round',
    'row_adam',
    'row_adamw',
    'row_sgd',
    'rrelu',
    'rsqrt',
    'scale',
    'scatter',
    'scatter_nd_add',
    'searchsorted',
    'segment_extreme',
    'select_scatter',
    'selu',
    'sequence_rows',
    'set_seed',
    'set_value',
    'setitem',
    'sgd',
    'sgn',
    'shape',
    'shard_index',
    'sigmoid',
    'sigmoid_cross_entropy_with_logits',
    'sign',
    'silu',
    'sin',
    'sinh',
    'slice',
    'slogdeterminant',
    'softmax',
    'softmax_grad',
    'softplus',
    'softshrink',
    'softsign',
    'solve',
    'sort',
    'split',
    'sqrt',
    'square',
    'squeeze',
    'stack',
    'standardize_grad',
    'stanh',
    'std',
    'stft',
    'strided_slice',
    'subtract',
    'sum',
    'sum_to',
    'svd',
    'swapaxes',
    'swish',
    't',
    'take',
    'take_along_axis',
    'tan',
    'tanh',
    'tanhshrink',
    'temporal_shift',
    'temporal_shift_grad',
    'tensordot',
    'thresholded_relu',
    'tile',
    'to_tensor',
    'topk',
    'trace',
    'transpose',
    'trapezoid',
    'triangular_solve',
    'tril',
    'tril_triu',
    'trilinear_interp',
    'triu',
    'truediv',
    'trunc',
    'unbind',
    'unflatten',
    'unfold',
    'unfold_grad',
    'uniform',
    'uniform_',
    'unique',
    'unique_consecutive',
    'unique_counts',
    'unique_values',
    'unsqueeze',
    'unstack',
    'vander',
    'var',
    'view',
    'view_as',
    'viterbi_decode',
    'vsplit',
    'warpctc',
    'warprnnt',
    'where',
    'where_',
    'while_loop',
    'write',
    'yolo_box',
    'yolo_loss',
    'yolo_loss_grad',
    'zero_',
    'zeros_like',
]
