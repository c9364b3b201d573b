"""The registry's one Django application."""

import logging
from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db.backends.signals import connection_created

from registry.database import install_wrappers
from registry.http.checks import check_database_role, check_forwarded_for, check_log_key


class RegistryConfig(AppConfig):
    """Label `registry`; the whole product is below it."""

    name = "registry"
    verbose_name = "URN Namespace Registry"

    def ready(self) -> None:
        """Register our system checks, what wraps statements, the verbs, and error reports."""
        checks.register(check_forwarded_for)
        checks.register(check_log_key, deploy=True)
        checks.register(check_database_role, checks.Tags.database)
        connection_created.connect(install_wrappers, dispatch_uid="registry.database")
        import_module("registry.workflow.transitions")
        if settings.REGISTRY_ERROR_MAIL:
            reports = import_module("registry.notifications.error_reports")
            logging.getLogger().addHandler(reports.ErrorReportHandler())
        import_module("registry.web.account.signals")
        import_module("registry.actions.roles")
