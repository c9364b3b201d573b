"""Following: begun by a button on a page; ended there, in the account, or from a letter."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from registry import workflow
from registry.actions import follows
from registry.actions.follows import FollowTarget, read_follow_target
from registry.forms.account import DeliveryPreferenceForm
from registry.http.csrf import trust_same_origin
from registry.models import Follow, User
from registry.notifications.letters import find_signed_person
from registry.web.step_view import get_signed_in_user


@login_required
@require_http_methods(["GET", "POST"])
def list_follows(request: HttpRequest) -> HttpResponse:
    """List what I follow, and let me say when I want to read of it."""
    person = get_signed_in_user(request)
    form = DeliveryPreferenceForm(request.POST or None, initial={"delivery": person.delivery})
    if form.is_valid():
        person.delivery = form.cleaned_data["delivery"]
        person.save(update_fields=["delivery"])
        messages.success(request, _("Saved. It holds for what happens from now on."))
        return redirect("following:index")
    followed = [(watch, read_follow_target(watch)) for watch in follows.follows_of(person)]
    return render(request, "follows/index.html", {"form": form, "followed": followed})


@trust_same_origin
@require_http_methods(["GET", "POST"])
def show_new_follow(request: HttpRequest) -> HttpResponse:
    """Follow something. Whoever has to sign in first is led back to the page that asks."""
    thing = find_thing_to_follow(request.POST if request.method == "POST" else request.GET)
    if not isinstance(request.user, User):
        here = f"{reverse('following:new')}?{urlencode(thing.named)}"
        response: HttpResponse = redirect_to_login(here)
        return response
    if request.method == "GET":
        return render(request, "follows/new.html", {"thing": thing})
    try:
        follows.start_following(request.user, thing)
    except workflow.ActionRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("account_email")
    words = _("You follow %(thing)s now. Letters go to %(address)s.")
    messages.success(request, words % {"thing": thing, "address": request.user.email})
    return redirect(thing.url)


def find_thing_to_follow(given: QueryDict) -> FollowTarget:
    """Return what an address or a form names; raise `Http404` for what nobody can follow."""
    thing = follows.find_follow_target(given.get("request", ""), given.get("nid", ""))
    if thing is None:
        raise Http404
    return thing


@login_required
@require_POST
def post_stop_following(request: HttpRequest, pk: int) -> HttpResponse:
    """Follow something no longer; stopped twice is stopped."""
    watch = (
        get_signed_in_user(request)
        .follows.select_related("registration_request")
        .filter(pk=pk)
        .first()
    )
    if watch is None:
        messages.info(request, _("You had stopped following it already."))
        return redirect("following:index")
    thing = read_follow_target(watch)
    watch.delete()
    messages.success(request, _("You no longer follow %(thing)s.") % {"thing": thing})
    return redirect("following:index" if "listed" in request.POST else thing.url)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def leave_one_follow(request: HttpRequest, key: str) -> HttpResponse:
    """End the following that a letter came from, without signing in (RFC 8058).

    Mail programs post here on one click; a person who opens the address is asked first. A key
    that is not known any more was used before: nothing is sent by it, as was wanted.
    """
    watches = Follow.objects.select_related("registration_request").filter(key=key)
    return render_leave(request, list(watches))


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def leave_all_follows(request: HttpRequest, word: str) -> HttpResponse:
    """End all following of the person whom a daily letter went to, as `leave` does for one."""
    person = find_signed_person(word)
    if person is None:
        raise Http404
    return render_leave(request, list(follows.follows_of(person)))


def render_leave(request: HttpRequest, watches: list[Follow]) -> HttpResponse:
    """Ask whether to end `watches`, or end them."""
    is_done = request.method == "POST" or not watches
    if request.method == "POST":
        Follow.objects.filter(pk__in=[watch.pk for watch in watches]).delete()
    context = {"things": [read_follow_target(watch) for watch in watches], "is_done": is_done}
    return render(request, "follows/leave.html", context)
