"""The two small registries of draft -03, section 9.2: read by everybody, kept by the registrar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from registry import permissions
from registry.actions import vocabularies
from registry.actions.vocabularies import Entry, ServiceVocabulary
from registry.exchange.exports.vocabularies import VOCABULARIES, VOCABULARY_FORMATS
from registry.forms.resolution import DesignatorForm, KeywordForm
from registry.http.conditional_requests import make_content_etag, respond_conditionally
from registry.http.cors import open_to_all_sites
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused, ConcurrentChange

VOCABULARY_FORMS: Final[Mapping[str, type[KeywordForm] | type[DesignatorForm]]] = {
    "query-keywords": KeywordForm,
    "resolution-services": DesignatorForm,
}


@require_safe
def list_vocabularies(request: HttpRequest) -> HttpResponse:
    """Say which registries there are beside that of namespaces."""
    return render(request, "vocabularies/index.html", {"vocabularies": VOCABULARIES.values()})


@require_safe
def show_vocabulary(request: HttpRequest, name: str) -> HttpResponse:
    """Show one of the registries with its policy."""
    if name not in VOCABULARIES:
        raise Http404(name)
    vocabulary = VOCABULARIES[name]
    context = {
        "vocabulary": vocabulary,
        "rows": list(vocabulary.rows()),
        "forms": list(VOCABULARY_FORMATS),
        "may_keep": permissions.may_manage_vocabularies(request.user),
    }
    return render(request, "vocabularies/detail.html", context)


@require_safe
@open_to_all_sites
def serve_vocabulary(request: HttpRequest, name: str, form: str) -> HttpResponseBase:
    """Return one of the registries as a file; any page of any site may read it."""
    if name not in VOCABULARIES:
        raise Http404(name)
    media_type, write = VOCABULARY_FORMATS[form]
    octets = write(VOCABULARIES[name]).encode()
    headers = {"Content-Type": media_type, "ETag": make_content_etag(octets)}
    return respond_conditionally(request, HttpResponse(octets, headers=headers))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_new_entry(request: HttpRequest, name: str) -> HttpResponse:
    """Enter a new word."""
    form = find_vocabulary_form(request, name)(request.POST or None)
    if form.is_valid():
        try:
            vocabularies.add_entry(
                form.vocabulary, actor=get_signed_in_user(request), key=form.word, **form.said
            )
        except ActionRefused as refusal:
            form.add_error(form.vocabulary.key, str(refusal))
        else:
            messages.success(request, _("“%(word)s” is entered.") % {"word": form.word})
            return redirect("vocabularies:detail", name)
    return render_entry_form(request, name, form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_vocabulary_entry(request: HttpRequest, name: str, key: str) -> HttpResponse:
    """Change what is said of a word; the word itself stays."""
    made = find_vocabulary_form(request, name)
    entry: Any = get_object_or_404(made.vocabulary.model, pk=key)
    form = made(request.POST or None, key=key, initial=get_entry_initial(made.vocabulary, entry))
    status = 200
    if form.is_valid():
        seen, ground = form.cleaned_data["seen"], form.cleaned_data["ground"]
        try:
            vocabularies.change_entry(
                form.vocabulary,
                entry,
                actor=get_signed_in_user(request),
                seen=seen,
                ground=ground,
                **form.said,
            )
        except ConcurrentChange as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            messages.success(request, _("“%(word)s” is changed.") % {"word": key})
            return redirect("vocabularies:detail", name)
    return render_entry_form(request, name, form, entry, status)


def find_vocabulary_form(
    request: HttpRequest, name: str
) -> type[KeywordForm] | type[DesignatorForm]:
    """Return the form of a registry, which the person keeps."""
    if name not in VOCABULARY_FORMS:
        raise Http404(name)
    if not permissions.may_manage_vocabularies(request.user):
        raise PermissionDenied(_("These registries are kept by the registrar."))
    return VOCABULARY_FORMS[name]


def get_entry_initial(vocabulary: ServiceVocabulary, entry: Entry) -> dict[str, Any]:
    """Return what an entry says, as the form begins with it."""
    told = vocabularies.read_entry(vocabulary, entry)
    if "supported_by" in told:
        told["supported_by"] = "\n".join(" ".join(pair) for pair in told["supported_by"])
    return told | {"seen": vocabularies.mark_entry_edition(vocabulary, entry)}


def render_entry_form(
    request: HttpRequest,
    name: str,
    form: KeywordForm | DesignatorForm,
    entry: Entry | None = None,
    status: int = 200,
) -> HttpResponse:
    """Draw the form."""
    context = {"form": form, "vocabulary": VOCABULARIES[name], "entry": entry}
    return render(request, "vocabularies/edit.html", context, status=status)
