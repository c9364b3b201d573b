"""The programming interface, told to people."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

API_PARTS: Final[dict[str, str | Promise]] = {
    "namespaces": _("Namespaces"),
    "requests": _("Requests"),
    "services": _("Resolution services"),
    "urn": _("Questions about URNs"),
}
"""The parts of the interface in the order of the page; one that is not named comes last."""


@dataclass(slots=True)
class APIAddress:
    """An address, what can be done there by method, and whether it opens as it stands."""

    path: str
    operations: list[tuple[str, str]] = field(default_factory=list)
    is_plain: bool = False

    @property
    def parts(self) -> list[str]:
        """The address in parts between which a line may end."""
        return [f"{part}/" for part in self.path.split("/")[:-1]]


@require_safe
def show_api_index(request: HttpRequest) -> HttpResponse:
    """Say what programs can ask for."""
    parts = [
        (tag, API_PARTS.get(tag, tag.capitalize()), rows)
        for tag, rows in list_api_addresses().items()
    ]
    return render(request, "api/index.html", {"parts": parts})


@cache
def list_api_addresses() -> dict[str, list[APIAddress]]:
    """Return every address by its part, as the description for machines has them.

    Made once: what can be asked does not change while the server runs.
    """
    described: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    found: dict[str, list[APIAddress]] = {tag: [] for tag in API_PARTS}
    for path, operations in described["paths"].items():
        address = APIAddress(path)
        for method, told in operations.items():
            address.operations.append((method.upper(), shorten_description(told["description"])))
        address.is_plain = "{" not in path and is_readable_address(operations.get("get"))
        found.setdefault(told["tags"][0], []).append(address)
    return {tag: rows for tag, rows in found.items() if rows}


def is_readable_address(reading: dict[str, Any] | None) -> bool:
    """Whether there is something to read for anybody who says no more than the address."""
    if reading is None or {} not in reading.get("security", [{}]):
        return False
    return not any(each.get("required") for each in reading.get("parameters", []))


def shorten_description(description: str) -> str:
    """Return the first paragraph of what is said of an operation, as plain text."""
    return " ".join(description.partition("\n\n")[0].replace("`", "").split())
