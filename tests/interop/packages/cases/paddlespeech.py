"""paddlespeech: recognition, speakers, keywords, synthesis and vocoders."""

import numpy as np
import paddle
from suite import case, check, fill, in_double, record, stand_ins

stand_ins("visualdl")
T = paddle.to_tensor
R = np.random.RandomState


def x(*s):
    return R(0).standard_normal(s).astype("float32")


def chk(n, a, kw=None, **k):
    check(n, a, kw, scale=0.1, **dict(dict(save=False), **k))


@case
def ecapa():
    from paddlespeech.vector.models.ecapa_tdnn import EcapaTdnn

    in_double()
    chk(
        EcapaTdnn(
            input_size=10,
            lin_neurons=6,
            channels=[8, 8, 8, 8, 24],
            attention_channels=4,
            res2net_scale=2,
            se_channels=4,
        ),
        [x(2, 10, 20)],
        save=True,
    )


@case
def lstm_speaker():
    from paddlespeech.vector.models.lstm_speaker_encoder import LSTMSpeakerEncoder

    chk(
        LSTMSpeakerEncoder(n_mels=8, num_layers=2, hidden_size=6, output_size=4),
        [x(4, 10, 8)],
        {"num_speakers": 2},
        static=False,
    )


@case
def vector_loss():
    from paddlespeech.vector.modules.loss import AdditiveAngularMargin, FocalLoss, LogSoftmaxWrapper

    def both(f, *a):
        ts = [T(v) for v in a]
        ts[0].stop_gradient = False
        o = f(*ts)
        o.backward()
        return [o, ts[0].grad]

    record(
        "aam",
        lambda: both(
            LogSoftmaxWrapper(AdditiveAngularMargin(0.2, 30)), np.tanh(x(4, 5, 1)), np.array([[0], [1], [2], [3]])
        ),
    )
    record("focal", lambda: both(FocalLoss(alpha=1, gamma=2), x(4, 5), np.array([0, 1, 2, 3])))
    record(
        "grl",
        lambda: (
            __import__("paddlespeech.vector.modules.layer", fromlist=["x"])
            and (
                lambda t: (
                    setattr(t, "stop_gradient", False),
                    __import__("paddlespeech.vector.modules.layer", fromlist=["x"])
                    .GradientReversalLayer(0.5)(t)
                    .sum()
                    .backward(),
                    [t.grad],
                )[-1]
            )(T(x(2, 3)))
        ),
    )


@case
def mdtc():
    from paddlespeech.kws.models.mdtc import MDTC, KWSModel

    chk(
        KWSModel(MDTC(stack_num=2, stack_size=2, in_channels=8, res_channels=6, kernel_size=3), 3),
        [x(2, 20, 8)],
        save=True,
    )


@case
def panns():
    from paddlespeech.cls.models.panns.panns import CNN6

    chk(CNN6(extract_embedding=True), [x(1, 1, 32, 64)], train=False)


@case
def ds2():
    from paddlespeech.s2t.models.ds2 import DeepSpeech2Model

    k = dict(
        feat_size=8,
        dict_size=6,
        num_conv_layers=2,
        num_rnn_layers=2,
        rnn_size=8,
        num_fc_layers=1,
        fc_layers_size_list=[8],
    )
    chk(DeepSpeech2Model(**k), [x(2, 20, 8), np.array([20, 16]), R(0).randint(1, 5, (2, 3)), np.array([3, 2])])


@case
def ds2bi():
    from paddlespeech.s2t.models.ds2 import DeepSpeech2Model

    chk(
        DeepSpeech2Model(
            feat_size=8,
            dict_size=6,
            num_conv_layers=2,
            num_rnn_layers=2,
            rnn_size=8,
            rnn_direction="bidirect",
            num_fc_layers=0,
            fc_layers_size_list=[-1],
            use_gru=True,
        ),
        [x(2, 20, 8), np.array([20, 16]), R(0).randint(1, 5, (2, 3)), np.array([3, 2])],
    )


