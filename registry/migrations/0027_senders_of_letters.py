"""Recognize the sender of a letter to the list; those of letters taken in before are not known."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0026_nid_keys"),
    ]

    operations = [
        migrations.AddField(
            model_name="message",
            name="sender_digest",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Of a letter from somebody without an account: what they sent is found by it.",
                max_length=64,
                verbose_name="digest of the sender’s address",
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(fields=["sender_digest"], name="message_sender"),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(("sender_digest", ""), ("author", None), _connector="OR"),
                name="message_of_an_account_has_no_digest",
            ),
        ),
    ]
