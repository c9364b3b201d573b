"""Forgeries of where names lead, who speaks for whom, and who decides: each is found and named."""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils import timezone

from registry import held_nids, journal
from registry.actions import resolution_services
from registry.enums import HoldGround, Role
from registry.exchange import locator_tables, seed
from registry.exchange.locator_tables.loader import rekey_table
from registry.journal import row_verification
from registry.journal.row_digests import DIGESTED_MODELS, OTHER_TABLES, build_row_key
from registry.models import (
    HeldNid,
    Locator,
    LocatorTable,
    Namespace,
    Organization,
    QueryKeyword,
    ResolutionService,
    ServiceDesignator,
    Speaker,
    User,
)
from registry.transparency.rows import OMITTED_COLUMNS
from tests.cast import record_cast
from tests.factories import (
    NamespaceFactory,
    end_speaking_for,
    let_speak_for,
)
from tests.journal.test_row_verification import record_import, taken_back

pytestmark = pytest.mark.django_db

SERVICE: dict[str, Any] = {
    "service": "I2L",
    "prefix": "",
    "template": "https://names.example/{+nss}",
    "media_type": "",
    "language": "",
    "priority": 10,
    "operator": "Names Office",
    "source": "We run it",
}


@pytest.fixture
def deciding(
    organization: Organization,
    registrar: User,
    registrant: User,
    administrator: User,
    standards_body: User,
) -> Namespace:
    """A namespace with a service, a table of locators and both vocabularies, and a held NID.

    The registrant acts for its organization by a proof, and speaks for the namespace alone.
    """
    namespace: Namespace = NamespaceFactory.create(nid="lantern", registrant=organization)
    record_import(namespace, organization)
    seed.load_vocabularies()
    resolution_services.add_service(namespace, actor=registrar, **SERVICE)
    load_locators(namespace, "a,https://a.example/\nb,https://b.example/\n", registrar)
    held_nids.hold_nid(
        nid="seedvault",
        actor=registrar,
        ground=HoldGround.COURT,
        reasons="A court says so.",
        source="District court of Isby, 7 O 12/26",
        until=timezone.localdate() + datetime.timedelta(30),
    )
    let_speak_for(organization, registrant)
    let_speak_for(namespace, registrant)
    record_cast()
    return namespace


def load_locators(namespace: Namespace, text: str, actor: User) -> LocatorTable:
    """Load a table in place of the one in use."""
    over = locator_tables.find_current_table(namespace)
    table = locator_tables.begin_table(namespace, actor=actor, file_name="table.csv", over=over)
    return locator_tables.load_table(table, io.BytesIO(text.encode()))


def verify() -> list[str]:
    """Return the kinds of rows that the verification names, each sentence's one."""
    sentences = list(row_verification.verify_rows())
    return [next(kind for kind in DIGESTED_MODELS if f"{kind} " in text) for text in sentences]


def find_account(name: str) -> User:
    """Return the account of one of the cast."""
    return User.objects.get(email=f"{name}@people.example")


def change_account(name: str, **changes: bool) -> None:
    """Change the columns of an account of the cast."""
    User.objects.filter(pk=find_account(name).pk).update(**changes)


def insert_copy(row: Any, **changes: Any) -> None:
    """Insert a row like another."""
    for name, value in {"pk": None, **changes}.items():
        setattr(row, name, value)
    row.save(force_insert=True)


FORGERIES: dict[str, tuple[str, Callable[[], object]]] = {
    "the template of a service": (
        "resolutionservice",
        lambda: ResolutionService.objects.update(template="https://mallory.example/{+nss}"),
    ),
    "the priority of a service": (
        "resolutionservice",
        lambda: ResolutionService.objects.update(priority=1),
    ),
    "a service added": (
        "resolutionservice",
        lambda: insert_copy(ResolutionService.objects.get(), template="https://m.example/{+nss}"),
    ),
    "a service taken out": ("resolutionservice", lambda: ResolutionService.objects.all().delete()),
    "a locator": (
        "locatortable",
        lambda: Locator.objects.filter(name="a").update(locator="https://mallory.example/"),
    ),
    "a locator taken out": ("locatortable", lambda: Locator.objects.filter(name="a").delete()),
    "a locator with the digest of the table": (
        "locatortable",
        lambda: (
            Locator.objects.filter(name="a").delete(),
            LocatorTable.objects.update(locators_sha256="0" * 64),
        ),
    ),
    "a table taken out of use": (
        "locatortable",
        lambda: LocatorTable.objects.update(state="dropped"),
    ),
    "the meaning of a designator": (
        "servicedesignator",
        lambda: ServiceDesignator.objects.filter(name="I2L").update(purpose="Mine."),
    ),
    "a designator added": (
        "servicedesignator",
        lambda: ServiceDesignator.objects.create(name="I2M", purpose="Mine.", reference="None"),
    ),
    "who supports a keyword": (
        "querykeyword",
        lambda: QueryKeyword.objects.update(supported_by=[["lantern", "Nowhere"]]),
    ),
    "a keyword taken out": ("querykeyword", lambda: QueryKeyword.objects.all().delete()),
    "the end of a hold": ("heldnid", lambda: HeldNid.objects.update(until="2030-01-01")),
    "the NID of a hold": ("heldnid", lambda: HeldNid.objects.update(nid="orchard")),
    "a superuser made": ("user", lambda: change_account("registrant", is_superuser=True)),
    "a way into the administration": (
        "user",
        lambda: change_account("registrant", is_staff=True),
    ),
    "an officer switched off": ("user", lambda: change_account("registrar", is_active=False)),
    "a superuser added": (
        "user",
        lambda: User.objects.create(email="m@people.example", name="M", is_superuser=True),
    ),
    "a role given": (
        "user",
        lambda: find_account("registrant").groups.add(Group.objects.get(name=Role.REGISTRAR)),
    ),
    "a role taken": ("user", lambda: find_account("registrar").groups.clear()),
    "a role renamed": (
        "user",
        lambda: Group.objects.filter(name=Role.REGISTRAR).update(name="another"),
    ),
    "a delegate added": (
        "speaker",
        lambda: let_speak_for(Organization.objects.get(), find_account("registrar")),
    ),
    "a delegate replaced": (
        "speaker",
        lambda: Speaker.objects.update(person=find_account("registrar")),
    ),
    "a delegate taken out": ("speaker", lambda: end_speaking_for(Organization.objects.get())),
    "who speaks for a namespace": (
        "speaker",
        lambda: let_speak_for(Namespace.objects.get(), find_account("registrar")),
    ),
    "a hold added": ("heldnid", lambda: insert_copy(HeldNid.objects.get(), nid="orchard")),
}


