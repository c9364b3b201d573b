"""What is wrong with a log, or with what somebody says of one."""

from __future__ import annotations


class TransparencyError(ValueError):
    """Something is not what it has to be. The text says what, and is fit to show."""


class MalformedText(TransparencyError):
    """A note, a checkpoint, a key, a proof or an entry does not have the form that it must have."""


class UnverifiedSignature(TransparencyError):
    """No trusted key has signed, or what stands for its signature is none."""


class UnverifiedProof(TransparencyError):
    """A proof does not lead to the root that it should lead to."""


class MissingTile(TransparencyError):
    """A tile or a bundle of entries is not there, or not as wide as the tree makes it."""
