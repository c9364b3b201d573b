"""Keys for finding similar NIDs, and the base of the tables whose NIDs have them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final, TypeVar

from django.db import connections, models
from django.utils.translation import gettext_lazy as _

from registry.batches import batched
from registry.database import is_fit
from registry.lookalikes import find_own_key, list_keys, list_probes

MAX_NEAR_CANDIDATES: Final = 2_000
MAX_CONTAINING_CANDIDATES: Final = 1_000
"""How many NIDs sharing a key with one are compared with it, the first by name."""
NIDS_PER_BATCH: Final = 100


class NidKeyQuerySet(models.QuerySet["NidKey"]):
    """Keys of NIDs: written for some NIDs, and searched for those that resemble one."""

    def write_missing(self, nids: Iterable[str]) -> None:
        """Write the keys of those of `nids`, in lower case, that have none."""
        for batch in batched(dict.fromkeys(filter(None, nids)), NIDS_PER_BATCH):
            self.write(self.find_missing(batch))

    def write(self, nids: Collection[str]) -> None:
        """Write the keys of `nids` with one statement, whether or not some are there."""
        rows = sorted((key, nid) for nid in nids for key in list_keys(nid))
        if not rows:
            return
        connection = connections[self.db]
        into = f"INSERT INTO {connection.ops.quote_name(self.model._meta.db_table)} (key, nid)"
        # There are a hundred keys of a NID: as objects, they would take five times as long.
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(
                    f"{into} SELECT * FROM unnest(%s::bigint[], %s::text[]) ON CONFLICT DO NOTHING",
                    [[key for key, _nid in rows], [nid for _key, nid in rows]],
                )
            else:
                cursor.executemany(f"{into} VALUES (%s, %s) ON CONFLICT DO NOTHING", rows)

    def find_missing(self, nids: Collection[str]) -> list[str]:
        """Return those of `nids` that have no keys."""
        own = self.filter(key__in={find_own_key(nid) for nid in nids})
        known = frozenset(own.values_list("nid", flat=True))
        return [nid for nid in nids if nid not in known]

    def read_candidates(self, nids: Collection[str]) -> set[str]:
        """Return the NIDs that may resemble one of `nids`, whether anybody holds them or not.

        Of those that share a key with a NID only a limited number is read, the first in the order
        of the database: only where thousands resemble each other are there more.
        """
        probes = [list_probes(nid) for nid in nids]
        if not probes:
            return set()
        connection = connections[self.db]
        table = connection.ops.quote_name(self.model._meta.db_table)
        near = sorted(frozenset[int]().union(*(each.near for each in probes)))
        parts = [each.containing for each in probes if each.containing is not None]
        places = ", ".join(["%s"] * len(near))
        # The database stops reading a key shared by very many: it sorts only by its index.
        containing = (
            f" UNION ALL SELECT nid FROM (SELECT nid FROM {table} WHERE key = %s"
            f" ORDER BY nid LIMIT {MAX_CONTAINING_CANDIDATES}) AS containing"
        )
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT nid FROM (SELECT DISTINCT nid FROM {table} WHERE key IN ({places})"
                f" ORDER BY nid LIMIT {MAX_NEAR_CANDIDATES * len(probes)}) AS near"
                + containing
                * len(parts),
                [*near, *parts],
            )
            found = {nid for (nid,) in cursor.fetchall()}
        return found.union(
            each.initials for each in probes if each.initials and is_fit(each.initials)
        )


class NidKey(models.Model):
    """One of the keys under which similar NIDs find a NID (`registry.lookalikes`).

    A NID has its keys from when it was first saved in a table of `NidHolder`, no matter who holds
    it now.
    """

    pk = models.CompositePrimaryKey("key", "nid")
    key = models.BigIntegerField()
    nid = models.CharField(_("NID"), max_length=200)

    objects = NidKeyQuerySet.as_manager()

    class Meta:
        verbose_name = _("key of a NID")
        verbose_name_plural = _("keys of NIDs")

    def __str__(self) -> str:
        return self.nid


HolderT = TypeVar("HolderT", bound="NidHolder", covariant=True)


class NidQuerySet(models.QuerySet[HolderT]):
    """Rows with a NID: in whichever way they are written, their NIDs get keys."""

    def bulk_create(self, objs: Iterable[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """Write the keys first: keys of a NID that nobody holds do no harm."""
        rows = list(objs)
        NidKey.objects.write_missing(each.nid for each in rows)
        return super().bulk_create(rows, *args, **kwargs)

    def update(self, **kwargs: Any) -> int:
        """Write the keys first; a NID computed by the database is refused.

        `bulk_update` calls this too, so it cannot write NIDs either.
        """
        if "nid" in kwargs:
            if not isinstance(kwargs["nid"], str):
                raise TypeError("The keys of a NID are made from its text.")
            NidKey.objects.write_missing([kwargs["nid"]])
        return super().update(**kwargs)


class NidHolder(models.Model):
    """A row with a `nid`, in lower case, which can be found by similar ones."""

    nid: models.CharField[str, str]

    class Meta:
        abstract = True

    def save(self, **kwargs: Any) -> None:
        """Write the keys of the NID first, if it is being saved and has none."""
        fields = kwargs.get("update_fields")
        if self.nid and (fields is None or "nid" in fields):
            NidKey.objects.write_missing([self.nid])
        super().save(**kwargs)
