"""The sitemap: every public page, as search engines read it (sitemaps.org)."""

from __future__ import annotations

import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap

from registry.selectors.public_pages import PublicPage, list_public_pages


class PublicPageSitemap(Sitemap[PublicPage]):
    """Public pages, at the address that the settings give the site, whoever asks where."""

    def items(self) -> list[PublicPage]:
        """Return the pages, in an order that stays."""
        return list(list_public_pages())

    def location(self, item: PublicPage) -> str:
        """Return the path of a page."""
        return item.path

    def lastmod(self, item: PublicPage) -> datetime.date | None:
        """Return the day on which it changed last, as far as that is known."""
        return item.changed_on

    def get_protocol(self, protocol: str | None = None) -> str:
        """Return the scheme of the site."""
        return urlsplit(settings.SITE).scheme

    def get_domain(self, site: object = None) -> str:
        """Return the host of the site, with its port."""
        return urlsplit(settings.SITE).netloc
