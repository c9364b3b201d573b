"""The table of a namespace's locators: what is in use, and what those who keep it do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from registry import gateway, rules
from registry.forms.locators import LocatorsForm
from registry.gateway.report import written
from registry.models import LocatorTable, Namespace, User
from registry.pages.locators import shown
from registry.views.acting import signed_in
from registry.views.htmx import HtmxRequest
from registry.views.namespaces import canonical
from registry.workflow import Refused

CSV = "text/csv; charset=utf-8"


@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HtmxRequest, nid: str) -> HttpResponse:
    """Show which table is in use; those who keep it load another."""
    if nid != canonical(nid):
        return redirect("namespaces:locators", canonical(nid), permanent=True)
    namespace = get_object_or_404(Namespace, nid=nid)
    if request.method == "POST":
        return load(request, namespace)
    response = drawn(request, namespace, LocatorsForm(current=gateway.current_table(namespace)))
    patch_vary_headers(response, ["HX-Request"])
    return response


def drawn(
    request: HtmxRequest, namespace: Namespace, form: LocatorsForm, status: int = 200
) -> HttpResponse:
    """Return the page, or the part of it that changes while a table is loaded."""
    context: dict[str, Any] = {"form": form, **shown(namespace, request.user)}
    template = "locators/state.html" if request.htmx else "locators/index.html"
    response = render(request, template, context, status=status)
    if request.htmx and not context.get("progress"):
        # It has come to its end: what can be done now is on the page as a whole.
        response["HX-Refresh"] = "true"
    return response


@login_required
def load(request: HtmxRequest, namespace: Namespace) -> HttpResponse:
    """Take a file and have it loaded; whoever saw another table in use is told."""
    person, current = keeper(request, namespace), gateway.current_table(namespace)
    form = LocatorsForm(request.POST, request.FILES, current=current)
    if not form.is_valid():
        return drawn(request, namespace, form)
    file, seen = form.cleaned_data["file"], form.cleaned_data["seen"]
    try:
        gateway.receive(
            namespace,
            gateway.keep(file.chunks()),
            actor=person,
            file_name=file.name,
            over=LocatorTable.objects.filter(pk=seen).first(),
        )
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return drawn(request, namespace, form, status=409)
    messages.success(request, _("The file is here. Its lines are read and measured now."))
    return redirect("namespaces:locators", namespace.nid)


@login_required
@require_POST
def stop(request: HttpRequest, nid: str) -> HttpResponse:
    """Stop the loading that is under way; a second click finds nothing left to do."""
    return acted(request, nid, gateway.table_under_way, gateway.stop, _("Nothing is being loaded."))


@login_required
@require_POST
def drop(request: HttpRequest, nid: str) -> HttpResponse:
    """Take the table out of use; a second click finds nothing left to do."""
    return acted(request, nid, gateway.current_table, gateway.drop, _("No table is in use."))


def acted(
    request: HttpRequest,
    nid: str,
    find: Callable[[Namespace], LocatorTable | None],
    act: Callable[..., None],
    said: str,
) -> HttpResponse:
    """Act on the table that was shown, unless another has taken its place; say how it is now."""
    namespace = get_object_or_404(Namespace, nid=nid)
    person, table = keeper(request, namespace), find(namespace)
    if table is not None and request.POST.get("seen") != str(table.pk):
        messages.error(request, _("Another table is there by now. Look at it, then decide."))
        return redirect("namespaces:locators", nid)
    if table is not None:
        act(table, actor=person)
    messages.success(request, said)
    return redirect("namespaces:locators", nid)


@login_required
@require_GET
def table(request: HttpRequest, nid: str) -> HttpResponseBase:
    """Return the table in use as a file, to be loaded again or compared."""
    namespace = get_object_or_404(Namespace, nid=nid)
    keeper(request, namespace)
    current = gateway.current_table(namespace)
    if current is None:
        raise Http404(nid)
    response = StreamingHttpResponse(lines(current), content_type=CSV)
    response["Content-Disposition"] = f'attachment; filename="{nid}.csv"'
    return response


def lines(current: LocatorTable) -> Iterator[str]:
    """Yield a table as lines of CSV."""
    yield written([("name", "locator")])
    for row in gateway.rows_of(current):
        yield written([row])


@login_required
@require_GET
def report(request: HttpRequest, nid: str, pk: int) -> HttpResponse:
    """Return the report of a refused table as a file."""
    namespace = get_object_or_404(Namespace, nid=nid)
    keeper(request, namespace)
    refused = get_object_or_404(LocatorTable, namespace=namespace, pk=pk)
    response = HttpResponse(gateway.as_csv(refused), content_type=CSV)
    response["Content-Disposition"] = f'attachment; filename="{nid}-refused-{pk}.csv"'
    return response


def keeper(request: HttpRequest, namespace: Namespace) -> User:
    """Return who asks; only those who keep the locators of a namespace get further."""
    person = signed_in(request)
    if not rules.may_keep_services(person, namespace):
        raise PermissionDenied(
            _("Locators are kept by delegates of the registrant and by the registrar.")
        )
    return person
