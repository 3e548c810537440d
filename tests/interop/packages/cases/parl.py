"""parl: models, algorithms and their training steps, replay memory and schedules."""

import numpy as np
import paddle
from suite import Anything, case, check, fill, image, older_python, record, stage, stand_ins, tensors

older_python()
stand_ins("gym pynvml flask_cors grpc tensorboard zmq cloudpickle psutil flask click termcolor tensorboardX torch_")
import pyarrow

pyarrow.default_serialization_context = Anything  # its remote part asks for what newer versions have no more
import parl
from paddle import nn
from paddle.nn import functional as F
from parl import algorithms as A


class Q(parl.Model):
    def __init__(self, actions=3):
        super().__init__()
        self.first, self.second = nn.Linear(4, 16), nn.Linear(16, actions)

    def forward(self, obs):
        return self.second(F.relu(self.first(obs)))

    def value(self, obs):
        return self.forward(obs)


class Probabilities(Q):
    def forward(self, obs):
        return F.softmax(super().forward(obs), axis=-1)


class ActorCritic(parl.Model):
    """Continuous actions of two dimensions."""

    def __init__(self, stochastic=False, critics=1):
        super().__init__()
        self.actor_model, self.critic_model = Actor(stochastic), Critic(critics)

    def policy(self, obs):
        return self.actor_model(obs)

    def value(self, obs, action):
        return self.critic_model(obs, action)

    def Q1(self, obs, action):
        return self.critic_model.Q1(obs, action)

    def get_actor_params(self):
        return self.actor_model.parameters()

    def get_critic_params(self):
        return self.critic_model.parameters()


class Actor(parl.Model):
    def __init__(self, stochastic):
        super().__init__()
        self.first, self.mean, self.std = nn.Linear(4, 16), nn.Linear(16, 2), nn.Linear(16, 2) if stochastic else None

    def forward(self, obs):
        x = F.relu(self.first(obs))
        if self.std is None:
            return paddle.tanh(self.mean(x))
        return self.mean(x), paddle.clip(self.std(x), -5.0, 2.0)


class Critic(parl.Model):
    def __init__(self, count):
        super().__init__()
        self.nets = nn.LayerList([nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1)) for _ in range(count)])

    def forward(self, obs, action):
        found = [layer(paddle.concat([obs, action], 1)) for layer in self.nets]
        return found[0] if len(found) == 1 else tuple(found)

    def Q1(self, obs, action):
        return self.nets[0](paddle.concat([obs, action], 1))


class Policy(parl.Model):
    """What PPO and A2C ask: a policy over discrete actions, and a value."""

    def __init__(self):
        super().__init__()
        self.first, self.act, self.val = nn.Linear(4, 16), nn.Linear(16, 3), nn.Linear(16, 1)

    def policy(self, obs):
        return self.act(F.relu(self.first(obs)))

    def value(self, obs):
        return self.val(F.relu(self.first(obs))).squeeze(-1)

    def policy_and_value(self, obs):
        return self.policy(obs), self.value(obs)


OBS, NEXT = image(8, 4), image(8, 4, seed=1)
DISCRETE, ACTIONS = np.random.RandomState(0).randint(0, 3, [8, 1]), np.tanh(image(8, 2))
REWARD, DONE = image(8, 1, seed=2), np.zeros([8, 1], "float32")


def steps(learn, model, *batch, count=3):
    """The losses of some steps, and the parameters after them."""

    def run():
        paddle.seed(0)
        found = []
        for _ in range(count):
            loss = learn(*tensors(list(batch)))
            found.append(np.asarray([float(v) for v in (loss if isinstance(loss, (tuple, list)) else [loss])]))
        return found + [p.numpy() for p in model.parameters()]

    return run


def filled(model):
    fill(model)
    return model


@case
def dqn():
    for kind in ("DQN", "DDQN"):
        model = filled(Q())
        algorithm = getattr(A, kind)(model, gamma=0.9, lr=1e-2)
        record(f"{kind} predicts", lambda: [algorithm.predict(tensors(OBS))])
        stage(f"{kind} learns", steps(algorithm.learn, model, OBS, DISCRETE, REWARD, NEXT, DONE))
        record(f"{kind} target", lambda: [algorithm.sync_target(), algorithm.target_model(tensors(OBS))][1:])


