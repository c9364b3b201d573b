"""Who speaks for an organization: the list, each row, and what a letter's reader can do."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from registry import permissions
from registry.actions import speakers
from registry.enums import SpeakerState
from registry.forms.consent import ObjectionForm
from registry.models import Speaker
from registry.notifications.holder_links import SPEAKER_PURPOSE, read_holder_address
from registry.permissions import PublishedContact
from registry.presenters import speakers as pages
from registry.selectors.speakers import speakers_visible_to
from registry.web.form_page import find_posted_form, perform_form
from registry.web.organizations.views import find_visible_organization
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused


@login_required
@require_http_methods(["GET", "POST"])
def show_speakers(request: HttpRequest, pk: int) -> HttpResponse:
    """Show who speaks for an organization, and do what a button asks for."""
    person, organization = get_signed_in_user(request), find_visible_organization(request, pk)
    if not permissions.may_see_speakers(person, organization):
        raise PermissionDenied(
            _("Only its delegates and officers can see who acts for %(organization)s.")
            % {"organization": organization}
        )
    forms = pages.build_subject_forms(person, organization, request.POST or None)
    if request.method == "POST":
        form = find_posted_form(forms, request)
        if form is None:
            raise PermissionDenied(
                _("Only the delegates of %(organization)s can say who acts for it.")
                % {"organization": organization}
            )
        if perform_form(form, person):
            messages.success(request, _("It is recorded."))
            return redirect("organizations:delegates", pk)
    rows = speakers_visible_to(person).about(organization).open()
    context = {"organization": organization, "speakers": rows, "forms": forms}
    return render(request, "organizations/delegates.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def show_speaker(request: HttpRequest, number: int) -> HttpResponse:
    """Show one row to those concerned, and do what a button asks for."""
    person = get_signed_in_user(request)
    speaker = get_object_or_404(speakers_visible_to(person), pk=number)
    forms = pages.build_speaker_forms(person, speaker, request.POST or None)
    if request.method == "POST":
        form = find_posted_form(forms, request)
        if form is None:
            raise BadRequest("A button of this page says what is to be done.")
        if perform_form(form, person):
            messages.success(request, _("It is recorded."))
            return redirect(speaker)
    return render(request, "organizations/speaker.html", pages.build_context(speaker, forms))


@never_cache
@require_http_methods(["GET", "POST"])
def show_speaker_letter(request: HttpRequest, number: int, word: str) -> HttpResponse:
    """Follow the link of a letter: opening it changes nothing, a button acts for its reader."""
    speaker = get_object_or_404(
        Speaker.objects.select_related("organization", "namespace__registrant", "person"),
        pk=number,
    )
    address = read_holder_address(SPEAKER_PURPOSE, speaker.pk, word)
    if not address:
        raise Http404
    is_own = address == speaker.person.email.lower()
    is_objector = speaker.state == SpeakerState.STOPPED and speaker.objected_by == address
    is_yearly = is_own and speaker.yearly_letters > 0
    form = ObjectionForm(request.POST if "comment" in request.POST else None)
    refusal = ""
    if request.method == "POST":
        try:
            if is_yearly and "confirm" in request.POST:
                speakers.confirm_speaking(speaker)
            elif is_objector and "withdraw" in request.POST:
                speakers.withdraw_objection(speaker, actor=PublishedContact(), by=address)
            elif is_own and "leave" in request.POST:
                speakers.end_speaking(speaker, actor=speaker.person)
            elif form.is_valid():
                speakers.object_to_speaker(
                    speaker,
                    actor=PublishedContact(),
                    by=address,
                    reason=form.cleaned_data["comment"],
                )
        except ActionRefused as refused:
            refusal = str(refused)
        if not form.errors and not refusal:
            messages.success(request, _("It is recorded."))
            return redirect(request.path)
    context = pages.build_context(speaker, ()) | {
        "form": form,
        "refusal": refusal,
        "is_own": is_own,
        "is_yearly": is_yearly,
        "is_objector": is_objector,
        "may_object": speaker.state in {SpeakerState.WAITING, SpeakerState.IN_EFFECT}
        and (not is_own or bool(speaker.removal_asked_by_id)),
    }
    return render(request, "organizations/letter.html", context)
