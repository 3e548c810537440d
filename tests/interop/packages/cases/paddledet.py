"""paddledet: detectors of every family, in tiny configurations: found boxes, losses, gradients and exported models."""

import copy
import os

import numpy as np
import paddle
from suite import Record, arrays, case, check, fill, image, in_double, older_python, record, stage, stand_ins, tensors

older_python()
stand_ins("visualdl lap motmetrics terminaltables sklearn pyclipper typeguard")

import ppdet.modeling
from ppdet.core import workspace

SIZE, CLASSES = 64, 3
NMS = {"name": "MultiClassNMS", "keep_top_k": 10, "score_threshold": 0.001, "nms_threshold": 0.6, "nms_top_k": 50}
RESNET = {"depth": 18, "norm_type": "bn", "freeze_at": -1, "return_idx": [0, 1, 2, 3], "num_stages": 4}
FPN = {"out_channel": 16}
FPN_MORE = {
    "out_channel": 16,
    "spatial_scales": [0.125, 0.0625, 0.03125],
    "extra_stage": 2,
    "has_extra_convs": True,
    "use_c5": False,
}
RESNET_3 = {**RESNET, "return_idx": [1, 2, 3]}
RPN = {
    "anchor_generator": {
        "aspect_ratios": [0.5, 1.0, 2.0],
        "anchor_sizes": [[8], [16], [32], [64], [128]],
        "strides": [4, 8, 16, 32, 64],
    },
    "rpn_target_assign": {"batch_size_per_im": 64, "use_random": False},
    "train_proposal": {
        "min_size": 0.0,
        "nms_thresh": 0.7,
        "pre_nms_top_n": 100,
        "post_nms_top_n": 20,
        "topk_after_collect": True,
    },
    "test_proposal": {"min_size": 0.0, "nms_thresh": 0.7, "pre_nms_top_n": 50, "post_nms_top_n": 10},
}
BOX = {
    "head": "TwoFCHead",
    "roi_extractor": {"resolution": 7, "sampling_ratio": 0, "aligned": True},
    "bbox_assigner": "BBoxAssigner",
}
ASSIGN = {"batch_size_per_im": 16, "use_random": False}
RCNN_POST = {"decode": "RCNNBox", "nms": NMS}
VOC = {"ATSSAssigner": {"topk": 4}, "TaskAlignedAssigner": {"topk": 4, "alpha": 1.0, "beta": 6.0}}

