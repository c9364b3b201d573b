"""The programming interface."""

from django.urls import path, re_path
from drf_spectacular.views import SpectacularJSONAPIView

from registry.api.nothing import Nothing
from registry.api.reading.namespaces import (
    NamespacesView,
    NamespaceView,
    VersionsView,
    VersionView,
)
from registry.api.reading.rounds import FindingsView, RoundsView, RoundView
from registry.api.reading.services import ServiceView
from registry.api.requests.drafts import DraftView
from registry.api.requests.views import RequestsView, RequestView, VerbView
from registry.api.requests.writing import AnswerView, MessagesView, RemarksView, SettleView
from registry.api.urn.checking import CheckView
from registry.api.urn.views import CompareView, FindView, ParseView, ReferenceView
from registry.views import api

app_name = "api"
urlpatterns = [
    path("", api.index, name="index"),
    path("schema/", SpectacularJSONAPIView.as_view(), name="schema"),
    path("v1/namespaces/", NamespacesView.as_view(), name="namespaces"),
    path("v1/namespaces/<str:nid>/", NamespaceView.as_view(), name="namespace"),
    path("v1/namespaces/<str:nid>/versions/", VersionsView.as_view(), name="versions"),
    path("v1/namespaces/<str:nid>/versions/<int:number>/", VersionView.as_view(), name="version"),
    path("v1/services/<int:pk>/", ServiceView.as_view(), name="service"),
    path("v1/requests/", RequestsView.as_view(), name="requests"),
    path("v1/requests/<slug:reference>/", RequestView.as_view(), name="request"),
    path("v1/requests/<slug:reference>/rounds/", RoundsView.as_view(), name="rounds"),
    path("v1/requests/<slug:reference>/rounds/<int:number>/", RoundView.as_view(), name="round"),
    path(
        "v1/requests/<slug:reference>/rounds/<int:number>/findings/",
        FindingsView.as_view(),
        name="findings",
    ),
    path("v1/requests/<slug:reference>/draft/", DraftView.as_view(), name="draft"),
    path("v1/requests/<slug:reference>/verbs/<str:verb>/", VerbView.as_view(), name="verb"),
    path("v1/requests/<slug:reference>/messages/", MessagesView.as_view(), name="messages"),
    path("v1/requests/<slug:reference>/remarks/", RemarksView.as_view(), name="remarks"),
    path(
        "v1/requests/<slug:reference>/remarks/<int:number>/answer/",
        AnswerView.as_view(),
        name="answer",
    ),
    re_path(
        r"^v1/requests/(?P<reference>[-\w]+)/remarks/(?P<number>[0-9]{1,9})/(?P<act>drop|reopen)/$",
        SettleView.as_view(),
        name="settle",
    ),
    path("v1/urn/parse/", ParseView.as_view(), name="urn-parse"),
    path("v1/urn/compare/", CompareView.as_view(), name="urn-compare"),
    path("v1/urn/resolve-reference/", ReferenceView.as_view(), name="urn-resolve-reference"),
    path("v1/urn/find/", FindView.as_view(), name="urn-find"),
    path("v1/urn/check/", CheckView.as_view(), name="urn-check"),
    re_path(r"^v1/", Nothing.as_view(), name="nothing"),
]
