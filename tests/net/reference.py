"""Computes, with JAX and Optax, what tests/network.rs compares the program's own network with.

    python -m venv v && v/bin/pip install jax optax numpy && v/bin/python tests/net/reference.py > tests/net/reference.txt

Every line of the output is a name and numbers. The network: 10 inputs, hidden layers of 6 and 5 units with ReLU, a policy of 4
outputs and a value. Weights lie row by row from inputs to units (x @ weight + bias), the value's column behind the policy's.
"""

import jax
import jax.numpy as jnp
import numpy as np
import optax

jax.config.update("jax_default_matmul_precision", "highest")
INPUTS, HIDDEN, OUTPUTS = 10, [6, 5], 4
VALUE_WEIGHT, ENTROPY_WEIGHT, RATE, EPSILON, CLIP = 0.5, 0.02, 1e-3, 1e-5, 0.3

rng = np.random.default_rng(14)
sizes = [INPUTS, *HIDDEN, OUTPUTS + 1]
weights = [
    (rng.normal(0, 0.7, (a, b)).astype(np.float32), rng.normal(0, 0.3, b).astype(np.float32))
    for a, b in zip(sizes, sizes[1:])
]
# Three decisions: what was seen, which outputs were allowed, which was chosen, its advantage, and what the value should have been.
inputs = np.zeros((3, INPUTS), np.float32)
for row, places in enumerate([[(0, 1.0), (3, 1.0), (9, -0.25)], [(1, 1.0), (4, 0.5), (8, 2.0)], [(2, 1.0), (7, 1.0), (9, 1.0)]]):
    for place, number in places:
        inputs[row, place] = number
legal = np.array([[1, 1, 0, 1], [1, 1, 1, 1], [0, 0, 1, 1]], bool)
chosen = np.array([3, 0, 2])
advantage = np.array([0.75, -0.5, 0.3], np.float32)
goal = np.array([1.0, -1.0, 0.2], np.float32)


def forward(weights):
    x = inputs
    for weight, bias in weights[:-1]:
        x = jax.nn.relu(x @ weight + bias)
    heads = x @ weights[-1][0] + weights[-1][1]
    return heads[:, :-1], heads[:, -1]


def parts(weights):
    logits, value = forward(weights)
    logs = jax.nn.log_softmax(jnp.where(legal, logits, -jnp.inf))
    chances = jnp.exp(logs)
    entropy = -jnp.sum(jnp.where(legal, chances * jnp.where(legal, logs, 0), 0), axis=1)
    taken = logs[jnp.arange(3), chosen]
    return -taken * advantage, 0.5 * (value - goal) ** 2, entropy


def loss(weights):
    policy, value, entropy = parts(weights)
    return jnp.mean(policy + VALUE_WEIGHT * value - ENTROPY_WEIGHT * entropy)


def tell(name, numbers):
    flat = np.concatenate([np.asarray(part, np.float32).ravel() for part in jax.tree.leaves(numbers)])
    print(name, " ".join(repr(float(number)) for number in flat))


tell("weights", weights)
logits, value = forward(weights)
tell("logits", logits)
tell("value", value)
for name, numbers in zip(["policy_loss", "value_loss", "entropy"], parts(weights)):
    tell(name, numbers)
gradient = jax.grad(loss)(weights)
tell("gradient", gradient)
tell("norm", optax.global_norm(gradient))
optimiser = optax.chain(optax.clip_by_global_norm(CLIP), optax.adam(RATE, eps=EPSILON))
state = optimiser.init(weights)
for step in ["one_step", "two_steps"]:
    moves, state = optimiser.update(jax.grad(loss)(weights), state, weights)
    weights = optax.apply_updates(weights, moves)
    tell(step, weights)