@case
def policy_gradient():
    model = filled(Probabilities())
    algorithm = A.PolicyGradient(model, lr=1e-2)
    record("predicts", lambda: [algorithm.predict(tensors(OBS))])
    stage("learns", steps(algorithm.learn, model, OBS, DISCRETE, REWARD))


@case
def ddpg():
    model = filled(ActorCritic())
    algorithm = A.DDPG(model, gamma=0.9, tau=0.01, actor_lr=1e-2, critic_lr=1e-2)
    record("predicts", lambda: [algorithm.predict(tensors(OBS))])
    stage("learns", steps(algorithm.learn, model, OBS, ACTIONS, REWARD, NEXT, DONE))


@case
def td3():
    model = filled(ActorCritic(critics=2))
    algorithm = A.TD3(
        model, gamma=0.9, tau=0.01, actor_lr=1e-2, critic_lr=1e-2, policy_noise=0.0, noise_clip=0.0, policy_freq=1
    )
    record("predicts", lambda: [algorithm.predict(tensors(OBS))])
    stage("learns", steps(algorithm.learn, model, OBS, ACTIONS, REWARD, NEXT, DONE))


@case
def sac():
    for kind in ("SAC", "OAC", "CQL"):
        model = filled(ActorCritic(stochastic=True, critics=2))
        algorithm = getattr(A, kind)(model, gamma=0.9, tau=0.01, alpha=0.2, actor_lr=1e-2, critic_lr=1e-2)
        record(f"{kind} predicts", lambda: [algorithm.predict(tensors(OBS))])

        def shapes():
            found = algorithm.learn(*tensors([OBS, ACTIONS, REWARD, NEXT, DONE]))
            return [len(found) if isinstance(found, (tuple, list)) else 1]

        stage(f"{kind} learns", shapes)


@case
def ppo():
    model = filled(Policy())
    algorithm = A.PPO(model, clip_param=0.2, initial_lr=1e-2, continuous_action=False)
    record("value", lambda: [algorithm.value(tensors(OBS))])
    record("predicts", lambda: [algorithm.predict(tensors(OBS))])
    flat = REWARD[:, 0]
    stage("learns", steps(algorithm.learn, model, OBS, DISCRETE[:, 0], flat, flat * 0.5, flat * 0.1 - 1.0, flat * 0.3))


@case
def a2c():
    model = filled(Policy())
    algorithm = A.A2C(model, vf_loss_coeff=0.5)
    stage(
        "learns",
        lambda: [
            np.asarray(float(v))
            for v in algorithm.learn(*tensors([OBS, DISCRETE[:, 0], REWARD[:, 0], REWARD[:, 0] * 0.5]), 1e-2, -0.01)
        ],
    )
    record("predicts", lambda: [algorithm.predict(tensors(OBS)), algorithm.value(tensors(OBS))])


@case
def distributions():
    from parl.core.paddle.policy_distribution import CategoricalDistribution, DiagGaussianDistribution

    logits, other = tensors(image(4, 3)), tensors(image(4, 3, seed=1))
    d, e = CategoricalDistribution(logits), CategoricalDistribution(other)
    record("categorical", lambda: [d.entropy(), d.logp(tensors(np.array([0, 1, 2, 0]))), d.kl(e)])
    g = DiagGaussianDistribution((logits, other * 0.1))
    record("gaussian", lambda: [g.entropy(), g.logp(logits)])


@case
def models():
    check(Q(), [OBS])
    model = Q()

    def kept():
        weights = model.get_weights()
        other = Q()
        other.set_weights(weights)
        model.sync_weights_to(other, decay=0.5)
        return [other.first.weight.numpy() - model.first.weight.numpy()]

    stage("weights", kept)


