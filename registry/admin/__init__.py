"""The admin site: accounts, roles, organizations and reserved lists; everything else is read-only.

Access is decided by `registry.permissions`, never by Django's permissions. What has a process of
its own is read-only here for everyone, superusers included: they get no other registry than the
rest of us.
"""

from registry.admin import read_only
from registry.admin.base import EditableAdmin, ReadOnlyAdmin, site

__all__ = ["EditableAdmin", "ReadOnlyAdmin", "read_only", "site"]