CONFIGS = {
    "YOLOv3": {
        "YOLOv3": {
            "backbone": "MobileNet",
            "neck": "YOLOv3FPN",
            "yolo_head": "YOLOv3Head",
            "post_process": "BBoxPostProcess",
        },
        "MobileNet": {
            "scale": 0.25,
            "feature_maps": [4, 6, 13],
            "with_extra_blocks": False,
            "extra_block_filters": [],
        },
        "YOLOv3Head": {
            "anchors": [[10, 13], [16, 30], [33, 23], [30, 61], [62, 45], [59, 119], [116, 90], [156, 198], [373, 326]],
            "loss": "YOLOv3Loss",
        },
        "YOLOv3Loss": {"ignore_thresh": 0.7, "downsample": [32, 16, 8], "label_smooth": False},
        "BBoxPostProcess": {
            "decode": {"name": "YOLOBox", "conf_thresh": 0.005, "downsample_ratio": 32, "clip_bbox": True},
            "nms": NMS,
        },
    },
    "PPYOLO": {
        "YOLOv3": {
            "backbone": "ResNet",
            "neck": "PPYOLOFPN",
            "yolo_head": "YOLOv3Head",
            "post_process": "BBoxPostProcess",
        },
        "ResNet": {**RESNET_3, "variant": "d", "dcn_v2_stages": [3]},
        "PPYOLOFPN": {"coord_conv": True, "drop_block": True, "block_size": 3, "keep_prob": 1.0, "spp": True},
        "YOLOv3Head": {
            "anchors": [[10, 13], [16, 30], [33, 23], [30, 61], [62, 45], [59, 119], [116, 90], [156, 198], [373, 326]],
            "loss": "YOLOv3Loss",
            "iou_aware": True,
            "iou_aware_factor": 0.4,
        },
        "YOLOv3Loss": {
            "ignore_thresh": 0.7,
            "downsample": [32, 16, 8],
            "label_smooth": False,
            "scale_x_y": 1.05,
            "iou_loss": "IouLoss",
            "iou_aware_loss": "IouAwareLoss",
        },
        "IouLoss": {"loss_weight": 2.5, "loss_square": True},
        "IouAwareLoss": {"loss_weight": 1.0},
        "BBoxPostProcess": {
            "decode": {
                "name": "YOLOBox",
                "conf_thresh": 0.01,
                "downsample_ratio": 32,
                "clip_bbox": True,
                "scale_x_y": 1.05,
            },
            "nms": {
                "name": "MatrixNMS",
                "keep_top_k": 10,
                "score_threshold": 0.01,
                "post_threshold": 0.01,
                "nms_top_k": -1,
                "background_label": -1,
            },
        },
    },
    "PPYOLOE": {
        "PPYOLOE": {"backbone": "CSPResNet", "neck": "CustomCSPPAN", "yolo_head": "PPYOLOEHead", "post_process": None},
        "CSPResNet": {
            "layers": [1, 1, 1, 1],
            "channels": [8, 8, 16, 32, 64],
            "return_idx": [1, 2, 3],
            "use_large_stem": True,
        },
        "CustomCSPPAN": {"out_channels": [32, 16, 8], "stage_num": 1, "block_num": 1, "act": "swish", "spp": True},
        "PPYOLOEHead": {
            "fpn_strides": [32, 16, 8],
            "static_assigner_epoch": 100,
            "static_assigner": "ATSSAssigner",
            "assigner": "TaskAlignedAssigner",
            "nms": NMS,
        },
        **VOC,
    },
    "PicoDet": {
        "PicoDet": {"backbone": "LCNet", "neck": "LCPAN", "head": "PicoHeadV2"},
        "LCNet": {"scale": 0.25, "feature_maps": [3, 4, 5]},
        "LCPAN": {"out_channels": 16, "use_depthwise": True, "num_features": 4},
        "PicoHeadV2": {
            "conv_feat": {
                "name": "PicoFeat",
                "feat_in": 16,
                "feat_out": 16,
                "num_convs": 2,
                "num_fpn_stride": 4,
                "norm_type": "bn",
                "share_cls_reg": True,
                "use_se": True,
            },
            "fpn_stride": [8, 16, 32, 64],
            "feat_in_chan": 16,
            "eval_size": [SIZE, SIZE],
            "reg_max": 7,
            "use_align_head": True,
            "static_assigner_epoch": 100,
            "static_assigner": "ATSSAssigner",
            "assigner": "TaskAlignedAssigner",
            "nms": NMS,
            "loss_class": {"name": "VarifocalLoss", "use_sigmoid": False, "iou_weighted": True, "loss_weight": 1.0},
            "loss_dfl": {"name": "DistributionFocalLoss", "loss_weight": 0.5},
            "loss_bbox": {"name": "GIoULoss", "loss_weight": 2.5},
        },
        "ATSSAssigner": {"topk": 1},
        "TaskAlignedAssigner": {"topk": 4, "alpha": 1.0, "beta": 6.0},
    },
    "PicoDetSimOTA": {
        "PicoDet": {"backbone": "ShuffleNetV2", "neck": "CSPPAN", "head": "PicoHead"},
        "ShuffleNetV2": {"scale": 0.5, "feature_maps": [5, 13, 17], "act": "leaky_relu"},
        "CSPPAN": {"out_channels": 16, "use_depthwise": True, "num_csp_blocks": 1, "num_features": 4},
        "PicoHead": {
            "conv_feat": {
                "name": "PicoFeat",
                "feat_in": 16,
                "feat_out": 16,
                "num_convs": 2,
                "num_fpn_stride": 4,
                "norm_type": "bn",
                "share_cls_reg": True,
            },
            "fpn_stride": [8, 16, 32, 64],
            "feat_in_chan": 16,
            "eval_size": [SIZE, SIZE],
            "reg_max": 7,
            "nms": NMS,
            "loss_class": {"name": "VarifocalLoss", "use_sigmoid": True, "iou_weighted": True, "loss_weight": 1.0},
            "loss_dfl": {"name": "DistributionFocalLoss", "loss_weight": 0.25},
            "loss_bbox": {"name": "GIoULoss", "loss_weight": 2.0},
            "assigner": {"name": "SimOTAAssigner", "candidate_topk": 4, "iou_weight": 6, "num_classes": CLASSES},
        },
    },
    "FasterRCNN": {
        "FasterRCNN": {
            "backbone": "ResNet",
            "neck": "FPN",
            "rpn_head": "RPNHead",
            "bbox_head": "BBoxHead",
            "bbox_post_process": "BBoxPostProcess",
        },
        "ResNet": RESNET,
        "FPN": FPN,
        "RPNHead": RPN,
        "BBoxHead": BOX,
        "BBoxAssigner": ASSIGN,
        "TwoFCHead": {"out_channel": 16},
        "BBoxPostProcess": RCNN_POST,
    },
    "CascadeRCNN": {
        "CascadeRCNN": {
            "backbone": "ResNet",
            "neck": "FPN",
            "rpn_head": "RPNHead",
            "bbox_head": "CascadeHead",
            "bbox_post_process": "BBoxPostProcess",
        },
        "ResNet": RESNET,
        "FPN": FPN,
        "RPNHead": RPN,
        "CascadeHead": {**BOX, "head": "CascadeTwoFCHead"},
        "BBoxAssigner": {**ASSIGN, "cascade_iou": [0.5, 0.6, 0.7]},
        "CascadeTwoFCHead": {"out_channel": 16},
        "BBoxPostProcess": {"decode": {"name": "RCNNBox", "prior_box_var": [30.0, 30.0, 15.0, 15.0]}, "nms": NMS},
    },
    "MaskRCNN": {
        "MaskRCNN": {
            "backbone": "ResNet",
            "neck": "FPN",
            "rpn_head": "RPNHead",
            "bbox_head": "BBoxHead",
            "mask_head": "MaskHead",
            "bbox_post_process": "BBoxPostProcess",
            "mask_post_process": "MaskPostProcess",
        },
        "ResNet": RESNET,
        "FPN": FPN,
        "RPNHead": RPN,
        "BBoxHead": BOX,
        "BBoxAssigner": ASSIGN,
        "TwoFCHead": {"out_channel": 16},
        "BBoxPostProcess": RCNN_POST,
        "MaskHead": {
            "head": "MaskFeat",
            "roi_extractor": {"resolution": 14, "sampling_ratio": 0, "aligned": True},
            "mask_assigner": "MaskAssigner",
            "share_bbox_feat": False,
        },
        "MaskFeat": {"num_convs": 1, "out_channel": 8},
        "MaskAssigner": {"mask_resolution": 28},
        "MaskPostProcess": {"binary_thresh": 0.5},
    },
    "RetinaNet": {
        "RetinaNet": {"backbone": "ResNet", "neck": "FPN", "head": "RetinaHead"},
        "ResNet": RESNET_3,
        "FPN": FPN_MORE,
        "RetinaHead": {
            "conv_feat": {"name": "RetinaFeat", "feat_in": 16, "feat_out": 16, "num_convs": 1},
            "anchor_generator": {
                "name": "RetinaAnchorGenerator",
                "octave_base_scale": 4,
                "scales_per_octave": 3,
                "aspect_ratios": [0.5, 1.0, 2.0],
                "strides": [8.0, 16.0, 32.0, 64.0, 128.0],
            },
            "bbox_assigner": {
                "name": "MaxIoUAssigner",
                "positive_overlap": 0.5,
                "negative_overlap": 0.4,
                "allow_low_quality": True,
            },
            "loss_class": {"name": "FocalLoss", "gamma": 2.0, "alpha": 0.25},
            "loss_bbox": {"name": "SmoothL1Loss", "beta": 0.0},
            "nms": NMS,
        },
    },
    "FCOS": {
        "FCOS": {"backbone": "ResNet", "neck": "FPN", "fcos_head": "FCOSHead"},
        "ResNet": RESNET_3,
        "FPN": {**FPN_MORE, "out_channel": 256, "relu_before_extra_convs": True},
        "FCOSHead": {
            "fcos_feat": {"name": "FCOSFeat", "feat_in": 256, "feat_out": 256, "num_convs": 1, "norm_type": "bn"},
            "fpn_stride": [8, 16, 32, 64, 128],
            "fcos_loss": {"name": "FCOSLoss", "loss_alpha": 0.25, "loss_gamma": 2.0, "iou_loss_type": "giou"},
            "nms": NMS,
        },
    },
    "SSD": {
        "SSD": {"backbone": "MobileNet", "ssd_head": "SSDHead", "post_process": "BBoxPostProcess"},
        "MobileNet": {
            "scale": 0.25,
            "feature_maps": [11, 13, 14, 15, 16, 17],
            "with_extra_blocks": True,
            "extra_block_filters": [[8, 16], [8, 8], [8, 8], [8, 8]],
        },
        "SSDHead": {
            "anchor_generator": {
                "steps": [0, 0, 0, 0, 0, 0],
                "aspect_ratios": [[2.0], [2.0, 3.0], [2.0, 3.0], [2.0, 3.0], [2.0, 3.0], [2.0, 3.0]],
                "min_ratio": 20,
                "max_ratio": 90,
                "base_size": 300,
                "min_sizes": [12.0, 21.0, 30.0, 39.0, 48.0, 57.0],
                "max_sizes": [[], 30.0, 39.0, 48.0, 57.0, 60.0],
                "offset": 0.5,
                "flip": True,
                "min_max_aspect_ratios_order": False,
            }
        },
        "BBoxPostProcess": {"decode": {"name": "SSDBox"}, "nms": NMS},
    },
    "BlazeFace": {
        "BlazeFace": {
            "backbone": "BlazeNet",
            "neck": "BlazeNeck",
            "blaze_head": "FaceHead",
            "post_process": "BBoxPostProcess",
        },
        "BlazeNet": {
            "blaze_filters": [[24, 24], [24, 24], [24, 48, 2], [48, 48], [48, 48]],
            "double_blaze_filters": [
                [48, 24, 96, 2],
                [96, 24, 96],
                [96, 24, 96],
                [96, 24, 96, 2],
                [96, 24, 96],
                [96, 24, 96],
            ],
            "use_5x5kernel": True,
        },
        "BlazeNeck": {"neck_type": "fpn_ssh", "in_channel": [96, 96]},
        "FaceHead": {
            "in_channels": [48, 48],
            "anchor_generator": {
                "name": "AnchorGeneratorSSD",
                "steps": [8.0, 16.0],
                "aspect_ratios": [[1.0], [1.0]],
                "min_sizes": [[16.0, 24.0], [32.0, 48.0, 64.0, 80.0, 96.0, 128.0]],
                "max_sizes": [[], []],
                "offset": 0.5,
                "flip": False,
                "min_max_aspect_ratios_order": False,
            },
            "loss": "SSDLoss",
        },
        "SSDLoss": {"overlap_threshold": 0.35},
        "BBoxPostProcess": {"decode": {"name": "SSDBox"}, "nms": NMS},
    },
    "CenterNet": {
        "CenterNet": {
            "backbone": "DLA",
            "neck": "CenterNetDLAFPN",
            "head": "CenterNetHead",
            "post_process": "CenterNetPostProcess",
        },
        "DLA": {"depth": 34},
        "CenterNetDLAFPN": {"down_ratio": 4, "dcn_v2": False},
        "CenterNetHead": {"head_planes": 8, "regress_ltrb": False},
        "CenterNetPostProcess": {"max_per_img": 10, "regress_ltrb": False},
    },
    "TTFNet": {
        "TTFNet": {"backbone": "DarkNet", "neck": "TTFFPN", "ttf_head": "TTFHead", "post_process": "BBoxPostProcess"},
        "DarkNet": {"depth": 53, "freeze_at": -1, "return_idx": [1, 2, 3, 4], "norm_type": "bn"},
        "TTFFPN": {"planes": [16, 8, 8], "shortcut_num": [3, 2, 1]},
        "TTFHead": {
            "hm_head_planes": 8,
            "wh_head_planes": 8,
            "hm_loss": {"name": "CTFocalLoss", "loss_weight": 1.0},
            "wh_loss": {"name": "GIoULoss", "loss_weight": 5.0, "reduction": "sum"},
        },
        "BBoxPostProcess": {"decode": {"name": "TTFBox", "max_per_img": 10, "score_thresh": 0.001, "down_ratio": 4}},
    },
    "SOLOv2": {
        "SOLOv2": {"backbone": "ResNet", "neck": "FPN", "solov2_head": "SOLOv2Head", "mask_head": "SOLOv2MaskHead"},
        "ResNet": RESNET,
        "FPN": {"out_channel": 32},
        "SOLOv2Head": {
            "in_channels": 32,
            "seg_feat_channels": 32,
            "stacked_convs": 1,
            "num_grids": [8, 6, 4, 3, 2],
            "kernel_out_channels": 32,
            "solov2_loss": {
                "name": "SOLOv2Loss",
                "ins_loss_weight": 3.0,
                "focal_loss_gamma": 2.0,
                "focal_loss_alpha": 0.25,
            },
            "mask_nms": {"name": "MaskMatrixNMS", "pre_nms_top_n": 50, "post_nms_top_n": 10},
            "score_threshold": 0.001,
        },
        "SOLOv2MaskHead": {"in_channels": 32, "mid_channels": 32, "out_channels": 32, "start_level": 0, "end_level": 3},
    },
    "DETR": {
        "DETR": {
            "backbone": "ResNet",
            "transformer": "DETRTransformer",
            "detr_head": "DETRHead",
            "post_process": "DETRBBoxPostProcess",
        },
        "ResNet": {**RESNET, "return_idx": [3]},
        "DETRTransformer": {
            "num_queries": 10,
            "hidden_dim": 16,
            "nhead": 2,
            "num_encoder_layers": 1,
            "num_decoder_layers": 2,
            "dim_feedforward": 16,
            "dropout": 0.0,
        },
        "DETRHead": {"num_mlp_layers": 3, "hidden_dim": 16},
        "DETRLoss": {
            "loss_coeff": {"class": 1, "bbox": 5, "giou": 2, "no_object": 0.1, "mask": 1, "dice": 1},
            "aux_loss": True,
        },
        "HungarianMatcher": {"matcher_coeff": {"class": 1, "bbox": 5, "giou": 2}},
    },
    "DeformableDETR": {
        "DETR": {
            "backbone": "ResNet",
            "transformer": "DeformableTransformer",
            "detr_head": "DeformableDETRHead",
            "post_process": "DETRBBoxPostProcess",
        },
        "ResNet": RESNET_3,
        "DeformableTransformer": {
            "num_queries": 10,
            "hidden_dim": 32,
            "nhead": 2,
            "num_encoder_layers": 1,
            "num_decoder_layers": 2,
            "dim_feedforward": 16,
            "dropout": 0.0,
            "backbone_num_channels": [128, 256, 512],
            "num_encoder_points": 2,
            "num_decoder_points": 2,
        },
        "DeformableDETRHead": {"num_mlp_layers": 3, "hidden_dim": 32, "nhead": 2},
        "DETRLoss": {"loss_coeff": {"class": 2, "bbox": 5, "giou": 2}, "aux_loss": True, "use_focal_loss": True},
        "HungarianMatcher": {"matcher_coeff": {"class": 2, "bbox": 5, "giou": 2}, "use_focal_loss": True},
    },
    "DINO": {
        "DETR": {
            "backbone": "ResNet",
            "transformer": "DINOTransformer",
            "detr_head": "DINOHead",
            "post_process": "DETRBBoxPostProcess",
        },
        "ResNet": RESNET_3,
        "DINOTransformer": {
            "num_queries": 10,
            "hidden_dim": 32,
            "nhead": 2,
            "num_encoder_layers": 1,
            "num_decoder_layers": 2,
            "dim_feedforward": 16,
            "dropout": 0.0,
            "num_denoising": 0,
            "backbone_feat_channels": [128, 256, 512],
        },
        "DINOLoss": {"loss_coeff": {"class": 1, "bbox": 5, "giou": 2}, "aux_loss": True, "use_focal_loss": True},
        "HungarianMatcher": {"matcher_coeff": {"class": 2, "bbox": 5, "giou": 2}, "use_focal_loss": True},
    },
    "SparseRCNN": {
        "SparseRCNN": {
            "backbone": "ResNet",
            "neck": "FPN",
            "head": "SparseRCNNHead",
            "postprocess": "SparsePostProcess",
        },
        "ResNet": RESNET,
        "FPN": {"out_channel": 16},
        "SparseRCNNHead": {
            "head_hidden_dim": 16,
            "head_dim_feedforward": 16,
            "nhead": 2,
            "head_dropout": 0.0,
            "head_cls": 1,
            "head_reg": 1,
            "head_dim_dynamic": 8,
            "head_num_dynamic": 2,
            "head_num_heads": 2,
            "deep_supervision": True,
            "num_proposals": 10,
        },
        "SparseRCNNLoss": {
            "losses": ["labels", "boxes"],
            "focal_loss_alpha": 0.25,
            "focal_loss_gamma": 2.0,
            "class_weight": 2.0,
            "l1_weight": 5.0,
            "giou_weight": 2.0,
        },
        "SparsePostProcess": {"num_proposals": 10},
    },
    "QueryInst": {
        "QueryInst": {
            "backbone": "ResNet",
            "neck": "FPN",
            "rpn_head": "EmbeddingRPNHead",
            "roi_head": "SparseRoIHead",
            "post_process": "SparsePostProcess",
        },
        "ResNet": RESNET,
        "FPN": {"out_channel": 16, "extra_stage": 0},
        "EmbeddingRPNHead": {"num_proposals": 10, "proposal_embedding_dim": 16},
        "SparseRoIHead": {
            "num_stages": 1,
            "bbox_roi_extractor": {"resolution": 7, "sampling_ratio": 2, "aligned": True},
            "mask_roi_extractor": {"resolution": 14, "sampling_ratio": 2, "aligned": True},
            "bbox_head": "DIIHead",
            "mask_head": "DynamicMaskHead",
            "loss_func": "QueryInstLoss",
        },
        "DIIHead": {
            "proposal_embedding_dim": 16,
            "feedforward_channels": 16,
            "dynamic_feature_channels": 8,
            "num_attn_heads": 2,
            "num_reg_fcs": 1,
        },
        "DynamicMaskHead": {
            "proposal_embedding_dim": 16,
            "dynamic_feature_channels": 8,
            "num_convs": 1,
            "conv_channels": 16,
        },
        "SparsePostProcess": {"num_proposals": 10},
    },
    "GFL": {
        "GFL": {"backbone": "ResNet", "neck": "FPN", "head": "GFLHead"},
        "ResNet": RESNET_3,
        "FPN": FPN_MORE,
        "GFLHead": {
            "conv_feat": {"name": "FCOSFeat", "feat_in": 16, "feat_out": 16, "num_convs": 1, "norm_type": "bn"},
            "fpn_stride": [8, 16, 32, 64, 128],
            "feat_in_chan": 16,
            "reg_max": 8,
            "loss_class": {"name": "QualityFocalLoss", "use_sigmoid": True, "beta": 2.0, "loss_weight": 1.0},
            "loss_dfl": {"name": "DistributionFocalLoss", "loss_weight": 0.25},
            "loss_bbox": {"name": "GIoULoss", "loss_weight": 2.0},
            "nms": NMS,
        },
    },
    "TOOD": {
        "TOOD": {"backbone": "ResNet", "neck": "FPN", "head": "TOODHead"},
        "ResNet": RESNET_3,
        "TOODHead": {
            "feat_channels": 32,
            "stacked_convs": 2,
            "norm_groups": 8,
            "fpn_strides": [8, 16, 32, 64, 128],
            "static_assigner_epoch": 100,
            "nms": NMS,
            "static_assigner": "ATSSAssigner",
            "assigner": "TaskAlignedAssigner",
        },
        **VOC,
        "FPN": {**FPN_MORE, "out_channel": 32},
    },
    "YOLOF": {
        "YOLOF": {"backbone": "ResNet", "neck": "DilatedEncoder", "head": "YOLOFHead"},
        "ResNet": {**RESNET, "return_idx": [3]},
        "DilatedEncoder": {
            "in_channels": [512],
            "out_channels": [32],
            "block_mid_channels": 8,
            "num_residual_blocks": 2,
            "block_dilations": [2, 4],
        },
        "YOLOFHead": {
            "conv_feat": {"name": "YOLOFFeat", "feat_in": 32, "feat_out": 32, "num_cls_convs": 1, "num_reg_convs": 1},
            "anchor_generator": {
                "name": "AnchorGenerator",
                "anchor_sizes": [[16, 32, 64]],
                "aspect_ratios": [1.0],
                "strides": [32],
            },
            "bbox_assigner": {
                "name": "UniformAssigner",
                "pos_ignore_thr": 0.15,
                "neg_ignore_thr": 0.7,
                "match_times": 2,
            },
            "loss_class": {"name": "FocalLoss", "gamma": 2.0, "alpha": 0.25},
            "loss_bbox": {"name": "GIoULoss", "loss_weight": 1.0, "reduction": "sum"},
            "nms": NMS,
        },
    },
    "YOLOX": {
        "YOLOX": {
            "backbone": "CSPDarkNet",
            "neck": "YOLOCSPPAN",
            "head": "YOLOXHead",
            "size_stride": 32,
            "size_range": [2, 2],
            "input_size": [64, 64],
        },
        "CSPDarkNet": {
            "arch": "X",
            "return_idx": [2, 3, 4],
            "depth_mult": 0.33,
            "width_mult": 0.125,
            "depthwise": True,
        },
        "YOLOCSPPAN": {"depth_mult": 0.33},
        "YOLOXHead": {
            "width_mult": 0.125,
            "l1_epoch": 285,
            "assigner": {"name": "SimOTAAssigner", "candidate_topk": 4, "use_vfl": False},
            "nms": NMS,
        },
    },
    "S2ANet": {
        "S2ANet": {"backbone": "ResNet", "neck": "FPN", "head": "S2ANetHead"},
        "ResNet": RESNET_3,
        "FPN": FPN_MORE,
        "S2ANetHead": {
            "stacked_convs": 1,
            "feat_in": 16,
            "feat_out": 16,
            "align_conv_type": "AlignConv",
            "anchor_assign": "RBoxAssigner",
            "nms": NMS,
        },
    },
}
BOXES = np.array([[[4, 6, 30, 40], [20, 16, 60, 56], [33, 3, 50, 20]]], "float32")
LABELS = np.array([[[0], [2], [1]]])
INPUTS = {
    "image": image(1, 3, SIZE, SIZE),
    "im_shape": np.array([[SIZE, SIZE]], "float32"),
    "scale_factor": np.ones([1, 2], "float32"),
    "im_id": np.array([[0]]),
    "curr_iter": np.array([0]),
    "epoch_id": 0,
}
FOUND = {
    "gt_bbox": BOXES,
    "gt_class": LABELS.astype("int32"),
    "pad_gt_mask": np.ones([1, 3, 1], "float32"),
    "is_crowd": np.zeros([1, 3, 1], "int32"),
    "gt_score": np.ones([1, 3, 1], "float32"),
}


