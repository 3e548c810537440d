"""ppdiffusers: networks of tiny configurations, schedulers, training steps."""

import numpy as np
import paddle
from suite import case, fill, net, older_python, record, stand_ins

older_python()
stand_ins("onnxruntime fastdeploy torch transformers ligo_ librosa k_diffusion")
import ppdiffusers as pd

R = np.random.RandomState(0)


def f(*shape):
    return R.standard_normal(shape).astype("float32")


IMAGE, TIME, TEXT = f(2, 3, 16, 16), np.array([3, 7]), f(2, 5, 8)
FOUR = f(2, 4, 16, 16)


class Sample(paddle.nn.Layer):
    """A network whose outputs are tensors, as files have them."""

    def __init__(self, inner, *names):
        super().__init__()
        self.inner, self.names = inner, names

    def forward(self, x, y, z=None):
        out = self.inner(x, y) if z is None else self.inner(x, y, z)
        return tuple(getattr(out, name) for name in self.names)


def unet2d():
    return Sample(
        pd.UNet2DModel(
            sample_size=16,
            in_channels=3,
            out_channels=3,
            layers_per_block=1,
            block_out_channels=(8, 16),
            norm_num_groups=4,
            down_block_types=("DownBlock2D", "AttnDownBlock2D"),
            up_block_types=("AttnUpBlock2D", "UpBlock2D"),
        ),
        "sample",
    )


def conditional(**more):
    return pd.UNet2DConditionModel(
        sample_size=16,
        in_channels=4,
        out_channels=4,
        layers_per_block=1,
        block_out_channels=(8, 16),
        norm_num_groups=4,
        cross_attention_dim=8,
        attention_head_dim=4,
        down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"),
        **more,
    )


net("unet2d", unet2d, [IMAGE, TIME])
net("unet2d_condition", lambda: Sample(conditional(), "sample"), [FOUR, TIME, TEXT])
net("unet2d_linear_projection", lambda: Sample(conditional(use_linear_projection=True), "sample"), [FOUR, TIME, TEXT])


class Decoded(paddle.nn.Layer):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner.decode(self.inner.encode(x).latent_dist.mode()).sample


class Quantized(Decoded):
    def forward(self, x):
        return self.inner(x).sample


net(
    "autoencoder_kl",
    lambda: Decoded(
        pd.AutoencoderKL(
            down_block_types=("DownEncoderBlock2D",) * 2,
            up_block_types=("UpDecoderBlock2D",) * 2,
            block_out_channels=(8, 16),
            norm_num_groups=4,
            latent_channels=4,
        )
    ),
    [IMAGE],
)
net(
    "vq",
    lambda: Quantized(
        pd.VQModel(
            down_block_types=("DownEncoderBlock2D",) * 2,
            up_block_types=("UpDecoderBlock2D",) * 2,
            block_out_channels=(8, 16),
            norm_num_groups=4,
            latent_channels=3,
            num_vq_embeddings=16,
        )
    ),
    [IMAGE],
)
net(
    "transformer2d",
    lambda: Sample(
        pd.Transformer2DModel(
            num_attention_heads=2, attention_head_dim=4, in_channels=4, norm_num_groups=2, cross_attention_dim=8
        ),
        "sample",
    ),
    [f(2, 4, 8, 8), TEXT],
)
class Prior(Sample):
    def forward(self, x, y, z, text):
        return self.inner(x, y, z, text).predicted_image_embedding


net(
    "prior",
    lambda: Prior(
        pd.PriorTransformer(num_attention_heads=2, attention_head_dim=4, num_layers=1, embedding_dim=8, num_embeddings=5)
    ),
    [f(2, 8), TIME, f(2, 8), f(2, 5, 8)],
)


class Controlled(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.control = pd.ControlNetModel(
            in_channels=4,
            block_out_channels=(8, 16),
            layers_per_block=1,
            norm_num_groups=4,
            cross_attention_dim=8,
            attention_head_dim=4,
            down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
            conditioning_embedding_out_channels=(8, 16),
        )
        self.unet = conditional()

    def forward(self, x, time, text, hint):
        down, mid = self.control(x, time, encoder_hidden_states=text, controlnet_cond=hint, return_dict=False)
        return self.unet(
            x, time, text, down_block_additional_residuals=down, mid_block_additional_residual=mid, return_dict=False
        )[0]


net("controlnet", Controlled, [f(2, 4, 8, 8), TIME, TEXT, f(2, 3, 16, 16)])

SCHEDULERS = (
    "DDPMScheduler DDIMScheduler PNDMScheduler LMSDiscreteScheduler EulerDiscreteScheduler HeunDiscreteScheduler "
    "DPMSolverMultistepScheduler DPMSolverSinglestepScheduler UniPCMultistepScheduler DEISMultistepScheduler DDIMInverseScheduler "
    "KDPM2DiscreteScheduler ScoreSdeVeScheduler"
).split()


def scheduler(name):
    def run():
        steps = getattr(pd, name)(num_train_timesteps=50)
        noises, samples = paddle.to_tensor(IMAGE * 0.1), paddle.to_tensor(IMAGE)

        def noisy():
            return [steps.add_noise(samples, noises, paddle.to_tensor([3, 20]))]

        def steps_of():
            paddle.seed(0)
            steps.set_timesteps(4)
            x, found = samples, []
            for time in steps.timesteps:
                x = steps.scale_model_input(x, time) if hasattr(steps, "scale_model_input") else x
                x = steps.step(x * 0.1, time, x).prev_sample
                found.append(x)
            return [paddle.stack(found).astype("float32")]

        steps.set_timesteps(10)
        record("noise", noisy)
        if "DDPM" not in name and "Sde" not in name:  # those draw
            record("steps", steps_of)

    case(run, name)


for name in SCHEDULERS:
    scheduler(name)


@case
def training():
    network, steps = unet2d(), pd.DDPMScheduler(num_train_timesteps=50)
    fill(network)
    adam = paddle.optimizer.AdamW(1e-3, parameters=network.parameters())
    images, noises, times = paddle.to_tensor(IMAGE), paddle.to_tensor(f(2, 3, 16, 16)), paddle.to_tensor(TIME)

    def losses():
        found = []
        for _ in range(4):
            loss = paddle.nn.functional.mse_loss(network(steps.add_noise(images, noises, times), times)[0], noises)
            loss.backward()
            adam.step()
            adam.clear_grad()
            found.append(float(loss))
        return found

    record("losses", losses)


@case
def saved_and_loaded():
    import tempfile

    network = unet2d().inner
    fill(network)
    with tempfile.TemporaryDirectory() as folder:
        network.save_pretrained(folder)
        again = pd.UNet2DModel.from_pretrained(folder)
    again.eval()
    record("sample", lambda: [again(paddle.to_tensor(IMAGE), paddle.to_tensor(TIME)).sample])
