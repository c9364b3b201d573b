"""The registrar's pages on how documents of record were read, doubtful readings first."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from registry.exchange.records import confirm_contact, correct_record, withdraw_contact
from registry.forms.imported_records import ConfirmContactForm, CorrectionForm
from registry.models import ImportedRecord
from registry.presenters.imported_records import (
    ReadingList,
    list_given_contacts,
    number_lines,
)
from registry.urn import nid as nids
from registry.web.publish.views import require_registrar
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused


@login_required
@require_http_methods(["GET", "HEAD"])
def list_readings(request: HttpRequest) -> HttpResponse:
    """List the readings, doubtful ones first, and the namespaces without a text."""
    require_registrar(get_signed_in_user(request))
    return render(request, "publish/readings.html", {"readings": ReadingList.build()})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_reading(request: HttpRequest, nid: str, number: int) -> HttpResponse:
    """Show a text next to how it was understood, and save a correction."""
    person = get_signed_in_user(request)
    require_registrar(person)
    record = find_record_for_registrar(nid, number)
    form = CorrectionForm(request.POST or None, record=record)
    status = 200
    if form.is_valid():
        try:
            corrected = correct_record(
                record, actor=person, changes=form.changes, reason=form.cleaned_data["reason"]
            )
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
            status = int(refusal.status)
        else:
            messages.success(request, _("Kept as a new record beside the one before."))
            return redirect("publish:reading", corrected.namespace.nid, corrected.number)
    return render_reading(request, record, form, status)


def find_record_for_registrar(nid: str, number: int) -> ImportedRecord:
    if not nid.isascii():
        raise Http404
    records = ImportedRecord.objects.select_related("namespace", "document", "corrected_by")
    return get_object_or_404(records, namespace__nid=nids.canonical(nid), number=number)


def render_reading(
    request: HttpRequest, record: ImportedRecord, form: CorrectionForm, status: int = 200
) -> HttpResponse:
    later = record.namespace.imported_records.filter(
        document__name=record.document.name, number__gt=record.number
    )
    context = {
        "record": record,
        "form": form,
        "lines": number_lines(record),
        "contacts": list_given_contacts(record),
        "newest": later.order_by("-number").first(),
    }
    return render(request, "publish/reading.html", context, status=status)


@login_required
@require_POST
def post_contact_confirmation(request: HttpRequest, nid: str, number: int) -> HttpResponse:
    """Have an address of a record notified of requests from now on."""
    person = get_signed_in_user(request)
    require_registrar(person)
    record = find_record_for_registrar(nid, number)
    form = ConfirmContactForm(request.POST)
    if not form.is_valid():
        refused = next(iter(form.errors.values()))[0]
        messages.error(request, str(refused))
        return redirect("publish:reading", nid, number)
    try:
        confirm_contact(record, actor=person, **form.cleaned_data)
    except ActionRefused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(
            request, _("Confirmed. The address will hear of requests that would change it.")
        )
    return redirect("publish:reading", nid, number)


@login_required
@require_POST
def post_contact_withdrawal(request: HttpRequest, nid: str, number: int, pk: int) -> HttpResponse:
    """Stop notifying a confirmed address."""
    person = get_signed_in_user(request)
    require_registrar(person)
    record = find_record_for_registrar(nid, number)
    contact = get_object_or_404(record.namespace.record_contacts.select_related("record"), pk=pk)
    withdraw_contact(contact, actor=person)
    messages.success(request, _("Withdrawn. The address gets no more letters."))
    return redirect("publish:reading", nid, number)
