"""Settings of the registry, read from the environment.

With no variables set this is the demonstration: an SQLite database under `var/`, mail written to
disk, this machine only. `REGISTRY_MODE=production` requires everything it needs and fails loudly if
anything is missing.
"""

from __future__ import annotations

import datetime
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog
from django.core.exceptions import ImproperlyConfigured

from registry.env import (
    check_names,
    read_boolean,
    read_breached_passwords,
    read_cache_server,
    read_choice,
    read_database,
    read_hosts,
    read_https_address,
    read_list,
    read_mail_server,
    read_networks,
    read_number,
    read_site,
    read_string,
    require_database_encryption,
    require_mail_encryption,
)

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(read_string("REGISTRY_DATA_DIR", str(BASE_DIR / "var")))
MODE = read_choice("REGISTRY_MODE", {"demonstration", "production"}, "demonstration")
DEMONSTRATION = MODE == "demonstration"


def demonstration_key(path: Path) -> str:
    """Return this copy's own secret, created on first use so that sessions survive a restart."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50), encoding="ascii")
    return path.read_text(encoding="ascii")


DEBUG = False
# Former secret keys: what they signed stays valid until they are removed from this list.
SECRET_KEY_FALLBACKS = read_list("REGISTRY_SECRET_KEY_FALLBACKS", "")
if DEMONSTRATION:
    SECRET_KEY = demonstration_key(DATA_DIR / "secret-key")
    ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
    DATABASE_URL = read_string(
        "REGISTRY_DATABASE_URL", f"sqlite:///{DATA_DIR / 'registry.sqlite3'}"
    )
    SITE = read_site("REGISTRY_SITE", "http://127.0.0.1:8000", schemes={"http", "https"})
else:
    SECRET_KEY = read_string("REGISTRY_SECRET_KEY")
    ALLOWED_HOSTS = read_hosts("REGISTRY_HOSTS")
    DATABASE_URL = read_string("REGISTRY_DATABASE_URL")
    SITE = read_site("REGISTRY_SITE", schemes={"https"})

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
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.usersessions",
    "crispy_forms",
    "crispy_bootstrap5",
    "django_filters",
    "django_tasks",
    "django_tasks_db",
    "drf_spectacular",
    "knox",
    "rest_framework",
]
MIDDLEWARE = [
    "registry.http.cache.PublicCacheMiddleware",
    "registry.http.processor_time.ProcessorTimeMiddleware",
    "registry.http.health.HealthMiddleware",
    "registry.http.middleware.ForwardedForMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "registry.http.middleware.UnreadBodyMiddleware",
    "registry.http.middleware.SecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "registry.http.observation.PersonMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "registry.http.session_limits.SessionLimitsMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "registry.http.assurance.AssuranceMiddleware",
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

# Database. Writers queue at BEGIN instead of failing halfway, and a commit is on disk. Each request
# first checks that a reused connection still works.

DATABASE = read_database(DATABASE_URL)
lock_seconds = read_number("REGISTRY_DATABASE_LOCK_SECONDS", 5)
if DATABASE["ENGINE"] == "django.db.backends.sqlite3":
    DATABASE["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": lock_seconds,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
    Path(DATABASE["NAME"]).parent.mkdir(parents=True, exist_ok=True)
else:
    # Give up on a server that has silently gone away: after seconds, and after milliseconds.
    patience = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
    if not DEMONSTRATION:
        DATABASE["OPTIONS"] = require_database_encryption(dict(DATABASE))
    DATABASE["OPTIONS"] = patience | DATABASE.get("OPTIONS", {})
DATABASES = {"default": DATABASE}

# Streaming replicas of that server; anonymous visitors are served from them.

REGISTRY_REPLICAS: list[str] = []
for replica_url in read_list("REGISTRY_REPLICA_URLS", ""):
    replica = read_database(replica_url, "REGISTRY_REPLICA_URLS")
    for each in (DATABASE, replica):
        if each["ENGINE"] != "django.db.backends.postgresql":
            raise ImproperlyConfigured("REGISTRY_REPLICA_URLS is for replicas of PostgreSQL.")
    if not DEMONSTRATION:
        replica["OPTIONS"] = require_database_encryption(replica, "REGISTRY_REPLICA_URLS")
    replica["OPTIONS"] = {"connect_timeout": 2, "tcp_user_timeout": 5_000} | replica.get(
        "OPTIONS", {}
    )
    replica["TEST"] = {"MIRROR": "default"}
    REGISTRY_REPLICAS.append(f"replica_{len(REGISTRY_REPLICAS) + 1}")
    DATABASES[REGISTRY_REPLICAS[-1]] = replica
if REGISTRY_REPLICAS:
    DATABASE_ROUTERS = ["registry.replicas.ReplicaRouter"]

# Per-worker cache of public responses; 0 turns it off. While the database is down, responses are
# served for this many seconds longer.

REGISTRY_CACHE_BYTES = read_number("REGISTRY_CACHE_BYTES", 16_000_000)
REGISTRY_STALE_IF_ERROR_SECONDS = read_number("REGISTRY_STALE_IF_ERROR_SECONDS", 86_400)
# How long a CDN or nginx may serve them without revalidating; 0 makes it revalidate every time.
REGISTRY_SHARED_CACHE_SECONDS = read_number("REGISTRY_SHARED_CACHE_SECONDS", 0)

# Shared between processes: allauth's rate limits, heartbeats of the workers and the scheduler, and
# which errors were reported. It is a table, made by a migration, with room for more entries than
# honest use ever makes; when it is full, a third of them are dropped. Or it is a Redis or Valkey
# server. Attempts that can come in large numbers are counted in tables of their own, never here.

REGISTRY_CACHE_URL = read_cache_server("REGISTRY_CACHE_URL")
SHARED_CACHE: dict[str, Any] = {
    "BACKEND": "django.core.cache.backends.db.DatabaseCache",
    "LOCATION": "registry_cache",
    "OPTIONS": {"MAX_ENTRIES": 50_000},
}
if REGISTRY_CACHE_URL:
    # Give up on a server that has silently gone away, after seconds.
    SHARED_CACHE = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REGISTRY_CACHE_URL,
        "KEY_PREFIX": "registry",
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 5},
    }
CACHES = {
    "default": SHARED_CACHE,
    # Per worker: figures computed once per version, some of them far too large for a table row.
    "figures": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "figures",
    },
}
# How many proxies sit in front of the registry and append the client's address to X-Forwarded-For.
REGISTRY_TRUSTED_PROXIES = read_number("REGISTRY_TRUSTED_PROXIES", 0)

# Language and time

LANGUAGE_CODE = "en-gb"
LANGUAGES = [("en-gb", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

# Static files

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# The demonstration serves them where they are, so that nothing has to be collected first.
WHITENOISE_USE_FINDERS = DEMONSTRATION
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEMONSTRATION
        else "registry.http.storage.HashedStaticFilesStorage"
    },
}

# The registry as files, built by the worker and served by the web servers: in a folder that all of
# them share, or in an S3-like bucket, whose keys come from AWS_ACCESS_KEY_ID and the like.
# REGISTRY_ACCEL_REDIRECT is where the web server in front of us has that folder: /built-exports/.

# How many days the last dump of each day keeps its own address.
REGISTRY_DATED_DUMPS = read_number("REGISTRY_DATED_DUMPS", 7)
REGISTRY_EXPORTS = Path(read_string("REGISTRY_EXPORTS_DIR", str(DATA_DIR / "exports")))
REGISTRY_ACCEL_REDIRECT = read_string("REGISTRY_ACCEL_REDIRECT", "")
exports_bucket = read_string("REGISTRY_EXPORTS_BUCKET", "")
exports_endpoint = read_string("REGISTRY_EXPORTS_ENDPOINT", "")
if exports_bucket:
    if REGISTRY_ACCEL_REDIRECT:
        raise ImproperlyConfigured(
            "REGISTRY_ACCEL_REDIRECT is for files in a folder; REGISTRY_EXPORTS_BUCKET has none."
        )
    STORAGES["exports"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": exports_bucket,
            "endpoint_url": exports_endpoint or None,
            "location": "exports",
            "default_acl": None,
            "file_overwrite": False,
        },
    }
else:
    if exports_endpoint:
        raise ImproperlyConfigured("REGISTRY_EXPORTS_ENDPOINT is set, and no bucket is named.")
    STORAGES["exports"] = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": REGISTRY_EXPORTS},
    }

# Accounts

AUTH_USER_MODEL = "registry.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
# New passwords use the first; a password hashed by another is rehashed when it is next used.
PASSWORD_HASHERS = [
    f"django.contrib.auth.hashers.{name}"
    for name in ("Argon2PasswordHasher", "ScryptPasswordHasher", "PBKDF2PasswordHasher")
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "registry.forms.password_strength.GuessesValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "registry.forms.breached_passwords.BreachedPasswordValidator"},
]
# A file of SHA-1 hashes in hexadecimal, one a line, sorted, as Have I Been Pwned publishes them.
REGISTRY_BREACHED_PASSWORDS = read_breached_passwords("REGISTRY_BREACHED_PASSWORDS")
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
    "confirm_login_code": "registry.web.account.code_forms.ConfirmCodeForm",
    "login": "registry.forms.account.SignInForm",
    "reauthenticate": "registry.forms.account.ReauthenticateForm",
    "request_login_code": "registry.forms.account.RequestCodeForm",
    "reset_password": "registry.forms.account.ResetPasswordForm",
    "reset_password_from_key": "registry.forms.account.ResetPasswordKeyForm",
    "set_password": "registry.forms.account.SetPasswordForm",
    "signup": "registry.forms.account.SignUpForm",
}
# registry.rate_limits counts passwords and codes, and locks out only the client that fails. The
# limits of allauth would lock out the owner with it.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": None, "reauthenticate": None}
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# Seconds after which a link that chooses a new password dies, if nothing ends it sooner.
PASSWORD_RESET_TIMEOUT = 3_600
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "registry.actions.account_security.ResetKeyGenerator"
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[URN Namespace Registry] "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = SITE.partition(":")[0]
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
# How recently people must have confirmed who they are for anything a session alone does not allow.
ACCOUNT_REAUTHENTICATION_TIMEOUT = 60 * read_number("REGISTRY_REAUTHENTICATION_MINUTES", 10)
ACCOUNT_REAUTHENTICATION_REQUIRED = True

# Second factors. Passkeys belong to the host name in the settings, whatever host was requested; an
# IP address such as 127.0.0.1 cannot have passkeys, so the demonstration uses `localhost` there.

MFA_ADAPTER = "registry.web.account.factors.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_TOTP_ISSUER = "URN Namespace Registry"
# For how many half minutes before and after the current one a code is accepted.
MFA_TOTP_TOLERANCE = read_number("REGISTRY_TOTP_TOLERANCE", 1)
# Nobody can sign in before confirming one of their addresses anyway.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "activate_totp": "registry.forms.account.ActivateCodesForm",
    "add_webauthn": "registry.forms.account.AddPasskeyForm",
    "authenticate": "registry.web.account.code_forms.FactorForm",
    "reauthenticate": "registry.web.account.code_forms.FactorAgainForm",
}
REGISTRY_RELYING_PARTY = read_string("REGISTRY_RELYING_PARTY", urlsplit(SITE).hostname or "")
if DEMONSTRATION:
    if REGISTRY_RELYING_PARTY in {"127.0.0.1", "::1"}:
        REGISTRY_RELYING_PARTY = "localhost"
    MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = False
# How long a change of who may decide waits, so that an officer can stop it.
REGISTRY_OFFICER_CHANGE_MINUTES = read_number(
    "REGISTRY_OFFICER_CHANGE_MINUTES", 1 if DEMONSTRATION else 1_440
)

# Accounts elsewhere that can open an account here; none unless configured. They are identified by
# the provider's own id, never by an email address that the provider reports, and no token is
# stored.

SOCIALACCOUNT_ADAPTER = "registry.web.account.elsewhere.ElsewhereAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_LOGIN_ON_GET = False
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_AUTO_SIGNUP = False
SOCIALACCOUNT_EMAIL_VERIFICATION = "mandatory"
SOCIALACCOUNT_FORMS = {"signup": "registry.forms.account.SignUpElsewhereForm"}
SOCIALACCOUNT_PROVIDERS: dict[str, dict[str, Any]] = {}
for provider, variable in (("orcid", "REGISTRY_ORCID"), ("github", "REGISTRY_GITHUB")):
    if os.environ.get(f"{variable}_CLIENT"):
        INSTALLED_APPS.append(f"allauth.socialaccount.providers.{provider}")
        SOCIALACCOUNT_PROVIDERS[provider] = {
            "APPS": [
                {
                    "client_id": read_string(f"{variable}_CLIENT"),
                    "secret": read_string(f"{variable}_SECRET"),
                }
            ]
        }
if os.environ.get("REGISTRY_OIDC_CLIENT"):
    INSTALLED_APPS.append("allauth.socialaccount.providers.openid_connect")
    SOCIALACCOUNT_PROVIDERS["openid_connect"] = {
        "OAUTH_PKCE_ENABLED": True,
        "provider_class": "registry.web.account.openid.OpenIDProvider",
        "APPS": [
            {
                "provider_id": "oidc",
                "name": read_string("REGISTRY_OIDC_NAME", "OpenID Connect"),
                "client_id": read_string("REGISTRY_OIDC_CLIENT"),
                "secret": read_string("REGISTRY_OIDC_SECRET"),
                "settings": {
                    "server_url": read_https_address("REGISTRY_OIDC_ISSUER", ""),
                    "fetch_userinfo": False,
                },
            }
        ],
    }

# For ordinary accounts and for officers: how long an unused session lasts, and how long any lasts.

REGISTRY_SESSION_LIMITS = {
    "person": (
        datetime.timedelta(hours=read_number("REGISTRY_IDLE_HOURS", 168)),
        datetime.timedelta(days=read_number("REGISTRY_SESSION_DAYS", 30)),
    ),
    "officer": (
        datetime.timedelta(minutes=read_number("REGISTRY_OFFICER_IDLE_MINUTES", 60)),
        datetime.timedelta(hours=read_number("REGISTRY_OFFICER_SESSION_HOURS", 12)),
    ),
}
SESSION_COOKIE_AGE = int(REGISTRY_SESSION_LIMITS["person"][1].total_seconds())
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
BROWSER_COOKIE_NAME = "browser"
THEME_COOKIE_NAME = "theme"
MESSAGES_COOKIE_NAME = "messages"
MESSAGE_STORAGE = "registry.http.message_storage.MessageStorage"

# Data that must be readable again is encrypted with the first of these keys; any of them decrypts
# it.
REGISTRY_DATA_KEYS = read_list("REGISTRY_DATA_KEYS", "") or [SECRET_KEY, *SECRET_KEY_FALLBACKS]

# The log of account activity, which is not part of the journal.
REGISTRY_ACCOUNT_LOG_DAYS = read_number("REGISTRY_ACCOUNT_LOG_DAYS", 365)

# Sent letters and unused invitations are deleted after this.
REGISTRY_LETTER_DAYS = read_number("REGISTRY_LETTER_DAYS", 365)

# Mail

DEFAULT_FROM_EMAIL = read_string(
    "REGISTRY_MAIL_FROM", "registry@registry.example" if DEMONSTRATION else None
)
SERVER_EMAIL = DEFAULT_FROM_EMAIL
if DEMONSTRATION:
    EMAIL_BACKEND = "registry.demonstration.mailbox.DemonstrationMailBackend"
    EMAIL_FILE_PATH = DATA_DIR / "mail"
else:
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    globals().update(require_mail_encryption(read_mail_server("REGISTRY_EMAIL_URL")))
EMAIL_TIMEOUT = 30

# Mail about requests. A task is a database row, saved together with the step it is about.

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
REGISTRY_LIST_ADDRESS = read_string(
    "REGISTRY_LIST_ADDRESS", "urn-list@lists.example" if DEMONSTRATION else ""
)

# Identifies letters from the list (RFC 2919), and where to read the list's archive; both optional.
REGISTRY_LIST_ID = read_string("REGISTRY_LIST_ID", REGISTRY_LIST_ADDRESS.replace("@", "."))
REGISTRY_LIST_ARCHIVE = read_string(
    "REGISTRY_LIST_ARCHIVE", "https://lists.example/archive/urn-list/" if DEMONSTRATION else ""
)

# Security

# Pasted text is read in full even when it is over the limit, so that none of it is lost.
DATA_UPLOAD_MAX_MEMORY_SIZE = 12_000_000
X_FRAME_OPTIONS = "DENY"
CSRF_TRUSTED_ORIGINS = [SITE]
CSRF_FAILURE_VIEW = "registry.web.errors.show_csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
if not DEMONSTRATION:
    SECURE_SSL_REDIRECT = True
    # The redirect would rewrite the name in the address, which could turn it into another name. And
    # a redirected program keeps sending its token in the clear, so the API refuses it instead.
    SECURE_REDIRECT_EXEMPT = [r"^resolve/.", r"^uri-res/", r"^api/v1/"]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # Browsers remember this for that long, even when TLS fails: by default an hour, and this host
    # only. Only the operator knows whether everything under its name has TLS for good.
    SECURE_HSTS_SECONDS = read_number("REGISTRY_HSTS_SECONDS", 3_600)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = read_boolean("REGISTRY_HSTS_SUBDOMAINS", default=False)
    SECURE_HSTS_PRELOAD = read_boolean("REGISTRY_HSTS_PRELOAD", default=False)
    # These checks advise the two settings above, which the operator decides: W005 subdomains, W021
    # preload.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    # Browsers accept a cookie with the `__Host-` prefix only from this host and over TLS. The
    # cookie that identifies a browser is limited to one path, which `__Host-` does not allow, so it
    # has `__Secure-`.
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    BROWSER_COOKIE_NAME = "__Secure-browser"
    THEME_COOKIE_NAME = "__Host-theme"
    MESSAGES_COOKIE_NAME = "__Host-messages"

# API. There are no browsable pages; `/api/` is a template of our own.

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
# Our tokens have names, so they have a table of their own, and knox's is not created.
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
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "registry.api.description.complete_description",
    ],
    "ENUM_NAME_OVERRIDES": {
        "ChangeEnum": "registry.enums.ChangeKind",
        "SpeakerBasisEnum": "registry.enums.SpeakerBasis",
        "SpeakerStateEnum": "registry.enums.SpeakerState",
        "DesignatorStatusEnum": "registry.enums.DesignatorStatus",
        "FactsChangeEnum": "registry.api.input_serializers.FACTS_CHANGE_CHOICES",
        "PathEnum": "registry.enums.RequestPath",
        "AskedPathEnum": "registry.api.input_serializers.PATH_CHOICES",
        "SettlementEnum": "registry.enums.Settlement",
        "DisputeKindEnum": "registry.enums.DisputeKind",
        "EvidenceKindEnum": "registry.enums.EvidenceKind",
        "HoldGroundEnum": "registry.enums.HoldGround",
        "KindEnum": "registry.enums.NamespaceKind",
        "AppealGroundEnum": "registry.enums.AppealGround",
        "AppealOutcomeEnum": "registry.enums.AppealOutcome",
        "StatusEnum": "registry.enums.NamespaceStatus",
        "AnswerEnum": "registry.api.input_serializers.ANSWER_CHOICES",
        "StateEnum": "registry.enums.State",
        "TableStateEnum": "registry.enums.TableState",
    },
}

# The process. Its dates are kept in the administration (`registry.models.dates`).

# Mail providers open to anyone: sharing one of these domains does not connect two people.
REGISTRY_SHARED_MAIL = read_list(
    "REGISTRY_SHARED_MAIL",
    "gmail.com, googlemail.com, outlook.com, hotmail.com, live.com, yahoo.com, icloud.com, "
    "me.com, proton.me, protonmail.com, gmx.de, gmx.net, web.de, mail.ru, qq.com, 163.com"
    + (", people.example" if DEMONSTRATION else ""),
)
# How long a comment can be taken back after posting; 0 publishes it at once.
REGISTRY_COMMENT_SECONDS = read_number("REGISTRY_COMMENT_SECONDS", 60)
REGISTRY_COMMENTS_PER_HOUR = read_number("REGISTRY_COMMENTS_PER_HOUR", 20)
# Per network; everyone together may send twenty times as many.
REGISTRY_REPORTS_PER_HOUR = read_number("REGISTRY_REPORTS_PER_HOUR", 5)
# Of processor time, for one address. Checking a list may take a second of it, and needs no account.
REGISTRY_CHECK_SECONDS_PER_MINUTE = read_number("REGISTRY_CHECK_SECONDS_PER_MINUTE", 6, least=1)
# How long before somebody can have the same resolution service probed again.
REGISTRY_PROBE_MINUTES = read_number("REGISTRY_PROBE_MINUTES", 10)
# How many addresses in entries each run of the scheduler checks, each once in 30 days; 0 for none.
REGISTRY_LINKS_PER_TICK = read_number("REGISTRY_LINKS_PER_TICK", 0 if DEMONSTRATION else 3)
REGISTRY_PROOF_DAYS = read_number("REGISTRY_PROOF_DAYS", 14)
REGISTRY_MAILED_TEMPLATE_DAYS = read_number("REGISTRY_MAILED_TEMPLATE_DAYS", 14)
REGISTRY_INVITATION_DAYS = read_number("REGISTRY_INVITATION_DAYS", 14)

# Licences by SPDX identifier: of facts and of what we write about namespaces; and of the text of
# templates, which registrants agree to when they submit (`registry.licences`).

OPEN_LICENCES = {"CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "PDDL-1.0", "ODC-By-1.0"}
REGISTRY_DATA_LICENCE = read_choice("REGISTRY_DATA_LICENCE", OPEN_LICENCES, "CC0-1.0")
REGISTRY_TEXT_LICENCE = read_choice("REGISTRY_TEXT_LICENCE", OPEN_LICENCES, "CC-BY-4.0")

# Locator tables. Uploads wait in files for the worker, so it needs access to this folder.

REGISTRY_UPLOADS = DATA_DIR / "uploads"
REGISTRY_LOCATOR_ROWS = read_number("REGISTRY_LOCATOR_ROWS", 10_000_000)
REGISTRY_LOCATOR_BYTES = read_number("REGISTRY_LOCATOR_BYTES", 4_000_000_000)

# Other people's servers, fetched for proof that somebody acts for an organization.

REGISTRY_PROOF_FILE = "https://{domain}/.well-known/urn-registry-proof.txt"
# IANA's list of the servers that say when a domain was registered (RFC 9224).
REGISTRY_RDAP_LIST = read_https_address("REGISTRY_RDAP_LIST", "https://data.iana.org/rdap/dns.json")
# Name servers such as 192.0.2.1 or 192.0.2.1:5353; by default this machine's own.
REGISTRY_NAMESERVERS = read_list("REGISTRY_NAMESERVERS", "")
# The only hosts that may be fetched from, if any are named; and networks such as 192.0.2.0/24 that
# may be too although they are not on the open Internet.
REGISTRY_FETCH_HOSTS = [host.lower() for host in read_list("REGISTRY_FETCH_HOSTS", "")]
REGISTRY_FETCH_NETWORKS = read_networks("REGISTRY_FETCH_NETWORKS")

# The transparency log. Its entry 0 fixes its name, which is written without a scheme. Tiles and
# heads are files that any web server can serve. The last signed head is stored in a file of its
# own, outside the database. Only the command build_log reads the key.

# The first journal entry fixes the name of the log, and a demonstration is served at another port
# now and then.
REGISTRY_LOG_ORIGIN = read_string(
    "REGISTRY_LOG_ORIGIN",
    "127.0.0.1:8000/log"
    if DEMONSTRATION
    else f"{urlsplit(SITE).netloc}{urlsplit(SITE).path.rstrip('/')}/log",
)
REGISTRY_LOG_DIR = Path(read_string("REGISTRY_LOG_DIR", str(DATA_DIR / "log")))
REGISTRY_LOG_HEAD = Path(read_string("REGISTRY_LOG_HEAD_FILE", str(DATA_DIR / "log-head")))
# Witnesses asked to cosign each head, as `URL KEY`, separated by commas.
REGISTRY_LOG_WITNESSES = read_list("REGISTRY_LOG_WITNESSES", "")
# Only a demonstration makes this key, and signs with it if it has no other.
REGISTRY_LOG_DEVELOPMENT_KEY = DATA_DIR / "log-development-key"

# IANA's list of URN namespaces, which is read from nowhere else, and whether the scheduler reads it
# every day. A mirror takes no requests and sends people to IANA, as long as IANA keeps the
# registry.

REGISTRY_IANA_LIST = read_https_address(
    "REGISTRY_IANA_LIST", "https://www.iana.org/assignments/urn-namespaces/urn-namespaces.xml"
)
REGISTRY_IANA_SYNC = read_boolean("REGISTRY_IANA_SYNC", default=False)
REGISTRY_MIRROR = read_boolean("REGISTRY_MIRROR", default=False)

# The token for /health/status and /health/metrics; without it nobody can read them.

REGISTRY_STATUS_TOKEN = read_string("REGISTRY_STATUS_TOKEN", "")
if REGISTRY_STATUS_TOKEN and len(REGISTRY_STATUS_TOKEN) < 20:
    raise ImproperlyConfigured("REGISTRY_STATUS_TOKEN is short; take 20 characters or more.")

# Logging, to the console. A database outage is one line, and so is a refused request. With `json`
# each line is an object with the time and the request's identifier, and every request gets a line.
# Our own errors are mailed as well.

REGISTRY_LOG = read_choice("REGISTRY_LOG", {"plain", "json"}, "plain")
REGISTRY_ERROR_MAIL = read_list("REGISTRY_ERROR_MAIL", "")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "%(levelname)s %(name)s: %(message)s"},
        "json": {
            "()": "structlog.stdlib.ProcessorFormatter",
            "foreign_pre_chain": [
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
                structlog.stdlib.ExtraAdder(["method", "path", "status", "duration_ms", "person"]),
            ],
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
        },
    },
    "filters": {
        "outage": {"()": "registry.database.OutageFilter"},
        "refusal": {"()": "registry.http.log_filters.RefusalFilter"},
        "keys": {"()": "registry.key_paths.KeyFilter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": REGISTRY_LOG,
            "filters": ["outage", "refusal", "keys"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "registry.access": {"level": "INFO" if REGISTRY_LOG == "json" else "WARNING"},
        # gunicorn's lines come the same way, once the application is loaded.
        "gunicorn.error": {"propagate": True},
    },
}

# Last, once everything has been read.

check_names()
