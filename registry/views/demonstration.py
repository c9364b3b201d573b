"""What only the demonstration shows."""

from __future__ import annotations

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from registry.choices import Delivery
from registry.demonstration import letters
from registry.models import Letter

ON_A_PAGE = 50


@never_cache
@require_safe
def mail(request: HttpRequest) -> HttpResponse:
    """List the letters that would have been sent, or those `to` one address, the newest first."""
    only_in_the_demonstration()
    to = request.GET.get("to", "")
    names = letters.names_to(to) if to else letters.names()
    page = Paginator(names, ON_A_PAGE).get_page(request.GET.get("page"))
    shown = [letter for name in page if (letter := letters.find(name))]
    unsent = Letter.objects.ripe(timezone.now()).filter(delivery=Delivery.AT_ONCE).count()
    context = {"page": page, "letters": shown, "to": to, "unsent": unsent}
    return render(request, "demonstration/mail.html", context)


@never_cache
@require_safe
def letter(request: HttpRequest, name: str) -> HttpResponse:
    """Show one letter."""
    only_in_the_demonstration()
    found = letters.find(name)
    if found is None:
        raise Http404
    return render(request, "demonstration/letter.html", {"letter": found})


def only_in_the_demonstration() -> None:
    """Have the page be not found anywhere else."""
    if not settings.DEMONSTRATION:
        raise Http404
