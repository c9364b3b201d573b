"""Disputes and agreements about a namespace: recorded as the parties say, and never judged."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers

from registry import permissions
from registry.acts import Change, Resource
from registry.acts.operations import ActViewSet
from registry.acts.pages import list_act_patterns
from registry.api.namespaces import get_namespace_or_404
from registry.api.openapi import make_path_parameter
from registry.api.query_parameters import ListQuerySerializer
from registry.enums import DisputeKind
from registry.forms.fields import PlainTextField, make_reason_field, make_source_field
from registry.forms.organizations import BareForm
from registry.models import Dispute, Namespace, User
from registry.serializers.base import (
    SiteURLField,
    SparseSerializer,
    integer_field,
    nullable_text_field,
    text_field,
)
from registry.workflow.step import ConcurrentChange


def build_dispute_data(dispute: Dispute) -> dict[str, Any]:
    return {
        "nid": dispute.namespace.nid,
        "dispute": dispute.pk,
        "kind_of_record": dispute.kind,
        "parties": dispute.parties,
        "source": dispute.source,
    }


def list_crumbs(subject: Namespace | Dispute) -> list[tuple[str, str]]:
    namespace = subject.namespace if isinstance(subject, Dispute) else subject
    return [(namespace.nid, namespace.get_absolute_url())]


DISPUTES: Final = Resource[Dispute](
    noun="dispute",
    find_rows=lambda _reader, nid: get_namespace_or_404(nid).disputes.select_related("namespace"),
    find_parent=get_namespace_or_404,
    # So that the holder and the followers of the namespace are told.
    find_subject=lambda dispute: dispute.namespace,
    build_data=build_dispute_data,
    crumbs=list_crumbs,
)
REGISTRAR: Final[dict[str, Any]] = {
    "by": permissions.may_keep_entries,
    "refusal": gettext_lazy("Only the registrar can change the entries of namespaces."),
}


class DisputeForm(BareForm):
    kind = forms.ChoiceField(
        label=gettext_lazy("What is it?"),
        choices=DisputeKind,
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Choose what it is.")},
    )
    parties = PlainTextField(
        most=300,
        label=gettext_lazy("Between whom?"),
        widget=forms.TextInput,
        error_messages={"required": gettext_lazy("Name the parties.")},
    )
    text = make_reason_field(
        gettext_lazy("What is it about?"),
        gettext_lazy("In the words of the parties. Public; it does not block anything."),
    )
    source = make_source_field(
        gettext_lazy("A letter, a filing or a contract, with its date. Public.")
    )


@DISPUTES.act(
    "new",
    "record_dispute",
    form=DisputeForm,
    **REGISTRAR,
    title=gettext_lazy("Record a dispute or an agreement"),
    lead=[
        gettext_lazy(
            "The page of the namespace shows it, and its holder is told. The registry does not "
            "judge it, and it blocks nothing. RFC 8141, section 5.1."
        )
    ],
    button=gettext_lazy("Record it"),
    done=gettext_lazy("It is recorded."),
    creates=True,
)
def record_dispute(
    namespace: Namespace, *, actor: User, text: str, **record: Any
) -> Change[Dispute] | Dispute:
    """Record a dispute or an agreement, as the registrar; it blocks nothing."""
    if earlier := namespace.disputes.filter(ended_at=None, text=text, **record).first():
        return earlier
    dispute = Dispute(
        namespace=namespace, recorded_by=actor, recorded_at=timezone.now(), text=text, **record
    )
    return Change(dispute, text)


class EndDisputeForm(BareForm):
    ending = make_reason_field(gettext_lazy("How did it end?"), gettext_lazy("Public."))


@DISPUTES.act(
    "end",
    "end_dispute",
    form=EndDisputeForm,
    **REGISTRAR,
    title=gettext_lazy("How did it end?"),
    lead=[lambda dispute: dispute.parties, lambda dispute: dispute.text],
    button=gettext_lazy("Record the outcome"),
    done=gettext_lazy("The outcome is recorded."),
)
def end_dispute(dispute: Dispute, *, actor: User, ending: str) -> Change[Dispute] | Dispute:
    """Record the outcome, as the registrar; the record stays."""
    if dispute.ended_at and dispute.ending == ending:
        return dispute
    if dispute.ended_at:
        raise ConcurrentChange(_("Somebody has recorded the outcome meanwhile."))
    dispute.ended_at, dispute.ending = timezone.now(), ending
    return Change(dispute, ending)


urlpatterns = list_act_patterns(DISPUTES)


class DisputeSerializer(SparseSerializer[Dispute]):
    """A dispute or an agreement about a namespace, recorded and not judged."""

    id = integer_field()
    nid = text_field(source="namespace.nid")
    kind = serializers.ChoiceField(DisputeKind.choices)
    parties = text_field("Between whom.")
    text = text_field()
    source_ = text_field("Where it is recorded.")
    recorded_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    ending = nullable_text_field("How it ended.")
    page = SiteURLField("namespaces:detail", "namespace.nid")


@extend_schema_view(
    list=extend_schema(
        operation_id="disputes",
        description="List the disputes and agreements about a namespace, the newest first.",
        responses=DisputeSerializer(many=True),
    )
)
class DisputeViewSet(ActViewSet):
    """Disputes and agreements about one namespace."""

    resource = DISPUTES
    path_parameters = (make_path_parameter("id", "The id of the dispute or agreement."),)
    query_serializers = {"list": ListQuerySerializer}
    serializer_class = DisputeSerializer
    sort_orders = {"-recorded": ("-recorded_at", "-pk")}
    sort = "-recorded"
    not_found = gettext_lazy("The namespace has no dispute or agreement with that id.")
