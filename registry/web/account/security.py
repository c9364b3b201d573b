"""A person's account security: sessions, and the account log."""

from __future__ import annotations

import secrets
import time
from typing import Any, Final

from allauth.account import views as allauth_views
from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.reauthentication import resume_request
from allauth.account.views import INTERNAL_RESET_SESSION_KEY
from allauth.usersessions.internal.flows.sessions import end_sessions
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from registry import permissions
from registry.actions.account_security import (
    notify_account,
    record_account_event,
    use_reset_link,
)
from registry.actions.officer_changes import change_address
from registry.assurance import require_confirmation
from registry.enums import AccountEventKind
from registry.forms.account import LetterCodeForm
from registry.http.session_limits import find_session_limits
from registry.models import AccountEvent, User
from registry.rate_limits import ONE_HOUR, consume, count_code_attempt, find_network_prefix
from registry.web.account.factors import keep_this_session_alone
from registry.web.step_view import get_signed_in_user

LINES_PER_PAGE: Final = 50
USED_RESET_KEY: Final = "registry.used_reset_key"
"""Where a session notes the key with which it may choose a password."""


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_sessions(request: HttpRequest) -> HttpResponse:
    """List where I am signed in; end one of these sessions, or all but this one."""
    person = get_signed_in_user(request)
    if request.method == "POST":
        require_confirmation(person)
        chosen = request.POST.get("session", "")
        if chosen == "others":
            keep_this_session_alone(request, person)
        else:
            key = int(chosen) if chosen.isascii() and chosen.isdigit() and len(chosen) < 19 else 0
            end_sessions(request, list(UserSession.objects.filter(user=person, pk=key)))
        network = find_network_prefix(request.META)
        record_account_event(person, AccountEventKind.SESSIONS_ENDED, network=network)
        messages.success(request, _("Ended. Anyone who used it has to sign in again."))
        return redirect("account:sessions")
    sessions = sorted(
        UserSession.objects.purge_and_list(person), key=lambda each: each.last_seen_at, reverse=True
    )
    context = {
        "sessions": [(each, each.is_current()) for each in sessions],
        "has_others": any(not each.is_current() for each in sessions),
        "limits": find_session_limits(person),
    }
    return render(request, "my_account/sessions.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_by_letter(request: HttpRequest) -> HttpResponse:
    """Let a person without a second factor confirm who they are with a code sent by letter."""
    person = get_signed_in_user(request)
    if person.has_second_factor:
        raise PermissionDenied(_("Your account has a second factor: use it to confirm."))
    if request.method == "POST" and "send" in request.POST:
        if send_confirmation_code(request, person):
            messages.info(request, _("A code is on its way to %(to)s.") % {"to": person.email})
        else:
            messages.error(request, _("Too many requests. Wait a while, then ask again."))
        return redirect(request.get_full_path())
    form = LetterCodeForm(request.POST or None)
    if form.is_valid():
        if is_confirmation_code(request, person, form.cleaned_data["code"]):
            record_authentication(request, person, "code", reauthenticated=True)
            return resume_request(request) or redirect("account:index")
        refusal = _("This is not the code from the last letter, or it is too old.")
        if CODE_KEY in request.session:
            form.add_error("code", refusal)
        else:
            messages.error(request, refusal)
    context = {"form": form, "sent": CODE_KEY in request.session}
    return render(request, "my_account/confirm.html", context)


CODE_KEY: Final = "registry.confirmation"
CODE_SECONDS: Final = 600
MAX_CODES_PER_HOUR: Final = 5
CODE_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"


def send_confirmation_code(request: HttpRequest, person: User) -> bool:
    """Send a code that confirms the person in this session only; not too often."""
    if not consume(f"confirmation:{person.pk}", MAX_CODES_PER_HOUR, ONE_HOUR):
        return False
    code = "".join(secrets.choice(CODE_LETTERS) for _n in range(8))
    request.session[CODE_KEY] = {"digest": digest_code(code), "at": time.time()}
    notify_account(person, "confirmation_code", code=f"{code[:4]}-{code[4:]}")
    return True


def is_confirmation_code(request: HttpRequest, person: User, typed: str) -> bool:
    """Whether this is the code that was sent; it works once, for ten minutes and five attempts."""
    sent = request.session.get(CODE_KEY)
    if not sent:
        return False
    is_good = time.time() - sent["at"] < CODE_SECONDS and count_code_attempt(sent["digest"])
    is_right = constant_time_compare(sent["digest"], digest_code(typed))
    if is_right or not is_good:
        del request.session[CODE_KEY]
    return is_good and is_right


def digest_code(code: str) -> str:
    """Return the digest of a code that a session keeps, however the code is typed."""
    letters = "".join(character for character in code.upper() if character.isalpha())
    return salted_hmac("registry.confirmation", letters, algorithm="sha256").hexdigest()


@require_http_methods(["GET", "HEAD", "POST"])
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign somebody out, and have their browser forget the pages it could go back to."""
    response: HttpResponse = allauth_views.logout(request)
    if request.method == "POST":
        # Not its storage: `static/js/sign_out.js` deletes drafts there, and asks first if one would
        # be lost. The choice of keyboard shortcuts stays.
        response.headers["Clear-Site-Data"] = '"cache"'
    return response


@never_cache
@login_required
@require_GET
def show_account_log(request: HttpRequest) -> HttpResponse:
    """Show what happened to my account, newest first."""
    lines = AccountEvent.objects.filter(user=get_signed_in_user(request)).select_related("actor")
    page = Paginator(lines, LINES_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "my_account/log.html", {"page": page})


class ResetPasswordView(allauth_views.PasswordResetFromKeyView):
    """allauth's page, whose link works in no other browser once somebody went on from it.

    Opening it does nothing: programs that check mail open links.
    """

    @property
    def is_link_used(self) -> bool:
        """Whether it was in this browser that somebody went on."""
        return bool(self.key) and self.request.session.get(USED_RESET_KEY) == self.key

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Go on from the page, or set the password."""
        if self.is_link_used:
            response: HttpResponse = super().post(request, *args, **kwargs)
            return response
        key = use_reset_link(self.reset_user, network=find_network_prefix(request.META))
        request.session[INTERNAL_RESET_SESSION_KEY] = request.session[USED_RESET_KEY] = key
        return redirect(
            "account_reset_password_from_key",
            uidb36=self.kwargs["uidb36"],
            key=self.reset_url_key,
        )

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the page shows."""
        return {**super().get_context_data(**kwargs), "is_link_used": self.is_link_used}


class AddressesView(allauth_views.EmailView):
    """The addresses of an account; the main one of somebody who may decide changes a day later."""

    def _action_primary(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        person, address = get_signed_in_user(request), self._get_email_address(request)
        if not (address and address.verified and permissions.may_decide(person)):
            return super()._action_primary(request, *args, **kwargs)
        require_confirmation(person)
        network = find_network_prefix(request.META)
        change_address(person, address.email, actor=person, network=network)
        messages.success(
            request,
            _("Announced to all officers. It takes effect tomorrow, unless somebody stops it."),
        )
        return redirect("account_email")
