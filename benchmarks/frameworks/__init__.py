"""The workloads in other frameworks, a module each: ``ways(name, weights, inputs, rate)`` returns makers of ways by their name.

A maker builds its way only when it is called, so that one that fails takes no other with it. Weights and inputs are arrays, in the
order of the networks in `networks` (`networks.ordered`); a training step makes steps with the rate.
"""
