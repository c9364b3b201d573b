"""The WSGI application that a server such as gunicorn loads."""

import os

from django.core.wsgi import get_wsgi_application
from django.template.loader import get_template
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
application = get_wsgi_application()

# What each request needs is read once, before the server forks: workers share its memory, and
# nobody's first page waits for it.
routes, frame = get_resolver().url_patterns, get_template("base.html")
