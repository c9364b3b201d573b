"""Make each line of the journal an entry of the transparency log, in the place of the chain.

Lines that are there already become entries as they are: their digests of rows with them, and of
what stands now the facts that the log says openly. Entry 0 names the last digest of the chain.
"""

import datetime
import json
from typing import Any

from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from registry.migrations._triggers import create_triggers, drop_triggers
from registry.transparency import entries
from registry.transparency.merkle import hash_leaf

CHUNK = 500
WRITTEN = ("entry", "statement", "actor_salt", "details_salt", "seal_salt", "digest")
COLUMNS = (
    "number",
    "actor_id",
    "actor_name",
    "verb",
    "subject",
    "registration_request_id",
    "namespace_id",
    "source",
    "target",
    "comment",
    "rows",
)


def carry_over(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give each line its entry, in the order of lines."""
    Event = apps.get_model("registry", "Event")
    last = Event.objects.order_by("-number").first()
    if last is None:
        return
    now = datetime.datetime.now(datetime.UTC)
    chain = {"line": last.number, "digest": last.digest}
    origin = entries.compose_origin_entry(
        settings.REGISTRY_LOG_ORIGIN, now.isoformat(), last_head=None, journal=chain
    )
    apps.get_model("registry", "LogOrigin").objects.create(
        origin=settings.REGISTRY_LOG_ORIGIN,
        entry=entries.encode_entry(origin).decode(),
        begun_at=now,
    )
    facts = find_facts(apps)
    last_lines = find_last_lines(Event)
    public = set(
        apps.get_model("registry", "Round")
        .objects.filter(submitted_at__isnull=False)
        .values_list("registration_request_id", flat=True)
    )
    for event in Event.objects.order_by("number").iterator(chunk_size=CHUNK):
        known = {key: facts[key] for key in event.rows if is_stated(key, event, facts, last_lines)}
        write_entry(event, known, is_open=may_be_open(event, public))
        event.save(update_fields=WRITTEN)


def find_last_lines(table: type[models.Model]) -> dict[str, int]:
    """Return which line tells of each row last."""
    lines = table._default_manager.exclude(rows={}).order_by("number")
    return {key: number for number, rows in lines.values_list("number", "rows") for key in rows}


def is_stated(key: str, event: Any, facts: dict[str, Any], last: dict[str, int]) -> bool:
    """Whether a row says now what it said with this line: it never changes, or has no later one."""
    return key in facts and (
        key.startswith(("registration ", "round ")) or last[key] == event.number
    )


def may_be_open(event: Any, public: set[int]) -> bool:
    """Whether a line is of a public request or of a namespace; all others stay sealed."""
    if event.registration_request_id:
        return event.registration_request_id in public
    return bool(event.namespace_id)


def find_facts(apps: StateApps) -> dict[str, Any]:
    """Return what the log says openly of rows, by their keys."""
    found: dict[str, Any] = {}
    for row in apps.get_model("registry", "Namespace").objects.all():
        found[f"namespace {row.pk}"] = {
            "nid": row.nid,
            "status": row.status,
            "holder": row.registrant_id,
            "informal": row.informal_number,
        }
    versions = apps.get_model("registry", "Registration").objects.select_related("namespace")
    for row in versions:
        found[f"registration {row.pk}"] = {
            "nid": row.namespace.nid,
            "version": row.number,
            "sha256": row.sha256,
            "on": row.registered_on.isoformat(),
        }
    for row in apps.get_model("registry", "Round").objects.filter(submitted_at__isnull=False):
        found[f"round {row.pk}"] = {
            "request": row.registration_request_id,
            "round": row.number,
            "sha256": row.sha256,
        }
    return found


def write_entry(event: Any, facts: dict[str, Any], *, is_open: bool) -> None:
    """Give one line its salts and its entry."""
    event.actor_salt, event.details_salt = entries.make_salt(), entries.make_salt()
    line = {name: getattr(event, name) for name in COLUMNS} | {
        "at": event.at.isoformat(),
        "data": json.loads(json.dumps(event.data)),
        "actor_salt": event.actor_salt,
        "details_salt": event.details_salt,
    }
    entry = statement = entries.compose_statement(line, facts)
    if not is_open:
        event.statement = entries.encode_entry(statement).decode()
        event.seal_salt = entries.make_salt()
        entry = entries.seal_statement(statement, event.seal_salt)
    octets = entries.encode_entry(entry)
    event.entry, event.digest = octets.decode(), hash_leaf(octets).hex()


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0017_dismissed_findings"),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
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
        migrations.AddField(
            model_name="event",
            name="entry",
            field=models.TextField(
                default="", help_text="Canonical JSON (RFC 8785).", verbose_name="entry of the log"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="event",
            name="statement",
            field=models.TextField(
                blank=True,
                default="",
                help_text="Where the entry is sealed, what it commits to.",
                verbose_name="what is sealed",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="event",
            name="actor_salt",
            field=models.CharField(
                blank=True, default="", max_length=32, verbose_name="salt of the name"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="event",
            name="details_salt",
            field=models.CharField(
                blank=True, default="", max_length=32, verbose_name="salt of the details"
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="event",
            name="seal_salt",
            field=models.CharField(
                blank=True, default="", max_length=32, verbose_name="salt of the seal"
            ),
            preserve_default=False,
        ),
        migrations.RunPython(carry_over, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="event",
            name="digest",
            field=models.CharField(
                help_text="The hash of the entry as a leaf of the log (RFC 9162, section 2.1.1).",
                max_length=64,
                unique=True,
                verbose_name="digest",
            ),
        ),
        migrations.RemoveField(model_name="event", name="previous"),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
