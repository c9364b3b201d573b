"""The static site: the public registry as files that any web server can serve.

`publish_site(directory)` writes it.
"""

from registry.exchange.static_site.publisher import (
    PublishedSite,
    PublishingRefused,
    publish_site,
)

__all__ = ["PublishedSite", "PublishingRefused", "publish_site"]
