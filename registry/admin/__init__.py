"""The administration: accounts, roles, organizations and reserved lists; all else is for reading.

Who gets in is asked of `registry.permissions`, never of Django's permissions, and what has a course
of its own is read-only here for everybody: superusers have no other registry than the rest of us.
"""

from registry.admin import read_only
from registry.admin.base import EditableAdmin, ReadOnlyAdmin, site

__all__ = ["EditableAdmin", "ReadOnlyAdmin", "read_only", "site"]
