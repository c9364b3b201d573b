"""The public registry as files, which any web server gives while the application is away.

`publish(directory)` is the one thing that is done here.
"""

from registry.edition.publishing import Published, Unfit, publish

__all__ = ["Published", "Unfit", "publish"]
