"""URNs made from parts or from earlier specifications, and locators taken apart, on one page."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registry import inspection
from registry.forms.inspect import BuildURNForm, ConvertURNForm, LocatorForm
from registry.inspection.single import MAX_DRAWN_CHARACTERS
from registry.urn import uri
from registry.web.inspect.views import list_inspect_tabs
from registry.web.resolve.views import answer_query_errors, read_uris

FORMS: Final = {"build": BuildURNForm, "convert": ConvertURNForm, "locate": LocatorForm}


@require_safe
@answer_query_errors(is_page=True)
def show_written(request: HttpRequest) -> HttpResponse:
    """Answer the forms whose fields are in the address; they are named like the API's."""
    query = read_uris(request, "name", "r", "q", "f", "urn", "uri", others=("nid", "by"))
    forms = {
        name: form(
            query if query.keys() & form.base_fields.keys() else None,
            action=f"{reverse('inspect:build')}#{name}",
        )
        for name, form in FORMS.items()
    }
    context: dict[str, object] = {"forms": forms, "tabs": list_inspect_tabs("build")}
    if forms["build"].is_valid():
        context["built"] = inspection.build_urn(**forms["build"].cleaned_data)
    if forms["convert"].is_valid():
        asked = forms["convert"].cleaned_data
        context["converted"] = inspection.convert_text(asked["urn"], asked["by"])
    if forms["locate"].is_valid():
        context["locator"] = locate_text(forms["locate"].cleaned_data["uri"])
    return render(request, "inspect/build.html", context)


def locate_text(text: str) -> dict[str, object]:
    """Return the parts of a locator or the problem with it, and neither for an unknown scheme."""
    answer: dict[str, object] = {"text": text, "located": None, "problem": None}
    places: tuple[int, ...] = ()
    try:
        answer["located"] = located = uri.parse_locator(text)
    except uri.URISyntaxError as error:
        answer["problem"], places = error.with_traceback(None), (error.position,)
    else:
        places = located.strays if located else ()
    is_drawn = bool(places) and len(text) <= MAX_DRAWN_CHARACTERS
    return {**answer, "place": places[0] if is_drawn else None}
