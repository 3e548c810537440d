"""paddle-quantum: circuits, states, expectations and their gradients, channels, layers of machine learning, training."""

import numpy as np
import paddle
from suite import case, older_python, record, stand_ins

older_python()
stand_ins("QCompute pyscf openfermion cvxpy sympy tqdm_")
import paddle_quantum as pq
from paddle_quantum import ansatz, channel, gate, hamiltonian, linalg, loss, qinfo, state

H = hamiltonian.Hamiltonian([[0.5, "Z0,Z1"], [0.3, "X0"], [-0.7, "Y1,X2"]])


def angles(circuit):
    """The same parameters on both sides."""
    for index, parameter in enumerate(circuit.parameters()):
        numbers = np.random.RandomState(index).uniform(-3, 3, parameter.shape)
        parameter.set_value(numbers.astype(str(parameter.dtype).split(".")[-1]))
    return circuit


def parts(value):
    """A tensor as real numbers."""
    return [value.real(), value.imag()] if "complex" in str(value.dtype) else [value]


def layers(qubits=3):
    circuit = ansatz.Circuit(qubits)
    circuit.superposition_layer()
    circuit.ry(range(qubits))
    circuit.cnot("cycle")
    circuit.rz(range(qubits))
    circuit.u3(0)
    return angles(circuit)


def evaluated(circuit):
    """What a circuit makes of the first state, an expectation of it, and its gradients."""
    out = circuit(state.zero_state(circuit.num_qubits))
    energy = loss.ExpecVal(H)(out)
    energy.backward()
    grads = [parameter.grad for parameter in circuit.parameters() if parameter.grad is not None]
    for parameter in circuit.parameters():
        parameter.clear_gradient()
    return [*parts(out.data), energy, *grads]


@case
def rotations():
    record("all", lambda: evaluated(layers()))


@case
def unitary():
    record("matrix", lambda: parts(layers().unitary_matrix()))


@case
def complex_entangled_layer():
    circuit = ansatz.Circuit(3)
    circuit.complex_entangled_layer(depth=2)
    record("all", lambda: evaluated(angles(circuit)))


@case
def real_block_layer():
    circuit = ansatz.Circuit(3)
    circuit.real_block_layer(depth=1)
    record("all", lambda: evaluated(angles(circuit)))


@case
def weak_and_linear_layers():
    circuit = ansatz.Circuit(3)
    circuit.linear_entangled_layer(depth=2)
    record("all", lambda: evaluated(angles(circuit)))


@case
def two_qubit_gates():
    circuit = ansatz.Circuit(3)
    circuit.h("full")
    circuit.crx([0, 1])
    circuit.cry([1, 2])
    circuit.crz([2, 0])
    circuit.rxx([0, 1])
    circuit.ryy([1, 2])
    circuit.rzz([0, 2])
    circuit.swap([0, 1])
    circuit.toffoli([0, 1, 2])
    record("all", lambda: evaluated(angles(circuit)))


@case
def encodings():
    features = paddle.to_tensor([0.3, 1.2, -0.7])

    def run():
        out = gate.AngleEncoding(features, "ry", qubits_idx="full", num_qubits=3)(state.zero_state(3))
        return [*parts(out.data), loss.ExpecVal(H)(out)]

    record("angles", run)
    record("basis", lambda: parts(gate.BasisEncoding(num_qubits=3)(paddle.to_tensor([1, 0, 1])).data))
    vector = paddle.to_tensor([0.1, 0.5, -0.2, 0.7])
    record("amplitudes", lambda: parts(gate.AmplitudeEncoding(num_qubits=2)(vector).data))


@case
def hamiltonians():
    record("matrix", lambda: [np.real(H.construct_h_matrix()), np.imag(H.construct_h_matrix())])
    record("terms", lambda: [str(H.terms), H.n_terms, H.n_qubits])
    record("text", lambda: [str(H)])


@case
def states():
    pq.set_backend("density_matrix")
    record("bell", lambda: parts(state.bell_state(2).data))
    record("isotropic", lambda: parts(state.isotropic_state(2, 0.3).data))
    pq.set_backend("state_vector")
    record("w", lambda: parts(state.w_state(3).data))
    record("ghz", lambda: parts(state.ghz_state(3).data))


