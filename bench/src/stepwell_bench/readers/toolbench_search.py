"""The tree of a ToolBench search as turns: the path that was chosen, and those that were left.

A node of the tree is a thought, an action, or an action's input with what came back. A message of
the model makes one to three of them, one below the other. The chosen path stands a second time in
the file, as messages; these are found again in the tree, and all other nodes are left branches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from stepwell.trajectory.fields import first_str, int_of, is_object, list_of, object_of, rest_of
from stepwell_bench.readers.toolbench_turns import Turn, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stepwell.formats.chat.logs import Chat
    from stepwell.trajectory.model import JsonObject
    from stepwell_bench.readers.toolbench_turns import NoteAt

__all__ = ["Node", "chosen_turns", "search_turns", "tree_nodes", "tried_nodes"]

_THOUGHT, _ACTION, _INPUT = "Thought", "Action", "Action Input"
_PROMPT = frozenset({"system", "developer", "user"})
_ANSWERS = frozenset({"function", "tool"})
_PLACED = frozenset(
    {"node_type", "description", "observation", "observation_code", "children", "child_count"}
) | {"depth", "io_state", "is_terminal"}
_HALLUCINATED = "invalid_hallucination_function_name"
"""What ToolBench writes in the messages for a function that there is not; the tree has its name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Node:
    """A node of a search, the same as itself only.

    Attributes:
        value: Its fields.
        pointer: Its JSON pointer within the document.
        children: What was tried after it, in that order.
    """

    value: JsonObject
    pointer: str = ""
    children: tuple[Node, ...] = ()

    @property
    def kind(self) -> str:
        """The type of the node; empty without one."""
        return first_str(self.value, "node_type") or ""

    @property
    def said(self) -> str:
        """What the node says: a thought, the name of a function, or its arguments."""
        return first_str(self.value, "description") or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Path:
    """The live path of a search.

    Attributes:
        live: Its nodes.
        known: Its turns, where messages tell them, by the node that each group begins with.
    """

    live: frozenset[Node]
    known: dict[Node, list[Turn]]


def tree_nodes(values: Any, pointer: str, *, note: NoteAt) -> tuple[Node, ...]:
    """Return the nodes in a list, each with its children; what is no node goes to `note`.

    JSON nests 200 deep at most when it is read, and so does this.
    """
    nodes: list[Node] = []
    for at, value in enumerate(list_of(values)):
        place = f"{pointer}/{at}"
        if is_object(value):
            below = tree_nodes(value.get("children"), f"{place}/children", note=note)
            nodes.append(Node(value=value, pointer=place, children=below))
        else:
            note(place, "not-a-node", "A node is no object.", effect="skipped")
    return tuple(nodes)


def tried_nodes(tries: Any, *, note: NoteAt) -> tuple[Node, ...]:
    """Return the first node of each try; a try is a chain, in which each node follows the last."""
    first: list[Node] = []
    for number, each in enumerate(list_of(tries)):
        chain = list_of(object_of(each).get("chain"))
        below: tuple[Node, ...] = ()
        for node in reversed(tree_nodes(chain, f"/trys/{number}/chain", note=note)):
            below = (replace(node, children=below),)
        first += below
    return tuple(first)


def chosen_turns(chat: Chat, *, note: NoteAt) -> list[Turn]:
    """Return the turns of a conversation, each answer with the call before it."""
    turns: list[Turn] = []
    for at, message in enumerate(chat.messages):
        refs = (at,) if chat.raws else ()
        value = object_of(message.value)
        role = value.get("role")
        if not isinstance(role, str):
            note(message.pointer, "not-a-message", "A message without a role.", effect="skipped")
        elif role in _ANSWERS and turns and _waits(turns[-1]):
            turns[-1] = replace(turns[-1], answer=value, refs=turns[-1].refs + refs)
        else:
            turns.append(Turn(message=told(value), refs=refs, pointer=message.pointer))
    return turns


def search_turns(
    nodes: Sequence[Node], chosen: Sequence[Turn], *, refs: tuple[int, ...]
) -> tuple[list[Turn], bool]:
    """Return the turns of a search in the order in which they were made.

    Without a chosen path the newest one is live: the last child of the last child, and so on.

    Args:
        nodes: The nodes the search began with.
        chosen: The turns of the prompt and of the chosen path, from its messages.
        refs: Indices of the raw records that hold the tree.

    Returns:
        The turns, and whether the tree holds the chosen path; if not, that path stands before it.
    """
    n_prompt = next(
        (at for at, turn in enumerate(chosen) if turn.message.get("role") not in _PROMPT),
        len(chosen),
    )
    spoken = chosen[n_prompt:]
    found = _matching(nodes, [token for turn in spoken for token in _tokens(turn)])
    path = _Path(
        live=frozenset(found or ([] if spoken else _newest(nodes))),
        known=_placed(spoken, found) if found else {},
    )
    turns: list[Turn] = []
    for turn in chosen[:n_prompt] if found else chosen:
        _append(turns, turn, len(turns) - 1)
    _walk(turns, nodes, path, place=n_prompt - 1, refs=refs)
    return turns, bool(found) or not (spoken and nodes)


