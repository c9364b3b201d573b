"""Once divided the rows of locator tables among partitions, on PostgreSQL; 0034 unites them."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("registry", "0021_indexes_of_lists")]

    operations = []
