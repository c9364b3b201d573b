"""The demonstration: a cast, sample organizations and sample requests, all fictional."""

from registry.demonstration.cast import CAST, PASSWORD, make_cast
from registry.demonstration.samples import make_samples

__all__ = ["CAST", "PASSWORD", "make_cast", "make_samples"]