def u2(kind, dec="transformer", **e):
    def c():
        from paddlespeech.s2t.models.u2 import U2Model

        in_double(dec == "bitransformer")
        ec = dict(
            output_size=8,
            attention_heads=2,
            linear_units=16,
            num_blocks=1,
            dropout_rate=0.0,
            positional_dropout_rate=0.0,
            attention_dropout_rate=0.0,
            input_layer="conv2d",
            normalize_before=True,
        )
        ec.update(e)
        if kind == "squeezeformer":
            [ec.pop(q) for q in ("input_layer", "linear_units", "normalize_before", "output_size")]
            ec.clear()
            ec.update(
                encoder_dim=8,
                output_size=8,
                attention_heads=2,
                reduce_idx=0,
                recover_idx=1,
                feed_forward_expansion_factor=2,
                num_blocks=2,
                attention_dropout_rate=0.0,
                input_dropout_rate=0.0,
                feed_forward_dropout_rate=0.0,
            )
        dc = dict(
            attention_heads=2,
            linear_units=16,
            num_blocks=1,
            dropout_rate=0.0,
            positional_dropout_rate=0.0,
            self_attention_dropout_rate=0.0,
            src_attention_dropout_rate=0.0,
        )
        mc = dict(ctc_weight=0.3, lsm_weight=0.1, length_normalized_loss=False)
        if dec == "bitransformer":
            dc["r_num_blocks"] = 1
            mc["reverse_weight"] = 0.3
        m = U2Model(
            dict(input_dim=16, output_dim=7, encoder=kind, encoder_conf=ec, decoder=dec, decoder_conf=dc, model_conf=mc)
        )
        a = [x(2, 40, 16), np.array([40, 32]), R(0).randint(1, 5, (2, 3)), np.array([3, 2])]
        chk(m, a, static=False)
        if dec == "bitransformer":  # its searches are in single precision
            in_double(False)
            m.to(dtype="float32")

        def d():
            fill(m)
            m.eval()
            return [
                str(
                    m.decode(
                        T(a[0]),
                        T(a[1]),
                        text_feature=None,
                        decoding_method=q,
                        beam_size=2,
                        ctc_weight=0.5,
                        decoding_chunk_size=-1,
                        num_decoding_left_chunks=-1,
                        simulate_streaming=False,
                    )
                )
                for q in ()
            ] + list(m.encoder(T(a[0]), T(a[1])))[:1]

        record("encoder", d)
        record("greedy", lambda: [str(m.ctc_greedy_search(T(a[0]), T(a[1])))])
        record("prefix", lambda: [str(m.ctc_prefix_beam_search(T(a[0][:1]), T(a[1][:1]), beam_size=2))])
        record("rescoring", lambda: [str(m.attention_rescoring(T(a[0][:1]), T(a[1][:1]), beam_size=2, ctc_weight=0.5))])

    c.__name__ = f"u2_{kind}_{dec}"
    case(c)


u2("transformer")
u2(
    "conformer",
    cnn_module_kernel=3,
    use_cnn_module=True,
    activation_type="swish",
    pos_enc_layer_type="rel_pos",
    selfattention_layer_type="rel_selfattn",
)
u2(
    "conformer",
    "bitransformer",
    cnn_module_kernel=3,
    causal=True,
    use_dynamic_chunk=False,
    pos_enc_layer_type="rel_pos",
    selfattention_layer_type="rel_selfattn",
)
u2("squeezeformer", cnn_module_kernel=3)


@case
def transformer_lm():
    from paddlespeech.s2t.models.lm.transformer import TransformerLM

    chk(
        TransformerLM(7, pos_enc=None, embed_unit=8, att_unit=8, head=2, unit=16, layer=1, dropout_rate=0.0),
        [R(0).randint(1, 6, (2, 5)), R(1).randint(1, 6, (2, 5))],
        static=False,
    )


