"""Who holds a namespace: claiming it, searching for the holder, and what follows from either."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from registry.models import HolderSearch, Namespace
from registry.notifications.holder_links import SEARCH_PURPOSE, read_holder_address
from registry.permissions import PublishedContact
from registry.presenters import holder as pages
from registry.web.namespaces.views import canonicalize_nid
from registry.web.step_view import get_signed_in_user
from registry.workflow import ActionRefused
from registry.workflow.holder_signs import answer_search


@require_http_methods(["GET", "HEAD", "POST"])
def show_holder(request: HttpRequest, nid: str) -> HttpResponse:
    """Show who holds a namespace and what is about to change, and do what a button asks for."""
    namespace = get_object_or_404(
        Namespace.objects.select_related("registrant"), nid=canonicalize_nid(nid)
    )
    if request.method == "POST":
        return post_holder_act(request, namespace)
    return render_holder(request, namespace, pages.build_holder_forms(request.user, namespace))


def post_holder_act(request: HttpRequest, namespace: Namespace) -> HttpResponse:
    """Do what was posted, or show the page again with what prevents it."""
    person = get_signed_in_user(request)
    forms = pages.build_holder_forms(person, namespace, request.POST)
    form = next((each for each in forms if each.act == request.POST.get("act")), None)
    if form is None:
        raise BadRequest("A button of this page says what is to be done.")
    if form.is_valid():
        try:
            form.perform(person)
        except ActionRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, str(form.label))
            return redirect("namespaces:holder", namespace.nid)
    return render_holder(request, namespace, forms)


def render_holder(request: HttpRequest, namespace: Namespace, forms: object) -> HttpResponse:
    context = pages.build_holder_context(namespace, request.user) | {"forms": forms}
    return render(request, "namespaces/holder.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
def show_search_answer(request: HttpRequest, nid: str, word: str) -> HttpResponse:
    """Follow the link of a letter: only the button on its page says that somebody is there."""
    namespace = get_object_or_404(Namespace, nid=canonicalize_nid(nid))
    search = next(
        (
            each
            for each in HolderSearch.objects.filter(namespace=namespace)
            if read_holder_address(SEARCH_PURPOSE, each.pk, word)
        ),
        None,
    )
    if search is None:
        raise Http404
    if request.method == "POST":
        address = read_holder_address(SEARCH_PURPOSE, search.pk, word)
        answer_search(search, actor=PublishedContact(), by="")
        # Only the registrar may know who answered, and the journal is public.
        HolderSearch.objects.filter(pk=search.pk, answered_by="").update(answered_by=address)
        search.refresh_from_db()
    context = {"namespace": namespace, "search": search, "is_over": search.ended_at is not None}
    return render(request, "namespaces/answer.html", context)