@case
def agent():
    class Learner(parl.Agent):
        def learn(self, *batch):
            return self.alg.learn(*tensors(list(batch)))

        def predict(self, obs):
            return self.alg.predict(tensors(obs)).numpy()

    model = filled(Q())
    found = Learner(A.DQN(model, gamma=0.9, lr=1e-2))

    def run():
        found.learn(OBS, DISCRETE, REWARD, NEXT, DONE)
        before = found.predict(OBS)
        found.save("./agent")
        other = Learner(A.DQN(Q(), gamma=0.9, lr=1e-2))
        other.restore("./agent")
        return [before, other.predict(OBS)]

    stage("saved", run)
    stage(
        "inference",
        lambda: [
            found.save_inference_model("./served", [[None, 4]], ["float32"]),
            paddle.jit.load("./served")(tensors(OBS)).numpy(),
        ][1:],
    )


@case
def tools():
    from parl.utils import ReplayMemory, rl_utils
    from parl.utils.scheduler import LinearDecayScheduler, PiecewiseScheduler

    memory = ReplayMemory(20, 4, 1)
    for index in range(12):
        memory.append(OBS[index % 8], 1, 0.5, NEXT[index % 8], False)
    stage("memory", lambda: [memory.size(), *[np.asarray(v).shape for v in memory.sample_batch(5)]])
    stage(
        "gae",
        lambda: [
            rl_utils.calc_gae(REWARD[:, 0], REWARD[:, 0] * 0.5, 0.3, 0.9, 0.95),
            rl_utils.calc_discount_sum_rewards(REWARD[:, 0], 0.9),
        ],
    )
    stage(
        "schedules",
        lambda: [
            [LinearDecayScheduler(0.1, 10).step() for _ in range(3)],
            [PiecewiseScheduler([(0, 0.1), (2, 0.01)]).step() for _ in range(3)],
        ],
    )


def mixed_steps(name, make, batch, count=3):
    """A case of an algorithm of continuous actions."""

    def run():
        model = filled(ActorCritic(stochastic=name in ("OAC", "CQL"), critics=2 if name in ("OAC", "CQL") else 1))
        algorithm = make(model)
        record("predicts", lambda: [algorithm.predict(tensors(OBS))])
        stage("learns", steps(algorithm.learn, model, *batch, count=count))
        record("again", lambda: [algorithm.predict(tensors(NEXT))])

    case(run, f"more_{name}")


BATCH = (OBS, ACTIONS, REWARD, NEXT, DONE)
mixed_steps("OAC", lambda m: A.OAC(m, gamma=0.9, tau=0.01, alpha=0.2, beta=4.66, delta=23.53, actor_lr=1e-3, critic_lr=1e-3), BATCH)
mixed_steps("CQL", lambda m: A.CQL(m, gamma=0.9, tau=0.01, actor_lr=1e-3, critic_lr=1e-3, policy_eval_start=1, alpha=0.2), BATCH)
mixed_steps("DDPG_slow", lambda m: A.DDPG(m, gamma=0.5, tau=0.5, actor_lr=1e-3, critic_lr=1e-2), BATCH, 5)


@case
def more_weights():
    """Weights of one model in another, and a soft copy."""
    first, second = filled(Q()), Q()
    second.set_weights(first.get_weights())
    record("set", lambda: [second(tensors(OBS))])
    third = Q()
    fill(third, 0.5)
    first.sync_weights_to(third, decay=0.9)
    record("soft", lambda: [third(tensors(OBS))])
    record("names", lambda: sorted(first.get_weights()))


@case
def more_double_q():
    model = filled(Q())
    algorithm = A.DDQN(model, gamma=0.5, lr=1e-3)
    stage("learns", steps(algorithm.learn, model, OBS, DISCRETE, REWARD, NEXT, np.ones([8, 1], "float32"), count=5))


@case
def more_actor_critic_rates():
    model = filled(Policy())
    algorithm = A.A2C(model, vf_loss_coeff=0.1)
    rows = (OBS, DISCRETE[:, 0], REWARD[:, 0], REWARD[:, 0] + 1)

    def run():
        found = []
        for rate in (1e-2, 1e-3):
            found += [float(v) for v in algorithm.learn(*tensors(list(rows)), rate, -0.02)]
        return found + [p.numpy() for p in model.parameters()]

    stage("learns", run)
