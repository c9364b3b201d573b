"""One URN read, two compared, many checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.http.request import UnreadablePostError
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from registry import check_limits, desk, queries
from registry.desk import Inspection, Line, Verdict
from registry.forms.inspect import CompareForm, ListForm
from registry.urn import display, nid as nids
from registry.views.listed import Listed, listed
from registry.views.query_parameters import answer_query_errors, read_uris

DOWNLOADS: Final = {
    "csv": ("text/csv; charset=utf-8", desk.as_csv),
    "json": ("application/json", desk.as_json),
}
_DRAINED: Final = 100_000_000
_PIECE: Final = 1 << 16


@require_safe
@answer_query_errors(is_page=True)
def index(request: HttpRequest) -> HttpResponse:
    """Read the URN in the address and say what it is; without one, ask for it."""
    typed = read_uris(request, "urn").get("urn", "")
    text = typed.strip()
    context: dict[str, object] = {"typed": typed, "tabs": tabs("index")}
    if text:
        inspection = desk.inspect(text)
        context |= {"inspection": inspection, "trimmed": typed != text}
        context |= about(inspection)
    return render(request, "inspect/index.html", context)


def about(inspection: Inspection) -> dict[str, object]:
    """Return what the page shows beside the answer, of a text that is not too long for it."""
    shown: dict[str, object] = {}
    if inspection.is_drawn:
        shown["specifications"] = desk.specifications(inspection.text)
    if inspection.urn is not None:
        shown["display"] = display(inspection.urn)
        if inspection.verdict is Verdict.UNREGISTERED:
            shown["requests"] = queries.asking_for(nids.canonical(inspection.urn.nid))
    return shown


@require_safe
@answer_query_errors(is_page=True)
def compare(request: HttpRequest) -> HttpResponse:
    """Compare the two URNs in the address, and say which rule decided."""
    form = CompareForm(read_uris(request, "a", "b") or None)
    context: dict[str, object] = {"form": form, "tabs": tabs("compare")}
    if form.is_valid() and form.cleaned_data["a"] and form.cleaned_data["b"]:
        context["pair"] = desk.compare(form.cleaned_data["a"], form.cleaned_data["b"])
    return render(request, "inspect/compare.html", context)


# Asks and answers, keeps and changes nothing: there is nothing for another site to forge.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def listing(request: HttpRequest) -> HttpResponseBase:
    """Check the names that were pasted or uploaded: problems first, or all of them as a file."""
    if request.method != "POST":
        return list_page(request, ListForm())
    try:
        form = ListForm(request.POST, request.FILES)
    except RequestDataTooBig:
        return refuse_unread(request)
    if not form.is_valid():
        return list_page(request, form, status=413 if form.is_too_large else 200)
    wait = check_limits.count_list(request.META, request.user.pk)
    if wait is not None:
        return refuse_too_soon(request, form, wait)
    names, registered = form.names_given, desk.known()
    lines = checked(names, registered)
    kind = request.POST.get("result", "")
    if kind in DOWNLOADS:
        return download(kind, lines, registered)
    result = listed(lines, registered, in_order=request.POST.get("order") == "given")
    return list_page(request, ListForm(initial={"names": names}), result)


def checked(names: str, registered: desk.Known) -> Iterator[Line]:
    """Yield the answer about each line that holds anything."""
    lines = enumerate(names.split("\n"), start=1)
    return desk.check(((number, text) for number, text in lines if text), registered)


def list_page(
    request: HttpRequest, form: ListForm, result: Listed | None = None, status: int = 200
) -> HttpResponse:
    """Draw the page around the form, with the answers if there are any."""
    context: dict[str, Any] = {"form": form, "result": result, "tabs": tabs("list")}
    return render(request, "inspect/list.html", context, status=status)


def download(kind: str, lines: Iterator[Line], registered: desk.Known) -> StreamingHttpResponse:
    """Return the answers about all lines, in their order, as a file."""
    content_type, write = DOWNLOADS[kind]
    response = StreamingHttpResponse(write(lines, registered), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="checked-names.{kind}"'
    return response


def refuse_too_soon(request: HttpRequest, form: ListForm, seconds: int) -> HttpResponse:
    """Say that too many lists were sent of late, and when there is room for the next."""
    words = _("You sent many lists within a minute. Send this one again in %(seconds)d seconds.")
    form.add_error(None, words % {"seconds": seconds})
    response = list_page(request, form, status=429)
    response["Retry-After"] = str(seconds)
    return response


def refuse_unread(request: HttpRequest) -> HttpResponse:
    """Say that there was more text than is taken at all; it is still in the browser."""
    drain(request)
    form = ListForm({})
    form.is_valid()
    form.errors.clear()
    form.add_error(
        "names",
        _(
            "That is more text than can be sent at once. Your browser still has it: go back, and"
            " check it in parts or as a file."
        ),
    )
    return list_page(request, form, status=413)


def drain(request: HttpRequest) -> None:
    """Read what is still on its way, within reason: a browser listens once it has sent all."""
    left = _DRAINED
    try:
        while left > 0 and (piece := request.read(_PIECE)):
            left -= len(piece)
    except UnreadablePostError:
        return


def tabs(current: str) -> list[dict[str, object]]:
    """Return the pages of the desk as the component draws them."""
    titles = {
        "index": _("One name"),
        "compare": _("Compare two"),
        "list": _("Check a list"),
        "grammar": _("Try a rule"),
    }
    return [
        {"title": title, "url": reverse(f"inspect:{name}"), "current": name == current}
        for name, title in titles.items()
    ]