@pytest.mark.parametrize(("kind", "forge"), FORGERIES.values(), ids=FORGERIES)
def test_forged_decision_is_found(
    kind: str, forge: Callable[[], object], deciding: Namespace
) -> None:
    before = verify()

    with taken_back():
        forge()
        found = verify()

    assert before == []
    assert set(found) == {kind}


def test_table_that_was_replaced_is_not_put_in_use_again(
    deciding: Namespace, registrar: User
) -> None:
    load_locators(deciding, "a,https://c.example/\n", registrar)
    assert verify() == []

    with taken_back():
        LocatorTable.objects.filter(state="current").update(state="dropped")
        LocatorTable.objects.filter(state="replaced").update(state="current")
        sentences = [re.sub(r"\d+", "#", each) for each in row_verification.verify_rows()]

    assert "There is locatortable # “table.csv of lantern” again, which line # took away." in (
        sentences
    )
    assert "Line # (lantern) tells of locatortable #, which is not there." in sentences


def test_registrys_own_changes_of_decisions_are_no_forgery(
    deciding: Namespace, registrar: User, standards_body: User, registrant: User
) -> None:
    service = ResolutionService.objects.get()
    seen = resolution_services.mark_service_edition(service)
    changed = {**SERVICE, "template": "https://names.example/of/{+nss}"}
    resolution_services.change_service(service, actor=registrar, seen=seen, **changed)
    resolution_services.withdraw_service(service, actor=registrar, reason="It is gone.")
    keyword = QueryKeyword.objects.get(keyword="s")
    resolution_services.change_entry(
        resolution_services.KEYWORD_VOCABULARY,
        keyword,
        actor=registrar,
        seen=resolution_services.mark_entry_edition(
            resolution_services.KEYWORD_VOCABULARY, keyword
        ),
        ground="RFC 9999",
        purpose="Another.",
    )
    resolution_services.add_entry(
        resolution_services.DESIGNATOR_VOCABULARY,
        actor=registrar,
        key="I2M",
        purpose="To a map",
        status="provisional",
        reference="A draft",
    )
    hold = HeldNid.objects.get()
    held_nids.renew_hold(
        hold,
        actor=registrar,
        seen=held_nids.HELD_NIDS.mark(hold),
        until=hold.until + datetime.timedelta(30),
        reasons="The court says so again.",
        source="7 O 13/26",
    )
    held_nids.appeal_hold(hold, actor=registrant, reasons="We are meant.")
    held_nids.answer_hold_appeal(hold, actor=standards_body, lifts=True, answer="Lifted.")
    table = locator_tables.find_current_table(deciding)
    assert table is not None
    locator_tables.drop_table(table, actor=registrar)

    assert verify() == []


def test_table_rebuilt_by_other_keys_is_no_forgery(deciding: Namespace) -> None:
    table = locator_tables.find_current_table(deciding)
    assert table is not None
    LocatorTable.objects.filter(pk=table.pk).update(compared_by="0" * 64)

    assert rekey_table.call(table.pk) == "current"

    assert verify() == []


def test_each_table_has_digests_or_says_why_not() -> None:
    tables = {each._meta.label_lower for each in apps.get_models(include_auto_created=True)}
    digested = {each._meta.label_lower for each in DIGESTED_MODELS.values()}

    assert digested.isdisjoint(OTHER_TABLES)
    assert tables == digested | OTHER_TABLES.keys()
    assert all(OTHER_TABLES.values())


def test_columns_without_a_digest_are_columns_of_a_table_with_digests() -> None:
    for name, omitted in OMITTED_COLUMNS.items():
        columns = {each.attname for each in DIGESTED_MODELS[name]._meta.concrete_fields}
        assert omitted <= columns, name


def test_open_event_tells_of_no_account(deciding: Namespace, registrar: User) -> None:
    with pytest.raises(RuntimeError, match="tells of no account"), transaction.atomic():
        journal.append(
            deciding, actor=None, verb="add_service", rows={build_row_key(registrar): None}
        )
