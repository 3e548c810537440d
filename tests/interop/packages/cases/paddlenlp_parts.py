"""paddlenlp: generation, layers, adapters, losses, data, metrics and the Trainer."""

import os

import numpy as np
import paddle
from paddlenlp import transformers as T
from suite import Record, case, check, fill, record, stage

if os.environ.get("QUICK"):  # dynamic stages only
    _check = check

    def check(*a, **k):
        return _check(*a, **dict(k, static=False))


ids = np.random.RandomState(0).randint(5, 60, [2, 9]).astype("int64")
f32 = lambda *s: np.random.RandomState(3).standard_normal(s).astype("float32")
L = dict(
    vocab_size=64,
    hidden_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=32,
    max_position_embeddings=64,
)
ED = dict(
    vocab_size=64,
    d_model=16,
    encoder_layers=2,
    decoder_layers=2,
    encoder_attention_heads=2,
    decoder_attention_heads=2,
    encoder_ffn_dim=32,
    decoder_ffn_dim=32,
    max_position_embeddings=64,
)


def mk(k):
    m = {
        "llama": lambda: T.LlamaForCausalLM(T.LlamaConfig(seq_length=32, **L)),
        "gpt": lambda: T.GPTForCausalLM(T.GPTConfig(seq_length=32, **L)),
        "opt": lambda: T.OPTForCausalLM(T.OPTConfig(word_embed_proj_dim=16, **L)),
        "bloom": lambda: T.BloomForCausalLM(T.BloomConfig(vocab_size=64, hidden_size=16, n_layer=2, n_head=2)),
        "bart": lambda: T.BartForConditionalGeneration(T.BartConfig(**ED)),
        "pegasus": lambda: T.PegasusForConditionalGeneration(T.PegasusConfig(**ED)),
        "t5": lambda: T.T5ForConditionalGeneration(
            T.T5Config(
                vocab_size=64,
                d_model=16,
                d_kv=8,
                d_ff=32,
                num_layers=2,
                num_heads=2,
                bos_token_id=0,
                decoder_start_token_id=0,
            )
        ),
        "qwen": lambda: T.QWenForCausalLM(T.QWenConfig(kv_channels=8, seq_length=32, **L)),
    }[k]()
    fill(m, 0.5)
    m.eval()
    return m


def gen(k):
    def f():
        m = mk(k)
        x = paddle.to_tensor(ids)
        record("greedy", lambda: list(m.generate(x, max_new_tokens=6, decode_strategy="greedy_search")))
        record(
            "beam",
            lambda: list(
                m.generate(x, max_new_tokens=6, decode_strategy="beam_search", num_beams=3, length_penalty=0.6)
            ),
        )
        record("sampling top_k=1", lambda: list(m.generate(x, max_new_tokens=6, decode_strategy="sampling", top_k=1)))
        record(
            "sampling top_p",
            lambda: [
                np.array(
                    m.generate(x, max_new_tokens=6, decode_strategy="sampling", top_p=0.8, temperature=0.7)[0].shape
                )
            ],
        )
        record(
            "penalties",
            lambda: list(
                m.generate(
                    x,
                    max_new_tokens=6,
                    min_length=3,
                    repetition_penalty=1.3,
                    no_repeat_ngram_size=2,
                    decode_strategy="greedy_search",
                    use_cache=False,
                )
            ),
        )
        record(
            "group beam",
            lambda: list(
                m.generate(
                    x,
                    max_new_tokens=5,
                    decode_strategy="beam_search",
                    num_beams=4,
                    num_beam_groups=2,
                    diversity_rate=0.5,
                )
            ),
        )

    f.__name__ = "gen_" + k
    case(f)


for k in "llama gpt opt bloom bart pegasus t5 qwen".split():
    gen(k)


