"""What programs that wander about are told: where to go, and where not."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import islice
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from registry.pages.addresses import Address, public_pages

NOT_FOR_ROBOTS: Final = (
    "/account/",
    "/accounts/",
    "/admin/",
    "/demonstration/",
    "/direction/",
    "/find/",
    "/publish/",
    "/requests/new/",
    "/resolve/",
    "/review/",
    "/theme/",
    "/uri-res/",
)
"""Working screens, and addresses without end."""
SITEMAP: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
MAX_ADDRESSES: Final = 50_000
"""No sitemap has more (sitemaps.org, protocol)."""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Say where robots have nothing to look for (RFC 9309)."""
    barred = "".join(f"Disallow: {path}\n" for path in NOT_FOR_ROBOTS)
    text = f"User-agent: *\n{barred}\nSitemap: {settings.SITE}/sitemap.xml\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """List every public page, as search engines read it (sitemaps.org)."""
    root = ET.Element("urlset", {"xmlns": SITEMAP})
    root.extend(entry(address) for address in islice(public_pages(), MAX_ADDRESSES))
    octets = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return HttpResponse(octets, content_type="application/xml; charset=utf-8")


def entry(address: Address) -> ET.Element:
    """Return what is said of one page."""
    made = ET.Element("url")
    ET.SubElement(made, "loc").text = f"{settings.SITE}{address.path}"
    if address.changed_on:
        ET.SubElement(made, "lastmod").text = address.changed_on.isoformat()
    return made