def _walk(
    turns: list[Turn], nodes: Sequence[Node], path: _Path, *, place: int, refs: tuple[int, ...]
) -> None:
    """Append the turns of nodes and of all below them, which continue the turn at a place."""
    stack = [(node, Node(value={}), place) for node in reversed(nodes)]
    while stack:
        node, above, place = stack.pop()
        last = node
        if node in path.known:
            for turn in path.known[node]:
                place = _append(turns, turn, place)
        elif not (path.known and node in path.live):
            turn, last = _turn(node, above)
            own = replace(turn, is_live=node in path.live, refs=refs, pointer=node.pointer)
            place = _append(turns, own, place)
        stack += [(child, last, place) for child in reversed(last.children)]


def _append(turns: list[Turn], turn: Turn, parent: int) -> int:
    turns.append(replace(turn, parent=parent if parent >= 0 else None))
    return len(turns) - 1


def _turn(node: Node, above: Node) -> tuple[Turn, Node]:
    """Return the turn that begins with a node, and a node that has what comes after it."""
    # A thought that was expanded was a message of its own; other thoughts stand beside a call.
    is_beside = node.kind == _THOUGHT and not node.value.get("expand_num")
    if is_beside and [child.kind for child in node.children] == [_ACTION]:
        turn, last = _turn(node.children[0], node)
        return replace(turn, message=turn.message | {"thought": node.said}), last
    if node.kind == _ACTION:
        given = next((child for child in node.children if child.kind == _INPUT), Node(value={}))
        others = tuple(child for child in node.children if child is not given)
        return _call(node, given), replace(node, children=(*others, *given.children))
    if node.kind == _INPUT:
        return _call(above if above.kind == _ACTION else Node(value={}), node), node
    extra = rest_of(node.value, _PLACED)
    if node.kind != _THOUGHT:
        extra["node_type"] = node.kind
    return Turn(message={"role": "assistant", "content": node.said}, extra=extra), node


def _call(action: Node, given: Node) -> Turn:
    name = action.said or "unknown"
    call: JsonObject = {"name": name, "arguments": given.value.get("description")}
    return Turn(
        message={"role": "assistant", "content": None, "function_call": call},
        answer=_answer(name, given),
        code=int_of(given.value.get("observation_code")),
        extra=rest_of(given.value, _PLACED),
    )


def _answer(name: str, given: Node) -> JsonObject | None:
    observed = given.value.get("observation")
    return None if observed is None else {"role": "function", "name": name, "content": observed}


def _placed(spoken: Sequence[Turn], nodes: Sequence[Node]) -> dict[Node, list[Turn]]:
    """Return the turns by the node each begins with, with the code and answer the tree has.

    A turn that has no node, such as a prompt on the way, goes with the turn after it; one after
    the last goes with that.
    """
    placed: dict[Node, list[Turn]] = {}
    group: list[Turn] = []
    at = 0
    for turn in spoken:
        tokens = _tokens(turn)
        if not tokens:
            group.append(turn)
            continue
        placed[nodes[at]] = group = [*group, _with_node(turn, nodes[at + len(tokens) - 1])]
        at += len(tokens)
        group = [] if at < len(nodes) else group
    return placed


def _with_node(turn: Turn, node: Node) -> Turn:
    """Return a turn with what the tree says about its last node besides."""
    answer = turn.answer
    if answer is None and node.kind == _INPUT:
        called = object_of(turn.message.get("function_call"))
        answer = _answer(first_str(called, "name") or "unknown", node)
    code = int_of(node.value.get("observation_code"))
    return replace(turn, answer=answer, code=code, extra=rest_of(node.value, _PLACED))


def _matching(nodes: Sequence[Node], tokens: Sequence[tuple[str, str]]) -> list[Node] | None:
    """Return the path down from the nodes that spells the tokens; the first, if several do."""
    path: list[Node] = []
    stack = [(0, node) for node in reversed(nodes)] if tokens else []
    while stack:
        depth, node = stack.pop()
        kind, said = tokens[depth]
        is_same = node.said == said or (kind == _ACTION and said == _HALLUCINATED)
        if node.kind != kind or not is_same:
            continue
        path[depth:] = [node]
        if len(path) == len(tokens):
            return path
        stack += [(depth + 1, child) for child in reversed(node.children)]
    return None


def _tokens(turn: Turn) -> list[tuple[str, str]]:
    """Return the nodes that a message makes in the tree, each by type and description."""
    message = turn.message
    if message.get("role") != "assistant":
        return []
    said = message.get("thought", message.get("content"))
    tokens = [(_THOUGHT, said)] if isinstance(said, str) else []
    call = object_of(message.get("function_call"))
    if call:
        name, given = first_str(call, "name") or "", first_str(call, "arguments") or ""
        tokens += [(_ACTION, name), (_INPUT, given)]
    return tokens


def _newest(nodes: Sequence[Node]) -> list[Node]:
    path: list[Node] = []
    while nodes:
        path.append(nodes[-1])
        nodes = nodes[-1].children
    return path


def _waits(turn: Turn) -> bool:
    return turn.answer is None and is_object(turn.message.get("function_call"))
