"""Make what the registrar keeps beside namespaces, and two columns of theirs."""

import secrets

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

import registry.validators
from registry.migrations._triggers import create_triggers, drop_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0007_mailing_list"),
    ]

    operations = [
        migrations.AddField(
            model_name="namespace",
            name="contact_confirmed_on",
            field=models.DateField(
                blank=True,
                help_text="When somebody last said that the contact is right; a letter asks each year.",
                null=True,
                verbose_name="contact confirmed on",
            ),
        ),
        migrations.AddField(
            model_name="namespace",
            name="iana_reference",
            field=models.CharField(
                blank=True,
                help_text="By what IANA knows the entry: a ticket such as IANA #1234567, or an address.",
                max_length=300,
                validators=[registry.validators.validate_no_control_characters],
                verbose_name="IANA reference",
            ),
        ),
        migrations.CreateModel(
            name="ContactConfirmation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(max_length=254, verbose_name="written to")),
                (
                    "contact",
                    models.TextField(
                        blank=True,
                        help_text="An answer speaks of this contact alone.",
                        verbose_name="contact as it was",
                    ),
                ),
                (
                    "secret",
                    models.CharField(
                        default=secrets.token_urlsafe, editable=False, max_length=64, unique=True
                    ),
                ),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "answered_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="answered"),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="contact_confirmations",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
            ],
            options={
                "verbose_name": "confirmation of a contact",
                "verbose_name_plural": "confirmations of contacts",
                "ordering": ["-asked_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="EntryRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "vocabulary",
                    models.CharField(
                        choices=[
                            ("query-keywords", "Query keywords"),
                            ("resolution-services", "Resolution service designators"),
                        ],
                        max_length=20,
                        verbose_name="registry",
                    ),
                ),
                ("word", models.CharField(max_length=40, verbose_name="word")),
                (
                    "proposed",
                    models.JSONField(default=dict, verbose_name="what the entry would say"),
                ),
                (
                    "reasons",
                    models.TextField(
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="why it is needed",
                    ),
                ),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                ("comments_until", models.DateField(verbose_name="comments until")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("entered", "Entered"),
                            ("declined", "Declined"),
                            ("withdrawn", "Withdrawn"),
                        ],
                        default="open",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="decided")),
                ("decision", models.TextField(blank=True, verbose_name="reasons of the decision")),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="asked by",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="decided by",
                    ),
                ),
            ],
            options={
                "verbose_name": "request for a word",
                "verbose_name_plural": "requests for words",
                "ordering": ["-asked_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="EntryComment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "text",
                    models.TextField(
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="text",
                    ),
                ),
                (
                    "is_advice",
                    models.BooleanField(default=False, verbose_name="advice of an expert"),
                ),
                ("author_name", models.CharField(max_length=120, verbose_name="name at that time")),
                ("at", models.DateTimeField(verbose_name="when")),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="author",
                    ),
                ),
                (
                    "entry_request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="comments",
                        to="registry.entryrequest",
                        verbose_name="request for a word",
                    ),
                ),
            ],
            options={
                "verbose_name": "comment on a request for a word",
                "verbose_name_plural": "comments on requests for words",
                "ordering": ["at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="HeldNid",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "nid",
                    models.CharField(
                        help_text="In lower case.",
                        max_length=32,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[A-Za-z0-9][A-Za-z0-9-]{1,31}+(?<!-)\\Z"
                            )
                        ],
                        verbose_name="NID",
                    ),
                ),
                (
                    "ground",
                    models.CharField(
                        choices=[
                            ("court", "A court order"),
                            ("direction", "A direction of the standards body"),
                        ],
                        max_length=10,
                        verbose_name="ground",
                    ),
                ),
                (
                    "reasons",
                    models.TextField(
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="reasons",
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        max_length=300,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="where it is recorded",
                    ),
                ),
                (
                    "until",
                    models.DateField(
                        help_text="The last day on which it is held back.", verbose_name="until"
                    ),
                ),
                ("held_at", models.DateTimeField(verbose_name="held since")),
                ("appeal", models.TextField(blank=True, verbose_name="appeal")),
                (
                    "appealed_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="appealed"),
                ),
                (
                    "appeal_answer",
                    models.TextField(blank=True, verbose_name="answer to the appeal"),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                ("ending", models.TextField(blank=True, verbose_name="why it ended")),
                (
                    "appealed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="appealed by",
                    ),
                ),
                (
                    "held_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="held by",
                    ),
                ),
            ],
            options={
                "verbose_name": "NID held back",
                "verbose_name_plural": "NIDs held back",
                "ordering": ["nid", "-held_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Dispute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("dispute", "Dispute"), ("agreement", "Agreement")],
                        max_length=10,
                        verbose_name="kind",
                    ),
                ),
                (
                    "parties",
                    models.CharField(
                        max_length=300,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="between whom",
                    ),
                ),
                (
                    "text",
                    models.TextField(
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="what it is about",
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        max_length=300,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="where it is recorded",
                    ),
                ),
                ("recorded_at", models.DateTimeField(verbose_name="recorded")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                ("ending", models.TextField(blank=True, verbose_name="how it ended")),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disputes",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="recorded by",
                    ),
                ),
            ],
            options={
                "verbose_name": "dispute or agreement",
                "verbose_name_plural": "disputes and agreements",
                "ordering": ["-recorded_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ended_at__isnull", True),
                            models.Q(("ending", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="dispute_ended_says_how",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Enquiry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "question",
                    models.TextField(
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="question",
                    ),
                ),
                (
                    "is_public",
                    models.BooleanField(
                        help_text="As whoever asked chose.", verbose_name="to be answered in public"
                    ),
                ),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "answer",
                    models.TextField(
                        blank=True,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="answer",
                    ),
                ),
                (
                    "answered_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="answered"),
                ),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answered_enquiries",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="answered by",
                    ),
                ),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="enquiries",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="asked by",
                    ),
                ),
            ],
            options={
                "verbose_name": "enquiry",
                "verbose_name_plural": "enquiries",
                "ordering": ["-asked_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("answer", ""),
                                ("answered_at__isnull", True),
                                ("answered_by__isnull", True),
                            ),
                            models.Q(
                                ("answered_at__isnull", False),
                                ("answered_by__isnull", False),
                                models.Q(("answer", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="enquiry_answered_or_not",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="EntryLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.TextField(verbose_name="address")),
                (
                    "result",
                    models.CharField(
                        choices=[
                            ("not_checked", "Not checked yet"),
                            ("answered", "Answered"),
                            ("silent", "Did not answer"),
                        ],
                        max_length=12,
                        verbose_name="what came of it",
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=300, verbose_name="what it said")),
                ("checked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="links",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
            ],
            options={
                "verbose_name": "link of an entry",
                "verbose_name_plural": "links of entries",
                "ordering": ["namespace", "url"],
                "constraints": [
                    models.UniqueConstraint(fields=("namespace", "url"), name="entry_link_once")
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="entryrequest",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "open")),
                fields=("vocabulary", "word"),
                name="entry_request_one_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="entryrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decided_at__isnull", True), ("state", "open")),
                    models.Q(
                        ("decided_at__isnull", False), models.Q(("decision", ""), _negated=True)
                    ),
                    _connector="OR",
                ),
                name="entry_request_decided_says_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="heldnid",
            constraint=models.CheckConstraint(
                condition=models.Q(("nid", django.db.models.functions.text.Lower("nid"))),
                name="held_nid_lower",
            ),
        ),
        migrations.AddConstraint(
            model_name="heldnid",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("source", ""), _negated=True),
                    models.Q(("reasons", ""), _negated=True),
                ),
                name="held_nid_says_where",
            ),
        ),
        migrations.AddConstraint(
            model_name="heldnid",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("nid",),
                name="held_nid_one_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="heldnid",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ended_at__isnull", True),
                    models.Q(("ending", ""), _negated=True),
                    _connector="OR",
                ),
                name="held_nid_ended_says_why",
            ),
        ),
        # SQLite loses the triggers of a table to which a column is added.
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
