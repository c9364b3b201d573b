"""Which tables a dump has: all of them, each after those it refers to, or a reason why not."""

from __future__ import annotations

from django.apps import apps

from registry.dump.tables import LEFT_OUT, TABLES, model_of


def test_every_table_is_in_the_dump_or_left_out_for_a_reason() -> None:
    known = {model._meta.label_lower for model in apps.get_models(include_auto_created=True)}

    assert known == {*TABLES, *LEFT_OUT}
    assert not set(TABLES) & LEFT_OUT.keys()


def test_every_table_comes_after_those_it_refers_to() -> None:
    places = {label: place for place, label in enumerate(TABLES)}

    early = [
        f"{label}.{column.name}"
        for label, place in places.items()
        for column in model_of(label)._meta.concrete_fields
        if column.related_model and column.related_model._meta.label_lower not in LEFT_OUT
        if places[column.related_model._meta.label_lower] > place
    ]

    assert early == []
