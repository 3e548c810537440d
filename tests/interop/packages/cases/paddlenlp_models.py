"""paddlenlp: one tiny model of each family."""

import numpy as np
from suite import image, net, older_python, stand_ins

older_python()
stand_ins("paddle2onnx onnx uvicorn tool_helpers")

from paddlenlp import transformers as T

IDS = np.random.RandomState(0).randint(5, 60, [2, 9]).astype("int64")
SIZES = dict(
    vocab_size=64,
    hidden_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=32,
    max_position_embeddings=64,
)
SEQUENCES = dict(
    vocab_size=64,
    d_model=16,
    encoder_layers=1,
    decoder_layers=1,
    encoder_attention_heads=2,
    decoder_attention_heads=2,
    encoder_ffn_dim=32,
    decoder_ffn_dim=32,
    max_position_embeddings=64,
)
# a class, and what its configuration says beside the sizes
ENCODERS = {
    "BertModel": {},
    "BertForSequenceClassification": {},
    "BertForTokenClassification": {},
    "BertForQuestionAnswering": {},
    "BertForMaskedLM": {},
    "ErnieModel": {},
    "ErnieForSequenceClassification": {},
    "RobertaModel": {},
    "RobertaForMaskedLM": {},
    "NezhaModel": {},
    "RoFormerModel": {},
    "MegatronBertModel": {},
    "ErnieMModel": {},
    "SkepModel": {},
    "TinyBertModel": {},
    "PPMiniLMModel": {},
    "RemBertModel": {"input_embedding_size": 8},
    "AlbertModel": {"embedding_size": 8, "num_hidden_groups": 1, "inner_group_num": 1},
    "ElectraModel": {"embedding_size": 8},
    "MPNetModel": {"relative_attention_num_buckets": 8},
    "ConvBertModel": {"embedding_size": 8, "conv_kernel_size": 3},
    "FNetModel": {},
    "SqueezeBertModel": {},
    "NystromformerModel": {"num_landmarks": 3, "segment_means_seq_len": 9},
    "UNIMOModel": {},
    "GAUAlphaModel": {"attention_key_size": 8},
    "DebertaModel": {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]},
    "DebertaV2Model": {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]},
}
DECODERS = {
    "GPTModel": {},
    "GPTForCausalLM": {"seq_length": 32},
    "LlamaModel": {"seq_length": 32},
    "LlamaForCausalLM": {"seq_length": 32},
    "OPTForCausalLM": {"word_embed_proj_dim": 16},
    "QWenForCausalLM": {"kv_channels": 8, "seq_length": 32},
}
OTHERS = {
    "BartForConditionalGeneration": SEQUENCES,
    "PegasusForConditionalGeneration": SEQUENCES,
    "BlenderbotSmallForConditionalGeneration": SEQUENCES,
    "MBartForConditionalGeneration": SEQUENCES,
    "BloomForCausalLM": dict(vocab_size=64, hidden_size=16, n_layer=2, n_head=2),
    "CodeGenModel": dict(vocab_size=64, n_embd=16, n_layer=1, n_head=2, n_ctx=32, n_positions=32, rotary_dim=4),
    "GPTJModel": dict(vocab_size=64, n_embd=16, n_layer=1, n_head=2, n_positions=32, rotary_dim=4),
    "DistilBertModel": dict(
        vocab_size=64, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32
    ),
    "XLNetModel": dict(vocab_size=64, d_model=16, n_layer=2, n_head=2, d_inner=32),
    "CTRLModel": dict(vocab_size=64, n_embd=16, n_layer=1, n_head=2, n_ctx=32, n_positions=32, dff=32),
    "BigBirdModel": dict(**SIZES, num_layers=1, block_size=2, num_random_blocks=1),
}


def made(name, config):
    kind = getattr(T, name)
    return kind(kind.config_class(**config))


for name, more in {**ENCODERS, **DECODERS}.items():
    if hasattr(T, name):
        net(name, lambda n=name, c={**SIZES, **more}: made(n, c), [IDS])
for name, config in OTHERS.items():
    if hasattr(T, name):
        net(name, lambda n=name, c=config: made(n, c), [IDS])
T5 = dict(
    vocab_size=64, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, bos_token_id=0, decoder_start_token_id=0
)
net(
    "T5ForConditionalGeneration",
    lambda: made("T5ForConditionalGeneration", T5),
    [IDS],
    {"decoder_input_ids": IDS[:, :5]},
    save=False,
)
net("T5EncoderModel", lambda: made("T5EncoderModel", T5), [IDS])
VISION = dict(
    hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, image_size=16, patch_size=8
)
net("CLIPVisionModel", lambda: T.CLIPVisionModel(T.CLIPVisionConfig(**VISION)), [image(1, 3, 16, 16)])
TEXT = dict(
    vocab_size=64,
    hidden_size=16,
    intermediate_size=32,
    num_hidden_layers=1,
    num_attention_heads=2,
    max_position_embeddings=32,
)
net("CLIPTextModel", lambda: T.CLIPTextModel(T.CLIPTextConfig(**TEXT)), [IDS])
