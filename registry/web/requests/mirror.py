"""What a mirror of IANA's registry tells people who want to request something."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from registry.workflow.step import IANA_LIST_PAGE, explain_mirror

StartView = Callable[[HttpRequest], HttpResponse]


def refuse_in_mirror(view: StartView) -> StartView:
    """Have a view that starts requests say, in a mirror, who accepts them."""

    @wraps(view)
    def asked(request: HttpRequest) -> HttpResponse:
        if not explain_mirror():
            return view(request)
        context = {"iana_page": IANA_LIST_PAGE}
        return render(request, "requests/mirror.html", context, status=HTTPStatus.FORBIDDEN)

    return asked
