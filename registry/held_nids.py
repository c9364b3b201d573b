"""NIDs held back by a court order or a direction: the public list, renewal, end and appeal."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django import forms
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
from registry.enums import HoldGround
from registry.forms.fields import PlainTextField, make_reason_field, make_source_field
from registry.forms.organizations import BareForm
from registry.models import HeldNid, User
from registry.selectors.held_nids import MAX_HOLD_DAYS, explain_hold, list_holds
from registry.serializers.base import (
    SiteURLField,
    SparseSerializer,
    integer_field,
    nullable_text_field,
    text_field,
)
from registry.urn import nid as nids
from registry.workflow.pauses import note_pauses_of_nid
from registry.workflow.step import ActionRefused, ConcurrentChange

MAX_PAST_HOLDS: Final = 50


def build_hold_data(hold: HeldNid) -> dict[str, Any]:
    """Return what the journal says; it names the requests for the NID, whose people are told."""
    asking = selectors.requests_asking_for(hold.nid).values_list("reference", flat=True)
    return {
        "nid": hold.nid,
        "ground": hold.ground,
        "source": hold.source,
        "until": hold.until.isoformat(),
        "asked_for_by": sorted(asking),
        **({"appellant_id": hold.appealed_by_id} if hold.appealed_by_id else {}),
    }


def refuse_ended_hold(hold: HeldNid) -> None:
    if hold.ended_at:
        raise ConcurrentChange(_("“%(nid)s” is no longer held back.") % {"nid": hold.nid})


HELD_NIDS: Final = Resource[HeldNid](
    noun="held_nid",
    find_rows=lambda _reader: list_holds(),
    build_data=build_hold_data,
    crumbs=lambda *_hold: [(_("Held back"), reverse("held:index"))],
    mark=lambda hold: f"{hold.until:%Y%m%d}",
    refuse_ended=refuse_ended_hold,
    # The deadlines of requests for the NID pause during the hold.
    after_save=lambda hold: note_pauses_of_nid(hold.nid),
)
OFFICERS: Final[dict[str, Any]] = {
    "by": permissions.may_hold_nids,
    "refusal": gettext_lazy("Only the registrar or the standards body can hold back NIDs."),
}


class RenewHoldForm(BareForm):
    reasons = make_reason_field(
        gettext_lazy("What is the order or direction?"), gettext_lazy("Public.")
    )
    source = make_source_field(
        gettext_lazy("The order with its number and date, or the minutes. Public.")
    )
    until = forms.DateField(
        label=gettext_lazy("Until which day?"),
        help_text=gettext_lazy("At most a year from today; it ends automatically after that day."),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={
            "required": gettext_lazy("Enter the last day."),
            "invalid": gettext_lazy("Write the day as 2026-12-31."),
        },
    )

    def clean_until(self) -> datetime.date:
        """Return the last day, after today and at most a year ahead."""
        until: datetime.date = self.cleaned_data["until"]
        today = timezone.localdate()
        if not today < until <= today + datetime.timedelta(MAX_HOLD_DAYS):
            raise forms.ValidationError(
                _(
                    "Choose a day after today and within a year: that is the longest a NID can be "
                    "held back at a time."
                )
            )
        return until


class HoldForm(RenewHoldForm):
    nid = PlainTextField(
        most=40,
        label=gettext_lazy("Which identifier?"),
        widget=forms.TextInput(attrs={"autocapitalize": "off", "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Type the identifier.")},
    )
    ground = forms.ChoiceField(
        label=gettext_lazy("On which ground?"),
        choices=HoldGround,
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose the ground; there are no others.")},
    )
    field_order = ["nid", "ground", "reasons", "source", "until"]

    def clean_nid(self) -> str:
        """Return the NID without `urn:` and colon, in lower case, if somebody could register it."""
        typed = str(self.cleaned_data["nid"]).strip().lower()
        nid = nids.canonical(typed.removeprefix("urn:").removesuffix(":"))
        if faults := nids.check(nid, selectors.NidLookup()):
            raise forms.ValidationError(faults[0].message)
        return nid


@HELD_NIDS.act(
    "new",
    "hold_nid",
    form=HoldForm,
    **OFFICERS,
    title=gettext_lazy("Hold back an identifier"),
    lead=[
        gettext_lazy(
            "Nobody can register the identifier until that day. The reason is public, people who "
            "ask for it are told, and anybody can appeal to the standards body."
        )
    ],
    button=gettext_lazy("Hold it back"),
    done=gettext_lazy("The identifier is held back."),
    creates=True,
)
def hold_nid(*, actor: User, nid: str, **order: Any) -> Change[HeldNid] | HeldNid:
    """Hold back a NID, as the registrar or the standards body."""
    nid = nids.canonical(nid)
    earlier = HeldNid.objects.select_for_update(no_key=True).not_ended().filter(nid=nid).first()
    if earlier and all(getattr(earlier, name) == value for name, value in order.items()):
        return earlier
    if earlier and earlier.is_in_force:
        raise ActionRefused(_("“%(nid)s” is already held back. Renew that.") % {"nid": nid})
    expired = [finish_hold(earlier, _("It has expired."))] if earlier else []
    hold = HeldNid(nid=nid, held_by=actor, held_at=timezone.now(), **order)
    return Change(hold, hold.reasons, also=expired)


@HELD_NIDS.act(
    "renew",
    "renew_hold",
    form=RenewHoldForm,
    **OFFICERS,
    title=gettext_lazy("Go on holding back %(nid)s"),
    lead=[
        explain_hold,
        gettext_lazy("A renewal needs a document of its own and can be appealed."),
    ],
    button=gettext_lazy("Hold it back until that day"),
    done=gettext_lazy("The identifier is held back for longer."),
    needs_mark=True,
)
def renew_hold(
    hold: HeldNid, *, actor: User, until: datetime.date, reasons: str, source: str
) -> Change[HeldNid] | HeldNid:
    """Extend a hold, citing a new document."""
    if hold.until == until and hold.source == source:
        return hold
    if until <= hold.until:
        raise ActionRefused(_("Name a day after the one until which it is held back now."))
    before = {"until": hold.until.isoformat(), "source": hold.source}
    hold.until, hold.reasons, hold.source = until, reasons, source
    hold.appeal, hold.appealed_by, hold.appealed_at, hold.appeal_answer = "", None, None, ""
    return Change(hold, reasons, {"before": before})


class EndHoldForm(BareForm):
    ending = make_reason_field(gettext_lazy("How did it end?"), gettext_lazy("Public."))


@HELD_NIDS.act(
    "end",
    "end_hold",
    form=EndHoldForm,
    **OFFICERS,
    title=gettext_lazy("Stop holding back %(nid)s"),
    lead=[
        gettext_lazy("From now on anybody can register it. The list keeps the reason for the hold.")
    ],
    button=gettext_lazy("Stop holding it back"),
    done=gettext_lazy("The identifier is no longer held back."),
)
def end_hold(hold: HeldNid, *, actor: User, ending: str) -> Change[HeldNid]:
    """Release the NID; the list keeps why it was held back."""
    return Change(finish_hold(hold, ending), ending)


def finish_hold(hold: HeldNid, ending: str) -> HeldNid:
    hold.ended_at, hold.ending = timezone.now(), ending
    return hold


class AppealHoldForm(BareForm):
    reasons = make_reason_field(
        gettext_lazy("Why should it not be held back?"),
        gettext_lazy("Say how it affects you. Public."),
    )


@HELD_NIDS.act(
    "appeal",
    "appeal_hold",
    form=AppealHoldForm,
    by=permissions.may_appeal_holds,
    refusal=gettext_lazy(
        "Anyone with a confirmed email address can appeal, except the standards body."
    ),
    title=gettext_lazy("Appeal that %(nid)s is held back"),
    lead=[
        explain_hold,
        gettext_lazy("The standards body answers. Until then it stays held back."),
    ],
    button=gettext_lazy("Appeal"),
    done=gettext_lazy("Your appeal is with the standards body."),
)
def appeal_hold(hold: HeldNid, *, actor: User, reasons: str) -> Change[HeldNid] | HeldNid:
    """Appeal to the standards body against the hold; once until it is renewed."""
    if hold.appealed_by == actor and hold.appeal == reasons:
        return hold
    if hold.appealed_at:
        raise ActionRefused(_("This hold has already been appealed; it can be appealed only once."))
    hold.appeal, hold.appealed_by, hold.appealed_at = reasons, actor, timezone.now()
    return Change(hold, reasons)


class AnswerHoldAppealForm(BareForm):
    lifts = forms.TypedChoiceField(
        label=gettext_lazy("What do you decide?"),
        choices=[
            ("yes", gettext_lazy("It is no longer held back")),
            ("no", gettext_lazy("It stays held back")),
        ],
        coerce=lambda answer: answer == "yes",
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose one of the two.")},
    )
    answer = make_reason_field(gettext_lazy("Reasons, public"))


@HELD_NIDS.act(
    "answer",
    "answer_hold_appeal",
    form=AnswerHoldAppealForm,
    by=permissions.may_answer_hold_appeals,
    refusal=gettext_lazy("Only the standards body can answer appeals."),
    title=gettext_lazy("Answer the appeal about %(nid)s"),
    lead=[explain_hold, lambda hold: hold.appeal],
    button=gettext_lazy("Record the answer"),
    done=gettext_lazy("The appeal is answered."),
)
def answer_hold_appeal(hold: HeldNid, *, actor: User, lifts: bool, answer: str) -> Change[HeldNid]:
    """Answer the appeal, as the standards body."""
    if not hold.awaits_appeal:
        raise ConcurrentChange(_("There is no appeal, or it has been answered meanwhile."))
    hold.appeal_answer = answer
    return Change(finish_hold(hold, answer) if lifts else hold, answer, {"lifted": lifts})


@require_safe
def show_held_nids(request: HttpRequest) -> HttpResponse:
    """List the NIDs held back now, each with its public sentence, and those released since."""
    holds = list(list_holds())
    context = {
        "holds": [(hold, explain_hold(hold)) for hold in holds if hold.is_in_force],
        "past": [hold for hold in holds if not hold.is_in_force][:MAX_PAST_HOLDS],
        "may_hold": permissions.may_hold_nids(request.user),
        "may_answer": permissions.may_answer_hold_appeals(request.user),
    }
    return render(request, "held/index.html", context)


app_name = "held"
urlpatterns = [path("", show_held_nids, name="index"), *list_act_patterns(HELD_NIDS)]


class HeldNidSerializer(SparseSerializer[HeldNid]):
    """A NID that is or was held back."""

    id = integer_field()
    nid = text_field()
    is_in_force = serializers.BooleanField(help_text="Whether it bars the NID now.")
    sentence = serializers.SerializerMethodField(help_text="As pages say it.")
    ground = serializers.ChoiceField(HoldGround.choices)
    reasons = text_field()
    source_ = text_field("Where it is recorded.")
    until = serializers.DateField()
    held_by = text_field(source="held_by.name")
    held_at = serializers.DateTimeField()
    appeal = nullable_text_field()
    appealed_at = serializers.DateTimeField(allow_null=True)
    appeal_answer = nullable_text_field()
    ended_at = serializers.DateTimeField(allow_null=True)
    ending = nullable_text_field("Why it ended.")
    url = SiteURLField("api:held-nid-detail", "pk")

    def get_sentence(self, hold: HeldNid) -> str:
        """Return the public sentence."""
        return explain_hold(hold)


HOLD_ORDERS: Final[SortOrders] = {"-held": ("-held_at", "-pk"), "nid": ("nid", "pk")}


class HoldsQuerySerializer(ListQuerySerializer):
    """Query parameters of the list of holds."""

    nid = serializers.CharField(required=False, max_length=40, help_text="In any case.")
    sort = make_sort_parameter(HOLD_ORDERS, "-held")


@extend_schema_view(
    list=extend_schema(
        operation_id="held_nids",
        description="List the NIDs that are held back, or were, the newest first.",
        responses=HeldNidSerializer(many=True),
    )
)
class HeldNidViewSet(ActViewSet):
    """NIDs held back."""

    resource = HELD_NIDS
    path_parameters = (make_path_parameter("id", "The id of the hold."),)
    query_serializers = {"list": HoldsQuerySerializer, "retrieve": FieldsQuerySerializer}
    serializer_class = HeldNidSerializer
    sort_orders = HOLD_ORDERS
    sort = "-held"
    not_found = gettext_lazy("There is no hold with that id.")

    def get_queryset(self) -> QuerySet[HeldNid]:
        return filter_by_nid(super().get_queryset(), self.asked.get("nid", ""))

    @extend_schema(operation_id="held_nid", responses=HeldNidSerializer)
    def retrieve(self, request: Request, pk: int) -> Response:
        """Read a hold."""
        return self.respond(self.get_object())
