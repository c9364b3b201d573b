"""The registrar's queue of faults in the entries themselves."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from registry import permissions
from registry.actions import entry_links
from registry.errors import RegistryError
from registry.models import Namespace
from registry.selectors.entry_faults import (
    FAULT_LABELS,
    FAULT_REMEDIES,
    EntryFaultKind,
    count_entry_faults,
    faulty_entries,
    list_faulty_entries,
)
from registry.web.step_view import get_signed_in_user

ENTRIES_PER_PAGE: Final = 50


@login_required
@require_safe
def list_entry_faults(request: HttpRequest) -> HttpResponse:
    """Count the faults of entries by kind; list the namespaces with one kind of fault."""
    if not permissions.may_keep_entries(request.user):
        raise PermissionDenied(_("Only the registrar can change the entries of namespaces."))
    asked = request.GET.get("fault", "")
    if asked not in list(EntryFaultKind):
        counts = count_entry_faults()
        groups = [
            (each, FAULT_LABELS[each], counts[each], FAULT_REMEDIES[each])
            for each in EntryFaultKind
            if counts[each]
        ]
        return render(request, "publish/entries.html", {"groups": groups})
    kind = EntryFaultKind(asked)
    page = Paginator(faulty_entries(kind), ENTRIES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": list_faulty_entries(page),
        "kind": kind,
        "label": FAULT_LABELS[kind],
        "remedy": FAULT_REMEDIES[kind],
    }
    return render(request, "publish/faulty_entries.html", context)


@login_required
@require_POST
def post_link_check(request: HttpRequest, nid: str) -> HttpResponse:
    """Have the links of one entry checked; the queue shows the results once they are in."""
    namespace = get_object_or_404(Namespace, nid=nid)
    try:
        entry_links.request_link_check(namespace, actor=get_signed_in_user(request))
    except RegistryError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Its links are being checked. Reload in a moment."))
    return redirect(f"{reverse('publish:entries')}?fault={EntryFaultKind.DEAD_LINK}")
