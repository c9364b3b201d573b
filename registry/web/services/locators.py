"""The locator table of a namespace: the one in use, and what its keepers do with it."""

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

from registry import permissions
from registry.exchange import locator_tables
from registry.exchange.csv_rows import format_csv_rows
from registry.forms.resolution import LocatorTableForm
from registry.models import LocatorTable, Namespace, User
from registry.presenters.resolution import build_locator_context
from registry.web.htmx import is_htmx_request
from registry.web.namespaces.views import canonicalize_nid
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused

LOCATOR_CSV_MEDIA_TYPE = "text/csv; charset=utf-8"


@require_http_methods(["GET", "HEAD", "POST"])
def show_locators(request: HttpRequest, nid: str) -> HttpResponse:
    """Show which table is in use; its keepers can load another."""
    if nid != canonicalize_nid(nid):
        return redirect("namespaces:locators", canonicalize_nid(nid), permanent=True)
    namespace = get_object_or_404(Namespace, nid=nid)
    if request.method == "POST":
        return upload_locator_table(request, namespace)
    response = render_locators(
        request, namespace, LocatorTableForm(current=locator_tables.find_current_table(namespace))
    )
    patch_vary_headers(response, ["HX-Request"])
    return response


def render_locators(
    request: HttpRequest, namespace: Namespace, form: LocatorTableForm, status: int = 200
) -> HttpResponse:
    """Return the page, or the part of it that changes while a table is loaded."""
    context: dict[str, Any] = {"form": form, **build_locator_context(namespace, request.user)}
    template = "locators/state.html" if is_htmx_request(request) else "locators/index.html"
    response = render(request, template, context, status=status)
    if is_htmx_request(request) and not context.get("progress"):
        # Loading has finished: reload the whole page, which shows what can be done now.
        response["HX-Refresh"] = "true"
    return response


@login_required
def upload_locator_table(request: HttpRequest, namespace: Namespace) -> HttpResponse:
    """Accept a file and have it loaded, unless another table is in use than the person saw."""
    person, current = (
        require_locator_keeper(request, namespace),
        locator_tables.find_current_table(namespace),
    )
    form = LocatorTableForm(request.POST, request.FILES, current=current)
    if not form.is_valid():
        return render_locators(request, namespace, form)
    file, seen = form.cleaned_data["file"], form.cleaned_data["seen"]
    try:
        locator_tables.receive_upload(
            namespace,
            locator_tables.store_upload(file.chunks()),
            actor=person,
            file_name=file.name,
            over=LocatorTable.objects.filter(pk=seen).first(),
        )
    except ActionRefused as refusal:
        form.add_error(None, str(refusal))
        return render_locators(request, namespace, form, status=409)
    messages.success(request, _("The file has arrived. Its lines are being checked."))
    return redirect("namespaces:locators", namespace.nid)


@login_required
@require_POST
def post_loading_stop(request: HttpRequest, nid: str) -> HttpResponse:
    """Stop the current loading; a second click has nothing left to do."""
    return act_on_shown_table(
        request,
        nid,
        locator_tables.find_table_under_way,
        locator_tables.stop_table,
        _("Nothing is being loaded."),
    )


@login_required
@require_POST
def post_locator_table_drop(request: HttpRequest, nid: str) -> HttpResponse:
    """Take the table out of use; a second click has nothing left to do."""
    return act_on_shown_table(
        request,
        nid,
        locator_tables.find_current_table,
        locator_tables.drop_table,
        _("No table is in use."),
    )


def act_on_shown_table(
    request: HttpRequest,
    nid: str,
    find: Callable[[Namespace], LocatorTable | None],
    act: Callable[..., None],
    said: str,
) -> HttpResponse:
    """Act on the table that was shown, unless another has replaced it; show the current one."""
    namespace = get_object_or_404(Namespace, nid=nid)
    person, table = require_locator_keeper(request, namespace), find(namespace)
    if table is not None and request.POST.get("seen") != str(table.pk):
        messages.error(request, _("There is another table now. Look at it, then decide."))
        return redirect("namespaces:locators", nid)
    if table is not None:
        act(table, actor=person)
    messages.success(request, said)
    return redirect("namespaces:locators", nid)


@login_required
@require_GET
def serve_locator_table(request: HttpRequest, nid: str) -> HttpResponseBase:
    """Return the table in use as a file, to load it again or compare it."""
    namespace = get_object_or_404(Namespace, nid=nid)
    require_locator_keeper(request, namespace)
    current = locator_tables.find_current_table(namespace)
    if current is None:
        raise Http404(nid)
    response = StreamingHttpResponse(
        write_locator_csv(current), content_type=LOCATOR_CSV_MEDIA_TYPE
    )
    response["Content-Disposition"] = f'attachment; filename="{nid}.csv"'
    return response


def write_locator_csv(current: LocatorTable) -> Iterator[str]:
    yield format_csv_rows([("name", "locator")])
    for row in locator_tables.read_table_rows(current):
        yield format_csv_rows([row])


@login_required
@require_GET
def serve_locator_report(request: HttpRequest, nid: str, pk: int) -> HttpResponse:
    namespace = get_object_or_404(Namespace, nid=nid)
    require_locator_keeper(request, namespace)
    refused = get_object_or_404(LocatorTable, namespace=namespace, pk=pk)
    response = HttpResponse(
        locator_tables.write_report_csv(refused), content_type=LOCATOR_CSV_MEDIA_TYPE
    )
    response["Content-Disposition"] = f'attachment; filename="{nid}-refused-{pk}.csv"'
    return response


def require_locator_keeper(request: HttpRequest, namespace: Namespace) -> User:
    """Return the person, if they keep the locators of the namespace; refuse others."""
    person = get_signed_in_user(request)
    if not permissions.may_manage_services(person, namespace):
        raise PermissionDenied(
            _("Only delegates of the registrant and the registrar can change locators.")
        )
    return person
