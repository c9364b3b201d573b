"""Settings of the registry, read from the environment.

Without any variable set this is the demonstration: an SQLite database under `var/`, mail kept
on disk, this machine only. `REGISTRY_MODE=production` asks for everything it needs and fails
loudly for what is missing.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection
from pathlib import Path
from urllib.parse import unquote, urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured


def read_string(name: str, default: str | None = None) -> str:
    """Return the variable `name`; without it the default, without that an error."""
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        raise ImproperlyConfigured(f"Set {name}: it has no default in this mode.")
    return default


def read_choice(name: str, options: Collection[str], default: str) -> str:
    """Return the variable `name`, which must be one of `options`."""
    value = read_string(name, default)
    if value not in options:
        raise ImproperlyConfigured(f"{name} is {value!r}; it can be {', '.join(sorted(options))}.")
    return value


def read_list(name: str, default: str | None = None) -> list[str]:
    """Return the comma-separated values of the variable `name`."""
    return [part.strip() for part in read_string(name, default).split(",") if part.strip()]


def read_number(name: str, default: int) -> int:
    """Return the variable `name` as a whole number, zero or more."""
    value = read_string(name, str(default))
    if not value.isascii() or not value.isdigit():
        raise ImproperlyConfigured(f"{name} is {value!r}; it must be a whole number.")
    return int(value)


def read_boolean(name: str, *, default: bool) -> bool:
    """Return the variable `name`, which says `yes` or `no`."""
    return read_choice(name, {"yes", "no"}, "yes" if default else "no") == "yes"


def read_mail_server(name: str) -> dict[str, object]:
    """Return Django's mail settings for a URL such as `smtp+tls://user:secret@host:587`.

    The schemes are `smtp`, `smtp+tls` (STARTTLS) and `smtp+ssl`.
    """
    url = urlsplit(read_string(name))
    if url.scheme not in {"smtp", "smtp+tls", "smtp+ssl"} or not url.hostname:
        raise ImproperlyConfigured(f"{name} must look like smtp+tls://user:secret@host:587.")
    return {
        "EMAIL_HOST": url.hostname,
        "EMAIL_PORT": url.port or 25,
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
        "EMAIL_USE_TLS": url.scheme == "smtp+tls",
        "EMAIL_USE_SSL": url.scheme == "smtp+ssl",
    }


BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(read_string("REGISTRY_DATA_DIR", str(BASE_DIR / "var")))
MODE = read_choice("REGISTRY_MODE", {"demonstration", "production"}, "demonstration")
DEMONSTRATION = MODE == "demonstration"


def demonstration_key(path: Path) -> str:
    """Return this copy's own secret, made at first use: sessions outlive a restart."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50), encoding="ascii")
    return path.read_text(encoding="ascii")


DEBUG = False
if DEMONSTRATION:
    SECRET_KEY = demonstration_key(DATA_DIR / "secret-key")
    ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
    DATABASE_URL = read_string(
        "REGISTRY_DATABASE_URL", f"sqlite:///{DATA_DIR / 'registry.sqlite3'}"
    )
    SITE = read_string("REGISTRY_SITE", "http://127.0.0.1:8000")
else:
    SECRET_KEY = read_string("REGISTRY_SECRET_KEY")
    ALLOWED_HOSTS = read_list("REGISTRY_HOSTS")
    DATABASE_URL = read_string("REGISTRY_DATABASE_URL")
    SITE = read_string("REGISTRY_SITE")

# Application

INSTALLED_APPS = [
    "registry.apps.RegistryConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "crispy_forms",
    "crispy_bootstrap5",
    "csp",
    "django_filters",
    "django_tasks",
    "django_tasks_db",
    "drf_spectacular",
    "knox",
    "rest_framework",
]
MIDDLEWARE = [
    "registry.http.middleware.PublicCacheMiddleware",
    "registry.http.middleware.ForwardedForMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "registry.http.middleware.SecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "registry.urls"
WSGI_APPLICATION = "registry.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "registry.web.context_processors.add_site_context",
            ],
        },
    }
]
CRISPY_ALLOWED_TEMPLATE_PACKS = CRISPY_TEMPLATE_PACK = "bootstrap5"
CRISPY_FAIL_SILENTLY = False

# Database. Writers queue up at BEGIN instead of failing halfway, and a commit is on the disk. Each
# request asks first whether the connection that was kept from another still works.

