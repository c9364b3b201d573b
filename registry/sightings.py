"""NIDs seen in use without registration: the public list, and what experts do with it."""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry import permissions, selectors
from registry.acts import Change, Resource
from registry.acts.operations import ActViewSet
from registry.acts.pages import list_act_patterns
from registry.api.openapi import make_path_parameter
from registry.api.pagination import SortOrders, make_sort_parameter
from registry.api.query_parameters import FieldsQuerySerializer, ListQuerySerializer, filter_by_nid
from registry.forms.fields import PlainTextField
from registry.forms.organizations import INVALID_ADDRESS_MESSAGE, BareForm
from registry.http.formats import negotiate_formats
from registry.models import Event, Sighting, User
from registry.notifications import outbox
from registry.presenters.sightings import SightingRow, build_sighting_rows
from registry.serializers.namespaces import SightingSerializer
from registry.urn import nid as nids
from registry.urn.syntax import NID
from registry.workflow.step import ActionRefused

SIGHTINGS_PER_PAGE: Final = 50


def build_sighting_data(sighting: Sighting) -> dict[str, Any]:
    return {
        "nid": sighting.nid,
        "evidence": sighting.evidence,
        "user_of_it": sighting.user_of_it,
    }


SIGHTINGS: Final = Resource[Sighting](
    noun="sighting",
    find_rows=lambda _reader: Sighting.objects.for_lists(),
    build_data=build_sighting_data,
    crumbs=lambda *_sighting: [(_("Sightings"), reverse("sightings:index"))],
    mark=lambda sighting: sighting.edition,
)
OBSERVERS: Final[dict[str, Any]] = {
    "by": permissions.may_note_sightings,
    "refusal": gettext_lazy("Only designated experts and the registrar can note sightings."),
}


