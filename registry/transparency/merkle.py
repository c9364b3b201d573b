"""The Merkle tree of RFC 9162, section 2.1: hashes, proofs, and their verification."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from registry.transparency.errors import UnverifiedProof

HASH_SIZE: Final = 32
EMPTY_ROOT: Final = hashlib.sha256().digest()
"""The hash of a tree without leaves."""
LEAF_PREFIX: Final = b"\x00"
NODE_PREFIX: Final = b"\x01"

SubtreeReader = Callable[[int, int], bytes]
"""Returns, for a height and a number, the hash of the complete subtree of 2**height leaves that
begins with leaf number << height.
"""


def hash_leaf(entry: bytes) -> bytes:
    """Return the hash of an entry (RFC 9162, section 2.1.1)."""
    return hashlib.sha256(LEAF_PREFIX + entry).digest()


def hash_children(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node from those of its children (RFC 9162, section 2.1.1)."""
    return hashlib.sha256(NODE_PREFIX + left + right).digest()


class TreeBuilder:
    """The root of a tree whose leaves are added one after another (RFC 9162, section 2.1.2)."""

    def __init__(self) -> None:
        self.size = 0
        self.peaks: list[bytes] = []

    def append(self, leaf: bytes) -> None:
        """Add the hash of the next leaf."""
        number = self.size
        while number & 1:
            leaf = hash_children(self.peaks.pop(), leaf)
            number >>= 1
        self.peaks.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """Return the hash of the tree as it is now."""
        if not self.peaks:
            return EMPTY_ROOT
        found = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            found = hash_children(peak, found)
        return found


def compute_root(leaves: Iterable[bytes]) -> bytes:
    """Return the hash of the tree that has these hashes as its leaves."""
    tree = TreeBuilder()
    for leaf in leaves:
        tree.append(leaf)
    return tree.root()


def split_size(size: int) -> int:
    """Return the largest power of two that is smaller than `size`, which is more than one."""
    return 1 << ((size - 1).bit_length() - 1)


def hash_range(read: SubtreeReader, start: int, end: int) -> bytes:
    """Return the hash of the leaves from `start` up to `end`, as a tree has them.

    `start` must be a multiple of the smallest power of two that holds them all.
    """
    if start == end:
        return EMPTY_ROOT
    width = end - start
    if width & (width - 1) == 0:
        height = width.bit_length() - 1
        return read(height, start >> height)
    middle = start + split_size(width)
    return hash_children(hash_range(read, start, middle), hash_range(read, middle, end))


def prove_inclusion(read: SubtreeReader, index: int, size: int) -> list[bytes]:
    """Return the inclusion proof of a leaf, its sibling first (RFC 9162, section 2.1.3.1).

    Raises `ValueError` if a tree of this size has no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"A tree of {size} leaves has none of number {index}.")
    path = []
    start, end = 0, size
    while end - start > 1:
        middle = start + split_size(end - start)
        if index < middle:
            path.append(hash_range(read, middle, end))
            end = middle
        else:
            path.append(hash_range(read, start, middle))
            start = middle
    return path[::-1]


def prove_consistency(read: SubtreeReader, first: int, second: int) -> list[bytes]:
    """Return the proof that a tree continues a smaller one (RFC 9162, section 2.1.4.1).

    It is empty for the empty tree and for two equal ones. Raises `ValueError` if the first is
    larger than the second.
    """
    if not 0 <= first <= second:
        raise ValueError(f"A tree of {second} leaves does not continue one of {first}.")
    if first in (0, second):
        return []
    path = []
    start, end, is_whole = 0, second, True
    while first != end:
        middle = start + split_size(end - start)
        if first <= middle:
            path.append(hash_range(read, middle, end))
            end = middle
        else:
            path.append(hash_range(read, start, middle))
            start, is_whole = middle, False
    if not is_whole:
        path.append(hash_range(read, start, end))
    return path[::-1]


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> None:
    """Raise `UnverifiedProof` unless `proof` leads from a leaf to `root` (section 2.1.3.2)."""
    if not 0 <= index < size:
        raise UnverifiedProof(f"A tree of {size} leaves has none of number {index}.")
    number, last, found = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            raise UnverifiedProof("The inclusion proof is longer than the tree is high.")
        if number & 1 or number == last:
            found = hash_children(sibling, found)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            found = hash_children(found, sibling)
        number, last = number >> 1, last >> 1
    if last:
        raise UnverifiedProof("The inclusion proof is shorter than the tree is high.")
    if found != root:
        raise UnverifiedProof("The inclusion proof leads to another root.")


def verify_consistency(
    first: int, first_root: bytes, second: int, second_root: bytes, proof: Sequence[bytes]
) -> None:
    """Raise `UnverifiedProof` unless `proof` shows that one tree continues another.

    RFC 9162, section 2.1.4.2; every tree continues the empty one, and itself.
    """
    if not 0 <= first <= second:
        raise UnverifiedProof(f"A tree of {second} leaves does not continue one of {first}.")
    if first == 0 and first_root != EMPTY_ROOT:
        raise UnverifiedProof("The root of the empty tree is not the hash of nothing.")
    if first in (0, second):
        if proof:
            raise UnverifiedProof("The consistency proof has to be empty here.")
        if first == second and first_root != second_root:
            raise UnverifiedProof("Two trees of one size have different roots.")
        return
    if not proof:
        raise UnverifiedProof("The consistency proof is empty.")
    found = follow_consistency(first, first_root, second, proof)
    if found != (first_root, second_root):
        raise UnverifiedProof("The consistency proof leads to other roots.")


def follow_consistency(
    first: int, first_root: bytes, second: int, proof: Sequence[bytes]
) -> tuple[bytes, bytes]:
    """Return the roots of both trees that a consistency proof leads to (section 2.1.4.2)."""
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    number, last = first - 1, second - 1
    while number & 1:
        number, last = number >> 1, last >> 1
    old = new = path[0]
    for node in path[1:]:
        if last == 0:
            raise UnverifiedProof("The consistency proof is longer than the tree is high.")
        if number & 1 or number == last:
            old, new = hash_children(node, old), hash_children(node, new)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            new = hash_children(new, node)
        number, last = number >> 1, last >> 1
    if last:
        raise UnverifiedProof("The consistency proof is shorter than the tree is high.")
    return old, new
