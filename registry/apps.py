"""The registry's one Django application."""

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
        """Register the checks of our own settings, and the one of what the database is given."""
        checks.register(check_forwarded_for)
        connection_created.connect(install_check, dispatch_uid="registry.database")