@case
def s2t_modules():
    from paddlespeech.s2t.modules import mask as M
    from paddlespeech.s2t.modules.conformer_convolution import ConvolutionModule
    from paddlespeech.s2t.modules.loss import CTCLoss, LabelSmoothingLoss

    L = T(np.array([5, 3, 2]))
    record(
        "pad",
        lambda: [
            M.make_pad_mask(L),
            M.make_non_pad_mask(L),
            M.subsequent_mask(4),
            M.subsequent_chunk_mask(6, 2),
            M.subsequent_chunk_mask(6, 2, 1),
        ],
    )
    record(
        "optional",
        lambda: [
            M.add_optional_chunk_mask(
                T(x(2, 6, 4)), M.make_non_pad_mask(T(np.array([6, 4]))).unsqueeze(1), False, False, 0, 2, 1
            )
        ],
    )
    record(
        "ctc",
        lambda: [
            CTCLoss(grad_norm_type=g)(
                T(x(2, 8, 5)), T(np.array([8, 6])), T(np.array([[1, 2, 3], [1, 2, 0]], "int32")), T(np.array([3, 2]))
            )
            for g in (None, "instance", "batch", "frame")
        ],
    )
    record(
        "smoothing",
        lambda: [
            LabelSmoothingLoss(5, -1, 0.1, n)(T(x(2, 3, 5)), T(np.array([[1, 2, 3], [1, 2, -1]])))
            for n in (False, True)
        ],
    )
    chk(ConvolutionModule(8, 3, norm="layer_norm"), [x(2, 6, 8)], train=False)


@case
def fastspeech2():
    from paddlespeech.t2s.models.fastspeech2 import FastSpeech2, FastSpeech2Loss

    m = FastSpeech2(
        idim=10,
        odim=6,
        adim=8,
        aheads=2,
        elayers=1,
        eunits=16,
        dlayers=1,
        dunits=16,
        postnet_layers=2,
        postnet_chans=8,
        postnet_filts=3,
        duration_predictor_layers=1,
        duration_predictor_chans=8,
        energy_predictor_layers=1,
        energy_predictor_chans=8,
        pitch_predictor_layers=1,
        pitch_predictor_chans=8,
        energy_embed_kernel_size=1,
        pitch_embed_kernel_size=1,
    )
    a = [
        R(0).randint(1, 9, (2, 4)),
        np.array([4, 3]),
        x(2, 8, 6),
        np.array([8, 6]),
        np.full((2, 4), 2),
        x(2, 4, 1),
        x(2, 4, 1),
    ]
    a[4][1, 3] = 0
    chk(m, a, static=False)

    def inf():
        m.eval()
        return [o for o in m.inference(T(a[0][0]))]

    record("inference", inf)

    def ls():
        o = m(*[T(v) for v in a])
        return list(
            FastSpeech2Loss()(
                o[0], o[1], o[2], o[3], o[4], ys=o[5], ds=T(a[4]), ps=T(a[5]), es=T(a[6]), ilens=T(a[1]), olens=o[6]
            )
        )[:4]

    record("loss", ls)


@case
def fastspeech2_conformer():
    from paddlespeech.t2s.models.fastspeech2 import FastSpeech2

    m = FastSpeech2(
        idim=10,
        odim=6,
        adim=8,
        aheads=2,
        elayers=1,
        eunits=16,
        dlayers=1,
        dunits=16,
        postnet_layers=2,
        postnet_chans=8,
        postnet_filts=3,
        duration_predictor_layers=1,
        duration_predictor_chans=8,
        energy_predictor_layers=1,
        energy_predictor_chans=8,
        pitch_predictor_layers=1,
        pitch_predictor_chans=8,
        energy_embed_kernel_size=1,
        pitch_embed_kernel_size=1,
        encoder_type="conformer",
        decoder_type="conformer",
        conformer_enc_kernel_size=3,
        conformer_dec_kernel_size=3,
        spk_num=3,
        spk_embed_dim=4,
    )
    a = [
        R(0).randint(1, 9, (2, 4)),
        np.array([4, 3]),
        x(2, 8, 6),
        np.array([8, 6]),
        np.full((2, 4), 2),
        x(2, 4, 1),
        x(2, 4, 1),
    ]
    a[4][1, 3] = 0
    chk(m, a, {"spk_id": np.array([0, 2])}, static=False)


