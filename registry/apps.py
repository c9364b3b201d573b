"""The registry's one Django application."""

from django.apps import AppConfig


class RegistryConfig(AppConfig):
    """Label `registry`; everything the product is made of lives under it."""

    name = "registry"
    verbose_name = "URN Namespace Registry"
