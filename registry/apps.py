"""The registry's one Django application."""

from importlib import import_module

from django.apps import AppConfig
from django.core import checks
from django.db.backends.signals import connection_created

from registry.database import install_check
from registry.http.checks import check_forwarded_for


class RegistryConfig(AppConfig):
    """Label `registry`; everything the product is made of lives under it."""

    name = "registry"
    verbose_name = "URN Namespace Registry"

    def ready(self) -> None:
        """Register our checks, the one of what the database is given, and the verbs."""
        checks.register(check_forwarded_for)
        connection_created.connect(install_check, dispatch_uid="registry.database")
        import_module("registry.workflow.transitions")