@case
def gen_llama_save():
    m = mk("llama")
    p = Record.folder + "/llama-gen"

    def sv():
        m.eval()

        s = paddle.jit.to_static(
            m.sample_d2s if hasattr(m, "sample_d2s") else m.sample,
            input_spec=[
                paddle.static.InputSpec([None, None], "int64"),
                paddle.static.InputSpec([None, None], "int64"),
                paddle.static.InputSpec([1], "int64"),
                0,
                None,
                None,
                None,
                paddle.static.InputSpec([1], "float32"),
                paddle.static.InputSpec([1], "float32"),
                paddle.static.InputSpec([1], "float32"),
                1,
            ],
        )
        paddle.jit.save(s, p)
        return []

    stage("to_static sample", sv)
    record(
        "run",
        lambda: [
            paddle.jit.load(p)(
                paddle.to_tensor(ids),
                paddle.ones_like(paddle.to_tensor(ids)),
                paddle.to_tensor([6], "int64"),
                paddle.to_tensor([0.01], "float32"),
                paddle.to_tensor([1.0], "float32"),
                paddle.to_tensor([1.0], "float32"),
            )[0]
        ],
    )


@case
def save_pretrained():
    m = mk("llama")
    record("save", lambda: (m.save_pretrained(Record.folder + "/sp"), [])[1])
    record("load", lambda: [T.LlamaForCausalLM.from_pretrained(Record.folder + "/sp")(paddle.to_tensor(ids))[0]])
    record("auto", lambda: [T.AutoModelForCausalLM.from_pretrained(Record.folder + "/sp")(paddle.to_tensor(ids))[0]])
    record("safe", lambda: (m.save_pretrained(Record.folder + "/sp2", safe_serialization=True), [])[1])
    record("safe load", lambda: [T.LlamaForCausalLM.from_pretrained(Record.folder + "/sp2")(paddle.to_tensor(ids))[0]])
    record("shard", lambda: (m.save_pretrained(Record.folder + "/sp3", max_shard_size="10KB"), [])[1])
    record("shard load", lambda: [T.LlamaForCausalLM.from_pretrained(Record.folder + "/sp3")(paddle.to_tensor(ids))[0]])
    record(
        "bf16 load",
        lambda: [T.LlamaForCausalLM.from_pretrained(Record.folder + "/sp", dtype="float16").llama.norm.weight],
    )