def targets(name):
    """What a detector is trained with, beside the image."""
    found = {**INPUTS, **copy.deepcopy(FOUND)}
    rows = np.random.RandomState(5)
    if name in ("YOLOv3", "PPYOLO"):
        for index, cells in enumerate((2, 4, 8)):
            target = np.zeros([1, 3, 6 + CLASSES, cells, cells], "float32")
            target[0, 1, :, 1, 1] = [0.3, 0.6, 0.1, -0.2, 1.5, 1.0, 0.0, 1.0, 0.0]
            found[f"target{index}"] = target
        found["gt_bbox"] = np.array([[[0.3, 0.4, 0.4, 0.5], [0.6, 0.5, 0.6, 0.6]]], "float32")
    if name == "FCOS":
        for index, cells in enumerate((8, 4, 2, 1, 1)):
            found[f"labels{index}"] = rows.randint(0, CLASSES + 1, [1, cells, cells, 1]).astype("int32")
            found[f"reg_target{index}"] = np.abs(rows.standard_normal([1, cells, cells, 4])).astype("float32") * 4 + 1
            found[f"centerness{index}"] = rows.uniform(0.1, 1, [1, cells, cells, 1]).astype("float32")
    if name == "SSD" or name == "BlazeFace":
        found["gt_bbox"] = BOXES / SIZE
    if name == "CenterNet":
        found |= {
            "heatmap": rows.uniform(0, 0.9, [1, CLASSES, 16, 16]).astype("float32"),
            "index": np.array([[17, 100, 33]]),
            "index_mask": np.array([[1, 1, 0]], "int32"),
            "size": rows.uniform(1, 9, [1, 3, 2]).astype("float32"),
            "offset": rows.uniform(0, 1, [1, 3, 2]).astype("float32"),
        }
        found["heatmap"][0, 0, 3, 3] = 1
    if name == "TTFNet":
        found |= {
            "ttf_heatmap": rows.uniform(0, 0.9, [1, CLASSES, 16, 16]).astype("float32"),
            "ttf_box_target": rows.uniform(1, 9, [1, 4, 16, 16]).astype("float32"),
            "ttf_reg_weight": rows.uniform(0, 1, [1, 1, 16, 16]).astype("float32"),
        }
        found["ttf_heatmap"][0, 0, 3, 3] = 1
    if name == "SOLOv2":
        for index, (cells, grid) in enumerate(((16, 8), (8, 6), (8, 4), (4, 3), (4, 2))):
            found[f"ins_label{index}"] = rows.randint(0, 2, [1, 2, 16, 16]).astype("int32")
            found[f"cate_label{index}"] = rows.randint(0, CLASSES + 1, [1, grid * grid]).astype("int32")
            found[f"grid_order{index}"] = np.array([[0, 1]], "int32")
        found["fg_num"] = np.array([5], "int32")
    if name in ("DETR", "DeformableDETR", "DINO"):
        centres = np.concatenate([(BOXES[..., :2] + BOXES[..., 2:]) / 2, BOXES[..., 2:] - BOXES[..., :2]], -1) / SIZE
        found |= {
            "gt_bbox": [centres[0]],
            "gt_class": [LABELS[0].astype("int32")],
            "pad_mask": np.ones([1, SIZE, SIZE], "float32"),
        }
    if name in ("SparseRCNN", "QueryInst"):
        found |= {
            "gt_bbox": [BOXES[0]],
            "gt_class": [LABELS[0].astype("int32")],
            "img_whwh": np.full([1, 4], SIZE, "float32"),
            "scale_factor_whwh": np.ones([1, 4], "float32"),
            "gt_segm": [rows.randint(0, 2, [3, SIZE, SIZE]).astype("uint8")],
        }
    if name in ("RetinaNet", "FasterRCNN", "CascadeRCNN", "MaskRCNN", "YOLOF", "GFL", "PicoDetSimOTA", "YOLOX"):
        found |= {
            "gt_bbox": [BOXES[0]],
            "gt_class": [LABELS[0].astype("int32")],
            "is_crowd": [np.zeros([3, 1], "int32")],
        }
    if name == "MaskRCNN":
        found["gt_poly"] = [
            [
                [np.array([4.0, 6, 30, 6, 30, 40, 4, 40])],
                [np.array([20.0, 16, 60, 16, 60, 56])],
                [np.array([33.0, 3, 50, 3, 50, 20, 33, 20])],
            ]
        ]
    if name == "S2ANet":
        found["gt_rbox"] = np.array([[[17.0, 23, 26, 34, 0.2], [40, 36, 40, 40, -0.4]]], "float32")
        found["gt_class"], found["is_crowd"] = LABELS[:, :2].astype("int32"), np.zeros([1, 2, 1], "int32")
        found["gt_bbox"] = BOXES[:, :2]
    return found


