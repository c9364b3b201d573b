"""Trees by RFC 9162, section 2.1: hashes, proofs, and refusals of invalid proofs."""

from __future__ import annotations

import hashlib
import random

import pytest
from pymerkle import (
    InmemoryTree,
    verify_consistency as check_consistency,
    verify_inclusion as check,
)

from registry.transparency import merkle
from registry.transparency.errors import UnverifiedProof
from tests.transparency.logs import define_hash, make_entries, read_list

ENTRIES = make_entries(70)
SEVEN = [bytes([number]) for number in range(7)]


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


LEAVES = [hashlib.sha256(b"\x00" + entry).digest() for entry in SEVEN]
A, B, C, D, E, F, J = LEAVES
G, H, I = node(A, B), node(C, D), node(E, F)  # noqa: E741
K, L = node(G, H), node(I, J)
"""The tree of RFC 9162, section 2.1.5, by the letters that it has there."""


def test_empty_tree_has_the_hash_of_nothing() -> None:
    assert merkle.compute_root([]).hex() == (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )


def test_tree_of_the_example_has_the_root_that_is_drawn_there() -> None:
    assert merkle.compute_root(LEAVES) == node(K, L)


@pytest.mark.parametrize(
    ("index", "path"), [(0, [B, H, L]), (3, [C, G, L]), (4, [F, J, K]), (6, [I, K])]
)
def test_inclusion_proofs_of_the_example_are_those_of_the_text(
    index: int, path: list[bytes]
) -> None:
    assert merkle.prove_inclusion(read_list(SEVEN), index, 7) == path


@pytest.mark.parametrize(("first", "path"), [(3, [C, D, G, L]), (4, [L]), (6, [I, J, K])])
def test_consistency_proofs_of_the_example_are_those_of_the_text(
    first: int, path: list[bytes]
) -> None:
    assert merkle.prove_consistency(read_list(SEVEN), first, 7) == path


def test_roots_are_those_of_the_definition_at_every_size() -> None:
    tree, roots = merkle.TreeBuilder(), []
    for entry in ENTRIES:
        roots.append(tree.root())
        tree.append(merkle.hash_leaf(entry))

    assert roots == [define_hash(ENTRIES[:size]) for size in range(len(ENTRIES))]


def test_every_leaf_is_proved_in_every_tree_and_nothing_else_is() -> None:
    read = read_list(ENTRIES)
    for size in range(1, 40):
        root = define_hash(ENTRIES[:size])
        for index in range(size):
            path = merkle.prove_inclusion(read, index, size)
            leaf = merkle.hash_leaf(ENTRIES[index])
            merkle.verify_inclusion(leaf, index, size, path, root)

            for wrong in (
                (merkle.hash_leaf(b"other"), index, size, path, root),
                (leaf, index, size, [*path, root], root),
                (leaf, index, size, path, leaf if size > 1 else root[::-1]),
                (leaf, size, size, path, root),
            ):
                with pytest.raises(UnverifiedProof):
                    merkle.verify_inclusion(*wrong)
            if path:
                with pytest.raises(UnverifiedProof):
                    merkle.verify_inclusion(leaf, index, size, path[:-1], root)
                with pytest.raises(UnverifiedProof):
                    merkle.verify_inclusion(leaf, index ^ 1, size, path, root)


def test_every_tree_continues_each_smaller_one_and_no_other() -> None:
    read = read_list(ENTRIES)
    for second in range(1, 40):
        root = define_hash(ENTRIES[:second])
        for first in range(second + 1):
            old = define_hash(ENTRIES[:first])
            path = merkle.prove_consistency(read, first, second)
            merkle.verify_consistency(first, old, second, root, path)

            with pytest.raises(UnverifiedProof):
                merkle.verify_consistency(first, old[::-1], second, root, path)
            with pytest.raises(UnverifiedProof):
                merkle.verify_consistency(first, old, second, root, [*path, root])
            if path:
                with pytest.raises(UnverifiedProof):
                    merkle.verify_consistency(first, old, second, root[::-1], path)
                with pytest.raises(UnverifiedProof):
                    merkle.verify_consistency(first, old, second, root, path[:-1])


def test_larger_tree_is_no_beginning_of_a_smaller_one() -> None:
    with pytest.raises(UnverifiedProof):
        merkle.verify_consistency(3, define_hash(ENTRIES[:3]), 2, define_hash(ENTRIES[:2]), [])
    with pytest.raises(ValueError, match="does not continue"):
        merkle.prove_consistency(read_list(ENTRIES), 3, 2)


def test_there_is_no_proof_of_a_leaf_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="number 7"):
        merkle.prove_inclusion(read_list(SEVEN), 7, 7)


def test_pymerkle_agrees_on_a_thousand_random_trees() -> None:
    chance = random.Random(9162)
    for _tree in range(1000):
        entries = [chance.randbytes(chance.randrange(40)) for _ in range(chance.randint(1, 80))]
        size = len(entries)
        index, first = chance.randrange(size), chance.randint(1, size)
        theirs = InmemoryTree(algorithm="sha256")
        for entry in entries:
            theirs.append_entry(entry)
        read = read_list(entries)
        leaf, root = merkle.hash_leaf(entries[index]), define_hash(entries)
        old = define_hash(entries[:first])

        included = merkle.prove_inclusion(read, index, size)
        continued = merkle.prove_consistency(read, first, size)

        assert merkle.compute_root(map(merkle.hash_leaf, entries)) == theirs.get_root()
        inclusion = theirs.prove_inclusion(index + 1, size)
        assert [leaf, *included] == [bytes.fromhex(each) for each in inclusion.serialize()["path"]]
        check(leaf, root, inclusion)
        # Its consistency proofs have another format; the comparison is between their results.
        check_consistency(old, root, theirs.prove_consistency(first, size))
        merkle.verify_inclusion(leaf, index, size, included, root)
        merkle.verify_consistency(first, old, size, root, continued)
