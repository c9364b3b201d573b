"""Proving to act for an organization."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from registry.api.door import Door, find, heard, person, refusals_told
from registry.api.parameters import KEY, WRITING, in_path
from registry.api.problems import refusals
from registry.api.reading.organizations import ID, organization_of
from registry.api.said import Said, typed
from registry.api.shapes.shape import Shape, line, maybe, whole
from registry.choices import ProofMethod
from registry.delegation import looking, proofs
from registry.delegation.domains import domain_of
from registry.delegation.refusals import open_until
from registry.forms.organizations import ProofForm
from registry.models import Proof
from registry.pages.told.written import moment

NUMBER: Final = in_path("number", "The id of the proof.")


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
    round = serializers.IntegerField(
        min_value=1, help_text="The number of the round that you read; your word is for that."
    )


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
    is_pending = serializers.BooleanField(help_text="Whether it is being looked for.")
    looked_at = serializers.DateTimeField(allow_null=True, help_text="When it last was.")
    finding = maybe("What was found then instead.")


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
        actor, organization = person(request), organization_of(request, pk)
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
    """Having a proof looked for: every attempt counts, so none is undone or answered twice."""

    answers_once = False

    @extend_schema(
        operation_id="proof_look",
        parameters=[NUMBER],
        request=None,
        responses={202: ProofShape, **refusals(400, 401, 403, 404, 409, 415, 429)},
    )
    def post(self, request: Request, number: int) -> Response:
        """Have the registry look for the record or the file of a proof.

        What it found stands in the proof once `is_pending` is false: read it again at `Location`.
        """
        proof = own(request, number)
        with refusals_told():
            proofs.request_look(proof)
        location = {"Location": request.build_absolute_uri(reverse("api:proof", args=[number]))}
        return Response(proof_told(own(request, number)), 202, headers=location)


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
        responses={201: ProofShape, **refusals(*WRITING, 412)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Stand behind a round of somebody else's request, as one who acts for the organization."""
        actor, organization = person(request), organization_of(request, pk)
        said = heard(RequestSaid, request)
        asked = find(request, said["request"])
        with refusals_told():
            proof = proofs.agree(organization, asked, actor=actor, seen=said["round"])
        proof.refresh_from_db()
        return Response(proof_told(proof), 201)


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
        "is_pending": proofs.is_being_looked_for(proof),
        "looked_at": moment(proof.looked_at),
        "finding": proof.finding or None,
    }