def build(name):
    """A detector of its configuration."""
    config = copy.deepcopy(CONFIGS[name])
    architecture = next(iter(config))
    workspace.global_config.update(
        num_classes=CLASSES, data_format="NCHW", norm_type="bn", use_gpu=False, use_ema=False
    )
    workspace.merge_config(config)
    return workspace.create(architecture)


# What a model is exported for: Paddle refuses an input that the exported program does not read.
WITHOUT_SHAPE = ("PPYOLOE", "PicoDet", "PicoDetSimOTA", "GFL", "YOLOX")
# Trained with what its data pipeline computes of the boxes.
UNTRAINED = ("GFL",)


def exported(name):
    """The results of a model that was exported as the package does it, and loaded."""
    model = build(name)
    fill(model, 0.05)
    model.eval()
    shapes = {"im_shape": [None, 2], "image": [None, 3, SIZE, SIZE], "scale_factor": [None, 2]}
    if name in WITHOUT_SHAPE:
        del shapes["im_shape"]
    spec = {key: paddle.static.InputSpec(shape, name=key) for key, shape in shapes.items()}
    path = os.path.join(Record.folder, f"{name}-exported")
    paddle.jit.save(paddle.jit.to_static(model, input_spec=[spec]), path)
    return arrays(paddle.jit.load(path)(*[tensors(INPUTS[key]) for key in shapes]))


