"""Organizations, delegates, co-editors and sightings, for tests that look at pages."""

from __future__ import annotations

from collections.abc import Mapping

from registry import sightings
from registry.actions import co_editors, domain_proofs
from registry.actions.incoming_mail import receive_letter
from registry.enums import ChangeKind, SpeakerBasis
from registry.models import (
    MailedTemplate,
    Namespace,
    Organization,
    RegistrationRequest,
    ResolutionService,
    User,
)
from registry.template import write
from tests.actions.letters import letter
from tests.factories import (
    OrganizationFactory,
    let_speak_for,
    record_website,
)
from tests.small_changes import send
from tests.template.samples import FORMAL

DOMAIN = "southlight.example"


def keys_of_bodies(
    people: Mapping[str, User], requests: Mapping[str, RegistrationRequest]
) -> dict[str, str]:
    """Create delegates, co-editors and sightings of NIDs; return the keys."""
    body = recognised(people)
    proof = {
        basis: domain_proofs.request_proof(
            body, people["outsider"], basis, address=f"postmaster@{DOMAIN}"
        )
        for basis in (SpeakerBasis.MAIL, SpeakerBasis.DNS, SpeakerBasis.FILE)
    }
    sighting = seen_in_use(people["expert"])
    return {
        "body": str(body.pk),
        "delegate": str(body.speakers.get(person=people["registrant"]).pk),
        "proof-mail": str(proof[SpeakerBasis.MAIL].pk),
        "proof-dns": str(proof[SpeakerBasis.DNS].pk),
        "proof-file": str(proof[SpeakerBasis.FILE].pk),
        "proof-secret": proof[SpeakerBasis.MAIL].secret,
        "invitation": invited(people, requests["draft"]),
        "template": mailed_template(),
        "sighting": str(sighting),
        "service": str(ResolutionService.objects.filter(namespace__nid="nbn")[0].pk),
        "transfer": transferred(people, body).slug,
    }


def recognised(people: Mapping[str, User]) -> Organization:
    """Return an organization with a website and a delegate."""
    body: Organization = OrganizationFactory.create(name="Southlight Archive of Printed Ephemera")
    record_website(body, f"https://www.{DOMAIN}/")
    let_speak_for(body, people["registrant"])
    return body


def invited(people: Mapping[str, User], draft: RegistrationRequest) -> str:
    """Let one co-editor join and invite another; return the key of the invitation."""
    joined = co_editors.invite_co_editor(
        draft, people["without-password"].email, actor=draft.author
    )
    co_editors.accept_invitation(joined, actor=people["without-password"])
    return co_editors.invite_co_editor(draft, people["outsider"].email, actor=draft.author).key


def mailed_template() -> str:
    """Receive a template through the list; return the key of the letter that asks about it."""
    mailed = receive_letter(letter(write(FORMAL), subject="A namespace for seed vaults").as_bytes())
    assert isinstance(mailed, MailedTemplate)
    return mailed.key


def seen_in_use(expert: User) -> int:
    """Record two sightings, one with nothing but the evidence; return the key of the other."""
    sightings.note_sighting(
        nid="brassrubbing", actor=expert, evidence="A catalogue of 2019, page 12."
    )
    noted = sightings.note_sighting(
        nid="playbill",
        actor=expert,
        evidence="https://playbills.example/list shows urn:playbill:1888-03-12 and others.",
        user_of_it="Playbill Society",
        address="desk@playbills.example",
    )
    return noted.pk


def transferred(people: Mapping[str, User], heir: Organization) -> RegistrationRequest:
    """Let the holder's successor request a namespace, without the holder's consent yet."""
    holder = OrganizationFactory.create(name="Westlight Society", website="https://west.example/")
    let_speak_for(holder, people["outsider"])
    Namespace.objects.filter(nid="swift").update(registrant=holder)
    namespace = Namespace.objects.get(nid="swift")
    return send(namespace, ChangeKind.TRANSFER, people["registrant"], heir)
