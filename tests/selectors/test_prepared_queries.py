"""Queries whose SQL is prepared once find what Django would find."""

from __future__ import annotations

from threading import Thread

import pytest
from django.db import connection
from django.db.models import Count, Model, QuerySet, Value
from pytest_django import DjangoAssertNumQueries

from registry.models import Namespace, Organization, ResolutionService
from registry.selectors import PreparedQuery
from registry.selectors.prepared_queries import PreparedCount
from tests.factories import NamespaceFactory, ServiceFactory

pytestmark = pytest.mark.django_db


def asked(nid: str | Value) -> QuerySet[Namespace]:
    """Return a query for what belongs to a namespace, with something else selected."""
    counted = Namespace.objects.annotate(offered=Count("services"))
    return counted.select_related("registrant", "provenance").filter(nid=nid)


def columns(model: Model) -> dict[str, object]:
    """Return the values of a model's columns, and what else was selected."""
    return {name: value for name, value in vars(model).items() if name != "_state"}


def test_models_come_with_what_belongs_to_them_in_one_query(
    organization: Organization, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    NamespaceFactory.create(nid="sample", registrant=organization, references=["RFC 8141"])
    question = PreparedQuery(asked)

    with django_assert_num_queries(1):
        (found,) = question("sample")
        registrant = found.registrant

    assert registrant == organization
    assert columns(found) == columns(asked("sample").get())


def test_missing_relation_of_a_model_is_not_asked_for_again(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    NamespaceFactory.create(nid="sample", registrant=None)
    (found,) = PreparedQuery(asked)("sample")

    with django_assert_num_queries(0):
        belongings = (found.registrant, hasattr(found, "provenance"))

    assert belongings == (None, False)


def test_relations_of_relations_of_a_model_come_too(
    organization: Organization, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    service = ServiceFactory.create(namespace__registrant=organization)
    question = PreparedQuery(
        lambda key: ResolutionService.objects.select_related("namespace__registrant").filter(pk=key)
    )

    with django_assert_num_queries(1):
        (found,) = question(service.pk)
        registrant = found.namespace.registrant

    assert registrant == organization


def test_question_is_written_once_and_answered_each_time(db: None) -> None:
    written = []

    def ask(nid: Value) -> QuerySet[Namespace]:
        written.append(nid)
        return asked(nid)

    question = PreparedQuery(ask)
    before = question.first("sample")
    NamespaceFactory.create(nid="sample")
    after = question.first("sample")

    assert before is None
    assert after == Namespace.objects.get(nid="sample")
    assert len(written) == 1


@pytest.mark.django_db(transaction=True)
def test_each_thread_asks_over_its_own_connection(db: None) -> None:
    NamespaceFactory.create(nid="sample")
    question = PreparedQuery(asked)
    found = question("sample")

    def ask() -> None:
        found.extend(question("sample"))
        connection.close()

    thread = Thread(target=ask)
    thread.start()
    thread.join()

    assert [each.nid for each in found] == ["sample", "sample"]


def test_query_with_two_gaps_takes_its_values_in_order(db: None) -> None:
    for nid, summary in (("one", "books"), ("two", "books"), ("three", "films")):
        NamespaceFactory.create(nid=nid, summary=summary)
    question = PreparedQuery(
        lambda summary, nid: Namespace.objects.filter(nid=nid, summary=summary), gaps=2
    )

    assert [each.nid for each in question("books", "two")] == ["two"]
    assert question("two", "books") == []
    assert question.first("films", "two") is None


def test_rows_are_counted_up_to_a_limit_in_one_query(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        NamespaceFactory.create(nid=f"n{number}", kind="formal")
    question = PreparedCount(lambda kind: Namespace.objects.filter(kind=kind), 3)

    with django_assert_num_queries(2):
        assert (question("formal"), question("informal")) == (3, 0)