for name in CONFIGS:

    def run(name=name):
        check(build(name), [targets(name)], train=name not in UNTRAINED, save=False, scale=0.05)
        stage("exported", lambda: exported(name))

    case(run, name)


@case
def keypoints():
    from ppdet.modeling.backbones import LiteHRNet

    net = LiteHRNet(network_type="wider_naive", freeze_at=-1, freeze_norm=False, return_idx=[0])
    check(net, [{"image": image(1, 3, 64, 64)}], save=False, scale=0.05)


@case
def backbones():
    from ppdet.modeling import backbones as B

    x = {"image": tensors(image(1, 3, 64, 64))}
    for name, options in {
        "Res2Net": {"depth": 50},
        "SENet": {},
        "HRNet": {"width": 18},
        "VGG": {},
        "GhostNet": {"scale": 0.5},
        "MobileNetV3": {"scale": 0.35},
        "ESNet": {"scale": 0.5, "channel_ratio": [0.5] * 13},
        "SwinTransformer": {"embed_dim": 12, "depths": [1, 1, 1, 1], "num_heads": [1, 1, 1, 1]},
        "HarDNet": {"depth_wise": True, "arch": 68},
    }.items():

        def run(name=name, options=options):
            net = getattr(B, name)(**options)
            fill(net, 0.05)
            net.eval()
            return arrays(net(x))

        stage(name, run)


