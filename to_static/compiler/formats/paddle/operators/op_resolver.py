"""Resolves a file's op type to its reader, or to the operator that declares this type."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from to_static.compiler.formats.paddle.operators import graphs, op_decompositions, quantized, recurrent  # noqa: F401  (they add to READERS)
from to_static.compiler.formats.paddle.operators.lazy_op_lookup import operator
from to_static.compiler.formats.paddle.operators.op_compat import OLD_NAMES, READERS
from to_static.compiler.formats.paddle.operators.op_reader import PIECES, OpReader

# modules of readers that few files need, by the types that they read
LATE = {
    op_type: module
    for module, op_types in {
        "sequences": "crf_decoding ctc_align gru gru_unit im2sequence linear_chain_crf lod_reset lstm lstm_unit lstmp row_conv "
        "sequence_concat sequence_conv sequence_enumerate sequence_erase sequence_expand sequence_expand_as sequence_pad "
        "sequence_pool sequence_reshape sequence_reverse sequence_scatter sequence_slice sequence_softmax sequence_unpad",
        "ranked_sequences": "array_to_lod_tensor lod_rank_table lod_tensor_to_array max_sequence_len reorder_lod_tensor_by_rank "
        "shrink_rnn_memory",
        "detections": "bipartite_match box_clip box_decoder_and_assign collect_fpn_proposals distribute_fpn_proposals "
        "generate_proposals iou_similarity mine_hard_examples multiclass_nms multiclass_nms2 polygon_box_transform psroi_pool "
        "roi_align roi_perspective_transform roi_pool target_assign",
        "fused": "conv2d_fusion fc fused_bias_dropout_residual_layer_norm fused_conv2d fused_conv2d_add_act fused_conv3d "
        "fused_dropout_add fused_elementwise_add fused_elementwise_div fused_elementwise_mul fused_elementwise_sub "
        "fused_elemwise_activation fused_elemwise_add_activation fused_embedding_eltwise_layernorm fused_embedding_fc_lstm "
        "fused_embedding_seq_pool fused_fc_elementwise_layernorm fused_matmul fused_softmax_mask "
        "fused_softmax_mask_upper_triangle fused_softplus fused_transpose fusion_gru fusion_lstm fusion_repeated_fc_relu "
        "fusion_seqconv_eltadd_relu fusion_seqexpand_concat_fc fusion_seqpool_concat fusion_squared_mat_sub "
        "fusion_transpose_flatten_concat multihead_matmul self_dp_attention skip_layernorm",
        "old_operators": "add_position_encoding affine_channel bicubic_interp bilinear_interp bpr_loss cos_sim crop "
        "cross_entropy cross_entropy2 cvm data_norm expand expand_as fill fill_any fill_diagonal fill_zeros_like2 fsp "
        "gaussian_random_batch_size_like grad_add hinge_loss isfinite isinf isnan l1_norm linear_interp lrn margin_rank_loss "
        "memcpy_d2h memcpy_h2d minus modified_huber_loss nearest_interp norm npu_identity one_hot pad2d pad_constant_like "
        "partial_concat partial_sum print rank_loss reverse sampling_id share_buffer shuffle_channel smooth_l1_loss soft_relu "
        "space_to_depth spp squared_l2_distance squared_l2_norm transfer_layout trilinear_interp "
        "uniform_random_batch_size_like view_shape",
    }.items()
    for op_type in op_types.split()
}


def reader_of(op_type: str) -> Callable[[OpReader], Any] | None:
    """The reader of a type that is not one operator of ours, else None."""
    if op_type in LATE and op_type not in READERS:
        import_module(f"{__package__}.{LATE[op_type]}")
    return READERS.get(op_type)


def is_known(op_type: str) -> bool:
    """True if there is an operator of that type."""
    op_type = OLD_NAMES.get(op_type, op_type)
    return op_type in READERS or op_type in LATE or operator(op_type) is not None


def unrounded(view: OpReader, results: dict[str, Any]) -> dict[str, Any]:
    """Return results whose gradients are those of the unrounded numbers."""
    way = quantized.STRAIGHT.get(view.type)
    return results if way is None else way(view, results)  # type: ignore[no-any-return]


def results(view: OpReader) -> dict[str, Any]:
    """The results of an operator by the slots of its type, after calling it in the current mode. An unknown type is refused."""
    op_type = OLD_NAMES.get(view.type, view.type)
    hook = reader_of(op_type)
    opdef = operator(op_type) if hook is None else None
    if hook is None and opdef is not None:
        hook = opdef.from_file_hook
    if hook is None and opdef is None:
        view.refuse("this operator is not supported")
    if op_type in PIECES:
        view.check_pieces(*PIECES[op_type])
    return view.by_slot(hook(view) if hook is not None else view.read_declared(opdef), opdef)  # type: ignore[arg-type]
