"""`IrGraph`: a Program as nodes, operators and variables with links between them, as code that rewrites Paddle's Programs has it.

The graph is the form of files (`formats.paddle.editing`), shown by nodes: a variable is one node for each name.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.editing import FileBlock, FileOp, FileOpDesc, FileProgram, FileVar
from to_static.compiler.formats.paddle.messages.schema import VAR_TYPE
from to_static.core.dtypes import as_dtype
from to_static.static.file_program import form_of, program_of
from to_static.static.scope import global_scope

_VAR_TYPE_NAMES = {type_code: type_name for type_name, type_code in VAR_TYPE.items()}


class Graph:
    """The object that `IrGraph` wraps: ``core.Graph(program.desc)``.

    Args:
        desc: the ``desc`` of a `static.Program`, which is not changed, or a `FileProgram`, which is.
    """

    def __init__(self, desc: Any) -> None:
        static_program = None if isinstance(desc, FileProgram) else desc.program
        self.program: FileProgram = desc if static_program is None else form_of(static_program)
        self.holders: dict[str, Any] = {} if static_program is None else static_program.holders()
        self.trained: Any = None if static_program is None else static_program.trained
        # where passes look for values, and keep new ones
        self.scope: Any = FileScope(self.program) if static_program is None else global_scope()
        self.source: Any = None if static_program is None else static_program.builder.program
        if static_program is not None:
            global_scope().name(self.source)


class FileScope:
    """The values of a Program in the form of files, as passes ask a scope for them."""

    def __init__(self, program: FileProgram) -> None:
        self.program = program

    def find_var(self, name: str) -> Any:
        """The value of that name; None when there is none."""
        return _Value(self.program, name) if name in self.program.arrays else None

    def var(self, name: str) -> Any:
        """The value of that name, which may be set."""
        return _Value(self.program, name)


class _Value:
    def __init__(self, program: FileProgram, name: str) -> None:
        self.program, self.name = program, name

    def get_tensor(self) -> _Value:
        return self

    def set(self, value: Any, place: Any = None) -> None:
        self.program.arrays[self.name] = np.asarray(value)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self.program.arrays[self.name], dtype=dtype)


class IrNode:
    """An operator or a variable of a graph. Two nodes of the same thing are equal."""

    def __init__(self, graph: IrGraph, key: Any) -> None:
        self.graph, self._key = graph, key

    @property
    def node(self) -> Any:
        """The wrapped node."""
        return self._key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IrNode) and self._key is other._key

    def __hash__(self) -> int:
        return id(self._key)

    def id(self) -> int:
        """A number of its own."""
        return id(self._key)

    def is_op(self) -> bool:
        """Return whether it is an operator."""
        return isinstance(self._key, FileOp)

    def is_var(self) -> bool:
        """Return whether it is a variable."""
        return isinstance(self._key, FileVar)

    def is_ctrl_var(self) -> bool:
        """False: there are none here."""
        return False

    def clear_outputs(self) -> None:
        """Nothing: links are names."""

    clear_inputs = clear_outputs


class IrVarNode(IrNode):
    """A variable."""

    def name(self) -> str:
        """Its name."""
        return str(self._key.name)

    def var(self) -> Any:
        """Return its description, for `IrGraph.create_var_node_from_desc`."""
        return self._key

    def type(self) -> int:
        """The number of what it holds: a tensor, a list of these, ..."""
        return VAR_TYPE[self._key.var_type]

    def dtype(self) -> Any:
        """Its dtype."""
        return self._key.dtype

    def shape(self) -> list[int]:
        """Its sizes; -1 where they are unknown."""
        return list(self._key.shape)

    def set_shape(self, shape: Any) -> None:
        """Give it other sizes."""
        self._key.set_shape(shape)

    def persistable(self) -> bool:
        """Return whether the variable lives between runs."""
        return bool(self._key.persistable)

    @property
    def inputs(self) -> list[IrOpNode]:
        """The operators that write it."""
        return [node for node in self.graph.all_op_nodes() if self.name() in node.output_arg_names()]

    @property
    def outputs(self) -> list[IrOpNode]:
        """The operators that read it."""
        return [node for node in self.graph.all_op_nodes() if self.name() in node.input_arg_names()]


class IrOpNode(IrNode):
    """An operator."""

    def name(self) -> str:
        """Its type."""
        return str(self._key.type)

    def op(self) -> FileOpDesc:
        """The operator itself: its attributes can be asked for and set."""
        return FileOpDesc(self._key)

    def set_type(self, type: str) -> None:
        """Make it another operator."""
        self._key.set_type(type)

    def rename_input(self, old: str, new: str) -> None:
        """Read another name."""
        self._key.rename_input(old, new)

    def rename_output(self, old: str, new: str) -> None:
        """Write another name."""
        self._key.rename_output(old, new)

    def input(self, name: str) -> list[str]:
        """The names in a slot."""
        return self._key.input(name)  # type: ignore[no-any-return]

    def output(self, name: str) -> list[str]:
        """The names in a slot of results."""
        return self._key.output(name)  # type: ignore[no-any-return]

    def input_names(self) -> list[str]:
        """The slots of inputs."""
        return self._key.input_names  # type: ignore[no-any-return]

    def output_names(self) -> list[str]:
        """The slots of results."""
        return self._key.output_names  # type: ignore[no-any-return]

    def input_arg_names(self) -> list[str]:
        """All names that it reads."""
        return self._key.input_arg_names  # type: ignore[no-any-return]

    def output_arg_names(self) -> list[str]:
        """All names that it writes."""
        return self._key.output_arg_names  # type: ignore[no-any-return]

    def op_namescope(self) -> str:
        """The name scope in which it was made."""
        return str(self._key.attrs.get("op_namescope", "/"))

    @property
    def inputs(self) -> list[IrVarNode]:
        """The variables that it reads."""
        return self.graph._nodes(self._key.input_arg_names)

    @property
    def outputs(self) -> list[IrVarNode]:
        """The variables that it writes."""
        return self.graph._nodes(self._key.output_arg_names)


def _named(slots: Any) -> dict[str, list[str]]:
    return {slot: [node.name() for node in (nodes if isinstance(nodes, list) else [nodes])] for slot, nodes in slots.items()}


class IrGraph:
    """The root block of a Program as nodes; sub-blocks are graphs of their own (`all_sub_graphs`).

    Args:
        graph: ``core.Graph(program.desc)``.
        for_test: whether the Program is for inference.

    Example:
        >>> from paddle.framework import IrGraph, core
        >>> graph = IrGraph(core.Graph(program.desc), for_test=True)
        >>> some_pass.apply(graph)
        >>> program = graph.to_program()

    Source: PaddlePaddle 2.6, ``paddle.base.framework.IrGraph``.
    """

    def __init__(self, graph: Graph, for_test: bool = False, block: FileBlock | None = None) -> None:
        if not isinstance(graph, Graph):
            raise AssertionError(f"graph must be the instance of core.Graph, got {type(graph).__name__}")
        self.graph, self._for_test = graph, for_test
        self.block = graph.program.blocks[0] if block is None else block

    @property
    def scope(self) -> Any:
        """The scope in which passes look values up and keep new ones."""
        return self.graph.scope

    @scope.setter
    def scope(self, value: Any) -> None:
        if value is not self.graph.scope and self.graph.source is not None and hasattr(value, "name"):
            value.name(self.graph.source)  # the names mean this Program's values there
        self.graph.scope = value

    def is_test(self) -> bool:
        """Return whether the Program is for inference."""
        return self._for_test

    def clone(self) -> IrGraph:
        """A copy, of which values are shared."""
        copied = Graph(self.graph.program.copy())
        copied.holders, copied.trained, copied.scope = dict(self.graph.holders), self.graph.trained, self.graph.scope
        return IrGraph(copied, self._for_test)

    def all_sub_graphs(self, for_test: bool = False) -> list[IrGraph]:
        """The graphs of all blocks, this one first."""
        sub_graphs = [IrGraph(self.graph, self._for_test, block) for block in self.graph.program.blocks if block is not self.block]
        return [self, *sub_graphs]

    def graph_num(self) -> int:
        """Return the number of graphs."""
        return len(self.graph.program.blocks)

    def get_sub_graph(self, i: int, for_test: bool = False) -> IrGraph:
        """Return the graph of a block."""
        return IrGraph(self.graph, for_test, self.graph.program.blocks[i])

    def has_circle(self) -> bool:
        """False: operators are in an order."""
        return False

    def topology_sort(self) -> list[IrOpNode]:
        """The operators, each behind those of which it needs something."""
        self.graph.program.sort()
        return self.all_op_nodes()

    def all_op_nodes(self) -> list[IrOpNode]:
        """The operators."""
        return [IrOpNode(self, op) for op in self.block.ops]

    def all_var_nodes(self) -> list[IrVarNode]:
        """The variables that operators name."""
        named = dict.fromkeys(name for op in self.block.ops for name in (*op.input_arg_names, *op.output_arg_names))
        return self._nodes(named)

    def all_persistable_nodes(self) -> list[IrVarNode]:
        """Return the nodes of variables that live outside of runs."""
        return [node for node in self.all_var_nodes() if node.persistable() and node.name() not in ("feed", "fetch")]

    def all_nodes(self) -> list[Any]:
        """All of both."""
        return [*self.all_op_nodes(), *self.all_var_nodes()]

    def _nodes(self, names: Iterable[str]) -> list[IrVarNode]:
        variables = (self.block.find(name) for name in dict.fromkeys(names))
        return [IrVarNode(self, var) for var in variables if var is not None]

    def _find_node_by_name(self, nodes: Iterable[Any], node_name: str) -> Any:
        """The node of that name among some. Raises ValueError when it is not there."""
        for node in nodes:
            if node.name() == node_name:
                return node
        raise ValueError(f"Cannot find the node {node_name}.")

    def create_persistable_node(self, name: str, var_type: Any, shape: Any, var_dtype: Any) -> IrVarNode:
        """A variable that lives outside of runs."""
        return self._created(name, var_type, shape, var_dtype, True)

    def create_var_node(self, name: str, var_type: Any, shape: Any, var_dtype: Any) -> IrVarNode:
        """A variable."""
        return self._created(name, var_type, shape, var_dtype, False)

    def _created(self, name: str, var_type: Any, shape: Any, var_dtype: Any, persistable: bool) -> IrVarNode:
        code = var_dtype if isinstance(var_dtype, int) else as_dtype(var_dtype).code
        type_name = _VAR_TYPE_NAMES[int(var_type)]
        return IrVarNode(self, self.block.add(name, var_type=type_name, dtype=code, shape=shape, persistable=persistable))

    def create_var_node_from_desc(self, var_desc: FileVar) -> IrVarNode:
        """The variable that ``node.var()`` is."""
        variable = self.block.find(var_desc.name)
        if variable is not None:
            return IrVarNode(self, variable)
        return self._created(
            var_desc.name, VAR_TYPE[var_desc.var_type], var_desc.shape, var_desc.dtype.code, var_desc.persistable
        )  # fmt: skip

    def create_op_node(self, op_type: str, attrs: Any, inputs: Any, outputs: Any) -> IrOpNode:
        """An operator; ``inputs`` and ``outputs`` have nodes, or lists of them, by slot."""
        op = FileOp(self.block, op_type, _named(inputs), _named(outputs), attrs)
        self.block.ops.append(op)
        return IrOpNode(self, op)

    def create_op_node_from_desc(self, op_desc: FileOpDesc) -> IrOpNode:
        """One more operator like one that there is."""
        source = op_desc.op
        op = FileOp(self.block, source.type, source.inputs, source.outputs)
        op.attrs, op.attr_types, op.saved_message = dict(source.attrs), dict(source.attr_types), dict(source.saved_message)
        self.block.ops.append(op)
        return IrOpNode(self, op)

    def update_input_link(self, old_input_node: IrVarNode, new_input_node: IrVarNode, op_node: IrOpNode) -> None:
        """Replace an input variable of an operator."""
        op_node.rename_input(old_input_node.name(), new_input_node.name())

    def update_output_link(self, old_output_node: IrVarNode, new_output_node: IrVarNode, op_node: IrOpNode) -> None:
        """Replace an output variable of an operator."""
        op_node.rename_output(old_output_node.name(), new_output_node.name())

    def link_to(self, node_in: Any, node_out: Any) -> None:
        """Nothing: links are names, which the operators have."""

    def safe_remove_nodes(self, remove_nodes: Any) -> None:
        """Take nodes away."""
        removed_ids = {id(n.node) for n in (remove_nodes if isinstance(remove_nodes, (set, list, tuple)) else [remove_nodes])}
        self.block.ops = [op for op in self.block.ops if id(op) not in removed_ids]
        for name in [name for name, var in self.block.vars.items() if id(var) in removed_ids]:
            del self.block.vars[name]
        self.graph.program.changes += 1

    def resolve_hazard(self) -> None:
        """Put the operators in an order in which all is there that they read."""
        self.graph.program.sort()

    def update_variables(self) -> None:
        """Put the operators in order, take away variables that nobody names, and note the shapes and dtypes of new values."""
        program = self.graph.program
        program.sort()
        named = program.named()
        for block in program.blocks:
            block.keep_vars(named)

    def to_program(self) -> Any:
        """The Program, whose values are those of the scope."""
        self.update_variables()
        return program_of(self.graph.program.copy(), self.scope, self.graph.holders, self.graph.trained)

    def draw(self, save_path: str, name: str, marked_nodes: Any = None, remove_ctr_var: bool = True) -> None:
        """Write the graph as ``SAVE_PATH/NAME.dot``, which Graphviz draws."""
        lines = ["digraph G {"]
        for i, op in enumerate(self.block.ops):
            lines.append(f'  op{i} [shape=box, label="{op.type}"];')
            lines += [f'  "{name}" -> op{i};' for name in op.input_arg_names]
            lines += [f'  op{i} -> "{name}";' for name in op.output_arg_names]
        folder = Path(save_path)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.dot").write_text("\n".join([*lines, "}"]) + "\n", encoding="utf-8")
