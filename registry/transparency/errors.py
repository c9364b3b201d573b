"""What can be wrong with a log, or with a claim about one."""

from __future__ import annotations


class TransparencyError(ValueError):
    """Something is not as it must be. The message can be shown."""


class MalformedText(TransparencyError):
    """A note, a checkpoint, a key, a proof or an entry is malformed."""


class OversizedEntry(MalformedText):
    """An entry has more octets than entries may have."""


class UnverifiedSignature(TransparencyError):
    """No trusted key has signed, or its signature is invalid."""


class UnverifiedProof(TransparencyError):
    """A proof does not lead to the expected root."""


class MissingTile(TransparencyError):
    """A tile or a bundle of entries is missing, or narrower than the tree requires."""