DATABASE = dj_database_url.parse(
    DATABASE_URL,
    conn_max_age=read_number("REGISTRY_DATABASE_CONN_MAX_AGE", 60),
    conn_health_checks=True,
)
if DATABASE["ENGINE"] == "django.db.backends.sqlite3":
    DATABASE["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": read_number("REGISTRY_DATABASE_LOCK_SECONDS", 20),
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
    Path(DATABASE["NAME"]).parent.mkdir(parents=True, exist_ok=True)
else:
    # A server that is gone without a word is given up on: after seconds, and after milliseconds.
    patience = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
    DATABASE["OPTIONS"] = patience | DATABASE.get("OPTIONS", {})
DATABASES = {"default": DATABASE}

# Memory of each worker for public answers; 0 has all of them made anew. While the database is away
# they are given for so many seconds more.

REGISTRY_CACHE_BYTES = read_number("REGISTRY_CACHE_BYTES", 16_000_000)
REGISTRY_STALE_IF_ERROR_SECONDS = read_number("REGISTRY_STALE_IF_ERROR_SECONDS", 86_400)

# Limits are counted by all workers together: those of allauth in this table, which a migration
# makes, those that many try at once in rows of their own. More entries than are ever made honestly:
# where there are more, a third is forgotten.

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "registry_cache",
        "OPTIONS": {"MAX_ENTRIES": 50_000},
    },
    # Of each worker: what is counted from the journal once, and much too large for a row.
    "figures": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "figures",
    },
}
# How many proxies stand before the registry and add to X-Forwarded-For whom they were asked by.
REGISTRY_TRUSTED_PROXIES = read_number("REGISTRY_TRUSTED_PROXIES", 0)

# Language and time

LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English")]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

# Static files

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "registry.http.storage.HashedStaticFilesStorage"},
}

# Accounts

AUTH_USER_MODEL = "registry.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "account:requests"
LOGOUT_REDIRECT_URL = "home:index"
ACCOUNT_ADAPTER = "registry.web.account.adapter.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_FORMS = {
    "add_email": "registry.forms.account.AddAddressForm",
    "change_password": "registry.forms.account.ChangePasswordForm",
    "confirm_login_code": "registry.forms.account.ConfirmCodeForm",
    "login": "registry.forms.account.SignInForm",
    "reauthenticate": "registry.forms.account.ReauthenticateForm",
    "request_login_code": "registry.forms.account.RequestCodeForm",
    "reset_password": "registry.forms.account.ResetPasswordForm",
    "reset_password_from_key": "registry.forms.account.ResetPasswordKeyForm",
    "set_password": "registry.forms.account.SetPasswordForm",
    "signup": "registry.forms.account.SignUpForm",
}
# Attempts to sign in are counted by registry.rate_limits, which keeps out nobody but who fails.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": None}
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[URN Namespace Registry] "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = SITE.partition(":")[0]
ACCOUNT_SESSION_REMEMBER = True

# Mail

DEFAULT_FROM_EMAIL = read_string("REGISTRY_MAIL_FROM", "registry@registry.example")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
if DEMONSTRATION:
    EMAIL_BACKEND = "registry.demonstration.mailbox.DemonstrationMailBackend"
    EMAIL_FILE_PATH = DATA_DIR / "mail"
else:
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    globals().update(read_mail_server("REGISTRY_EMAIL_URL"))
EMAIL_TIMEOUT = 30

# Letters about requests. A task is a row of the database, written with the step it is about.

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
REGISTRY_LIST_ADDRESS = read_string(
    "REGISTRY_LIST_ADDRESS", "urn-list@lists.example" if DEMONSTRATION else ""
)

# Security. Nothing is loaded from another host; pages are cached, so there are no nonces.

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
# What is pasted is read whole, even where it is too much, so that nothing of it is lost.
DATA_UPLOAD_MAX_MEMORY_SIZE = 12_000_000
X_FRAME_OPTIONS = "DENY"
CSRF_TRUSTED_ORIGINS = [SITE]
CSRF_FAILURE_VIEW = "registry.web.errors.show_csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
if not DEMONSTRATION:
    SECURE_SSL_REDIRECT = True
    # Such a redirect would write the name in its address anew, and it might be another one then.
    SECURE_REDIRECT_EXEMPT = [r"^resolve/.", r"^uri-res/"]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # A browser that was told keeps to it for so long, even where TLS fails: an hour and this host
    # alone, unless whoever runs the site knows that everything under its name has TLS for good.
    SECURE_HSTS_SECONDS = read_number("REGISTRY_HSTS_SECONDS", 3_600)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = read_boolean("REGISTRY_HSTS_SUBDOMAINS", default=False)
    SECURE_HSTS_PRELOAD = read_boolean("REGISTRY_HSTS_PRELOAD", default=False)
    # Django advises what is asked for by name here: W005 is subdomains, W021 is preload.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

# API: no browsable pages, `/api/` is a template of ours.

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "registry.api.authentication.HeaderTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "registry.http.negotiation.AcceptNegotiation",
    "DEFAULT_THROTTLE_RATES": {
        "writing": f"{read_number('REGISTRY_API_WRITES_PER_MINUTE', 60)}/minute"
    },
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_SCHEMA_CLASS": "registry.api.openapi.RegistrySchema",
    "URL_FORMAT_OVERRIDE": None,
}
# Tokens have names here, so they are rows of ours, and knox's own table is not made.
KNOX_TOKEN_MODEL = "registry.Token"
MIGRATION_MODULES = {"knox": None}
SPECTACULAR_SETTINGS = {
    "TITLE": "URN Namespace Registry",
    "DESCRIPTION": (
        "Registered URN namespaces, requests for them, and questions about URNs. Reading what is "
        "public and asking need no account."
    ),
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v[0-9]+",
    "ENUM_NAME_OVERRIDES": {
        "ChangeEnum": "registry.enums.ChangeKind",
        "DesignatorStatusEnum": "registry.enums.DesignatorStatus",
        "FactsChangeEnum": "registry.api.input_serializers.FACTS_CHANGE_CHOICES",
        "PathEnum": "registry.enums.RequestPath",
        "AskedPathEnum": "registry.api.input_serializers.PATH_CHOICES",
        "SettlementEnum": "registry.enums.Settlement",
        "StatusEnum": "registry.enums.NamespaceStatus",
        "AnswerEnum": "registry.api.input_serializers.ANSWER_CHOICES",
        "StateEnum": "registry.enums.State",
        "TableStateEnum": "registry.enums.TableState",
    },
}

