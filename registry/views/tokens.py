"""Tokens with which my programs use the API."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from registry.forms.tokens import TokenForm
from registry.models import Token, User
from registry.views.acting import signed_in


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """List my tokens, and make one more, which is shown this once."""
    person = signed_in(request)
    form, made = TokenForm(request.POST or None), ""
    if form.is_valid():
        made = make(person, form)
        form = TokenForm()
    context = {"form": form, "made": made, "tokens": Token.objects.filter(user=person)}
    return render(request, "tokens/index.html", context)


@transaction.atomic
def make(person: User, form: TokenForm) -> str:
    """Make the token that the valid form asks for, and return it as the program will show it.

    What the first of two clicks made nobody has read, so the second puts another in its place.
    """
    said = form.cleaned_data
    Token.objects.filter(user=person, form_key=said["key"]).delete()
    taken = Token.objects.filter(form_key=said["key"]).exists()
    _token, shown = Token.objects.create(
        user=person,
        expiry=form.lifetime,
        name=said["name"],
        form_key=uuid.uuid4() if taken else said["key"],
    )
    return str(shown)


@login_required
@require_POST
def revoke(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """Take a token back; a second click finds nothing left to do."""
    Token.objects.filter(user=signed_in(request), form_key=key).delete()
    messages.success(request, _("Revoked. Programs that use this token are refused from now on."))
    return redirect("account:tokens")
