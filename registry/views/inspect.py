"""One URN, read."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registry import queries
from registry.forms.find import Inspection, inspect
from registry.urn import nid as nids


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Read the URN in the address and say what it is; without one, ask for it."""
    typed = request.GET.get("urn", "")
    context: dict[str, object] = {"typed": typed}
    if typed.strip():
        inspection = inspect(typed.strip())
        context |= {"inspection": inspection, "trimmed": typed != typed.strip()}
        context |= beyond_the_registry(inspection)
    return render(request, "inspect/index.html", context)


def beyond_the_registry(inspection: Inspection) -> dict[str, object]:
    """Return what there is about a NID that is not registered: requests for it, and its like."""
    if inspection.urn is None or inspection.namespace:
        return {}
    nid = nids.canonical(inspection.urn.nid)
    return {"requests": queries.asking_for(nid), "near": queries.nids_near(nid)}