# The process. None of these is a rule of RFC 8141.

REGISTRY_COMMENT_DAYS = read_number("REGISTRY_COMMENT_DAYS", 21)
REGISTRY_DECISION_DAYS = read_number("REGISTRY_DECISION_DAYS", 28)
REGISTRY_WITHDRAWAL_DAYS = read_number("REGISTRY_WITHDRAWAL_DAYS", 7)
REGISTRY_APPEAL_DAYS = read_number("REGISTRY_APPEAL_DAYS", 7)
REGISTRY_PUBLISH_DAYS = read_number("REGISTRY_PUBLISH_DAYS", 7)
REGISTRY_DIRECTION_DAYS = read_number("REGISTRY_DIRECTION_DAYS", 28)
REGISTRY_FIRST_ANSWER_WORKING_DAYS = read_number("REGISTRY_FIRST_ANSWER_WORKING_DAYS", 2)
REGISTRY_ROTA_WORKING_DAYS = read_number("REGISTRY_ROTA_WORKING_DAYS", 2)
REGISTRY_ESCALATION_DAYS = {
    "expert": read_number("REGISTRY_ESCALATE_EXPERT_DAYS", 7),
    "lead": read_number("REGISTRY_ESCALATE_LEAD_DAYS", 14),
    "all": read_number("REGISTRY_ESCALATE_ALL_DAYS", 30),
}
REGISTRY_REMINDER_DAYS = [
    read_number(f"REGISTRY_REMINDER_{n}_DAYS", days) for n, days in enumerate((30, 60, 90), start=1)
]
REGISTRY_EXPIRE_DAYS = read_number("REGISTRY_EXPIRE_DAYS", 180)
REGISTRY_QUORUM = read_number("REGISTRY_QUORUM", 1)
# Where everybody can have a mail address: sharing one of these hints at nothing in common.
REGISTRY_SHARED_MAIL = read_list(
    "REGISTRY_SHARED_MAIL",
    "gmail.com, googlemail.com, outlook.com, hotmail.com, live.com, yahoo.com, icloud.com, "
    "me.com, proton.me, protonmail.com, gmx.de, gmx.net, web.de, mail.ru, qq.com, 163.com"
    + (", people.example" if DEMONSTRATION else ""),
)
REGISTRY_COMMENTS_PER_HOUR = read_number("REGISTRY_COMMENTS_PER_HOUR", 20)
# Each list may take a second of the processor, and nobody needs an account for it.
REGISTRY_CHECKS_PER_MINUTE = read_number("REGISTRY_CHECKS_PER_MINUTE", 10)
# A resolution service that somebody had asked is not asked again for so long.
REGISTRY_PROBE_MINUTES = read_number("REGISTRY_PROBE_MINUTES", 10)
REGISTRY_PROOF_DAYS = read_number("REGISTRY_PROOF_DAYS", 14)
REGISTRY_INVITATION_DAYS = read_number("REGISTRY_INVITATION_DAYS", 14)

# The registry as files, built once for each of its versions and read from the disk.

REGISTRY_EXPORTS = DATA_DIR / "exports"

# Tables of locators. What is sent waits in files for the worker, which has to see them too.

REGISTRY_UPLOADS = DATA_DIR / "uploads"
REGISTRY_LOCATOR_ROWS = read_number("REGISTRY_LOCATOR_ROWS", 10_000_000)
REGISTRY_LOCATOR_BYTES = read_number("REGISTRY_LOCATOR_BYTES", 4_000_000_000)

# Other people's servers, asked for proofs of who acts for an organization.

REGISTRY_PROOF_FILE = "https://{domain}/.well-known/urn-registry-proof.txt"
# Name servers such as 192.0.2.1 or 192.0.2.1:5353; without any, those of this machine.
REGISTRY_NAMESERVERS = read_list("REGISTRY_NAMESERVERS", "")
# Networks such as 192.0.2.0/24 that may be asked although they are not of the open Internet.
REGISTRY_FETCH_NETWORKS = read_list("REGISTRY_FETCH_NETWORKS", "")

# Log: to the console, where whoever runs the server looks. An outage of the database is one line,
# and so is a request that was refused.

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "filters": {
        "outage": {"()": "registry.database.OutageFilter"},
        "refusal": {"()": "registry.http.log_filters.RefusalFilter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "plain",
            "filters": ["outage", "refusal"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
}
