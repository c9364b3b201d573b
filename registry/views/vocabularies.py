"""The two small registries of draft -03, section 9.2: read by everybody, kept by the registrar."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from registry import rules
from registry.exports.vocabularies import FORMS, VOCABULARIES
from registry.forms.vocabularies import DesignatorForm, KeywordForm
from registry.services import vocabularies
from registry.services.vocabularies import Entry, Vocabulary
from registry.views.acting import signed_in
from registry.workflow import Refused, Superseded

FORM_OF: Final[Mapping[str, type[KeywordForm] | type[DesignatorForm]]] = {
    "query-keywords": KeywordForm,
    "resolution-services": DesignatorForm,
}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Say which registries there are beside that of namespaces."""
    return render(request, "vocabularies/index.html", {"vocabularies": VOCABULARIES.values()})


@require_safe
def detail(request: HttpRequest, name: str) -> HttpResponse:
    """Show one of the registries with its policy."""
    if name not in VOCABULARIES:
        raise Http404(name)
    vocabulary = VOCABULARIES[name]
    context = {
        "vocabulary": vocabulary,
        "rows": list(vocabulary.rows()),
        "forms": list(FORMS),
        "may_keep": rules.may_keep_vocabularies(request.user),
    }
    return render(request, "vocabularies/detail.html", context)


@require_safe
def file(request: HttpRequest, name: str, form: str) -> HttpResponse:
    """Return one of the registries as a file; any page of any site may read it."""
    if name not in VOCABULARIES:
        raise Http404(name)
    media_type, write = FORMS[form]
    octets = write(VOCABULARIES[name]).encode()
    etag = quote_etag(hashlib.sha256(octets).hexdigest())
    headers = {"ETag": etag, "Access-Control-Allow-Origin": "*"}
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(octets, content_type=media_type, headers=headers)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, name: str) -> HttpResponse:
    """Enter a new word."""
    form = form_of(request, name)(request.POST or None)
    if form.is_valid():
        try:
            vocabularies.enter(
                form.vocabulary, actor=signed_in(request), key=form.word, **form.said
            )
        except Refused as refusal:
            form.add_error(form.vocabulary.key, str(refusal))
        else:
            messages.success(request, _("“%(word)s” is entered.") % {"word": form.word})
            return redirect("vocabularies:detail", name)
    return show(request, name, form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, name: str, key: str) -> HttpResponse:
    """Change what is said of a word; the word itself stays."""
    made = form_of(request, name)
    entry: Any = get_object_or_404(made.vocabulary.model, pk=key)
    form = made(request.POST or None, key=key, initial=initial(made.vocabulary, entry))
    status = 200
    if form.is_valid():
        seen, ground = form.cleaned_data["seen"], form.cleaned_data["ground"]
        try:
            vocabularies.change(
                form.vocabulary,
                entry,
                actor=signed_in(request),
                seen=seen,
                ground=ground,
                **form.said,
            )
        except Superseded as refusal:
            form.add_error(None, str(refusal))
            status = 409
        else:
            messages.success(request, _("“%(word)s” is changed.") % {"word": key})
            return redirect("vocabularies:detail", name)
    return show(request, name, form, entry, status)


def form_of(request: HttpRequest, name: str) -> type[KeywordForm] | type[DesignatorForm]:
    """Return the form of a registry, which the person keeps."""
    if name not in FORM_OF:
        raise Http404(name)
    if not rules.may_keep_vocabularies(request.user):
        raise PermissionDenied(_("These registries are kept by the registrar."))
    return FORM_OF[name]


def initial(vocabulary: Vocabulary, entry: Entry) -> dict[str, Any]:
    """Return what an entry says, as the form begins with it."""
    told = vocabularies.told(vocabulary, entry)
    if "supported_by" in told:
        told["supported_by"] = "\n".join(" ".join(pair) for pair in told["supported_by"])
    return told | {"seen": vocabularies.edition(vocabulary, entry)}


def show(
    request: HttpRequest,
    name: str,
    form: KeywordForm | DesignatorForm,
    entry: Entry | None = None,
    status: int = 200,
) -> HttpResponse:
    """Draw the form."""
    context = {"form": form, "vocabulary": VOCABULARIES[name], "entry": entry}
    return render(request, "vocabularies/edit.html", context, status=status)