@case
def crf():
    from paddlenlp.layers import LinearChainCrf, LinearChainCrfLoss, ViterbiDecoder

    c = LinearChainCrf(3, 0.1, True)
    fill(c)
    x = paddle.to_tensor(f32(2, 4, 5))
    ln = paddle.to_tensor(np.array([4, 3]))
    lb = paddle.to_tensor(np.array([[0, 1, 2, 0], [1, 1, 0, 0]]))
    record("forward", lambda: [c(x, ln)])
    record("gold", lambda: [c.gold_score(x, lb, ln)])
    record("loss", lambda: [LinearChainCrfLoss(c)(x, ln, lb)])
    record("decode", lambda: list(ViterbiDecoder(c.transitions, True)(x, ln)))

    class N(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.c = LinearChainCrf(3, 0.1, True)
            self.l = LinearChainCrfLoss(self.c)
            self.p = paddle.nn.Linear(6, 5)

        def forward(self, x, n, y):
            return self.l(self.p(x), n, y)

    check(N(), [f32(2, 4, 6), np.array([4, 3]), np.array([[0, 1, 2, 0], [1, 1, 0, 0]])], save=False)


@case
def tcn():
    from paddlenlp.layers import TCN

    check(TCN(4, [8, 8], 2, 0.0), [f32(2, 4, 10)], spec=[paddle.static.InputSpec([None, 4, None], "float32")])


@case
def sequence():
    from paddlenlp.layers import sequence_mask

    record("mask", lambda: [sequence_mask(paddle.to_tensor([1, 3, 2]), 4)])


@case
def globalpointer():
    from paddlenlp.layers import globalpointer as G

    check(G.GlobalPointer(16, 3, 8), [f32(2, 6, 16), np.ones([2, 6], "float32")], save=False)
    check(
        G.GlobalPointerForEntityExtraction(T.ErnieModel(T.ErnieConfig(**L)), {"a": 0, "b": 1}),
        [ids, np.ones_like(ids)],
        save=False,
    )


def encoder(name, cls, **kw):
    def f():
        from paddlenlp import seq2vec as V

        check(
            getattr(V, cls)(**kw),
            [f32(2, 6, 8), np.array([6, 4])][: 1 if cls in ("BoWEncoder", "CNNEncoder", "TCNEncoder") else 2],
            save=cls != "X",
            spec=None,
        )

    f.__name__ = name
    case(f)


encoder("bow", "BoWEncoder", emb_dim=8)
encoder("cnn", "CNNEncoder", emb_dim=8, num_filter=4)
encoder("gru", "GRUEncoder", input_size=8, hidden_size=6, direction="bidirect", pooling_type="mean")
encoder("lstm", "LSTMEncoder", input_size=8, hidden_size=6, direction="bidirect", num_layers=2)
encoder("rnn", "RNNEncoder", input_size=8, hidden_size=6, pooling_type="max")
encoder("tcnenc", "TCNEncoder", input_size=8, num_channels=[4, 4])


@case
def losses():
    from paddlenlp import losses as O

    class R(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.l = O.RDropLoss()
            self.p = paddle.nn.Linear(4, 4)

        def forward(self, a, b):
            return self.l(self.p(a), b)

    check(R(), [f32(3, 4), f32(3, 4) * 0.5])
    from paddlenlp.transformers import distill_utils as U

    record(
        "minilm",
        lambda: (
            [
                U.calc_minilm_loss(
                    paddle.nn.KLDivLoss("sum"),
                    paddle.to_tensor(f32(1, 2, 3, 4)),
                    paddle.to_tensor(f32(1, 2, 3, 4) * 0.5),
                    paddle.ones([1, 1, 3, 3]),
                    2,
                )
            ]
            if hasattr(U, "calc_minilm_loss")
            else []
        ),
    )
    record(
        "multi",
        lambda: [
            U.calc_multi_relation_loss(
                paddle.nn.functional.kl_div,
                paddle.to_tensor(f32(1, 2, 3, 4)),
                paddle.to_tensor(f32(1, 2, 3, 4) * 0.5),
                paddle.ones([1, 1, 1, 3]),
                2,
            )
        ],
    )


@case
def lora():
    from paddlenlp.peft import LoRAConfig, LoRAModel

    m = mk("llama")
    c = LoRAConfig(target_modules=[".*q_proj.*", ".*v_proj.*"], r=4, lora_alpha=8, lora_dropout=0.0)
    q = LoRAModel(m, c)
    q.mark_only_lora_as_trainable()
    record("n", lambda: [np.array([p.stop_gradient for p in q.parameters()])])
    check(q, [ids], spec=[paddle.static.InputSpec([None, None], "int64")])
    record("adapters", lambda: (q.save_pretrained(Record.folder + "/lora"), [])[1])
    record("load", lambda: [LoRAModel.from_pretrained(mk("llama"), Record.folder + "/lora")(paddle.to_tensor(ids))[0]])
    record("merge", lambda: (q.eval(), q.merge() if hasattr(q, "merge") else None, [q(paddle.to_tensor(ids))[0]])[2])


@case
def prefix():
    from paddlenlp.peft import PrefixConfig, PrefixModelForCausalLM
    from paddlenlp.peft.prefix import llama_postprocess_past_key_value

    m = mk("llama")
    c = PrefixConfig(
        num_prefix_tokens=3,
        num_attention_heads=2,
        num_hidden_layers=2,
        hidden_size=16,
        prefix_projection=True,
        prefix_projection_hidden_size=8,
    )
    q = PrefixModelForCausalLM(m, c, postprocess_past_key_value=llama_postprocess_past_key_value)
    q.mark_only_prefix_as_trainable()
    check(q, [ids], dict(attention_mask=np.ones_like(ids)), save=False, static=False)
    record(
        "gen",
        lambda: list(
            q.generate(input_ids=paddle.to_tensor(ids), attention_mask=paddle.ones([2, 9], "int64"), max_new_tokens=4)
        ),
    )


@case
def data():
    from paddlenlp.data import Pad, SamplerHelper, Stack, Tuple, Vocab

    a = [[1, 2], [3], [4, 5, 6]]
    record(
        "pad",
        lambda: (
            [Pad(pad_val=0)(a), Pad(pad_val=-1, axis=0, dtype="int32", pad_right=False)(a), Stack("int64")([1, 2])]
            + list(Tuple(Pad(), Stack())(list(zip(a, [1, 2, 3], strict=True))))
        ),
    )
    v = Vocab.load_vocabulary if 0 else Vocab.from_dict({"a": 1, "b": 2, "[UNK]": 0}, unk_token="[UNK]")
    record("vocab", lambda: [np.array(v.to_indices(["a", "zz", "b"])), np.array(v.to_tokens([1, 2]))])
    from paddlenlp.datasets import MapDataset

    ds = MapDataset([dict(n=len(x), x=x) for x in a * 3])
    s = SamplerHelper(ds).sort(key=lambda i, d: d[i]["n"] if isinstance(d[i], dict) else 0).batch(2)
    record("sampler", lambda: [np.array([i for b in s for i in b])])
    dl = paddle.io.DataLoader(
        MapDataset(list(zip(a * 3, range(9), strict=True))),
        batch_size=2,
        collate_fn=lambda b: Tuple(Pad(), Stack())(b),
        num_workers=0,
    )
    record("loader", lambda: [t for b in dl for t in b])


@case
def metrics():
    from paddlenlp import metrics as M

    def acc():
        m = M.AccuracyAndF1()
        m.update(m.compute(paddle.to_tensor(f32(6, 2)), paddle.to_tensor([0, 1, 0, 1, 1, 0])))
        o = m.accumulate()
        k = M.Mcc()
        k.update(k.compute(paddle.to_tensor(f32(6, 2)), paddle.to_tensor([[0], [1], [0], [1], [1], [0]])))
        q = M.PearsonAndSpearman()
        q.update((paddle.to_tensor(f32(6, 1)), paddle.to_tensor(f32(6, 1) * 0.3)))
        return [
            np.array([float(x) for x in o]),
            np.array(k.accumulate(), "float64"),
            np.array(q.accumulate(), "float64"),
        ]

    record("glue", acc)

    def ppl():
        m = M.Perplexity()
        m.update(m.compute(paddle.to_tensor(f32(2, 3, 5)), paddle.to_tensor([[1, 2, 3], [0, 4, 1]])).numpy())
        return [np.array(m.accumulate())]

    record("ppl", ppl)

    def chunk():
        m = M.ChunkEvaluator(["B-A", "I-A", "O"])
        r = m.compute(
            paddle.to_tensor([3, 2]), paddle.to_tensor([[0, 1, 2], [0, 2, 2]]), paddle.to_tensor([[0, 1, 2], [0, 1, 2]])
        )
        m.update(*[int(x) for x in r])
        return [np.array(m.accumulate())]

    record("chunk", chunk)

    def text():
        b = M.BLEU()
        b.add_inst("a b c d e".split(), ["a b c d f".split()])
        r = M.RougeL()
        r.add_inst("a b c".split(), ["a c d".split()])
        d = M.Distinct()
        d.add_inst("a b a".split())
        return [np.array([b.score(), r.score(), d.score()])]

    record("text", text)

    def span():
        s = M.SpanEvaluator()
        r = s.compute(
            paddle.to_tensor(f32(2, 5)),
            paddle.to_tensor(f32(2, 5) * 0.4),
            paddle.to_tensor((f32(2, 5) > 0).astype("float32")),
            paddle.to_tensor((f32(2, 5) > 0.2).astype("float32")),
        )
        s.update(*r)
        return [np.array(s.accumulate())]

    record("span", span)


@case
def schedules():
    for n, a in (
        ("LinearDecayWithWarmup", (0.1, 20, 0.1)),
        ("CosineDecayWithWarmup", (0.1, 20, 3)),
        ("PolyDecayWithWarmup", (0.1, 20, 3)),
        ("ConstScheduleWithWarmup", (0.1, 3, 20)),
    ):

        def f(n=n, a=a):
            s = getattr(T, n)(*a)
            o = []
            for _ in range(15):
                o.append(s())
                s.step()
            return [np.array(o)]

        record(n, f)


@case
def optimizer():
    from paddlenlp.ops.optimizer import AdamWDL

    def f():
        m = T.ErnieForSequenceClassification(
            T.ErnieConfig(**dict(L, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0))
        )
        fill(m)

        from paddlenlp.ops.optimizer.adamwdl import layerwise_lr_decay as _

        names = {p.name: n for n, p in m.named_parameters()}
        o = AdamWDL(
            learning_rate=1e-2,
            parameters=m.parameters(),
            layerwise_decay=0.8,
            n_layers=2,
            name_dict=names,
            weight_decay=0.01,
        )
        r = []
        for _ in range(4):
            l = paddle.nn.functional.cross_entropy(m(paddle.to_tensor(ids)), paddle.to_tensor([0, 1]))
            l.backward()
            o.step()
            o.clear_grad()
            r.append(float(l))
        return [np.array(r)]

    record("adamwdl", f)


@case
def einsum():
    from paddlenlp.ops import einsum as E

    e = E if callable(E) else E.einsum
    record(
        "einsum",
        lambda: [
            e("bij,bjk->bik", paddle.to_tensor(f32(2, 3, 4)), paddle.to_tensor(f32(2, 4, 5))),
            e("bij->bji", paddle.to_tensor(f32(2, 3, 4))),
        ],
    )


@case
def trainer():
    from paddlenlp.datasets import MapDataset
    from paddlenlp.trainer import Trainer, TrainingArguments

    def f():
        m = T.BertForSequenceClassification(
            T.BertConfig(**dict(L, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0))
        )
        fill(m)
        ds = MapDataset([dict(input_ids=ids[i % 2] + i % 3, labels=np.int64(i % 2)) for i in range(20)])
        a = TrainingArguments(
            output_dir=Record.folder + "/tr",
            max_steps=6,
            per_device_train_batch_size=4,
            learning_rate=1e-2,
            logging_steps=1,
            save_steps=3,
            device="cpu",
            do_train=True,
            do_eval=True,
            dataloader_num_workers=0,
            report_to=[],
            disable_tqdm=True,
            seed=1,
            save_total_limit=2,
            max_grad_norm=1.0,
            warmup_steps=2,
        )
        t = Trainer(
            model=m,
            args=a,
            criterion=paddle.nn.CrossEntropyLoss(),
            train_dataset=ds,
            eval_dataset=ds,
            compute_metrics=lambda p: {"acc": float((p.predictions.argmax(-1) == p.label_ids).mean())},
        )
        r = t.train()
        e = t.evaluate()
        q = t.predict(ds)
        t.save_model(Record.folder + "/tr/final")
        return [
            np.array([h["loss"] for h in t.state.log_history if "loss" in h]),
            np.array([r.training_loss, e["eval_loss"], e["eval_acc"]]),
            q.predictions,
        ]

    record("train", f)
    record("resume", lambda: [np.array(sorted(__import__("os").listdir(Record.folder + "/tr/checkpoint-3")))])


@case
def transformer():
    t = T.TransformerModel(
        src_vocab_size=32,
        trg_vocab_size=32,
        max_length=16,
        num_encoder_layers=1,
        num_decoder_layers=1,
        n_head=2,
        d_model=16,
        d_inner_hid=32,
        dropout=0.0,
        weight_sharing=False,
        bos_id=0,
        eos_id=1,
    )
    check(t, [ids % 30 + 2, ids[:, :5] % 30 + 2], spec=None)


@case
def infer_transformer():
    t = T.InferTransformerModel(
        src_vocab_size=32,
        trg_vocab_size=32,
        max_length=16,
        num_encoder_layers=1,
        num_decoder_layers=1,
        n_head=2,
        d_model=16,
        d_inner_hid=32,
        dropout=0.0,
        weight_sharing=False,
        bos_id=0,
        eos_id=1,
        beam_size=3,
        max_out_len=6,
    )
    check(t, [ids % 30 + 2], train=False, spec=[paddle.static.InputSpec([None, None], "int64")])


@case
def tokenizer():
    from paddlenlp.transformers import BertTokenizer

    p = Record.folder + "/vocab.txt"
    open(p, "w").write("\n".join("[PAD] [UNK] [CLS] [SEP] [MASK] hello world ##s a b".split()))
    t = BertTokenizer(p)
    record(
        "call",
        lambda: [
            np.array(t("hello worlds a", max_length=8, padding="max_length")["input_ids"]),
            t(["hello a", "b"], padding=True, return_tensors="pd")["input_ids"],
        ],
    )
