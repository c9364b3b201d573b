"""Organizations: their website, who acts for them, and proving to."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from registry import rules
from registry.api.acts.writers import AddressSaid
from registry.api.asked import FieldsAsked, asked_with
from registry.api.door import Door, find, heard, person, refusals_told
from registry.api.parameters import EDITING, IF_MATCH, KEY, READING, WRITING, in_path
from registry.api.problems import refusals
from registry.api.reading.organizations import ID, mark, organization_of, shown
from registry.api.said import Said, typed
from registry.api.seen import refuse_unseen
from registry.api.shapes.others import DelegateShape, OrganizationDetailShape
from registry.api.shapes.shape import Shape, line, maybe, whole
from registry.choices import ProofMethod
from registry.delegation import delegates, looking, proofs, websites
from registry.delegation.domains import domain_of
from registry.delegation.refusals import open_until
from registry.forms.organizations import DelegateForm, ProofForm, WebsiteForm
from registry.models import Organization, Proof, User
from registry.pages.organization import delegates as acting
from registry.pages.told.organizations import delegate_told
from registry.pages.told.written import moment

DELEGATE: Final = in_path("delegate", "The id of the delegate.")
NUMBER: Final = in_path("number", "The id of the proof.")


class WebsiteSaid(Said):
    """The website of an organization."""

    website = serializers.CharField(max_length=200)


class RemovalSaid(Said):
    """That whoever takes a delegate off knows what follows."""

    knows_last = serializers.BooleanField(
        default=False, help_text="That nobody is left to act for the organization."
    )


class ProofSaid(Said):
    """How somebody proves to act for an organization."""

    method = serializers.ChoiceField(
        [each for each in ProofMethod.choices if each[0] != ProofMethod.WORD]
    )
    address = serializers.EmailField(
        required=False, max_length=254, help_text="Where the letter goes, of a proof by mail."
    )
    request = serializers.CharField(
        required=False, max_length=14, help_text="The request it shall speak for alone."
    )


class SecretSaid(Said):
    """What came by mail."""

    secret = serializers.CharField(max_length=100)


class RequestSaid(Said):
    """Which request somebody stands behind."""

    request = serializers.CharField(max_length=14, help_text="Its reference, in any case.")


class ProofShape(Shape):
    """A proof to act for an organization: what has to be done for it, and whether it stands."""

    id = whole()
    organization = line()
    organization_id = whole()
    request = maybe("The request it speaks for alone.")
    method = serializers.ChoiceField(ProofMethod.choices)
    domain = line()
    address = maybe("Where the letter went.")
    record_name = maybe("Of a proof by the name servers: the name of the TXT record.")
    record = maybe("What that has to say.")
    file = maybe("Of a proof by a file: its address.")
    file_text = maybe("What that has to say.")
    open_until = serializers.DateTimeField(allow_null=True)
    proved_at = serializers.DateTimeField(allow_null=True)


class OrganizationView(Door):
    """One organization."""

    @extend_schema(
        operation_id="organization",
        parameters=[ID, FieldsAsked],
        responses={200: OrganizationDetailShape, **refusals(*READING)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read an organization: what it holds and asks for, and who acts for it."""
        asked_with(FieldsAsked, request)
        return shown(request, pk)

    @extend_schema(
        operation_id="organization_website",
        parameters=[ID, IF_MATCH, KEY],
        request=WebsiteSaid,
        responses={200: OrganizationDetailShape, **refusals(*EDITING)},
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Enter the website of an organization, as the registrar; proofs rest on it."""
        actor, organization = person(request), organization_of(pk)
        if not rules.may_say_website(actor):
            raise PermissionDenied(_("The website of an organization is entered by the registrar."))
        refuse_unseen(request, mark(organization))
        said = {**heard(WebsiteSaid, request), "seen": organization.website}
        form = WebsiteForm(said, organization=organization)
        with refusals_told():
            websites.say(organization, actor=actor, **typed(form))
        return shown(request, pk)


class DelegatesView(Door):
    """Those who act for an organization."""

    @extend_schema(
        operation_id="delegates",
        parameters=[ID],
        responses={200: DelegateShape(many=True), **refusals(401, 403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Read who acts for an organization, as one of them or as the registrar."""
        organization = organization_of(pk)
        if not rules.may_see_delegates(person(request), organization):
            words = _(
                "Who acts for %(organization)s is for its delegates and the registrar to see."
            )
            raise PermissionDenied(words % {"organization": organization})
        return delegates_told(organization)

    @extend_schema(
        operation_id="delegate_name",
        parameters=[ID, KEY],
        request=AddressSaid,
        responses={201: DelegateShape(many=True), **refusals(*WRITING)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Name somebody to act for an organization, by the mail address of their account."""
        organization = named_by(person(request), organization_of(pk))
        said = typed(DelegateForm(heard(AddressSaid, request)))
        with refusals_told():
            delegates.name(organization, said["address"], actor=person(request))
        return delegates_told(organization, 201)


class DelegateView(Door):
    """One who acts for an organization."""

    @extend_schema(
        operation_id="delegate_remove",
        parameters=[ID, DELEGATE, KEY],
        request=RemovalSaid,
        responses={204: None, **refusals(*WRITING)},
    )
    def post(self, request: Request, pk: int, delegate: int) -> Response:
        """Take a delegate off, or yourself."""
        actor, organization = person(request), organization_of(pk)
        found = organization.delegates.filter(pk=delegate).first()
        if found is None or not rules.may_see_delegates(actor, organization):
            raise Http404(_("No delegate of this organization has that id."))
        if found != actor:
            named_by(actor, organization)
        knows = heard(RemovalSaid, request)["knows_last"]
        with refusals_told():
            delegates.remove(organization, found, actor=actor, knows_last=knows)
        return Response(status=204)


class ProofsView(Door):
    """Proofs to act for an organization."""

    @extend_schema(
        operation_id="proof_ask",
        parameters=[ID, KEY],
        request=ProofSaid,
        responses={201: ProofShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Ask to act for an organization, or for one request alone; the answer says what to do."""
        actor, organization = person(request), organization_of(pk)
        said = heard(ProofSaid, request)
        asked = find(request, said.pop("request")) if "request" in said else None
        chosen = typed(ProofForm(said, domain=domain_of(organization)))
        with refusals_told():
            proof = proofs.ask(
                organization,
                actor,
                ProofMethod(chosen["method"]),
                address=chosen["address"],
                registration_request=asked,
            )
        return Response(proof_told(proof), 201)


class ProofView(Door):
    """One proof of whoever asks."""

    @extend_schema(
        operation_id="proof",
        parameters=[NUMBER],
        responses={200: ProofShape, **refusals(401, 404)},
    )
    def get(self, request: Request, number: int) -> Response:
        """Read what has to be done for a proof you asked for, and whether it stands."""
        return Response(proof_told(own(request, number)))


class LookView(Door):
    """Having a proof looked for: every look counts, so none is undone or answered twice."""

    answers_once = False

    @extend_schema(
        operation_id="proof_look",
        parameters=[NUMBER],
        request=None,
        responses={200: ProofShape, **refusals(400, 401, 403, 404, 409, 415, 429)},
    )
    def post(self, request: Request, number: int) -> Response:
        """Have the registry look for the record or the file of a proof."""
        proof = own(request, number)
        with refusals_told():
            proofs.look(proof)
        return Response(proof_told(own(request, number)))


class ConfirmView(Door):
    """The answer to the letter of a proof."""

    @extend_schema(
        operation_id="proof_confirm",
        parameters=[NUMBER, KEY],
        request=SecretSaid,
        responses={200: ProofShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, number: int) -> Response:
        """Give back the secret that came by mail."""
        proof, said = own(request, number), heard(SecretSaid, request)
        with refusals_told():
            proofs.confirm(proof, said["secret"])
        return Response(proof_told(own(request, number)))


class AgreeView(Door):
    """The word of a delegate."""

    @extend_schema(
        operation_id="proof_agree",
        parameters=[ID, KEY],
        request=RequestSaid,
        responses={201: ProofShape, **refusals(*WRITING)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Stand behind a request of somebody else, as a delegate."""
        actor, organization = person(request), organization_of(pk)
        asked = find(request, heard(RequestSaid, request)["request"])
        with refusals_told():
            proof = proofs.agree(organization, asked, actor=actor)
        proof.refresh_from_db()
        return Response(proof_told(proof), 201)


def named_by(actor: User, organization: Organization) -> Organization:
    """Return the organization, for those who say who acts for it."""
    if not rules.may_name_delegates(actor, organization):
        words = _("Who acts for %(organization)s is said by its delegates.")
        raise PermissionDenied(words % {"organization": organization})
    return organization


def delegates_told(organization: Organization, status: int = 200) -> Response:
    """Return who acts for an organization."""
    found = acting(organization)
    return Response([delegate_told(each.person.pk, str(each.person)) for each in found], status)


def own(request: Request, number: int) -> Proof:
    """Return a proof that whoever asks has asked for."""
    asked = Proof.objects.select_related("organization", "person", "registration_request")
    found = asked.filter(pk=number, person=person(request)).first()
    if found is None:
        raise Http404(_("You have asked for no proof of that id."))
    return found


def proof_told(proof: Proof) -> dict[str, Any]:
    """Return what has to be done for a proof, and whether it stands."""
    by_record, by_file = proof.method == ProofMethod.DNS, proof.method == ProofMethod.FILE
    asked = proof.registration_request
    return {
        "id": proof.pk,
        "organization": proof.organization.name,
        "organization_id": proof.organization_id,
        "request": asked.reference if asked else None,
        "method": proof.method,
        "domain": proof.domain,
        "address": proof.address or None,
        "record_name": looking.name_of_record(proof) if by_record else None,
        "record": looking.record_of(proof) if by_record else None,
        "file": looking.address_of_file(proof) if by_file else None,
        "file_text": proof.secret if by_file else None,
        "open_until": None if proof.proved_at else moment(open_until(proof)),
        "proved_at": moment(proof.proved_at),
    }
