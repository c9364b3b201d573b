"""The version of the library, which its distribution has too."""

from typing import Final

__version__: Final = "1.0.0"
