"""The administration: accounts, roles, organizations and reserved lists; all else is for reading.

Who gets in is asked of `registry.rules`, never of Django's permissions, and what has a course of
its own is read-only here for everybody: superusers have no other registry than the rest of us.
"""

from registry.admin import edited, machines, read
from registry.admin.rows import Editable, Readable
from registry.admin.site import site

__all__ = ["Editable", "Readable", "edited", "machines", "read", "site"]
