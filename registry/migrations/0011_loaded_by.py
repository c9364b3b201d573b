import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("registry", "0010_gateway")]

    operations = [
        migrations.AddField(
            model_name="locatortable",
            name="rows_read",
            field=models.PositiveBigIntegerField(default=0, verbose_name="rows read"),
        ),
        migrations.AlterField(
            model_name="locatortable",
            name="loaded_by",
            field=models.ForeignKey(
                blank=True,
                help_text="Empty where whoever runs the registry loaded it.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="locator_tables",
                to=settings.AUTH_USER_MODEL,
                verbose_name="loaded by",
            ),
        ),
    ]
