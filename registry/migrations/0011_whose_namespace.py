import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import registry.models.holder
import registry.validators


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0010_ladders"),
    ]

    operations = [
        migrations.AddField(
            model_name="organization",
            name="website_source",
            field=models.CharField(
                blank=True, max_length=300, verbose_name="where the website is known from"
            ),
        ),
        migrations.AddField(
            model_name="proof",
            name="effective_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="took effect"),
        ),
        migrations.AddField(
            model_name="proof",
            name="lapsed_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="lapsed"),
        ),
        migrations.AddField(
            model_name="proof",
            name="reminded_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="asked for anew"),
        ),
        migrations.AddField(
            model_name="registrationrequest",
            name="paused_since",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="While only the holder’s word or the recognition is missing.",
                null=True,
                verbose_name="days stand still since",
            ),
        ),
        migrations.AddField(
            model_name="registrationrequest",
            name="paused_until",
            field=models.DateTimeField(
                blank=True, editable=False, null=True, verbose_name="days stood still until"
            ),
        ),
        migrations.CreateModel(
            name="HolderSearch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("begun_at", models.DateTimeField(verbose_name="first letters")),
                (
                    "addresses",
                    models.JSONField(blank=True, default=list, verbose_name="addresses on record"),
                ),
                (
                    "second_letters_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="second letters"),
                ),
                ("opened_at", models.DateTimeField(blank=True, null=True, verbose_name="opened")),
                (
                    "notice_until",
                    models.DateTimeField(blank=True, null=True, verbose_name="public notice until"),
                ),
                ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="decided")),
                ("evidence", models.TextField(blank=True, verbose_name="evidence")),
                (
                    "takes_effect_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="takes effect"),
                ),
                (
                    "appealed_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="appealed"),
                ),
                ("appeal", models.TextField(blank=True, verbose_name="the appeal")),
                (
                    "appeal_answered_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="appeal answered"),
                ),
                (
                    "reminded_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="last reminder"),
                ),
                (
                    "answered_by",
                    models.CharField(
                        blank=True, max_length=254, verbose_name="address that answered"
                    ),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("answered", "The holder gave a sign"),
                            ("decided", "What the standards body found took effect"),
                            ("dropped", "Ended without an outcome"),
                        ],
                        max_length=9,
                        verbose_name="outcome",
                    ),
                ),
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
                    "begun_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="begun by",
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
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="holder_searches",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
                (
                    "opened_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="opened by",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="registry.round",
                        verbose_name="the one text that may be published",
                    ),
                ),
                (
                    "speaker",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who speaks for the namespace",
                    ),
                ),
            ],
            options={
                "verbose_name": "search for a holder",
                "verbose_name_plural": "searches for holders",
                "ordering": ["-begun_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="NamespaceSpeaker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField(verbose_name="since")),
                (
                    "holder_search",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="speakers",
                        to="registry.holdersearch",
                        verbose_name="found by the search",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="speakers",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="namespaces_spoken_for",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
            ],
            options={
                "verbose_name": "speaker for a namespace",
                "verbose_name_plural": "speakers for namespaces",
                "ordering": ["since"],
            },
        ),
        migrations.CreateModel(
            name="WordConfirmation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sha256", models.CharField(max_length=64, verbose_name="SHA-256 of the text")),
                (
                    "code",
                    models.CharField(
                        default=registry.models.holder.make_confirmation_code,
                        editable=False,
                        max_length=16,
                    ),
                ),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "attempts",
                    models.PositiveSmallIntegerField(default=0, verbose_name="typed wrongly"),
                ),
                (
                    "letters",
                    models.PositiveSmallIntegerField(default=1, verbose_name="letters written"),
                ),
                (
                    "confirmed_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="confirmed"),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="word_confirmations",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="word_confirmations",
                        to="registry.registrationrequest",
                        verbose_name="request",
                    ),
                ),
            ],
            options={
                "verbose_name": "confirmation of a word",
                "verbose_name_plural": "confirmations of words",
                "ordering": ["asked_at"],
            },
        ),
        migrations.CreateModel(
            name="DelegateChange",
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
                        choices=[
                            ("claim", "Proved to act for it"),
                            ("name", "Named by another"),
                            ("remove", "Taken off"),
                        ],
                        max_length=8,
                        verbose_name="what",
                    ),
                ),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "is_first",
                    models.BooleanField(
                        default=False,
                        help_text="Nobody acted for the body when it was made.",
                        verbose_name="first claim",
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        default=registry.models.holder.make_confirmation_code,
                        editable=False,
                        max_length=16,
                    ),
                ),
                (
                    "attempts",
                    models.PositiveSmallIntegerField(default=0, verbose_name="typed wrongly"),
                ),
                (
                    "confirmed_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="confirmed"),
                ),
                (
                    "takes_effect_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="takes effect"),
                ),
                (
                    "source",
                    models.TextField(
                        blank=True,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="since when the domain is the body’s, and where that is known from",
                    ),
                ),
                (
                    "reminded_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="last reminder"),
                ),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("done", "Took effect"),
                            ("stopped", "Stopped by an objection"),
                            ("lapsed", "Lapsed"),
                        ],
                        max_length=8,
                        verbose_name="outcome",
                    ),
                ),
                (
                    "stopped_by",
                    models.CharField(blank=True, max_length=300, verbose_name="stopped by"),
                ),
                ("reason", models.TextField(blank=True, verbose_name="why it was stopped")),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="delegate_changes_asked",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="asked by",
                    ),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="delegate_changes",
                        to="registry.organization",
                        verbose_name="organization",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="delegate_changes",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
                (
                    "proof",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="delegate_change",
                        to="registry.proof",
                        verbose_name="proof",
                    ),
                ),
                (
                    "source_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="said by",
                    ),
                ),
            ],
            options={
                "verbose_name": "change of delegates",
                "verbose_name_plural": "changes of delegates",
                "ordering": ["-asked_at", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True), ("proof__isnull", True)),
                        fields=("organization", "person"),
                        name="delegate_change_one_pending",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("outcome", "")),
                            models.Q(
                                ("ended_at__isnull", False),
                                models.Q(("outcome", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="delegate_change_ended_has_outcome",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="holdersearch",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("namespace",),
                name="holder_search_one_under_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="holdersearch",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("outcome", "")),
                    models.Q(("ended_at__isnull", False), models.Q(("outcome", ""), _negated=True)),
                    _connector="OR",
                ),
                name="holder_search_ended_has_outcome",
            ),
        ),
        migrations.AddConstraint(
            model_name="holdersearch",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("decided_at__isnull", True),
                    models.Q(
                        models.Q(("evidence", ""), _negated=True),
                        models.Q(
                            models.Q(("round__isnull", True), ("speaker__isnull", False)),
                            models.Q(("round__isnull", False), ("speaker__isnull", True)),
                            _connector="OR",
                        ),
                    ),
                    _connector="OR",
                ),
                name="holder_search_decided_says_what",
            ),
        ),
        migrations.AddConstraint(
            model_name="namespacespeaker",
            constraint=models.UniqueConstraint(fields=("namespace", "person"), name="speaker_once"),
        ),
        migrations.AddConstraint(
            model_name="wordconfirmation",
            constraint=models.UniqueConstraint(
                fields=("registration_request", "person", "sha256"), name="word_confirmed_once"
            ),
        ),
    ]
