"""A table follows its namespace's declaration from the moment it is published."""

from __future__ import annotations

import pytest
from django.utils import timezone

from registry.enums import State, TableState
from registry.exchange.locator_tables import find_current_table
from registry.exchange.locator_tables.loader import enqueue_outdated_tables, rekey_table
from registry.models import LocatorTable, Namespace, Registration
from tests.exchange.locator_tables.conftest import Load, found
from tests.factories import RequestFactory

pytestmark = pytest.mark.django_db

HERE, THERE = "https://lantern.example/here", "https://lantern.example/there"


def declare(namespace: Namespace, number: int, *statements: str) -> None:
    """Publish a version that declares when two names are the same."""
    Registration.objects.create(
        namespace=namespace,
        number=number,
        registered_on=timezone.localdate(),
        registration_request=RequestFactory.create(state=State.REGISTERED, namespace=namespace),
        sha256=f"{number:064}",
        nid=namespace.nid,
        equivalence=list(statements),
    )


def rekey(namespace: Namespace) -> LocatorTable:
    """Do what the worker does, and return the table in use."""
    before = find_current_table(namespace)
    assert before is not None
    rekey_table.call(before.pk)
    table = find_current_table(namespace)
    assert table is not None
    return table


def test_name_is_found_by_what_was_declared_after_loading(namespace: Namespace, load: Load) -> None:
    load(f"A-1,{HERE}\n")
    declare(namespace, 1, "case", "hyphens")

    meanwhile = found(namespace, "A-1", "a1")
    table = rekey(namespace)

    # Until the worker gets to it, names are found as they are written.
    assert meanwhile == [HERE, None]
    assert found(namespace, "A-1", "a1", "A1") == [HERE, HERE, HERE]
    assert (table.rows, table.refused, table.state) == (1, 0, TableState.CURRENT)


def test_clock_has_just_those_tables_made_anew_that_need_it(
    namespace: Namespace, load: Load
) -> None:
    load(f"a,{HERE}\n")
    nothing_new = enqueue_outdated_tables()
    declare(namespace, 1, "only RFC 8141")
    nothing_added = enqueue_outdated_tables()
    declare(namespace, 2, "case")

    changed, again = enqueue_outdated_tables(), enqueue_outdated_tables()
    rekey(namespace)

    assert (nothing_new, nothing_added, changed, again) == (0, 0, 1, 0)
    assert enqueue_outdated_tables() == 0


def test_names_that_became_equivalent_keep_the_first_locator(
    namespace: Namespace, load: Load
) -> None:
    load(f"a,{HERE}\nA,{THERE}\nb,{HERE}\nB,{HERE}\n")
    declare(namespace, 1, "case")

    table = rekey(namespace)

    assert table.rows == 2
    assert table.refused == 1
    assert "same name" in table.report[0]["what"]
    assert found(namespace, "a", "A")[0] == found(namespace, "a", "A")[1]
    assert found(namespace, "B") == [HERE]


def test_table_loaded_after_the_declaration_refuses_two_spellings_of_a_name(
    namespace: Namespace, load: Load
) -> None:
    declare(namespace, 1, "case")

    table = load(f"a,{HERE}\nA,{THERE}\n")

    assert (table.state, table.refused) == (TableState.REFUSED, 1)