@case
def information():
    pq.set_backend("density_matrix")
    rho, sigma = state.isotropic_state(2, 0.3), state.bell_diagonal_state([0.4, 0.3, 0.2, 0.1])
    record("trace distance", lambda: [qinfo.trace_distance(rho, sigma)])
    record("fidelity", lambda: [qinfo.state_fidelity(rho, sigma)])
    record("purity", lambda: [qinfo.purity(rho)])
    record("entropy", lambda: [qinfo.von_neumann_entropy(rho)])
    record("partial trace", lambda: parts(qinfo.partial_trace(rho, 2, 2, 1).data))
    record("partial transpose", lambda: parts(qinfo.partial_transpose(rho, 1)))
    record("negativity", lambda: [qinfo.negativity(rho)])


@case
def channels():
    pq.set_backend("density_matrix")
    rho = state.bell_state(2)
    for name, kind, numbers in (
        ("bit flip", channel.BitFlip, [0.1]),
        ("depolarizing", channel.Depolarizing, [0.2]),
        ("amplitude damping", channel.AmplitudeDamping, [0.3]),
        ("phase damping", channel.PhaseDamping, [0.25]),
    ):
        record(name, lambda kind=kind, numbers=numbers: parts(kind(*numbers, qubits_idx=[0], num_qubits=2)(rho).data))


@case
def algebra():
    matrix = paddle.to_tensor([[1.0, 2.0], [2.0, -1.0]]).astype("complex64")
    record("dagger", lambda: parts(linalg.dagger(matrix)))
    record("hermitian", lambda: [linalg.is_hermitian(matrix), linalg.is_unitary(matrix)])
    record("kron", lambda: parts(linalg.NKron(matrix, matrix)))
    record("absolute norm", lambda: [linalg.abs_norm(matrix)])


@case
def training():
    circuit = ansatz.Circuit(3)
    circuit.complex_entangled_layer(depth=1)
    angles(circuit)
    adam, measure = paddle.optimizer.Adam(0.1, parameters=circuit.parameters()), loss.ExpecVal(H)

    def steps():
        energies = []
        for _ in range(8):
            energy = measure(circuit(state.zero_state(3)))
            energy.backward()
            adam.step()
            adam.clear_grad()
            energies.append(float(energy))
        return energies

    record("energies", steps)


@case
def distances():
    target = state.ghz_state(3)
    circuit = layers()
    out = circuit(state.zero_state(3))
    record("fidelity", lambda: [loss.StateFidelity(target)(out)])
    record("trace distance", lambda: [loss.TraceDistance(target)(out)])
    record("measured", lambda: [loss.Measure("z")(out)])


@case
def gates_one_by_one():
    for name in ("h", "x", "y", "z", "s", "t"):

        def run(name=name):
            circuit = ansatz.Circuit(2)
            getattr(circuit, name)("full")
            return parts(circuit(state.zero_state(2)).data)

        record(name, run)


@case
def oracle_and_control():
    circuit = ansatz.Circuit(3)
    circuit.h("full")
    circuit.cz([0, 1])
    circuit.cy([1, 2])
    circuit.cswap([0, 1, 2])
    record("all", lambda: parts(circuit(state.zero_state(3)).data))
    record("matrix", lambda: parts(circuit.unitary_matrix()))


@case
def depth_and_text():
    record("depth", lambda: [layers().depth, str(layers().num_qubits)])
    record("names", lambda: [str(type(part).__name__) for part in layers().sublayers()])


@case
def matrices():
    a = paddle.to_tensor(np.array([[1, 2j], [-2j, 3]], "complex64"))
    record("hermitian", lambda: [bool(linalg.is_hermitian(a)), bool(linalg.is_unitary(a)), bool(linalg.is_projector(a))])
    record("dagger", lambda: parts(linalg.dagger(a)))
    record("norm", lambda: [linalg.abs_norm(a)])
    record("kron", lambda: parts(linalg.NKron(a, a, a)))


@case
def hamiltonian_of_spins():
    record("spins", lambda: [np.real(np.asarray(part)) for part in hamiltonian.SpinOps(2).sigz_p])
    record("pauli", lambda: [str((H + H).pauli_str), str((H * 2).pauli_str), str((-H).pauli_str)])


@case
def energy_descent():
    circuit = layers(2)
    energy = hamiltonian.Hamiltonian([[1.0, "Z0,Z1"], [0.5, "X0"], [0.5, "X1"]])
    adam = paddle.optimizer.Adam(0.1, parameters=circuit.parameters())

    def losses():
        found = []
        for _ in range(5):
            value = loss.ExpecVal(energy)(circuit(state.zero_state(2)))
            value.backward()
            adam.step()
            adam.clear_grad()
            found.append(float(value))
        return found

    record("losses", losses)
