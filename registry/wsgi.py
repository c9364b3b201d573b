"""The WSGI application that a server such as gunicorn loads."""

import os

import django
from django.conf import settings
from django.template.loader import get_template
from django.urls import get_resolver
from django.utils.module_loading import import_string

from registry.env import refuse_log_key

refuse_log_key()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
django.setup(set_prefix=False)
import_string("registry.database.forbid_database_creation")()
# From here on, modules that need models can be imported.
application = import_string("registry.http.cache.CachingWSGIHandler")()
if settings.REGISTRY_STATUS_TOKEN or settings.REGISTRY_LOG == "json":
    application = import_string("registry.http.observation.ObservedHandler")(application)

# What each request needs is loaded once, before the server forks: workers share the memory, and
# nobody's first page waits for it. This includes the error pages: loaded later, during an upgrade
# of the code, they would be from another release than the rest.
routes, frame = get_resolver().url_patterns, get_template("base.html")
refusals = [get_resolver().resolve_error_handler(status) for status in (400, 403, 404, 500)]
