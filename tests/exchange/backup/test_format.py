"""Which tables a dump has: all of them, each after those it refers to, or a reason why not."""

from __future__ import annotations

from django.apps import apps

from registry.exchange.backup.format import (
    OMITTED_TABLES,
    TABLES,
    get_table_model,
)


def test_every_table_is_in_the_dump_or_left_out_for_a_reason() -> None:
    known = {model._meta.label_lower for model in apps.get_models(include_auto_created=True)}

    assert known == {*TABLES, *OMITTED_TABLES}
    assert not set(TABLES) & OMITTED_TABLES.keys()


def test_every_table_comes_after_those_it_refers_to() -> None:
    places = {label: place for place, label in enumerate(TABLES)}

    early = [
        f"{label}.{column.name}"
        for label, place in places.items()
        for column in get_table_model(label)._meta.concrete_fields
        if column.related_model and column.related_model._meta.label_lower not in OMITTED_TABLES
        if places[column.related_model._meta.label_lower] > place
    ]

    assert early == []
