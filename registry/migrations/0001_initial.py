import secrets

import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import registry.models.account
import registry.models.notification
import registry.models.sealed_field
import registry.validators


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="BuiltExport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(db_index=True, max_length=100, verbose_name="file")),
                ("path", models.CharField(max_length=200, verbose_name="name in the store")),
                ("size", models.PositiveBigIntegerField(verbose_name="octets")),
                ("sha256", models.CharField(max_length=64, verbose_name="SHA-256 of its octets")),
                (
                    "packed_size",
                    models.PositiveBigIntegerField(
                        blank=True,
                        help_text="None for a short file.",
                        null=True,
                        verbose_name="octets in gzip",
                    ),
                ),
                ("changed_at", models.DateTimeField(blank=True, null=True, verbose_name="changed")),
                (
                    "state",
                    models.CharField(
                        help_text="Of what it tells of the registry.",
                        max_length=100,
                        verbose_name="state",
                    ),
                ),
                ("release", models.CharField(max_length=64, verbose_name="release that built it")),
                (
                    "line",
                    models.PositiveIntegerField(
                        help_text="The last line of the journal when it was begun.",
                        verbose_name="line",
                    ),
                ),
                ("built_at", models.DateTimeField(verbose_name="built")),
                ("seconds", models.FloatField(verbose_name="seconds it took")),
                (
                    "note",
                    models.TextField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="By the key of the log, about a dump; empty until it is signed.",
                        verbose_name="signed note",
                    ),
                ),
            ],
            options={
                "verbose_name": "built file",
                "verbose_name_plural": "built files",
                "ordering": ["name", "-id"],
            },
        ),
        migrations.CreateModel(
            name="ClockPosition",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("last_line", models.PositiveIntegerField()),
                ("settings_sha256", models.CharField(max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="Counter",
            fields=[
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("value", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="IANASnapshot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "sha256",
                    models.CharField(
                        max_length=64, unique=True, verbose_name="SHA-256 of the octets"
                    ),
                ),
                ("address", models.CharField(max_length=500, verbose_name="where it was read")),
                ("content", models.BinaryField(verbose_name="octets")),
                (
                    "updated_on",
                    models.CharField(blank=True, max_length=10, verbose_name="its own date"),
                ),
                (
                    "changes",
                    models.PositiveIntegerField(
                        default=0, verbose_name="how many entries differed when it was read"
                    ),
                ),
                ("read_at", models.DateTimeField(verbose_name="read")),
            ],
            options={
                "verbose_name": "reading of IANA's list",
                "verbose_name_plural": "readings of IANA's list",
                "ordering": ["-read_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="LogOrigin",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "origin",
                    models.CharField(max_length=200, unique=True, verbose_name="name of the log"),
                ),
                (
                    "entry",
                    models.TextField(
                        help_text="Canonical JSON (RFC 8785).", verbose_name="entry 0"
                    ),
                ),
                ("begun_at", models.DateTimeField(verbose_name="begun")),
            ],
            options={
                "verbose_name": "log",
                "verbose_name_plural": "logs",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Namespace",
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
                        help_text="In lower case, as it is compared.",
                        max_length=32,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "\\A[A-Za-z0-9][A-Za-z0-9-]{1,31}+(?<!-)\\Z"
                            )
                        ],
                        verbose_name="NID",
                    ),
                ),
                (
                    "nid_as_registered",
                    models.CharField(max_length=32, verbose_name="spelling as registered"),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("formal", "Formal"), ("informal", "Informal")],
                        max_length=8,
                        verbose_name="kind",
                    ),
                ),
                (
                    "informal_number",
                    models.PositiveIntegerField(
                        blank=True, null=True, unique=True, verbose_name="informal number"
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("active", "Active"),
                            ("deprecated", "Deprecated"),
                            ("obsolete", "Obsolete"),
                        ],
                        default="active",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                (
                    "notice",
                    models.TextField(
                        blank=True,
                        help_text="Why it is deprecated or obsolete, and what to use instead.",
                        verbose_name="notice",
                    ),
                ),
                (
                    "summary",
                    models.CharField(
                        blank=True,
                        help_text="A few words for lists.",
                        max_length=200,
                        verbose_name="what its names name",
                    ),
                ),
                (
                    "background",
                    models.CharField(
                        blank=True,
                        help_text="What to know of its documents, such as that the first is Historic.",
                        max_length=200,
                        verbose_name="background",
                    ),
                ),
                ("contact", models.TextField(blank=True, verbose_name="contact")),
                (
                    "references",
                    models.JSONField(blank=True, default=list, verbose_name="documents of record"),
                ),
                (
                    "registered_on",
                    models.CharField(
                        blank=True,
                        help_text="2026-11-20, 2026-11 or empty: as precise as it is known.",
                        max_length=10,
                        validators=[registry.validators.validate_partial_date],
                        verbose_name="registered on",
                    ),
                ),
                (
                    "last_known_version",
                    models.CharField(
                        blank=True,
                        help_text="Of an imported namespace, as its template said it.",
                        max_length=20,
                        verbose_name="last known version",
                    ),
                ),
                (
                    "iana_reference",
                    models.CharField(
                        blank=True,
                        help_text="By what IANA knows the entry: a ticket such as IANA #1234567, or an address.",
                        max_length=300,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="IANA reference",
                    ),
                ),
                (
                    "contact_confirmed_on",
                    models.DateField(
                        blank=True,
                        help_text="When somebody last said that the contact is right; a letter asks each year.",
                        null=True,
                        verbose_name="contact confirmed on",
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True, verbose_name="updated")),
                (
                    "replaced_by",
                    models.ForeignKey(
                        blank=True,
                        help_text="What to use instead of a deprecated or obsolete one; nobody is redirected.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaces",
                        to="registry.namespace",
                        verbose_name="replaced by",
                    ),
                ),
            ],
            options={
                "verbose_name": "namespace",
                "verbose_name_plural": "namespaces",
                "ordering": ["nid"],
            },
        ),
        migrations.CreateModel(
            name="QueryKeyword",
            fields=[
                (
                    "keyword",
                    models.CharField(
                        max_length=40, primary_key=True, serialize=False, verbose_name="keyword"
                    ),
                ),
                ("purpose", models.CharField(max_length=120, verbose_name="purpose")),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("global", "Every namespace that adopts it"),
                            ("specific", "Certain namespaces"),
                        ],
                        default="global",
                        max_length=8,
                        verbose_name="scope",
                    ),
                ),
                ("reference", models.CharField(max_length=200, verbose_name="defining document")),
                (
                    "supported_by",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Pairs of a NID and a reference.",
                        verbose_name="supported by",
                    ),
                ),
                ("updated_at", models.DateTimeField(auto_now=True, verbose_name="updated")),
            ],
            options={
                "verbose_name": "query keyword",
                "verbose_name_plural": "query keywords",
                "ordering": ["keyword"],
            },
        ),
        migrations.CreateModel(
            name="RateLimit",
            fields=[
                (
                    "key",
                    models.CharField(
                        help_text="What is limited, and for whom.",
                        max_length=200,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("used", models.PositiveIntegerField()),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="RegistrationRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "reference",
                    models.CharField(
                        editable=False, max_length=14, unique=True, verbose_name="reference"
                    ),
                ),
                (
                    "change",
                    models.CharField(
                        choices=[
                            ("new", "New namespace"),
                            ("revision", "Revision"),
                            ("contact", "Change of contact"),
                            ("reference", "Change of reference"),
                            ("transfer", "Transfer"),
                            ("status", "Change of status"),
                            ("rename", "Change of the registrant’s name"),
                        ],
                        default="new",
                        max_length=10,
                        verbose_name="change",
                    ),
                ),
                (
                    "path",
                    models.CharField(
                        choices=[
                            ("community", "Formal, expert review"),
                            ("fast_track", "Formal, fast track"),
                            ("informal", "Informal"),
                        ],
                        default="community",
                        max_length=10,
                        verbose_name="path",
                    ),
                ),
                (
                    "standards_action",
                    models.BooleanField(
                        default=False,
                        help_text="RFC 8141, section 6.4.1, item 7: a standards body then decides.",
                        verbose_name="to become part of a standard",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "Draft"),
                            ("in_review", "In review"),
                            ("changes_requested", "Changes asked for"),
                            ("approved", "Approved"),
                            ("reported", "With the standards body"),
                            ("advisory", "Fast track, advice open"),
                            ("declined", "Declined"),
                            ("appealed", "Under appeal"),
                            ("registered", "Registered"),
                            ("withdrawn", "Withdrawn"),
                            ("refused", "Refused"),
                            ("expired", "Expired"),
                        ],
                        default="draft",
                        editable=False,
                        max_length=20,
                        verbose_name="state",
                    ),
                ),
                (
                    "state_since",
                    models.DateTimeField(editable=False, verbose_name="in this state since"),
                ),
                (
                    "extended_to",
                    models.DateField(
                        blank=True,
                        editable=False,
                        help_text="Set by the lead expert; void as soon as the state changes.",
                        null=True,
                        verbose_name="promise extended to",
                    ),
                ),
                (
                    "paused_since",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="While only consent or recognition is missing.",
                        null=True,
                        verbose_name="days stand still since",
                    ),
                ),
                (
                    "paused_until",
                    models.DateTimeField(
                        blank=True, editable=False, null=True, verbose_name="days stood still until"
                    ),
                ),
                (
                    "revision",
                    models.PositiveIntegerField(default=0, editable=False, verbose_name="revision"),
                ),
                (
                    "nid",
                    models.CharField(
                        blank=True, db_index=True, max_length=200, verbose_name="NID asked for"
                    ),
                ),
                (
                    "summary",
                    models.CharField(
                        help_text="In a few words, as lists will show it.",
                        max_length=200,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="what the names will name",
                    ),
                ),
                ("created_at", models.DateTimeField(editable=False, verbose_name="started")),
                (
                    "start_key",
                    models.UUIDField(
                        editable=False,
                        help_text="Made with the form that started the request: a second click finds it again.",
                    ),
                ),
            ],
            options={
                "verbose_name": "request",
                "verbose_name_plural": "requests",
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="SchedulerDay",
            fields=[
                ("day", models.DateField(primary_key=True, serialize=False, verbose_name="day")),
                (
                    "lost_before",
                    models.PositiveIntegerField(default=0, verbose_name="days lost before"),
                ),
            ],
            options={
                "verbose_name": "day of the scheduler",
                "verbose_name_plural": "days of the scheduler",
                "ordering": ["day"],
            },
        ),
        migrations.CreateModel(
            name="SearchWord",
            fields=[
                (
                    "word",
                    models.CharField(
                        max_length=60, primary_key=True, serialize=False, verbose_name="word"
                    ),
                ),
                ("stem", models.CharField(db_index=True, max_length=60, verbose_name="stem")),
                ("documents", models.PositiveIntegerField(verbose_name="documents")),
            ],
            options={
                "verbose_name": "search word",
                "verbose_name_plural": "search words",
                "ordering": ["word"],
            },
        ),
        migrations.CreateModel(
            name="ServiceDesignator",
            fields=[
                (
                    "name",
                    models.CharField(
                        max_length=20, primary_key=True, serialize=False, verbose_name="name"
                    ),
                ),
                ("purpose", models.CharField(max_length=120, verbose_name="purpose")),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("std", "Standard"),
                            ("exp", "Experimental"),
                            ("provisional", "Provisional"),
                            ("deprecated", "Deprecated"),
                        ],
                        default="provisional",
                        max_length=12,
                        verbose_name="status",
                    ),
                ),
                ("reference", models.CharField(max_length=200, verbose_name="reference")),
                ("position", models.PositiveSmallIntegerField(default=0, verbose_name="position")),
                ("updated_at", models.DateTimeField(auto_now=True, verbose_name="updated")),
            ],
            options={
                "verbose_name": "resolution service designator",
                "verbose_name_plural": "resolution service designators",
                "ordering": ["position", "name"],
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "email",
                    models.EmailField(max_length=254, unique=True, verbose_name="mail address"),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="Shown beside what you write and decide.",
                        max_length=120,
                        validators=[registry.validators.validate_name_of_person],
                        verbose_name="name",
                    ),
                ),
                (
                    "delivery",
                    models.CharField(
                        choices=[
                            ("at_once", "At once, one letter for each step"),
                            ("digest", "Once a day, together"),
                        ],
                        default="at_once",
                        max_length=7,
                        verbose_name="letters about what I follow",
                    ),
                ),
                (
                    "has_shortcuts",
                    models.BooleanField(
                        default=True,
                        help_text="j and k for the next and the previous request of the queue.",
                        verbose_name="single-key shortcuts",
                    ),
                ),
                (
                    "queue_seen_at",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        null=True,
                        verbose_name="last looked at the queue",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Switch off instead of deleting: what was done stays.",
                        verbose_name="active",
                    ),
                ),
                (
                    "is_staff",
                    models.BooleanField(default=False, verbose_name="may enter the administration"),
                ),
                (
                    "session_epoch",
                    models.PositiveIntegerField(
                        default=0,
                        editable=False,
                        help_text="Part of what every session is checked by: raising it ends them all.",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False, verbose_name="joined"
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "account",
                "verbose_name_plural": "accounts",
                "ordering": ["email"],
            },
        ),
        migrations.CreateModel(
            name="Dates",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "decision_days",
                    models.PositiveSmallIntegerField(
                        default=28,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="a decision is promised and comments are invited",
                    ),
                ),
                (
                    "first_reminder_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="first reminder",
                    ),
                ),
                (
                    "second_reminder_days",
                    models.PositiveSmallIntegerField(
                        default=14,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="second reminder",
                    ),
                ),
                (
                    "third_reminder_days",
                    models.PositiveSmallIntegerField(
                        default=30,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="third reminder; somebody else can act",
                    ),
                ),
                (
                    "repeat_days",
                    models.PositiveSmallIntegerField(
                        default=30,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="between later reminders",
                    ),
                ),
                (
                    "idle_days",
                    models.PositiveSmallIntegerField(
                        default=180,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="an idle request expires",
                    ),
                ),
                (
                    "waiting_days",
                    models.PositiveSmallIntegerField(
                        default=7,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="waiting period where somebody on record is there",
                    ),
                ),
                (
                    "long_waiting_days",
                    models.PositiveSmallIntegerField(
                        default=28,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="waiting period where nobody is, in public",
                    ),
                ),
                (
                    "appeal_days",
                    models.PositiveSmallIntegerField(
                        default=60,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="a decision can be appealed",
                    ),
                ),
                (
                    "hold_days",
                    models.PositiveSmallIntegerField(
                        default=365,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(365),
                        ],
                        verbose_name="an identifier is held back at most",
                    ),
                ),
            ],
            options={
                "verbose_name": "dates",
                "verbose_name_plural": "dates",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("pk", 1)), name="dates_one_row")
                ],
            },
        ),
        migrations.CreateModel(
            name="LocatorTable",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("file_name", models.CharField(max_length=200, verbose_name="file")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waits to be loaded"),
                            ("loading", "Being loaded"),
                            ("current", "In use"),
                            ("replaced", "Replaced by a newer one"),
                            ("refused", "Refused"),
                            ("stopped", "Stopped before its end"),
                            ("dropped", "Taken away"),
                        ],
                        max_length=8,
                        verbose_name="state",
                    ),
                ),
                (
                    "sha256",
                    models.CharField(blank=True, max_length=64, verbose_name="SHA-256 of the file"),
                ),
                (
                    "locators_sha256",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        max_length=64,
                        verbose_name="SHA-256 of the locators",
                    ),
                ),
                (
                    "bytes_given",
                    models.PositiveBigIntegerField(blank=True, null=True, verbose_name="bytes"),
                ),
                (
                    "bytes_read",
                    models.PositiveBigIntegerField(default=0, verbose_name="bytes read"),
                ),
                ("rows_read", models.PositiveBigIntegerField(default=0, verbose_name="rows read")),
                ("rows", models.PositiveBigIntegerField(default=0, verbose_name="rows")),
                (
                    "refused",
                    models.PositiveBigIntegerField(default=0, verbose_name="refused lines"),
                ),
                ("report", models.JSONField(default=list, verbose_name="report of refused lines")),
                (
                    "compared_by",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Empty where nothing is added to RFC 8141, section 3.1.",
                        max_length=64,
                        verbose_name="digest of what names were compared by",
                    ),
                ),
                ("started_at", models.DateTimeField(verbose_name="started")),
                ("moved_at", models.DateTimeField(verbose_name="last progress")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                (
                    "loaded_by",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty where whoever runs the registry loaded it.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="locator_tables",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="loaded by",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="locator_tables",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
            ],
            options={
                "verbose_name": "locator table",
                "verbose_name_plural": "locator tables",
                "ordering": ["-started_at"],
            },
        ),
        migrations.CreateModel(
            name="Locator",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "table",
                        "key",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("key", models.BinaryField(max_length=16)),
                ("name", models.CharField(max_length=2000, verbose_name="name")),
                ("locator", models.CharField(max_length=2000, verbose_name="locator")),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="locators",
                        to="registry.locatortable",
                    ),
                ),
            ],
            options={
                "verbose_name": "locator",
                "verbose_name_plural": "locators",
            },
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(verbose_name="number within the request")),
                ("author_name", models.CharField(max_length=120, verbose_name="name at that time")),
                ("posted_at", models.DateTimeField(verbose_name="posted")),
                ("text", models.TextField(verbose_name="text")),
                (
                    "audience",
                    models.CharField(
                        choices=[("public", "Everybody"), ("experts", "Experts only")],
                        default="public",
                        max_length=8,
                        verbose_name="who reads it",
                    ),
                ),
                (
                    "channel",
                    models.CharField(
                        choices=[("site", "This site"), ("list", "The mailing list")],
                        default="site",
                        max_length=4,
                        verbose_name="came from",
                    ),
                ),
                (
                    "is_sender_verified",
                    models.BooleanField(
                        default=False,
                        help_text="Whether the author was signed in; a letter only claims whom it is from.",
                        verbose_name="sender verified",
                    ),
                ),
                (
                    "sender_digest",
                    models.CharField(
                        blank=True,
                        db_default="",
                        default="",
                        help_text="Of a letter from somebody without an account: what they sent is found by it.",
                        max_length=64,
                        verbose_name="digest of the sender’s address",
                    ),
                ),
                (
                    "message_id",
                    models.CharField(
                        help_text="RFC 5322, section 3.6.4.",
                        max_length=250,
                        unique=True,
                        verbose_name="Message-ID",
                    ),
                ),
                ("section", models.CharField(blank=True, max_length=40, verbose_name="section")),
                (
                    "mark",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("advice", "Advice of an expert"),
                            ("invited", "Advice by invitation"),
                            ("challenge", "Challenge of an expert"),
                            ("answer", "Answer to a challenge"),
                        ],
                        max_length=9,
                        verbose_name="what it is",
                    ),
                ),
                ("hidden_at", models.DateTimeField(blank=True, null=True, verbose_name="hidden")),
                (
                    "hidden_reason",
                    models.CharField(blank=True, max_length=300, verbose_name="reason for hiding"),
                ),
                ("key", models.UUIDField(editable=False, null=True)),
                (
                    "answers",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answered_by",
                        to="registry.message",
                        verbose_name="in answer to",
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty for a letter from somebody without an account.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="messages",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="author",
                    ),
                ),
                (
                    "challenged",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="challenges",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="expert challenged",
                    ),
                ),
                (
                    "hidden_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="hidden_messages",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="hidden by",
                    ),
                ),
            ],
            options={
                "verbose_name": "message",
                "verbose_name_plural": "messages",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Provenance",
            fields=[
                (
                    "namespace",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="provenance",
                        serialize=False,
                        to="registry.namespace",
                    ),
                ),
                ("source", models.CharField(max_length=200, verbose_name="source")),
                (
                    "is_verified",
                    models.BooleanField(default=False, verbose_name="reference checked"),
                ),
                (
                    "registered_source",
                    models.CharField(blank=True, max_length=20, verbose_name="source of the date"),
                ),
                (
                    "template_url",
                    models.URLField(blank=True, verbose_name="address of the template at IANA"),
                ),
                (
                    "template_date",
                    models.CharField(
                        blank=True,
                        max_length=10,
                        validators=[registry.validators.validate_partial_date],
                        verbose_name="date in the template",
                    ),
                ),
                (
                    "template_generation",
                    models.CharField(
                        blank=True, max_length=40, verbose_name="generation of the template"
                    ),
                ),
            ],
            options={
                "verbose_name": "provenance",
                "verbose_name_plural": "provenances",
            },
        ),
        migrations.CreateModel(
            name="ImportedRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "nid",
                    models.TextField(blank=True, default="", verbose_name="Namespace Identifier"),
                ),
                ("version", models.TextField(blank=True, default="", verbose_name="Version")),
                ("date", models.TextField(blank=True, default="", verbose_name="Date")),
                ("registrant", models.TextField(blank=True, default="", verbose_name="Registrant")),
                ("purpose", models.TextField(blank=True, default="", verbose_name="Purpose")),
                ("syntax", models.TextField(blank=True, default="", verbose_name="Syntax")),
                ("assignment", models.TextField(blank=True, default="", verbose_name="Assignment")),
                (
                    "security_privacy",
                    models.TextField(blank=True, default="", verbose_name="Security and Privacy"),
                ),
                (
                    "interoperability",
                    models.TextField(blank=True, default="", verbose_name="Interoperability"),
                ),
                ("resolution", models.TextField(blank=True, default="", verbose_name="Resolution")),
                (
                    "documentation",
                    models.TextField(blank=True, default="", verbose_name="Documentation"),
                ),
                (
                    "additional_information",
                    models.TextField(blank=True, default="", verbose_name="Additional Information"),
                ),
                (
                    "revision_information",
                    models.TextField(blank=True, default="", verbose_name="Revision Information"),
                ),
                (
                    "grammar_kind",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Not given"),
                            ("abnf", "ABNF"),
                            ("regex", "Regular expression"),
                            ("opaque", "Opaque: names have no structure to check"),
                            ("algorithmic", "Made by an algorithm"),
                        ],
                        max_length=12,
                        verbose_name="structure given as",
                    ),
                ),
                ("grammar", models.TextField(blank=True, verbose_name="formal grammar")),
                ("examples", models.JSONField(blank=True, default=list, verbose_name="examples")),
                (
                    "counter_examples",
                    models.JSONField(blank=True, default=list, verbose_name="counter-examples"),
                ),
                (
                    "equivalence",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Statements, one an entry; nothing is declared where there is none.",
                        verbose_name="when two names are the same",
                    ),
                ),
                ("prior_use", models.TextField(blank=True, verbose_name="prior unregistered use")),
                (
                    "known_issues",
                    models.CharField(
                        blank=True,
                        choices=[("", "Not answered"), ("yes", "Yes"), ("none", "None known")],
                        max_length=4,
                        verbose_name="interoperability issues known",
                    ),
                ),
                (
                    "resolution_intended",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Not answered"),
                            ("yes", "Yes"),
                            ("no", "No"),
                            ("undecided", "Not decided"),
                        ],
                        max_length=9,
                        verbose_name="resolution intended",
                    ),
                ),
                (
                    "resolution_operator",
                    models.TextField(
                        blank=True, default="", verbose_name="operator of the resolution service"
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(
                        help_text="Of the record among those of its namespace; not a version.",
                        verbose_name="number",
                    ),
                ),
                ("read_at", models.DateTimeField(verbose_name="read")),
                ("reader", models.CharField(max_length=40, verbose_name="version of the reader")),
                ("first_line", models.PositiveIntegerField(verbose_name="first line")),
                ("last_line", models.PositiveIntegerField(verbose_name="last line")),
                ("first_page", models.PositiveIntegerField(verbose_name="first page")),
                ("last_page", models.PositiveIntegerField(verbose_name="last page")),
                ("text", models.TextField(verbose_name="text as found")),
                (
                    "sha256",
                    models.CharField(max_length=64, verbose_name="SHA-256 of the text as found"),
                ),
                (
                    "generation",
                    models.CharField(
                        blank=True, max_length=8, verbose_name="generation of the template"
                    ),
                ),
                (
                    "is_update",
                    models.BooleanField(
                        default=False,
                        help_text="The document has no whole template: the rest stands in another one.",
                        verbose_name="replaces single fields",
                    ),
                ),
                (
                    "field_sources",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="By field: the labels, the lines, and what people should know of it.",
                        verbose_name="where the fields stand",
                    ),
                ),
                (
                    "left_over",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Passages within the template that belong to no field.",
                        verbose_name="what was not understood",
                    ),
                ),
                (
                    "remarks",
                    models.JSONField(
                        blank=True, default=list, verbose_name="remarks of the reader"
                    ),
                ),
                (
                    "doubts",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="What a person should look at.",
                        verbose_name="doubts",
                    ),
                ),
                (
                    "grammar_start",
                    models.CharField(
                        blank=True, max_length=200, verbose_name="rule that describes a name"
                    ),
                ),
                (
                    "corrected_fields",
                    models.JSONField(
                        blank=True, default=list, verbose_name="fields corrected by a person"
                    ),
                ),
                (
                    "correction_reason",
                    models.TextField(blank=True, verbose_name="why it was corrected"),
                ),
                (
                    "corrected_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrected_records",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="corrected by",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="imported_records",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
            ],
            options={
                "verbose_name": "imported record",
                "verbose_name_plural": "imported records",
                "ordering": ["namespace", "-number"],
            },
        ),
        migrations.CreateModel(
            name="Erratum",
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
                ("sent_at", models.DateTimeField(verbose_name="sent")),
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
                ("is_shown", models.BooleanField(default=False, verbose_name="shown")),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="errata",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
            ],
            options={
                "verbose_name": "erratum",
                "verbose_name_plural": "errata",
                "ordering": ["-sent_at", "-pk"],
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
                    "recorded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="recorded by",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disputes",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
            ],
            options={
                "verbose_name": "dispute or agreement",
                "verbose_name_plural": "disputes and agreements",
                "ordering": ["-recorded_at", "-pk"],
            },
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
            name="OfficerChange",
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
                            ("give_role", "Give a role"),
                            ("take_role", "Take a role"),
                            ("close_account", "Close an account"),
                            ("change_address", "Change a mail address"),
                            ("reset_factor", "Reset a second factor"),
                        ],
                        max_length=20,
                        verbose_name="what",
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("designated expert", "Designated expert"),
                            ("lead expert", "Lead expert"),
                            ("registrar", "Registrar"),
                            ("standards body", "Standards body"),
                            ("administrator", "Administrator"),
                        ],
                        max_length=20,
                        verbose_name="role",
                    ),
                ),
                (
                    "address",
                    models.EmailField(blank=True, max_length=254, verbose_name="new mail address"),
                ),
                (
                    "reason",
                    models.TextField(
                        blank=True,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="reason",
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=secrets.token_urlsafe, editable=False, max_length=64, unique=True
                    ),
                ),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                ("stopped_at", models.DateTimeField(blank=True, null=True, verbose_name="stopped")),
                ("objection", models.TextField(blank=True, verbose_name="why it was stopped")),
                (
                    "first_decision",
                    models.BooleanField(blank=True, null=True, verbose_name="what they decided"),
                ),
                ("decision", models.TextField(blank=True, verbose_name="reasons of the decision")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="at an end")),
                ("is_in_effect", models.BooleanField(default=False, verbose_name="in effect")),
                (
                    "asked_by",
                    models.ForeignKey(
                        help_text="Empty where it was the operator, by a command.",
                        null=True,
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
                (
                    "first_decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="first of two administrators",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="officer_changes",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="whose account",
                    ),
                ),
                (
                    "stopped_by",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty where it was the operator.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="stopped by",
                    ),
                ),
            ],
            options={
                "verbose_name": "change of officers",
                "verbose_name_plural": "changes of officers",
                "ordering": ["-asked_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Organization",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=200,
                        validators=[registry.validators.validate_name],
                        verbose_name="name",
                    ),
                ),
                ("website", models.URLField(blank=True, verbose_name="website")),
                (
                    "website_source",
                    models.CharField(
                        blank=True, max_length=300, verbose_name="where the website is known from"
                    ),
                ),
                (
                    "evidence",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Other names, public identifiers and bodies that it is not, each with `kind`, `value`, `source` and, while a second officer has to confirm it, `recorded_by`.",
                        verbose_name="evidence",
                    ),
                ),
                (
                    "recognised_on",
                    models.DateField(
                        blank=True,
                        help_text="When a standards body recognised it for the fast track.",
                        null=True,
                        verbose_name="recognised on",
                    ),
                ),
                (
                    "recognition_source",
                    models.CharField(
                        blank=True, max_length=300, verbose_name="where the recognition is recorded"
                    ),
                ),
            ],
            options={
                "verbose_name": "organization",
                "verbose_name_plural": "organizations",
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("name"),
                        name="organization_name_unique",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("recognised_on__isnull", True),
                            models.Q(("recognition_source", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="organization_recognition_says_where",
                        violation_error_message="Say where the recognition is recorded.",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="namespace",
            name="registrant",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="namespaces",
                to="registry.organization",
                verbose_name="registrant",
            ),
        ),
        migrations.CreateModel(
            name="ConflictOfInterest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=300, verbose_name="reason")),
                ("declared_at", models.DateTimeField(verbose_name="declared")),
                (
                    "expert",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="conflicts",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="expert",
                    ),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="conflicts",
                        to="registry.organization",
                        verbose_name="organization",
                    ),
                ),
            ],
            options={
                "verbose_name": "declared conflict",
                "verbose_name_plural": "declared conflicts",
                "ordering": ["declared_at"],
            },
        ),
        migrations.AddField(
            model_name="user",
            name="organization",
            field=models.ForeignKey(
                blank=True,
                help_text="The body this person belongs to; its requests are not theirs to judge.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="people",
                to="registry.organization",
                verbose_name="organization",
            ),
        ),
        migrations.CreateModel(
            name="Recognition",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "statement",
                    models.TextField(
                        help_text="Which standards organization, scientific society or similar body.",
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="what kind of body it is",
                    ),
                ),
                ("is_granted", models.BooleanField(blank=True, null=True, verbose_name="granted")),
                ("decided_at", models.DateTimeField(blank=True, null=True, verbose_name="decided")),
                (
                    "reasons",
                    models.TextField(blank=True, verbose_name="reasons, or where it is recorded"),
                ),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="recognitions",
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
                        related_name="decided_recognitions",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="decided by",
                    ),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="recognitions",
                        to="registry.organization",
                        verbose_name="organization",
                    ),
                ),
            ],
            options={
                "verbose_name": "recognition asked for",
                "verbose_name_plural": "recognitions asked for",
                "ordering": ["asked_at"],
            },
        ),
        migrations.CreateModel(
            name="RecordContact",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(max_length=254, verbose_name="mail address")),
                ("source", models.CharField(max_length=300, verbose_name="how it was confirmed")),
                ("confirmed_at", models.DateTimeField(verbose_name="confirmed")),
                (
                    "confirmed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="confirmed_contacts",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="confirmed by",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="record_contacts",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
                (
                    "record",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="registry.importedrecord",
                        verbose_name="record that gives it",
                    ),
                ),
            ],
            options={
                "verbose_name": "confirmed contact",
                "verbose_name_plural": "confirmed contacts",
                "ordering": ["namespace", "address"],
            },
        ),
        migrations.CreateModel(
            name="RequestCheck",
            fields=[
                (
                    "registration_request",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="registry.registrationrequest",
                    ),
                ),
                ("due_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.AddField(
            model_name="registrationrequest",
            name="author",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="requests",
                to=settings.AUTH_USER_MODEL,
                verbose_name="author",
            ),
        ),
        migrations.AddField(
            model_name="registrationrequest",
            name="co_editors",
            field=models.ManyToManyField(
                blank=True,
                related_name="co_edited_requests",
                to=settings.AUTH_USER_MODEL,
                verbose_name="co-editors",
            ),
        ),
        migrations.AddField(
            model_name="registrationrequest",
            name="namespace",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="requests",
                to="registry.namespace",
                verbose_name="namespace",
            ),
        ),
        migrations.AddField(
            model_name="registrationrequest",
            name="organization",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="requests",
                to="registry.organization",
                verbose_name="organization",
            ),
        ),
        migrations.AddField(
            model_name="registrationrequest",
            name="reopens",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                help_text="The request that was withdrawn or expired, and that this one takes up.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reopened_as",
                to="registry.registrationrequest",
                verbose_name="goes on from",
            ),
        ),
        migrations.CreateModel(
            name="Registration",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "nid",
                    models.TextField(blank=True, default="", verbose_name="Namespace Identifier"),
                ),
                ("version", models.TextField(blank=True, default="", verbose_name="Version")),
                ("date", models.TextField(blank=True, default="", verbose_name="Date")),
                ("registrant", models.TextField(blank=True, default="", verbose_name="Registrant")),
                ("purpose", models.TextField(blank=True, default="", verbose_name="Purpose")),
                ("syntax", models.TextField(blank=True, default="", verbose_name="Syntax")),
                ("assignment", models.TextField(blank=True, default="", verbose_name="Assignment")),
                (
                    "security_privacy",
                    models.TextField(blank=True, default="", verbose_name="Security and Privacy"),
                ),
                (
                    "interoperability",
                    models.TextField(blank=True, default="", verbose_name="Interoperability"),
                ),
                ("resolution", models.TextField(blank=True, default="", verbose_name="Resolution")),
                (
                    "documentation",
                    models.TextField(blank=True, default="", verbose_name="Documentation"),
                ),
                (
                    "additional_information",
                    models.TextField(blank=True, default="", verbose_name="Additional Information"),
                ),
                (
                    "revision_information",
                    models.TextField(blank=True, default="", verbose_name="Revision Information"),
                ),
                (
                    "grammar_kind",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Not given"),
                            ("abnf", "ABNF"),
                            ("regex", "Regular expression"),
                            ("opaque", "Opaque: names have no structure to check"),
                            ("algorithmic", "Made by an algorithm"),
                        ],
                        max_length=12,
                        verbose_name="structure given as",
                    ),
                ),
                ("grammar", models.TextField(blank=True, verbose_name="formal grammar")),
                (
                    "grammar_start",
                    models.CharField(
                        blank=True,
                        default="",
                        max_length=200,
                        verbose_name="rule that describes a name",
                    ),
                ),
                ("examples", models.JSONField(blank=True, default=list, verbose_name="examples")),
                (
                    "counter_examples",
                    models.JSONField(blank=True, default=list, verbose_name="counter-examples"),
                ),
                (
                    "equivalence",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Statements, one an entry; nothing is declared where there is none.",
                        verbose_name="when two names are the same",
                    ),
                ),
                ("prior_use", models.TextField(blank=True, verbose_name="prior unregistered use")),
                (
                    "known_issues",
                    models.CharField(
                        blank=True,
                        choices=[("", "Not answered"), ("yes", "Yes"), ("none", "None known")],
                        max_length=4,
                        verbose_name="interoperability issues known",
                    ),
                ),
                (
                    "resolution_intended",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Not answered"),
                            ("yes", "Yes"),
                            ("no", "No"),
                            ("undecided", "Not decided"),
                        ],
                        max_length=9,
                        verbose_name="resolution intended",
                    ),
                ),
                (
                    "resolution_operator",
                    models.TextField(
                        blank=True, default="", verbose_name="operator of the resolution service"
                    ),
                ),
                ("number", models.PositiveIntegerField(verbose_name="version")),
                (
                    "number_source",
                    models.CharField(
                        blank=True,
                        max_length=300,
                        verbose_name="where the last version is known from",
                    ),
                ),
                ("registered_on", models.DateField(verbose_name="registered on")),
                ("sha256", models.CharField(max_length=64, verbose_name="SHA-256 of the text")),
                (
                    "text_licence",
                    models.CharField(
                        blank=True,
                        help_text="By its SPDX identifier, as the round says that was published.",
                        max_length=30,
                        verbose_name="licence of the text",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="registrations",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
                (
                    "registration_request",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="registration",
                        to="registry.registrationrequest",
                        verbose_name="request",
                    ),
                ),
            ],
            options={
                "verbose_name": "registration",
                "verbose_name_plural": "registrations",
                "ordering": ["namespace", "-number"],
            },
        ),
        migrations.CreateModel(
            name="ReadMarker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("last_event", models.PositiveIntegerField(default=0)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="read_markers",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="read_markers",
                        to="registry.registrationrequest",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PendingComment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.TextField(verbose_name="text")),
                ("section", models.CharField(blank=True, max_length=40, verbose_name="section")),
                (
                    "mark",
                    models.CharField(
                        blank=True,
                        help_text="As the form names it.",
                        max_length=40,
                        verbose_name="what it is",
                    ),
                ),
                ("key", models.UUIDField(editable=False)),
                ("written_at", models.DateTimeField(verbose_name="written")),
                ("publish_at", models.DateTimeField(verbose_name="published from")),
                (
                    "refusal",
                    models.TextField(
                        blank=True,
                        help_text="The discussion closed within the minute.",
                        verbose_name="why it was not published",
                    ),
                ),
                (
                    "answers",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pending_answers",
                        to="registry.message",
                        verbose_name="in answer to",
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pending_comments",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="author",
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pending_comments",
                        to="registry.registrationrequest",
                        verbose_name="request",
                    ),
                ),
            ],
            options={
                "verbose_name": "comment not public yet",
                "verbose_name_plural": "comments not public yet",
                "ordering": ["written_at"],
            },
        ),
        migrations.AddField(
            model_name="message",
            name="registration_request",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="messages",
                to="registry.registrationrequest",
                verbose_name="request",
            ),
        ),
        migrations.CreateModel(
            name="MailedTemplate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "message_id",
                    models.CharField(max_length=250, unique=True, verbose_name="Message-ID"),
                ),
                (
                    "is_from_list",
                    models.BooleanField(default=False, verbose_name="came by the discussion list"),
                ),
                (
                    "address",
                    models.EmailField(
                        blank=True,
                        help_text="Which the letter claims; asked by a letter.",
                        max_length=254,
                        verbose_name="mail address",
                    ),
                ),
                ("subject", models.CharField(blank=True, max_length=250, verbose_name="subject")),
                ("text", models.TextField(blank=True, verbose_name="text")),
                ("received_at", models.DateTimeField(verbose_name="received")),
                (
                    "key",
                    models.CharField(
                        default=secrets.token_urlsafe, editable=False, max_length=64, unique=True
                    ),
                ),
                (
                    "registration_request",
                    models.OneToOneField(
                        blank=True,
                        help_text="Whose draft was made of it.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mailed_template",
                        to="registry.registrationrequest",
                        verbose_name="request",
                    ),
                ),
            ],
            options={
                "verbose_name": "mailed template",
                "verbose_name_plural": "mailed templates",
                "ordering": ["received_at"],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "address",
                    models.EmailField(
                        help_text="In lower case.", max_length=254, verbose_name="mail address"
                    ),
                ),
                ("invited_at", models.DateTimeField(verbose_name="invited")),
                (
                    "key",
                    models.CharField(
                        default=secrets.token_urlsafe, editable=False, max_length=64, unique=True
                    ),
                ),
                (
                    "closed_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="When it was followed, or taken back.",
                        null=True,
                        verbose_name="closed",
                    ),
                ),
                (
                    "invited_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations_made",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="invited by",
                    ),
                ),
                (
                    "joined_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="invitations_followed",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="joined by",
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="registry.registrationrequest",
                        verbose_name="request",
                    ),
                ),
            ],
            options={
                "verbose_name": "invitation",
                "verbose_name_plural": "invitations",
                "ordering": ["invited_at"],
            },
        ),
        migrations.CreateModel(
            name="Follow",
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
                        blank=True, help_text="In lower case.", max_length=200, verbose_name="NID"
                    ),
                ),
                ("since", models.DateTimeField(verbose_name="since")),
                (
                    "key",
                    models.CharField(
                        default=registry.models.notification.make_follow_key,
                        editable=False,
                        help_text="Whoever has it may end the following, without signing in (RFC 8058).",
                        max_length=64,
                        unique=True,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="follows",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="follows",
                        to="registry.registrationrequest",
                        verbose_name="request",
                    ),
                ),
            ],
            options={
                "verbose_name": "follow",
                "verbose_name_plural": "follows",
                "ordering": ["since"],
            },
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(unique=True, verbose_name="number")),
                ("at", models.DateTimeField(verbose_name="when")),
                ("actor_name", models.CharField(max_length=120, verbose_name="name at that time")),
                ("verb", models.CharField(max_length=40, verbose_name="what")),
                ("subject", models.CharField(max_length=200, verbose_name="to what")),
                ("source", models.CharField(blank=True, max_length=20, verbose_name="from state")),
                ("target", models.CharField(blank=True, max_length=20, verbose_name="to state")),
                ("comment", models.TextField(blank=True, verbose_name="why")),
                ("data", models.JSONField(blank=True, default=dict, verbose_name="details")),
                (
                    "rows",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="By table and key, what the row said before the act and after it.",
                        verbose_name="digests of rows",
                    ),
                ),
                (
                    "entry",
                    models.TextField(
                        help_text="Canonical JSON (RFC 8785).", verbose_name="entry of the log"
                    ),
                ),
                (
                    "statement",
                    models.TextField(
                        blank=True,
                        help_text="Where the entry is sealed, what it commits to.",
                        verbose_name="what is sealed",
                    ),
                ),
                (
                    "actor_salt",
                    models.CharField(blank=True, max_length=32, verbose_name="salt of the name"),
                ),
                (
                    "details_salt",
                    models.CharField(blank=True, max_length=32, verbose_name="salt of the details"),
                ),
                (
                    "seal_salt",
                    models.CharField(blank=True, max_length=32, verbose_name="salt of the seal"),
                ),
                (
                    "digest",
                    models.CharField(
                        help_text="The hash of the entry as a leaf of the log (RFC 9162, section 2.1.1).",
                        max_length=64,
                        unique=True,
                        verbose_name="digest",
                    ),
                ),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="who",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="registry.registrationrequest",
                        verbose_name="request",
                    ),
                ),
            ],
            options={
                "verbose_name": "event",
                "verbose_name_plural": "events",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="DismissedFinding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("check_name", models.CharField(max_length=80, verbose_name="check")),
                ("section", models.CharField(blank=True, max_length=40, verbose_name="section")),
                ("word", models.CharField(max_length=300, verbose_name="why")),
                ("at", models.DateTimeField(verbose_name="dismissed")),
                ("round_number", models.PositiveIntegerField(verbose_name="public with round")),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dismissed_findings",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="dismissed by",
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="dismissed_findings",
                        to="registry.registrationrequest",
                        verbose_name="request",
                    ),
                ),
            ],
            options={
                "verbose_name": "dismissed note",
                "verbose_name_plural": "dismissed notes",
                "ordering": ["at"],
            },
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("assigned_at", models.DateTimeField(verbose_name="since")),
                (
                    "declared_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="By taking it, or by the first act of an expert who was put on it.",
                        null=True,
                        verbose_name="declared free of conflict",
                    ),
                ),
                (
                    "is_temporary",
                    models.BooleanField(
                        default=False,
                        help_text="Put on it by the standards body, because no designated expert can judge it.",
                        verbose_name="for this request alone",
                    ),
                ),
                ("due_on", models.DateField(blank=True, null=True, verbose_name="due on")),
                (
                    "unable_since",
                    models.DateTimeField(
                        blank=True,
                        help_text="Noted by the clock, and taken back by it once the expert can again.",
                        null=True,
                        verbose_name="cannot judge it since",
                    ),
                ),
                (
                    "recused_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="stepped back"),
                ),
                ("reason", models.TextField(blank=True, verbose_name="reason for stepping back")),
                (
                    "expert",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="expert",
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="registry.registrationrequest",
                        verbose_name="request",
                    ),
                ),
            ],
            options={
                "verbose_name": "assignment",
                "verbose_name_plural": "assignments",
                "ordering": ["assigned_at"],
            },
        ),
        migrations.CreateModel(
            name="Reminder",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("since", models.DateTimeField()),
                ("at", models.DateTimeField()),
                (
                    "recognition",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reminders",
                        to="registry.recognition",
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reminders",
                        to="registry.registrationrequest",
                    ),
                ),
            ],
            options={
                "ordering": ["at"],
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "page",
                    models.CharField(
                        blank=True,
                        help_text="The path that it is about.",
                        max_length=500,
                        verbose_name="page",
                    ),
                ),
                (
                    "text",
                    models.TextField(
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="text",
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=200, verbose_name="name")),
                (
                    "address",
                    models.EmailField(blank=True, max_length=254, verbose_name="mail address"),
                ),
                ("sent_at", models.DateTimeField(verbose_name="sent")),
                ("closed_at", models.DateTimeField(blank=True, null=True, verbose_name="closed")),
                (
                    "answer",
                    models.TextField(
                        blank=True,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="answer",
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        help_text="Where they were signed in.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="author",
                    ),
                ),
                (
                    "closed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="closed_reports",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="closed by",
                    ),
                ),
            ],
            options={
                "verbose_name": "report of a reader",
                "verbose_name_plural": "reports of readers",
                "ordering": ["-sent_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="ReservedName",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "list",
                    models.CharField(
                        choices=[
                            ("scheme", "URI scheme"),
                            ("country", "ISO 3166-1 code"),
                            ("domain", "Top-level domain"),
                            ("system", "Identifier system"),
                            ("registry", "Kept back by the registry"),
                        ],
                        max_length=12,
                        verbose_name="list",
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="In lower case.", max_length=63, verbose_name="name"
                    ),
                ),
                (
                    "note",
                    models.CharField(blank=True, max_length=200, verbose_name="what it stands for"),
                ),
            ],
            options={
                "verbose_name": "reserved name",
                "verbose_name_plural": "reserved names",
                "ordering": ["name", "list"],
                "constraints": [
                    models.UniqueConstraint(fields=("list", "name"), name="reserved_name_unique"),
                    models.CheckConstraint(
                        condition=models.Q(("name", django.db.models.functions.text.Lower("name"))),
                        name="reserved_name_lower",
                        violation_error_message="Write the name in lower case.",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "nid",
                    models.TextField(blank=True, default="", verbose_name="Namespace Identifier"),
                ),
                ("version", models.TextField(blank=True, default="", verbose_name="Version")),
                ("date", models.TextField(blank=True, default="", verbose_name="Date")),
                ("registrant", models.TextField(blank=True, default="", verbose_name="Registrant")),
                ("purpose", models.TextField(blank=True, default="", verbose_name="Purpose")),
                ("syntax", models.TextField(blank=True, default="", verbose_name="Syntax")),
                ("assignment", models.TextField(blank=True, default="", verbose_name="Assignment")),
                (
                    "security_privacy",
                    models.TextField(blank=True, default="", verbose_name="Security and Privacy"),
                ),
                (
                    "interoperability",
                    models.TextField(blank=True, default="", verbose_name="Interoperability"),
                ),
                ("resolution", models.TextField(blank=True, default="", verbose_name="Resolution")),
                (
                    "documentation",
                    models.TextField(blank=True, default="", verbose_name="Documentation"),
                ),
                (
                    "additional_information",
                    models.TextField(blank=True, default="", verbose_name="Additional Information"),
                ),
                (
                    "revision_information",
                    models.TextField(blank=True, default="", verbose_name="Revision Information"),
                ),
                (
                    "grammar_kind",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Not given"),
                            ("abnf", "ABNF"),
                            ("regex", "Regular expression"),
                            ("opaque", "Opaque: names have no structure to check"),
                            ("algorithmic", "Made by an algorithm"),
                        ],
                        max_length=12,
                        verbose_name="structure given as",
                    ),
                ),
                ("grammar", models.TextField(blank=True, verbose_name="formal grammar")),
                (
                    "grammar_start",
                    models.CharField(
                        blank=True,
                        default="",
                        max_length=200,
                        verbose_name="rule that describes a name",
                    ),
                ),
                ("examples", models.JSONField(blank=True, default=list, verbose_name="examples")),
                (
                    "counter_examples",
                    models.JSONField(blank=True, default=list, verbose_name="counter-examples"),
                ),
                (
                    "equivalence",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Statements, one an entry; nothing is declared where there is none.",
                        verbose_name="when two names are the same",
                    ),
                ),
                ("prior_use", models.TextField(blank=True, verbose_name="prior unregistered use")),
                (
                    "known_issues",
                    models.CharField(
                        blank=True,
                        choices=[("", "Not answered"), ("yes", "Yes"), ("none", "None known")],
                        max_length=4,
                        verbose_name="interoperability issues known",
                    ),
                ),
                (
                    "resolution_intended",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Not answered"),
                            ("yes", "Yes"),
                            ("no", "No"),
                            ("undecided", "Not decided"),
                        ],
                        max_length=9,
                        verbose_name="resolution intended",
                    ),
                ),
                (
                    "resolution_operator",
                    models.TextField(
                        blank=True, default="", verbose_name="operator of the resolution service"
                    ),
                ),
                ("number", models.PositiveIntegerField(verbose_name="round")),
                ("edition", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "saved_at",
                    models.DateTimeField(default=django.utils.timezone.now, verbose_name="saved"),
                ),
                (
                    "based_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now,
                        editable=False,
                        verbose_name="begun from it, or brought up to date",
                    ),
                ),
                ("submitted_at", models.DateTimeField(blank=True, null=True, verbose_name="sent")),
                (
                    "comments_since",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="Earlier than it was sent if it only brings a text up to date.",
                        null=True,
                        verbose_name="comments invited since",
                    ),
                ),
                (
                    "sha256",
                    models.CharField(blank=True, max_length=64, verbose_name="SHA-256 of the text"),
                ),
                (
                    "findings",
                    models.JSONField(
                        blank=True, default=list, verbose_name="findings as they were"
                    ),
                ),
                (
                    "facts",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Of a change of contact, reference, registrant or status: what shall hold.",
                        verbose_name="facts asked for",
                    ),
                ),
                (
                    "text_licence",
                    models.CharField(
                        blank=True,
                        help_text="By its SPDX identifier, as whoever sent it agreed; empty where nobody did.",
                        max_length=30,
                        verbose_name="licence of the text",
                    ),
                ),
                (
                    "base",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="registry.registration",
                        verbose_name="written from version",
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rounds",
                        to="registry.registrationrequest",
                        verbose_name="request",
                    ),
                ),
            ],
            options={
                "verbose_name": "round",
                "verbose_name_plural": "rounds",
                "ordering": ["registration_request", "number"],
            },
        ),
        migrations.CreateModel(
            name="Remark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(verbose_name="number within the request")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                ("section", models.CharField(max_length=40, verbose_name="section")),
                ("quote", models.TextField(blank=True, verbose_name="passage")),
                (
                    "start",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="Counted from 0 in the section's text; empty for the whole section.",
                        null=True,
                        verbose_name="first character of the passage",
                    ),
                ),
                (
                    "weight",
                    models.CharField(
                        choices=[
                            ("must_fix", "Must fix"),
                            ("advice", "Advice"),
                            ("question", "Question"),
                        ],
                        max_length=8,
                        verbose_name="weight",
                    ),
                ),
                ("text", models.TextField(verbose_name="text")),
                (
                    "settlement",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("changed", "Changed"),
                            ("explained", "Explained"),
                            ("dropped", "Dropped"),
                        ],
                        default="open",
                        max_length=9,
                        verbose_name="what has become of it",
                    ),
                ),
                ("answer", models.TextField(blank=True, verbose_name="answer")),
                (
                    "draft_settlement",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("open", "Open"),
                            ("changed", "Changed"),
                            ("explained", "Explained"),
                            ("dropped", "Dropped"),
                        ],
                        max_length=9,
                        verbose_name="answer in preparation",
                    ),
                ),
                (
                    "draft_answer",
                    models.TextField(blank=True, verbose_name="text of the answer in preparation"),
                ),
                (
                    "answered_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answered_remarks",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="answered by",
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remarks",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="author",
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remarks",
                        to="registry.registrationrequest",
                        verbose_name="request",
                    ),
                ),
                (
                    "answered_in",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answered_remarks",
                        to="registry.round",
                        verbose_name="answered with round",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remarks",
                        to="registry.round",
                        verbose_name="round",
                    ),
                ),
            ],
            options={
                "verbose_name": "remark",
                "verbose_name_plural": "remarks",
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=200, unique=True)),
                ("address", models.EmailField(max_length=254, verbose_name="mail address")),
                (
                    "reason",
                    models.CharField(
                        help_text="What the recipient was to the request when the letter was written.",
                        max_length=20,
                        verbose_name="why to them",
                    ),
                ),
                (
                    "delivery",
                    models.CharField(
                        choices=[
                            ("at_once", "At once, one letter for each step"),
                            ("digest", "Once a day, together"),
                        ],
                        default="at_once",
                        max_length=7,
                    ),
                ),
                ("subject", models.CharField(max_length=250, verbose_name="subject")),
                ("text", models.TextField(verbose_name="text")),
                ("html", models.TextField(blank=True, verbose_name="HTML")),
                ("headers", models.JSONField(default=dict, verbose_name="headers")),
                ("written_at", models.DateTimeField(verbose_name="written")),
                ("sent_at", models.DateTimeField(blank=True, null=True, verbose_name="sent")),
                (
                    "dropped_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="The account was switched off, or no longer followed it, by then.",
                        null=True,
                        verbose_name="dropped",
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0, verbose_name="attempts")),
                (
                    "not_before",
                    models.DateTimeField(
                        blank=True,
                        help_text="Until then a worker has it in hand, or the mail server is given a rest.",
                        null=True,
                        verbose_name="not before",
                    ),
                ),
                ("last_error", models.TextField(blank=True, verbose_name="last error")),
                (
                    "event",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters",
                        to="registry.event",
                    ),
                ),
                (
                    "follow",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="letters",
                        to="registry.follow",
                    ),
                ),
                (
                    "recipient",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty for the mailing list, and for addresses without an account.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="recipient",
                    ),
                ),
                (
                    "registration_request",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters",
                        to="registry.registrationrequest",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        blank=True,
                        help_text="Whose whole text it carries to the discussion list.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters",
                        to="registry.round",
                        verbose_name="round",
                    ),
                ),
            ],
            options={
                "verbose_name": "letter",
                "verbose_name_plural": "letters",
                "ordering": ["written_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="ChecklistAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("question", models.CharField(max_length=40, verbose_name="question")),
                (
                    "answer",
                    models.CharField(
                        choices=[("yes", "Yes"), ("no", "No"), ("unsure", "Unsure")],
                        max_length=6,
                        verbose_name="answer",
                    ),
                ),
                (
                    "expert",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checklist_answers",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="expert",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checklist_answers",
                        to="registry.round",
                        verbose_name="round",
                    ),
                ),
            ],
            options={
                "verbose_name": "answer to the checklist",
                "verbose_name_plural": "answers to the checklist",
                "ordering": ["round", "question"],
            },
        ),
        migrations.CreateModel(
            name="SearchDocument",
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
                            ("namespace", "Namespaces"),
                            ("request", "Requests"),
                            ("organization", "Organizations"),
                            ("guide", "Guide"),
                            ("vocabulary", "Related registries"),
                        ],
                        max_length=12,
                        verbose_name="kind",
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        help_text="What tells it from others of its kind.",
                        max_length=200,
                        verbose_name="key",
                    ),
                ),
                ("url", models.CharField(max_length=300, verbose_name="address")),
                ("title", models.CharField(max_length=300, verbose_name="title")),
                ("summary", models.TextField(blank=True, verbose_name="summary")),
                ("fields", models.JSONField(default=dict, verbose_name="stems of each field")),
                ("words", models.JSONField(default=list, verbose_name="words as written")),
                ("stems", models.TextField(blank=True, verbose_name="every stem once")),
            ],
            options={
                "verbose_name": "search document",
                "verbose_name_plural": "search documents",
                "ordering": ["kind", "key"],
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "key"), name="search_document_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="ResolutionService",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "prefix",
                    models.CharField(
                        blank=True,
                        help_text="The beginning of the NSS, such as de: of urn:nbn:de:…; empty for all names.",
                        max_length=200,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="only for names that begin with",
                    ),
                ),
                (
                    "assigner",
                    models.CharField(
                        blank=True,
                        help_text="Of a sub-namespace, such as nbn:fi.",
                        max_length=200,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="who assigns names that begin so",
                    ),
                ),
                (
                    "template",
                    models.CharField(
                        help_text="RFC 6570, over the parts of the name.",
                        max_length=1000,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="address as a URI template",
                    ),
                ),
                (
                    "next_template",
                    models.CharField(
                        blank=True,
                        editable=False,
                        max_length=1000,
                        verbose_name="address that takes its place",
                    ),
                ),
                (
                    "next_since",
                    models.DateTimeField(
                        blank=True,
                        editable=False,
                        help_text="It takes effect after the waiting period.",
                        null=True,
                        verbose_name="when that was entered",
                    ),
                ),
                (
                    "media_type",
                    models.CharField(blank=True, max_length=100, verbose_name="media type"),
                ),
                ("language", models.CharField(blank=True, max_length=35, verbose_name="language")),
                (
                    "priority",
                    models.PositiveSmallIntegerField(
                        default=10, help_text="The smaller comes first.", verbose_name="priority"
                    ),
                ),
                (
                    "operator",
                    models.CharField(
                        max_length=200,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="who runs it",
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        max_length=300,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="where that is known from",
                    ),
                ),
                (
                    "withdrawn_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="taken away"),
                ),
                ("updated_at", models.DateTimeField(auto_now=True, verbose_name="updated")),
                (
                    "probe",
                    models.CharField(
                        choices=[
                            ("not_checked", "Not checked yet"),
                            ("answered", "Answered"),
                            ("silent", "Did not answer"),
                        ],
                        default="not_checked",
                        editable=False,
                        max_length=12,
                        verbose_name="last probe",
                    ),
                ),
                (
                    "probed_at",
                    models.DateTimeField(
                        blank=True, editable=False, null=True, verbose_name="probed"
                    ),
                ),
                (
                    "probe_note",
                    models.CharField(
                        blank=True, editable=False, max_length=300, verbose_name="what it said"
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="services",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
                (
                    "service",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="services",
                        to="registry.servicedesignator",
                        verbose_name="service",
                    ),
                ),
            ],
            options={
                "verbose_name": "resolution service",
                "verbose_name_plural": "resolution services",
                "ordering": ["namespace", "priority", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Sighting",
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
                        db_index=True,
                        help_text="In lower case.",
                        max_length=200,
                        verbose_name="NID",
                    ),
                ),
                (
                    "evidence",
                    models.TextField(
                        help_text="Where it was seen: addresses, documents, names in full.",
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="evidence",
                    ),
                ),
                (
                    "user_of_it",
                    models.CharField(
                        blank=True,
                        max_length=200,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="who uses it",
                    ),
                ),
                (
                    "address",
                    models.EmailField(
                        blank=True,
                        help_text="Of those who use it, for the notice.",
                        max_length=254,
                        verbose_name="mail address",
                    ),
                ),
                ("noted_at", models.DateTimeField(verbose_name="noted")),
                (
                    "notice_sent_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="notice sent"),
                ),
                (
                    "claimed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="claimed_sightings",
                        to="registry.registrationrequest",
                        verbose_name="claimed by",
                    ),
                ),
                (
                    "noted_by",
                    models.ForeignKey(
                        blank=True,
                        help_text="Nobody where it came with the data that the registry ships.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sightings",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="noted by",
                    ),
                ),
            ],
            options={
                "verbose_name": "sighting",
                "verbose_name_plural": "sightings",
                "ordering": ["-noted_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="SignInSource",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "digest",
                    models.CharField(
                        help_text="A keyed digest: the table tells nobody from where people sign in.",
                        max_length=64,
                    ),
                ),
                ("used_at", models.DateTimeField(db_index=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SourceDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="RFC 8458, urn-formal/nbn or an address.",
                        max_length=300,
                        verbose_name="document",
                    ),
                ),
                ("address", models.CharField(max_length=500, verbose_name="where it is published")),
                (
                    "read_from",
                    models.CharField(
                        help_text="The address that answered in the end, or the name of a file.",
                        max_length=500,
                        verbose_name="where it was read",
                    ),
                ),
                ("sha256", models.CharField(max_length=64, verbose_name="SHA-256 of its octets")),
                ("text", models.TextField(verbose_name="text")),
                ("read_at", models.DateTimeField(verbose_name="read")),
            ],
            options={
                "verbose_name": "source document",
                "verbose_name_plural": "source documents",
                "ordering": ["name", "read_at"],
                "constraints": [
                    models.UniqueConstraint(fields=("name", "sha256"), name="source_document_once")
                ],
            },
        ),
        migrations.AddField(
            model_name="importedrecord",
            name="document",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="records",
                to="registry.sourcedocument",
                verbose_name="document",
            ),
        ),
        migrations.CreateModel(
            name="DocumentSource",
            fields=[
                (
                    "name",
                    models.CharField(
                        max_length=300, primary_key=True, serialize=False, verbose_name="document"
                    ),
                ),
                ("etag", models.CharField(blank=True, max_length=200, verbose_name="entity tag")),
                (
                    "last_modified",
                    models.CharField(blank=True, max_length=60, verbose_name="last modified"),
                ),
                ("asked_from", models.CharField(max_length=500, verbose_name="asked from")),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "problem",
                    models.CharField(
                        blank=True, max_length=300, verbose_name="why it could not be read"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="registry.sourcedocument",
                        verbose_name="as read last",
                    ),
                ),
            ],
            options={
                "verbose_name": "source of a document",
                "verbose_name_plural": "sources of documents",
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Speaker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "basis",
                    models.CharField(
                        choices=[
                            ("named", "Named by a delegate"),
                            ("mail", "A letter to an address of its domain"),
                            ("dns", "A TXT record of its domain"),
                            ("file", "A file on its site"),
                            ("evidence", "Evidence that the registrar recorded"),
                            ("offer", "Offered to the author of a new namespace"),
                        ],
                        max_length=8,
                        verbose_name="known by",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("asked", "Not shown yet"),
                            ("waiting", "Waits"),
                            ("in_effect", "In effect"),
                            ("stopped", "Stopped until the standards body rules"),
                            ("ended", "Ended"),
                        ],
                        max_length=9,
                        verbose_name="state",
                    ),
                ),
                ("state_since", models.DateTimeField(verbose_name="in this state since")),
                ("asked_at", models.DateTimeField(verbose_name="asked")),
                (
                    "evidence",
                    models.TextField(
                        blank=True,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="what was seen, and where it is recorded",
                    ),
                ),
                ("domain", models.CharField(blank=True, max_length=253, verbose_name="domain")),
                (
                    "address",
                    models.EmailField(
                        blank=True, max_length=254, verbose_name="address written to"
                    ),
                ),
                (
                    "secret",
                    models.CharField(default=secrets.token_urlsafe, editable=False, max_length=64),
                ),
                (
                    "attempts",
                    models.PositiveSmallIntegerField(default=0, verbose_name="looked for"),
                ),
                (
                    "looked_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="last looked for"),
                ),
                ("finding", models.TextField(blank=True, verbose_name="what was found instead")),
                (
                    "waiting_days",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="days to wait"
                    ),
                ),
                (
                    "waiting_since",
                    models.DateTimeField(
                        blank=True,
                        help_text="The waiting period starts then.",
                        null=True,
                        verbose_name="its letters have left",
                    ),
                ),
                ("objection", models.TextField(blank=True, verbose_name="the objection")),
                (
                    "objected_by",
                    models.CharField(blank=True, max_length=300, verbose_name="objected by"),
                ),
                (
                    "reminded_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="last reminder"),
                ),
                (
                    "effective_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="took effect"),
                ),
                (
                    "confirmed_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Or took effect.",
                        null=True,
                        verbose_name="yearly letter answered",
                    ),
                ),
                (
                    "yearly_letters",
                    models.PositiveSmallIntegerField(
                        default=0, verbose_name="yearly letters unanswered"
                    ),
                ),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("left", "They left"),
                            ("removed", "A delegate removed them"),
                            ("taken_back", "Taken back by who recorded it"),
                            ("ruled", "The standards body ruled"),
                            ("unanswered", "The yearly letter went unanswered"),
                            ("transfer", "The namespace changed hands"),
                            ("lapsed", "Lapsed before it took effect"),
                        ],
                        max_length=10,
                        verbose_name="why it ended",
                    ),
                ),
                (
                    "countersigned_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="countersigned by",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="speakers",
                        to="registry.namespace",
                        verbose_name="namespace",
                    ),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="speakers",
                        to="registry.organization",
                        verbose_name="organization",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="speaking",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="person",
                    ),
                ),
                (
                    "recorded_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="named or recorded by",
                    ),
                ),
                (
                    "removal_asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="removal asked for by",
                    ),
                ),
            ],
            options={
                "verbose_name": "speaker",
                "verbose_name_plural": "speakers",
                "ordering": ["asked_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
                ("token_key", models.CharField(db_index=True, max_length=25)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expiry", models.DateTimeField(blank=True, null=True)),
                (
                    "name",
                    models.CharField(
                        max_length=80,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="what it is for",
                    ),
                ),
                ("form_key", models.UUIDField(editable=False, unique=True)),
                (
                    "scopes",
                    models.JSONField(
                        default=registry.models.account.make_default_scopes, verbose_name="scopes"
                    ),
                ),
                (
                    "last_used_at",
                    models.DateTimeField(editable=False, null=True, verbose_name="last used"),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="auth_token_set",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "token",
                "verbose_name_plural": "tokens",
                "ordering": ["-created"],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=80,
                        validators=[registry.validators.validate_no_control_characters],
                        verbose_name="what it is for",
                    ),
                ),
                ("url", models.URLField(max_length=500, verbose_name="address")),
                (
                    "topic",
                    models.CharField(
                        choices=[
                            ("requests", "All requests"),
                            ("namespaces", "New and changed namespaces"),
                            ("request", "One request"),
                            ("namespace", "One identifier"),
                        ],
                        max_length=10,
                        verbose_name="about",
                    ),
                ),
                (
                    "subject",
                    models.CharField(
                        blank=True,
                        help_text="A NID in lower case or a reference, where it is about one only.",
                        max_length=200,
                        verbose_name="which NID or request",
                    ),
                ),
                (
                    "secret",
                    registry.models.sealed_field.SealedField(
                        default=registry.models.notification.make_webhook_secret, editable=False
                    ),
                ),
                (
                    "previous_secret",
                    registry.models.sealed_field.SealedField(
                        blank=True,
                        editable=False,
                        help_text="Signs as well until `previous_until`, so that a receiver can change over.",
                    ),
                ),
                ("previous_until", models.DateTimeField(blank=True, editable=False, null=True)),
                ("made_at", models.DateTimeField(auto_now_add=True, verbose_name="made")),
                (
                    "stopped_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="By its owner, or after long silence.",
                        null=True,
                        verbose_name="stopped",
                    ),
                ),
                ("form_key", models.UUIDField(editable=False)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hooks",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="owner",
                    ),
                ),
            ],
            options={
                "verbose_name": "webhook",
                "verbose_name_plural": "webhooks",
                "ordering": ["-made_at"],
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("written_at", models.DateTimeField(verbose_name="written")),
                ("attempts", models.PositiveSmallIntegerField(default=0, verbose_name="attempts")),
                (
                    "not_before",
                    models.DateTimeField(blank=True, null=True, verbose_name="not before"),
                ),
                (
                    "delivered_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="delivered"),
                ),
                (
                    "given_up_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="given up"),
                ),
                (
                    "event",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="registry.event",
                    ),
                ),
                (
                    "hook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="registry.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name": "delivery",
                "verbose_name_plural": "deliveries",
                "ordering": ["-written_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="WebhookAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(verbose_name="when")),
                (
                    "status",
                    models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="status"),
                ),
                (
                    "milliseconds",
                    models.PositiveIntegerField(default=0, verbose_name="milliseconds"),
                ),
                ("note", models.CharField(blank=True, max_length=300, verbose_name="what it said")),
                (
                    "delivery",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tries",
                        to="registry.webhookdelivery",
                    ),
                ),
            ],
            options={
                "verbose_name": "attempt",
                "verbose_name_plural": "attempts",
                "ordering": ["at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Absence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("first_day", models.DateField(verbose_name="first day away")),
                ("last_day", models.DateField(verbose_name="last day away")),
                (
                    "expert",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absences",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="expert",
                    ),
                ),
            ],
            options={
                "verbose_name": "absence",
                "verbose_name_plural": "absences",
                "ordering": ["first_day"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("last_day__gte", models.F("first_day"))),
                        name="absence_ends_after_it_begins",
                        violation_error_message="The last day is before the first.",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AccountEvent",
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
                            ("signed_in", "Signed in"),
                            ("sign_in_failed", "A sign-in failed"),
                            ("locked", "Too many attempts: asked to wait, or for a code"),
                            ("reauthenticated", "Confirmed who it is"),
                            ("session_expired", "A session ended by its time limit"),
                            ("sessions_ended", "Sessions ended"),
                            ("reset_link_used", "Link to choose a new password used"),
                            ("password_changed", "Password changed"),
                            ("address_added", "Mail address added"),
                            ("address_changed", "Main mail address changed"),
                            ("address_removed", "Mail address removed"),
                            ("factor_added", "Second factor added"),
                            ("factor_removed", "Second factor removed"),
                            ("factor_failed", "A second factor was wrong"),
                            ("codes_made", "Recovery codes made"),
                            ("change_announced", "Change announced"),
                            ("change_stopped", "Change stopped"),
                            ("reset_done", "Second factor reset"),
                            ("token_made", "Token made"),
                            ("token_revoked", "Token revoked"),
                            ("tokens_ended", "Tokens ended"),
                            ("role_given", "Role given"),
                            ("role_taken", "Role taken"),
                            ("switched_off", "Account switched off"),
                            ("switched_on", "Account switched on"),
                            (
                                "letter_bounced",
                                "A letter came back: the address has to be confirmed",
                            ),
                            ("connected", "Account elsewhere connected"),
                            ("disconnected", "Account elsewhere disconnected"),
                        ],
                        max_length=20,
                        verbose_name="what",
                    ),
                ),
                ("detail", models.CharField(blank=True, max_length=200, verbose_name="detail")),
                (
                    "network",
                    models.CharField(
                        blank=True,
                        help_text="The first part of the address alone: /24 of IPv4, /48 of IPv6.",
                        max_length=43,
                        verbose_name="network",
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(
                        db_index=True, default=django.utils.timezone.now, verbose_name="when"
                    ),
                ),
                (
                    "actor",
                    models.ForeignKey(
                        help_text="Empty where it was the person, a stranger, a command or the clock.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="done by",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        help_text="Empty where somebody tried an address that has no account.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="account_events",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="account",
                    ),
                ),
            ],
            options={
                "verbose_name": "line of the log of accounts",
                "verbose_name_plural": "log of accounts",
                "ordering": ["-at", "-pk"],
                "indexes": [models.Index(fields=["user", "-at"], name="account_event_by_user")],
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
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("nid", django.db.models.functions.text.Lower("nid"))),
                        name="held_nid_lower",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("source", ""), _negated=True),
                            models.Q(("reasons", ""), _negated=True),
                        ),
                        name="held_nid_says_where",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("nid",),
                        name="held_nid_one_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ended_at__isnull", True),
                            models.Q(("ending", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="held_nid_ended_says_why",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="IdempotencyRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=255)),
                (
                    "digest",
                    models.CharField(
                        help_text="SHA-256 of method, address and body: what was asked.",
                        max_length=64,
                    ),
                ),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("headers", models.JSONField(default=dict)),
                ("body", models.TextField(blank=True)),
                ("at", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("person", "key"), name="idempotency_record_once"
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="locatortable",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "current")),
                fields=("namespace",),
                name="locator_table_one_current",
            ),
        ),
        migrations.AddConstraint(
            model_name="erratum",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("is_shown", False), ("answered_at__isnull", False), _connector="OR"
                ),
                name="erratum_shown_once_answered",
            ),
        ),
        migrations.AddConstraint(
            model_name="entrylink",
            constraint=models.UniqueConstraint(fields=("namespace", "url"), name="entry_link_once"),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ended_at__isnull", True),
                    models.Q(("ending", ""), _negated=True),
                    _connector="OR",
                ),
                name="dispute_ended_says_how",
            ),
        ),
        migrations.AddConstraint(
            model_name="officerchange",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("person", "kind", "role"),
                name="officer_change_one_pending",
            ),
        ),
        migrations.AddConstraint(
            model_name="officerchange",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("stopped_at__isnull", True),
                    models.Q(("objection", ""), _negated=True),
                    _connector="OR",
                ),
                name="officer_change_stopped_says_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="namespace",
            constraint=models.CheckConstraint(
                condition=models.Q(("nid", django.db.models.functions.text.Lower("nid"))),
                name="namespace_nid_lower",
            ),
        ),
        migrations.AddConstraint(
            model_name="namespace",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("nid", django.db.models.functions.text.Lower("nid_as_registered"))
                ),
                name="namespace_spelling_is_the_nid",
            ),
        ),
        migrations.AddConstraint(
            model_name="namespace",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("informal_number__isnull", True), ("kind", "formal")),
                    models.Q(
                        ("informal_number__gte", 1),
                        ("informal_number__isnull", False),
                        ("kind", "informal"),
                    ),
                    _connector="OR",
                ),
                name="namespace_informal_has_number",
            ),
        ),
        migrations.AddConstraint(
            model_name="conflictofinterest",
            constraint=models.UniqueConstraint(
                fields=("expert", "organization"), name="conflict_of_interest_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("email"), name="user_email_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="recognition",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_granted__isnull", True)),
                fields=("organization",),
                name="recognition_one_pending",
            ),
        ),
        migrations.AddConstraint(
            model_name="recognition",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decided_at__isnull", True), ("is_granted__isnull", True)),
                    models.Q(
                        ("decided_at__isnull", False),
                        ("is_granted__isnull", False),
                        models.Q(("reasons", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="recognition_decided_says_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="recordcontact",
            constraint=models.UniqueConstraint(
                fields=("namespace", "address"), name="record_contact_once"
            ),
        ),
        migrations.AddIndex(
            model_name="registrationrequest",
            index=models.Index(fields=["-state_since", "-id"], name="request_moved_last"),
        ),
        migrations.AddIndex(
            model_name="registrationrequest",
            index=models.Index(
                condition=models.Q(("namespace__isnull", False)),
                fields=["state"],
                name="request_of_namespace",
            ),
        ),
        migrations.AddConstraint(
            model_name="registrationrequest",
            constraint=models.UniqueConstraint(
                fields=("author", "start_key"), name="request_started_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="registrationrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(("nid", django.db.models.functions.text.Lower("nid"))),
                name="request_nid_lower",
            ),
        ),
        migrations.AddConstraint(
            model_name="registrationrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "state__in",
                        [
                            "draft",
                            "in_review",
                            "changes_requested",
                            "approved",
                            "reported",
                            "advisory",
                            "declined",
                            "appealed",
                            "registered",
                            "withdrawn",
                            "refused",
                            "expired",
                        ],
                    )
                ),
                name="request_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="registrationrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("change__in", ("new", "rename")),
                    ("namespace__isnull", False),
                    _connector="OR",
                ),
                name="request_change_of_a_namespace",
            ),
        ),
        migrations.AddConstraint(
            model_name="registrationrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "registered"), _negated=True),
                    ("change", "rename"),
                    ("namespace__isnull", False),
                    _connector="OR",
                ),
                name="request_registered_has_namespace",
            ),
        ),
        migrations.AddIndex(
            model_name="registration",
            index=models.Index(fields=["-registered_on", "-id"], name="registration_newest"),
        ),
        migrations.AddIndex(
            model_name="registration",
            index=models.Index(
                condition=models.Q(("grammar", ""), _negated=True),
                fields=["namespace", "number", "grammar_kind"],
                name="registration_with_grammar",
            ),
        ),
        migrations.AddConstraint(
            model_name="registration",
            constraint=models.UniqueConstraint(
                fields=("namespace", "number"), name="registration_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="registration",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1)), name="registration_version_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="readmarker",
            constraint=models.UniqueConstraint(
                fields=("person", "registration_request"), name="read_marker_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="pendingcomment",
            constraint=models.UniqueConstraint(
                fields=("author", "key"), name="pending_comment_once"
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(fields=["sender_digest"], name="message_sender"),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(
                fields=("registration_request", "audience", "number"), name="message_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(
                fields=("author", "key"), name="message_of_a_form_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("channel", "list"), ("is_sender_verified", True), _negated=True
                ),
                name="message_by_mail_is_unverified",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("hidden_at__isnull", True),
                    models.Q(("hidden_reason", ""), _negated=True),
                    _connector="OR",
                ),
                name="message_hidden_says_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("challenged__isnull", False), ("mark", "challenge")),
                    models.Q(models.Q(("mark", "challenge"), _negated=True), ("challenged", None)),
                    _connector="OR",
                ),
                name="message_challenges_an_expert",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(("sender_digest", ""), ("author", None), _connector="OR"),
                name="message_of_an_account_has_no_digest",
            ),
        ),
        migrations.AddConstraint(
            model_name="mailedtemplate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("registration_request__isnull", True),
                    models.Q(("address", ""), ("subject", ""), ("text", "")),
                    _connector="OR",
                ),
                name="mailed_template_taken_is_not_held",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed_at__isnull", True)),
                fields=("registration_request", "address"),
                name="invitation_open_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("address", django.db.models.functions.text.Lower("address"))),
                name="invitation_address_lower",
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("joined_by__isnull", True), ("closed_at__isnull", False), _connector="OR"
                ),
                name="invitation_joined_is_closed",
            ),
        ),
        migrations.AddConstraint(
            model_name="follow",
            constraint=models.UniqueConstraint(
                fields=("person", "registration_request"), name="follow_request_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="follow",
            constraint=models.UniqueConstraint(
                condition=models.Q(("registration_request__isnull", True)),
                fields=("person", "nid"),
                name="follow_nid_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="follow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("registration_request__isnull", True), ("nid", ""), _connector="OR"
                ),
                name="follow_of_one_thing",
            ),
        ),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(
                condition=models.Q(("namespace__isnull", False)),
                fields=["verb", "number"],
                name="event_on_namespace",
            ),
        ),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(
                condition=models.Q(("registration_request__isnull", True)),
                fields=["number"],
                name="event_on_no_request",
            ),
        ),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(fields=["actor", "verb"], name="event_by_actor"),
        ),
        migrations.AddIndex(
            model_name="event",
            index=models.Index(fields=["at"], name="event_by_time"),
        ),
        migrations.AddConstraint(
            model_name="dismissedfinding",
            constraint=models.UniqueConstraint(
                fields=("registration_request", "check_name", "section"),
                name="dismissed_finding_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="dismissedfinding",
            constraint=models.CheckConstraint(
                condition=models.Q(("word", ""), _negated=True), name="dismissed_finding_says_why"
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                fields=("registration_request", "expert"), name="assignment_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="reminder",
            constraint=models.UniqueConstraint(
                fields=("registration_request", "kind", "since"), name="reminder_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="reminder",
            constraint=models.UniqueConstraint(
                fields=("recognition", "kind", "since"), name="reminder_of_recognition_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="reminder",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("registration_request__isnull", True),
                    ("recognition__isnull", True),
                    _connector="XOR",
                ),
                name="reminder_about_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at__isnull", True), ("closed_by__isnull", True)),
                    models.Q(("closed_at__isnull", False), ("closed_by__isnull", False)),
                    _connector="OR",
                ),
                name="report_closed_says_by_whom",
            ),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(fields=["comments_since"], name="round_open_for_comment"),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(
                condition=models.Q(("submitted_at__isnull", False)),
                fields=["registration_request"],
                name="round_sent",
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(
                fields=("registration_request", "number"), name="round_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(
                condition=models.Q(("submitted_at__isnull", True)),
                fields=("registration_request",),
                name="round_one_draft",
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("submitted_at__isnull", True),
                    models.Q(("sha256", ""), _negated=True),
                    _connector="OR",
                ),
                name="round_sent_has_hash",
            ),
        ),
        migrations.AddConstraint(
            model_name="remark",
            constraint=models.UniqueConstraint(
                fields=("registration_request", "number"), name="remark_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="remark",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("settlement", "explained"), _negated=True),
                    models.Q(("answer", ""), _negated=True),
                    _connector="OR",
                ),
                name="remark_explained_says_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="remark",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("quote", ""), ("start__isnull", True)),
                    models.Q(models.Q(("quote", ""), _negated=True), ("start__isnull", False)),
                    _connector="OR",
                ),
                name="remark_passage_has_a_place",
            ),
        ),
        migrations.AddIndex(
            model_name="letter",
            index=models.Index(
                condition=models.Q(("dropped_at__isnull", True), ("sent_at__isnull", True)),
                fields=["written_at"],
                name="letter_waiting",
            ),
        ),
        migrations.AddConstraint(
            model_name="letter",
            constraint=models.UniqueConstraint(
                condition=models.Q(("dropped_at__isnull", True)),
                fields=("round",),
                name="letter_of_round_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="checklistanswer",
            constraint=models.UniqueConstraint(
                fields=("round", "expert", "question"), name="checklist_answer_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="resolutionservice",
            constraint=models.UniqueConstraint(
                condition=models.Q(("withdrawn_at__isnull", True)),
                fields=("namespace", "service", "prefix", "template"),
                name="resolution_service_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="sighting",
            constraint=models.CheckConstraint(
                condition=models.Q(("nid", django.db.models.functions.text.Lower("nid"))),
                name="sighting_nid_lower",
            ),
        ),
        migrations.AddConstraint(
            model_name="signinsource",
            constraint=models.UniqueConstraint(
                fields=("user", "digest"), name="one_row_for_each_source"
            ),
        ),
        migrations.AddConstraint(
            model_name="importedrecord",
            constraint=models.UniqueConstraint(
                fields=("namespace", "number"), name="imported_record_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="importedrecord",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1)), name="imported_record_number_positive"
            ),
        ),
        migrations.AddConstraint(
            model_name="importedrecord",
            constraint=models.CheckConstraint(
                condition=models.Q(("last_line__gte", models.F("first_line"))),
                name="imported_record_lines_in_order",
            ),
        ),
        migrations.AddConstraint(
            model_name="speaker",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("namespace__isnull", True), ("organization__isnull", False)),
                    models.Q(("namespace__isnull", False), ("organization__isnull", True)),
                    _connector="OR",
                ),
                name="speaker_for_one_thing",
            ),
        ),
        migrations.AddConstraint(
            model_name="speaker",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "ended"), models.Q(("end", ""), _negated=True)),
                    models.Q(models.Q(("state", "ended"), _negated=True), ("end", "")),
                    _connector="OR",
                ),
                name="speaker_ended_says_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="speaker",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "in_effect"), _negated=True),
                    ("effective_at__isnull", False),
                    _connector="OR",
                ),
                name="speaker_in_effect_since",
            ),
        ),
        migrations.AddConstraint(
            model_name="speaker",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["asked", "ended"]), _negated=True),
                fields=("organization", "person"),
                name="speaker_organization_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="speaker",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["asked", "ended"]), _negated=True),
                fields=("namespace", "person"),
                name="speaker_namespace_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhook",
            constraint=models.UniqueConstraint(
                fields=("owner", "form_key"), name="webhook_made_once"
            ),
        ),
        migrations.AddIndex(
            model_name="webhookdelivery",
            index=models.Index(
                condition=models.Q(("delivered_at__isnull", True), ("given_up_at__isnull", True)),
                fields=["written_at"],
                name="webhook_delivery_waiting",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookdelivery",
            constraint=models.UniqueConstraint(
                fields=("hook", "event"), name="webhook_delivery_once"
            ),
        ),
    ]
