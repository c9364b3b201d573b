"""The registry's one Django application."""

from django.apps import AppConfig
from django.core import checks

from registry.checks import check_forwarded_for


class RegistryConfig(AppConfig):
    """Label `registry`; everything the product is made of lives under it."""

    name = "registry"
    verbose_name = "URN Namespace Registry"

    def ready(self) -> None:
        """Register the checks of our own settings."""
        checks.register(check_forwarded_for)
