"""Uploading a template: read, shown field by field, and copied into a draft once confirmed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import RequestDataTooBig, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from registry.forms.template_upload import ConfirmUploadForm, TemplateUploadForm
from registry.models import Round, User
from registry.presenters.template_upload import (
    FieldReading,
    collect_leftover_text,
    collect_template_changes,
    holds_letter,
    list_field_readings,
)
from registry.template.reading import FoundGrammar, Reading, read
from registry.web.requests.editor import find_editable_draft, list_requests_to_edit
from registry.web.requests.mirror import refuse_in_mirror
from registry.workflow import ConcurrentChange, drafts

UPLOAD_SESSION_KEY: Final = "pasted"
UploadView = Callable[..., HttpResponse]


def stash_upload(request: HttpRequest, text: str, reference: str = "") -> None:
    """Keep an uploaded text for a request, or for one that has yet to be started."""
    request.session[UPLOAD_SESSION_KEY] = {"for": reference, "text": text}


def read_stashed_upload(request: HttpRequest, reference: str = "") -> str:
    """Return the text uploaded for that request, empty if there is none."""
    found = request.session.get(UPLOAD_SESSION_KEY) or {}
    return str(found["text"]) if found.get("for") == reference else ""


def clear_stashed_upload(request: HttpRequest) -> None:
    """Discard the text."""
    request.session.pop(UPLOAD_SESSION_KEY, None)


def answer_oversized_upload(view: UploadView) -> UploadView:
    """Have a view itself say that the upload is too large, instead of the site."""
    checked = csrf_protect(view)

    @csrf_exempt
    @wraps(view)
    def asked(request: HttpRequest, **kwargs: str) -> HttpResponse:
        if is_oversized_upload(request):
            return render_upload_form(request, build_oversized_upload_form(), **kwargs)
        return checked(request, **kwargs)

    return asked


def is_oversized_upload(request: HttpRequest) -> bool:
    """Whether more was posted than is read."""
    try:
        return request.POST is None
    except RequestDataTooBig:
        return True


def build_oversized_upload_form() -> TemplateUploadForm:
    """Return the form that says so."""
    form = TemplateUploadForm({})
    form.is_valid()
    form.errors.clear()
    words = _(
        "That is more text than can be sent at once. Your browser still has it: go back, and"
        " leave out the document around the template."
    )
    form.add_error("text", ValidationError(words, code="too_long"))
    return form


@answer_oversized_upload
@require_http_methods(["GET", "POST"])
@refuse_in_mirror
def start_from_template(request: HttpRequest) -> HttpResponse:
    """Accept a template before there is a request, and continue with its questions."""
    if "discard" in request.POST:
        clear_stashed_upload(request)
        return redirect("requests:new")
    form = TemplateUploadForm(request.POST or None, request.FILES or None)
    if not form.is_valid():
        return render_upload_form(request, form)
    accept_upload(request, form)
    return redirect("requests:new")


def accept_upload(request: HttpRequest, form: TemplateUploadForm, reference: str = "") -> None:
    """Keep the text of the valid form, and say how it was decoded if that was guessed."""
    stash_upload(request, form.given, reference)
    if form.encoding:
        messages.info(
            request,
            _("The file is not in UTF-8 and was read as %(encoding)s. Check its accented letters.")
            % {"encoding": form.encoding},
        )


def render_upload_form(
    request: HttpRequest, form: TemplateUploadForm, reference: str = ""
) -> HttpResponse:
    """Ask for a template."""
    context: dict[str, Any] = {"form": form, "reference": reference}
    return render(request, "requests/template_upload.html", context)


@answer_oversized_upload
@require_http_methods(["GET", "POST"])
def upload_template(request: HttpRequest, reference: str) -> HttpResponse:
    """Read a template for a draft, show what was understood, and save what is confirmed."""
    if not isinstance(request.user, User):
        return stash_upload_and_sign_in(request, reference.upper())
    registration_request = get_object_or_404(
        list_requests_to_edit(request.user), reference=reference.upper()
    )
    if registration_request.changes_facts:
        return redirect("requests:facts", registration_request.slug)
    draft = find_editable_draft(registration_request)
    if draft is None:
        messages.info(request, _("There is no draft now to write a text into."))
        return redirect(registration_request)
    if "discard" in request.POST:
        clear_stashed_upload(request)
        return redirect("requests:paste", reference)
    if "confirm" in request.POST:
        return confirm_upload(request, draft)
    form = TemplateUploadForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        accept_upload(request, form, registration_request.reference)
        return redirect("requests:paste", reference)
    text = read_stashed_upload(request, registration_request.reference)
    if form.is_bound or not text:
        return render_upload_form(request, form, reference)
    return render_upload_readings(request, draft, UploadedTemplate(text, draft))


def stash_upload_and_sign_in(request: HttpRequest, reference: str) -> HttpResponse:
    """Keep what was uploaded, and redirect to the sign-in page and back."""
    form = TemplateUploadForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        accept_upload(request, form, reference)
        messages.info(request, _("Sign in to go on. What you brought is kept."))
    response: HttpResponse = redirect_to_login(request.path)
    return response


class UploadedTemplate:
    """A text uploaded for a draft, read, with the form about it."""

    def __init__(self, text: str, draft: Round, posted: Any = None) -> None:
        self.reading: Reading = read(text)
        self.rows = list_field_readings(self.reading, draft)
        self.rest = collect_leftover_text(self.reading)
        self.digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        self.form = ConfirmUploadForm(
            posted,
            names=[row.name for row in self.rows if row.is_offered],
            kept=frozenset(row.name for row in self.rows if row.name == "nid" and row.replaces),
            sections={row.name: row.section.title for row in self.rows if row.section},
            has_rest=bool(self.rest),
            initial={
                "seen": draft.edition,
                "digest": self.digest,
                "rest": not holds_letter(self.reading),
            },
        )

    @property
    def lines(self) -> list[tuple[FieldReading, Any, Any]]:
        """Each field with its checkbox, and that of the section it refers to, if they have them."""
        return [
            (row, self._find_box(f"take-{row.name}"), self._find_box(f"section-{row.name}"))
            for row in self.rows
        ]

    def _find_box(self, name: str) -> Any:
        return self.form[name] if name in self.form.fields else None

    @property
    def broken_grammars(self) -> list[FoundGrammar]:
        """The grammars in the text that cannot be read."""
        return [each for each in self.reading.grammars if not each.kind]


def render_upload_readings(
    request: HttpRequest, draft: Round, brought: UploadedTemplate, *, overtaken: bool = False
) -> HttpResponse:
    """Show what was understood, field by field, and what was not."""
    context = {
        "registration_request": draft.registration_request,
        "draft": draft,
        "brought": brought,
        "form": brought.form,
        "overtaken": overtaken,
        "nav_current": "mine",
    }
    status = 409 if overtaken else 200
    return render(request, "requests/template_readings.html", context, status=status)


def confirm_upload(request: HttpRequest, draft: Round) -> HttpResponse:
    """Save what was confirmed; if text or draft have changed since they were shown, show them
    again.
    """
    text = read_stashed_upload(request, draft.registration_request.reference)
    if not text:
        return redirect("requests:paste", draft.registration_request.slug)
    brought = UploadedTemplate(text, draft, request.POST)
    form = brought.form
    if not form.is_valid() or form.cleaned_data["digest"] != brought.digest:
        return render_upload_readings(request, draft, UploadedTemplate(text, draft), overtaken=True)
    written = collect_template_changes(
        brought.reading,
        draft.template,
        form.taken,
        with_rest=form.takes_rest,
        followed=form.followed,
    )
    try:
        if written:
            drafts.save_draft(draft, written, seen=form.cleaned_data["seen"])
    except ConcurrentChange:
        draft.refresh_from_db()
        return render_upload_readings(request, draft, UploadedTemplate(text, draft), overtaken=True)
    clear_stashed_upload(request)
    messages.success(
        request,
        ngettext(
            "%(count)d field was written into the draft.",
            "%(count)d fields were written into the draft.",
            len(written),
        )
        % {"count": len(written)},
    )
    return redirect("requests:send", draft.registration_request.slug)
