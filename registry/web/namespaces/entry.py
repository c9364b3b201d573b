"""What is recorded about a namespace besides its versions: IANA's reference, disputes, contacts."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from registry import permissions
from registry.actions import contact_confirmations, namespace_records
from registry.forms.fields import unify_line_ends
from registry.forms.office import IanaReferenceForm
from registry.models import ContactConfirmation, Namespace, User
from registry.urn import nid as nids
from registry.web.form_page import FormPage, take_form
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused


def find_namespace_to_keep(request: HttpRequest, nid: str) -> tuple[User, Namespace]:
    """Return the person and the namespace whose entry they keep."""
    person = get_signed_in_user(request)
    namespace = get_object_or_404(Namespace, nid=nids.canonical(nid) if nid.isascii() else nid)
    if not permissions.may_keep_entries(person):
        raise PermissionDenied(_("Only the registrar can change the entries of namespaces."))
    return person, namespace


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_iana_reference(request: HttpRequest, nid: str) -> HttpResponse:
    """Enter the identifier IANA knows the entry by."""
    person, namespace = find_namespace_to_keep(request, nid)
    said = {"iana_reference": namespace.iana_reference, "seen": namespace.iana_reference}
    form = IanaReferenceForm(request.POST or None, initial=said)
    page = FormPage(
        _("IANA reference of %(nid)s") % {"nid": namespace.nid},
        [_("It is shown on the page of the namespace and in its data. The journal keeps both.")],
        _("Enter it"),
        namespace.get_absolute_url(),
        [(namespace.nid, namespace.get_absolute_url())],
    )

    def act() -> str:
        entered = form.cleaned_data["iana_reference"]
        namespace_records.set_iana_reference(
            namespace, entered, actor=person, seen=form.cleaned_data["seen"]
        )
        return namespace.get_absolute_url()

    return take_form(request, page, form, act, _("The IANA reference is entered."))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show_contact_letter(request: HttpRequest, nid: str, secret: str) -> HttpResponse:
    """Follow the link of a yearly letter: opening it changes nothing, the button confirms."""
    asked = get_object_or_404(
        ContactConfirmation.objects.select_related("namespace"), namespace__nid=nid, secret=secret
    )
    refusal = "" if asked.answered_at else contact_confirmations.explain_dead_confirmation(asked)
    is_answered = asked.answered_at is not None
    if request.method == "POST" and not refusal:
        try:
            contact_confirmations.answer_letter(asked)
            is_answered = True
        except ActionRefused as refused:
            refusal = str(refused)
    context = {
        "namespace": asked.namespace,
        "asked": asked,
        "is_answered": is_answered,
        "refusal": refusal,
    }
    return render(request, "namespaces/contact.html", context, status=409 if refusal else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_contact_confirmation(request: HttpRequest, nid: str) -> HttpResponse:
    """Let a delegate of the holder confirm the contact without a letter."""
    person, namespace = get_signed_in_user(request), get_object_or_404(Namespace, nid=nid)
    if not permissions.may_confirm_contact(person, namespace):
        raise PermissionDenied(_("The contact is confirmed by those who act for the holder."))
    refusal, is_answered = "", False
    if request.method == "POST":
        seen = unify_line_ends(request.POST.get("seen", ""))
        try:
            contact_confirmations.confirm_contact(namespace, actor=person, seen=seen)
            is_answered = True
        except ActionRefused as refused:
            refusal = str(refused)
    context = {"namespace": namespace, "is_answered": is_answered, "refusal": refusal}
    return render(request, "namespaces/contact.html", context, status=409 if refusal else 200)
