"""Inspecting one URN, comparing two, checking many, and trying a rule; nothing is stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.core.exceptions import RequestDataTooBig, ValidationError
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    QueryDict,
    StreamingHttpResponse,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from registry import inspection, rate_limits, selectors
from registry.forms.inspect import TOO_LARGE_CODE, CompareURNsForm, GrammarTrialForm, URNListForm
from registry.inspection import (
    CheckedLine,
    Inspection,
    InspectionVerdict,
    LineCounts,
    NameResult,
    RegisteredNids,
    RuleStanding,
)
from registry.presenters.grammar_trial import GrammarTrial, GrammarTrialInput, run_grammar_trial
from registry.urn import display, nid as nids
from registry.web.htmx import is_htmx_request
from registry.web.resolve.views import answer_query_errors, read_uris

MAX_LINES_SHOWN: Final = 200
PROBLEMS_FIRST: Final = (
    InspectionVerdict.MALFORMED,
    RuleStanding.AGAINST,
    InspectionVerdict.UNREGISTERED,
    RuleStanding.DOUBTFUL,
    RuleStanding.NOT_DECIDED,
    InspectionVerdict.REGISTERED,
)


@dataclass(frozen=True, slots=True)
class ListCheckRow:
    """One line of the table, and the result for its name."""

    line: CheckedLine
    result: NameResult | None


@dataclass(frozen=True, slots=True)
class ListCheckSummary:
    """How many names there are of each kind, and the first of them.

    `against` and `doubtful` are registered names that their namespace's rule objects to.
    """

    rows: tuple[ListCheckRow, ...]
    in_order: bool
    count: int
    malformed: int
    unregistered: int
    registered: int
    against: int
    doubtful: int
    repeated: int

    @property
    def problems(self) -> int:
        """How many names are invalid, in no registered namespace, or against its rule."""
        return self.malformed + self.unregistered + self.against

    @property
    def not_valid(self) -> int:
        """How many names are not URNs, or break the rule of their namespace."""
        return self.malformed + self.against

    @property
    def good(self) -> int:
        """How many names are in a registered namespace without any objection."""
        return self.registered - self.against - self.doubtful

    @property
    def is_cut(self) -> bool:
        """Whether there are more lines than the page shows."""
        return self.count > len(self.rows)


def summarize_list_check(
    lines: Iterable[CheckedLine], registered: RegisteredNids, *, in_order: bool
) -> ListCheckSummary:
    """Count all `lines` and keep the first of them, problems first unless `in_order`."""
    tally = LineCounts()
    kept: dict[InspectionVerdict | RuleStanding | None, list[CheckedLine]] = {
        kind: [] for kind in PROBLEMS_FIRST
    }
    for line in lines:
        tally.add(line)
        shelf = kept[PROBLEMS_FIRST[0] if in_order else get_line_kind(line)]
        if len(shelf) < MAX_LINES_SHOWN:
            shelf.append(line)
    shown = [line for kind in PROBLEMS_FIRST for line in kept[kind]][:MAX_LINES_SHOWN]
    return ListCheckSummary(
        rows=tuple(
            ListCheckRow(line, inspection.conclude_line(line, registered)) for line in shown
        ),
        in_order=in_order,
        count=tally.answers.total(),
        malformed=tally.answers[InspectionVerdict.MALFORMED],
        unregistered=tally.answers[InspectionVerdict.UNREGISTERED],
        registered=tally.answers[InspectionVerdict.REGISTERED],
        against=tally.findings[RuleStanding.AGAINST],
        doubtful=tally.findings[RuleStanding.DOUBTFUL],
        repeated=tally.repeated,
    )


def get_line_kind(line: CheckedLine) -> InspectionVerdict | RuleStanding | None:
    """Return what decides the place of a line: its verdict, or what its namespace says about it."""
    if line.finding is not None and line.finding.standing in PROBLEMS_FIRST:
        return line.finding.standing
    return line.verdict


LIST_DOWNLOADS: Final = {
    "csv": ("text/csv; charset=utf-8", inspection.write_lines_csv),
    "json": ("application/json", inspection.write_lines_json),
}


@require_safe
@answer_query_errors(is_page=True)
def show_inspection(request: HttpRequest) -> HttpResponse:
    """Inspect the URN in the address; without one, ask for it."""
    typed = read_uris(request, "urn").get("urn", "")
    text = typed.strip()
    context: dict[str, object] = {
        "typed": text,
        "is_malformed": False,
        "tabs": list_inspect_tabs("index"),
    }
    if text:
        found = inspection.inspect_text(text)
        context |= {
            "inspection": found,
            "is_malformed": found.urn is None,
            "trimmed": typed != text,
        }
        context |= build_inspection_context(found)
    return render(request, "inspect/index.html", context)


def build_inspection_context(found: Inspection) -> dict[str, object]:
    """Return the rest of the page for a text that is not too long."""
    shown: dict[str, object] = {}
    if found.is_drawn:
        shown["specifications"] = inspection.draw(inspection.read_by_specifications, found.text)
    if found.urn is not None:
        shown["display"] = inspection.draw(display, found.urn)
        if found.verdict is InspectionVerdict.UNREGISTERED:
            shown["requests"] = selectors.requests_asking_for(nids.canonical(found.urn.nid))
    return shown


@require_safe
@answer_query_errors(is_page=True)
def show_comparison(request: HttpRequest) -> HttpResponse:
    """Compare the two URNs in the address, and say which rule decided."""
    form = CompareURNsForm(read_uris(request, "a", "b") or None)
    context: dict[str, object] = {"form": form, "tabs": list_inspect_tabs("compare")}
    if form.is_valid() and form.cleaned_data["a"] and form.cleaned_data["b"]:
        context["pair"] = inspection.compare_texts(form.cleaned_data["a"], form.cleaned_data["b"])
    return render(request, "inspect/compare.html", context)


# This only answers and changes nothing, so another site has nothing to forge.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def show_list_check(request: HttpRequest) -> HttpResponseBase:
    """Check the pasted or uploaded names: problems first, or all of them as a file."""
    if request.method != "POST":
        return render_list_check(request, URNListForm())
    try:
        form = URNListForm(request.POST, request.FILES)
    except RequestDataTooBig:
        return refuse_unread_list(request)
    if not form.is_valid():
        return render_list_check(request, form, status=413 if form.is_too_large else 200)
    wait = rate_limits.begin_check(request.META, request.user.pk)
    if wait is not None:
        return refuse_frequent_list(request, form, wait)
    names, registered = form.names_given, inspection.read_registered_nids()
    lines = check_list_lines(names, registered)
    kind = request.POST.get("result", "")
    if kind in LIST_DOWNLOADS:
        return stream_list_check(kind, lines, registered)
    result = summarize_list_check(lines, registered, in_order=request.POST.get("order") == "given")
    return render_list_check(request, URNListForm(initial={"names": names}), result)


def check_list_lines(names: str, registered: inspection.RegisteredNids) -> Iterator[CheckedLine]:
    """Yield the result for each line that is not empty."""
    lines = enumerate(names.split("\n"), start=1)
    return inspection.check_lines(((number, text) for number, text in lines if text), registered)


def render_list_check(
    request: HttpRequest,
    form: URNListForm,
    result: ListCheckSummary | None = None,
    status: int = 200,
) -> HttpResponse:
    """Draw the page around the form, with the results if there are any."""
    context: dict[str, Any] = {"form": form, "result": result, "tabs": list_inspect_tabs("list")}
    return render(request, "inspect/list.html", context, status=status)


def stream_list_check(
    kind: str, lines: Iterator[CheckedLine], registered: inspection.RegisteredNids
) -> StreamingHttpResponse:
    """Return the results for all lines, in order, as a file."""
    content_type, write = LIST_DOWNLOADS[kind]
    response = StreamingHttpResponse(write(lines, registered), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="checked-names.{kind}"'
    return response


def refuse_frequent_list(request: HttpRequest, form: URNListForm, seconds: int) -> HttpResponse:
    """Say that too many lists were sent recently, and when the next one is accepted."""
    words = _("You sent too many lists in a minute. Send this one again in %(seconds)d seconds.")
    form.add_error(None, words % {"seconds": seconds})
    response = render_list_check(request, form, status=429)
    response["Retry-After"] = str(seconds)
    return response


def refuse_unread_list(request: HttpRequest) -> HttpResponse:
    """Say that the text was over the limit; it is still in the browser."""
    form = URNListForm({})
    form.is_valid()
    form.errors.clear()
    words = _(
        "That is more text than can be sent at once. Your browser still has it: go back, and"
        " check it in parts or as a file."
    )
    form.add_error("names", ValidationError(words, code=TOO_LARGE_CODE))
    return render_list_check(request, form, status=413)


def list_inspect_tabs(current: str) -> list[dict[str, object]]:
    """Return the inspection pages as tabs for their component."""
    titles = {
        "index": _("One name"),
        "compare": _("Compare two"),
        "list": _("Check a list"),
        "find": _("Find in a text"),
        "build": _("Build or convert"),
        "grammar": _("Try a rule"),
    }
    return [
        {"title": title, "url": reverse(f"inspect:{name}"), "current": name == current}
        for name, title in titles.items()
    ]


MAX_TRIAL_ADDRESS_LENGTH: Final = 1_800
"""Mail programs and proxies cut off longer ones."""
TRIAL_PARAMETERS: Final = tuple(GrammarTrialForm.base_fields)


# This only answers and changes nothing, so another site has nothing to forge.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def show_grammar_trial(request: HttpRequest) -> HttpResponse:
    """Try the submitted rule; a short one has an address that can be shared."""
    try:
        brought = request.POST if request.method == "POST" else request.GET
    except RequestDataTooBig:
        return render_grammar_trial(request, QueryDict(), None, is_too_long=True)
    question = GrammarTrialInput.typed(brought)
    address = build_trial_address(brought)
    if request.method == "POST" and not is_htmx_request(request) and address:
        return redirect(address)
    bench = None if question.is_blank else run_grammar_trial(question)
    return render_grammar_trial(request, brought, bench, address)


def render_grammar_trial(
    request: HttpRequest,
    brought: QueryDict,
    bench: GrammarTrial | None,
    address: str = "",
    *,
    is_too_long: bool = False,
) -> HttpResponse:
    """Draw the page with the submitted rule, or the part of it that htmx asks for."""
    context: dict[str, object] = {"bench": bench, "address": address, "is_too_long": is_too_long}
    if request.method == "POST" and is_htmx_request(request):
        return render(request, "grammar_trial/part.html", context)
    form = GrammarTrialForm(brought or None, live=reverse("inspect:grammar"))
    return render(
        request,
        "grammar_trial/grammar.html",
        {**context, "form": form, "tabs": list_inspect_tabs("grammar")},
    )


def build_trial_address(brought: QueryDict) -> str:
    """Return the address that repeats this trial, or none if it would be too long."""
    posted = {name: str(value) for name, value in brought.items()}
    given = {name: posted[name] for name in TRIAL_PARAMETERS if posted.get(name)}
    if not given.get("grammar", "").strip():
        return ""
    address = f"{reverse('inspect:grammar')}?{urlencode(given)}"
    return address if len(address) <= MAX_TRIAL_ADDRESS_LENGTH else ""
