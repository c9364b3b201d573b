"""The version of the library and of its distribution."""

from typing import Final

__version__: Final = "1.0.0"
