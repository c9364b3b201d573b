"""Imported records of a namespace, each at a permanent address, and comparisons of texts."""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from registry import selectors
from registry.http.file_responses import respond_with_text
from registry.http.formats import negotiate_formats, serve_format
from registry.http.methods import require_reading
from registry.http.redirects import redirect_to_canonical
from registry.models import ImportedRecord, Namespace
from registry.presenters.imported_records import (
    ComparedText,
    ImportedPage,
    TextComparison,
    link_comparison,
)
from registry.selectors.imported_records import ImportedTemplate, list_imported_records
from registry.serializers.representations import RECORD_WRITERS
from registry.urn import nid as nids

RECORD_MARK: Final = "r"
"""Precedes the number of a record in addresses; a version has its number alone."""
TEXT_KEY: Final = re.compile(rf"{RECORD_MARK}?[0-9]{{1,9}}")


@require_safe
@negotiate_formats("record")
def show_record(request: HttpRequest, nid: str, number: int) -> HttpResponseBase:
    """Show one imported record: what was understood, what was not, and the text as found."""
    if nid != nids.canonical(nid):
        return redirect_to_canonical(request, "namespaces:record", nids.canonical(nid), number)
    namespace = find_namespace_or_404(nid)
    records = list_imported_records(namespace)
    record = find_record_or_404(records, number)
    newer = [
        each
        for each in records
        if each.document.name == record.document.name and each.number > number
    ]
    versions = selectors.list_versions(namespace)
    others = [each for each in records if each != record]
    context = {
        "namespace": namespace,
        "record": record,
        "page": ImportedPage(ImportedTemplate(record)),
        "newest": newer[0] if newer else None,
        "comparisons": [
            *(compare_label(namespace, record, ComparedText(each)) for each in versions),
            *(compare_label(namespace, record, ComparedText(each)) for each in others),
        ],
    }
    return render(request, "namespaces/record.html", context)


def compare_label(
    namespace: Namespace, record: ImportedRecord, other: ComparedText
) -> tuple[str, str]:
    """Return the name of another text, and the address that compares it with a record."""
    one = ComparedText(record)
    is_newer = other.is_imported and other.shown.number < record.number
    old, new = (other, one) if is_newer else (one, other)
    return other.label, link_comparison(namespace, old, new)


@serve_format("record")
@require_reading
def serve_record(request: HttpRequest, nid: str, number: str, form: str) -> HttpResponseBase:
    """Return one record in one of its formats; plain text is the text as found, then its source."""
    if nid != nids.canonical(nid):
        return redirect_to_canonical(
            request, "namespaces:record_file", nids.canonical(nid), number, form
        )
    namespace = find_namespace_or_404(nid)
    record = find_record_or_404(list_imported_records(namespace), int(number))
    text = RECORD_WRITERS[form](record, settings.SITE)
    name = f"{nid}-record-{record.number}"
    return respond_with_text(request, form, text, name=name, changed_at=record.read_at)


@require_safe
def show_text_comparison(request: HttpRequest, nid: str, a: str, b: str) -> HttpResponse:
    """Show the differences between two versions or records, the older first."""
    if not (TEXT_KEY.fullmatch(a) and TEXT_KEY.fullmatch(b)):
        raise Http404
    first, second = sorted((a, b), key=order_text_key)
    if nid != nids.canonical(nid) or (a, b) != (first, second):
        return redirect_to_canonical(
            request, "namespaces:compare", nids.canonical(nid), first, second
        )
    namespace = get_object_or_404(Namespace, nid=nid)
    old, new = (find_compared_text(namespace, key) for key in (a, b))
    if a == b:
        return redirect(old.url)
    context = {"namespace": namespace, "comparison": TextComparison(old, new)}
    return render(request, "namespaces/compare.html", context)


def order_text_key(key: str) -> tuple[bool, int]:
    """Return a sort key for texts: those published elsewhere come before ours."""
    return not key.startswith(RECORD_MARK), int(key.removeprefix(RECORD_MARK))


def find_compared_text(namespace: Namespace, key: str) -> ComparedText:
    """Return the version or record that an address names, or raise `Http404`."""
    number = int(key.removeprefix(RECORD_MARK))
    if key.startswith(RECORD_MARK):
        return ComparedText(find_record_or_404(list_imported_records(namespace), number))
    version = get_object_or_404(namespace.registrations, number=number)
    version.namespace = namespace
    return ComparedText(version)


def find_namespace_or_404(nid: str) -> Namespace:
    namespace = selectors.find_namespace(nid)
    if namespace is None:
        raise Http404
    return namespace


def find_record_or_404(records: list[ImportedRecord], number: int) -> ImportedRecord:
    for each in records:
        if each.number == number:
            return each
    raise Http404(_("No imported record %(number)d is held here.") % {"number": number})
