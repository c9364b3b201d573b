"""The programming interface."""

from django.urls import include, path, re_path
from rest_framework.routers import SimpleRouter

from registry.api import (
    account,
    co_editors,
    discussion,
    drafts,
    events,
    index,
    locator_tables,
    namespaces,
    organizations,
    recognition,
    requests,
    reviewing,
    services,
    sightings,
    urns,
    vocabularies,
    webhooks,
)
from registry.api.views import NothingView, SchemaView

app_name = "api"

router = SimpleRouter(use_regex_path=False)
router.register("namespaces", namespaces.NamespaceViewSet, "namespace")
router.register("namespaces/<str:nid>/versions", namespaces.VersionViewSet, "version")
router.register("namespaces/<str:nid>/events", events.NamespaceEventViewSet, "namespace-event")
router.register(
    "namespaces/<str:nid>/services", services.NamespaceServiceViewSet, "namespace-service"
)
router.register("requests", requests.RequestViewSet, "request")
router.register("requests/<slug:reference>/rounds", requests.RoundViewSet, "round")
router.register("requests/<slug:reference>/notes", discussion.NoteViewSet, "note")
router.register("requests/<slug:reference>/messages", discussion.MessageViewSet, "message")
router.register("requests/<slug:reference>/remarks", discussion.RemarkViewSet, "remark")
router.register("requests/<slug:reference>/invitations", co_editors.InvitationViewSet, "invitation")
router.register("requests/<slug:reference>/co-editors", co_editors.CoEditorViewSet, "co-editor")
router.register("events", events.EventViewSet, "event")
router.register("organizations", organizations.OrganizationViewSet, "organization")
router.register("organizations/<int:pk>/delegates", organizations.DelegateViewSet, "delegate")
router.register("proofs", recognition.ProofViewSet, "proof")
router.register("recognitions", recognition.RecognitionViewSet, "recognition")
router.register("services", services.ServiceViewSet, "service")
router.register("query-keywords", vocabularies.KeywordViewSet, "query-keyword")
router.register("service-designators", vocabularies.DesignatorViewSet, "service-designator")
router.register("sightings", sightings.SightingViewSet, "sighting")
router.register("figures", requests.FigureViewSet, "figure")
router.register("account/tokens", account.TokenViewSet, "token")
# Before the webhooks, of which any word may say what is to be done.
router.register("account/hooks/<int:pk>/deliveries", webhooks.DeliveryViewSet, "delivery")
router.register("account/hooks", webhooks.WebhookViewSet, "hook")
router.register("account/follows", account.FollowViewSet, "follow")
router.register("account/invitations", co_editors.OwnInvitationViewSet, "own-invitation")
router.register("account/absences", reviewing.AbsenceViewSet, "absence")
router.register("account/conflicts", reviewing.ConflictViewSet, "conflict")

# One thing at each address, with no list around it, and questions about names.
REQUEST_PATTERNS = [
    path("draft/", drafts.DraftView.as_view(), name="draft"),
    path("rota/", reviewing.RotaView.as_view(), name="rota"),
    path("checklist/", reviewing.ChecklistView.as_view(), name="checklist"),
    path("writers/", co_editors.WritersView.as_view(), name="writers"),
    path("recognition/", recognition.RecognitionRequestView.as_view(), name="recognition-ask"),
]
URN_PATTERNS = [
    path("parse/", urns.ParseView.as_view(), name="urn-parse"),
    path("compare/", urns.CompareView.as_view(), name="urn-compare"),
    path("resolve-reference/", urns.ReferenceView.as_view(), name="urn-resolve-reference"),
    path("find/", urns.FindView.as_view(), name="urn-find"),
    path("check/", urns.CheckView.as_view(), name="urn-check"),
]
urlpatterns = [
    path("", index.show_api_index, name="index"),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("v1/", include(router.urls)),
    path(
        "v1/namespaces/<str:nid>/locators/", locator_tables.LocatorsView.as_view(), name="locators"
    ),
    path("v1/requests/<slug:reference>/", include(REQUEST_PATTERNS)),
    path("v1/templates/read/", drafts.TemplateReadView.as_view(), name="template-read"),
    path("v1/account/", account.AccountView.as_view(), name="account"),
    path("v1/urn/", include(URN_PATTERNS)),
    re_path(r"^v1/", NothingView.as_view(), name="nothing"),
]