@case
def tacotron2():
    from paddlespeech.t2s.models.tacotron2 import Tacotron2

    m = Tacotron2(
        idim=10,
        odim=6,
        embed_dim=8,
        eunits=8,
        econv_layers=1,
        econv_chans=8,
        econv_filts=3,
        adim=8,
        aconv_chans=4,
        aconv_filts=3,
        dlayers=1,
        dunits=8,
        prenet_units=8,
        prenet_layers=1,
        postnet_layers=2,
        postnet_chans=8,
        postnet_filts=3,
        dropout_rate=0.0,
        zoneout_rate=0.0,
    )
    a = [R(0).randint(1, 9, (2, 4)), np.array([4, 3]), x(2, 8, 6), np.array([8, 6])]
    chk(m, a, static=False)

    def inf():
        m.eval()
        paddle.seed(1)
        o = m.inference(T(a[0][0]), maxlenratio=2.0)
        return [o["feat_gen"].shape if isinstance(o, dict) else len(o)]

    record("inference", inf)


@case
def transformer_tts():
    from paddlespeech.t2s.models.transformer_tts import TransformerTTS

    m = TransformerTTS(
        idim=10,
        odim=6,
        embed_dim=8,
        eprenet_conv_layers=1,
        eprenet_conv_chans=8,
        eprenet_conv_filts=3,
        dprenet_layers=1,
        dprenet_units=8,
        elayers=1,
        eunits=16,
        adim=8,
        aheads=2,
        dlayers=1,
        dunits=16,
        postnet_layers=2,
        postnet_chans=8,
        postnet_filts=3,
        eprenet_dropout_rate=0.0,
        dprenet_dropout_rate=0.0,
    )
    chk(m, [R(0).randint(1, 9, (2, 4)), np.array([4, 3]), x(2, 8, 6), np.array([8, 6])], static=False)


@case
def pwgan():
    from paddlespeech.t2s.models.parallel_wavegan import PWGGenerator

    chk(
        PWGGenerator(
            layers=4,
            stacks=2,
            residual_channels=4,
            gate_channels=8,
            skip_channels=4,
            aux_channels=6,
            upsample_scales=[2, 2],
            aux_context_window=1,
        ),
        [x(1, 1, 16), x(1, 6, 6)],
        static=False,
    )


@case
def pwgan_d():
    from paddlespeech.t2s.models.parallel_wavegan import PWGDiscriminator

    chk(PWGDiscriminator(layers=3, conv_channels=4), [x(1, 1, 32)], save=True)


@case
def hifigan():
    from paddlespeech.t2s.models.hifigan import HiFiGANGenerator

    chk(
        HiFiGANGenerator(
            in_channels=6,
            channels=8,
            upsample_scales=(2, 2),
            upsample_kernel_sizes=(4, 4),
            resblock_kernel_sizes=(3,),
            resblock_dilations=[(1, 3)],
        ),
        [x(1, 6, 8)],
    )

    def rm():
        g = HiFiGANGenerator(
            in_channels=6,
            channels=8,
            upsample_scales=(2, 2),
            upsample_kernel_sizes=(4, 4),
            resblock_kernel_sizes=(3,),
            resblock_dilations=[(1, 3)],
        )
        fill(g)
        g.eval()
        a = g(T(x(1, 6, 8)))
        g.remove_weight_norm()
        return [a, g(T(x(1, 6, 8)))]

    record("remove_weight_norm", rm)


@case
def hifigan_d():
    from paddlespeech.t2s.models.hifigan.hifigan import HiFiGANPeriodDiscriminator

    chk(
        HiFiGANPeriodDiscriminator(period=3, channels=4, downsample_scales=[2, 1], max_downsample_channels=8),
        [x(1, 1, 32)],
        static=False,
    )


@case
def hifigan_s():
    from paddlespeech.t2s.models.hifigan.hifigan import HiFiGANScaleDiscriminator

    chk(
        HiFiGANScaleDiscriminator(
            channels=16, max_downsample_channels=32, max_groups=4, downsample_scales=[2, 1], kernel_sizes=[5, 5, 5, 3]
        ),
        [x(1, 1, 64)],
        static=False,
    )


@case
def melgan():
    from paddlespeech.t2s.models.melgan import MelGANGenerator

    chk(
        MelGANGenerator(in_channels=6, channels=16, upsample_scales=[2, 2], stacks=1, kernel_size=3),
        [x(1, 6, 12)],
        static=False,
    )


@case
def melgan_d():
    from paddlespeech.t2s.models.melgan import MelGANMultiScaleDiscriminator

    chk(
        MelGANMultiScaleDiscriminator(scales=2, channels=4, downsample_scales=[2, 2], max_downsample_channels=16),
        [x(1, 1, 128)],
        static=False,
    )


