"""The bench: a rule for names, tried by anybody; nothing that is typed is kept."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlencode

from django.core.exceptions import RequestDataTooBig
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from registry.forms.bench import BenchForm
from registry.pages.bench import Bench, Question, try_out
from registry.views.htmx import HtmxRequest
from registry.views.inspect import drain, tabs

LONGEST_ADDRESS: Final = 1_800
"""Longer ones are cut off by mail programs and proxies."""
PARAMETERS: Final = tuple(BenchForm.base_fields)


# Asks and answers, keeps and changes nothing: there is nothing for another site to forge.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def grammar(request: HtmxRequest) -> HttpResponse:
    """Try the rule that was brought; a short one has an address to be shared."""
    try:
        brought = request.POST if request.method == "POST" else request.GET
    except RequestDataTooBig:
        drain(request)
        return page(request, QueryDict(), None, is_too_long=True)
    question = Question.typed(brought.dict())
    address = address_of(brought)
    if request.method == "POST" and not request.htmx and address:
        return redirect(address)
    bench = None if question.is_blank else try_out(question)
    return page(request, brought, bench, address)


def page(
    request: HtmxRequest,
    brought: QueryDict,
    bench: Bench | None,
    address: str = "",
    *,
    is_too_long: bool = False,
) -> HttpResponse:
    """Draw the page around what was brought, or the part of it that htmx asks for."""
    context: dict[str, object] = {"bench": bench, "address": address, "is_too_long": is_too_long}
    if request.method == "POST" and request.htmx:
        return render(request, "bench/part.html", context)
    form = BenchForm(brought or None, live=reverse("inspect:grammar"))
    return render(request, "bench/grammar.html", {**context, "form": form, "tabs": tabs("grammar")})


def address_of(brought: QueryDict) -> str:
    """Return the address under which the same is tried again; none where it would be too long."""
    posted = {name: str(value) for name, value in brought.items()}
    given = {name: posted[name] for name in PARAMETERS if posted.get(name)}
    if not given.get("grammar", "").strip():
        return ""
    address = f"{reverse('inspect:grammar')}?{urlencode(given)}"
    return address if len(address) <= LONGEST_ADDRESS else ""
