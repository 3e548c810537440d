"""Cases of optimizer and schedule tests, as expressions over ``paddle``: run by the recorder and by the tests alike."""

STEPS = 10

# name -> constructor; P is the list of two parameters, `lr` paddle.optimizer.lr, `o` paddle.optimizer, `nn` paddle.nn
OPTIMIZERS = {
    "sgd": "o.SGD(0.1, P)",
    "sgd_l2": "o.SGD(0.1, P, weight_decay=0.05)",
    "sgd_l1_value": "o.SGD(0.1, P, weight_decay=reg.L1Decay(0.05), grad_clip=nn.ClipGradByValue(0.3))",
    "momentum": "o.Momentum(0.1, 0.9, P)",
    "momentum_nesterov_l2": "o.Momentum(0.1, 0.8, P, use_nesterov=True, weight_decay=0.05)",
    "momentum_groups": "o.Momentum(0.1, 0.9, [{'params': P[:1], 'learning_rate': 0.1}, {'params': P[1:], 'weight_decay': 0.2}])",
    "adam": "o.Adam(0.01, parameters=P)",
    "adam_l2_global": "o.Adam(0.05, 0.8, 0.99, 1e-6, P, weight_decay=0.1, grad_clip=nn.ClipGradByGlobalNorm(0.5))",
    "adam_norm_step": "o.Adam(lr.StepDecay(0.1, 3, 0.5), parameters=P, grad_clip=nn.ClipGradByNorm(0.4))",
    "adamw": "o.AdamW(0.05, parameters=P, weight_decay=0.1)",
    "adamw_fun": "o.AdamW(lr.CosineAnnealingDecay(0.05, 6), parameters=P, apply_decay_param_fun=lambda n: n != P[1].name)",
    "adagrad": "o.Adagrad(0.1, parameters=P, initial_accumulator_value=0.1)",
    "rmsprop": "o.RMSProp(0.05, parameters=P)",
    "rmsprop_centered": "o.RMSProp(0.05, rho=0.9, momentum=0.5, centered=True, parameters=P)",
    "adamax": "o.Adamax(0.05, parameters=P)",
    "adadelta": "o.Adadelta(0.5, parameters=P)",
    "lamb": "o.Lamb(0.05, parameters=P)",
    "lamb_exclude": "o.Lamb(0.05, 0.1, parameters=P, exclude_from_weight_decay_fn=lambda p: p is P[1])",
}

SCHEDULES = {
    "noam": "lr.NoamDecay(64, 4, 0.1)",
    "piecewise": "lr.PiecewiseDecay([3, 6], [0.1, 0.05, 0.01])",
    "natural_exp": "lr.NaturalExpDecay(0.5, 0.1)",
    "inverse_time": "lr.InverseTimeDecay(0.5, 0.1)",
    "polynomial": "lr.PolynomialDecay(0.5, 7, 0.01, 2.0)",
    "polynomial_cycle": "lr.PolynomialDecay(0.5, 4, 0.01, 1.0, cycle=True)",
    "exponential": "lr.ExponentialDecay(0.5, 0.9)",
    "multi_step": "lr.MultiStepDecay(0.5, [2, 5, 9], 0.5)",
    "step": "lr.StepDecay(0.5, 3, 0.1)",
    "lambda": "lr.LambdaDecay(0.5, lambda t: 0.95 ** t)",
    "multiplicative": "lr.MultiplicativeDecay(0.5, lambda t: 0.9 if t % 2 else 1.1)",
    "linear": "lr.LinearLR(0.5, 6, 0.25, 0.75)",
    "warmup": "lr.LinearWarmup(0.5, 5, 0.1, 0.5)",
    "warmup_cosine": "lr.LinearWarmup(lr.CosineAnnealingDecay(0.5, 5), 4, 0.0, 0.5)",
    "cosine": "lr.CosineAnnealingDecay(0.5, 5, 0.05)",
    "restarts": "lr.CosineAnnealingWarmRestarts(0.5, 3, 2, 0.05)",
    "one_cycle": "lr.OneCycleLR(0.5, 25)",
    "one_cycle_three": "lr.OneCycleLR(0.5, 25, 10.0, 0.001, 0.3, 'linear', True)",
    "cyclic": "lr.CyclicLR(0.1, 0.5, 4)",
    "cyclic_2": "lr.CyclicLR(0.1, 0.5, 3, 2, 'triangular2')",
    "cyclic_exp": "lr.CyclicLR(0.1, 0.5, 3, mode='exp_range', exp_gamma=0.9)",
}
METRICS = [1.0, 0.9, 0.9, 0.9, 0.95, 0.9, 0.5, 0.6, 0.6, 0.6, 0.6, 0.6, 0.7]
PLATEAU = {
    "plateau": "lr.ReduceOnPlateau(0.5, patience=2, cooldown=1)",
    "plateau_max": "lr.ReduceOnPlateau(0.5, 'max', 0.5, 1, 0.1, 'abs', min_lr=0.1)",
}
