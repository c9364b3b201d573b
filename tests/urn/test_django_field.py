"""A column of URNs for Django."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, models
from django.test.utils import isolate_apps

from registry.urn import URN, parse, problems
from registry.urn.django_field import URNField

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def document() -> Iterator[Any]:
    """A model with two columns of URNs, and its table."""
    with isolate_apps("registry"):

        class Document(models.Model):
            written = URNField(blank=True, default="", max_length=40)
            name = URNField(unique=True, assigned_names=True)

            class Meta:
                app_label = "registry"

            def __str__(self) -> str:
                return str(self.name)

        with connection.schema_editor() as editor:
            editor.create_model(Document)
        yield Document
        with connection.schema_editor() as editor:
            editor.delete_model(Document)


def test_column_gives_back_a_urn_as_it_was_written(document: Any) -> None:
    document.objects.create(written="URN:Ab:c#f", name=parse("URN:Ab:c#f"))

    found = document.objects.get()

    assert (found.written, found.name) == (parse("URN:Ab:c#f"), parse("urn:ab:c"))
    assert isinstance(found.written, URN)


def test_column_of_assigned_names_holds_equivalent_urns_once(document: Any) -> None:
    document.objects.create(name="urn:ab:%2c")

    with pytest.raises(IntegrityError):
        document.objects.create(name="URN:AB:%2C?=q")


def test_urns_are_looked_up_by_text_and_by_value(document: Any) -> None:
    document.objects.create(name="urn:ab:c")

    assert document.objects.filter(name="URN:AB:c#f").count() == 1
    assert document.objects.filter(name__in=[parse("urn:ab:c")]).count() == 1
    assert document.objects.get(written="").written == ""


def test_text_that_is_no_urn_is_refused_with_the_reason(document: Any) -> None:
    with pytest.raises(ValidationError) as refusal:
        document(name="urn:ab:c d").full_clean()

    [problem] = problems("urn:ab:c d")
    assert refusal.value.message_dict == {"name": [str(problem)]}


def test_text_that_is_too_long_is_refused(document: Any) -> None:
    with pytest.raises(ValidationError, match="at most 40 characters"):
        document(written=f"urn:ab:{'c' * 40}", name="urn:ab:c").full_clean()


def test_field_is_written_into_migrations_as_it_is() -> None:
    field = URNField(assigned_names=True, unique=True)

    _, path, args, kwargs = field.deconstruct()

    assert path == "registry.urn.django_field.URNField"
    assert (args, kwargs) == ([], {"assigned_names": True, "unique": True, "max_length": 255})