@case
def style_melgan():
    from paddlespeech.t2s.models.melgan import StyleMelGANGenerator

    chk(
        StyleMelGANGenerator(
            in_channels=8, aux_channels=6, channels=4, noise_upsample_scales=[2], upsample_scales=[2, 1], kernel_size=3
        ),
        [x(1, 6, 2), x(1, 8, 1)],
        static=False,
    )


@case
def speedyspeech():
    from paddlespeech.t2s.models.speedyspeech import SpeedySpeech

    chk(
        SpeedySpeech(
            vocab_size=10,
            encoder_hidden_size=8,
            encoder_dilations=[1, 3],
            duration_predictor_hidden_size=8,
            decoder_hidden_size=8,
            decoder_output_size=6,
            decoder_dilations=[1, 3],
            tone_size=4,
        ),
        [R(0).randint(1, 9, (2, 4)), R(0).randint(1, 3, (2, 4)), np.full((2, 4), 2)],
        static=False,
    )


@case
def waveflow():
    from paddlespeech.t2s.models.waveflow import ConditionalWaveFlow

    m = ConditionalWaveFlow(
        upsample_factors=[2, 2], n_flows=2, n_layers=2, n_group=8, channels=4, n_mels=6, kernel_size=[3, 3]
    )
    chk(m, [x(1, 64), x(1, 6, 16)], static=False)


@case
def wavernn():
    from paddlespeech.t2s.models.wavernn import WaveRNN

    chk(
        WaveRNN(
            rnn_dims=8,
            fc_dims=8,
            bits=4,
            aux_context_window=2,
            upsample_scales=[2, 2],
            aux_channels=6,
            compute_dims=8,
            res_out_dims=8,
            res_blocks=1,
            hop_length=4,
            mode="RAW",
        ),
        [x(1, 16), x(1, 6, 8)],
        static=False,
    )


@case
def vits_modules():
    from paddlespeech.t2s.models.vits.wavenet.wavenet import WaveNet

    chk(
        WaveNet(
            kernel_size=3,
            layers=2,
            stacks=1,
            base_dilation=1,
            residual_channels=4,
            aux_channels=-1,
            gate_channels=8,
            skip_channels=4,
            global_channels=-1,
            dropout_rate=0.0,
            use_weight_norm=True,
            use_first_conv=False,
            use_last_conv=False,
            scale_residual=False,
            scale_skip_connect=True,
        ),
        [x(1, 4, 16), np.ones([1, 1, 16], "float32")],
        static=False,
    )


@case
def t2s_losses():
    from paddlespeech.t2s.modules import losses as L
    from paddlespeech.t2s.modules.pqmf import PQMF

    record(
        "stft",
        lambda: list(
            L.MultiResolutionSTFTLoss(fft_sizes=[64, 32], hop_sizes=[16, 8], win_lengths=[64, 32])(
                T(x(2, 256)), T(x(2, 256) * 0.5)
            )
        ),
    )
    record(
        "adv",
        lambda: [
            L.GeneratorAdversarialLoss()(T(x(2, 5))),
            *L.DiscriminatorAdversarialLoss()(T(x(2, 5)), T(x(2, 5) * 2)),
        ],
    )
    record(
        "mel",
        lambda: [L.MelSpectrogramLoss(fs=8000, fft_size=64, hop_size=16, num_mels=8)(T(x(2, 256)), T(x(2, 256) * 0.5))],
    )
    record("guided", lambda: [L.GuidedAttentionLoss()(T(np.abs(x(2, 6, 4))), T(np.array([4, 3])), T(np.array([6, 5])))])
    record("ssim", lambda: [L.ssim(T(x(1, 1, 16, 16)), T(x(1, 1, 16, 16) * 0.5))])

    def pq():
        q = PQMF(4)
        y = q.analysis(T(x(1, 1, 64)))
        return [y, q.synthesis(y)]

    record("pqmf", pq)
    record("logistic", lambda: [L.discretized_mix_logistic_loss(T(x(2, 5, 30)), T(np.tanh(x(2, 5, 1))), reduce=False)])