class SightingForm(BareForm):
    evidence = PlainTextField(
        most=5_000,
        label=gettext_lazy("Where was it seen?"),
        help_text=gettext_lazy("Addresses, documents, names in full. Public."),
        widget=forms.Textarea(attrs={"rows": 5}),
        error_messages={
            "required": gettext_lazy("Say where you saw it, so that others can check.")
        },
    )
    user_of_it = PlainTextField(
        most=200,
        required=False,
        label=gettext_lazy("Who uses it?"),
        help_text=gettext_lazy("An organization or a project, as far as is known. Public."),
        widget=forms.TextInput,
    )
    address = forms.EmailField(
        required=False,
        label=gettext_lazy("Their mail address"),
        help_text=gettext_lazy("Where a notice can be sent. Not public."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
        error_messages={"invalid": INVALID_ADDRESS_MESSAGE},
    )


class NewSightingForm(SightingForm):
    nid = PlainTextField(
        most=40,
        label=gettext_lazy("Which identifier?"),
        help_text=gettext_lazy("The part between the first and the second colon."),
        widget=forms.TextInput(attrs={"autocapitalize": "off", "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Type the identifier that you saw.")},
    )
    field_order = ["nid", "evidence", "user_of_it", "address"]

    def clean_nid(self) -> str:
        """Return the NID in lower case; refuse invalid and registered ones."""
        typed = str(self.cleaned_data["nid"])
        nid = re.sub(r"\A[Uu][Rr][Nn]:|:\Z", "", typed)
        if not re.fullmatch(NID, nid):
            raise forms.ValidationError(
                _(
                    "“%(typed)s” is not an identifier: 2 to 32 letters, digits and hyphens, "
                    "with no hyphen at either end. RFC 8141, section 2."
                ),
                code="invalid",
                params={"typed": typed},
            )
        if nids.canonical(nid) in selectors.NidLookup():
            raise forms.ValidationError(
                _("“%(nid)s” is registered, so its use is not a sighting."),
                code="registered",
                params={"nid": nid},
            )
        return nids.canonical(nid)


def name_requests(sighting: Sighting) -> str:
    """Return what is said after noting a sighting: also which requests ask for the NID."""
    references = [asking.reference for asking in selectors.requests_asking_for(sighting.nid)]
    sentences = [
        _("The request %(reference)s asks for this identifier.") % {"reference": reference}
        for reference in references
    ]
    return " ".join([_("Noted. Everybody can read it here."), *sentences])


@SIGHTINGS.act(
    "new",
    "note_sighting",
    form=NewSightingForm,
    **OBSERVERS,
    title=gettext_lazy("Note a sighting"),
    lead=[
        gettext_lazy(
            "Somebody uses an identifier that nobody registered. Your note is public, and anyone "
            "who types that identifier or a similar one is told."
        )
    ],
    button=gettext_lazy("Note it"),
    done=name_requests,
    creates=True,
)
def note_sighting(
    *, actor: User, nid: str, evidence: str, user_of_it: str = "", address: str = ""
) -> Change[Sighting] | Sighting:
    """Record a NID seen in use, as an expert or the registrar."""
    same = {"nid": nid, "evidence": evidence, "user_of_it": user_of_it}
    if earlier := Sighting.objects.filter(noted_by=actor, **same).first():
        return earlier
    return Change(Sighting(address=address, noted_by=actor, noted_at=timezone.now(), **same))


@SIGHTINGS.act(
    "edit",
    "correct_sighting",
    form=SightingForm,
    **OBSERVERS,
    title=gettext_lazy("Correct the sighting of %(nid)s"),
    lead=[
        gettext_lazy(
            "Your changes replace the listed values; the journal keeps both. You can send a new "
            "notice to a new email address."
        )
    ],
    button=gettext_lazy("Correct it"),
    done=gettext_lazy("The sighting is corrected."),
    needs_mark=True,
    corrects=True,
)
def correct_sighting(
    sighting: Sighting, *, actor: User, **values: str
) -> Change[Sighting] | Sighting:
    """Correct the sighting you saw."""
    before = build_sighting_data(sighting)
    if all(getattr(sighting, name) == value for name, value in values.items()):
        return sighting
    if values["address"] != sighting.address:
        sighting.notice_sent_at = None
    for name, value in values.items():
        setattr(sighting, name, value)
    return Change(sighting, data={"before": before})


@SIGHTINGS.act(
    "notify",
    "notify_sighting",
    form=BareForm,
    **OBSERVERS,
    title=gettext_lazy("Write to the users of %(nid)s"),
    lead=[gettext_lazy("They are told once how to register it.")],
    button=gettext_lazy("Send a notice"),
    done=gettext_lazy("The notice is on its way."),
)
def notify_users(sighting: Sighting, *, actor: User) -> Change[Sighting] | Sighting:
    """Write to the users of the NID how to register it; once."""
    if sighting.notice_sent_at:
        return sighting
    if not sighting.address:
        raise ActionRefused(_("No email address is known. Correct the sighting first."))
    if sighting.nid in selectors.NidLookup():
        raise ActionRefused(_("“%(nid)s” is registered.") % {"nid": sighting.nid})
    sighting.notice_sent_at = timezone.now()
    letter = outbox.write_direct_letter(
        "sighting",
        {"sighting": sighting, "person": actor},
        why=_("An expert of the registry saw this identifier in use, and your address with it."),
        key=f"sighting:{sighting.pk}:{sighting.notice_sent_at.isoformat()}",
        address=sighting.address,
    )

    def name_event(event: Event) -> None:
        letter.event = event
        letter.save(update_fields=["event"])

    return Change(sighting, after=name_event)


class WithdrawSightingForm(BareForm):
    reason = PlainTextField(
        most=1_000,
        label=gettext_lazy("Reason"),
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Say why; the journal keeps it.")},
    )


@SIGHTINGS.act(
    "withdraw",
    "withdraw_sighting",
    form=WithdrawSightingForm,
    **OBSERVERS,
    title=gettext_lazy("Withdraw the sighting of %(nid)s"),
    lead=[
        gettext_lazy(
            "It leaves the list and is no longer shown to anybody. The journal keeps a record of "
            "it."
        )
    ],
    button=gettext_lazy("Withdraw it"),
    done=gettext_lazy("The sighting is withdrawn."),
    deletes=True,
)
def withdraw_sighting(sighting: Sighting, *, actor: User, reason: str) -> Change[Sighting]:
    """Withdraw a sighting, with the reason; the journal keeps what it said."""
    if sighting.claim:
        words = _("%(reference)s claims this sighting.")
        raise ActionRefused(words % {"reference": sighting.claim.reference})
    return Change(sighting, reason)


@require_safe
@negotiate_formats("sightings")
def show_sightings(request: HttpRequest) -> HttpResponse:
    """List the sightings, newest first."""
    sightings = Sighting.objects.for_lists()
    page = Paginator(sightings, SIGHTINGS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": build_sighting_rows(list(page)),
        "may_note": permissions.may_note_sightings(request.user),
    }
    return render(request, "sightings/index.html", context)


app_name = "sightings"
urlpatterns = [path("", show_sightings, name="index"), *list_act_patterns(SIGHTINGS)]

SIGHTING_ORDERS: Final[SortOrders] = {
    "-noted": ("-noted_at", "-pk"),
    "noted": ("noted_at", "pk"),
    "nid": ("nid", "pk"),
}


class SightingsQuerySerializer(ListQuerySerializer):
    """Query parameters of the list of sightings."""

    nid = serializers.CharField(required=False, max_length=40, help_text="In any case.")
    sort = make_sort_parameter(SIGHTING_ORDERS, "-noted")


@extend_schema_view(
    list=extend_schema(
        operation_id="sightings",
        description="List the NIDs that were seen in use without registration, the newest first.",
        responses=SightingSerializer(many=True),
    )
)
class SightingViewSet(ActViewSet):
    """NIDs in use without registration."""

    resource = SIGHTINGS
    path_parameters = (make_path_parameter("id", "The id of the sighting."),)
    query_serializers = {"list": SightingsQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = SightingSerializer
    sort_orders = SIGHTING_ORDERS
    sort = "-noted"
    not_found = gettext_lazy("There is no sighting with that id: it may have been withdrawn.")

    def get_queryset(self) -> QuerySet[Sighting]:
        return filter_by_nid(super().get_queryset(), self.asked.get("nid", ""))

    def paginate_queryset(self, queryset: Any) -> Any:
        """Return a page of the list, with the requests and namespaces of its NIDs."""
        return build_sighting_rows(super().paginate_queryset(queryset) or [])

    def present(self, row: Any) -> SightingRow:
        """Return the sighting with the requests and the namespace of its NID."""
        return build_sighting_rows([row])[0]

    @extend_schema(operation_id="sighting", responses=SightingSerializer)
    def retrieve(self, request: Request, pk: int) -> Response:
        """Read a sighting."""
        return self.respond(self.get_object())
