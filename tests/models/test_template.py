"""The columns that hold a template are the fields of the template, with the same labels."""

from __future__ import annotations

import pytest

from registry.models import Registration, Round
from registry.template import FIELDS


@pytest.mark.parametrize("model", [Registration, Round])
def test_each_field_of_the_template_has_a_column_of_its_name_and_label(
    model: type[Registration] | type[Round],
) -> None:
    columns = {column.name: column for column in model._meta.get_fields()}

    labels = {
        name: getattr(columns[name], "verbose_name", "")
        for name in (field.name for field in FIELDS)
    }

    assert labels == {field.name: field.label for field in FIELDS}
    assert len(labels) == 13