@case
def operators():
    from ppdet.modeling import bbox_utils, ops

    boxes = tensors(BOXES[0])
    stage("iou", lambda: arrays([bbox_utils.bbox_overlaps(boxes, boxes + 3.0), bbox_utils.bbox_center(boxes)]))
    stage(
        "delta",
        lambda: arrays(
            [
                bbox_utils.bbox2delta(boxes, boxes + 2.0, [1.0, 1, 1, 1]),
                bbox_utils.delta2bbox(boxes * 0.01, boxes, [1.0, 1, 1, 1]),
            ]
        ),
    )
    stage("giou", lambda: arrays([ppdet.modeling.losses.GIoULoss()(boxes, boxes + 3.0)]))
    stage("dcn", lambda: arrays([ops.get_act_fn("mish")(boxes) if hasattr(ops, "get_act_fn") else boxes]))


PYRAMID = [image(1, channels, size, size, seed=index) for index, (channels, size) in enumerate([(8, 16), (16, 8), (32, 4)])]
FOUR = [image(1, 8, size, size, seed=index) for index, size in enumerate([16, 8, 4, 2])]


class Neck(paddle.nn.Layer):
    """A neck, which takes a list of features."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, *features):
        return self.inner(list(features))


def neck(name, make, features):
    def run():
        in_double()
        check(Neck(make()), features, scale=0.05)

    case(run, f"neck_{name}")


def necks():
    from ppdet.modeling import necks as K

    neck("FPN", lambda: K.FPN([8, 16, 32], 8, [0.25, 0.125, 0.0625]), PYRAMID)
    neck("PAN", lambda: K.YOLOCSPPAN(0.33, [8, 16, 32], act="silu"), PYRAMID)
    neck("CSPPAN", lambda: K.CSPPAN([8, 16, 32], 8, num_csp_blocks=1, num_features=3), PYRAMID)
    neck("LCPAN", lambda: K.LCPAN([8, 16, 32], 8, num_features=3), PYRAMID)
    neck("CustomCSPPAN", lambda: K.CustomCSPPAN([8, 16, 32], [16, 8, 8], stage_num=1, block_num=1, act="swish"), PYRAMID)
    neck("HRFPN", lambda: K.HRFPN([8, 8, 8, 8], 8, num_conv=1), FOUR)
    neck("BiFPN", lambda: K.BiFPN([8, 16, 32], 8, num_extra_levels=2, fpn_strides=[4, 8, 16, 32, 64], num_stacks=1), PYRAMID)


necks()


@case
def box_losses():
    from ppdet.modeling import losses as L

    rows = np.random.RandomState(3)
    corner, size = rows.uniform(0, 20, [6, 2]), rows.uniform(4, 20, [6, 2])
    found = tensors(np.concatenate([corner, corner + size], 1).astype("float32"))
    wanted = tensors(np.concatenate([corner + 2, corner + size * 1.2 + 1], 1).astype("float32"))

    def both(make):
        def run():
            boxes = found.clone()
            boxes.stop_gradient = False
            loss = make()(boxes, wanted)
            loss.sum().backward()
            return [loss, boxes.grad]

        return run

    for name, make in {
        "giou": lambda: L.GIoULoss(reduction="none"),
        "diou": lambda: L.DIouLoss(use_complete_iou_loss=False),
        "ciou": lambda: L.DIouLoss(use_complete_iou_loss=True),
    }.items():
        record(name, both(make))


@case
def class_losses():
    from ppdet.modeling import losses as L

    rows = np.random.RandomState(4)
    scores = rows.standard_normal([6, CLASSES]).astype("float32")
    labels = rows.randint(0, CLASSES + 1, [6])

    def both(make, *more):
        def run():
            logits = tensors(scores)
            logits.stop_gradient = False
            loss = make()(logits, *tensors(list(more)))
            loss.sum().backward()
            return [loss, logits.grad]

        return run

    soft = rows.uniform(0, 1, [6, CLASSES]).astype("float32")
    record("varifocal", both(lambda: L.VarifocalLoss(use_sigmoid=True, loss_weight=1.0), soft))
    record("distribution", both(lambda: L.DistributionFocalLoss(), rows.uniform(0, CLASSES - 1.01, [6]).astype("float32")))
    record("focal", both(lambda: L.FocalLoss(use_sigmoid=True), labels))


@case
def assigners():
    from ppdet.modeling.assigners import ATSSAssigner, TaskAlignedAssigner
    from ppdet.modeling.bbox_utils import bbox_center

    grid = np.stack(np.meshgrid(np.arange(8), np.arange(8)), -1).reshape(-1, 2) * 8 + 4
    anchors = tensors(np.concatenate([grid - 10, grid + 10], 1).astype("float32"))
    labels, boxes, mask = tensors(LABELS.astype("int64")), tensors(BOXES), tensors(np.ones([1, 3, 1], "float32"))
    record("centres", lambda: [bbox_center(anchors)])
    record("atss", lambda: list(ATSSAssigner(topk=4, num_classes=CLASSES)(anchors, [64], labels, boxes, mask, CLASSES))[:3])
    scores = tensors(np.random.RandomState(5).uniform(0, 1, [1, 64, CLASSES]).astype("float32"))
    points = tensors(grid.astype("float32"))

    def aligned():
        return list(TaskAlignedAssigner(topk=4)(scores, anchors[None], points, [64], labels, boxes, mask, CLASSES))[:3]

    record("aligned", aligned)
