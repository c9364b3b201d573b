"""Ways to change code that cosmic-ray lacks: leaving out or swapping what is asked or done.

Each is an operator of cosmic-ray: it finds places in a parso syntax tree where it can change
something, and makes the change.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from cosmic_ray.operators.operator import Operator
from parso.python.tree import Keyword
from parso.tree import BaseNode, Leaf, NodeOrLeaf

from registry import enums

Position = tuple[tuple[int, int], tuple[int, int]]
ASKING_METHODS: Final = frozenset({"filter", "exclude", "get", "update"})
"""Queryset methods of which one condition or column is left out."""
SWAPPED_ENUMS: Final = {
    each.__name__: [member.name for member in each]
    for each in (
        enums.LetterReason,
        enums.Role,
        enums.State,
        enums.Turn,
        enums.ChangeKind,
        enums.RequestPath,
        enums.WebhookTopic,
        enums.VerbKind,
    )
}


class ChangeOperator(Operator):
    """The base of the operators here: no arguments, and examples in the tests."""

    @classmethod
    def examples(cls) -> tuple[()]:
        return ()


def list_parts(node: BaseNode) -> list[NodeOrLeaf]:
    """Return the parts of `node` separated by commas or words, if nothing else separates them."""
    parts, separators = node.children[::2], node.children[1::2]
    words = {each.get_code().strip() for each in separators}
    return parts if words <= {","} or words <= {"and"} or words <= {"or"} else []


class DropPart(ChangeOperator):
    """Leaves out a condition of a query, one side of `and` and `or`, or one of several items."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[Position]:
        for part in self.list_droppable(node):
            yield part.start_pos, part.end_pos

    def mutate(self, node: BaseNode, index: int) -> BaseNode:
        dropped = self.list_droppable(node)[index]
        if node.type == "trailer":
            node.children.remove(dropped)
            return node
        kept = [part for part in list_parts(node) if part is not dropped]
        separator = node.children[1]
        is_sequence = separator.get_code().strip() == ","
        pairs = [(part, separator) for part in kept]
        between = [each for pair in pairs for each in pair]
        node.children = between if is_sequence else between[:-1]
        return node

    def list_droppable(self, node: NodeOrLeaf) -> list[NodeOrLeaf]:
        """Return the parts of `node` that can be dropped, leaving valid code."""
        if not isinstance(node, BaseNode):
            return []
        if node.type in {"and_test", "or_test"} or is_tuple_of_values(node):
            parts = list_parts(node)
            return parts if len(parts) > 1 else []
        if node.type == "arglist" and asks(node.parent):
            return [each for each in list_parts(node) if each.type == "argument"]
        if node.type == "trailer" and asks(node):
            return [each for each in node.children if each.type == "argument"]
        return []


def is_tuple_of_values(node: BaseNode) -> bool:
    """Whether these are values in brackets, and not names that are unpacked into."""
    statement = node.parent.parent if node.parent is not None else None
    while statement is not None and statement.type in {"testlist_star_expr", "exprlist", "atom"}:
        statement = statement.parent
    return node.type == "testlist_comp" and not (
        statement is not None
        and statement.type in {"expr_stmt", "for_stmt", "sync_comp_for"}
        and statement.children[0].start_pos <= node.start_pos < statement.children[0].end_pos
    )


def asks(trailer: BaseNode | None) -> bool:
    """Whether these are the arguments of a method that queries the database."""
    if trailer is None or trailer.parent is None:
        return False
    place = trailer.parent.children.index(trailer)
    method = trailer.parent.children[place - 1]
    return bool(
        place
        and trailer.children[0].get_code() == "("
        and isinstance(method, BaseNode)
        and method.children[-1].get_code() in ASKING_METHODS
    )


class DropStatement(ChangeOperator):
    """Leaves out a refusal, a call or an assignment to an attribute."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[Position]:
        if node.type == "simple_stmt" and isinstance(node, BaseNode):
            statement = node.children[0]
            if is_act(statement) and node.parent is not None and node.parent.type == "suite":
                yield statement.start_pos, statement.end_pos

    def mutate(self, node: BaseNode, index: int) -> BaseNode:
        statement = node.children[0]
        first = statement.get_first_leaf()
        nothing = Keyword("pass", statement.start_pos, prefix=first.prefix if first else "")
        nothing.parent = node
        node.children[0] = nothing
        return node


def is_act(statement: NodeOrLeaf) -> bool:
    """Whether `statement` can be left out without removing names that later ones need."""
    if statement.type in {"raise_stmt", "atom_expr"}:
        return True
    if statement.type != "expr_stmt" or not isinstance(statement, BaseNode):
        return False
    return bool(statement.children[0].type == "atom_expr")


class SwapMember(ChangeOperator):
    """Names another member of an enum: another recipient, role, state or kind of verb."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[Position]:
        if member := find_member(node):
            yield member.start_pos, member.end_pos

    def mutate(self, node: BaseNode, index: int) -> BaseNode:
        member = find_member(node)
        assert member is not None
        names = SWAPPED_ENUMS[node.children[0].get_code().strip()]
        member.value = names[(names.index(member.value) + 1) % len(names)]
        return node


def find_member(node: NodeOrLeaf) -> Leaf | None:
    """Return the name of the member in an expression such as `State.DRAFT`."""
    if node.type != "atom_expr" or not isinstance(node, BaseNode):
        return None
    names = SWAPPED_ENUMS.get(node.children[0].get_code().strip(), ())
    trailer: Any = node.children[1]
    member: Leaf | None = trailer.children[1] if len(trailer.children) == 2 else None
    return member if member is not None and member.value in names else None
