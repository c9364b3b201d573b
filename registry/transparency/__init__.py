"""Transparency logs: what anyone can check offline, without us and without Django.

Leaves and nodes are hashed by RFC 9162, section 2.1; tiles, checkpoints, signed notes, proofs and
cosignatures are those of C2SP (c2sp.org). `python -m registry.transparency` is the command line.
"""
